"""What the grid knows of its days: taken, free, unknown; bars over bits; numbers per day; hints."""

import datetime as dt
from dataclasses import replace

import pytest

from app.desktop.states import ShownState
from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_fit import fit, fitting_days
from app.desktop.widgets.month_grid_selection import DayStretch, Obstacle, StopReason, next_free, stretch
from app.desktop.widgets.month_grid_spans import shown_state
from app.domain.booking import BookingState
from app.domain.days import Days, YearMonth
from app.usecases.calendar import CalendarMasks
from app.usecases.rows import Bar, FleetUnit, OccupancyKind
from tests.desktop.calendar_samples import (
    HOLIDAYS,
    NOW,
    TODAY,
    bar,
    bars,
    days_around,
    fleet,
    masks_of,
)

WINDOW = days_around(-4, 26)
NOVEMBER, DECEMBER = YearMonth(2026, 11), YearMonth(2026, 12)


def content(some: tuple[Bar, ...] | None = None, *, with_bars: bool = True, window: Days = WINDOW) -> GridContent:
    rows = bars() if some is None else some
    units = fleet()
    return GridContent(
        window=window,
        today=TODAY,
        now=NOW,
        fleet=units,
        masks=masks_of(units, rows, window),
        holidays=HOLIDAYS,
        bars=rows if with_bars else None,
    )


def unit_of(grid: GridContent, plate: str) -> FleetUnit:
    return next(unit for unit in grid.fleet.units if unit.unit.plate == plate)


def column(day: int) -> int:
    return day + 4


def test_days_are_painted_as_plain_taken_runs_before_names_arrive() -> None:
    grid = content(with_bars=False)
    spans = grid.spans(unit_of(grid, "B 1211 XYZ"))
    assert [(span.first, span.last, span.state) for span in spans] == [
        (column(5), column(8), None),
        (column(13), column(14), None),
        (column(20), column(24), None),
    ]


def test_names_and_states_lie_over_the_runs_and_only_changed_units_are_told() -> None:
    grid = content(with_bars=False)
    changed = grid.lay_bars(bars())
    assert unit_of(grid, "B 1211 XYZ").unit.id in changed
    assert unit_of(grid, "GNS-015").unit.id not in changed
    names = [span.bar.customer_name for span in grid.spans(unit_of(grid, "B 1211 XYZ")) if span.bar]
    assert names == ["Nina K.", "Budi Santoso", "Ida", "PT Arunika"]
    assert grid.lay_bars(bars()) == frozenset()


def test_a_unit_the_index_does_not_know_is_never_free() -> None:
    units = fleet()
    empty = CalendarMasks(masks={}, from_index=True, read_at=NOW)
    grid = GridContent(window=WINDOW, today=TODAY, now=NOW, fleet=units, masks=empty, holidays={}, bars=())
    unit = units[0]
    assert not grid.is_known(unit, column(3))
    assert not grid.is_free(unit, column(3))
    assert grid.left(grid.groups[0]) == (0,) * 31
    found = stretch(grid, unit, column(3), column(5))
    assert isinstance(found, Obstacle)
    assert found.reason is StopReason.UNKNOWN


def test_the_numbers_per_day_count_free_units_over_both_months() -> None:
    grid = content()
    innova = next(group for group in grid.groups if group.sku.name == "Innova Zenix")
    left = grid.left(innova)
    assert left[column(0)] == 1
    assert left[column(1)] == 0
    assert left[column(2)] == 0
    assert left[column(4)] == 0
    assert left[column(16)] == 4
    assert all(left[c] == sum(not grid.taken(unit) >> (30 - c) & 1 for unit in innova.units) for c in range(31))


def test_past_days_are_not_offered_even_when_nobody_had_the_unit() -> None:
    grid = content()
    unit = unit_of(grid, "GNS-015")
    assert not grid.is_free(unit, column(-1))
    assert grid.is_free(unit, column(0))


def test_a_finished_rental_does_not_take_days() -> None:
    grid = content((bar(fleet()[0], "SL", 2, 6, "Galih"),))
    assert grid.is_free(fleet()[0], column(3))


def test_a_stretch_stops_at_the_first_taken_day_and_names_it() -> None:
    grid = content()
    found = stretch(grid, unit_of(grid, "B 1211 XYZ"), column(2), column(9))
    assert isinstance(found, DayStretch)
    assert (found.first_day, found.last_day, found.count) == (
        TODAY + dt.timedelta(days=2),
        TODAY + dt.timedelta(days=4),
        3,
    )
    assert found.stopped is not None
    assert found.stopped.day == TODAY + dt.timedelta(days=5)
    assert found.stopped.span is not None
    assert found.stopped.span.bar is not None
    assert found.stopped.span.bar.customer_name == "Budi Santoso"


def test_a_stretch_backwards_stops_as_well() -> None:
    grid = content()
    found = stretch(grid, unit_of(grid, "B 1211 XYZ"), column(11), column(2))
    assert isinstance(found, DayStretch)
    assert found.first == column(9)
    assert found.moving_end == column(9)
    assert found.stopped is not None


def test_c14_a_stretch_never_covers_a_day_that_another_booking_has() -> None:
    grid = content()
    for unit in grid.fleet.units:
        for anchor in range(column(0), 31):
            found = stretch(grid, unit, anchor, 30)
            if isinstance(found, DayStretch):
                assert all(grid.is_free(unit, c) for c in range(found.first, found.last + 1))


def test_the_next_free_day_goes_round_the_row() -> None:
    grid = content()
    unit = unit_of(grid, "B 2410 UZN")
    assert next_free(grid, unit, column(0)) == column(6)
    assert next_free(grid, unit, column(22)) == column(6)


def test_an_active_rental_past_its_due_time_is_shown_as_overdue() -> None:
    late = bar(fleet()[0], "TL", -4, -1, "Yoga P.")
    assert late.state is BookingState.ACTIVE_RENTAL
    assert shown_state(late, NOW) is ShownState.OVERDUE
    assert shown_state(late, NOW - dt.timedelta(hours=3)) is ShownState.ACTIVE_RENTAL


def test_overdue_days_and_their_rental_are_one_bar() -> None:
    unit = fleet()[0]
    rental = bar(unit, "TL", -4, -1, "Yoga P.", number="BK-1")
    layer = replace(rental, kind=OccupancyKind.OVERDUE, days=days_around(0, 1), rented=None)
    grid = content((rental, layer))
    spans = grid.spans(unit)
    assert [(span.first, span.last, span.state) for span in spans] == [(0, column(1), ShownState.OVERDUE)]


def test_an_asked_extension_is_an_active_bar_with_a_tail_that_counts_down() -> None:
    grid = content()
    main, tail = [
        span for span in grid.spans(unit_of(grid, "B 1209 XYZ")) if span.bar and span.bar.paid.value == "PART"
    ][:2]
    assert main.state is ShownState.ACTIVE_RENTAL
    assert main.deadline is None
    assert tail.tail
    assert tail.deadline is not None
    assert tail.first == main.last + 1


def test_turnaround_days_are_taken_but_belong_to_nobody() -> None:
    unit = fleet()[0]
    row = bar(unit, "LB", 2, 5, "Siti R.")
    row = replace(row, rented=days_around(2, 4))
    grid = content((row,))
    rental, after = grid.spans(unit)
    assert (rental.last, after.first, after.turnaround) == (column(4), column(5), True)
    assert not grid.is_free(unit, column(5))


def test_bars_that_reach_over_the_window_have_no_edge_there() -> None:
    grid = content()
    span = grid.spans(unit_of(grid, "B 2418 UZN"))[0]
    assert span.opens_before
    assert span.first == 0


def test_a_hint_frees_days_at_once_and_wins_over_older_bars() -> None:
    grid = content()
    unit = unit_of(grid, "B 1211 XYZ")
    found = grid.apply_hint(
        "TOY-AVNZ-G", DECEMBER, unit.unit.slot, Days(dt.date(2026, 12, 13), dt.date(2026, 12, 14)).mask(DECEMBER)
    )
    assert found is not None
    assert found[1] == (*range(column(5), column(9)), *range(column(20), column(25)))
    assert grid.is_free(unit, column(6))
    assert [span.state for span in grid.spans(unit)] == [ShownState.COMPLETED, ShownState.PAID_APPROVED]


def test_a_hint_of_another_month_slot_or_the_same_bits_changes_nothing() -> None:
    grid = content()
    unit = fleet()[0]
    same = masks_of(fleet(), bars(), WINDOW).masks[("TOY-AVNZ-G", DECEMBER)][0]
    assert grid.apply_hint("TOY-AVNZ-G", YearMonth(2027, 3), 0, 0) is None
    assert grid.apply_hint("TOY-AVNZ-G", DECEMBER, 99, 0) is None
    assert grid.apply_hint("TOY-AVNZ-G", DECEMBER, unit.unit.slot, same) is None


def test_a_booking_whose_bits_lag_behind_is_not_shown_as_free() -> None:
    units = fleet()
    fresh = bar(units[7], "MB", 20, 22, "Baru")
    grid = GridContent(
        window=WINDOW,
        today=TODAY,
        now=NOW,
        fleet=units,
        masks=masks_of(units, bars(), WINDOW),
        holidays={},
        bars=(*bars(), fresh),
    )
    assert not grid.is_free(units[7], column(21))


@pytest.mark.parametrize(
    ("width", "days", "unit_column", "day_column"),
    [(1310, 31, 176, 36), (1544, 31, 170, 44), (1524, 31, 176, 40), (1045, 31, 140, 28), (863, 14, 132, 52)],
)
def test_columns_follow_the_fit_table(width: int, days: int, unit_column: int, day_column: int) -> None:
    # The usable width of each screen less its rail (and the pinned panel at 1920); 10 px are the scroll bar's.
    if width == 1524:
        width = 1920 - 56 - 340
    found = fit(width, fitting_days(width, 31))
    assert (found.days, found.day_column) == (days, day_column)
    assert found.unit_column == pytest.approx(unit_column, abs=10)
    assert found.unit_column + days * day_column + 10 <= width


def test_c08_the_last_day_is_taken_on_the_board_and_in_the_check() -> None:
    unit = fleet()[0]
    grid = content((bar(unit, "LB", 10, 11, "Siti R."),))
    assert not grid.is_free(unit, column(11))
    assert grid.is_free(unit, column(12))
    found = stretch(grid, unit, column(11), column(11))
    assert isinstance(found, Obstacle)
