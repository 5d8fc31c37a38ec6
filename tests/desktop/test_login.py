"""Logging in: tiles, typed names, wrong passwords, Caps Lock, the pause, and the way through it with the keyboard."""

import datetime as dt
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.login_view import LoginView
from app.desktop.screens.login_viewmodel import PAUSE_SECONDS, LoginPerson, LoginViewModel
from app.domain.errors import Refusal, RefusalCode
from tests.desktop.runners import HeldRunner

SITI = LoginPerson(login="siti", name="Siti", roles=("agent", "cashier"), was_here=True)
AYU = LoginPerson(login="ayu", name="Ayu", roles=("agent",), demo_password="contoh-ayu")
MAYA = LoginPerson(login="maya", name="Maya", roles=("manager",))
ADE = LoginPerson(login="ade", name="Ade", roles=("agent",))
PEOPLE = (SITI, AYU, MAYA)


class Door:
    """Knows one password and what was tried."""

    def __init__(self) -> None:
        self.tried: list[tuple[str, str]] = []
        self.reachable = True

    def sign_in(self, login: str, password: str) -> object:
        self.tried.append((login, password))
        if not self.reachable:
            raise Refusal(RefusalCode.UNREACHABLE)
        if password != "benar":
            raise Refusal(RefusalCode.NOT_ALLOWED)
        return f"session of {login}"


@pytest.fixture
def door() -> Door:
    return Door()


def open_login(qtbot: QtBot, door: Door, people: tuple[LoginPerson, ...] = PEOPLE) -> LoginView:
    view = LoginView(LoginViewModel(door.sign_in, people), branch="Cabang Jakarta", counter="Kasir 1")
    view.resize(1366, 656)
    qtbot.addWidget(view)
    with qtbot.waitExposed(view):
        view.show()
    view.activateWindow()
    view.focus_first()
    return view


def test_a_chosen_person_types_the_password_and_enter_is_enough(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door)
    sessions: list[object] = []
    view.model.signed_in.connect(sessions.append)
    assert view.password.edit.hasFocus()
    QTest.keyClicks(view.password.edit, "benar")
    QTest.keyClick(view.password.edit, Qt.Key.Key_Return)
    assert sessions == ["session of siti"]
    assert door.tried == [("siti", "benar")]


def test_arrows_in_the_empty_password_choose_another_person(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door)
    QTest.keyClick(view.password.edit, Qt.Key.Key_Right)
    assert view.model.chosen == AYU
    assert view.password.edit.hasFocus()
    assert view.password.name() == "Kata sandi Ayu"


def test_typing_a_letter_on_the_tiles_finds_the_name(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door)
    view.tiles.tiles[0].setFocus()
    QTest.keyClick(view.tiles.tiles[0], Qt.Key.Key_M)
    assert view.model.chosen == MAYA


def keys(text: str) -> None:
    """Each key goes to what has the focus then, as from a keyboard."""
    for sign in text:
        focus = QApplication.focusWidget()
        assert focus is not None
        QTest.keyClicks(focus, sign)


def test_on_a_first_start_the_login_enter_and_the_password_are_enough(qtbot: QtBot, door: Door) -> None:
    first = tuple(replace(person, was_here=False) for person in (*PEOPLE, ADE))
    view = open_login(qtbot, door, first)
    assert view.tiles.has_focus()
    assert view.hint() == "pilih orang, atau ketik namanya; Enter ke kata sandi"
    keys("ade\r")
    assert view.model.chosen is not None
    assert view.model.chosen.login == "ade"
    assert view.password.edit.hasFocus()
    keys("benar\r")
    assert door.tried == [("ade", "benar")]


def test_a_name_is_found_by_its_login_too(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door, (AYU, LoginPerson(login="kas2", name="Made", roles=("cashier",))))
    keys("kas2")
    assert view.model.chosen is not None
    assert view.model.chosen.name == "Made"


def test_the_same_letter_again_steps_to_the_next_name_with_it(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door, (AYU, ADE))
    keys("a")
    assert view.model.chosen == ADE
    keys("a")
    assert view.model.chosen == AYU


def test_letters_that_begin_no_name_choose_nobody_and_are_shown_nowhere(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door, (AYU, MAYA))
    keys("zq")
    assert view.model.chosen == AYU
    assert view.message().startswith("Tidak ada nama seperti itu di sini.")
    assert view.login_field.text() == view.password.text() == ""


def test_who_was_here_before_types_the_password_at_once_and_is_told_how_to_change(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door)
    assert view.password.edit.hasFocus()
    assert view.hint() == "ganti orang selagi kata sandi kosong, atau Shift+Tab"
    QTest.keyClick(view.password.edit, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert view.tiles.has_focus()
    keys("may\r")
    assert view.model.chosen == MAYA
    assert view.password.edit.hasFocus()


def test_a_press_on_a_tile_goes_to_its_password(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door)
    QTest.mouseClick(view.tiles.tiles[2], Qt.MouseButton.LeftButton)
    assert view.model.chosen == MAYA
    assert view.password.edit.hasFocus()


def test_what_is_typed_while_the_servers_start_stays_when_the_tiles_arrive(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door, ())
    view.model.set_ready(False)
    keys("si")
    view.show_people(PEOPLE)
    view.model.set_ready(True)
    keys("ti\rbenar\r")
    assert door.tried == [("siti", "benar")]


def test_a_password_being_typed_stays_when_the_tiles_arrive(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door, (SITI,))
    view.model.set_ready(False)
    keys("ben")
    view.show_people(PEOPLE)
    view.model.set_ready(True)
    keys("ar\r")
    assert door.tried == [("siti", "benar")]


def test_tries_are_counted_only_after_a_wrong_one(qtbot: QtBot, door: Door) -> None:
    assert open_login(qtbot, door).tries() == ""


def test_the_heading_has_no_day_until_the_server_told_it(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door)
    assert view.subtitle() == "Cabang Jakarta · Kasir 1"
    view.show_day(dt.date(2026, 11, 30))
    assert view.subtitle() == "Cabang Jakarta · Kasir 1 · Senin, 30 November 2026"


def test_somebody_else_types_the_login(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door)
    QTest.mouseClick(view.tiles.tiles[-1], Qt.MouseButton.LeftButton)
    assert view.login_field.isVisible()
    assert view.login_field.edit.hasFocus()
    QTest.keyClicks(view.login_field.edit, " dedi ")
    QTest.keyClick(view.login_field.edit, Qt.Key.Key_Return)
    assert view.password.edit.hasFocus()
    QTest.keyClicks(view.password.edit, "benar")
    QTest.mouseClick(view.enter, Qt.MouseButton.LeftButton)
    assert door.tried == [("dedi", "benar")]


def test_without_remembered_people_only_the_fields_are_shown(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door, ())
    assert not view.tiles.isVisible()
    assert view.login_field.edit.hasFocus()


def test_a_wrong_password_is_said_counted_and_selected(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door)
    QTest.keyClicks(view.password.edit, "salah")
    QTest.keyClick(view.password.edit, Qt.Key.Key_Return)
    assert "tidak cocok" in view.message()
    assert view.tries() == "Percobaan 2 dari 5"
    assert view.password.edit.selectedText() != ""
    assert view.password.is_wrong()


def test_an_unreachable_server_is_not_a_wrong_password(qtbot: QtBot, door: Door) -> None:
    door.reachable = False
    view = open_login(qtbot, door)
    QTest.keyClicks(view.password.edit, "benar")
    QTest.keyClick(view.password.edit, Qt.Key.Key_Return)
    assert "Server tidak terjangkau" in view.message()
    assert view.model.wrong_tries == 0
    assert view.password.text() == "benar"


def test_five_wrong_passwords_rest_for_half_a_minute(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door)
    for _ in range(8):
        view.password.edit.setText("salah")
        view.submit()
    assert len(door.tried) == 5
    assert not view.enter.isEnabled()
    assert view.enter.reason() == f"Tunggu {PAUSE_SECONDS} detik."
    for _ in range(PAUSE_SECONDS):
        view.model.pause_step()
    assert view.enter.isEnabled()
    view.password.edit.setText("benar")
    view.submit()
    assert len(door.tried) == 6


def test_an_empty_password_is_not_sent(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door)
    view.submit()
    assert door.tried == []
    assert view.message() == "Kata sandi belum diisi. Perbaiki, lalu coba lagi."
    assert view.model.wrong_tries == 0


def test_five_presses_try_once(qtbot: QtBot, door: Door, held_runner: HeldRunner) -> None:
    view = open_login(qtbot, door)
    QTest.keyClicks(view.password.edit, "benar")
    for _ in range(5):
        QTest.keyClick(view.password.edit, Qt.Key.Key_Return)
    assert not view.enter.isEnabled()
    assert view.enter.text() == "Memeriksa…"
    held_runner.go_on()
    assert door.tried == [("siti", "benar")]


def test_nothing_is_tried_before_the_servers_are_ready(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door)
    view.model.set_ready(False)
    QTest.keyClicks(view.password.edit, "benar")
    QTest.keyClick(view.password.edit, Qt.Key.Key_Return)
    assert door.tried == []
    assert view.enter.reason() == "Server sedang disiapkan."


@pytest.mark.parametrize(
    ("letter", "shift", "on"), [("A", False, True), ("a", False, False), ("a", True, True), ("A", True, False)]
)
def test_caps_lock_is_learnt_from_what_is_typed(qtbot: QtBot, door: Door, letter: str, shift: bool, on: bool) -> None:
    view = open_login(qtbot, door)
    modifier = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(view.password.edit, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_A, modifier, letter))
    assert view.caps_warning() == ("Caps Lock menyala" if on else "")


def test_the_password_is_hidden_until_the_eye_is_pressed(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door)
    assert view.password.edit.echoMode() == QLineEdit.EchoMode.Password
    view.password.eye.click()
    assert view.password.edit.echoMode() == QLineEdit.EchoMode.Normal


def test_another_person_starts_with_an_empty_password(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door)
    QTest.keyClicks(view.password.edit, "benar")
    QTest.mouseClick(view.tiles.tiles[1], Qt.MouseButton.LeftButton)
    assert view.password.text() == ""


def test_only_demo_people_have_their_password_shown(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door)
    assert view.demo_note() == ""
    view.model.choose(AYU)
    assert "contoh-ayu" in view.demo_note()


def test_tab_goes_in_reading_order(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door)
    view.tiles.tiles[0].setFocus()
    order: list[QWidget | None] = [QApplication.focusWidget()]
    for _ in range(5):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        order.append(QApplication.focusWidget())
    side = view.side
    chosen = [cell for cell in side.findChildren(QAbstractButton) if cell.isCheckable() and cell.isChecked()]
    assert order == [view.tiles.tiles[0], view.password.edit, view.password.eye, view.enter, *chosen]


def test_every_focusable_widget_has_a_name(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door)
    nameless = [
        widget
        for widget in view.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and widget.isVisible()
        and not widget.accessibleName()
        and widget.focusProxy() is None
    ]
    assert nameless == []


def test_the_tiles_keep_the_focus_when_the_language_changes(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door, (AYU, MAYA))
    assert view.tiles.has_focus()
    use_language(Language.EN)
    QApplication.processEvents()
    assert view.tiles.has_focus()


def test_a_refusal_stays_said_in_the_other_language(qtbot: QtBot, door: Door) -> None:
    view = open_login(qtbot, door)
    keys("salah\r")
    use_language(Language.EN)
    QApplication.processEvents()
    assert view.message() == "Login and password do not match. Check Caps Lock, then type the password again."
    assert view.password.is_wrong()
