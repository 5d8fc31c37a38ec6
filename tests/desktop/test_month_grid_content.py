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


def content(
    some: tuple[Bar, ...] | None = None,
    *,
    with_bars: bool = True,
    window: Days = WINDOW,
    units: tuple[FleetUnit, ...] | None = None,
) -> GridContent:
    rows = bars() if some is None else some
    units = units or fleet()
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
    assert left[column(0)] == 0  # B 2415 UZN came back with charges and is not released.
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


def test_overdue_days_do_not_lie_over_the_days_when_the_same_rental_had_the_unit_before() -> None:
    unit = fleet()[0]
    before = bar(unit, "SL", -4, -3, "Yoga P.", number="BK-1")
    rental = bar(unit, "TL", -2, -1, "Yoga P.", number="BK-1")
    layer = replace(rental, kind=OccupancyKind.OVERDUE, days=days_around(0, 1), rented=None)
    grid = content((before, rental, layer))
    assert {(span.first, span.last, span.state) for span in grid.spans(unit)} == {
        (column(-4), column(-3), ShownState.COMPLETED),
        (column(-2), column(1), ShownState.OVERDUE),
    }


@pytest.mark.parametrize("code", ["TL", "DS", "SR", "PP", "PR", "SG"])
def test_a_unit_that_is_not_free_again_keeps_today_past_its_last_day(code: str) -> None:
    unit = fleet()[0]
    row = bar(unit, code, -4, -1, "Yoga P.")
    grid = content((row,))
    before = content(())
    last = grid.spans(unit)[-1]
    assert (last.last, last.bar) == (column(0), row)
    assert not grid.is_free(unit, column(0))
    assert grid.is_free(unit, column(1))
    assert grid.left(grid.groups[0])[column(0)] == before.left(before.groups[0])[column(0)] - 1
    left, all_free = grid.left_today(), before.left_today()
    assert left is not None
    assert all_free is not None
    assert left == all_free - 1
    assert grid.is_out(unit) == (code != "SG")


@pytest.mark.parametrize("code", ["LB", "MB", "SL", "PW"])
def test_what_is_over_and_left_nothing_behind_ends_on_its_last_day(code: str) -> None:
    unit = fleet()[0]
    grid = content((bar(unit, code, -4, -1, "Yoga P."),))
    assert grid.spans(unit)[-1].last == column(-1)
    assert not grid.is_out(unit)


def test_a_unit_that_is_late_is_still_out_under_the_next_bar_and_when_today_moves_on() -> None:
    unit = fleet()[0]
    grid = content((bar(unit, "TL", -4, -1, "Yoga P."), bar(unit, "LB", 0, 2, "Andi S.")))
    assert grid.is_out(unit)
    assert not grid.conflicts(unit)
    alone = content((bar(unit, "TL", -4, -1, "Yoga P."),))
    assert alone.is_free(unit, column(1))
    alone.move_clock(NOW + dt.timedelta(days=1), TODAY + dt.timedelta(days=1))
    assert not alone.is_free(unit, column(1))


def test_a_unit_that_came_back_unchecked_keeps_its_state_over_its_late_days() -> None:
    unit = fleet()[0]
    back = bar(unit, "PR", -4, -1, "Maya L.", number="BK-1")
    layer = replace(back, kind=OccupancyKind.OVERDUE, days=days_around(0, 1))
    spans = content((back, layer)).spans(unit)
    assert [(s.first, s.last, s.state) for s in spans] == [(0, column(1), ShownState.RETURNED_PENDING_CHECK)]


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


def test_the_tail_of_an_extension_ends_where_the_turnaround_begins() -> None:
    unit = replace(fleet()[0], sku=replace(fleet()[0].sku, turnaround_days=1))
    row = replace(bar(unit, "PP", -3, 4, "CV Mitra"), rented=days_around(-3, 1), extended_from=days_around(2, 2).first)
    grid = content((row,), units=(unit,))
    assert [(s.first, s.last, s.tail, s.turnaround) for s in grid.spans(unit)] == [
        (column(-3), column(1), False, False),
        (column(2), column(3), True, False),
        (column(4), column(4), False, True),
    ]


def test_c24_the_last_day_of_a_block_shows_it_and_the_day_after_is_free() -> None:
    unit = fleet()[0]
    view = Days(dt.date(2026, 12, 12), dt.date(2026, 12, 18))
    block = bar(unit, "PW", 1, 12, "ganti kopling")
    grid = content((block,), window=view)
    (span,) = grid.spans(unit)
    assert (span.first, span.last, span.opens_before, span.state) == (0, 0, True, ShownState.MAINTENANCE)
    assert not grid.is_free(unit, 0)
    assert all(grid.is_free(unit, day) for day in range(1, 7))


def test_c32_two_rows_over_the_same_days_are_a_conflict_on_exactly_those_days() -> None:
    unit = fleet()[0]
    grid = content((bar(unit, "LB", 2, 6, "Siti R.", number="BK-1"), bar(unit, "LB", 5, 9, "Budi", number="BK-2")))
    assert grid.conflicts(unit) == ((column(5), column(6)),)
    found = grid.conflict_at(unit, column(6))
    assert found is not None
    assert {found.one.number, found.other.number} == {"BK-1", "BK-2"}
    assert grid.conflict_at(unit, column(7)) is None
    assert grid.group_conflicts(grid.groups[0]) == {column(5), column(6)}


@pytest.mark.parametrize("window", [days_around(-4, 26), days_around(5, 11), days_around(6, 67), days_around(-30, 31)])
def test_c32_a_conflict_is_seen_in_every_view_that_has_its_days(window: Days) -> None:
    unit = fleet()[0]
    rows = (bar(unit, "LB", 2, 6, "Siti R."), bar(unit, "PW", 5, 9, "servis"))
    grid = content(rows, window=window)
    ((first, last),) = grid.conflicts(unit)
    assert [grid.days[c] for c in range(first, last + 1)] == [
        day for day in days_around(5, 6) if window.first <= day <= window.last
    ]


def test_neighbours_finished_rentals_and_overdue_days_are_no_conflict() -> None:
    unit = fleet()[0]
    done = bar(unit, "SL", 1, 6, "Galih")
    late = replace(bar(unit, "TL", -4, 3, "Yoga P."), kind=OccupancyKind.OVERDUE)
    grid = content((done, bar(unit, "LB", 2, 4, "Siti R."), bar(unit, "LB", 5, 6, "Budi"), late))
    assert grid.conflicts(unit) == ()
    assert not grid.has_conflicts


def test_turnaround_days_are_taken_but_belong_to_nobody() -> None:
    unit = fleet()[0]
    row = bar(unit, "LB", 2, 5, "Siti R.")
    row = replace(row, rented=days_around(2, 4))
    grid = content((row,))
    rental, after = grid.spans(unit)
    assert (rental.last, after.first, after.turnaround) == (column(4), column(5), True)
    assert not grid.is_free(unit, column(5))


def test_chosen_days_leave_the_turnaround_before_the_next_rental() -> None:
    unit = fleet()[0]
    grid = content((bar(unit, "LB", 8, 9, "Siti R."),))
    ready = replace(unit, sku=replace(unit.sku, turnaround_days=1))
    plain, careful = stretch(grid, unit, column(3), column(7)), stretch(grid, ready, column(3), column(7))
    assert isinstance(plain, DayStretch)
    assert isinstance(careful, DayStretch)
    assert (plain.last, careful.last) == (column(7), column(6))
    assert careful.stopped is not None
    assert (careful.stopped.column, careful.stopped.reason) == (column(8), StopReason.TAKEN)
    alone = stretch(grid, ready, column(7), column(7))
    assert isinstance(alone, Obstacle)
    back = stretch(grid, ready, column(6), column(3))
    assert isinstance(back, DayStretch)
    assert (back.first, back.last) == (column(3), column(6))


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
    assert found.unit_column >= unit_column - 10
    # The plates take what the days leave over: no strip stays blank between the last day and the scroll bar.
    assert found.unit_column + days * day_column + 10 == width


@pytest.mark.parametrize(("ratio", "step"), [(1.0, 1), (1.5, 2), (1.25, 4), (2.0, 1)])
def test_columns_of_two_months_are_whole_device_pixels_and_fill_the_width(ratio: float, step: int) -> None:
    found = fit(1864, 62, ratio)
    assert found.fits
    assert found.day_column % step == 0
    assert (found.day_column * ratio).is_integer()
    assert 62 * (found.day_column + step) > 1864 - 176 - 10
    assert found.unit_column <= 296


def test_two_months_scroll_sideways_where_their_days_would_be_under_24_px() -> None:
    found = fit(1310, fitting_days(1310, 62))
    assert (found.days, found.day_column, found.unit_column, found.fits) == (62, 24, 196, False), (
        "the rest of a day widens the units"
    )


def test_c08_the_last_day_is_taken_on_the_board_and_in_the_check() -> None:
    unit = fleet()[0]
    grid = content((bar(unit, "LB", 10, 11, "Siti R."),))
    assert not grid.is_free(unit, column(11))
    assert grid.is_free(unit, column(12))
    found = stretch(grid, unit, column(11), column(11))
    assert isinstance(found, Obstacle)
