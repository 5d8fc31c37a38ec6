"""Which screens exist, in the order of the rail. A place of the rail without an entry is shown as not available."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from app.bootstrap import Counter
from app.desktop.changes import ChangeFeed
from app.desktop.contract_printing import contract_printing
from app.desktop.money_printing import money_printing
from app.desktop.printers import SystemPrinters
from app.desktop.screen import Screen, ScreenKey, Shell
from app.desktop.screens.calendar_clock import ServerClock
from app.desktop.screens.calendar_contract import ContractKey
from app.desktop.screens.calendar_holidays import holiday_names
from app.desktop.screens.calendar_idle_keys import idle_keys, plain_keys
from app.desktop.screens.calendar_view import CalendarScreen
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.screens.calendar_work import GridWork
from app.desktop.screens.customers_view import make_customers
from app.desktop.screens.invoices_paper_key import InvoicePaperKey
from app.desktop.screens.invoices_view import make_invoices
from app.desktop.screens.refunds_key import RefundsKey
from app.desktop.screens.refunds_page import RefundsPage
from app.desktop.screens.refunds_viewmodel import RefundsViewModel
from app.desktop.screens.shift_desk import make_shift_desk
from app.desktop.screens.walk_in_counter import Offers
from app.desktop.screens.walk_in_parked import not_parked_words
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What screens are made from. `feed` is None where no Redis is configured: screens poll then."""

    counter: Counter
    shell: Shell
    feed: ChangeFeed | None
    folder: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenEntry:
    """A screen is made when it is first shown."""

    key: ScreenKey
    make: Callable[[Desk], Screen]


def _calendar(desk: Desk) -> Screen:
    counter = desk.counter
    clock = ServerClock()
    calendar = CalendarViewModel(counter, counter.store.read.now, clock, holidays=holiday_names(counter.holidays))
    calendar.follow(desk.feed)
    walk_in = WalkInViewModel(
        counter,
        clock,
        desk.folder / "drafts",
        find_order=counter.bookings.find_order,
        find_booking=counter.store.read.booking,
        offers=Offers(
            save_customer=counter.customers.save_customer,
            extras=counter.rates.extras,
            approve=counter.approvals.approve,
            find_by_identity=counter.customers.find_by_identity,
            discount_limit=counter.rates.discount_limit,
            undriven=counter.rates.undriven_skus,
        ),
    )
    screen = CalendarScreen(calendar, walk_in, GridWork.of(counter, clock), desk.shell)
    screen.pay_requested.connect(lambda invoice_id: desk.shell.go(ScreenKey.INVOICES, invoice_id))
    screen.idle_keys = partial(idle_keys, screen)
    screen.plain_keys = partial(plain_keys, screen)
    walk_in.not_parked.connect(lambda: desk.shell.toast(not_parked_words, seconds=10))
    ContractKey(screen, contract_printing(counter, desk.folder, SystemPrinters()), desk.shell)
    return screen


def _invoices(desk: Desk) -> Screen:
    screen = make_invoices(desk.counter, desk.shell, desk.folder)
    printing = money_printing(desk.counter, desk.folder, SystemPrinters())
    InvoicePaperKey(screen, printing, desk.shell)
    counter = desk.counter
    refunds = RefundsViewModel(counter.till.refunds, counter.approvals.approve, counter.new_id, counter.who)
    RefundsKey(screen, RefundsPage(refunds), printing, desk.shell)
    if desk.feed is not None:
        desk.feed.changed.connect(lambda thing: screen.invoices.hint(thing.id) if thing.what == "invoice" else None)
    return screen


def _shift(desk: Desk) -> Screen:
    return make_shift_desk(desk.counter, desk.shell, desk.folder)


def _customers(desk: Desk) -> Screen:
    return make_customers(desk.counter, desk.shell, desk.folder)


def screen_entries() -> tuple[ScreenEntry, ...]:
    """Every screen of this version."""
    return (
        ScreenEntry(key=ScreenKey.CALENDAR, make=_calendar),
        ScreenEntry(key=ScreenKey.INVOICES, make=_invoices),
        ScreenEntry(key=ScreenKey.SHIFT, make=_shift),
        ScreenEntry(key=ScreenKey.CUSTOMERS, make=_customers),
    )
