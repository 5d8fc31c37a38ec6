"""What the month grid shows of a window: day bits first, bars laid over, per-day numbers. Pure: no Qt, no clock."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from app.desktop.states import ShownState
from app.desktop.widgets.month_grid_conflicts import Conflict, conflict_on, conflicts_of
from app.desktop.widgets.month_grid_spans import (
    COUNTED_DOWN,
    OUT_STATES,
    Group,
    Span,
    extra_days,
    grouped,
    late_until,
    month_cut,
    needs_action,
    plain_span,
    shown_state,
    taken_by,
    takes_days,
    with_overdue_joined,
)
from app.domain.catalogue import UnitStatus
from app.domain.days import Days, YearMonth, is_taken
from app.usecases.calendar import CalendarMasks
from app.usecases.rows import Bar, FleetUnit


class GridFleet:
    """The units of the grid, grouped and findable; made once and shared by all windows of the same fleet."""

    def __init__(self, units: Sequence[FleetUnit]) -> None:
        self.units = tuple(units)
        self.groups = grouped(units)
        self.by_slot = {(unit.sku.code, unit.unit.slot): unit for unit in self.units}
        self.by_id = {unit.unit.id: unit for unit in self.units}


class GridContent:
    """The window's days of every unit, cheap to ask for any row.

    Taken means: the index or the database says so, or a bar is there, or nothing is known (unknown is never free).
    A hint that came after the bars were read is newer than they are: its bits win until the bars are read again.
    """

    def __init__(
        self,
        *,
        window: Days,
        today: dt.date,
        now: dt.datetime,
        fleet: GridFleet | Sequence[FleetUnit],
        masks: CalendarMasks,
        holidays: Mapping[dt.date, str],
        bars: Iterable[Bar] | None = None,
    ) -> None:
        self.window = window
        self.today = today
        self.now = now
        self.holidays = holidays
        self.fleet = fleet if isinstance(fleet, GridFleet) else GridFleet(fleet)
        self.groups = self.fleet.groups
        self.unit_count = len(self.fleet.units)
        self.days = tuple(window)
        # Kept as they came: a packed month is decoded only for the rows that are looked at.
        self._masks = masks.masks
        self._newer: dict[tuple[str, YearMonth, int], int] = {}
        self._cuts = tuple(month_cut(month, window) for month in window.months())
        self._full = (1 << window.count) - 1
        self._bars: dict[str, tuple[Bar, ...]] = {}
        self._hinted: set[str] = set()
        self._bits: dict[str, tuple[int, int]] = {}
        self._spans: dict[str, tuple[Span, ...]] = {}
        self._left: dict[str, tuple[int, ...]] = {}
        self._conflicts: dict[str, tuple[Conflict, ...]] = {}
        self.has_bars = bars is not None
        if bars is not None:
            self.lay_bars(bars)

    # --- changes ------------------------------------------------------------------------------------------------------

    def lay_bars(self, bars: Iterable[Bar]) -> frozenset[str]:
        """Take the bars just read; answers the ids of units whose row looks different now."""
        by_unit: dict[str, list[Bar]] = {}
        for bar in bars:
            by_unit.setdefault(bar.unit_id, []).append(bar)
        new = {unit_id: tuple(found) for unit_id, found in by_unit.items()}
        changed = {key for key in new.keys() | self._bars.keys() if new.get(key) != self._bars.get(key)}
        changed |= self._hinted
        self._bars = new
        for key in changed:
            self._conflicts.pop(key, None)
            rows = new.get(key, ())
            if len(rows) > 1 and (found := conflicts_of(rows)):
                self._conflicts[key] = found
        self._hinted = set()
        self.has_bars = True
        self._forget(changed)
        return frozenset(changed)

    def take_masks(self, masks: CalendarMasks) -> frozenset[str]:
        """Take masks read again for the same window; answers the ids of units that differ."""
        changed = {self.fleet.by_slot[sku, slot].unit.id for sku, _, slot in self._newer}
        for key in self._masks.keys() | masks.masks.keys():
            before, after = self._masks.get(key, {}), masks.masks.get(key, {})
            if key[1] not in self.window.months() or before == after:
                continue
            for slot in before.keys() | after.keys():
                unit = self.fleet.by_slot.get((key[0], slot))
                if unit is not None and before.get(slot) != after.get(slot):
                    changed.add(unit.unit.id)
        self._masks = masks.masks
        self._newer.clear()
        self._forget(changed)
        return frozenset(changed)

    def apply_hint(self, sku: str, month: YearMonth, slot: int, mask: int) -> tuple[FleetUnit, tuple[int, ...]] | None:
        """Take one unit's new month from another counter; answers the unit and its columns that changed.

        None when the unit or the month is not in this window, or when nothing changed.
        """
        unit = self.fleet.by_slot.get((sku, slot))
        if unit is None or month not in self.window.months():
            return None
        before = self.taken(unit)
        self._newer[sku, month, slot] = mask
        self._hinted.add(unit.unit.id)
        self._forget({unit.unit.id})
        difference = before ^ self.taken(unit)
        columns = tuple(c for first, last in self._runs(difference) for c in range(first, last + 1))
        return (unit, columns) if columns else None

    def move_clock(self, now: dt.datetime, today: dt.date) -> frozenset[str]:
        """Derive overdue and action marks again; answers the units that look different."""
        if today != self.today:
            self._bits.clear()
            self._left.clear()
        self.now, self.today = now, today
        changed = set()
        for unit_id, spans in tuple(self._spans.items()):
            del self._spans[unit_id]
            if self.spans(self.fleet.by_id[unit_id]) != spans:
                changed.add(unit_id)
        return frozenset(changed)

    # --- questions ----------------------------------------------------------------------------------------------------

    def column_of(self, day: dt.date) -> int | None:
        return (day - self.window.first).days if day in self.window else None

    def taken(self, unit: FleetUnit) -> int:
        """Taken days as bits, the window's first day at the top; unknown days count as taken."""
        return self._of(unit)[0]

    def known(self, unit: FleetUnit) -> int:
        return self._of(unit)[1]

    def is_free(self, unit: FleetUnit, column: int) -> bool:
        """Free and not in the past: a new rental may cover this day."""
        return not self._bit(self.taken(unit), column) and self.days[column] >= self.today

    def is_known(self, unit: FleetUnit, column: int) -> bool:
        return self._bit(self.known(unit), column)

    def left(self, group: Group) -> tuple[int, ...]:
        """How many units of the group are free on each day of the window (the "sisa" row)."""
        found = self._left.get(group.sku.code)
        if found is None:
            count = self.window.count
            free = np.fromiter((~self.taken(unit) & self._full for unit in group.units), dtype=">u8")
            table = np.unpackbits(free.view(np.uint8).reshape(-1, 8), axis=1)[:, 64 - count :]
            found = tuple(int(number) for number in table.sum(axis=0))
            self._left[group.sku.code] = found
        return found

    def left_today(self) -> int | None:
        """Units of the branch that are free today; None when today is outside the window."""
        if self.column_of(self.today) is None:
            return None
        month, day = YearMonth.of(self.today), self.today.day
        busy = {
            unit_id
            for unit_id, bars in self._bars.items()
            if unit_id not in self._hinted
            and any(takes_days(bar) and self.today in taken_by(bar, self.today) for bar in bars)
        }
        masks = ((unit.unit.id, self._mask(unit.sku.code, month, unit.unit.slot)) for unit in self.fleet.units)
        return sum(mask is not None and not is_taken(mask, day) and unit_id not in busy for unit_id, mask in masks)

    def spans(self, unit: FleetUnit) -> tuple[Span, ...]:
        """What is drawn in the unit's row, left to right; finished rentals first, so that others lie over them."""
        found = self._spans.get(unit.unit.id)
        if found is None:
            found = self._build(unit)
            self._spans[unit.unit.id] = found
        return found

    def span_at(self, unit: FleetUnit, column: int) -> Span | None:
        """The topmost span on a day."""
        return next((s for s in reversed(self.spans(unit)) if s.first <= column <= s.last), None)

    def spans_today(self, unit: FleetUnit) -> tuple[Span, ...]:
        """What lies on today in the unit's row; nothing when the window is elsewhere."""
        column = self.column_of(self.today)
        return () if column is None else tuple(s for s in self.spans(unit) if s.first <= column <= s.last)

    def is_out(self, unit: FleetUnit) -> bool:
        """The unit is with a customer or came back unchecked today, as far as the bars say."""
        return any(span.state in OUT_STATES for span in self.spans_today(unit))

    def in_maintenance(self, unit: FleetUnit) -> bool:
        column = self.column_of(self.today)
        span = self.span_at(unit, column) if column is not None else None
        return unit.unit.status is UnitStatus.MAINTENANCE or (span is not None and span.state is ShownState.MAINTENANCE)

    @property
    def has_conflicts(self) -> bool:
        """Some unit is claimed twice on a day."""
        return bool(self._conflicts)

    def conflicts(self, unit: FleetUnit) -> tuple[tuple[int, int], ...]:
        """The columns of a unit that two active rows claim, as stretches from first to last."""
        cut = ((self._column(c.days.first), self._column(c.days.last)) for c in self.seen_conflicts(unit))
        return tuple((max(0, first), min(self.window.count - 1, last)) for first, last in cut)

    def seen_conflicts(self, unit: FleetUnit) -> tuple[Conflict, ...]:
        """The double claims of a unit that the window shows, in the order of `conflicts`."""
        found = self._conflicts.get(unit.unit.id, ())
        return tuple(c for c in found if self._seen(self._column(c.days.first), self._column(c.days.last)))

    def first_conflict(self) -> tuple[FleetUnit, Conflict, int] | None:
        """The first unit with a double claim in the fleet's order, the claim, and how many there are beside it."""
        if not self._conflicts:
            return None
        found = [(unit, c) for unit in self.fleet.units for c in self._conflicts.get(unit.unit.id, ())]
        return (*found[0], len(found) - 1) if found else None

    def conflict_at(self, unit: FleetUnit, column: int) -> Conflict | None:
        return conflict_on(self._conflicts.get(unit.unit.id, ()), self.days[column])

    def group_conflicts(self, group: Group) -> frozenset[int]:
        """The columns on which some unit of a SKU is claimed twice."""
        units = (unit for unit in group.units if unit.unit.id in self._conflicts)
        return frozenset(c for unit in units for first, last in self.conflicts(unit) for c in range(first, last + 1))

    def all_bars(self) -> tuple[Bar, ...]:
        """The bars as they were read last."""
        return tuple(bar for bars in self._bars.values() for bar in bars)

    def has_deadlines(self) -> bool:
        """Some bar counts down."""
        return any(bar.payment_deadline is not None for bars in self._bars.values() for bar in bars)

    def unit(self, unit_id: str) -> FleetUnit | None:
        return self.fleet.by_id.get(unit_id)

    def unit_at(self, sku: str, slot: int) -> FleetUnit | None:
        return self.fleet.by_slot.get((sku, slot))

    # --- inside -------------------------------------------------------------------------------------------------------

    def _column(self, day: dt.date) -> int:
        """A day's column, beyond the window's too."""
        return (day - self.window.first).days

    def _seen(self, first: int, last: int) -> bool:
        return last >= 0 and first < self.window.count

    def _bit(self, bits: int, column: int) -> bool:
        return bool(bits >> (self.window.count - 1 - column) & 1)

    def _forget(self, unit_ids: Iterable[str]) -> None:
        ids = set(unit_ids)
        for unit_id in ids:
            self._bits.pop(unit_id, None)
            self._spans.pop(unit_id, None)
        if ids:
            self._left.clear()

    def _of(self, unit: FleetUnit) -> tuple[int, int]:
        found = self._bits.get(unit.unit.id)
        if found is None:
            mask, known = self._mask_bits(unit)
            taken = mask | (self._full & ~known)
            if unit.unit.id not in self._hinted:
                for bar in self._bars.get(unit.unit.id, ()):
                    if takes_days(bar):
                        bits = self._day_bits(taken_by(bar, self.today))
                        taken |= bits
                        known |= bits
            found = (taken, known)
            self._bits[unit.unit.id] = found
        return found

    def _mask(self, sku: str, month: YearMonth, slot: int) -> int | None:
        newer = self._newer.get((sku, month, slot)) if self._newer else None
        return newer if newer is not None else self._masks.get((sku, month), {}).get(slot)

    def _mask_bits(self, unit: FleetUnit) -> tuple[int, int]:
        taken = known = 0
        sku, slot = unit.sku.code, unit.unit.slot
        for month, shift, length in self._cuts:
            full = (1 << length) - 1
            mask = self._mask(sku, month, slot)
            taken = taken << length | ((mask >> shift) & full if mask is not None else 0)
            known = known << length | (full if mask is not None else 0)
        return taken, known

    def _day_bits(self, days: Days) -> int:
        first = max(0, (days.first - self.window.first).days)
        last = min(self.window.count - 1, (days.last - self.window.first).days)
        return ((1 << (last - first + 1)) - 1) << (self.window.count - 1 - last) if first <= last else 0

    def _build(self, unit: FleetUnit) -> tuple[Span, ...]:
        spans: list[Span] = []
        covered = 0
        mask, known = self._mask_bits(unit)
        for bar in with_overdue_joined(self._bars.get(unit.unit.id, ())):
            state = shown_state(bar, self.now)
            bits = self._day_bits(taken_by(bar, self.today))
            if state is ShownState.CANCELLED or not bits:
                continue
            finished = state is ShownState.COMPLETED
            if not finished and unit.unit.id in self._hinted and self._day_bits(bar.days) & known & ~mask:
                continue  # A newer hint freed days of it: its bits are drawn plainly until the bars are read again.
            if not finished:
                covered |= bits
            spans += self._spans_of(bar, state, unit.sku.turnaround_days)
        spans += self._plain(mask & ~covered)
        return tuple(sorted(spans, key=lambda s: (s.state is not ShownState.COMPLETED, s.first, s.last)))

    def _spans_of(self, bar: Bar, state: ShownState | None, turnaround: int) -> list[Span]:
        """The bar, the tail of an asked extension, and the turnaround after it."""
        whole = taken_by(bar, self.today)
        main = bar.rented if bar.rented is not None and state is not ShownState.OVERDUE else whole
        if late_until(bar, self.today) is not None:
            main = Days(main.first, whole.last)
        deadline = bar.payment_deadline if state in COUNTED_DOWN else None
        extra = extra_days(bar, turnaround) if state is ShownState.EXTENSION_PENDING else None
        extension = extra is not None
        if extra is not None:
            main = Days(main.first, extra.first - dt.timedelta(days=1))
            extra = Days(extra.first, whole.last) if extra.last < self.today else extra
        found = [
            self._cut_span(
                main,
                state=ShownState.ACTIVE_RENTAL if extension else state,
                bar=bar,
                deadline=None if extension else deadline,
                action=needs_action(bar, state, self.today),
            )
        ]
        if extra is not None:
            tail = self._cut_span(extra, state=state, bar=bar, deadline=deadline, action=False)
            found.append(replace(tail, tail=True) if tail is not None else None)
        rented_last = extra.last if extra is not None else main.last
        if whole.last > rented_last:
            rest = Days(rented_last + dt.timedelta(days=1), whole.last)
            after = self._cut_span(rest, state=None, bar=bar, deadline=None, action=False)
            found.append(replace(after, turnaround=True) if after is not None else None)
        return [span for span in found if span is not None]

    def _cut_span(
        self, days: Days, *, state: ShownState | None, bar: Bar | None, deadline: dt.datetime | None, action: bool
    ) -> Span | None:
        first = (days.first - self.window.first).days
        last = (days.last - self.window.first).days
        if last < 0 or first >= self.window.count:
            return None
        return Span(
            first=max(0, first),
            last=min(self.window.count - 1, last),
            opens_before=first < 0,
            ends_after=last >= self.window.count,
            state=state,
            bar=bar,
            deadline=deadline,
            needs_action=action,
        )

    def _plain(self, bits: int) -> list[Span]:
        return [plain_span(first, last) for first, last in self._runs(bits)]

    def _runs(self, bits: int) -> list[tuple[int, int]]:
        """First and last column of each stretch of set bits."""
        found: list[tuple[int, int]] = []
        while bits:
            top = bits.bit_length()
            length = top - (~bits & ((1 << top) - 1)).bit_length()
            first = self.window.count - top
            found.append((first, first + length - 1))
            bits &= (1 << (top - length)) - 1
        return found
