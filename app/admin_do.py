"""`sentra-admin do`: every public use case by its name, from JSON to JSON, with the rights of the login."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from app.admin_do_changes import CHANGES
from app.admin_do_contracts import CONTRACTS
from app.admin_do_customers import CUSTOMERS
from app.admin_do_gateway import GATEWAY
from app.admin_do_handovers import HANDOVERS
from app.admin_do_money import MONEY
from app.admin_do_rates import RATES, line_of
from app.admin_do_till import TILL, tender_of
from app.bootstrap import Counter
from app.domain.days import Days, RentalPeriod, parse_day
from app.domain.errors import invalid
from app.domain.invoice import InvoiceState
from app.domain.lock import LockHandle
from app.domain.money import Rupiah
from app.json_values import Fields, plain
from app.usecases.bookings import BookRequest
from app.usecases.maintenance import BlockedUnit
from app.usecases.rows import BookedOrder, FleetUnit
from app.usecases.settlement import HeldLock
from app.usecases.waitlist import WaitlistWish

Do = Callable[[Counter, Fields], object]


def _period(given: Fields) -> RentalPeriod:
    first = parse_day(given.text("first_day"), given.name("first_day"))
    last = parse_day(given.text("last_day"), given.name("last_day"))
    return RentalPeriod(first, last)


def _unit(unit: FleetUnit) -> dict[str, object]:
    return {
        "unit_id": unit.unit.id,
        "plate": unit.unit.plate,
        "sku": unit.sku.code,
        "slot": unit.unit.slot,
        "status": unit.unit.status.value,
        "branch": unit.branch_id,
    }


def _calendar(counter: Counter, given: Fields) -> object:
    """`{"first_day", "last_day"}` → the window's units with their taken days, and the bars."""
    period = _period(given)
    view = counter.calendar.calendar(Days(period.first, period.last))
    return {
        "today": view.today.isoformat(),
        "from_index": view.masks.from_index,
        "units": [
            {
                **_unit(unit),
                "taken": [day.isoformat() for day in view.window if view.masks.is_taken(unit, day)],
            }
            for unit in view.fleet
        ],
        "bars": plain(view.bars),
    }


def _free_units(counter: Counter, given: Fields) -> object:
    sku = given.text("sku")
    return [_unit(unit) for unit in counter.calendar.free_units(sku, _period(given))]


def _unit_for(counter: Counter, given: Fields) -> object:
    return _unit(counter.scans.unit_for(given.text("unit_id"), _period(given)))


def _book(counter: Counter, given: Fields) -> object:
    customer = given.object("customer")
    customer.only({"id", "name", "phone"})
    request = BookRequest(
        order_id=given.text_or_none("order_id") or counter.new_id(),
        customer_id=customer.text_or_none("id"),
        customer_name=None if customer.has("id") else customer.text("name"),
        customer_phone=None if customer.has("id") else customer.text("phone"),
        lines=tuple(line_of(item) for item in given.objects("lines")),
        note=given.text_or_none("note") or "",
        expected_total=Rupiah(given.whole("expected_total")) if given.has("expected_total") else None,
        approval_id=given.text_or_none("approval_id"),
        down_payment=Rupiah(given.whole("down_payment")) if given.has("down_payment") else None,
    )
    return _booked(counter.bookings.book(request))


def _booked(order: BookedOrder) -> dict[str, object]:
    return {
        "order_id": order.order_id,
        "bookings": [plain(item) for item in order.bookings],
        "invoice_id": order.invoice_id,
        "total": order.total,
    }


def _cancel(counter: Counter, given: Fields) -> object:
    ended = counter.bookings.cancel(given.text("booking_id"), given.text_or_none("reason") or "")
    return {
        "booking_id": ended.booking_id,
        "number": ended.number,
        "state": ended.state.value,
        "freed": [
            {"sku": item.sku, "first_day": item.days.first.isoformat(), "last_day": item.days.last.isoformat()}
            for item in ended.freed
        ],
    }


def _invoices(counter: Counter, given: Fields) -> object:
    if not given.has("states"):
        return plain(counter.settlement.invoices())
    try:
        states = [InvoiceState(text) for text in given.texts("states")]
    except ValueError as no:
        raise invalid("states", "not_a_state", given=str(no)) from None
    return plain(counter.settlement.invoices(states))


def _handle(given: Fields) -> LockHandle:
    return LockHandle(invoice_id=given.text("invoice_id"), token=given.text("token"), epoch=given.whole("epoch"))


def _lock(held: HeldLock) -> dict[str, object]:
    return {"token": held.handle.token, "epoch": held.handle.epoch, "remaining_ms": held.remaining_ms}


def _settle(counter: Counter, given: Fields) -> object:
    handle, attempt = _handle(given), given.text("attempt_id")
    tenders = [tender_of(item) for item in given.objects("tenders")]
    to_credit = Rupiah(given.whole("to_credit") if given.has("to_credit") else 0)
    receipt = counter.settlement.settle(handle, attempt, tenders, to_credit=to_credit)
    return {
        "payment_id": receipt.payment_id,
        "number": receipt.number,
        "change": receipt.change,
        "already": receipt.already,
    }


def _free_elsewhere(counter: Counter, given: Fields) -> object:
    found = counter.calendar.free_elsewhere(given.text("sku"), _period(given))
    return [
        {"branch": branch.code, "branch_name": branch.name, "free_units": free, "unit": _unit(unit)}
        for branch, free, unit in found
    ]


def _window(given: Fields) -> Days:
    first = parse_day(given.text("first_day"), given.name("first_day"))
    return Days(first, parse_day(given.text("last_day"), given.name("last_day")))


def _join_waitlist(counter: Counter, given: Fields) -> object:
    customer = given.object("customer")
    customer.only({"id", "name", "phone"})
    wish = WaitlistWish(
        sku=given.text("sku"),
        period=_period(given),
        customer_id=customer.text_or_none("id"),
        customer_name=None if customer.has("id") else customer.text("name"),
        customer_phone=None if customer.has("id") else customer.text("phone"),
    )
    joined = counter.waitlist.join_waitlist(wish)
    return {"entry": plain(joined.entry), "already": joined.already}


def _withdraw_waitlist(counter: Counter, given: Fields) -> object:
    counter.waitlist.withdraw_waitlist(given.text("entry_id"))
    return {"withdrawn": True}


def _blocked(done: BlockedUnit) -> dict[str, object]:
    return {"block": plain(done.row), "blockers": plain(done.blockers), "freed": plain(done.freed)}


def _block_unit(counter: Counter, given: Fields) -> object:
    return _blocked(
        counter.maintenance.block_unit(
            given.text("unit_id"),
            _window(given),
            given.text("reason"),
            breakdown=given.flag("breakdown"),
            block_id=given.text_or_none("block_id"),
        )
    )


def _end_block(counter: Counter, given: Fields) -> object:
    last = parse_day(given.text("last_day"), given.name("last_day")) if given.has("last_day") else None
    return _blocked(counter.maintenance.end_block(given.text("block_id"), last))


def _set_holiday(counter: Counter, given: Fields) -> object:
    counter.holidays.set_holiday(parse_day(given.text("day"), given.name("day")), given.text("name"))
    return {"set": True}


def _remove_holiday(counter: Counter, given: Fields) -> object:
    counter.holidays.remove_holiday(parse_day(given.text("day"), given.name("day")))
    return {"removed": True}


def _refusals(counter: Counter, given: Fields) -> object:
    """Wishes refused in the window, and what was lost by SKU and wanted day."""
    window = _window(given)
    return {
        "refusals": plain(counter.demand.refusals(window)),
        "lost": plain(counter.demand.refusal_counts(window)),
    }


def _import_fleet(counter: Counter, given: Fields) -> object:
    """`{"csv": text}` or `{"csv_base64": …}` for a file that is not UTF-8 text."""
    if given.has("csv_base64"):
        try:
            content = base64.b64decode(given.text("csv_base64", most=40_000_000), validate=True)
        except binascii.Error:
            raise invalid("csv_base64", "not_base64") from None
    else:
        content = given.text("csv", most=40_000_000).encode()
    return plain(counter.fleet.import_fleet(content))


def _renew(counter: Counter, given: Fields) -> object:
    return {"remaining_ms": counter.settlement.renew_lock(_handle(given), given.whole("idle_ms"))}


@dataclass(frozen=True, slots=True)
class UseCase:
    """A use case on the command line; a field it does not know is refused before anything is done."""

    fields: frozenset[str]
    run: Do


def _case(run: Do, *fields: str) -> UseCase:
    return UseCase(frozenset(fields), run)


_HANDLE = ("invoice_id", "token", "epoch")

USE_CASES: Mapping[str, UseCase] = {
    "calendar": _case(_calendar, "first_day", "last_day"),
    "free_units": _case(_free_units, "sku", "first_day", "last_day"),
    "book": _case(_book, "order_id", "customer", "lines", "note", "expected_total", "approval_id", "down_payment"),
    "cancel": _case(_cancel, "booking_id", "reason"),
    "find_customers": _case(lambda counter, given: plain(counter.customers.find_customers(given.text("text"))), "text"),
    "search": _case(lambda counter, given: plain(counter.search.search(given.text("text"))), "text"),
    "unit_for": _case(_unit_for, "unit_id", "first_day", "last_day"),
    "invoices": _case(_invoices, "states"),
    "invoice": _case(lambda counter, given: plain(counter.settlement.invoice(given.text("invoice_id"))), "invoice_id"),
    "open_invoice": _case(
        lambda counter, given: _lock(counter.settlement.open_invoice(given.text("invoice_id"))), "invoice_id"
    ),
    "renew_lock": _case(_renew, *_HANDLE, "idle_ms"),
    "move_lock": _case(
        lambda counter, given: _lock(counter.settlement.move_lock(given.text("invoice_id"))), "invoice_id"
    ),
    "release_lock": _case(
        lambda counter, given: {"released": counter.settlement.release_lock(_handle(given))}, *_HANDLE
    ),
    "settle": _case(_settle, *_HANDLE, "attempt_id", "tenders", "to_credit"),
    "current_shift": _case(lambda counter, _given: plain(counter.shifts.current_shift())),
    "open_shift": _case(
        lambda counter, given: plain(counter.shifts.open_shift(given.text("drawer"), Rupiah(given.whole("float")))),
        "drawer",
        "float",
    ),
    "free_now": _case(
        lambda counter, given: [
            _unit(unit)
            for unit in counter.calendar.free_now(
                _period(given), sku=given.text_or_none("sku"), category=given.text_or_none("category")
            )
        ],
        *("sku", "category", "first_day", "last_day"),
    ),
    "free_elsewhere": _case(_free_elsewhere, "sku", "first_day", "last_day"),
    "join_waitlist": _case(_join_waitlist, "customer", "sku", "first_day", "last_day"),
    "withdraw_waitlist": _case(_withdraw_waitlist, "entry_id"),
    "waitlist": _case(lambda counter, given: plain(counter.waitlist.entries(given.text_or_none("sku"))), "sku"),
    "block_unit": _case(_block_unit, "unit_id", "first_day", "last_day", "reason", "breakdown", "block_id"),
    "end_block": _case(_end_block, "block_id", "last_day"),
    "blocks": _case(lambda counter, given: plain(counter.maintenance.blocks(_window(given))), "first_day", "last_day"),
    "holidays": _case(
        lambda counter, given: plain(counter.holidays.holidays(_window(given), given.text_or_none("language") or "id")),
        *("first_day", "last_day", "language"),
    ),
    "set_holiday": _case(_set_holiday, "day", "name"),
    "remove_holiday": _case(_remove_holiday, "day"),
    "refusals": _case(_refusals, "first_day", "last_day"),
    "import_fleet": _case(_import_fleet, "csv", "csv_base64"),
    **{name: _case(run, *names) for name, (run, names) in CHANGES.items()},
    **{name: _case(run, *names) for name, (run, names) in RATES.items()},
    **{name: _case(run, *names) for name, (run, names) in CUSTOMERS.items()},
    **{name: _case(run, *names) for name, (run, names) in CONTRACTS.items()},
    **{name: _case(run, *names) for name, (run, names) in MONEY.items()},
    **{name: _case(run, *names) for name, (run, names) in TILL.items()},
    **{name: _case(run, *names) for name, (run, names) in HANDOVERS.items()},
    **{name: _case(run, *names) for name, (run, names) in GATEWAY.items()},
    "who_am_i": _case(lambda counter, _given: plain(counter.who)),
}


def do(counter: Counter, name: str, given: object) -> object:
    """Run one use case from a JSON object to plain JSON values; raises Refusal like the use case itself."""
    case = USE_CASES[name]
    fields = Fields(given)
    fields.only(case.fields)
    return case.run(counter, fields)
