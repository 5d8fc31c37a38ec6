"""The message area of the pay card: one fact in bold, one sentence, in a place that never moves."""

import html

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.desktop.icons import IconRole, icon_colour, paint_icon
from app.desktop.screens.settlement_texts import Message
from app.desktop.theme import theme, theme_source


class MessageArea(QWidget):
    """An icon and two lines of text in a fixed place; empty lines keep their room."""

    HEIGHT, LINE_HEIGHT = 40, 20

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._message = Message()
        self._is_compact = False
        self.setFixedHeight(self.HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 0, 0, 0)
        self._words = QLabel()
        self._words.setTextFormat(Qt.TextFormat.RichText)
        self._words.setWordWrap(True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        row.addWidget(self._words)
        theme_source().changed.connect(self._restyle)

    def message(self) -> Message:
        return self._message

    def show_message(self, message: Message) -> None:
        if message != self._message:
            self._message = message
            self.setAccessibleName(f"{message.title} {message.text}".strip())
            self._restyle()

    def set_compact(self, compact: bool) -> None:
        """Where height is short, words of one line get the room of one line."""
        if compact != self._is_compact:
            self._is_compact = compact
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def fits(self) -> bool:
        """Whether the words fit into the two lines."""
        return self._words.heightForWidth(self._words.width()) <= self.HEIGHT

    def paintEvent(self, event: QPaintEvent) -> None:
        message = self._message
        if not message.title and not message.text:
            return
        painter = QPainter(self)
        try:
            paint_icon(painter, QRectF(0, 1, 16, 16), message.icon, icon_colour(IconRole(message.tone.value)))
        finally:
            painter.end()

    def _fit(self) -> None:
        is_one_line = self._words.heightForWidth(self.width() - 24) <= self.LINE_HEIGHT
        self.setFixedHeight(self.LINE_HEIGHT if self._is_compact and is_one_line else self.HEIGHT)

    def _restyle(self) -> None:
        message, look = self._message, theme()
        colour = getattr(look, message.tone.value).name()
        parts = []
        if message.title:
            parts.append(f"<b style='font-weight:600'>{html.escape(message.title)}</b>")
        if message.text:
            parts.append(html.escape(message.text))
        self._words.setFont(look.font())
        self._words.setText(f"<span style='color:{colour}'>{' '.join(parts)}</span>")
        self._fit()
        self.update()
