"""A person at a counter: the real window over the stage's servers, driven by keys as a hand would."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.bootstrap import Counter
from app.desktop.app_window import AppWindow
from app.desktop.screen import ScreenKey
from app.desktop.session import Session

PATIENCE_SECONDS = 10.0


class Actor:
    """One window with one logged-in person. Keys go to the widget that has the focus."""

    def __init__(self, counter: Counter, folder: Path, size: tuple[int, int]) -> None:
        self.counter = counter
        self.window = AppWindow()
        self.window.resize(*size)
        self.session = Session(counter, folder)
        self.window.show_shell(self.session.window)
        self.window.show()
        self.window.activateWindow()
        self.wait_until(self.window.isActiveWindow, "the window has the keys")
        self.session.begin()
        self.settle()

    @property
    def app(self) -> QApplication:
        app = QApplication.instance()
        if not isinstance(app, QApplication):
            raise TypeError("there is no application")
        return app

    def focus(self) -> QWidget:
        """Where the next key goes."""
        return self.app.focusWidget() or self.window

    def press(self, *keys: str) -> None:
        """Press keys by name (`F9`, `Return`, `Shift+Right`, `Ctrl+N`), one after the other."""
        for key in keys:
            *modifiers, name = key.split("+") if key != "+" else ["+"]
            held = Qt.KeyboardModifier.NoModifier
            for modifier in modifiers:
                held |= {
                    "Shift": Qt.KeyboardModifier.ShiftModifier,
                    "Ctrl": Qt.KeyboardModifier.ControlModifier,
                    "Alt": Qt.KeyboardModifier.AltModifier,
                }[modifier]
            code = Qt.Key.Key_Plus if name == "+" else Qt.Key[f"Key_{name}"]
            QTest.keyClick(self.focus(), code, held)
            self.settle()

    def type(self, text: str) -> None:
        """Type into the field that has the focus."""
        QTest.keyClicks(self.focus(), text)
        self.settle()

    def go(self, key: ScreenKey) -> None:
        self.session.window.go(key)
        self.settle()

    def settle(self, rounds: int = 6) -> None:
        """Let events and short timers run until the picture stands still."""
        for _ in range(rounds):
            self.app.processEvents()

    def wait_until(self, check: Callable[[], bool], what: str) -> None:
        """Process events until something is true; a scene that does not come about is an error."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not check():
            if time.monotonic() > end:
                raise TimeoutError(f"waited for {what}")
            QTest.qWait(20)
        self.settle()

    def wait(self, milliseconds: int) -> None:
        """Let a debounced search or re-read happen."""
        QTest.qWait(milliseconds)
        self.settle()

    def grab(self, path: Path) -> None:
        """Save what the window shows, without the pointer."""
        self.settle()
        self.window.grab().save(str(path))

    def point_away(self) -> None:
        QTest.mouseMove(self.window, QPoint(2, 2))

    def close(self) -> None:
        self.window.close()
        self.session.close()
        self.settle()
