"""Shared strokes: boxes, focus ring, key caps, state chips and tags, for widgets and table delegates alike."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QKeySequence, QPainter, QPainterPath, QPen

from app.desktop.states import ShownState, state_label
from app.desktop.theme import Outline, StateStyle, TextRole, Theme, theme

RING_MARGIN = 3  # room around a box for the focus ring: 1 px gap and 2 px line
CAP_PADDING = 5
CHIP_PADDING = 7
CHIP_GAP = 6
TAG_PADDING = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxStyle:
    """Fill, the line around, and the line at the bottom edge when it differs."""

    fill: QColor
    line: QColor
    bottom: QColor | None = None
    radius: float = 6


def paint_box(painter: QPainter, rect: QRectF, style: BoxStyle) -> None:
    """A rounded box with a crisp 1 px line inside `rect`; the bottom line may be of another colour."""
    edge = rect.adjusted(0.5, 0.5, -0.5, -0.5)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(style.line, 1))
    painter.setBrush(style.fill)
    painter.drawRoundedRect(edge, style.radius, style.radius)
    if style.bottom is not None and style.bottom != style.line:
        painter.save()
        painter.setClipRect(QRectF(rect.left(), rect.bottom() - 2, rect.width(), 2))
        painter.setPen(QPen(style.bottom, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(edge, style.radius, style.radius)
        painter.restore()


def paint_ring(painter: QPainter, box: QRectF, radius: float = 6, colour: QColor | None = None) -> None:
    """The focus ring around `box`: 1 px gap, 2 px accent. The box needs RING_MARGIN px of room on every side."""
    ring = box.adjusted(-2, -2, 2, 2)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour or theme().accent, 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(ring, radius + 2, radius + 2)


def key_text(key: str) -> str:
    """How a key is written on a cap, in menus and in the F1 overlay: `Ctrl+N`, `Enter`, `Spasi`."""
    native = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) or key
    return (
        native.replace("Return", "Enter")
        .replace("Space", QCoreApplication.translate("Keys", "Spasi"))
        .replace("Left", "←")
        .replace("Right", "→")
        .replace("Up", "↑")
        .replace("Down", "↓")
    )


def key_cap_width(text: str) -> int:
    """The width of a key cap in pixels, at least 18."""
    metrics = QFontMetricsF(theme().font(TextRole.CAPTION, 500))
    return max(18, round(metrics.horizontalAdvance(text) + 2 * CAP_PADDING))


def paint_key_cap(painter: QPainter, left: float, centre_y: float, text: str, colour: QColor | None = None) -> int:
    """Draw a key cap with its left edge at `left`, centred on `centre_y`; answers its width.

    `colour` is for caps on a filled button: outline at 55 % of it, text in it.
    """
    look = theme()
    height = look.sizes.key_cap
    width = key_cap_width(text)
    rect = QRectF(left, round(centre_y - height / 2), width, height)
    line = QColor(colour) if colour is not None else QColor(look.line_strong)
    if colour is not None:
        line.setAlphaF(0.55)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(line, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush if colour is not None else look.surface)
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 3.5, 3.5)
    if colour is None:
        painter.drawLine(
            QPointF(rect.left() + 2.5, rect.bottom() - 1.5), QPointF(rect.right() - 2.5, rect.bottom() - 1.5)
        )
    painter.setFont(look.font(TextRole.CAPTION, 500))
    painter.setPen(colour if colour is not None else look.muted)
    painter.drawText(rect.adjusted(0, -0.5, 0, -0.5), Qt.AlignmentFlag.AlignCenter, text)
    return width


def state_pen(style: StateStyle, width: float = 1) -> QPen:
    """The outline of a state: solid, dashed or dotted."""
    pen = QPen(style.outline_colour, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if style.outline is Outline.DASH:
        pen.setDashPattern([3.5 / width, 2.5 / width])
    elif style.outline is Outline.DOT:
        pen.setDashPattern([1.5 / width, 1.5 / width])
    return pen


def state_chip_width(state: ShownState, word: str | None = None) -> int:
    """The width paint_state needs for the code and the word (`""` for the code alone)."""
    look = theme()
    word = state_label(state) if word is None else word
    width = QFontMetricsF(look.font(TextRole.CAPTION, 700)).horizontalAdvance(look.state(state).code)
    if word:
        width += CHIP_GAP + QFontMetricsF(look.font(TextRole.SECONDARY, 500)).horizontalAdvance(word)
    return round(width + 2 * CHIP_PADDING) + 1


def paint_state(painter: QPainter, rect: QRectF, state: ShownState, word: str | None = None) -> None:
    """Draw a state chip into `rect`: fill, outline cue, code, word. Give it state_chip_width and 20 px of height."""
    look = theme()
    style = look.state(state)
    word = state_label(state) if word is None else word
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    radius = 0 if style.square else look.sizes.radius_bar
    shape = QPainterPath()
    shape.addRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    painter.fillPath(shape, style.fill)
    if style.bottom_bar:
        painter.save()
        painter.setClipPath(shape)
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 3, rect.width(), 3), style.border)
        painter.restore()
    painter.setPen(state_pen(style))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(shape)
    code_font = look.font(TextRole.CAPTION, 700)
    word_font = look.font(TextRole.SECONDARY, 400 if style.weight < 500 else 500)
    word_font.setStrikeOut(style.struck)
    code_width = QFontMetricsF(code_font).horizontalAdvance(style.code)
    painter.setPen(style.text)
    painter.setFont(code_font)
    vertical = Qt.AlignmentFlag.AlignVCenter
    painter.drawText(rect.adjusted(CHIP_PADDING, 0, 0, 0), vertical | Qt.AlignmentFlag.AlignLeft, style.code)
    if word:
        painter.setFont(word_font)
        room = rect.adjusted(CHIP_PADDING + code_width + CHIP_GAP, 0, -2, 0)
        painter.drawText(room, vertical | Qt.AlignmentFlag.AlignLeft, word)
    painter.restore()


def tag_width(text: str) -> int:
    """The width paint_tag needs."""
    return round(QFontMetricsF(theme().font(TextRole.CAPTION, 600)).horizontalAdvance(text)) + 2 * TAG_PADDING


def paint_tag(painter: QPainter, left: float, centre_y: float, text: str) -> int:
    """Draw a tag (tiers, counts, hints; never a state) with its left edge at `left`; answers its width."""
    look = theme()
    rect = QRectF(left, round(centre_y - look.sizes.tag / 2), tag_width(text), look.sizes.tag)
    paint_box(painter, rect, BoxStyle(fill=QColor(Qt.GlobalColor.transparent), line=look.line_strong, radius=4))
    painter.setFont(look.font(TextRole.CAPTION, 600))
    painter.setPen(look.muted)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
    return round(rect.width())


def paint_count(painter: QPainter, left: float, centre_y: float, text: str, look: Theme | None = None) -> int:
    """Draw a grey count pill beside a heading or in a segment; answers its width."""
    look = look or theme()
    width = max(18, round(QFontMetricsF(look.font(TextRole.CAPTION, 500)).horizontalAdvance(text)) + 10)
    rect = QRectF(left, round(centre_y - 9), width, 18)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.line)
    painter.drawRoundedRect(rect, 9, 9)
    painter.setFont(look.font(TextRole.CAPTION, 500))
    painter.setPen(look.muted)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
    return width
