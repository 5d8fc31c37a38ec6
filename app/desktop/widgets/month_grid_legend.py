"""The line under the grid: what codes and payment marks mean, and a press that shows one state alone."""

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QMenu, QWidget

from app.desktop.states import ShownState, state_label
from app.desktop.theme import TextRole, theme, theme_source
from app.desktop.widgets.month_grid_bars import dash_inset
from app.desktop.widgets.month_grid_samples import Samples
from app.desktop.widgets.paint import paint_ring, state_pen

ORDER = (
    ShownState.PENDING_PAYMENT,
    ShownState.PAID_APPROVED,
    ShownState.DISPATCHED,
    ShownState.ACTIVE_RENTAL,
    ShownState.EXTENSION_PENDING,
    ShownState.OVERDUE,
    ShownState.RETURNED_PENDING_CHECK,
    ShownState.DISPUTED,
    ShownState.COMPLETED,
    ShownState.MAINTENANCE,
    ShownState.WAITLIST_HOLD,
)
_CHIP_HEIGHT = 15
_PAD = 4
_VERTICAL = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class Legend(QWidget):
    """State chips at the left, payment marks at the right. `chosen` carries the state to show alone, None for all.

    States that find no room stand behind a `+4` that opens them as a list. One Tab stop: Left and Right step, Space
    or Enter choose, the chosen one again shows all; `left` follows Esc.
    """

    chosen = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._only: ShownState | None = None
        self._at = 0
        self._marks_from = 0.0
        self._samples = Samples()
        self.setFixedHeight(theme().sizes.legend)
        self._chips = {state: _Chip(state, self) for state in ORDER}
        self.more = _More(self)
        for chip in self._buttons():
            chip.clicked.connect(lambda _checked=False, button=chip: self._pressed(button))
        theme_source().changed.connect(self._arrange)
        self._describe()

    def show_only(self, state: ShownState | None) -> None:
        """Mark the state that is shown alone."""
        self._only = state
        for own, chip in self._chips.items():
            chip.set_chosen(own is state)
        self._arrange()

    def show_samples(self, samples: Samples) -> None:
        """Which bars without a code there are to explain."""
        if samples != self._samples:
            self._samples = samples
            self._describe()
            self._arrange()

    def chip(self, state: ShownState) -> QAbstractButton:
        return self._chips[state]

    def left_out(self) -> tuple[ShownState, ...]:
        """The states that stand behind the `+N`."""
        return tuple(state for state, chip in self._chips.items() if chip.isHidden())

    def focus_first(self) -> None:
        """Into the legend with the keyboard: the chosen state, else the first."""
        chips = self._stops()
        at = next((n for n, chip in enumerate(chips) if isinstance(chip, _Chip) and chip.state is self._only), 0)
        self._stop_at(at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if key in steps:
            self._stop_at(self._at + steps[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._stops()[self._at].click()
        elif key == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._describe()
            self._arrange()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), look.surface)
            painter.fillRect(0, 0, self.width(), 1, look.line_strong)
            self._samples.paint(painter, self._marks_from, self.height())
        finally:
            painter.end()

    # --- inside -------------------------------------------------------------------------------------------------------

    def _buttons(self) -> tuple["_Chip | _More", ...]:
        return (*self._chips.values(), self.more)

    def _stops(self) -> list["_Chip | _More"]:
        return [chip for chip in self._buttons() if not chip.isHidden()]

    def _stop_at(self, at: int) -> None:
        stops = self._stops()
        self._at = max(0, min(len(stops) - 1, at))
        stops[self._at].setFocus(Qt.FocusReason.TabFocusReason)

    def note_focus(self, button: "_Chip | _More") -> None:
        """The focus came to a chip by Tab or mouse."""
        stops = self._stops()
        self._at = stops.index(button) if button in stops else 0
        self._one_stop()

    def _one_stop(self) -> None:
        for n, chip in enumerate(self._stops()):
            chip.setFocusPolicy(Qt.FocusPolicy.StrongFocus if n == self._at else Qt.FocusPolicy.ClickFocus)

    def _pressed(self, button: "_Chip | _More") -> None:
        if isinstance(button, _More):
            self._open_rest()
        else:
            self._choose(button.state)

    def _choose(self, state: ShownState) -> None:
        self.chosen.emit(None if state is self._only else state)

    def _open_rest(self) -> None:
        """The states without room, as a menu."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for state in self.left_out():
            action = menu.addAction(f"{theme().state(state).code}  {state_label(state)}")
            action.setCheckable(True)
            action.setChecked(state is self._only)
            action.triggered.connect(lambda _checked=False, state=state: self._choose(state))
        menu.popup(self.more.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    def _arrange(self) -> None:
        """As many chips as fit before the payment marks, whole; the rest is counted behind a plus."""
        end = self._measure_marks()
        widths = [chip.sizeHint().width() for chip in self._chips.values()]
        room = end - 7
        shown = len(ORDER)
        if sum(widths) > room:
            while shown and sum(widths[:shown]) > room - _more_room(len(ORDER) - shown):
                shown -= 1
        x = 7
        for number, (chip, width) in enumerate(zip(self._chips.values(), widths, strict=True)):
            chip.setVisible(number < shown)
            if number < shown:
                chip.setGeometry(x, 1, width, self.height() - 1)
                x += width
        hidden = ORDER[shown:]
        self.more.show_count(hidden, self._only if self._only in hidden else None)
        self.more.setVisible(bool(hidden))
        self.more.setGeometry(x, 1, self.more.sizeHint().width(), self.height() - 1)
        self._at = max(0, min(self._at, len(self._stops()) - 1))
        self._one_stop()
        self.update()

    def _measure_marks(self) -> float:
        """Where the samples and payment marks begin."""
        self._marks_from = self.width() - 11 - self._samples.width()
        return self._marks_from - 8

    def _describe(self) -> None:
        words = ", ".join(f"{theme().state(state).code} {state_label(state)}" for state in ORDER)
        words = ", ".join((words, *self._samples.words()))
        self.setAccessibleName(self.tr("Keterangan: {0}").format(words))
        for state, chip in self._chips.items():
            chip.setAccessibleName(self.tr("Tampilkan hanya {0}").format(state_label(state)))
            chip.setToolTip(chip.accessibleName())


class _LegendButton(QAbstractButton):
    """A part of the legend that can be pressed; the legend moves the focus between its parts."""

    def __init__(self, legend: Legend) -> None:
        super().__init__(legend)
        self._legend = legend
        self._is_chosen = False
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if isinstance(self, _Chip | _More):
            self._legend.note_focus(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space presses; everything else is the legend's."""
        if event.key() == Qt.Key.Key_Space:
            super().keyPressEvent(event)
        else:
            self._legend.keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.update()

    def ground(self, painter: QPainter) -> None:
        look = theme()
        if self._is_chosen or self.underMouse():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.soft if self._is_chosen else look.head)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 2, -1, -2), 4, 4)
        if self.hasFocus():
            paint_ring(painter, QRectF(self.rect()).adjusted(3, 4, -3, -4), 3)


class _Chip(_LegendButton):
    """One state: its bar in small, and its word."""

    def __init__(self, state: ShownState, legend: Legend) -> None:
        super().__init__(legend)
        self.state = state
        self.setCheckable(False)

    def set_chosen(self, chosen: bool) -> None:
        self._is_chosen = chosen
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(theme().font(TextRole.CAPTION, 500))
        width = _chip_width(self.state) + 4 + metrics.horizontalAdvance(state_label(self.state))
        return QSize(width + 2 * _PAD, theme().sizes.legend)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            self.ground(painter)
            chip = _chip_width(self.state)
            _paint_chip(painter, QRectF(_PAD, (self.height() - _CHIP_HEIGHT) / 2, chip, _CHIP_HEIGHT), self.state)
            painter.setFont(look.font(TextRole.CAPTION, 500 if self._is_chosen else 400))
            painter.setPen(look.on_soft if self._is_chosen else look.muted)
            place = QRectF(_PAD + chip + 4, 0, self.width(), self.height())
            painter.drawText(place, _VERTICAL, state_label(self.state))
        finally:
            painter.end()


class _More(_LegendButton):
    """`+4`: how many states found no room; with the chosen one's code when it is among them."""

    def __init__(self, legend: Legend) -> None:
        super().__init__(legend)
        self._text = ""

    def show_count(self, hidden: tuple[ShownState, ...], chosen: ShownState | None) -> None:
        self._is_chosen = chosen is not None
        self._text = f"+{len(hidden)}" + (f" · {theme().state(chosen).code}" if chosen is not None else "")
        words = ", ".join(f"{theme().state(state).code} {state_label(state)}" for state in hidden)
        count = QCoreApplication.translate("Legend", "{0} status lagi").format(len(hidden))
        self.setAccessibleName(f"{count}: {words}")
        self.setToolTip(self.accessibleName())
        self.updateGeometry()
        self.update()

    def text(self) -> str:
        return self._text

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(theme().font(TextRole.CAPTION, 600))
        return QSize(max(24, metrics.horizontalAdvance(self._text) + 2 * _PAD), theme().sizes.legend)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            self.ground(painter)
            painter.setFont(look.font(TextRole.CAPTION, 600))
            painter.setPen(look.on_soft if self._is_chosen else look.text)
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)
        finally:
            painter.end()


def _more_room(hidden: int) -> int:
    """What the plus needs, with a code behind it."""
    return QFontMetrics(theme().font(TextRole.CAPTION, 600)).horizontalAdvance("+10 · WW") + 2 * _PAD if hidden else 0


def _chip_width(state: ShownState) -> int:
    look = theme()
    width = QFontMetrics(look.font(TextRole.CAPTION, 700)).horizontalAdvance(look.state(state).code) + 8
    return width + (8 if look.state(state).dashed_tail else 0)


def _paint_chip(painter: QPainter, box: QRectF, state: ShownState) -> None:
    """A bar in small: fill, outline, code; an asked extension with its tail."""
    look = theme()
    style = look.state(state)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    radius = 0 if style.square else 3
    shape = QPainterPath()
    shape.addRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    painter.fillPath(shape, style.fill)
    painter.setClipPath(shape)
    if style.dashed_tail:
        tail = QRectF(box.right() - 9, box.top(), 9, box.height())
        painter.fillRect(tail, look.state(ShownState.PENDING_PAYMENT).fill)
    elif style.bottom_bar:
        painter.fillRect(QRectF(box.left(), box.bottom() - 3, box.width(), 2), style.border)
    painter.setClipping(False)
    painter.setPen(state_pen(style))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inset = dash_inset(look, style) / 2 + 0.5
    shape = QPainterPath()
    shape.addRoundedRect(box.adjusted(inset, inset, -inset, -inset), radius, radius)
    painter.drawPath(shape)
    painter.setFont(look.font(TextRole.CAPTION, 700))
    painter.setPen(style.text)
    place = box.adjusted(4, -0.5, 0, -0.5)
    painter.drawText(place, _VERTICAL, style.code)
    painter.restore()
