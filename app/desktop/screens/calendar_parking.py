"""The parking lane: bookings put aside to see a row free; on the server they stay where they were until placed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from app.desktop.formats import period_short
from app.desktop.language import language
from app.desktop.theme import TextRole, theme, theme_source
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Surface
from app.desktop.widgets.label import KeyHint, Label, Tone
from app.desktop.widgets.month_grid import DRAG_THRESHOLD
from app.desktop.widgets.month_grid_ghost import rented
from app.desktop.widgets.month_grid_spans import by_booking, place_of, with_overdue_joined
from app.desktop.widgets.paint import paint_ring
from app.domain.days import Days
from app.usecases.rows import Bar, FleetUnit

LANE_HEIGHT = 38


@dataclass(frozen=True, slots=True, kw_only=True)
class Parked:
    """A booking in the lane, and the unit it is still on."""

    unit: FleetUnit
    bar: Bar


class ParkingLane(Surface):
    """`taken` carries a Parked that is to be placed (Enter, press), `returned` one that goes back to its row (Del).

    Left and right go through the lane, `left` follows Esc and Up. `changed` when something was put in or taken out.
    `pulled` with (Parked, global point) while a chip is dragged out, `let_go` with the point where it ends.
    """

    taken = Signal(object)
    returned = Signal(object)
    pulled = Signal(object, object)
    let_go = Signal(object)
    left = Signal()
    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__("head", parent=parent)
        self._parked: list[Parked] = []
        self._chips: list[ParkedChip] = []
        self._is_offered = False
        self._is_under = False
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 2, 8, 2)
        row.setSpacing(6)
        self._title = Label("", TextRole.SECONDARY, weight=600)
        self._count = Label("", TextRole.SECONDARY, Tone.ERROR, weight=600)
        self._hint = Label("", TextRole.CAPTION, Tone.MUTED)
        self._put, self._give_back = Label("", TextRole.CAPTION, Tone.MUTED), Label("", TextRole.CAPTION, Tone.MUTED)
        self._keys = (KeyHint(("Return",), self._put), KeyHint(("Del",), self._give_back))
        self._here = Label("", TextRole.CAPTION, Tone.MUTED)
        self._way = KeyHint(("F6",), self._here)
        self._places = QHBoxLayout()
        self._places.setSpacing(4)
        self._back = Button("", size=ButtonSize.ROW)
        self._back.clicked.connect(self.return_all)
        for widget in (self._title, self._count):
            row.addWidget(widget)
        row.addLayout(self._places)
        row.addWidget(self._hint)
        for hint in (*self._keys, self._way):
            row.addSpacing(4)
            row.addWidget(hint)
        row.addStretch(1)
        row.addWidget(self._back)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.retranslate()
        self.hide()

    def parked(self) -> tuple[Parked, ...]:
        return tuple(self._parked)

    def holds(self, booking_id: str | None) -> bool:
        return any(item.bar.booking_id == booking_id for item in self._parked)

    def park(self, item: Parked) -> None:
        """Put a booking in; one that is there already stays once."""
        if item.bar.booking_id is not None and not self.holds(item.bar.booking_id):
            self._parked.append(item)
            self._rebuild()

    def take_out(self, booking_id: str | None) -> Parked | None:
        """It was placed, or is wanted back; None when it is not here."""
        found = next((item for item in self._parked if item.bar.booking_id == booking_id), None)
        if found is not None:
            self._parked.remove(found)
            self._rebuild()
        return found

    def return_all(self) -> None:
        """Everything back to its row; nothing was changed on the server."""
        if self._parked:
            self._parked.clear()
            self._rebuild()

    def keep(self, window: Days, bars: Sequence[Bar]) -> tuple[Parked, ...]:
        """The bookings as they were just read for a window; answers those that left the lane because they ended or have
        another place now.
        """
        by_id = by_booking(with_overdue_joined(bars))
        now: list[Parked] = []
        gone: list[Parked] = []
        for item in self._parked:
            found = by_id.get(item.bar.booking_id or "")
            if found is None and not item.bar.days.overlaps(window):
                found = item.bar  # outside the window nothing is known
            if found is not None and place_of(found) == place_of(item.bar):
                now.append(replace(item, bar=found))
            else:
                gone.append(item)
        if now != self._parked:
            self._parked = now
            self._rebuild()
        return tuple(gone)

    def offer(self, offered: bool) -> None:
        """A bar is being dragged: show where it could be put aside."""
        self._is_offered = offered
        self._show_words()

    def set_under(self, under: bool) -> None:
        """The dragged bar is held over the lane."""
        if under != self._is_under:
            self._is_under = under
            self.update()

    def offer_width(self) -> int:
        """What its words need while it is empty."""
        return self._title.sizeHint().width() + self._hint.sizeHint().width() + 60

    def is_wanted(self) -> bool:
        """It has something, or something could be put in."""
        return bool(self._parked) or self._is_offered

    def take_focus(self) -> bool:
        """Go on in the lane; False while it is empty."""
        if not self._chips:
            return False
        self._chips[0].setFocus(Qt.FocusReason.ShortcutFocusReason)
        return True

    def has_point(self, where: QPoint) -> bool:
        """Whether a global point lies over the lane."""
        return self.isVisible() and self.rect().contains(self.mapFromGlobal(where))

    def retranslate(self) -> None:
        self._title.setText(self.tr("Parkir sementara"))
        self._back.setText(self.tr("Kembalikan semua"))
        self._show_words()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at = next((number for number, chip in enumerate(self._chips) if chip.hasFocus()), None)
        key = Qt.Key(event.key())
        if at is None:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            by = 1 if key == Qt.Key.Key_Right else -1
            self._chips[(at + by) % len(self._chips)].setFocus(Qt.FocusReason.TabFocusReason)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.taken.emit(self._chips[at].parked)
        elif key == Qt.Key.Key_Delete:
            self.returned.emit(self._chips[at].parked)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Escape):
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        look = theme()
        painter = QPainter(self)
        try:
            painter.fillRect(0, 0, self.width(), 1, look.line_strong)
            if self._is_under:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                paint_ring(painter, QRectF(self.rect()).adjusted(3, 4, -3, -3), look.sizes.radius_bar)
        finally:
            painter.end()

    def _rebuild(self) -> None:
        had_focus = any(chip.hasFocus() for chip in self._chips)
        for old in self._chips:
            self._places.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._chips = [ParkedChip(item, self) for item in self._parked]
        for chip in self._chips:
            chip.clicked.connect(lambda _checked=False, item=chip.parked: self.taken.emit(item))
            chip.pulled.connect(lambda where, item=chip.parked: self.pulled.emit(item, where))
            chip.let_go.connect(self.let_go)
            chip.reached.connect(self._show_keys)
            self._places.addWidget(chip)
            chip.setVisible(True)
        if self._chips:
            self.setFocusProxy(self._chips[0])  # one that is deleted is none any more
        self._show_words()
        self.changed.emit()
        if had_focus and not self.take_focus():
            self.left.emit()

    def _show_words(self) -> None:
        count = len(self._parked)
        self._count.setText(str(count))
        self._count.setVisible(bool(count))
        self._count.setAccessibleName(self.tr("{0} diparkir").format(count))
        self._back.setVisible(bool(count))
        self._show_keys()
        self._hint.setVisible(not count)
        self._hint.setText(self.tr("lepas booking di sini"))
        self._put.setText(self.tr("menaruh"))
        self._give_back.setText(self.tr("mengembalikan"))
        self._here.setText(self.tr("ke parkir"))

    def _show_keys(self) -> None:
        """Those that work where the focus is: in the lane what they do to a booking, elsewhere the way in."""
        is_in = any(chip.hasFocus() for chip in self._chips)
        for hint in self._keys:
            hint.setVisible(is_in)
        self._way.setVisible(bool(self._chips) and not is_in)


class ParkedChip(QAbstractButton):
    """A booking in the lane, drawn like its bar: number, customer, days, plate. It can be dragged out. `reached` when
    the focus comes or goes.
    """

    pulled = Signal(object)
    let_go = Signal(object)
    reached = Signal()

    def __init__(self, parked: Parked, parent: QWidget) -> None:
        super().__init__(parent)
        self.parked = parked
        days = rented(parked.bar)
        period = period_short(days.first, days.last, language())
        self._words = f"{parked.bar.customer_name or ''} · {period} · {parked.unit.unit.plate}".strip(" ·")
        self.setText(parked.bar.number or "")
        self.setAccessibleName(f"{self.text()}, {self._words}")
        self.setToolTip(self.accessibleName())
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFixedHeight(28)
        self._press: QPoint | None = None
        self._is_pulled = False
        theme_source().changed.connect(self.update)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.reached.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.reached.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._press = event.position().toPoint()
        self._is_pulled = False
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        moved = event.position().toPoint() - (self._press or event.position().toPoint())
        self._is_pulled = self._is_pulled or moved.manhattanLength() >= DRAG_THRESHOLD
        if self._press is not None and self._is_pulled:
            self.pulled.emit(event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        was_pulled, self._press, self._is_pulled = self._is_pulled, None, False
        if was_pulled:
            self.setDown(False)
            self.let_go.emit(event.globalPosition().toPoint())
        else:
            super().mouseReleaseEvent(event)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(min(380, metrics.horizontalAdvance(f"{self.text()}  {self._words}") + 24), 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            box = QRectF(self.rect()).adjusted(2.5, 2.5, -2.5, -2.5)
            painter.setPen(look.accent)
            painter.setBrush(look.soft)
            painter.drawRoundedRect(box, look.sizes.radius_bar, look.sizes.radius_bar)
            if self.hasFocus():
                paint_ring(painter, box, look.sizes.radius_bar)
            font = look.font(TextRole.SECONDARY, 600)
            painter.setFont(font)
            painter.setPen(look.on_soft)
            room = box.adjusted(8, 0, -6, 0)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
            used = painter.fontMetrics().horizontalAdvance(self.text()) + 6
            painter.setFont(look.font(TextRole.SECONDARY))
            rest = room.adjusted(used, 0, 0, 0)
            words = painter.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, int(rest.width()))
            painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        finally:
            painter.end()
