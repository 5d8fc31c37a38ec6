"""Tenders: the ways an invoice is paid, what each must say, and when a set of them settles it to the Rupiah."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.domain.errors import Refusal, RefusalCode, invalid
from app.domain.money import ZERO, Rupiah


class TenderKind(StrEnum):
    CASH = "CASH"
    EDC = "EDC"
    QRIS = "QRIS"
    TRANSFER = "TRANSFER"
    GATEWAY = "GATEWAY"
    CREDIT = "CREDIT"
    PPH23 = "PPH23"
    RECEIVABLE = "RECEIVABLE"
    DEPOSIT = "DEPOSIT"


SETTLED_HERE = frozenset(TenderKind) - {TenderKind.GATEWAY}
"""What a counter may record. Money through the gateway is posted by the service alone."""

MAY_EXCEED = frozenset({TenderKind.CASH, TenderKind.TRANSFER})
"""What the customer may hand over more of than is due: cash gives change, both may leave credit."""

ONCE = frozenset({TenderKind.CREDIT, TenderKind.PPH23, TenderKind.RECEIVABLE, TenderKind.DEPOSIT})
"""Tenders of which a payment has one at most."""

NEEDS_WORD = frozenset({TenderKind.QRIS, TenderKind.RECEIVABLE})
"""Tenders that a cashier records with a manager's approval only: a QRIS by its typed reference, a debt."""

APPROVED_ACTION = {TenderKind.QRIS: "qris_by_hand", TenderKind.RECEIVABLE: "receivable"}
"""The approval's action for each of `NEEDS_WORD`; its object is the invoice id, its amount the tender's."""

MAX_AMOUNT = Rupiah(9_999_999_999_999)

MAX_CHANGE = Rupiah(100_000_000)
"""A drawer never holds more, so that a greater excess is a mistyped amount. The database refuses the same."""

MAX_TENDERS = 20
MAX_TEXT = 100

_LAST4 = re.compile(r"[0-9]{4}")
_APPROVAL_CODE = re.compile(r"[0-9]{6}")
_REFERENCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ./-]{3,59}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tender:
    """What the customer hands over in one way. Only cash and a transfer may exceed what is due.

    EDC says `bank`, the card's `last4` and the terminal's `approval_code` (six figures). QRIS and a transfer say their
    `reference`; a transfer that nobody has seen in the account (`verified` false) is no tender.
    PPH23 may say the slip's number as `reference`. `approval_id`: the manager's word where one is needed.
    """

    kind: TenderKind
    amount: Rupiah
    reference: str | None = None
    bank: str | None = None
    last4: str | None = None
    approval_code: str | None = None
    sender: str | None = None
    paid_on: dt.date | None = None
    verified: bool = True
    approval_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TenderRow:
    """One stored row of a payment: `amount` pays the invoice, `received` was handed over, the difference is change or,
    where the customer asked for it, credit."""

    kind: TenderKind
    amount: Rupiah
    received: Rupiah
    reference: str | None = None
    bank: str | None = None
    last4: str | None = None
    approval_code: str | None = None
    sender: str | None = None
    paid_on: dt.date | None = None
    approval_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tendered:
    """How an invoice is settled: the `rows` add up to its total and `rounding`, and what was handed over beyond that is
    `change` and `credited`."""

    rows: tuple[TenderRow, ...]
    change: Rupiah
    credited: Rupiah
    rounding: Rupiah


def cash_rounding(cash_due: Rupiah, step: int) -> Rupiah:
    """What is added to a sum that is paid in cash so that notes and coins can pay it.

    To the nearest whole `step`, half in the customer's favour; nothing without a step, and never down to nothing.
    """
    if step <= 0 or cash_due <= 0:
        return ZERO
    over = cash_due % step
    rounded = cash_due - over if 2 * over <= step else cash_due - over + step
    return Rupiah(rounded - cash_due) if rounded else ZERO


def tendered(total: Rupiah, tenders: Sequence[Tender], *, step: int = 0, to_credit: Rupiah = ZERO) -> Tendered:
    """The rows to store for an invoice of this total, or a refusal naming the field.

    `step` rounds the part that is paid in cash. Of what exceeds the sum, `to_credit` becomes the customer's credit and
    the rest is change; an excess that neither explains is refused: never silent.
    """
    _check_all(total, tenders)
    cash_due = total - sum(tender.amount for tender in tenders if tender.kind is not TenderKind.CASH)
    has_cash = any(tender.kind is TenderKind.CASH for tender in tenders)
    rounding = cash_rounding(Rupiah(cash_due), step) if has_cash else ZERO
    due = Rupiah(total + rounding)
    given = sum(tender.amount for tender in tenders)
    if given < due:
        raise _mismatch(due=due, given=given, missing=due - given)
    over = given - due
    if not 0 <= to_credit <= over:
        raise invalid("to_credit", "out_of_range", least=0, most=over, given=to_credit)
    change, rows = _spread(over, to_credit, tenders, due)
    if change > MAX_CHANGE:
        raise invalid("tenders.amount", "too_much", change=change, most=MAX_CHANGE)
    return Tendered(rows=rows, change=change, credited=to_credit, rounding=rounding)


def checked_tenders(total: Rupiah, tenders: Sequence[Tender]) -> tuple[Rupiah, tuple[TenderRow, ...]]:
    """The change and the rows of a payment without rounding and without credit."""
    found = tendered(total, tenders)
    return found.change, found.rows


def _spread(over: int, to_credit: int, tenders: Sequence[Tender], due: Rupiah) -> tuple[Rupiah, tuple[TenderRow, ...]]:
    """Take the excess off the last tenders that may have one; credit may come off a transfer, change off cash alone."""
    change_left, credit_left = over - to_credit, to_credit
    rows: list[TenderRow] = []
    for tender in reversed(tenders):
        back = 0
        if tender.kind is TenderKind.TRANSFER:
            back = min(credit_left, tender.amount)
            credit_left -= back
        elif tender.kind is TenderKind.CASH:
            as_change = min(change_left, tender.amount)
            as_credit = min(credit_left, tender.amount - as_change)
            change_left, credit_left = change_left - as_change, credit_left - as_credit
            back = as_change + as_credit
        if back == tender.amount:
            raise invalid("tenders.amount", "not_needed", given=tender.amount)
        rows.append(_row(tender, Rupiah(tender.amount - back)))
    if change_left or credit_left:
        raise _mismatch(due=due, given=sum(tender.amount for tender in tenders), excess=change_left + credit_left)
    return Rupiah(over - to_credit), tuple(reversed(rows))


def _row(tender: Tender, amount: Rupiah) -> TenderRow:
    return TenderRow(
        kind=tender.kind,
        amount=amount,
        received=tender.amount,
        reference=tender.reference,
        bank=tender.bank,
        last4=tender.last4,
        approval_code=tender.approval_code,
        sender=tender.sender,
        paid_on=tender.paid_on,
        approval_id=tender.approval_id,
    )


def _check_all(total: Rupiah, tenders: Sequence[Tender]) -> None:
    if not tenders and total:  # days that cost nothing more are settled with nothing
        raise invalid("tenders", "empty")
    if len(tenders) > MAX_TENDERS:
        raise invalid("tenders", "count", least=1, most=MAX_TENDERS)
    for tender in tenders:
        if tender.kind not in SETTLED_HERE:
            raise invalid("tenders.kind", "not_offered", given=tender.kind.value)
        if not 0 < tender.amount <= MAX_AMOUNT:
            raise invalid("tenders.amount", "not_an_amount", given=tender.amount)
        check_tender(tender)
    for kind in ONCE:
        if sum(tender.kind is kind for tender in tenders) > 1:
            raise invalid("tenders.kind", "twice", given=kind.value)


def check_tender(tender: Tender) -> None:
    """Refuse a tender that does not say what its way of paying must say."""
    if tender.kind is TenderKind.EDC:
        _need("bank", tender.bank)
    _check_text("bank", tender.bank)
    _check_text("sender", tender.sender)
    match tender.kind:
        case TenderKind.EDC:
            _match("last4", tender.last4, _LAST4, "not_last4")
            _match("approval_code", tender.approval_code, _APPROVAL_CODE, "not_an_approval_code")
        case TenderKind.QRIS:
            _match("reference", tender.reference, _REFERENCE, "not_a_reference")
        case TenderKind.TRANSFER:
            _match("reference", tender.reference, _REFERENCE, "not_a_reference")
            if not tender.verified:
                raise invalid("tenders.verified", "not_verified")
        case TenderKind.PPH23 if tender.reference is not None:
            _match("reference", tender.reference, _REFERENCE, "not_a_reference")
        case _:
            _check_text("reference", tender.reference)


def _need(name: str, text: str | None) -> None:
    if text is None or not text.strip():
        raise invalid(f"tenders.{name}", "empty")


def _match(name: str, text: str | None, pattern: re.Pattern[str], reason: str) -> None:
    _need(name, text)
    if not pattern.fullmatch(text or ""):
        raise invalid(f"tenders.{name}", reason)


def _check_text(name: str, text: str | None) -> None:
    if text is None:
        return
    if len(text) > MAX_TEXT:
        raise invalid(f"tenders.{name}", "too_long", length=len(text), most=MAX_TEXT)
    if not text.strip() or not text.isprintable():
        raise invalid(f"tenders.{name}", "not_a_text")


def _mismatch(**params: object) -> Refusal:
    return Refusal(RefusalCode.AMOUNT_MISMATCH, field="tenders.amount", next=(), **params)
