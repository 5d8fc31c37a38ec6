"""The message across the window: icon, bold fact, consequence, time, one or two buttons. It pushes, it never covers.

Where fact and consequence do not fit side by side the consequence stands below: it is what people must not miss.
"""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.desktop.icons import paint_icon
from app.desktop.screen import BannerContent
from app.desktop.theme import BannerKind, TextRole, theme
from app.desktop.widgets.button import Button, ButtonSize

_ICONS = {
    BannerKind.INFO: "info",
    BannerKind.SUCCESS: "check",
    BannerKind.WARNING: "warning",
    BannerKind.ERROR: "warning",
}

_LEFT = 44
_SECOND_LINE = 16
"""What a second line adds to the height."""


class Banner(QWidget):
    """Shows one BannerContent; the words are also its accessible name."""

    def __init__(self, content: BannerContent, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = content
        self._is_folded = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(theme().sizes.banner_tall if content.tall else theme().sizes.banner)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 9, 1)
        row.setSpacing(2)
        row.addStretch(1)
        self.buttons: list[Button] = []
        for action in content.actions:
            last = action is content.actions[-1]
            button = Button(
                action.text,
                key=action.key,
                icon=action.icon,
                primary=content.primary and last,
                size=ButtonSize.NORMAL if content.tall else ButtonSize.SMALL,
                parent=self,
            )
            button.clicked.connect(lambda _checked=False, place=len(self.buttons): self._run(place))
            row.addWidget(button)
            self.buttons.append(button)
        self._speak()

    def say(self, content: BannerContent) -> bool:
        """Other words in the same banner, its buttons and their focus untouched; False when it must be made anew."""
        if self._shape(content) != self._shape(self._content):
            return False
        self._content = content
        self._speak()
        self._fold(again=False)
        self.update()
        return True

    def is_folded(self) -> bool:
        """The consequence stands on a line of its own."""
        return self._is_folded

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fold(again=True)

    def _fold(self, *, again: bool) -> None:
        """Two lines where one is too short; words that change while they stand never make it lower again."""
        content = self._content
        if content.tall:
            return
        self._is_folded = (self._is_folded and not again) or self._needed() > self._room()
        sizes = theme().sizes
        height = sizes.banner + _SECOND_LINE if self._is_folded else sizes.banner
        if height != self.height():
            self.setFixedHeight(height)

    def _room(self) -> int:
        """From the words' left edge to what stands at the right, as if there were no stamp."""
        buttons = sum(button.sizeHint().width() + 2 for button in self.buttons)
        return self.width() - _LEFT - (buttons + 15 if buttons else 16)

    def _needed(self) -> int:
        content, look = self._content, theme()
        bold, plain = QFontMetrics(look.font(TextRole.BASE, 600)), QFontMetrics(look.font(TextRole.BASE))
        width = bold.horizontalAdvance(content.title) + 4 + plain.horizontalAdvance(content.text)
        if content.figure:
            width += 5 + bold.horizontalAdvance(content.figure) + plain.horizontalAdvance(content.rest)
        if content.stamp:
            width += QFontMetrics(look.font(TextRole.SECONDARY)).horizontalAdvance(content.stamp) + 12
        return width

    @staticmethod
    def _shape(content: BannerContent) -> tuple[object, ...]:
        actions = tuple((action.text, action.key, action.icon) for action in content.actions)
        return content.kind, content.tall, content.primary, content.icon, actions

    def _run(self, place: int) -> None:
        self._content.actions[place].run()

    def _speak(self) -> None:
        content = self._content
        words = f"{content.title} {content.text} {content.figure}{content.rest} {content.stamp}"
        self.setAccessibleName(" ".join(words.split()))
        self.setToolTip(self.accessibleName())

    def content(self) -> BannerContent:
        return self._content

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            self._paint(painter)
        finally:
            painter.end()

    def _paint(self, painter: QPainter) -> None:
        content, look = self._content, theme()
        style = look.banner(content.kind)
        painter.fillRect(self.rect(), style.fill)
        painter.fillRect(0, self.height() - 1, self.width(), 1, style.line)
        icon = content.icon or _ICONS[content.kind]
        paint_icon(painter, QRectF(17, (self.height() - 18) / 2, 18, 18), icon, style.text)
        right = self.buttons[0].x() - 8 if self.buttons else self.width() - 16
        if content.stamp:
            font = look.font(TextRole.SECONDARY)
            width = QFontMetrics(font).horizontalAdvance(content.stamp)
            self._line(painter, font, style.text, right - width, 0, width + 1, self.height(), content.stamp)
            right -= width + 12
        left = 50 if content.tall else _LEFT
        bold = look.font(TextRole.SECTION if content.tall else TextRole.BASE, 600)
        plain = look.font(TextRole.BASE)
        if content.tall:
            self._line(painter, bold, style.text, left, 9, right - left, 20, content.title)
            self._line(painter, plain, style.text, left, 28, right - left, 20, content.text)
            return
        top, height = (7, 18) if self._is_folded else (0, self.height() - 1)
        if self._is_folded:
            below = content.rest.lstrip(". ") if content.figure else content.text
            self._line(painter, plain, style.text, left, top + 19, right - left, 18, below)
        width = min(QFontMetrics(bold).horizontalAdvance(content.title), int(right - left))
        self._line(painter, bold, style.text, left, top, width + 1, height, content.title)
        left += width + 4
        if not content.figure:
            if not self._is_folded:
                self._line(painter, plain, style.text, left, top, right - left, height, content.text)
            return
        # The figure is what people look for: where room is short the words around it give way.
        figure = QFontMetrics(bold).horizontalAdvance(content.figure) + 2
        width = min(QFontMetrics(plain).horizontalAdvance(content.text), max(0, int(right - left) - figure - 6))
        self._line(painter, plain, style.text, left, top, width, height, content.text)
        left += width + 5
        self._line(painter, bold, style.text, left, top, figure, height, content.figure)
        left += figure - 2
        if not self._is_folded:
            self._line(painter, plain, style.text, left, top, right - left, height, content.rest)

    def _line(
        self,
        painter: QPainter,
        font: QFont,
        ink: QColor,
        left: float,
        top: float,
        width: float,
        height: float,
        text: str,
    ) -> None:
        painter.setFont(font)
        painter.setPen(ink)
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, int(width) + 1)
        place = QRectF(left, top, width + 2, height)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
