"""The card under the row of an invoice that did not open: who holds it, for how long at most, what can be done."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.desktop.icons import paint_icon
from app.desktop.theme import BannerKind, TextRole, theme
from app.desktop.widgets.button import Button
from app.domain.errors import RefusalCode

CARD_HEIGHT = 56
TEXT_LEFT = 48


class LockCard(QWidget):
    """Two lines and the actions that work: tell me, view only, close; for a lock of one's own: move it here."""

    tell_me = Signal()
    view_only = Signal()
    move_here = Signal()
    dismissed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._title = self._more = self._second = ""
        self.setFixedHeight(CARD_HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 6, 1)
        row.setSpacing(4)
        row.addStretch(1)
        self.move_button = Button(key="P", icon="lock")
        self.tell_button = Button(key="B", icon="bell")
        self.view_button = Button(key="V", icon="eye")
        self.close_button = Button(key="Esc", flat=True)
        for button, signal in (
            (self.move_button, self.move_here),
            (self.tell_button, self.tell_me),
            (self.view_button, self.view_only),
            (self.close_button, self.dismissed),
        ):
            button.clicked.connect(lambda _checked=False, signal=signal: signal.emit())
            row.addWidget(button)
        self.hide()

    def retranslate(self) -> None:
        self.move_button.setText(self.tr("Pindahkan ke sini"))
        self.tell_button.setText(self.tr("Beri tahu saya"))
        self.view_button.setText(self.tr("Lihat saja"))
        self.close_button.setText(self.tr("Tutup"))

    def set_code(self, code: RefusalCode) -> None:
        """My own lock elsewhere can be moved; somebody else's can only be waited for."""
        mine = code is RefusalCode.LOCK_MINE_ELSEWHERE
        self.move_button.setVisible(mine)
        self.tell_button.setVisible(not mine)

    def set_words(self, title: str, more: str, second: str) -> None:
        """The bold fact, what follows it on the same line, and the line below."""
        if (title, more, second) != (self._title, self._more, self._second):
            self._title, self._more, self._second = title, more, second
            self.setAccessibleName(f"{title} {more} {second}")
            self.update()

    def words(self) -> str:
        """What the card says."""
        return f"{self._title} {self._more} {self._second}"

    def focus_first(self) -> None:
        """The first thing that can be done takes the focus."""
        (self.move_button if self.move_button.isVisibleTo(self) else self.tell_button).setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys on the caps, while the focus is in the card."""
        run = {Qt.Key.Key_B: self.tell_button, Qt.Key.Key_V: self.view_button, Qt.Key.Key_P: self.move_button}
        button = run.get(Qt.Key(event.key()))
        if button is not None and button.isVisibleTo(self) and not event.isAutoRepeat():
            button.click()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        style = look.banner(BannerKind.WARNING)
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), style.fill)
            painter.fillRect(0, self.height() - 1, self.width(), 1, style.line)
            paint_icon(painter, QRectF(18, (self.height() - 18) / 2, 18, 18), "lock", style.text)
            painter.setPen(style.text)
            first = next(
                button for button in (self.move_button, self.tell_button, self.view_button) if button.isVisibleTo(self)
            )
            right = first.x() - 12
            bold, plain = look.font(TextRole.BASE, 600), look.font(TextRole.BASE)
            more, second = self._more, self._second
            left = TEXT_LEFT + self._line(painter, bold, TEXT_LEFT, 9, right, self._title) + 4
            if left + QFontMetrics(plain).horizontalAdvance(more) > right:
                # How long it lasts is told first where there is no room beside the fact.
                more, second = "", f"{more} {second}".strip()
            self._line(painter, plain, left, 9, right, more)
            self._line(painter, look.font(TextRole.SECONDARY), TEXT_LEFT, 28, right, second)
        finally:
            painter.end()

    @staticmethod
    def _line(painter: QPainter, font: QFont, left: int, top: int, right: int, text: str) -> int:
        metrics = QFontMetrics(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0, right - left))
        painter.setFont(font)
        painter.drawText(
            QRectF(left, top, right - left + 2, 18), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown
        )
        return metrics.horizontalAdvance(shown)
