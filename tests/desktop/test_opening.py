"""The first picture: painted with nothing of the program behind it, and what is typed at it is not lost."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.app_window import AppWindow
from app.desktop.application import CounterApplication, Prepared
from app.desktop.opening import Opening, open_window
from app.desktop.settings_store import SettingsStore
from app.desktop.start import DemoLogin
from app.domain.errors import Refusal, RefusalCode
from tests.desktop.runners import HeldRunner

PAINT_ONLY = """
import sys
from PySide6.QtWidgets import QApplication
from app.desktop.main import main
from app.desktop import opening
app = QApplication([])
window = opening.AppWindow()
opening.open_window(window)
names = ("redis", "psycopg", "sqlalchemy", "numpy", "pydantic", "asyncio", "qasync", "app.desktop.main_window")
print([name for name in names if name in sys.modules])
"""


class NoServers:
    """What start.py would answer, for a login nobody gets through."""

    demo: tuple[DemoLogin, ...] = ()
    is_private = False
    server: tuple[str, int | None] = ("", None)

    def sign_in(self, login: str, password: str) -> object:
        raise Refusal(RefusalCode.NOT_ALLOWED)

    def leave(self) -> None:
        return None


def no_servers() -> Prepared:
    return NoServers()


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppWindow:
    monkeypatch.setenv("SENTRA_DATA_DIR", str(tmp_path))
    made = AppWindow()
    qtbot.addWidget(made)
    return made


def colour_at(opening: Opening, x: int, y: int) -> str:
    return opening.grab().toImage().pixelColor(x, y).name().upper()


def test_nothing_of_the_program_is_imported_before_the_first_picture(tmp_path: Path) -> None:
    environment = {"QT_QPA_PLATFORM": "offscreen", "SENTRA_DATA_DIR": str(tmp_path), "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", PAINT_ONLY], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout.strip() == "[]"


def test_the_first_picture_has_the_logins_areas(window: AppWindow) -> None:
    opening = open_window(window)
    assert window.isVisible()
    assert [colour_at(opening, x, y) for x, y in ((9, 9), (9, 39), (9, 300), (519, 300), (900, 300))] == [
        "#FFFFFF",
        "#E1E5EA",
        "#FFFFFF",
        "#C6CDD6",
        "#F1F3F6",
    ]


def test_the_first_picture_is_dark_where_the_counter_was_dark(window: AppWindow, tmp_path: Path) -> None:
    (tmp_path / "counter.json").write_text(json.dumps({"theme": "dark"}))
    opening = open_window(window)
    assert opening.grab().toImage().pixelColor(900, 300).lightness() < 60


@pytest.mark.parametrize("memory", ["", "[]", "{", '{"theme": 7}'])
def test_a_damaged_memory_opens_light(window: AppWindow, tmp_path: Path, memory: str) -> None:
    (tmp_path / "counter.json").write_text(memory)
    assert colour_at(open_window(window), 900, 300) == "#F1F3F6"


def test_what_is_typed_at_the_first_picture_stands_in_the_login(
    window: AppWindow, qapp: QApplication, tmp_path: Path, held_runner: HeldRunner
) -> None:
    opening = open_window(window)
    opening.setFocus()
    QTest.keyClicks(opening, "siti")
    QTest.keyClick(opening, Qt.Key.Key_Backspace)
    QTest.keyClick(opening, Qt.Key.Key_Tab)
    QTest.keyClicks(opening, "x y")
    counter = CounterApplication(qapp, SettingsStore(tmp_path), prepare=no_servers, window=window)
    counter.show()
    opening.hand_over()
    assert window.pages().currentWidget() is counter.login
    assert counter.login.login_field.text() == "sit"
    assert counter.login.password.text() == "x y"
