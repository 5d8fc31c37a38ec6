"""The menu and the waitlist card beside the grid: nothing they speak of is hidden, nothing that was typed is lost."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.desktop.widgets.month_grid_marks import MarkKind
from app.desktop.widgets.popover import Popover
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import BUDI


@pytest.fixture(params=[(1310, 632), (855, 385)], ids=["1366", "150 %"])
def desk(request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path, size=request.param)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


@pytest.mark.parametrize(("plate", "day"), [("B 1211 XYZ", 6), ("B 1200 XYZ", 5), ("B 1633 KLM", 4)])
@pytest.mark.parametrize("by_mouse", [False, True])
def test_the_menu_never_covers_the_bar_it_speaks_of(desk: Desk, plate: str, day: int, *, by_mouse: bool) -> None:
    desk.stand_on(plate, day)
    found = desk.screen.grid.current_span()
    assert found is not None
    bar = desk.screen.grid.cell_rect(found[0].unit.id, found[1].first, found[1].last)
    desk.screen.hands.open_menu(bar.center() + QPoint(3, 2) if by_mouse else None)
    menu = desk.screen.hands.menu
    seen = QRect(desk.screen.grid.viewport().mapTo(desk.screen, bar.topLeft()), bar.size())
    assert desk.screen.rect().contains(menu.geometry())
    assert not menu.geometry().intersects(seen)


def test_what_was_typed_for_the_waitlist_is_there_again_after_escape(desk: Desk) -> None:
    card = desk.screen.hands.demand.waitlist
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("W")
    desk.type("081299998888")
    desk.press(Qt.Key.Key_Return)
    desk.type("Sinta")
    desk.press(Qt.Key.Key_Escape)
    assert not card.isVisible()
    desk.shortcut("W")
    assert (card.phone.text(), card.name.text()) == ("0812-9999-8888", "Sinta")
    assert card._read_back.text() == "0812-9999-8888 · wa.me/6281299998888"
    desk.press(Qt.Key.Key_Return)
    desk.press(Qt.Key.Key_Return)
    assert [place.customer_name for place in desk.counter.waitlist.places] == ["Sinta"]
    desk.stand_on("B 1633 KLM", 4)
    desk.shortcut("W")
    assert (card.phone.text(), card.name.text()) == ("", "")


def test_a_known_customer_is_found_by_the_number_and_taken_with_two_keys(desk: Desk) -> None:
    card = desk.screen.hands.demand.waitlist
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("W")
    desk.type("08123456")
    card.look_now()
    assert [row.line.name for row in card.people][:1] == [BUDI.customer.id]
    desk.press(Qt.Key.Key_Down)
    desk.press(Qt.Key.Key_Return)
    assert card.isVisible()
    desk.press(Qt.Key.Key_Return)
    (place,) = desk.counter.waitlist.places
    assert place.customer_id == BUDI.customer.id


def test_people_found_after_the_number_was_left_are_still_offered(desk: Desk) -> None:
    card = desk.screen.hands.demand.waitlist
    asked: list[str] = []
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("W")
    card.people_wanted.disconnect()
    card.people_wanted.connect(asked.append)
    desk.type("081234567890")
    card.look_now()
    desk.press(Qt.Key.Key_Return)
    assert card.phone.text() == "0812-3456-7890"
    desk.type("S")
    card.show_people(asked[-1], (BUDI,))
    assert [row.line.name for row in card.people] == [BUDI.customer.id]
    card.show_people("0812", ())
    assert len(card.people) == 1, "an answer to an older text"


def test_what_is_no_number_is_named_below_it_and_nothing_typed_below_the_card(desk: Desk) -> None:
    card = desk.screen.hands.demand.waitlist
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("W")
    assert desk.screen.grid.viewport().rect().contains(card.geometry()), "whole on a small screen too"
    placed = card.geometry()
    desk.press(Qt.Key.Key_Return, times=2)
    assert card._wrong.text() == "Nomor telepon 9-13 angka, contoh 0812-3456-7890."
    desk.type("0812")
    desk.press(Qt.Key.Key_Return, times=2)
    assert card._read_back.text() == "Telepon: perlu 9-13 angka, contoh 0812-3456-7890."
    assert card.geometry() == placed
    assert not card._wrong.isVisible()


def test_the_waitlist_cards_fields_have_labels_that_stay(desk: Desk) -> None:
    card = desk.screen.hands.demand.waitlist
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("W")
    desk.type("0812")
    labels = [label.text() for label in (card._phone_label, card._name_label) if label.isVisible()]
    assert labels == ["Telepon atau nama", "Nama"]


def test_enter_behind_a_whole_number_or_a_name_takes_who_is_known_by_it(desk: Desk) -> None:
    card = desk.screen.hands.demand.waitlist
    for typed in ("081234567890", "budi"):
        desk.stand_on("B 1211 XYZ", 6)
        desk.shortcut("W")
        desk.type(typed)
        desk.press(Qt.Key.Key_Return)
        assert card._customer.text() == "Budi Santoso · 0812-3456-7890"
        assert card.join.hasFocus()
        assert desk.counter.waitlist.places == [], "one Enter chooses, the next one joins"
        desk.press(Qt.Key.Key_Escape)
        card.forget()


def test_a_name_that_nobody_has_is_kept_as_the_name_and_the_number_is_asked_for(desk: Desk) -> None:
    card = desk.screen.hands.demand.waitlist
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("W")
    desk.type("Zaskia Baru")
    desk.press(Qt.Key.Key_Return)
    assert (card.phone.text(), card.name.text()) == ("", "Zaskia Baru")
    assert card.phone.edit.hasFocus()


def test_the_waitlist_says_which_units_nobody_has_to_wait_for(desk: Desk) -> None:
    card = desk.screen.hands.demand.waitlist
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("W")
    assert "unit masih kosong, mis. B 12" in card._honest.text()


def test_the_days_and_the_plate_in_a_refusals_title_are_never_torn(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("P")
    desk.press(Qt.Key.Key_Up)
    desk.press(Qt.Key.Key_Return)
    facts, card = desk.screen.refusals.facts, desk.screen.refusals.card
    assert facts is not None
    assert desk.screen.grid.viewport().rect().contains(card.geometry())
    assert facts.plate
    assert facts.when
    assert facts.plate.replace(" ", "\u00a0") in card.title.text()
    assert facts.when.replace(" ", "\u00a0") in card.title.text()
    assert card.title.text().replace("\u00a0", " ") == facts.title


def test_a_bar_in_the_hand_leaves_its_words_where_it_came_from(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1211 XYZ", 4, release=False)
    (origin,) = [mark for mark in desk.screen.grid.chosen_marks() if mark.kind is MarkKind.ORIGIN]
    assert origin.text == "LB Budi Santoso"
    desk.screen.escape()


def test_what_was_typed_for_a_join_that_nobody_answered_is_there_again(desk: Desk) -> None:
    card = desk.screen.hands.demand.waitlist
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("W")
    desk.type("081277776666")
    desk.press(Qt.Key.Key_Return)
    desk.type("Sinta")
    desk.counter.branch.away = True
    desk.press(Qt.Key.Key_Return)
    assert not card.isVisible()
    assert desk.screen.grid.hasFocus()
    desk.counter.branch.away = False
    desk.model.load()
    desk.shortcut("W")
    assert (card.phone.text(), card.name.text()) == ("0812-7777-6666", "Sinta")
    desk.press(Qt.Key.Key_Return)
    desk.press(Qt.Key.Key_Return)
    assert [place.customer_name for place in desk.counter.waitlist.places] == ["Sinta"]


@pytest.mark.parametrize("left", range(0, 640, 40))
def test_a_card_with_no_room_on_either_side_is_whole_all_the_same(qtbot: QtBot, left: int) -> None:
    viewport = QWidget()
    qtbot.addWidget(viewport)
    viewport.resize(672, 283)
    card = Popover(viewport)
    card.setFixedSize(352, 275)
    card.place(QRect(left, 28, 95, 28))
    assert viewport.rect().contains(card.geometry())
