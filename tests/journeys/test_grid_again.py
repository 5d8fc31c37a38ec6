"""The grid over real servers again: late and swapped rentals in the hand, and cards that outlive their customer."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication

from app.desktop.commands import InlineRunner, use_runner
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.theme import Theme, load_fonts, use_theme
from app.domain.days import Days
from app.domain.errors import Refusal, RefusalCode
from tests.journeys.test_grid import TODAY, Clerk, day, fill_customer, newest_booking, rented_out, where
from tests.support.world import AVANZA, AVANZAS, HIACE, World, days

pytest_plugins = ("tests.support.world_fixtures",)
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints", extend=True)


@pytest.fixture(autouse=True)
def _same_start(qapp: QApplication) -> Iterator[None]:
    load_fonts()
    use_theme(Theme.light(), qapp)
    use_language(Language.ID)
    before = use_runner(InlineRunner())
    yield
    use_runner(before)


@pytest.fixture
def open_clerk(world: World, tmp_path: Path) -> Iterator[Callable[..., Clerk]]:
    opened: list[Clerk] = []

    def make(login: str = "siti") -> Clerk:
        opened.append(Clerk(world, login, tmp_path / login))
        return opened[-1]

    yield make
    for clerk in opened:
        clerk.close()


def late_rental(world: World) -> str:
    """Due yesterday, and still out: the service has drawn its overdue days."""
    booked = rented_out(world, 0, 1).bookings[0].id
    world.after(days=3)
    world.service().overdue.run()
    return booked


def swapped_rental(world: World) -> str:
    """Begun on the first Avanza, on the second since today."""
    booked = rented_out(world, 0, 4).bookings[0].id
    world.after(days=2)
    world.counter("dedi", "Kasir 7").changes_of_bookings.swap_unit(booked, AVANZAS[1])
    return booked


def somebody_books_elsewhere(world: World, clerk: Clerk) -> None:
    """Another counter books another unit, and this grid has read it."""
    other = world.counter("siti", "Kasir 3")
    made = world.book(other, days("2027-03-20", "2027-03-20"), AVANZAS[2], phone="0812 1111 0009").bookings[0]
    clerk.wait_until(
        lambda: any(bar.booking_id == made.id for bar in clerk.calendar.grid.content.all_bars()),  # type: ignore[union-attr]
        "the other counter's booking",
    )


def on_today(clerk: Clerk, unit: str) -> None:
    grid = clerk.calendar.grid
    assert grid.content is not None
    grid.setFocus()
    grid.go_to(unit, grid.content.column_of(grid.content.today) or 0)


def toast(clerk: Clerk) -> str:
    shown = clerk.session.window.shown_toast()
    return "" if shown is None else shown.text()


@pytest.mark.parametrize(("make", "unit"), [(late_rental, AVANZA), (swapped_rental, AVANZAS[1])])
def test_a_late_or_swapped_rental_stays_in_the_hand_while_others_book(
    world: World, open_clerk: Callable[..., Clerk], make: Callable[[World], str], unit: str
) -> None:
    make(world)
    clerk = open_clerk()
    on_today(clerk, unit)
    clerk.press("X", "Right")
    assert clerk.calendar.grid.ghost() is not None
    somebody_books_elsewhere(world, clerk)
    assert clerk.calendar.grid.ghost() is not None, toast(clerk)


def test_a_parked_late_rental_stays_in_the_lane_while_others_book(
    world: World, open_clerk: Callable[..., Clerk]
) -> None:
    late_rental(world)
    clerk = open_clerk("dedi")
    on_today(clerk, AVANZA)
    clerk.press("Shift+P")
    assert len(clerk.calendar.hands.lane.parked()) == 1
    somebody_books_elsewhere(world, clerk)
    assert len(clerk.calendar.hands.lane.parked()) == 1


def test_a_swapped_rental_is_found_on_the_unit_it_is_on(world: World, open_clerk: Callable[..., Clerk]) -> None:
    booked = swapped_rental(world)
    clerk = open_clerk()
    clerk.calendar.find_text(str(world.value("SELECT number FROM sentra.booking WHERE id = %s", booked)))
    cell = clerk.calendar.grid.current_cell()
    assert cell is not None
    assert cell[0] == AVANZAS[1]


def test_the_extension_of_a_swapped_rental_whose_answer_was_lost_is_found(
    world: World, open_clerk: Callable[..., Clerk], monkeypatch: pytest.MonkeyPatch
) -> None:
    booked = swapped_rental(world)
    clerk = open_clerk()
    changes = clerk.counter.changes_of_bookings
    real, answers = changes.request_extension, [Refusal(RefusalCode.UNREACHABLE)]

    def lose_once(*given: object, **named: object) -> object:
        done = real(*given, **named)  # type: ignore[arg-type]
        if answers:
            raise answers.pop()
        return done

    monkeypatch.setattr(changes, "request_extension", lose_once)
    on_today(clerk, AVANZAS[1])
    clerk.press("X", "Right")
    clerk.settle()
    clerk.press("Return")
    assert where(world, booked)[3] == "EXTENSION_PENDING"
    clerk.wait_until(lambda: "belum sampai" not in toast(clerk) and bool(toast(clerk)), "what became of it")
    assert "Tidak jadi" not in toast(clerk)


def test_the_place_after_a_refused_change_is_for_the_bookings_customer(
    world: World, open_clerk: Callable[..., Clerk]
) -> None:
    agent = world.counter("siti", "Kasir 3")
    world.book(agent, days("2027-03-08", "2027-03-09"), AVANZAS[1], phone="0812 1111 0001", name="Orang Pertama")
    for number, unit in enumerate(AVANZAS, start=2):
        world.book(
            agent, days("2027-03-04", "2027-03-05"), unit, phone=f"0812 1111 000{number}", name=f"Orang {number}"
        )
    clerk = open_clerk()
    clerk.stand_on(AVANZA, 14)
    clerk.press("Return")
    fill_customer(clerk, "Dian Lestari", "081211112222")
    clerk.press("Escape")
    clerk.drag(clerk.point(AVANZAS[1], 7), clerk.point(AVANZAS[1], 3))
    clerk.wait_until(clerk.calendar.refusals.is_open, "the refusal")
    clerk.press("W")
    card = clerk.calendar.hands.demand.waitlist
    assert card.isVisible()
    assert "Dian" not in card.accessibleName() + card.name.text() + card.phone.text()
    clerk.press("Return")
    assert world.rows("SELECT id FROM sentra.waitlist_entry") == [], "the phone is not known yet"


def test_a_booking_that_was_given_a_better_unit_goes_back_to_the_class_it_was_sold(
    world: World, open_clerk: Callable[..., Clerk]
) -> None:
    agent = world.counter("siti", "Kasir 3")
    booked = world.book(agent, days("2027-03-04", "2027-03-05"), AVANZAS[2]).bookings[0].id
    agent.changes_of_bookings.swap_unit(booked, HIACE)
    clerk = open_clerk()
    clerk.stand_on(HIACE, 3)
    clerk.press("P", "Up")
    clerk.settle()
    clerk.press("Return")
    clerk.wait_until(lambda: where(world, booked)[0] == AVANZAS[2], "it went back")
    assert where(world, booked) == (AVANZAS[2], day(3), day(4), "PENDING_PAYMENT")


def test_chosen_and_parked_days_say_so_and_a_folded_sku_opens_for_what_is_taken_up(
    world: World, open_clerk: Callable[..., Clerk]
) -> None:
    world.book(world.counter("siti", "Kasir 3"), days("2027-03-04", "2027-03-05"), AVANZAS[1])
    clerk = open_clerk()
    grid = clerk.calendar.grid
    model = grid.grid_model()

    def spoken(unit: str, at: int) -> str:
        row = model.row_of_unit(unit)
        assert row is not None
        return str(model.data(model.index(row, clerk.column(at)), Qt.ItemDataRole.AccessibleTextRole))

    clerk.stand_on(AVANZAS[2], 9)
    clerk.press("Shift+Right")
    assert [spoken(AVANZAS[2], at).endswith(", dipilih") for at in (8, 9, 10, 11)] == [False, True, True, False]
    clerk.press("Escape")
    assert not spoken(AVANZAS[2], 9).endswith(", dipilih")
    clerk.stand_on(AVANZAS[1], 3)
    clerk.press("Shift+P")
    assert spoken(AVANZAS[1], 3).endswith(", di parkir sementara")
    group = model.row(model.row_of_unit(AVANZAS[1]) or 0).group
    grid.toggle(group)
    clerk.calendar.hands.lane.take_focus()
    clerk.press("Return")
    assert not model.is_folded(group)
    assert grid.ghost() is not None


def test_a_refusal_goes_with_the_form_it_was_for(world: World, open_clerk: Callable[..., Clerk]) -> None:
    clerk = open_clerk()
    clerk.stand_on(AVANZAS[1], 7)
    clerk.press("Return")
    fill_customer(clerk, "Dian Pertama", "081211112201")
    other = world.counter("siti", "Kasir 3")
    for number, unit in enumerate(AVANZAS, start=1):
        world.book(other, days("2027-03-08"), unit, phone=f"0812 1111 000{number}", name=f"Orang {number}")
    clerk.press("F9")
    clerk.wait_until(clerk.calendar.refusals.is_open, "the refusal")
    clerk.press("F4")
    assert not clerk.calendar.refusals.is_open()


def test_days_lost_before_anything_was_typed_are_no_wish_of_whoever_comes_next(
    world: World, open_clerk: Callable[..., Clerk]
) -> None:
    clerk = open_clerk()
    grid, left, none = clerk.calendar.grid, Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    start, goal = clerk.point(AVANZAS[1], 9), clerk.point(AVANZAS[1], 11)
    clerk._mouse(grid.viewport(), QEvent.Type.MouseButtonPress, start, left, left)
    for step in range(1, 6):
        clerk._mouse(grid.viewport(), QEvent.Type.MouseMove, start + (goal - start) * step / 5, none, left)
    world.book(world.counter("siti", "Kasir 3"), days("2027-03-11", "2027-03-12"), AVANZAS[1], phone="0812 1111 0007")
    clerk.wait_until(lambda: (found := grid.stretch()) is not None and found.lost is not None, "the loss")
    clerk._mouse(grid.viewport(), QEvent.Type.MouseButtonRelease, goal, left, none)
    clerk.wait_until(clerk.calendar.refusals.is_open, "the card")
    lost = world.value("SELECT order_id::text FROM sentra.refused_demand")
    clerk.press("Escape")
    world.after(minutes=30)
    clerk.stand_on(AVANZA, 20)
    clerk.press("Return")
    fill_customer(clerk, "Orang Lain", "081299998888")
    clerk.press("F9")
    assert where(world, newest_booking(world))[:2] == (AVANZA, day(20))
    assert world.value("SELECT order_id::text FROM sentra.booking ORDER BY created_at DESC LIMIT 1") != lost
    wished = Days(TODAY, TODAY + dt.timedelta(days=30))
    assert world.counter("maya", "Kantor").demand.refusal_counts(wished) != ()
