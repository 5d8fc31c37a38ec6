"""The pieces a grid row is drawn from: SKU groups, spans of days, and the state each bar is shown in. Pure."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.desktop.states import ShownState
from app.domain.booking import BookingState, Source
from app.domain.catalogue import Sku
from app.domain.days import Days, YearMonth
from app.usecases.rows import Bar, FleetUnit, OccupancyKind, PaidMark

OUT_STATES = frozenset(
    {
        ShownState.ACTIVE_RENTAL,
        ShownState.EXTENSION_PENDING,
        ShownState.OVERDUE,
        ShownState.DISPATCHED,
        ShownState.RETURNED_PENDING_CHECK,
    }
)
_HELD_UNTIL_DONE = frozenset(
    {
        BookingState.DISPATCHED,
        BookingState.ACTIVE_RENTAL,
        BookingState.EXTENSION_PENDING,
        BookingState.RETURNED_PENDING_CHECK,
        BookingState.DISPUTED,
    }
)
_CAN_BE_LATE = frozenset({None, BookingState.ACTIVE_RENTAL, BookingState.EXTENSION_PENDING, BookingState.DISPATCHED})
COUNTED_DOWN = frozenset({ShownState.PENDING_PAYMENT, ShownState.WAITLIST_HOLD, ShownState.EXTENSION_PENDING})


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """One SKU and its units of the branch, in slot order: a foldable part of the grid."""

    sku: Sku
    units: tuple[FleetUnit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One drawn stretch of a unit's row, in columns of the window.

    `state` is None for days that are known to be taken while their name is not here yet. `opens_before` and
    `ends_after` mean that it goes on outside the window. `tail` marks the extra days of an asked extension,
    `turnaround` the days after a rental.
    """

    first: int
    last: int
    opens_before: bool
    ends_after: bool
    state: ShownState | None
    bar: Bar | None
    deadline: dt.datetime | None
    needs_action: bool
    tail: bool = False
    turnaround: bool = False

    @property
    def columns(self) -> int:
        return self.last - self.first + 1

    @property
    def paid(self) -> PaidMark | None:
        """The payment mark; maintenance and nameless days have none."""
        if self.bar is None or self.state in (None, ShownState.MAINTENANCE) or self.tail:
            return None
        return self.bar.paid


def plain_span(first: int, last: int) -> Span:
    """Days that are known to be taken, by whom not yet."""
    return Span(
        first=first,
        last=last,
        opens_before=False,
        ends_after=False,
        state=None,
        bar=None,
        deadline=None,
        needs_action=False,
    )


def shown_state(bar: Bar, now: dt.datetime) -> ShownState | None:
    """The state a bar is drawn in; overdue is derived from the clock, None when the row names no state."""
    if bar.kind is OccupancyKind.MAINTENANCE:
        return ShownState.MAINTENANCE
    if bar.kind is OccupancyKind.OVERDUE:
        return ShownState.OVERDUE
    if bar.state is None:
        return None
    if bar.state is BookingState.PENDING_PAYMENT and bar.source is Source.WAITLIST:
        return ShownState.WAITLIST_HOLD
    if bar.state is BookingState.ACTIVE_RENTAL and bar.due_at is not None and bar.due_at < now:
        return ShownState.OVERDUE
    return ShownState(bar.state.value)


def bars_in_state(bars: Sequence[Bar], state: ShownState, now: dt.datetime) -> int:
    """How many bookings and blocks are shown in a state; a rental and its overdue days are one."""
    found = [bar for bar in bars if shown_state(bar, now) is state]
    return len({bar.booking_id or (bar.unit_id, bar.days) for bar in found})


def needs_action(bar: Bar, state: ShownState | None, today: dt.date) -> bool:
    """Somebody has to do something with it today: hand over, take back, inspect, settle charges."""
    period = bar.rented or bar.days
    match state:
        case ShownState.PAID_APPROVED | ShownState.DISPATCHED:
            return period.first <= today
        case ShownState.ACTIVE_RENTAL:
            return period.last <= today
        case ShownState.OVERDUE | ShownState.DISPUTED | ShownState.RETURNED_PENDING_CHECK:
            return True
        case _:
            return False


def extra_days(bar: Bar, turnaround: int) -> Days | None:
    """The days an asked extension adds, without the turnaround behind them; None when it asks for none."""
    first = bar.extended_from
    if first is None and bar.rented is not None:
        first = bar.rented.last + dt.timedelta(days=1)
    last = bar.days.last - dt.timedelta(days=turnaround)
    return Days(first, last) if first is not None and bar.days.first < first <= last else None


def takes_days(bar: Bar) -> bool:
    """The unit is not free while this bar lasts."""
    return bar.state not in (BookingState.COMPLETED, BookingState.CANCELLED)


def late_until(bar: Bar, today: dt.date) -> dt.date | None:
    """Today, when a booking's own days are over and its unit is still not free: out, unchecked or disputed."""
    if bar.kind is not OccupancyKind.BOOKING or bar.state not in _HELD_UNTIL_DONE:
        return None
    return today if (bar.rented or bar.days).last < today else None


def taken_by(bar: Bar, today: dt.date) -> Days:
    """The days a bar takes: to today at least while its unit is still not free."""
    late = late_until(bar, today)
    return bar.days if late is None or late <= bar.days.last else Days(bar.days.first, late)


def with_overdue_joined(bars: Sequence[Bar]) -> tuple[Bar, ...]:
    """A rental and the overdue days that follow it as one bar; overdue, unless the unit came back and waits."""
    late = {bar.booking_id: bar for bar in bars if bar.kind is OccupancyKind.OVERDUE and bar.booking_id is not None}
    if not late:
        return tuple(bars)
    joined: list[Bar] = []
    for bar in bars:
        is_over = bar.state is BookingState.COMPLETED  # the unit was swapped, and came back to the rental later
        layer = late.get(bar.booking_id) if bar.booking_id is not None and not is_over else None
        if layer is None or bar is layer:
            if layer is None or not any(b.booking_id == bar.booking_id and b is not layer for b in bars):
                joined.append(bar)
            continue
        days = Days(min(bar.days.first, layer.days.first), max(bar.days.last, layer.days.last))
        kind = OccupancyKind.OVERDUE if bar.state in _CAN_BE_LATE else bar.kind
        joined.append(replace(bar, kind=kind, days=days))
    return tuple(joined)


def place_of(bar: Bar) -> tuple[object, ...]:
    """Where it lies. Of a late rental only its end counts: what lies before the window may not have been read."""
    days = bar.days.last if bar.kind is OccupancyKind.OVERDUE else bar.days
    return bar.unit_id, days, bar.rented


def by_booking(drawn: Sequence[Bar]) -> dict[str, Bar]:
    """Each booking's bar as it stands now: of a unit that was swapped on the way, the one it is on."""
    found: dict[str, Bar] = {}
    for bar in drawn:
        if bar.booking_id is None:
            continue
        if bar.booking_id not in found or found[bar.booking_id].state is BookingState.COMPLETED:
            found[bar.booking_id] = bar
    return found


def grouped(fleet: Sequence[FleetUnit]) -> tuple[Group, ...]:
    """The fleet by SKU, in the order in which it came."""
    by_sku: dict[str, list[FleetUnit]] = {}
    for unit in fleet:
        by_sku.setdefault(unit.sku.code, []).append(unit)
    return tuple(Group(sku=units[0].sku, units=tuple(units)) for units in by_sku.values())


def month_cut(month: YearMonth, window: Days) -> tuple[YearMonth, int, int]:
    """How to cut the window's days out of a month mask: shift right, then keep so many bits."""
    first = max(window.first, month.first_day).day
    last = min(window.last, month.last_day).day
    return month, 31 - (last - 1), last - first + 1
