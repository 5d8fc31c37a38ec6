"""The one top-level window: login or shell inside; on closing, a screen may first give back what it holds."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from app.desktop.icons import app_icon
from app.desktop.main_window import MainWindow

SIZE = (1366, 700)
SMALLEST = (900, 440)
CLOSE_WITHIN_MS = 1500


class AppWindow(QMainWindow):
    """`closed` is emitted once, when the window is really gone."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._pages = QStackedWidget()
        self.setCentralWidget(self._pages)
        self.setWindowTitle("Sentra Rental Counter")
        self.setWindowIcon(app_icon())
        self.setMinimumSize(*SMALLEST)
        self.resize(*SIZE)
        self._shell: MainWindow | None = None
        self._asked = False

    def shell(self) -> MainWindow | None:
        """The shell of the person who is logged in, also while the screen is locked."""
        return self._shell

    def show_login(self, login: QWidget) -> None:
        """The login in front; a shell behind it stays as it is."""
        if self._pages.indexOf(login) < 0:
            self._pages.addWidget(login)
        self._pages.setCurrentWidget(login)
        self.setWindowTitle("Sentra Rental Counter")

    def show_shell(self, shell: MainWindow) -> None:
        """The shell in front; another one is thrown away."""
        if self._shell is not None and self._shell is not shell:
            self.drop_shell()
        if self._pages.indexOf(shell) < 0:
            self._pages.addWidget(shell)
        self._shell = shell
        self._pages.setCurrentWidget(shell)
        shell.retitle()

    def drop_shell(self) -> None:
        """Log-out: the shell and its screens are gone."""
        if self._shell is not None:
            self._shell.close_screens()
            self._pages.removeWidget(self._shell)
            self._shell.deleteLater()
            self._shell = None

    def closeEvent(self, event: QCloseEvent) -> None:
        """A screen that holds a lock gives it back first, for 1.5 seconds at most; the lock ends by itself anyway."""
        screen = self._shell.current() if self._shell is not None else None
        if screen is not None and not self._asked:
            self._asked = True
            if not screen.leave():
                screen.ready_to_leave.connect(self.close)
                QTimer.singleShot(CLOSE_WITHIN_MS, self, self.close)
                event.ignore()
                return
        event.accept()
        self.closed.emit()
