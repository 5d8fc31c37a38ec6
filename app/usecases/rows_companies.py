"""Frozen rows of what companies owe, their collective invoices, withholding slips and a month for the tax office."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from app.domain.efaktur import TaxInvoice
from app.domain.money import Rupiah


@dataclass(frozen=True, slots=True, kw_only=True)
class Receivable:
    """What a company owes for one invoice. `state`: OPEN, BILLED (on a collective invoice), PAID or DROPPED."""

    id: str
    company_id: str
    company_name: str
    invoice_id: str
    invoice_number: str
    customer_name: str
    amount: Rupiah
    reduced: Rupiah
    due_on: dt.date
    state: str
    collective_number: str | None
    withholdable: Rupiah
    """PPh 23 that the company may still withhold of it."""

    @property
    def left(self) -> Rupiah:
        return Rupiah(self.amount - self.reduced)


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectiveInvoice:
    """One bill over a company's debts of a branch up to the end of `month`; `already`: it was there before."""

    id: str
    number: str
    company_id: str
    month: str
    total: Rupiah
    withheld: Rupiah
    state: str
    issued_on: dt.date
    due_on: dt.date
    paid_at: dt.datetime | None
    invoices: tuple[str, ...]
    already: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectivePayment:
    """The one transfer that pays a collective invoice: `amount` + `withheld` = its total."""

    id: str
    attempt_id: str
    amount: Rupiah
    withheld: Rupiah
    reference: str
    bank: str | None
    sender: str | None
    slip_number: str | None
    counter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WithholdingSlip:
    """PPh 23 that a company withheld of `of_number`; its slip is missing while `slip_number` is None."""

    id: str
    company_id: str
    company_name: str
    of_number: str
    amount: Rupiah
    slip_number: str | None
    slip_on: dt.date | None
    created_at: dt.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TaxRows:
    """What the tax office is told of a month: numbered invoices with PPN, and numbers that need somebody's hand:
    `voided` ones, and `corrected` ones of which rent was given back."""

    npwp: str | None
    idtku: str | None
    seller_name: str | None
    invoices: tuple[TaxInvoice, ...]
    voided: tuple[str, ...]
    corrected: tuple[str, ...]
