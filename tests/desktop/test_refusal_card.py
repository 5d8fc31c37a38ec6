"""A refused booking: who has the days, what is kept, and one key for each way on."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.refusal_facts import RefusalFacts, refusal_facts
from app.desktop.screens.walk_in_form import Stage
from app.desktop.states import ShownState
from app.desktop.widgets.label import Label
from app.desktop.widgets.month_grid_marks import MarkKind
from app.desktop.widgets.popover import Popover, Side
from app.domain.errors import NextAction, Refusal, RefusalCode
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import BUDI
from tests.desktop.calendar_samples import NOW, TODAY, ZONE, fleet


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def day(n: int) -> dt.date:
    return TODAY + dt.timedelta(days=n)


def refuse(desk: Desk) -> None:
    """B 1200 XYZ for 3-5 December, which Siti R. has from the 4th on."""
    unit = desk.model.find_unit("B 1200 XYZ")
    desk.walk_in.pick(BUDI)
    desk.walk_in.propose(unit, day(3), day(5))
    desk.screen.drawer.open_panel()
    desk.walk_in.book()


def facts(refusal: Refusal) -> RefusalFacts:
    return refusal_facts(refusal, fleet=fleet(), now=NOW, zone=ZONE, saved_at=NOW, me="Siti")


def taken(*actions: NextAction, **params: object) -> Refusal:
    given: dict[str, object] = {
        "unit_id": "u-b1200xyz",
        "plate": "B 1200 XYZ",
        "sku": "TOY-AVNZ-G",
        "first_day": day(3),
        "last_day": day(5),
        "free_units": 1,
        "blockers": [],
    }
    return Refusal(RefusalCode.DAYS_TAKEN, next=actions, **(given | params))


def test_c04_the_refusal_names_unit_days_and_who_has_them_and_keeps_what_was_typed(desk: Desk) -> None:
    refuse(desk)
    card = desk.screen.refusals.card
    assert card.isVisible()
    assert card.facts is not None
    assert card.facts.title == "B 1200 XYZ tidak bisa dipesan 3–5 Des"
    assert card.facts.taken == "4–6 Des oleh BK-10101 Siti R."
    assert card.facts.taken_state is ShownState.PAID_APPROVED
    assert card.facts.others == "1 kosong: B 1207 XYZ · 6 terpakai"
    assert card.facts.kept == "tersimpan sebagai draf 14.05.10"
    assert desk.walk_in.form.customer_name == "Budi Santoso"
    assert desk.walk_in.form.days == 3


def test_the_first_action_has_the_focus_and_targets_are_outlined_with_their_keys(desk: Desk) -> None:
    refuse(desk)
    focus = desk.screen.focusWidget()
    assert focus is desk.screen.refusals.card.buttons[0]
    marks = desk.screen.grid._marks
    assert [(mark.kind, mark.text) for mark in marks] == [
        (MarkKind.CONFLICT, ""),
        (MarkKind.OFFER, "1 · kosong"),
        (MarkKind.OFFER, "2 · kosong"),
    ]
    assert marks[1].unit_id == desk.unit("B 1207 XYZ")
    assert (marks[2].first, marks[2].last) == (desk.column(7), desk.column(9))


def test_1_takes_the_other_unit_with_the_same_days_and_one_enter_holds_it(desk: Desk) -> None:
    refuse(desk)
    desk.press(Qt.Key.Key_1)
    form = desk.walk_in.form
    assert (form.unit_id, form.first_day, form.days) == (desk.unit("B 1207 XYZ"), day(3), 3)
    assert not desk.screen.refusals.card.isVisible()
    assert desk.screen.focusWidget() is desk.screen.panel.primary
    desk.press(Qt.Key.Key_Return)
    assert desk.walk_in.stage is Stage.HELD


def test_2_moves_the_days_on_the_same_unit(desk: Desk) -> None:
    refuse(desk)
    desk.press(Qt.Key.Key_2)
    form = desk.walk_in.form
    assert (form.unit_id, form.first_day, form.last_day) == (desk.unit("B 1200 XYZ"), day(7), day(9))


def test_the_open_card_and_bubble_follow_the_language(desk: Desk) -> None:
    refuse(desk)
    use_language(Language.EN)
    QApplication.processEvents()
    assert desk.screen.refusals.card.title.text().replace("\u00a0", " ") == "B 1200 XYZ cannot be booked 3–5 Dec"
    assert desk.screen.focusWidget() is desk.screen.refusals.card.buttons[0]
    desk.screen.refusals.close_card()
    desk.stand_on("B 1200 XYZ", 1)
    desk.press(Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    use_language(Language.ID)
    QApplication.processEvents()
    assert desk.screen.pointing.price.isVisible()
    assert desk.screen.pointing.price.spoken().startswith("2 hari")


def test_arrows_and_enter_work_like_the_keys(desk: Desk) -> None:
    refuse(desk)
    desk.press(Qt.Key.Key_Down)
    desk.press(Qt.Key.Key_Return)
    assert desk.walk_in.form.first_day == day(7)


def test_esc_closes_the_card_and_the_form_is_there_as_it_was(desk: Desk) -> None:
    refuse(desk)
    before = desk.walk_in.form
    assert desk.screen.escape()
    assert not desk.screen.refusals.card.isVisible()
    assert desk.screen.panel.isVisible()
    assert desk.walk_in.form == before


def test_other_keys_do_not_reach_the_grid_under_the_card(desk: Desk) -> None:
    refuse(desk)
    here = desk.screen.grid.current_cell()
    desk.press(Qt.Key.Key_T)
    desk.press(Qt.Key.Key_9)
    assert desk.screen.refusals.card.isVisible()
    assert desk.screen.grid.current_cell() == here


def test_the_card_hides_neither_the_refused_days_nor_what_it_offers(desk: Desk) -> None:
    refuse(desk)
    card = desk.screen.refusals.card.geometry()
    for plate, first, last in (("B 1200 XYZ", 3, 5), ("B 1207 XYZ", 3, 5), ("B 1200 XYZ", 7, 9)):
        cells = desk.screen.grid.cell_rect(desk.unit(plate), desk.column(first), desk.column(last))
        assert not card.intersects(cells)


def test_a_lost_race_says_who_was_faster_and_when() -> None:
    blocker = {
        "kind": "BOOKING",
        "first_day": day(3),
        "last_day": day(4),
        "number": "BK-1",
        "state": "PENDING_PAYMENT",
        "customer": "Ida",
        "since": NOW - dt.timedelta(seconds=9),
        "by": "Andi",
    }
    assert facts(taken(blockers=[blocker])).taken == "Baru saja diambil oleh Andi, 14.05.01 · BK-1"
    known = blocker | {"counter": "Kasir 2"}
    assert facts(taken(blockers=[known])).taken == "Baru saja diambil oleh Andi (Kasir 2), 14.05.01 · BK-1"
    mine = blocker | {"by": "Siti"}
    assert facts(taken(blockers=[mine])).taken == "3–4 Des oleh BK-1 Ida"
    before = blocker | {"since": NOW - dt.timedelta(hours=1)}
    assert facts(taken(blockers=[before, before])).taken == "3–4 Des oleh BK-1 Ida dan 1 lagi"


def blocker(first: int, last: int, **more: object) -> dict[str, object]:
    given: dict[str, object] = {
        "kind": "BOOKING",
        "first_day": day(first),
        "last_day": day(last),
        "number": f"BK-{first}",
        "state": "PAID_APPROVED",
        "customer": f"Pelanggan {first}",
        "since": NOW - dt.timedelta(hours=3),
        "by": "Andi",
    }
    return given | more


def test_the_first_obstacle_of_the_range_is_named_and_the_others_are_counted() -> None:
    shown = facts(taken(blockers=[blocker(9, 9), blocker(3, 4), blocker(6, 7)]))
    assert shown.taken == "3–4 Des oleh BK-3 Pelanggan 3 dan 2 lagi"


def test_ones_own_booking_a_moment_ago_is_no_lost_race() -> None:
    shown = facts(taken(blockers=[blocker(3, 4, since=NOW, by="Siti")]))
    assert shown.taken == "3–4 Des oleh BK-3 Pelanggan 3"


def test_a_range_over_the_years_end_is_read_whole(desk: Desk) -> None:
    action = NextAction(
        "use_unit",
        {"unit_id": "u-b1201xyz", "plate": "B 1201 XYZ", "first_day": day(28), "last_day": day(40)},
    )
    desk.screen.refusals.show(
        taken(action, first_day=day(28), last_day=day(40), blockers=[blocker(28, 40, customer="Raden Ajeng Kusuma")])
    )
    card = desk.screen.refusals.card
    for _ in range(3):
        QApplication.processEvents()
    for label in card.findChildren(Label):
        if label.isVisible() and label.wordWrap():
            assert label.height() >= label.heightForWidth(label.width()), label.text()
        elif label.isVisible():
            assert label.width() >= label.sizeHint().width(), label.text()
    assert card.buttons[0].height() > 52
    assert desk.screen.grid.viewport().rect().contains(card.geometry())


def test_maintenance_in_the_way_is_named_as_such() -> None:
    blocker = {"kind": "MAINTENANCE", "first_day": day(3), "last_day": day(4), "number": None, "state": None}
    found = facts(taken(blockers=[blocker]))
    assert (found.taken, found.taken_state) == ("3–4 Des dalam perawatan", ShownState.MAINTENANCE)


def test_the_waiting_list_is_offered_only_where_the_refusal_has_it() -> None:
    dates = NextAction("use_dates", {"unit_id": "u", "plate": "B 1", "first_day": day(7), "last_day": day(9)})
    without = facts(taken(dates))
    assert [action.key for action in without.actions] == ["1"]
    later = NextAction("use_dates", {"unit_id": "u", "plate": "B 1", "first_day": day(12), "last_day": day(14)})
    last = NextAction("use_dates", {"unit_id": "u", "plate": "B 1", "first_day": day(20), "last_day": day(22)})
    with_it = facts(taken(dates, later, last, NextAction("waitlist", {"sku": "TOY-AVNZ-G"})))
    assert [action.key for action in with_it.actions] == ["1", "2", "W"]
    assert with_it.actions[-1].verb == "Masukkan antrean"


def test_when_no_unit_fits_the_card_speaks_of_the_sku() -> None:
    dates = NextAction("use_dates", {"unit_id": "u", "plate": "B 1209 XYZ", "first_day": day(7), "last_day": day(9)})
    found = facts(taken(dates, unit_id=None, plate=None, free_units=0))
    assert found.title == "Tidak ada Avanza G kosong 3–5 Des"
    assert found.others == "semua 8 Avanza G terpakai pada 3–5 Des"
    assert found.refused is None
    assert found.actions[0].consequence == "B 1209 XYZ kosong, harga sama"


def test_the_third_action_is_the_nearest_earlier_dates_before_a_second_unit() -> None:
    unit = NextAction("use_unit", {"unit_id": "u2", "plate": "B 2", "first_day": day(3), "last_day": day(5)})
    second = NextAction("use_unit", {"unit_id": "u3", "plate": "B 3", "first_day": day(3), "last_day": day(5)})
    earlier = NextAction("use_dates", {"unit_id": "u", "plate": "B 1", "first_day": day(1), "last_day": day(3)})
    later = NextAction("use_dates", {"unit_id": "u", "plate": "B 1", "first_day": day(7), "last_day": day(9)})
    found = facts(taken(unit, second, earlier, later))
    assert [(action.key, action.action) for action in found.actions] == [("1", unit), ("2", later), ("3", earlier)]
    without_dates = facts(taken(unit, second))
    assert [action.action for action in without_dates.actions] == [unit, second]


def test_the_state_stands_right_after_the_words_of_who_has_the_days(desk: Desk) -> None:
    refuse(desk)
    card = desk.screen.refusals.card
    words = card._rows[0][1]
    assert card._chip.isVisible()
    assert 0 <= card._chip.x() - words.geometry().right() <= 12
    assert words.width() <= words.fontMetrics().horizontalAdvance(words.text()) + 12
    long = "Baru saja diambil oleh Andini Kusumawardhani (Kasir Dua), 14.05.01 · BK-10240"
    assert card.facts is not None
    card.show_facts(replace(card.facts, taken=long))
    card.place(QRect(600, 40, 100, 28))
    assert card._chip.y() >= words.geometry().bottom(), "a chip never parts a sentence"
    assert (words.text(), card._number.text()) == (long.removesuffix(" · BK-10240"), "BK-10240")
    assert card._number.x() == words.x()
    assert card._chip.x() > card._number.geometry().right()
    assert not card._number.isWindow()


def test_another_branch_is_the_third_action() -> None:
    unit = NextAction("use_unit", {"unit_id": "u2", "plate": "B 2", "first_day": day(3), "last_day": day(5)})
    dates = NextAction("use_dates", {"unit_id": "u", "plate": "B 1", "first_day": day(7), "last_day": day(9)})
    other = NextAction("other_branch", {"branch": "MKS", "plate": "DD 1"})
    found = facts(taken(unit, unit, dates, other))
    assert [action.action.action for action in found.actions] == ["use_unit", "use_dates", "other_branch"]


@pytest.mark.parametrize(
    ("target", "side"),
    [
        (QRect(100, 100, 60, 28), Side.RIGHT),
        (QRect(700, 100, 60, 28), Side.LEFT),
        (QRect(200, 20, 400, 28), Side.BELOW),
        (QRect(200, 500, 400, 28), Side.ABOVE),
    ],
)
def test_a_popover_lies_right_left_below_or_above_the_first_that_hides_nothing(
    qtbot: QtBot, target: QRect, side: Side
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(800, 560)
    popover = Popover(parent)
    popover.setFixedSize(260, 120)
    popover.place(target)
    assert popover.side() is side
    assert not popover.geometry().intersects(target)
    assert parent.rect().contains(popover.geometry())
