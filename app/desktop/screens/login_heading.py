"""Parts of the login around its form: the bar, the heading with branch, counter and day, the line under the tiles."""

import datetime as dt

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.desktop.formats import day_long
from app.desktop.icons import app_icon
from app.desktop.language import language
from app.desktop.theme import TextRole, theme
from app.desktop.widgets.card import Surface
from app.desktop.widgets.label import KeyCap, Label, Tone


class LoginTop(Surface):
    """The bar at the top of the window, before anybody is logged in: product, branch, counter."""

    def __init__(self, branch: str, counter: str, parent: QWidget | None = None) -> None:
        super().__init__("surface", bottom_line=True, parent=parent)
        self.setFixedHeight(theme().sizes.top_bar)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 1)
        row.setSpacing(12)
        row.addWidget(Label("Sentra", TextRole.SECTION, weight=700))
        row.addSpacing(8)
        row.addWidget(Label(branch, TextRole.BASE, weight=500))
        row.addStretch(1)
        row.addWidget(Label(counter, TextRole.SECONDARY, Tone.MUTED))


class LoginHeading(QWidget):
    """The day is the branch's by the server's clock; none is shown while no server has told it."""

    def __init__(self, branch: str, counter: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._branch, self._counter = branch, counter
        self._today: dt.date | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(3, 0, 0, 0)
        row.setSpacing(8)
        mark = QLabel()
        mark.setPixmap(app_icon().pixmap(28, 28))
        mark.setFixedSize(28, 28)
        row.addWidget(mark)
        words = QVBoxLayout()
        words.setSpacing(0)
        self._title = Label("", TextRole.SECTION)
        self._subtitle = Label("", TextRole.SECONDARY, Tone.MUTED)
        words.addWidget(self._title)
        words.addWidget(self._subtitle)
        row.addLayout(words, 1)
        self.retranslate()

    def show_day(self, today: dt.date | None) -> None:
        if today != self._today:
            self._today = today
            self.retranslate()

    def subtitle(self) -> str:
        return self._subtitle.text()

    def retranslate(self) -> None:
        today = day_long(self._today, language()) if self._today is not None else ""
        self._title.setText(self.tr("Masuk"))
        self._subtitle.setText(" · ".join(part for part in (self._branch, self._counter, today) if part))


class ArrowHint(QWidget):
    """The arrow keys' caps and what they do now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = Label("", TextRole.SECONDARY, Tone.MUTED)
        row = QHBoxLayout(self)
        row.setContentsMargins(3, 6, 0, 0)
        row.setSpacing(6)
        row.addWidget(KeyCap("Left"))
        row.addWidget(KeyCap("Right"))
        row.addWidget(self.words)
        row.addStretch(1)
