"""The first picture: the login's window with its areas and colours, painted before anything heavy is imported.

Only Qt is loaded here, no fonts, and nothing that makes the enumerations of the `Qt` namespace (a painter's `fillRect`
does): they alone take longer than the picture. What is typed before the login stands there is kept and typed in it.
"""

import json
import os
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.desktop.app_window import AppWindow
from app.desktop.resources import resource

APP_FOLDER = "sentra-rental-counter"
MEMORY = "counter.json"
PANEL_WIDTH = 520
MOST_WAIT_MS = 2_000
"""A window that the desktop does not show (started minimised) must not stop the start."""


class Opening(QWidget):
    """The login's areas without its contents. `painted` is emitted after the first picture."""

    painted = Signal()

    def __init__(self, colours: dict[str, str], top_bar: int) -> None:
        super().__init__()
        self._top_bar = top_bar
        self._was_painted = False
        self._typed: list[QKeyEvent] = []
        _fill(self, colours["app"])
        self._panel, self._panel_line, self._bar, self._bar_line = (QWidget(self) for _ in range(4))
        _fill(self._panel, colours["surface"])
        _fill(self._panel_line, colours["line_strong"])
        _fill(self._bar, colours["surface"])
        _fill(self._bar_line, colours["line"])

    def hand_over(self) -> None:
        """Type what was typed here where the focus is now, in its order; a Tab among it moves on."""
        typed, self._typed = self._typed, []
        for event in typed:
            QCoreApplication.sendEvent(QApplication.focusWidget() or self.window(), event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        width, height, bar = self.width(), self.height(), self._top_bar
        self._panel.setGeometry(0, bar, PANEL_WIDTH, height - bar)
        self._panel_line.setGeometry(PANEL_WIDTH - 1, bar, 1, height - bar)
        self._bar.setGeometry(0, 0, width, bar)
        self._bar_line.setGeometry(0, bar - 1, width, 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._was_painted:
            self._was_painted = True
            QTimer.singleShot(0, self, self.painted.emit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._typed.append(event.clone())

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        self._typed.append(event.clone())

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab is typed like the rest; there is no other widget to go to."""
        return False


def run() -> int:
    """Paint the window, then import what stands behind it; returns when the window is closed."""
    app = QApplication.instance() or QApplication(["sentra-counter"])
    if not isinstance(app, QApplication):
        raise TypeError("another kind of Qt application runs in this process")
    app.setApplicationName("Sentra Rental Counter")
    app.setQuitOnLastWindowClosed(False)
    window = AppWindow()
    opening = open_window(window)
    if not window.isVisible():  # closed already
        return 0
    from app.desktop.application import run_in

    return run_in(app, window, opening)


def open_window(window: AppWindow) -> Opening:
    """Show the window with its first picture; answers once that is painted."""
    tokens = json.loads(resource("theme", "sentra.json").read_text(encoding="utf-8"))
    opening = Opening(tokens[_remembered_look(data_folder())], tokens["sizes"]["top_bar"])
    window.show_opening(opening)
    painted = QEventLoop()
    opening.painted.connect(painted.quit)
    window.closed.connect(painted.quit)
    QTimer.singleShot(MOST_WAIT_MS, painted, painted.quit)
    window.show()
    painted.exec()
    opening.setFocus()
    return opening


def data_folder() -> Path:
    """Where this counter keeps its own memory, known before any setting is read."""
    given = os.environ.get("SENTRA_DATA_DIR")
    if given:
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_data_dir(APP_FOLDER, appauthor=False))


def _fill(area: QWidget, colour: str) -> None:
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.Window, QColor(colour))
    area.setPalette(palette)
    area.setAutoFillBackground(True)


def _remembered_look(folder: Path) -> str:
    """`light` or `dark`. The whole memory is read, and complained of, later."""
    try:
        look = json.loads((folder / MEMORY).read_text(encoding="utf-8")).get("theme")
    except (OSError, ValueError, AttributeError):
        return "light"
    return "dark" if look == "dark" else "light"
