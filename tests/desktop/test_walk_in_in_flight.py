"""While an order is on its way: the answer belongs to what was sent, never to what the drawer shows by then."""

import errno
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.desktop.screens.walk_in_form import Stage
from app.desktop.screens.walk_in_slot import DraftSlot
from app.domain.booking import BookingState
from app.domain.errors import Refusal, RefusalCode
from app.usecases.bookings import BookRequest
from app.usecases.rows import BookedOrder
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import BUDI, HARTONO, FakeBookings, FakeBranch
from tests.desktop.calendar_samples import TODAY
from tests.desktop.runners import HeldRunner


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, held_runner: HeldRunner) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    finish(held_runner)
    yield made
    made.screen.shut()


def finish(runner: HeldRunner) -> None:
    """Every command on its way comes to its end."""
    while runner.waiting:
        runner.go_on()


def fill(desk: Desk, plate: str = "B 1200 XYZ") -> None:
    desk.walk_in.propose(desk.model.find_unit(plate), TODAY, TODAY)
    desk.walk_in.pick(BUDI)
    desk.screen.drawer.open_panel()


def begin_hartono(desk: Desk) -> str:
    """The next customer, in days chosen in the grid; answers the order's id."""
    desk.stand_on("B 1211 XYZ", 2)
    desk.press(Qt.Key.Key_Return)
    desk.walk_in.pick(HARTONO)
    return desk.walk_in.form.order_id


class Late(FakeBookings):
    """The line breaks before anything is written; `arrive()` is the moment the server writes it all the same."""

    def __init__(self, branch: FakeBranch) -> None:
        super().__init__(branch)
        self.on_the_way: list[BookRequest] = []
        self.is_late = True

    def book(self, request: BookRequest) -> BookedOrder:
        if self.is_late:
            self.on_the_way.append(request)
            raise Refusal(RefusalCode.UNREACHABLE)
        return super().book(request)

    def arrive(self) -> None:
        super().book(self.on_the_way.pop())


def make_late(desk: Desk) -> Late:
    late = Late(desk.counter.branch)
    desk.counter.bookings = late
    desk.walk_in._bookings = late
    desk.walk_in._find_order = late.find_order
    desk.walk_in._find_booking = late.find_booking
    desk.model._bookings = late
    return late


# --- the sent form decides --------------------------------------------------------------------------------------------


def test_holding_again_books_the_customer_that_was_sent(desk: Desk, held_runner: HeldRunner) -> None:
    fill(desk)
    desk.shortcut("F9")
    desk.walk_in.pick(HARTONO)
    finish(held_runner)
    hold = desk.walk_in.hold
    assert hold is not None
    assert hold.customer_name == BUDI.customer.name
    desk.counter.bookings.set_state(hold.booking_id, BookingState.CANCELLED)
    desk.pass_seconds(900)
    finish(held_runner)
    desk.shortcut("F9")
    finish(held_runner)
    first, second = desk.counter.bookings.requests
    assert (first.customer_id, second.customer_id) == (BUDI.customer.id, BUDI.customer.id)
    assert first.lines == second.lines


def test_while_a_form_is_being_held_its_fields_take_nothing(desk: Desk, held_runner: HeldRunner) -> None:
    fill(desk)
    panel = desk.screen.panel
    desk.shortcut("F9")
    sent = desk.walk_in.form
    panel.form.customer.edit.setFocus()
    desk.type("Siti")
    panel.form.days.edit.setFocus()
    desk.type("9")
    assert panel.form.customer.text() == "Budi Santoso"
    assert desk.walk_in.form == sent
    desk.counter.branch.away = True
    finish(held_runner)
    desk.counter.branch.away = False
    assert desk.walk_in.stage is Stage.FORM
    assert not panel.form.customer.edit.isReadOnly()


@pytest.mark.parametrize("way", ["grid", "ctrl+n"])
def test_the_next_customers_typing_stays_when_the_first_ones_answer_arrives(
    desk: Desk, held_runner: HeldRunner, tmp_path: Path, way: str
) -> None:
    fill(desk)
    desk.shortcut("F9")
    desk.screen.escape()
    if way == "ctrl+n":
        desk.shortcut("Ctrl+N")
        assert desk.walk_in.form.is_empty
        desk.walk_in.pick(HARTONO)
    else:
        begin_hartono(desk)
    typed = desk.walk_in.form
    desk.walk_in.save_draft()
    finish(held_runner)
    assert desk.walk_in.stage is Stage.FORM
    assert desk.walk_in.form == typed
    assert "BK-10240 untuk Budi Santoso ditahan · F9 di kalender untuk bayar" in desk.shell.toasts
    assert (tmp_path / "walk_in-siti-1.json").exists()
    assert desk.walk_in.draft_count == 1
    assert not (tmp_path / "walk_in_kept-siti-1.json").exists()


def test_a_refusal_for_a_form_put_aside_leaves_the_shown_one_alone(desk: Desk, held_runner: HeldRunner) -> None:
    fill(desk)
    desk.walk_in.set_unit(desk.unit("B 1200 XYZ"))
    desk.shortcut("F9")
    request = request_of(desk)
    begin_hartono(desk)
    shown = desk.walk_in.form
    desk.counter.bookings.book(replace(request, order_id="another-counters"))
    finish(held_runner)
    assert desk.walk_in.form == shown
    assert desk.walk_in.refusal is None
    assert not desk.screen.refusals.is_open()
    assert any(toast.startswith("Budi Santoso belum ditahan:") for toast in desk.shell.toasts)
    assert desk.walk_in.draft_count == 2
    assert not desk.walk_in.has_unknown


def test_a_form_that_the_disk_will_not_keep_aside_stays_on_the_screen_and_in_its_file(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(desk)
    desk.walk_in.save_draft()
    typed, before = desk.walk_in.form, (tmp_path / "walk_in-siti-1.json").read_text()
    told: list[str] = []
    desk.walk_in.not_parked.connect(lambda: told.append("full"))
    with monkeypatch.context() as full:
        full.setattr("app.desktop.screens.walk_in_draft.tempfile.mkstemp", _no_space)
        desk.shortcut("F4")
        assert (desk.walk_in.form, desk.walk_in.draft_count) == (typed, 1)
        desk.walk_in.begin_new(None, TODAY, TODAY)
        assert desk.walk_in.form == typed
    assert told == ["full", "full"]
    assert (tmp_path / "walk_in-siti-1.json").read_text() == before
    desk.shortcut("F4")
    assert [form.customer_name for form in desk.walk_in.kept_forms()] == [typed.customer_name]


def _no_space(*_args: object, **_names: object) -> tuple[int, str]:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_letting_go_never_overwrites_a_newer_form(desk: Desk, held_runner: HeldRunner) -> None:
    fill(desk)
    desk.shortcut("F9")
    finish(held_runner)
    desk.screen.panel.release_button.click()
    assert held_runner.waiting
    begin_hartono(desk)
    typed = desk.walk_in.form
    finish(held_runner)
    assert len(desk.counter.bookings.cancelled) == 1
    assert desk.walk_in.form == typed
    assert desk.walk_in.draft_count == 2


# --- an order in flight is remembered ---------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["begin", "trash"])
def test_an_order_whose_form_was_left_in_flight_is_told_when_it_was_written(
    desk: Desk, held_runner: HeldRunner, way: str
) -> None:
    fill(desk)
    desk.counter.bookings.lose_answer = True
    desk.shortcut("F9")
    if way == "begin":
        begin_hartono(desk)
    else:
        desk.screen.panel.clear_button.click()
    finish(held_runner)
    sent = desk.walk_in._kept.sent()
    assert [form.customer_name for form in sent] == ["Budi Santoso"]
    desk.wait_for_asking()
    finish(held_runner)
    assert "BK-10240 untuk Budi Santoso ditahan · F9 di kalender untuk bayar" in desk.shell.toasts
    assert not desk.walk_in.has_unknown
    assert desk.walk_in.draft_count == (1 if way == "begin" else 0)


def test_a_trashed_order_is_remembered_over_a_kill_and_never_offered(
    desk: Desk, qtbot: QtBot, tmp_path: Path, held_runner: HeldRunner
) -> None:
    fill(desk)
    desk.counter.bookings.lose_answer = True
    desk.shortcut("F9")
    desk.screen.panel.clear_button.click()
    finish(held_runner)
    desk.die()
    again = Desk(tmp_path, desk.counter)
    qtbot.addWidget(again.screen)
    finish(held_runner)
    assert again.shell.toasts == ["BK-10240 untuk Budi Santoso ditahan · F9 di kalender untuk bayar"]
    assert again.walk_in.form.is_empty
    again.screen.shut()


def test_leaving_waits_for_the_answer(desk: Desk, qtbot: QtBot, held_runner: HeldRunner) -> None:
    fill(desk)
    desk.shortcut("F9")
    assert not desk.screen.leave()
    with qtbot.waitSignal(desk.screen.ready_to_leave, timeout=20_000):
        finish(held_runner)
    assert desk.walk_in.stage is Stage.HELD
    assert desk.screen.leave()


def test_leaving_waits_1500_ms_at_most(desk: Desk, qtbot: QtBot) -> None:
    fill(desk)
    desk.shortcut("F9")
    with qtbot.waitSignal(desk.screen.ready_to_leave, timeout=20_000):
        assert not desk.screen.leave()
        assert (desk.screen._leave_wait.isActive(), desk.screen._leave_wait.interval()) == (True, 1500)
    assert desk.walk_in.is_sending


def test_not_there_counts_only_after_two_answers_three_seconds_apart(desk: Desk, held_runner: HeldRunner) -> None:
    fill(desk)
    late = make_late(desk)
    desk.shortcut("F9")
    finish(held_runner)
    for _ in range(3):
        desk.walk_in.resolve()
        finish(held_runner)
    assert desk.walk_in.form.was_sent
    late.arrive()
    desk.wait_for_asking()
    finish(held_runner)
    assert desk.shell.toasts[-1] == "BK-10240 sudah ditahan untuk Budi Santoso."
    assert not desk.walk_in.has_unknown


def test_after_logging_in_again_a_changed_form_is_held_once_the_abandoned_order_is_known(
    desk: Desk, qtbot: QtBot, tmp_path: Path, held_runner: HeldRunner
) -> None:
    fill(desk)
    late = make_late(desk)
    desk.shortcut("F9")
    desk.screen.shut()
    late.on_the_way.append(request_of(desk))
    late.is_late = False
    again = Desk(tmp_path, desk.counter)
    qtbot.addWidget(again.screen)
    finish(held_runner)
    again.walk_in.pick(HARTONO)
    again.shortcut("Ctrl+N")
    again.shortcut("F9")
    finish(held_runner)
    assert late.orders == {}
    late.arrive()
    again.wait_for_asking()
    finish(held_runner)
    assert len(late.orders) == 1
    assert again.shell.toasts[-1] == "BK-10240 sudah ditahan untuk Budi Santoso."
    assert again.walk_in.form.customer_name == HARTONO.customer.name
    again.screen.shut()


def test_an_order_that_arrives_after_all_is_told_beside_the_new_one_and_one_press_lets_it_go(
    desk: Desk, held_runner: HeldRunner
) -> None:
    fill(desk)
    late = make_late(desk)
    desk.shortcut("F9")
    finish(held_runner)
    desk.walk_in.propose(desk.model.find_unit("B 1211 XYZ"), TODAY, TODAY)
    desk.walk_in.pick(HARTONO)
    desk.shortcut("F9")
    finish(held_runner)
    late.is_late = False
    desk.wait_for_asking()
    run_until(held_runner, lambda: desk.walk_in.is_sending)
    late.arrive()
    finish(held_runner)
    assert desk.walk_in.hold is not None
    assert desk.walk_in.hold.customer_name == HARTONO.customer.name
    assert desk.shell.toasts[-1] == "BK-10240 untuk Budi Santoso juga tertahan: batalkan?"
    assert desk.shell.undo is not None
    desk.shell.undo()
    finish(held_runner)
    assert late.cancelled == [("id-BK-10240", "")]


def request_of(desk: Desk) -> BookRequest:
    """What the drawer sent."""
    request = desk.walk_in._request()
    assert request is not None
    return request


def run_until(runner: HeldRunner, is_there: Callable[[], bool]) -> None:
    while not is_there():
        runner.go_on()


# --- several windows --------------------------------------------------------------------------------------------------


def test_two_windows_of_one_login_keep_their_own_drafts_over_a_kill_of_either(
    desk: Desk, qtbot: QtBot, tmp_path: Path, held_runner: HeldRunner
) -> None:
    fill(desk)
    desk.walk_in.save_draft()
    other = Desk(tmp_path, desk.counter)
    qtbot.addWidget(other.screen)
    finish(held_runner)
    assert other.walk_in.form.is_empty
    other.walk_in.pick(HARTONO)
    other.walk_in.save_draft()
    assert sorted(path.name for path in tmp_path.glob("*.json")) == ["walk_in-siti-1.json", "walk_in-siti-2.json"]
    other.die()
    again = Desk(tmp_path, desk.counter)
    qtbot.addWidget(again.screen)
    finish(held_runner)
    assert again.walk_in.form == other.walk_in.form
    assert again.walk_in.draft_count == 1
    again.die()
    desk.die()
    last = Desk(tmp_path, desk.counter)
    qtbot.addWidget(last.screen)
    finish(held_runner)
    assert last.walk_in.form == desk.walk_in.form
    assert last.walk_in.draft_count == 2
    assert last.walk_in._kept.newest() == other.walk_in.form
    last.screen.shut()
    again.screen.shut()
    other.screen.shut()


def test_a_killed_process_gives_its_slot_back(tmp_path: Path) -> None:
    holds = (
        "import pathlib, sys; from app.desktop.screens.walk_in_slot import DraftSlot;"
        "slot = DraftSlot(pathlib.Path(sys.argv[1]), 'siti'); print(slot.number, flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", holds, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline().strip() == "1"
    mine = DraftSlot(tmp_path, "siti")
    assert mine.number == 2
    other.kill()
    other.communicate()
    with mine.borrowed(1) as is_dead:
        assert is_dead
    mine.release()


def test_a_window_without_a_draft_offers_the_one_of_a_window_that_is_gone(
    desk: Desk, qtbot: QtBot, tmp_path: Path, held_runner: HeldRunner
) -> None:
    other = Desk(tmp_path, desk.counter)
    qtbot.addWidget(other.screen)
    finish(held_runner)
    other.walk_in.pick(HARTONO)
    other.walk_in.save_draft()
    other.die()
    desk.screen.shut()
    again = Desk(tmp_path, desk.counter)
    qtbot.addWidget(again.screen)
    finish(held_runner)
    assert again.walk_in.form == other.walk_in.form
    assert again.shell.toasts == ["Ada draf booking dari 14.05. Ctrl+N membukanya."]
    assert [path.name for path in tmp_path.glob("*.json")] == ["walk_in-siti-1.json"]
    again.screen.shut()
    other.screen.shut()
