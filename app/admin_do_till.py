"""`sentra-admin do`: the till by its use cases' names: tenders, shifts, refunds, credit, companies, months, papers."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping

from app.bootstrap import Counter
from app.domain.days import parse_day
from app.domain.errors import invalid
from app.domain.invoice import Tender, TenderKind
from app.domain.money import Rupiah
from app.domain.refund import RefundState, RefundWay
from app.json_values import Fields, plain
from app.usecases.money_papers import MoneyPaper
from app.usecases.rows_till import ShiftReport

Do = Callable[[Counter, Fields], object]


def tender_of(given: Fields) -> Tender:
    """One tender out of JSON."""
    given.only(
        {
            "kind",
            "amount",
            "reference",
            "bank",
            "last4",
            "approval_code",
            "sender",
            "paid_on",
            "verified",
            "approval_id",
        }
    )
    return Tender(
        kind=_kind(given, "kind"),
        amount=Rupiah(given.whole("amount")),
        reference=given.text_or_none("reference"),
        bank=given.text_or_none("bank"),
        last4=given.text_or_none("last4"),
        approval_code=given.text_or_none("approval_code"),
        sender=given.text_or_none("sender"),
        paid_on=parse_day(given.text("paid_on"), given.name("paid_on")) if given.has("paid_on") else None,
        verified=given.flag("verified") if given.has("verified") else True,
        approval_id=given.text_or_none("approval_id"),
    )


def _kind(given: Fields, key: str) -> TenderKind:
    try:
        return TenderKind(given.text(key))
    except ValueError:
        raise invalid(given.name(key), "not_a_tender") from None


def _way(given: Fields) -> RefundWay:
    try:
        return RefundWay(given.text("way"))
    except ValueError:
        raise invalid("way", "not_offered", given=given.text("way")[:20]) from None


def _id(counter: Counter, given: Fields, key: str) -> str:
    """The client's own id of a write, or a fresh one."""
    return given.text_or_none(key) or counter.new_id()


def _money(given: Fields, key: str) -> Rupiah:
    return Rupiah(given.whole(key) if given.has(key) else 0)


def _shift(report: ShiftReport) -> object:
    found = plain(report)
    return {**found, "difference": report.difference} if isinstance(found, dict) else found


def _move_cash(counter: Counter, given: Fields) -> object:
    amount = Rupiah(given.whole("amount"))
    return _shift(counter.shifts.move_cash(_id(counter, given, "movement_id"), amount, given.text("reason")))


def _count_shift(counter: Counter, given: Fields) -> object:
    """`pieces`: `{"100000": 12, …}`."""
    wish = given.object("pieces")
    pieces: dict[int, int] = {}
    for key in wish.names():
        if not key.isascii() or not key.isdigit() or len(key) > 6:
            raise invalid("pieces", "not_pieces", given=key[:20])
        pieces[int(key)] = wish.whole(key)
    return plain(
        counter.shifts.count_shift(
            _id(counter, given, "count_id"),
            pieces,
            given.whole("edc_slips") if given.has("edc_slips") else 0,
            _money(given, "edc_total"),
            given.text_or_none("shift_id"),
        )
    )


def _close_shift(counter: Counter, given: Fields) -> object:
    return _shift(
        counter.shifts.close_shift(
            given.text_or_none("shift_id") or counter.shifts.shift_report().id,
            given.text_or_none("reason"),
            given.text_or_none("approval_id"),
            given.texts("drafts") if given.has("drafts") else (),
        )
    )


def _reopen_shift(counter: Counter, given: Fields) -> object:
    return _shift(
        counter.shifts.reopen_shift(given.text("shift_id"), given.text("reason"), given.text_or_none("approval_id"))
    )


def _refunds(counter: Counter, given: Fields) -> object:
    try:
        states = [RefundState(text) for text in given.texts("states")] if given.has("states") else [RefundState.DUE]
    except ValueError as no:
        raise invalid("states", "not_a_state", given=str(no)) from None
    return plain(counter.till.refunds.refunds(states))


def _refund_pay_out(counter: Counter, given: Fields) -> object:
    return plain(
        counter.till.refunds.refund_pay_out(
            given.text("refund_id"),
            _id(counter, given, "attempt_id"),
            _way(given),
            reference=given.text_or_none("reference"),
            bank=given.text_or_none("bank"),
            reason=given.text_or_none("reason"),
            approval_id=given.text_or_none("approval_id"),
        )
    )


def _void_invoice(counter: Counter, given: Fields) -> object:
    return plain(
        counter.till.refunds.void_invoice(
            given.text("invoice_id"),
            given.text("reason"),
            replace=given.flag("replace"),
            approval_id=given.text_or_none("approval_id"),
        )
    )


def _receive_credit(counter: Counter, given: Fields) -> object:
    return plain(
        counter.till.credits.receive_credit(
            given.text("customer_id"),
            _id(counter, given, "attempt_id"),
            _kind(given, "way"),
            Rupiah(given.whole("amount")),
            reference=given.text_or_none("reference"),
            bank=given.text_or_none("bank"),
            invoice_id=given.text_or_none("invoice_id"),
        )
    )


def _pay_out_credit(counter: Counter, given: Fields) -> object:
    return plain(
        counter.till.credits.pay_out_credit(
            given.text("customer_id"),
            _id(counter, given, "attempt_id"),
            _kind(given, "way"),
            Rupiah(given.whole("amount")),
            given.text("reason"),
            reference=given.text_or_none("reference"),
            bank=given.text_or_none("bank"),
            approval_id=given.text_or_none("approval_id"),
        )
    )


def _receivables(counter: Counter, given: Fields) -> object:
    states = given.texts("states") if given.has("states") else ("OPEN", "BILLED")
    return plain(counter.till.company_bills.receivables(given.text_or_none("company_id"), states))


def _issue_collective(counter: Counter, given: Fields) -> object:
    bills = counter.till.company_bills
    return plain(bills.issue_collective(_id(counter, given, "id"), given.text("company_id"), given.text("month")))


def _pay_collective(counter: Counter, given: Fields) -> object:
    return plain(
        counter.till.company_bills.pay_collective(
            given.text("id"),
            _id(counter, given, "attempt_id"),
            Rupiah(given.whole("amount")),
            given.text("reference"),
            withheld=_money(given, "withheld"),
            slip_number=given.text_or_none("slip_number"),
            bank=given.text_or_none("bank"),
            sender=given.text_or_none("sender"),
        )
    )


def _note_slip(counter: Counter, given: Fields) -> object:
    when = parse_day(given.text("slip_on"), given.name("slip_on")) if given.has("slip_on") else None
    counter.till.company_bills.note_slip(given.text("withholding_id"), given.text("slip_number"), when)
    return {"noted": True}


def _export_tax_month(counter: Counter, given: Fields) -> object:
    """The files as base64."""
    found = counter.till.tax_months.export_tax_month(given.text("month"))
    return {
        "month": found.month,
        "xml_base64": base64.b64encode(found.xml).decode(),
        "csv_base64": base64.b64encode(found.csv).decode(),
        "count": found.count,
        "base": found.base,
        "dpp": found.dpp,
        "ppn": found.ppn,
        "incomplete": list(found.incomplete),
        "voided": list(found.voided),
        "corrected": list(found.corrected),
    }


def _count_print(counter: Counter, given: Fields) -> object:
    try:
        paper = MoneyPaper(given.text("kind"))
    except ValueError:
        raise invalid("kind", "unknown") from None
    return {"copy": counter.till.papers.count_print(_id(counter, given, "id"), paper, given.text("subject_id"))}


def _set_till_setting(counter: Counter, given: Fields) -> object:
    key = given.text("key")
    value: object
    if key == "tax_identity":
        seller = given.object("value")
        seller.only({"npwp", "idtku", "name"})
        value = {name: seller.text(name, most=200) for name in ("npwp", "idtku", "name")}
    else:
        value = given.whole("value")
    counter.till.tax_months.set_till_setting(key, value)
    return {"set": True}


TILL: Mapping[str, tuple[Do, tuple[str, ...]]] = {
    "move_cash": (_move_cash, ("movement_id", "amount", "reason")),
    "shift_report": (
        lambda counter, given: _shift(counter.shifts.shift_report(given.text_or_none("shift_id"))),
        ("shift_id",),
    ),
    "shifts": (lambda counter, _given: plain(counter.shifts.shifts()), ()),
    "closing_list": (lambda counter, _given: plain(counter.shifts.closing_list()), ()),
    "count_shift": (_count_shift, ("count_id", "shift_id", "pieces", "edc_slips", "edc_total")),
    "close_shift": (_close_shift, ("shift_id", "reason", "approval_id", "drafts")),
    "reopen_shift": (_reopen_shift, ("shift_id", "reason", "approval_id")),
    "refunds": (_refunds, ("states",)),
    "refund_pay_out": (
        _refund_pay_out,
        ("refund_id", "attempt_id", "way", "reference", "bank", "reason", "approval_id"),
    ),
    "void_invoice": (_void_invoice, ("invoice_id", "reason", "replace", "approval_id")),
    "customer_credit": (
        lambda counter, given: plain(counter.till.credits.customer_credit(given.text("customer_id"))),
        ("customer_id",),
    ),
    "receive_credit": (
        _receive_credit,
        ("customer_id", "attempt_id", "way", "amount", "reference", "bank", "invoice_id"),
    ),
    "pay_out_credit": (
        _pay_out_credit,
        ("customer_id", "attempt_id", "way", "amount", "reason", "reference", "bank", "approval_id"),
    ),
    "receivables": (_receivables, ("company_id", "states")),
    "collectives": (
        lambda counter, given: plain(counter.till.company_bills.collectives(given.text_or_none("company_id"))),
        ("company_id",),
    ),
    "issue_collective": (_issue_collective, ("id", "company_id", "month")),
    "pay_collective": (
        _pay_collective,
        ("id", "attempt_id", "amount", "withheld", "reference", "bank", "sender", "slip_number"),
    ),
    "withholdings": (
        lambda counter, given: plain(counter.till.company_bills.withholdings(not given.flag("every"))),
        ("every",),
    ),
    "note_slip": (_note_slip, ("withholding_id", "slip_number", "slip_on")),
    "months": (lambda counter, _given: plain(counter.till.tax_months.months()), ()),
    "close_month": (
        lambda counter, given: plain(counter.till.tax_months.close_month(given.text("month"))),
        ("month",),
    ),
    "export_tax_month": (_export_tax_month, ("month",)),
    "set_till_setting": (_set_till_setting, ("key", "value")),
    "count_print": (_count_print, ("id", "kind", "subject_id")),
    "settlement_proof": (
        lambda counter, given: plain(counter.till.papers.settlement_proof(given.text("invoice_id"))),
        ("invoice_id",),
    ),
}
"""By name: what runs it and the fields it takes."""
