"""Text in one of the type roles, and small painted words: key caps, state chips, tags."""

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from app.desktop.formats import tied
from app.desktop.states import ShownState, state_label
from app.desktop.theme import TextRole, theme, theme_source
from app.desktop.widgets.paint import (
    key_cap_width,
    key_text,
    paint_key_cap,
    paint_state,
    paint_tag,
    state_chip_width,
    tag_width,
)


class Tone(StrEnum):
    """The colour of a text, by meaning."""

    TEXT = "text"
    MUTED = "muted"
    ACCENT = "accent"
    ON_SOFT = "on_soft"
    ERROR = "error"
    WARNING = "warning"
    SUCCESS = "success"
    DISABLED = "disabled_text"


class Label(QLabel):
    """A plain-text label that follows the theme. Text is never read as markup; wrapped, it keeps together what is read
    as one.
    """

    def __init__(
        self,
        text: str = "",
        role: TextRole = TextRole.BASE,
        tone: Tone = Tone.TEXT,
        *,
        weight: int | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._said = text
        self._role = role
        self._tone = tone
        self._weight = weight
        self.setTextFormat(Qt.TextFormat.PlainText)
        theme_source().changed.connect(self._restyle)
        self._restyle()

    def text(self) -> str:
        """What it was told to say."""
        return self._said

    def setText(self, text: str) -> None:
        self._said = text
        super().setText(tied(text) if self.wordWrap() else text)

    def setWordWrap(self, on: bool) -> None:
        """Lines break between words, never inside a date, an amount, a time or a plate."""
        super().setWordWrap(on)
        self.setText(self._said)

    def set_tone(self, tone: Tone) -> None:
        if tone is not self._tone:
            self._tone = tone
            self._restyle()

    def set_role(self, role: TextRole) -> None:
        if role is not self._role:
            self._role = role
            self._restyle()

    def set_weight(self, weight: int | None) -> None:
        if weight != self._weight:
            self._weight = weight
            self._restyle()

    def _restyle(self) -> None:
        look = theme()
        self.setFont(look.font(self._role, self._weight))
        palette = QPalette(look.palette())
        palette.setColor(QPalette.ColorRole.WindowText, getattr(look, self._tone.value))
        self.setPalette(palette)


class ElidedLabel(Label):
    """A one-line label that ends in "…" when it does not fit; the whole text is in the tooltip then."""

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.setFont(self.font())
            painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
            shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
            painter.drawText(self.rect(), self.alignment() | Qt.AlignmentFlag.AlignVCenter, shown)
        finally:
            painter.end()
        self.setToolTip(self.text() if shown != self.text() else "")


class _Painted(QWidget):
    """A small fixed-size word that takes no focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme_source().changed.connect(self.updateGeometry)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class KeyCap(_Painted):
    """A key drawn as a cap beside a word that has no button of its own."""

    def __init__(self, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = key
        self.setAccessibleName(key_text(key))

    def sizeHint(self) -> QSize:
        return QSize(key_cap_width(key_text(self._key)), theme().sizes.key_cap)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            paint_key_cap(painter, 0, self.height() / 2, key_text(self._key))
        finally:
            painter.end()


class KeyHint(QWidget):
    """Key caps with what they do behind them, for a footer."""

    def __init__(self, keys: Sequence[str], words: QLabel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        for key in keys:
            row.addWidget(KeyCap(key))
        row.addSpacing(4)
        row.addWidget(words)


class StateChip(_Painted):
    """A booking state as code and word; the same strokes as in tables."""

    def __init__(self, state: ShownState, word: str | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._word = word
        self.set_state(state, word)

    def set_state(self, state: ShownState, word: str | None = None) -> None:
        """Show another state; `word` replaces its usual word."""
        self._state, self._word = state, word
        self.setAccessibleName(state_label(state) if word is None else word)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(state_chip_width(self._state, self._word), theme().sizes.state_chip)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            paint_state(painter, QRectF(self.rect()), self._state, self._word)
        finally:
            painter.end()


class Tag(_Painted):
    """An outlined word: tier, count, "8x sewa". Never a state."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self.set_text(text)

    def set_text(self, text: str) -> None:
        self._text = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(tag_width(self._text), theme().sizes.tag)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            paint_tag(painter, 0, self.height() / 2, self._text)
        finally:
            painter.end()
