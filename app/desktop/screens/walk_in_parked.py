"""The list of drafts that wait (Shift+F4): whose, which days, and the one key that goes on with each."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QVBoxLayout, QWidget

from app.desktop.formats import period_short, phone
from app.desktop.icons import paint_icon
from app.desktop.language import language
from app.desktop.screens.walk_in_form import WalkInForm
from app.desktop.theme import TextRole, theme, theme_source
from app.desktop.typed import typed_phone
from app.desktop.widgets.label import Label
from app.desktop.widgets.paint import key_cap_width, paint_key_cap, paint_ring
from app.usecases.rows import FleetUnit

MOST_SHOWN = 6
_HEIGHT = 52


def not_parked_words() -> str:
    """What is said when the disk would not keep a draft aside."""
    return QCoreApplication.translate(
        "ParkedList", "Draf tidak bisa diparkir: disk PC ini penuh atau tidak bisa ditulis. Isiannya tetap di sini."
    )


class DraftRow(QAbstractButton):
    """Key cap, whose draft it is, its item and days; Enter and the mouse press it."""

    def __init__(self, number: int, name: str, facts: str) -> None:
        super().__init__()
        self._key, self._facts = str(number), facts
        self.setText(name)
        self.setAccessibleName(", ".join(part for part in (name, facts, self._key) if part))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFixedHeight(_HEIGHT)
        theme_source().changed.connect(self.update)

    def facts(self) -> str:
        """The second line."""
        return self._facts

    def sizeHint(self) -> QSize:
        return QSize(280, _HEIGHT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is the list's; it presses the row that has the focus."""
        if event.key() == Qt.Key.Key_Space:
            super().keyPressEvent(event)
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            box = QRectF(self.rect()).adjusted(3, 3, -3, -3)
            if self.underMouse() or self.isDown() or self.hasFocus():
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(look.soft)
                painter.drawRoundedRect(box, look.sizes.radius_control, look.sizes.radius_control)
            else:
                painter.fillRect(QRectF(box.left(), self.height() - 1, box.width(), 1), look.line)
            if self.hasFocus():
                paint_ring(painter, box, look.sizes.radius_control)
            paint_key_cap(painter, box.left() + 8, box.center().y(), self._key)
            left = box.left() + 8 + key_cap_width(self._key) + 12
            room = box.right() - 28 - left
            middle = box.center().y()
            name, words = look.font(TextRole.BASE, 600), look.font(TextRole.SECONDARY)
            for font, ink, text, top in (
                (name, look.text, self.text(), middle - 20 if self._facts else middle - 10),
                (words, look.muted, self._facts, middle),
            ):
                painter.setFont(font)
                painter.setPen(ink)
                shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, room)
                place = QRectF(left, top, room + 2, 20)
                painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
            paint_icon(painter, QRectF(box.right() - 22, middle - 7, 14, 14), "chevron_right", look.muted)
        finally:
            painter.end()


class ParkedList(QWidget):
    """`chosen` with the order id of the draft to go on with, `left` when none is wanted. 1 to 6 choose; arrows move."""

    chosen = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._forms: tuple[WalkInForm, ...] = ()
        self._items: dict[str, str] = {}
        self.buttons: list[DraftRow] = []
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._page = QVBoxLayout(self)
        self._page.setContentsMargins(10, 14, 10, 12)
        self._page.setSpacing(0)
        self._title = Label("", TextRole.SECTION)
        self._title.setContentsMargins(6, 0, 6, 6)
        self._page.addWidget(self._title)
        self._page.addStretch(1)

    def show_forms(self, forms: tuple[WalkInForm, ...], fleet: Sequence[FleetUnit] = ()) -> None:
        """The newest first; `fleet` knows how their items are called."""
        self._forms = forms[:MOST_SHOWN]
        self._items = {unit.sku.code: unit.sku.name for unit in fleet}
        self._build()

    def take_focus(self) -> None:
        (self.buttons[0] if self.buttons else self).setFocus(Qt.FocusReason.TabFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = event.text()
        if number.isdigit() and number.isascii() and 1 <= int(number) <= len(self._forms):
            self.chosen.emit(self._forms[int(number) - 1].order_id)
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._step(1 if event.key() == Qt.Key.Key_Down else -1)
        elif event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._leave_or_take(event)
        else:
            super().keyPressEvent(event)

    def _leave_or_take(self, event: QKeyEvent) -> None:
        at = self._at()
        if event.key() == Qt.Key.Key_Escape or at is None:
            self.left.emit()
        else:
            self.chosen.emit(self._forms[at].order_id)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            at = self._at()
            self._build()
            if at is not None:
                self.buttons[at].setFocus(Qt.FocusReason.OtherFocusReason)
        super().changeEvent(event)

    def _at(self) -> int | None:
        return next((at for at, button in enumerate(self.buttons) if button.hasFocus()), None)

    def _step(self, by: int) -> None:
        at = self._at()
        if at is not None:
            wanted = max(0, min(len(self.buttons) - 1, at + by))
            self.buttons[wanted].setFocus(Qt.FocusReason.TabFocusReason)

    def _build(self) -> None:
        for row in self.buttons:
            self._page.removeWidget(row)
            row.deleteLater()
        title = self.tr("Draf yang diparkir") if self._forms else self.tr("Tidak ada draf yang diparkir")
        self._title.setText(title)
        self.setAccessibleName(title)
        self.buttons = [
            DraftRow(number, parked_name(form), self._facts(form)) for number, form in enumerate(self._forms, start=1)
        ]
        for row, form in zip(self.buttons, self._forms, strict=True):
            row.clicked.connect(partial(self._choose, form.order_id))
            self._page.insertWidget(self._page.count() - 1, row)
            # Shown at once: a list that is open already gives the focus to a new row now, not at the next turn.
            row.setVisible(True)

    def _choose(self, order_id: str, _checked: bool = False) -> None:
        self.chosen.emit(order_id)

    def _facts(self, form: WalkInForm) -> str:
        """`Avanza G +1 · Sen 30 Nov – Rab 2 Des`, as far as it was typed."""
        codes = [*(line.sku for line in form.lines), *([form.sku] if form.sku else [])]
        item = self._items.get(codes[0], codes[0]) if codes else ""
        if len(codes) > 1:
            item = f"{item} +{len(codes) - 1}"
        own = form.period if form.has_item else form.lines[0].period
        days = period_short(own.first, own.last, language()) if own is not None else ""
        return " · ".join(part for part in (item, days) if part)


def parked_name(form: WalkInForm) -> str:
    """Whose draft it is; a phone as it is written."""
    number = typed_phone(form.typed_name)
    return phone(number) if number is not None else form.typed_name or "–"
