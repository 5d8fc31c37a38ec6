"""An order id belongs to one sent content: a known answer ends the draft, an unknown one is asked for first."""

import datetime as dt
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.desktop.screens.registry import Desk as RegistryDesk
from app.desktop.screens.registry import screen_entries
from app.desktop.screens.walk_in_form import Stage
from app.domain.booking import BookingState
from app.domain.errors import Refusal, RefusalCode
from app.usecases.rows import CustomerHit
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import BUDI, HARTONO, FakeCounter
from tests.desktop.calendar_samples import TODAY
from tests.desktop.runners import HeldRunner
from tests.desktop.shells import QuietShell


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def draft_file(folder: Path) -> Path:
    return folder / "walk_in-siti-1.json"


def fill(desk: Desk, phone: str = "081234567890") -> None:
    desk.shortcut("F3")
    desk.type(phone)
    desk.wait_for_search()
    desk.press(Qt.Key.Key_Return)
    desk.type("ava")
    desk.press(Qt.Key.Key_Return)
    desk.press(Qt.Key.Key_Return)
    desk.type("3")


def lose_the_answer(desk: Desk) -> str:
    """Hold, and let the line break before the answer; answers the id that was sent."""
    desk.counter.bookings.lose_answer = True
    desk.shortcut("F9")
    assert desk.walk_in.stage is Stage.FORM
    assert desk.walk_in.form.was_sent
    return desk.walk_in.form.order_id


def again(desk: Desk, qtbot: QtBot, folder: Path) -> Desk:
    """The program was killed and started again on the same folder."""
    desk.die()
    made = Desk(folder, desk.counter)
    qtbot.addWidget(made.screen)
    return made


# --- a known answer ends the draft ------------------------------------------------------------------------------------


@pytest.mark.parametrize("afterwards", ["esc", "f9", "leave", "typing", "shut"])
def test_after_a_hold_no_way_brings_the_draft_back(desk: Desk, tmp_path: Path, afterwards: str) -> None:
    fill(desk)
    sent = desk.walk_in.form.order_id
    desk.shortcut("F9")
    match afterwards:
        case "esc":
            desk.screen.escape()
        case "f9":
            desk.shortcut("F9")
        case "leave":
            desk.screen.leave()
        case "typing":
            desk.walk_in.set_days(9)
            desk.walk_in.save_draft()
        case "shut":
            desk.screen.shut()
    assert not draft_file(tmp_path).exists()
    assert desk.walk_in.form.order_id != sent
    assert desk.walk_in.form.is_empty


def test_the_next_customer_gets_an_empty_drawer_a_new_order_and_a_booking_of_his_own(
    desk: Desk, qtbot: QtBot, tmp_path: Path
) -> None:
    fill(desk)
    desk.shortcut("F9")
    hold = desk.walk_in.hold
    assert hold is not None
    desk.counter.bookings.set_state(hold.booking_id, BookingState.PAID_APPROVED)
    desk.walk_in.note_change(hold.booking_id)
    desk.screen.escape()
    restarted = again(desk, qtbot, tmp_path)
    assert restarted.shell.toasts == []
    restarted.shortcut("Ctrl+N")
    assert restarted.walk_in.form.is_empty
    fill(restarted, "081234567811")
    restarted.shortcut("F9")
    first, second = restarted.counter.bookings.requests
    assert first.order_id != second.order_id
    assert restarted.walk_in.hold is not None
    assert restarted.walk_in.hold.customer_name == HARTONO.customer.name
    assert restarted.walk_in.hold.number == "BK-10241"
    restarted.screen.shut()


def test_coming_back_to_the_calendar_asks_what_became_of_the_hold(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F9")
    hold = desk.walk_in.hold
    assert hold is not None
    desk.counter.bookings.set_state(hold.booking_id, BookingState.PAID_APPROVED)
    desk.screen.activate()
    assert desk.walk_in.stage is Stage.PAID


# --- an unknown answer is asked for -----------------------------------------------------------------------------------


def test_an_unknown_answer_is_shown_as_the_hold_it_was_when_nothing_changed(desk: Desk, tmp_path: Path) -> None:
    fill(desk)
    lose_the_answer(desk)
    desk.shortcut("F9")
    assert desk.walk_in.hold is not None
    assert desk.walk_in.hold.number == "BK-10240"
    assert len(desk.counter.bookings.requests) == 1
    assert not draft_file(tmp_path).exists()


def test_an_unknown_answer_that_was_paid_meanwhile_is_never_shown_as_waiting_for_payment(desk: Desk) -> None:
    fill(desk)
    sent = lose_the_answer(desk)
    booked, _ = desk.counter.bookings.orders[sent]
    desk.counter.bookings.set_state(booked.bookings[0].id, BookingState.PAID_APPROVED)
    desk.shortcut("F9")
    assert desk.walk_in.stage is Stage.PAID


def test_changed_after_an_unknown_answer_the_old_booking_is_told_and_the_new_content_gets_a_new_id(desk: Desk) -> None:
    fill(desk)
    sent = lose_the_answer(desk)
    desk.walk_in.pick(HARTONO)
    desk.shortcut("F9")
    assert desk.walk_in.stage is Stage.FORM
    assert "BK-10240" in desk.screen.panel.form.message.text()
    assert BUDI.customer.name in desk.screen.panel.form.message.text()
    assert desk.walk_in.form.customer_name == HARTONO.customer.name
    assert desk.walk_in.form.order_id != sent
    desk.shortcut("F9")
    assert desk.walk_in.hold is not None
    assert desk.walk_in.hold.customer_name == HARTONO.customer.name
    assert len({request.order_id for request in desk.counter.bookings.requests}) == 2


def test_changed_after_a_send_that_never_arrived_a_new_id_is_sent(desk: Desk) -> None:
    fill(desk)
    desk.counter.branch.away = True
    desk.walk_in.book()
    sent = desk.walk_in.form.order_id
    desk.counter.branch.away = False
    desk.walk_in.set_days(5)
    desk.shortcut("F9")
    assert desk.counter.bookings.requests == []
    assert "kiriman sebelumnya" in desk.screen.panel.form.message.text()
    desk.wait_for_asking()
    (request,) = desk.counter.bookings.requests
    assert request.order_id != sent
    assert request.lines[0].period.count == 5


def test_what_is_made_of_a_refused_wish_is_the_same_order(desk: Desk) -> None:
    fill(desk)
    unit = desk.model.find_unit("B 1200 XYZ")
    assert unit is not None
    desk.walk_in.set_unit(unit.unit.id)
    desk.walk_in.set_days(6)
    desk.walk_in.book()
    refused = desk.counter.bookings.requests[0].order_id
    desk.walk_in.set_days(2)
    desk.walk_in.book()
    assert desk.counter.bookings.requests[1].order_id == refused
    assert desk.walk_in.stage is Stage.HELD


def ask_for(desk: Desk, hit: CustomerHit, plate: str, length: int, first: int = 0) -> str:
    """The drawer's form for this customer and unit, sent; answers the id that went out."""
    desk.walk_in.pick(hit)
    begin = TODAY + dt.timedelta(days=first)
    desk.walk_in.propose(desk.model.find_unit(plate), begin, begin + dt.timedelta(days=length - 1))
    desk.walk_in.book()
    return desk.counter.bookings.requests[-1].order_id


@pytest.mark.parametrize(
    ("hit", "first", "is_same"), [(BUDI, 0, True), (HARTONO, 0, False), (BUDI, 30, False)], ids=["same", "who", "when"]
)
def test_a_refused_customer_who_asks_again_makes_one_wish_and_one_order(
    desk: Desk, hit: CustomerHit, first: int, *, is_same: bool
) -> None:
    refused = ask_for(desk, BUDI, "B 1200 XYZ", 6)
    assert desk.walk_in.stage is Stage.FORM
    desk.walk_in.clear()
    assert desk.walk_in.form.order_id != refused
    booked = ask_for(desk, hit, "B 1200 XYZ", 2, first)
    assert desk.walk_in.stage is Stage.HELD
    assert (booked == refused) is is_same
    desk.walk_in.clear()
    another = ask_for(desk, BUDI, "B 1200 XYZ", 1, 3)
    assert desk.walk_in.stage is Stage.HELD, "what is booked is nobody's wish any more"
    assert another != booked


def test_a_refused_order_that_waits_in_the_pile_stays_its_own(desk: Desk) -> None:
    refused = ask_for(desk, BUDI, "B 1200 XYZ", 6)
    assert desk.walk_in.put_aside()
    assert ask_for(desk, BUDI, "B 1200 XYZ", 2) != refused
    desk.walk_in.take_up(refused)
    assert desk.walk_in.form.order_id == refused


def test_a_refused_price_does_not_pass_for_the_missing_answer(desk: Desk) -> None:
    fill(desk)
    lose_the_answer(desk)
    desk.walk_in.refused.emit(Refusal(RefusalCode.NOT_FOUND, field="sku"))
    assert desk.walk_in.form.was_sent


def test_an_id_that_belongs_to_another_order_is_refused_in_words_and_renewed(desk: Desk) -> None:
    fill(desk)
    first = desk.walk_in.form
    desk.shortcut("F9")
    desk.walk_in.clear()
    fill(desk, "081234567811")
    desk.walk_in.form = replace(desk.walk_in.form, order_id=first.order_id)
    desk.shortcut("F9")
    assert desk.walk_in.stage is Stage.FORM
    assert desk.walk_in.hold is None
    assert "booking lain" in desk.screen.panel.form.message.text()
    desk.shortcut("F9")
    assert desk.walk_in.hold is not None
    assert desk.walk_in.hold.customer_name == HARTONO.customer.name


# --- after a restart --------------------------------------------------------------------------------------------------


def test_an_old_draft_that_was_booked_is_told_and_deleted(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    fill(desk)
    sent = lose_the_answer(desk)
    written = json.loads(draft_file(tmp_path).read_text(encoding="utf-8"))
    del written["fields"]["sent_content"]
    draft_file(tmp_path).write_text(json.dumps(written), encoding="utf-8")
    restarted = again(desk, qtbot, tmp_path)
    assert restarted.shell.toasts == ["BK-10240 sudah ditahan untuk Budi Santoso."]
    assert not draft_file(tmp_path).exists()
    assert restarted.walk_in.form.is_empty
    assert restarted.walk_in.form.order_id != sent
    restarted.screen.shut()


def test_an_old_draft_that_was_paid_says_so(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    fill(desk)
    sent = lose_the_answer(desk)
    booked, _ = desk.counter.bookings.orders[sent]
    desk.counter.bookings.set_state(booked.bookings[0].id, BookingState.PAID_APPROVED)
    restarted = again(desk, qtbot, tmp_path)
    assert restarted.shell.toasts == ["BK-10240 untuk Budi Santoso sudah tersimpan: Dibayar."]
    assert not draft_file(tmp_path).exists()
    restarted.screen.shut()


def test_an_old_draft_that_never_arrived_is_offered_as_a_draft(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    fill(desk)
    desk.counter.branch.away = True
    desk.walk_in.book()
    desk.counter.branch.away = False
    restarted = again(desk, qtbot, tmp_path)
    assert restarted.shell.toasts == []
    restarted.wait_for_asking()
    assert restarted.shell.toasts == ["Ada draf booking dari 14.05. Ctrl+N membukanya."]
    assert not restarted.walk_in.form.was_sent
    assert restarted.walk_in.form.customer_name == "Budi Santoso"
    restarted.screen.shut()


def test_an_old_draft_waits_for_the_server_and_is_asked_for_when_it_is_back(
    desk: Desk, qtbot: QtBot, tmp_path: Path
) -> None:
    fill(desk)
    lose_the_answer(desk)
    desk.counter.branch.away = True
    restarted = again(desk, qtbot, tmp_path)
    restarted.screen.connection_changed(False)
    assert restarted.walk_in.form.was_sent
    desk.counter.branch.away = False
    restarted.screen.connection_changed(True)
    assert restarted.shell.toasts == ["BK-10240 sudah ditahan untuk Budi Santoso."]
    assert not draft_file(tmp_path).exists()
    restarted.screen.shut()


def test_drafts_lie_in_the_data_folders_drafts(qtbot: QtBot, tmp_path: Path) -> None:
    fake = FakeCounter()
    reads = SimpleNamespace(
        now=fake.server_now,
        order=fake.bookings.find_order,
        booking=fake.bookings.find_booking,
    )
    counter = SimpleNamespace(
        calendar=fake.calendar,
        bookings=fake.bookings,
        customers=SimpleNamespace(
            find_customers=fake.customers.find_customers, save_customer=None, find_by_identity=None
        ),
        approvals=SimpleNamespace(approve=None),
        rates=SimpleNamespace(extras=lambda _branch: (), discount_limit=lambda: 10, undriven_skus=frozenset),
        changes_of_bookings=fake.changes_of_bookings,
        maintenance=fake.maintenance,
        waitlist=fake.waitlist,
        demand=fake.demand,
        settlement=fake.settlement,
        holidays=SimpleNamespace(holidays=lambda _window, _language="id": ()),
        who=fake.who,
        contracts=None,
        new_id=str,
        counter_name="Kasir 1",
        store=SimpleNamespace(read=reads),
    )
    made = screen_entries()[0].make(
        RegistryDesk(counter=counter, shell=QuietShell(), feed=None, folder=tmp_path)  # type: ignore[arg-type]
    )
    qtbot.addWidget(made)
    made.show()
    made.activate()
    made.walk_in.type_customer("0812")  # type: ignore[attr-defined]
    made.leave()
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.json")] == ["drafts/walk_in-siti-1.json"]
    made.shut()


# --- several drafts ---------------------------------------------------------------------------------------------------


def test_enter_on_new_days_with_a_draft_asks_whose_it_is(desk: Desk) -> None:
    fill(desk)
    desk.screen.escape()
    desk.stand_on("B 1211 XYZ", 2)
    desk.press(Qt.Key.Key_Return)
    choice = desk.screen.panel.choice
    assert choice.isVisible()
    assert desk.screen.focusWidget() is choice.continue_button
    assert choice.continue_button.text() == "Lanjutkan draf Budi Santoso"
    assert desk.walk_in.form.unit_id is None


def test_going_on_with_the_draft_takes_the_new_days_and_never_stands_in_the_days_field(desk: Desk) -> None:
    fill(desk)
    desk.screen.escape()
    desk.stand_on("B 1211 XYZ", 2)
    desk.press(Qt.Key.Key_Return)
    desk.press(Qt.Key.Key_Return)
    assert desk.walk_in.form.customer_name == "Budi Santoso"
    assert desk.walk_in.form.unit_id == desk.unit("B 1211 XYZ")
    assert desk.walk_in.form.days == 1
    assert desk.screen.focusWidget() is desk.screen.panel.primary


@pytest.mark.parametrize("way", ["button", "typing"])
def test_beginning_anew_keeps_the_draft_until_the_new_one_is_held(
    desk: Desk, qtbot: QtBot, tmp_path: Path, way: str
) -> None:
    fill(desk)
    kept = desk.walk_in.form
    desk.screen.escape()
    desk.stand_on("B 1211 XYZ", 2)
    desk.press(Qt.Key.Key_Return)
    if way == "button":
        desk.press(Qt.Key.Key_Down)
        desk.press(Qt.Key.Key_Return)
    desk.type("081234567811")
    assert desk.screen.focusWidget() is desk.screen.panel.form.customer.edit
    assert desk.walk_in.form.customer_text == "0812-3456-7811"
    assert desk.walk_in.form.order_id != kept.order_id
    desk.walk_in.save_draft()
    killed = again(desk, qtbot, tmp_path)
    assert killed.walk_in.draft_count == 2
    killed.screen.shut()
    desk.wait_for_search()
    desk.press(Qt.Key.Key_Return)
    desk.shortcut("F9")
    assert desk.walk_in.stage is Stage.HELD
    desk.screen.escape()
    assert desk.shell.facts["drafts"] == "1 draf"
    desk.shortcut("Ctrl+N")
    assert desk.walk_in.form.customer_name == "Budi Santoso"
    assert desk.walk_in.form.order_id == kept.order_id


def test_emptying_the_new_one_brings_the_kept_draft_back(desk: Desk) -> None:
    fill(desk)
    desk.screen.escape()
    desk.stand_on("B 1211 XYZ", 2)
    desk.press(Qt.Key.Key_Return)
    desk.press(Qt.Key.Key_Down)
    desk.press(Qt.Key.Key_Return)
    desk.type("08")
    desk.screen.panel.clear_button.click()
    assert desk.walk_in.form.customer_name == "Budi Santoso"
    assert desk.walk_in.draft_count == 1


def test_esc_leaves_the_question_and_everything_as_it_was(desk: Desk) -> None:
    fill(desk)
    before = desk.walk_in.form
    desk.screen.escape()
    desk.stand_on("B 1211 XYZ", 2)
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.escape()
    assert not desk.screen.panel.choice.isVisible()
    assert desk.walk_in.form == before
    assert desk.screen.focusWidget() is desk.screen.grid


def test_days_without_a_draft_ask_for_the_customer_at_once(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 2)
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.focusWidget() is desk.screen.panel.form.customer.edit


def test_erasing_what_was_typed_deletes_its_draft(desk: Desk, tmp_path: Path) -> None:
    desk.shortcut("F3")
    desk.type("0812")
    desk.walk_in.save_draft()
    assert draft_file(tmp_path).exists()
    desk.walk_in.type_customer("")
    desk.walk_in.save_draft()
    assert not draft_file(tmp_path).exists()


# --- the focus --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["mouse", "key"])
def test_while_the_unit_is_being_held_the_focus_stays_and_then_stands_on_paying(
    desk: Desk, held_runner: HeldRunner, by: str
) -> None:
    while held_runner.waiting:
        held_runner.go_on()
    beside = QPushButton("user menu", desk.screen)
    beside.show()
    desk.walk_in.propose(desk.model.find_unit("B 1200 XYZ"), TODAY, TODAY)
    desk.walk_in.pick(BUDI)
    desk.screen.drawer.open_panel()
    panel = desk.screen.panel
    if by == "mouse":
        panel.primary.setFocus(Qt.FocusReason.MouseFocusReason)
        panel.primary.click()
    else:
        desk.shortcut("F9")
    assert not panel.primary.isEnabled()
    while held_runner.waiting:
        assert desk.screen.focusWidget() is not beside
        held_runner.go_on()
    assert desk.walk_in.stage is Stage.HELD
    assert panel.primary.text() == "Bayar"
    assert desk.screen.focusWidget() is panel.primary


def test_after_letting_the_unit_go_the_focus_stands_on_holding_again(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F9")
    desk.screen.panel.release_button.setFocus()
    desk.screen.panel.release_button.click()
    assert desk.walk_in.stage is Stage.FORM
    assert desk.screen.focusWidget() is desk.screen.panel.primary


def test_ctrl_n_from_a_filled_form_is_the_next_customers(desk: Desk) -> None:
    """After a hold was let go its form stands there again: the next phone number must not end in it."""
    fill(desk)
    typed = desk.walk_in.form
    assert desk.screen.panel.isAncestorOf(desk.screen.focusWidget())
    desk.shortcut("Ctrl+N")
    assert desk.walk_in.form.customer_id is None
    assert desk.walk_in.form.order_id != typed.order_id
    assert [kept.order_id for kept in desk.walk_in.kept_forms()] == [typed.order_id]
    assert desk.screen.focusWidget() is desk.screen.panel.form.customer.edit


def test_a_managers_password_is_never_shown_to_the_next_one(desk: Desk) -> None:
    word = desk.screen.panel.approval
    word.password.eye.setChecked(True)
    word.password.set_text("")
    assert word.password.edit.echoMode() is QLineEdit.EchoMode.Password
    assert word.password.eye.focusPolicy() is Qt.FocusPolicy.NoFocus
