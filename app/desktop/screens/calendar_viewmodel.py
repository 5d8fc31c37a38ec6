"""The calendar: which window is shown, its days first and its names after, kept live by hints or by asking again."""

import datetime as dt
from collections import OrderedDict
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from enum import StrEnum
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from app.desktop.changes import AvailabilityChange, ChangeFeed, SomethingChanged
from app.desktop.commands import call, command, reload_command
from app.desktop.formats import Language
from app.desktop.language import language
from app.desktop.screens.calendar_clock import ServerClock
from app.desktop.screens.calendar_holidays import holidays_in
from app.desktop.screens.calendar_window import Zoom, rolling, stepped, zoomed
from app.desktop.states import ShownState
from app.desktop.viewmodel import ViewModel
from app.desktop.widgets.month_grid_content import GridContent, GridFleet
from app.domain.days import Days, local_day
from app.domain.errors import Refusal, RefusalCode
from app.domain.staff import StaffMember
from app.usecases.calendar import CalendarMasks
from app.usecases.rows import Bar, EndedBooking, FleetUnit

POLL_MS = 5000
SETTLE_MS = 100
_WINDOWS_KEPT = 6


class CalendarReads(Protocol):
    def fleet(self) -> tuple[FleetUnit, ...]: ...

    def masks(self, fleet: tuple[FleetUnit, ...], window: Days) -> CalendarMasks: ...

    def bars(self, window: Days) -> tuple[Bar, ...]: ...


class Canceller(Protocol):
    def cancel(self, booking_id: str, reason: str = "") -> EndedBooking: ...


class CalendarCounter(Protocol):
    """The part of a counter that the calendar needs."""

    @property
    def calendar(self) -> CalendarReads: ...

    @property
    def bookings(self) -> Canceller: ...

    @property
    def who(self) -> StaffMember: ...


class Source(StrEnum):
    """Where the days come from: the index, the database (index away), or what was read last (nothing answers)."""

    INDEX = "index"
    DATABASE = "database"
    STALE = "stale"


class CalendarViewModel(ViewModel):
    """Reads fleet, masks and bars of one window. `content_replaced` when another content is shown, `rows_changed` with
    unit ids when rows of it differ, `hinted` for each availability hint, `booking_changed` with the id of one that
    another counter or the service changed, `cancelled` after a cancellation.

    While hints cannot arrive, or the index is away, it asks again every 5 s; all of that ends by itself.
    """

    content_replaced = Signal()
    rows_changed = Signal(object)
    hinted = Signal(object)
    cancelled = Signal(object)
    booking_changed = Signal(str)
    source_changed = Signal()

    def __init__(
        self,
        counter: CalendarCounter,
        server_now: Callable[[], dt.datetime],
        clock: ServerClock | None = None,
        *,
        holidays: Callable[[Days, Language], Mapping[dt.date, str]] = holidays_in,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._calendar = counter.calendar
        self._bookings = counter.bookings
        self._server_now = server_now
        self._holidays = holidays
        self.who = counter.who
        self.clock = clock or ServerClock()
        self.zoom = Zoom.ROLLING
        self.window: Days | None = None
        self.today: dt.date | None = None
        self.content: GridContent | None = None
        self.filter_text = ""
        self.only_state: ShownState | None = None
        self.source = Source.INDEX
        self.read_at: dt.datetime | None = None
        self.away_since: dt.datetime | None = None
        self.is_online = True
        self._fleet: tuple[FleetUnit, ...] | None = None
        self._grid_fleet: tuple[tuple[tuple[FleetUnit, ...] | None, str], GridFleet] | None = None
        self._fleet_is_old = False
        self._feed: ChangeFeed | None = None
        self._kept: OrderedDict[tuple[Days, str], GridContent] = OrderedDict()
        self._masks: dict[Days, CalendarMasks] = {}
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self._reread_settled)
        self._poll = QTimer(self)
        self._poll.setInterval(POLL_MS)
        self._poll.timeout.connect(self._polled)
        self.refused.connect(self._note_refusal)

    # --- life ---------------------------------------------------------------------------------------------------------

    def follow(self, feed: ChangeFeed | None) -> None:
        """Hear hints from now on; without a feed the calendar asks again every 5 s."""
        self._feed = feed
        if feed is None:
            self._poll.start()
            return
        feed.availability.connect(self._hint)
        feed.changed.connect(self._something_changed)
        feed.lost.connect(self._feed_lost)
        feed.restored.connect(self._feed_restored)

    def close(self) -> None:
        self._settle.stop()
        self._poll.stop()
        super().close()

    def set_online(self, online: bool) -> None:
        """The database stopped or started to answer."""
        if online == self.is_online:
            return
        self.is_online = online
        if online:
            self.load()
        else:
            self._set_source(Source.STALE)

    @property
    def may_hold(self) -> bool:
        """Units can be held now: something answers."""
        return self.is_online and self.source is not Source.STALE

    # --- windows ------------------------------------------------------------------------------------------------------

    def show_today(self) -> None:
        """The rolling window that begins four days before today."""
        if self.today is not None:
            self._show(rolling(self.today, self.zoom))

    def show_day(self, day: dt.date) -> None:
        """A window with this day in it; the one shown stays when it has it."""
        if self.window is not None and day in self.window:
            return
        self._show(rolling(day, self.zoom))

    def step_month(self, months: int) -> None:
        """The next or previous calendar month; its length is the zoom's unless the zoom is months."""
        if self.window is not None:
            self._show(stepped(self.window, self.zoom, months))

    def pan(self, days: int) -> None:
        """Move the window by days."""
        if self.window is not None:
            step = dt.timedelta(days=days)
            self._show(Days(self.window.first + step, self.window.last + step))

    def set_zoom(self, zoom: Zoom) -> None:
        """Show more or fewer days from the window's first day on; MONTH shows that calendar month."""
        changed, self.zoom = zoom is not self.zoom, zoom
        if changed and self.window is not None:
            self._show(zoomed(self.window, zoom, self.today))

    def set_filter(self, text: str) -> None:
        """Show the SKUs whose name or code contains the text."""
        text = " ".join(text.split())
        if text != self.filter_text:
            self.filter_text = text
            if self.window is not None:
                self._show(self.window)

    def set_only(self, state: ShownState | None) -> None:
        self.only_state = state
        self.changed.emit()

    def suggestion(self) -> tuple[str, int] | None:
        """The SKU name nearest to a filter that finds nothing, and how many units it has."""
        names = {unit.sku.name: 0 for unit in self._fleet or ()}
        for unit in self._fleet or ():
            names[unit.sku.name] += 1
        folded = {name.casefold(): name for name in names}
        near = get_close_matches(self.filter_text.casefold(), list(folded), n=1, cutoff=0.4)
        return (folded[near[0]], names[folded[near[0]]]) if near else None

    def find_unit(self, text: str) -> FleetUnit | None:
        """A unit by plate or id, as typed or scanned."""
        wanted = "".join(text.split()).casefold()
        for unit in self._fleet or ():
            if wanted in ("".join(unit.unit.plate.split()).casefold(), unit.unit.id.casefold()):
                return unit
        return None

    def find_bar(self, text: str) -> Bar | None:
        """A booking of the window by number, or by the beginning of the customer's name."""
        wanted = text.strip().casefold()
        bars = [bar for bar in self._bars_shown() if bar.number is not None]
        exact = next((bar for bar in bars if (bar.number or "").casefold() == wanted), None)
        if exact is not None or len(wanted) < 2:
            return exact
        return next((bar for bar in bars if (bar.customer_name or "").casefold().startswith(wanted)), None)

    @property
    def fleet(self) -> tuple[FleetUnit, ...]:
        return self._fleet or ()

    # --- reading ------------------------------------------------------------------------------------------------------

    @reload_command
    async def load(self) -> None:
        """Read the window: the days first, painted at once, then the names."""
        if not self.clock.is_set():
            sent = self.clock.steady()
            self.clock.learn(await call(self._server_now), sent)
        if self.window is None:
            self.today = local_day(self.clock.now(), self.who.branch.zone)
            self.window = rolling(self.today, self.zoom)
        if self._fleet is None or self._fleet_is_old:
            self._fleet = await call(self._calendar.fleet)
            self._fleet_is_old = False
            self._kept.clear()
        window = self.window
        sent = self.clock.steady()
        masks = await call(self._calendar.masks, self._fleet, window)
        self.clock.learn(masks.read_at, sent)
        self._take_masks(window, masks, await call(self._holidays, window, language()))
        if self.window != window:
            return
        bars = await call(self._calendar.bars, window)
        self._take_bars(window, bars)

    @reload_command
    async def reread(self) -> None:
        """Names and states of the window again, after hints."""
        window = self.window
        if window is None:
            return
        bars = await call(self._calendar.bars, window)
        self._take_bars(window, bars)

    @command
    async def cancel(self, booking_id: str, reason: str) -> None:
        """Cancel an unpaid booking; its days are free at once."""
        ended = await call(self._bookings.cancel, booking_id, reason)
        self.cancelled.emit(ended)
        self.load()

    # --- inside -------------------------------------------------------------------------------------------------------

    def _show(self, window: Days) -> None:
        """Show what is kept of a window at once, then read it."""
        self.window = window
        kept = self._kept.get((window, self.filter_text))
        masks = self._masks.get(window)
        if kept is not None:
            self._put(kept)
        elif masks is not None and self._fleet is not None and self.content is not None:
            bars = self._bars_shown() if self.content.window == window else None
            self._put(self._made(window, masks, self.content.holidays, bars))
        self.load()

    def _take_masks(self, window: Days, masks: CalendarMasks, holidays: Mapping[dt.date, str]) -> None:
        self.read_at = masks.read_at
        today = local_day(masks.read_at, self.who.branch.zone)
        moved_on, self.today = today != self.today, today
        self._masks = {window: masks}
        self._set_source(Source.INDEX if masks.from_index else Source.DATABASE)
        shown = self.content
        if (
            shown is not None
            and shown.window == window
            and not moved_on
            and shown.fleet is self._filtered()
            and shown.holidays == holidays
        ):
            changed = shown.take_masks(masks) | shown.move_clock(masks.read_at, today)
            if changed:
                self.rows_changed.emit(changed)
            self.changed.emit()
        elif self.window == window:
            bars = self._bars_shown() if shown is not None and shown.window == window else None
            self._put(self._made(window, masks, holidays, bars))

    def _take_bars(self, window: Days, bars: tuple[Bar, ...]) -> None:
        content = self.content
        if content is None or content.window != window:
            return
        shown = {unit.unit.id for group in content.groups for unit in group.units}
        changed = content.lay_bars(bar for bar in bars if bar.unit_id in shown)
        if changed:
            self.rows_changed.emit(changed)
        self.changed.emit()

    def _made(
        self, window: Days, masks: CalendarMasks, holidays: Mapping[dt.date, str], bars: tuple[Bar, ...] | None
    ) -> GridContent:
        return GridContent(
            window=window,
            today=self.today or window.first,
            now=masks.read_at,
            fleet=self._filtered(),
            masks=masks,
            holidays=holidays,
            bars=bars,
        )

    def _filtered(self) -> GridFleet:
        """The units the filter lets through; the same object until fleet or filter change."""
        key = (self._fleet, self.filter_text)
        if self._grid_fleet is None or self._grid_fleet[0] != key:
            wanted = self.filter_text.casefold()
            units = [
                unit
                for unit in self._fleet or ()
                if wanted in unit.sku.name.casefold() or wanted in unit.sku.code.casefold()
            ]
            self._grid_fleet = (key, GridFleet(units))
        return self._grid_fleet[1]

    def _put(self, content: GridContent) -> None:
        self.content = content
        self._kept[(content.window, self.filter_text)] = content
        self._kept.move_to_end((content.window, self.filter_text))
        while len(self._kept) > _WINDOWS_KEPT:
            self._kept.popitem(last=False)
        self.content_replaced.emit()
        self.changed.emit()

    def _bars_shown(self) -> tuple[Bar, ...]:
        return self.content.all_bars() if self.content is not None else ()

    def _set_source(self, source: Source) -> None:
        if source is Source.DATABASE and self.source is not Source.DATABASE:
            self.away_since = self.clock.now() if self.clock.is_set() else None
        deaf = self._feed is None or self._feed.is_lost
        if source is Source.INDEX and not deaf:
            self._poll.stop()
        elif not self._poll.isActive():
            self._poll.start()
        if source is not self.source:
            self.source = source
            self.source_changed.emit()
            self.changed.emit()

    def _note_refusal(self, refusal: Refusal) -> None:
        if refusal.code is RefusalCode.UNREACHABLE and not self.is_busy("cancel"):
            self._set_source(Source.STALE)

    def _polled(self) -> None:
        if self.is_online:
            self.load()

    def _hint(self, change: AvailabilityChange) -> None:
        """Another counter's bits: painted now; their names are read once the hints have calmed down."""
        for content in self._kept.values():
            if content is not self.content:
                content.apply_hint(change.sku, change.month, change.slot, change.mask)
        self.hinted.emit(change)
        self._settle.start()

    def _something_changed(self, change: SomethingChanged) -> None:
        if change.what == "unit":
            self._fleet_is_old = True
        if change.what == "booking":
            self.booking_changed.emit(change.id)
        if change.what in ("booking", "unit", "invoice"):
            self._settle.start()

    def _reread_settled(self) -> None:
        if self._fleet_is_old:
            self.load()
        else:
            self.reread()

    def _feed_lost(self) -> None:
        self._poll.start()
        self.load()

    def _feed_restored(self) -> None:
        self.load()
