"""The calendar: which window is shown, its days first and its names after, kept live by hints or by asking again."""

import datetime as dt
from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from app.desktop.changes import AvailabilityChange, ChangeFeed, SomethingChanged
from app.desktop.commands import call, command, reload_command
from app.desktop.language import language
from app.desktop.screens.calendar_clock import ServerClock
from app.desktop.screens.calendar_find import bar_named
from app.desktop.screens.calendar_holidays import HolidayNames
from app.desktop.screens.calendar_reads import CalendarCounter as CalendarCounter
from app.desktop.screens.calendar_reads import CalendarReads
from app.desktop.screens.calendar_reads import Source as Source
from app.desktop.screens.calendar_shown import EVERYTHING, CalendarFilter, ShownFleet, with_text
from app.desktop.screens.calendar_window import Zoom, rolling, stepped, within_calendar, zoomed
from app.desktop.screens.calendar_windows_kept import KeptWindows
from app.desktop.states import ShownState
from app.desktop.viewmodel import ViewModel
from app.desktop.widgets.month_grid_content import GridContent
from app.domain.days import Days, local_day
from app.domain.errors import Refusal, RefusalCode
from app.usecases.calendar import BranchRow, CalendarMasks
from app.usecases.rows import Bar, FleetUnit

POLL_MS = 5000
SETTLE_MS = 100


class CalendarViewModel(ViewModel):
    """Reads fleet, masks and bars of one window. `content_replaced` when another content is shown, `rows_changed` with
    unit ids when rows of it differ, `hinted` for each availability hint, `booking_changed` with the id of one that
    another counter or the service changed, `cancelled` after a cancellation, `cell_wanted` with the unit id and day
    that the grid is to go to, `bars_read` with (Days, bars) whenever the own branch's bars of a window were read, those
    of rows that a filter hides among them.

    While hints cannot arrive, or the index is away, it asks again every 5 s; all of that ends by itself.
    """

    content_replaced = Signal()
    rows_changed = Signal(object)
    hinted = Signal(object)
    cancelled = Signal(object)
    booking_changed = Signal(str)
    source_changed = Signal()
    cell_wanted = Signal(str, object)
    bars_read = Signal(object, object)

    def __init__(
        self,
        counter: CalendarCounter,
        server_now: Callable[[], dt.datetime],
        clock: ServerClock | None = None,
        *,
        holidays: HolidayNames,
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
        self.keeps_rows = False  # its rows are those of the content before, but for live changes
        self._put_for: CalendarFilter | None = None
        self._put_zoom = self.zoom
        self.shown = ShownFleet()
        self.branches: tuple[BranchRow, ...] = ()
        self.only_state: ShownState | None = None
        self.source = Source.INDEX
        self.read_at: dt.datetime | None = None
        self.away_since: dt.datetime | None = None
        self.is_online = True
        self._fleet_is_old = False
        self._feed: ChangeFeed | None = None
        self._kept = KeptWindows()
        self._masks: dict[Days, CalendarMasks] = {}
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self._reread_settled)
        self._poll = QTimer(self)
        self._poll.setInterval(POLL_MS)
        self._poll.timeout.connect(self._polled)
        self.refused.connect(self._note_refusal)
        self.failed.connect(self._back_to_shown)

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
        feed.restored.connect(self.load)

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
    def reads(self) -> CalendarReads:
        """What is asked for units and days."""
        return self._calendar

    @property
    def may_hold(self) -> bool:
        """Units can be held now: something answers, and they are the own branch's."""
        return self.is_online and self.source is not Source.STALE and not self.is_elsewhere

    @property
    def is_elsewhere(self) -> bool:
        """Another branch is shown: its units and their days, to be read only."""
        return self.shown.wanted.branch is not None

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

    @property
    def filter_text(self) -> str:
        return self.shown.wanted.text

    def set_filter(self, text: str) -> None:
        """Show the SKUs whose name, code or category contains the text."""
        self.set_wanted(with_text(self.shown.wanted, text))

    def set_wanted(self, wanted: CalendarFilter) -> None:
        """Show other units. What has to be asked first (another branch, who is free) is shown when it was answered."""
        before, self.shown.wanted = self.shown.wanted, wanted
        if wanted == before:
            return
        if wanted.branch != before.branch:
            self._kept.clear()
            self._masks.clear()
        if self.window is not None:
            if self.shown.is_answered() and wanted.branch == before.branch:
                self._show(self.window)
            else:
                self.load()
        self.changed.emit()

    def show_own_branch(self) -> None:
        """Back to the own units, with every one of them."""
        if self.is_elsewhere:
            self.set_wanted(EVERYTHING)

    def set_only(self, state: ShownState | None) -> None:
        self.only_state = state
        self.changed.emit()

    def find_unit(self, text: str) -> FleetUnit | None:
        """An own unit by plate or id, as typed or scanned."""
        return self.shown.find(text)

    def find_bar(self, text: str) -> Bar | None:
        """A booking of the window by number, or by the beginning of the customer's name."""
        return bar_named(self._bars_shown(), text)

    @property
    def fleet(self) -> tuple[FleetUnit, ...]:
        """The own branch's units, whatever is shown."""
        return self.shown.own

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
        await self._read_fleet()
        window, wanted = self.window, self.shown.wanted
        sent = self.clock.steady()
        masks = await call(self._calendar.masks, self.shown.units, window)
        self.clock.learn(masks.read_at, sent)
        holidays = await call(self._holidays, window, language())
        if wanted.free_for is not None:
            free = await call(self._calendar.free_now, wanted.free_for, fleet=self.shown.candidates())
            self.shown.take_free(wanted, free)
        if self.shown.wanted != wanted:
            return  # Other units were asked for meanwhile: their own reading follows.
        self._take_masks(window, masks, holidays)
        if self.window != window:
            return
        await self._read_bars(window)

    async def _read_fleet(self) -> None:
        """The own fleet when it is not known or old, and the wanted branch's."""
        if not self.shown.has_own() or self._fleet_is_old:
            self.shown.take_own(await call(self._calendar.fleet))
            self._fleet_is_old = False
            self._kept.clear()
        branch = self.shown.wanted.branch
        if branch is not None and not self.shown.has_wanted():
            self.shown.take_other(branch.id, await call(self._calendar.fleet, branch.id))

    async def _read_bars(self, window: Days) -> None:
        branch = self.shown.wanted.branch
        bars = await call(self._calendar.bars, window, None if branch is None else branch.id)
        if branch == self.shown.wanted.branch:
            self._take_bars(window, bars)
        if branch is None:
            self.bars_read.emit(window, bars)

    @command
    async def read_branches(self) -> None:
        """Which branches there are, for the filter."""
        self.branches = await call(self._calendar.branches)
        self.changed.emit()

    @reload_command
    async def reread(self) -> None:
        """Names and states of the window again, after hints."""
        if self.window is not None:
            await self._read_bars(self.window)

    @command
    async def cancel(self, booking_id: str, reason: str, version: int | None = None) -> None:
        """Cancel an unpaid booking as it was seen; its days are free at once."""
        ended = await call(partial(self._bookings.cancel, booking_id, reason, version=version))
        self.cancelled.emit(ended)
        self.load()

    # --- inside -------------------------------------------------------------------------------------------------------

    def _show(self, window: Days) -> None:
        """Show what is kept of a window at once, then read it."""
        self.window = window = within_calendar(window)
        kept = self._kept.get(window, self.shown.wanted)
        masks = self._masks.get(window)
        if kept is not None and kept.fleet is self.shown.grid_fleet():
            self._put(kept)
        elif masks is not None and self.shown.is_answered() and self.content is not None:
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
            and shown.fleet is self.shown.grid_fleet()
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
        fleet = self.shown.grid_fleet()
        return GridContent(
            window=window,
            today=self.today or window.first,
            now=masks.read_at,
            fleet=fleet,
            masks=masks,
            holidays=holidays,
            bars=None if bars is None else [bar for bar in bars if bar.unit_id in fleet.by_id],
        )

    def _put(self, content: GridContent) -> None:
        self.content, self._put_zoom = content, self.zoom
        self.keeps_rows, self._put_for = self._put_for == self.shown.wanted, self.shown.wanted
        self._kept.put(content, self.shown.wanted)
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
        self._back_to_shown()

    def _back_to_shown(self) -> None:
        """Reading other days failed: title, zoom and grid speak of the same days again."""
        if not self.is_busy("load") and self.content is not None and self.content.window != self.window:
            self.window, self.zoom = self.content.window, self._put_zoom
            self.changed.emit()

    def _polled(self) -> None:
        if self.is_online:
            self.load()

    def _hint(self, change: AvailabilityChange) -> None:
        """Another counter's bits: painted now; their names are read once the hints have calmed down."""
        self._kept.apply_hint(change, self.content)
        self.hinted.emit(change)
        self._settle.start()

    def _something_changed(self, change: SomethingChanged) -> None:
        if change.what in ("unit", "holiday"):
            self._fleet_is_old = True
        if change.what == "booking":
            self.booking_changed.emit(change.id)
        if change.what in ("booking", "unit", "invoice", "holiday"):
            self._settle.start()

    def _reread_settled(self) -> None:
        if self._fleet_is_old or self.shown.wanted.free_for is not None:
            self.load()
        else:
            self.reread()

    def _feed_lost(self) -> None:
        self._poll.start()
        self.load()
