"""Opening a cash shift: the float is typed, doubts are said in one place, the shift's facts are shown afterwards."""

import datetime as dt
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.shift_view import ShiftScreen
from app.desktop.screens.shift_viewmodel import ShiftViewModel, drawer_proposal
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from tests.desktop.runners import HeldRunner
from tests.desktop.shells import QuietShell


@dataclass(frozen=True)
class Shift:
    number: int
    drawer: str
    opening_float: Rupiah
    opened_at: dt.datetime


class Till:
    """Keeps one shift, as the database does."""

    def __init__(self) -> None:
        self.shift: Shift | None = None
        self.opened: list[tuple[str, int]] = []
        self.refusal: Refusal | None = None

    def current(self) -> Shift | None:
        return self.shift

    def open(self, drawer: str, opening_float: Rupiah) -> Shift:
        self.opened.append((drawer, opening_float))
        if self.refusal is not None:
            raise self.refusal
        at = dt.datetime(2026, 11, 30, 1, 2, tzinfo=dt.UTC)
        self.shift = Shift(number=214, drawer=drawer, opening_float=opening_float, opened_at=at)
        return self.shift


@pytest.fixture
def till() -> Till:
    return Till()


@pytest.fixture
def shell() -> QuietShell:
    return QuietShell()


def open_screen(
    qtbot: QtBot, till: Till, shell: QuietShell, roles: frozenset[str] = frozenset({"cashier"})
) -> ShiftScreen:
    model = ShiftViewModel(
        current_shift=till.current,
        open_shift=till.open,
        zone=ZoneInfo("Asia/Jakarta"),
        drawer="Kasir 1",
        roles=roles,
    )
    screen = ShiftScreen(model, shell)
    qtbot.addWidget(screen)
    with qtbot.waitExposed(screen):
        screen.show()
    screen.activateWindow()
    screen.activate()
    return screen


def test_the_float_is_typed_and_enter_opens_the_shift(qtbot: QtBot, till: Till, shell: QuietShell) -> None:
    screen = open_screen(qtbot, till, shell)
    assert screen.float_field.edit.hasFocus()
    QTest.keyClicks(screen.float_field.edit, "500rb")
    QTest.keyClick(screen.float_field.edit, Qt.Key.Key_Return)
    assert till.opened == [("Kasir 1", 500_000)]
    assert shell.toasts == ["Shift #214 dibuka"]
    assert shell.shift_refreshes == 1
    assert screen.facts() == ("Kasir 1", "08.02 WIB", "Rp\u00a0500.000")


def test_the_focus_stays_in_the_screen_when_the_form_goes(qtbot: QtBot, till: Till, shell: QuietShell) -> None:
    screen = open_screen(qtbot, till, shell)
    QTest.keyClicks(screen.float_field.edit, "500rb")
    QTest.keyClick(screen.float_field.edit, Qt.Key.Key_Return)
    assert QApplication.focusWidget() is screen


def test_opening_a_shift_takes_at_most_ten_keys(qtbot: QtBot, till: Till, shell: QuietShell) -> None:
    screen = open_screen(qtbot, till, shell)
    keys = "500000"
    QTest.keyClicks(screen.float_field.edit, keys)
    QTest.keyClick(screen.float_field.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert till.opened == [("Kasir 1", 500_000)]
    assert len(keys) + 1 <= 10


def test_an_empty_float_is_refused_naming_the_field(qtbot: QtBot, till: Till, shell: QuietShell) -> None:
    screen = open_screen(qtbot, till, shell)
    screen.open_button.click()
    assert till.opened == []
    assert screen.message().startswith("Modal awal bukan jumlah rupiah")
    assert screen.float_field.is_wrong()


def test_a_refusal_keeps_what_was_typed(qtbot: QtBot, till: Till, shell: QuietShell) -> None:
    till.refusal = Refusal(RefusalCode.DUPLICATE, field="drawer")
    screen = open_screen(qtbot, till, shell)
    QTest.keyClicks(screen.float_field.edit, "500000")
    screen.open_button.click()
    assert screen.message().startswith("Nama laci sudah ada.")
    assert screen.float_field.amount() == 500_000
    assert screen.drawer_field.edit.hasFocus()


def test_a_taken_drawer_says_who_has_it_since_when_and_the_red_goes_with_the_correction(
    qtbot: QtBot, till: Till, shell: QuietShell
) -> None:
    at = dt.datetime(2026, 11, 30, 7, 5, tzinfo=dt.UTC)
    till.refusal = Refusal(
        RefusalCode.DUPLICATE, field="drawer", drawer="Kasir 1", holder="Budi", number=2, opened_at=at
    )
    screen = open_screen(qtbot, till, shell)
    QTest.keyClicks(screen.float_field.edit, "500000")
    screen.open_button.click()
    assert screen.message() == "Laci Kasir 1 dipakai Budi, shift #2 sejak 14.05. Isi nama laci lain."
    assert screen.drawer_field.edit.selectedText() == "Kasir 1"
    QTest.keyClicks(screen.drawer_field.edit, "Kasir 2")
    assert screen.message() == ""
    assert not screen.drawer_field.is_wrong()
    till.refusal = None
    QTest.keyClick(screen.float_field.edit, Qt.Key.Key_Return)
    assert till.opened[-1] == ("Kasir 2", 500_000)


def test_two_people_at_one_counter_propose_different_drawers() -> None:
    assert drawer_proposal("vm", "Siti Rahayu") == "vm Siti"
    assert drawer_proposal("vm", "Budi") == "vm Budi"
    assert len(drawer_proposal("x" * 60, "Budi")) == 40


def test_without_the_cashier_role_the_button_says_why(qtbot: QtBot, till: Till, shell: QuietShell) -> None:
    screen = open_screen(qtbot, till, shell, frozenset({"agent"}))
    assert not screen.open_button.isEnabled()
    assert "peran Kasir" in screen.open_button.reason()
    assert screen.message().startswith("Hanya kasir yang bisa membuka shift")
    QTest.keyClicks(screen.float_field.edit, "500000")
    QTest.keyClick(screen.float_field.edit, Qt.Key.Key_Return)
    assert till.opened == []
    assert "peran Kasir" in screen.message()


def test_offline_it_refuses_and_keeps_the_entry(qtbot: QtBot, till: Till, shell: QuietShell) -> None:
    screen = open_screen(qtbot, till, shell)
    QTest.keyClicks(screen.float_field.edit, "500000")
    shell.online = False
    screen.connection_changed(False)
    QTest.keyClick(screen.float_field.edit, Qt.Key.Key_Return)
    assert till.opened == []
    assert "koneksi terputus" in screen.message()
    assert screen.float_field.amount() == 500_000


def test_five_presses_open_one_shift(qtbot: QtBot, till: Till, shell: QuietShell, held_runner: HeldRunner) -> None:
    screen = open_screen(qtbot, till, shell)
    held_runner.go_on()
    QTest.keyClicks(screen.float_field.edit, "500000")
    for _ in range(5):
        QTest.keyClick(screen.float_field.edit, Qt.Key.Key_Return)
    assert screen.open_button.text() == "Membuka shift…"
    while held_runner.waiting:
        held_runner.go_on()
    assert len(till.opened) == 1


def test_an_open_shift_is_shown_in_the_language_in_use(qtbot: QtBot, till: Till, shell: QuietShell) -> None:
    till.open("Kasir 1", Rupiah(1_250_000))
    screen = open_screen(qtbot, till, shell)
    use_language(Language.EN)
    QApplication.processEvents()
    assert screen.facts() == ("Kasir 1", "08:02 WIB", "Rp\u00a01,250,000")
