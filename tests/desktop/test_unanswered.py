"""Changes, blocks and joins whose answer was lost: not done twice, told and undone as soon as it is known."""

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.domain.booking import Action, BookingState
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import FakeCounter
from tests.desktop.calendar_samples import TODAY
from tests.desktop.test_grid_changes import of


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    counter = FakeCounter()
    counter.branch.rows = [replace(bar, version=1) for bar in counter.branch.rows]
    made = Desk(tmp_path, counter)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def lose_answer(monkeypatch: pytest.MonkeyPatch, of_what: object, name: str, *, is_written: bool = True) -> None:
    """The next call is written (or never arrives), and nobody hears of it."""
    work: Callable[..., object] = getattr(of_what, name)

    def lost(*args: object, **more: object) -> object:
        monkeypatch.setattr(of_what, name, work)
        if is_written:
            work(*args, **more)
        raise Refusal(RefusalCode.UNREACHABLE)

    monkeypatch.setattr(of_what, name, lost)


def ask(desk: Desk) -> None:
    """The pause after which it is asked again has passed."""
    work = desk.screen.hands.work.unanswered
    work._wait.stop()
    work.ask_again()


def move_budi(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 9)


def test_a_move_that_was_written_is_told_and_undone_although_its_answer_was_lost(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = of(desk, "Budi Santoso")
    lose_answer(monkeypatch, desk.counter.changes_of_bookings, "reschedule")
    move_budi(desk)
    said = "Jawaban untuk BK-10231 belum sampai. Dicek sendiri begitu tersambung; jangan diulang dulu."
    assert desk.shell.toasts[-1] == said.replace("BK-10231", before.number or "")
    assert desk.screen.grid.ghost() is None
    desk.counter.branch.away = True
    for _ in range(3):
        ask(desk)
    assert not any("pindah ke" in text for text in desk.shell.toasts), "only the server knows"
    desk.counter.branch.away = False
    desk.stand_on("B 1633 KLM", 4)
    ask(desk)
    assert desk.shell.toasts[-1].startswith(f"{before.number} pindah ke ")
    assert desk.screen.grid.currentIndex().column() == desk.column(4), "the grid stays where it is"
    assert desk.shell.undo is not None
    desk.shell.undo()
    after = of(desk, "Budi Santoso")
    assert (after.unit_id, after.days) == (before.unit_id, before.days)
    told = len(desk.shell.toasts)
    ask(desk)
    assert len(desk.shell.toasts) == told


def test_a_move_that_never_arrived_is_told_after_two_answers_without_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = of(desk, "Budi Santoso")
    lose_answer(monkeypatch, desk.counter.changes_of_bookings, "reschedule", is_written=False)
    move_budi(desk)
    told = len(desk.shell.toasts)
    ask(desk)
    assert len(desk.shell.toasts) == told, "it may still be on its way"
    ask(desk)
    text = "Tidak jadi: {0}. Permintaan tadi tidak sampai ke server. Ulangi bila masih perlu."
    assert desk.shell.toasts[-1] == text.format(before.number)
    assert of(desk, "Budi Santoso") == before


def test_what_another_counter_made_of_the_booking_is_not_taken_for_the_move(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_answer(monkeypatch, desk.counter.changes_of_bookings, "reschedule", is_written=False)
    move_budi(desk)
    bar = of(desk, "Budi Santoso")
    assert bar.booking_id is not None
    desk.counter.changes_of_bookings.reschedule(
        bar.booking_id, RentalPeriod(*(TODAY + dt.timedelta(days=day) for day in (6, 8)))
    )
    for _ in range(2):
        ask(desk)
    assert desk.shell.toasts[-1].startswith("Tidak jadi: ")


def test_an_extension_that_was_written_can_be_paid_and_is_not_asked_for_twice(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    rina = of(desk, "Rina M.")
    assert rina.booking_id is not None
    lose_answer(monkeypatch, desk.counter.changes_of_bookings, "request_extension")
    desk.stand_on("B 1201 XYZ", 1)
    desk.shortcut("X")
    desk.press(Qt.Key.Key_Right)
    desk.press(Qt.Key.Key_Return)
    written = of(desk, "Rina M.")
    assert written.state is BookingState.EXTENSION_PENDING
    work = desk.counter.changes_of_bookings
    held = work._changed(rina.booking_id, RentalPeriod(written.days.first, written.days.last), Rupiah(350_000))
    monkeypatch.setattr(work, "request_extension", lambda *_args, **_more: held)
    ask(desk)
    assert "diperpanjang s.d." in desk.shell.toasts[-1]
    assert desk.screen.hands.changes.bills[rina.booking_id] == held.invoice_id
    assert [action for action, _ in work.done] == [Action.REQUEST_EXTENSION]


def test_a_block_whose_answer_was_lost_is_found_by_its_own_id_with_its_undo(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_answer(monkeypatch, desk.counter.maintenance, "block_unit")
    desk.stand_on("B 1207 XYZ", 10)
    desk.press(Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    desk.shortcut("M")
    desk.press(Qt.Key.Key_Return)
    assert desk.shell.toasts[-1].startswith("Jawaban untuk perawatan B 1207 XYZ belum sampai.")
    ask(desk)
    assert "perawatan" in desk.shell.toasts[-1]
    assert desk.shell.undo is not None
    desk.shell.undo()
    assert desk.counter.maintenance.blocked == {}


@pytest.mark.parametrize("is_sent_again", [False, True])
def test_a_join_whose_answer_was_lost_is_told_once_and_can_be_withdrawn(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, *, is_sent_again: bool
) -> None:
    lose_answer(monkeypatch, desk.counter.waitlist, "join_waitlist")
    for _ in range(2 if is_sent_again else 1):
        desk.stand_on("B 1211 XYZ", 6)
        desk.shortcut("W")
        if not desk.screen.hands.demand.waitlist.phone.text():
            desk.type("081277776666")
        desk.press(Qt.Key.Key_Return)
        if not desk.screen.hands.demand.waitlist.name.text():
            desk.type("Sinta")
        desk.press(Qt.Key.Key_Return)
    if is_sent_again:
        assert desk.shell.toasts[-1] == "Sinta sudah nomor 1 di antrean 5–8 Des."
        told = len(desk.shell.toasts)
        ask(desk)
        assert len(desk.shell.toasts) == told
        return
    assert desk.shell.toasts[-1].startswith("Jawaban untuk antrean Sinta belum sampai.")
    ask(desk)
    assert desk.shell.toasts[-1].startswith("Sinta nomor 1 di antrean ")
    assert desk.shell.undo is not None
    desk.shell.undo()
    assert desk.counter.waitlist.places == []


def test_a_number_that_is_somebody_elses_brings_the_card_back_with_whose_it_is(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_wish: object) -> object:
        raise Refusal(RefusalCode.DUPLICATE, field="customer.phone", customer_id="c-1", customer_name="Rina Asli")

    card = desk.screen.hands.demand.waitlist
    with monkeypatch.context() as patched:
        patched.setattr(desk.counter.waitlist, "join_waitlist", refuse)
        desk.stand_on("B 1211 XYZ", 6)
        desk.shortcut("W")
        desk.type("081277776666")
        desk.press(Qt.Key.Key_Return)
        desk.type("Joko Lain")
        desk.press(Qt.Key.Key_Return)
    assert card.isVisible()
    assert card.phone.edit.hasFocus()
    assert (card.phone.text(), card.name.text()) == ("0812-7777-6666", "Joko Lain")
    assert "Rina Asli" in card._wrong.text()
