"""How one booking bar is drawn: shape, outline, pattern, marks, and where its words stand. In device pixels."""

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from app.desktop.icons import icon_pixmap
from app.desktop.states import ShownState
from app.desktop.theme import Outline, Pattern, StateStyle, TextRole, Theme
from app.desktop.widgets.month_grid_names import fitting_name
from app.usecases.rows import PaidMark

BAR_HEIGHT = 22
BAR_TOP = 3
_TIME_ROOM = 90
_NAME_ROOM_WITH_TIME = 140
_ONE_DAY = 40
_RAGGED = 5
_CHEVRON_STEP = 9
_VEILED = 0.87
"""How much of the surface lies over a bar of another state than the one that is shown alone."""


@dataclass(frozen=True, slots=True)
class BarShape:
    """Everything about a bar that is not its name or the time: bars of the same shape share one picture.

    `width` in device pixels; `state` None is a day whose name is not known yet.
    """

    state: ShownState | None
    width: int
    paid: PaidMark | None
    corner: bool
    cut_left: bool
    cut_right: bool
    tail: bool = False
    turnaround: bool = False


@dataclass(frozen=True, slots=True)
class BarWords:
    """Where the words go, from the bar's left edge: elided name, its place, the solid patch under it, the time."""

    name: str
    name_x: float
    patch_from: float
    patch_to: float
    time_x: float | None


class BarLook:
    """The theme's bar strokes at one pixel ratio. Make a new one when the theme or the ratio changes."""

    def __init__(self, look: Theme, ratio: float) -> None:
        self.theme = look
        self.ratio = ratio
        self.height = self.px(BAR_HEIGHT)
        self.top = self.px(BAR_TOP)
        self.name_font = self.font(600)
        self.light_font = self.font(500)
        self.code_font = self.font(700)
        self._name_metrics = QFontMetricsF(self.name_font)
        self._light_metrics = QFontMetricsF(self.light_font)
        self._code_metrics = QFontMetricsF(self.code_font)
        self.baseline = (self.height - self._name_metrics.height()) / 2 + self._name_metrics.ascent()
        self.text_top = (self.height - self._name_metrics.height()) / 2
        self._code_widths: dict[str, float] = {}
        self._time_width = self._name_metrics.horizontalAdvance("00:00")
        self.time_room = self._time_width + self.px(4)
        self._insets = {state: self.px(dash_inset(look, look.state(state))) for state in ShownState}

    def px(self, length: float) -> int:
        """A length of the design in device pixels."""
        return round(length * self.ratio)

    def font(self, weight: int) -> QFont:
        font = self.theme.font(TextRole.SECONDARY, weight)
        font.setPixelSize(self.px(font.pixelSize()))
        return font

    def name_font_of(self, style: StateStyle) -> QFont:
        return self.light_font if style.weight < 500 else self.name_font

    def style(self, state: ShownState, *, tail: bool = False) -> StateStyle:
        """A tail is drawn like an unpaid booking, whatever it belongs to."""
        return self.theme.state(ShownState.PENDING_PAYMENT if tail else state)

    def code(self, shape: BarShape) -> str:
        return "" if shape.state is None else self.theme.state(shape.state).code

    def words(self, shape: BarShape, name: str, has_time: bool) -> BarWords:
        """Place code, name and time by the rules of the look: code always, then the time, then the name."""
        if shape.state is None:
            return BarWords("", 0, 0, 0, None)
        style = self.style(shape.state, tail=shape.tail)
        width = shape.width / self.ratio
        code_end = self._code_x(shape) + self._code_width(self.code(shape))
        right: float = shape.width - self._right_room(shape)
        time_x: float | None = None
        if has_time and (width >= _TIME_ROOM or (shape.tail and code_end + self._time_width <= right)):
            time_x = right - self._time_width
            right = time_x - self.px(4)
        shown = ""
        name_x = code_end + self.px(4)
        named = time_x is None or width >= _NAME_ROOM_WITH_TIME
        if name and width > _ONE_DAY and named and not shape.tail:
            pattern = 0 if style.pattern is Pattern.NONE else self.px(8 if time_x is not None else 12)
            metrics = self._light_metrics if style.weight < 500 else self._name_metrics
            whole = shape.state is ShownState.MAINTENANCE
            shown = fitting_name(name, metrics, right - pattern - name_x, whole=whole)
        text_end = code_end
        if shown:
            metrics = self._light_metrics if style.weight < 500 else self._name_metrics
            text_end = name_x + metrics.horizontalAdvance(shown)
        patch_to = text_end + self.px(5)
        if style.pattern is Pattern.CHEVRONS:
            patch_to = self._past_chevron(code_end + self.px(5), patch_to)
        return BarWords(shown, name_x, code_end, patch_to, time_x)

    def _past_chevron(self, first: float, at: float) -> float:
        """Where the next whole chevron may begin: none is shown in part behind a name."""
        step = self.px(_CHEVRON_STEP)
        over = (at - first) % step
        return at if at <= first or over > self.px(6) else at - over + self.px(6)

    def veiled(self, fill: QColor) -> QColor:
        """A bar's fill behind the veil: pale enough for muted words."""
        over = self.theme.surface
        red, green, blue = (
            own + (cover - own) * _VEILED
            for own, cover in (
                (fill.redF(), over.redF()),
                (fill.greenF(), over.greenF()),
                (fill.blueF(), over.blueF()),
            )
        )
        return QColor.fromRgbF(red, green, blue)

    def paint(self, painter: QPainter, shape: BarShape, *, veiled: bool = False) -> None:
        """Draw the bar at (0, 0) with its code; the painter's units are device pixels. A veil lies under the code."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if shape.state is None:
            self._paint_nameless(painter, shape)
            self._veil(painter, shape, veiled)
            return
        style = self.style(shape.state, tail=shape.tail)
        path = self._path(shape, style)
        painter.fillPath(path, style.fill)
        painter.save()
        painter.setClipPath(path, Qt.ClipOperation.IntersectClip)
        if style.bottom_bar and not shape.tail:
            depth = self.px(3)
            painter.fillRect(QRectF(0, self.height - depth, shape.width, depth), style.border)
        self._paint_pattern(painter, shape, style)
        if shape.corner:
            side = self.px(8)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.theme.action_corner)
            painter.drawPolygon(QPolygonF([QPointF(0, 0), QPointF(side, 0), QPointF(0, side)]))
        painter.restore()
        self._paint_outline(painter, shape, style, path)
        self._paint_mark(painter, shape, style)
        self._veil(painter, shape, veiled)
        self._paint_code(painter, shape, style, self.theme.muted if veiled else style.text)

    def _veil(self, painter: QPainter, shape: BarShape, veiled: bool) -> None:
        if veiled:
            veil = QColor(self.theme.surface)
            veil.setAlphaF(_VEILED)
            painter.fillRect(QRectF(0, 0, shape.width, self.height), veil)

    # --- parts --------------------------------------------------------------------------------------------------------

    def _path(self, shape: BarShape, style: StateStyle, inset: int = 0) -> QPainterPath:
        """The outline's path; a cut side reaches beyond the picture so that it has no edge."""
        line = max(1, self.px(1))
        half = inset + (line / 2 if style.outline is Outline.SOLID else self.px(2) / 2)
        beyond = self.px(12)
        left = -beyond if shape.cut_left else half
        right = shape.width + beyond if shape.cut_right else shape.width - half
        box = QRectF(left, half, right - left, self.height - 2 * half)
        path = QPainterPath()
        if shape.state is ShownState.OVERDUE and not shape.cut_right:
            return self._ragged(box)
        radius = 0 if style.square else self.px(self.theme.sizes.radius_bar)
        if shape.tail:
            # Starts on the bar's edge: no rounding at its left.
            path.moveTo(box.left(), box.top())
            path.lineTo(box.right() - radius, box.top())
            path.quadTo(box.right(), box.top(), box.right(), box.top() + radius)
            path.lineTo(box.right(), box.bottom() - radius)
            path.quadTo(box.right(), box.bottom(), box.right() - radius, box.bottom())
            path.lineTo(box.left(), box.bottom())
            path.closeSubpath()
            return path
        path.addRoundedRect(box, radius, radius)
        return path

    def _ragged(self, box: QRectF) -> QPainterPath:
        radius, depth, teeth = self.px(4), self.px(_RAGGED), 3
        step = box.height() / (2 * teeth)
        path = QPainterPath(QPointF(box.left() + radius, box.top()))
        path.lineTo(box.right(), box.top())
        for tooth in range(teeth):
            path.lineTo(box.right() - depth, box.top() + (2 * tooth + 1) * step)
            path.lineTo(box.right(), box.top() + (2 * tooth + 2) * step)
        path.lineTo(box.left() + radius, box.bottom())
        path.quadTo(box.left(), box.bottom(), box.left(), box.bottom() - radius)
        path.lineTo(box.left(), box.top() + radius)
        path.quadTo(box.left(), box.top(), box.left() + radius, box.top())
        return path

    def _paint_outline(self, painter: QPainter, shape: BarShape, style: StateStyle, path: QPainterPath) -> None:
        width = max(1, self.px(1)) if style.outline is Outline.SOLID else self.px(2)
        pen = QPen(style.outline_colour, width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if style.outline is Outline.DASH:
            pen.setDashPattern([2.2, 1.6])
        elif style.outline is Outline.DOT:
            pen.setDashPattern([1, 1])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        inset = self.px(dash_inset(self.theme, style))
        painter.drawPath(self._path(shape, style, inset) if inset and not shape.tail else path)

    def _paint_pattern(self, painter: QPainter, shape: BarShape, style: StateStyle) -> None:
        if style.pattern is Pattern.NONE:
            return
        left = self._code_x(shape) + self._code_width(self.code(shape)) + self.px(5)
        right = shape.width - (self._right_room(shape) if shape.paid is not None else 0)
        if right - left < self.px(6):
            return
        ink = QColor(style.text)
        ink.setAlphaF(0.55)
        painter.save()
        painter.setClipRect(QRectF(left, 0, right - left, self.height), Qt.ClipOperation.IntersectClip)
        painter.setPen(QPen(ink, max(1.0, 1.2 * self.ratio)))
        painter.setBrush(ink)
        height = self.height
        match style.pattern:
            case Pattern.VERTICAL:
                self._vertical(painter, left, right, height)
            case Pattern.DIAGONAL:
                self._slanted(painter, left, right, height, 6, rising=True)
            case Pattern.CROSS:
                self._slanted(painter, left, right, height, 7, rising=True)
                self._slanted(painter, left, right, height, 7, rising=False)
            case Pattern.CHEVRONS:
                self._chevrons(painter, left, right, height)
            case Pattern.DOTS:
                self._dots(painter, left, right, height)
        painter.restore()

    def _vertical(self, painter: QPainter, left: float, right: float, height: float) -> None:
        step = self.px(5)
        for n in range(int((right - left) // step) + 1):
            x = math.floor(left + n * step) + 0.5
            painter.drawLine(QPointF(x, 0), QPointF(x, height))

    def _slanted(
        self, painter: QPainter, left: float, right: float, height: float, spacing: float, *, rising: bool
    ) -> None:
        step = self.px(spacing)
        at = left - height
        while at < right:
            low, high = (height, 0.0) if rising else (0.0, height)
            painter.drawLine(QPointF(at, low), QPointF(at + height, high))
            at += step

    def _chevrons(self, painter: QPainter, left: float, right: float, height: float) -> None:
        pen = painter.pen()
        pen.setWidthF(1.5 * self.ratio)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        step, deep, tall = self.px(_CHEVRON_STEP), self.px(4), self.px(5)
        at = left
        while at + deep < right:
            middle = height / 2
            painter.drawPolyline(
                QPolygonF([QPointF(at, middle - tall), QPointF(at + deep, middle), QPointF(at, middle + tall)])
            )
            at += step

    def _dots(self, painter: QPainter, left: float, right: float, height: float) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        step, radius = self.px(5), 0.9 * self.ratio
        y = step * 0.8
        while y < height:
            x = left + step / 2
            while x < right:
                painter.drawEllipse(QPointF(x, y), radius, radius)
                x += step
            y += step

    def _paint_mark(self, painter: QPainter, shape: BarShape, style: StateStyle) -> None:
        if shape.paid is None or (shape.cut_right and shape.width < self.px(_ONE_DAY)):
            return
        size = self.px(7)
        wide = shape.width > self.px(_ONE_DAY)
        inwards = self.px(7) if shape.state is ShownState.OVERDUE and wide else 0
        # Beside a one-day bar's code there is no room to spare.
        edge = self.px(4) + self._inset(shape) if shape.width >= self.px(_ONE_DAY) else self.px(2)
        box = QRectF(shape.width - edge - size - inwards - self.px(1), edge + self.px(1), size, size)
        paint_paid_mark(painter, box, shape.paid, style.text, self.ratio)

    def _paint_code(self, painter: QPainter, shape: BarShape, style: StateStyle, ink: QColor) -> None:
        if self._has_sign(shape, style):
            side = self.px(12)
            picture = icon_pixmap(style.sign, ink, side, 1.0)
            painter.drawPixmap(QPointF(self.px(5), (self.height - side) / 2), picture)
        painter.setPen(ink)
        painter.setFont(self.light_font if style.weight < 500 else self.code_font)
        painter.drawText(QPointF(self._code_x(shape), self.baseline), self.code(shape))

    def _paint_nameless(self, painter: QPainter, shape: BarShape) -> None:
        """Taken days whose name is not here yet, and the turnaround after a rental: neutral, without a code."""
        look = self.theme
        line = max(1, self.px(1))
        left = -self.px(12) if shape.cut_left else line / 2
        right = shape.width + self.px(12) if shape.cut_right else shape.width - line / 2
        path = QPainterPath()
        radius = self.px(look.sizes.radius_bar)
        path.addRoundedRect(QRectF(left, line / 2, right - left, self.height - line), radius, radius)
        painter.fillPath(path, look.head if shape.turnaround else look.line_strong)
        if shape.turnaround:
            painter.save()
            painter.setClipPath(path, Qt.ClipOperation.IntersectClip)
            painter.setPen(QPen(look.line_strong, line))
            self._slanted(painter, 0, shape.width, self.height, 8, rising=False)
            painter.restore()
        painter.setPen(QPen(look.control, line))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)

    def _code_x(self, shape: BarShape) -> float:
        if shape.state is None:
            return 0
        style = self.theme.state(shape.state)
        if self._has_sign(shape, style):
            return self.px(5 + 12 + 3)
        if shape.width <= self.px(_ONE_DAY):
            return self.px(3)
        return self.px(7) if shape.tail else self.px(6) + self._inset(shape)

    def _has_sign(self, shape: BarShape, style: StateStyle) -> bool:
        """One day wide: code and mark only."""
        return bool(style.sign) and not shape.tail and shape.width > self.px(_ONE_DAY)

    def _code_width(self, code: str) -> float:
        found = self._code_widths.get(code)
        if found is None:
            found = self._code_metrics.horizontalAdvance(code)
            self._code_widths[code] = found
        return found

    def _right_room(self, shape: BarShape) -> int:
        """What the mark (and the ragged edge) need at the right end."""
        room = 4 if shape.paid is None else 16
        return self.px(room + (7 if shape.state is ShownState.OVERDUE else 0)) + self._inset(shape)

    def _inset(self, shape: BarShape) -> int:
        """How far code and mark step back from dashes that stand inside the fill; one day wide there is no room to."""
        if shape.state is None or shape.tail or shape.width <= self.px(_ONE_DAY):
            return 0
        return self._insets[shape.state]


def dash_inset(look: Theme, style: StateStyle) -> int:
    """Dark dashes on a dark ground would bite into the bar's edge: there they stand 2 px inside the fill."""
    return 2 if look.is_dark and style.outline is Outline.DASH and style.outline_colour.lightness() < 128 else 0


def paint_paid_mark(painter: QPainter, box: QRectF, paid: PaidMark, ink: QColor, ratio: float = 1.0) -> None:
    """The payment mark: an empty ring, a half disc for a part, a full disc."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    line = 1.5 * ratio
    ring = box.adjusted(line / 2, line / 2, -line / 2, -line / 2)
    painter.setPen(QPen(ink, line))
    painter.setBrush(ink if paid is PaidMark.FULL else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(ring)
    if paid is PaidMark.PART:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        painter.drawPie(ring, 90 * 16, 180 * 16)
    painter.restore()
