"""Frozen rows of contracts: what is printed, in which of a branch's own words, and how often it was."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

from app.domain.invoice import InvoiceKind, InvoiceLine, InvoiceState
from app.domain.money import ZERO, Rupiah
from app.domain.staff import Branch
from app.usecases.rows import BookingRow


class BranchTextKind(StrEnum):
    """TERMS are printed in every contract, the LETTERHEAD (address, phone) under the branch's name."""

    TERMS = "TERMS"
    LETTERHEAD = "LETTERHEAD"


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchText:
    """In which language the branch's words stand; `said` None: it has none, the program's stand in for them."""

    language: str
    version: int
    said: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms a contract is made under. `version` is the branch's, 0 for the program's text of that `edition`.

    A branch that wrote only Indonesian ones makes its English contracts under them too.
    """

    said: str
    language: str
    version: int
    edition: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractParty:
    """The customer as a contract names them. Numbers of papers are masked, as they are stored; empty: not known."""

    name: str
    phone: str
    address: str = ""
    company: str = ""
    nik: str = ""
    passport: str = ""
    licence: str = ""
    licence_class: str = ""
    licence_expires_on: dt.date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractUnit:
    """One rented unit. `days` are paid for, as agreed with the booking; `odometer` is the last reading on record,
    `deposit` the one agreed with the booking."""

    booking: BookingRow
    days: int
    odometer: int
    deposit: Rupiah


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractInvoice:
    """An invoice of the order that is part of what was agreed."""

    id: str
    kind: InvoiceKind
    state: InvoiceState
    number: str | None
    lines: tuple[InvoiceLine, ...]
    dpp: Rupiah
    ppn: Rupiah
    total: Rupiah
    paid: Rupiah


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstPrinting:
    """Which terms the order's contract was first printed with in a language."""

    terms_language: str
    terms_version: int
    terms_edition: int
    said: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderPapers:
    """Everything of an order that its contract says, in one snapshot. Cancelled bookings are left out."""

    order_id: str
    branch: Branch
    customer: ContractParty
    units: tuple[ContractUnit, ...]
    invoices: tuple[ContractInvoice, ...]
    given_back: Rupiah
    made_at: dt.datetime
    made_by_name: str
    letterhead: str | None
    terms: BranchText
    first: FirstPrinting | None
    now: dt.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractFacts:
    """What a contract says in one language, whichever screen the program shows.

    `given_back` is what changes of the rentals give back of the paid lines.
    """

    order_id: str
    language: str
    branch: Branch
    letterhead: str
    customer: ContractParty
    units: tuple[ContractUnit, ...]
    invoices: tuple[ContractInvoice, ...]
    given_back: Rupiah
    terms: Terms
    made_at: dt.datetime
    made_by_name: str
    now: dt.datetime

    @property
    def lines(self) -> tuple[InvoiceLine, ...]:
        """Every agreed line, invoice by invoice."""
        return tuple(line for invoice in self.invoices for line in invoice.lines)

    @property
    def total(self) -> Rupiah:
        """Rent, extras and deposit together."""
        return Rupiah(sum(line.amount for line in self.lines))

    @property
    def paid(self) -> Rupiah:
        """Of the lines that are told here: an order that goes on after a cancellation keeps what it paid for them."""
        return Rupiah(
            sum(
                sum(line.amount for line in invoice.lines) if invoice.state is InvoiceState.PAID else invoice.paid
                for invoice in self.invoices
            )
        )

    @property
    def deposit(self) -> Rupiah:
        return Rupiah(sum((unit.deposit for unit in self.units), ZERO))


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPrinting:
    """One printing to be counted. `id` is the client's UUID: sent again, it is counted once."""

    id: str
    order_id: str
    language: str
    fingerprint: str
    terms_language: str
    terms_version: int
    terms_edition: int
    counter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """`copy` 0 is an original, 1 and up the count of its SALINAN; `revision` counts what was agreed anew since."""

    revision: int
    copy: int
