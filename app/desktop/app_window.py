"""The one top-level window: login or shell inside; on closing, a screen may first give back what it holds.

It is painted before anything else of the program is imported, so it knows of the others only what it asks of them.
"""

from typing import Protocol, cast

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.desktop.leaving import Leaving, LeftScreen

SIZE = (1366, 700)
SMALLEST = (900, 440)


class Shell(Protocol):
    """The widget with all screens of whoever is logged in."""

    def current(self) -> LeftScreen | None: ...

    def retitle(self) -> None: ...

    def close_screens(self) -> None: ...

    def deleteLater(self) -> None: ...


class AppWindow(QWidget):
    """`closed` is emitted once, when the window is really gone.

    No QMainWindow: it would animate its first layout, which costs more than the first picture.
    """

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._pages = QStackedWidget()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._pages)
        self.setWindowTitle("Sentra Rental Counter")
        self.setMinimumSize(*SMALLEST)
        self.resize(*SIZE)
        self._shell: Shell | None = None
        self._may_close = False
        self._leaving = Leaving(self._close_now, self)

    def pages(self) -> QStackedWidget:
        """Opening, login and shell, one of them in front."""
        return self._pages

    def shell(self) -> Shell | None:
        """The shell of the person who is logged in, also while the screen is locked."""
        return self._shell

    def show_opening(self, opening: QWidget) -> None:
        """The very first picture; the login takes its place."""
        self._pages.addWidget(opening)

    def show_login(self, login: QWidget) -> None:
        """The login in front; a shell behind it stays as it is."""
        if self._pages.indexOf(login) < 0:
            self._pages.addWidget(login)
        self._pages.setCurrentWidget(login)
        self.setWindowTitle("Sentra Rental Counter")

    def show_shell(self, shell: Shell) -> None:
        """The shell in front; another one is thrown away."""
        if self._shell is not None and self._shell is not shell:
            self.drop_shell()
        page = cast(QWidget, shell)
        if self._pages.indexOf(page) < 0:
            self._pages.addWidget(page)
        self._shell = shell
        self._pages.setCurrentWidget(page)
        shell.retitle()

    def drop_shell(self) -> None:
        """Log-out: the shell and its screens are gone."""
        self._leaving.forget()
        if self._shell is not None:
            self._shell.close_screens()
            self._pages.removeWidget(cast(QWidget, self._shell))
            self._shell.deleteLater()
            self._shell = None

    def closeEvent(self, event: QCloseEvent) -> None:
        """A screen that holds a lock gives it back first, for 1.5 seconds at most; the lock ends by itself anyway. One
        that asks the person is waited for.
        """
        screen = self._shell.current() if self._shell is not None else None
        is_sure = self._may_close or self._leaving.is_waiting()  # closed once more: no longer waited for
        if screen is not None and not is_sure and not self._leaving.may_go(screen):
            event.ignore()
            return
        event.accept()
        self.closed.emit()

    def _close_now(self) -> None:
        self._may_close = True
        self.close()
