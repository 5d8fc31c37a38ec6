"""Our own icons: drawn on a 20 px grid, tinted from the theme in use, sharp at every pixel ratio."""

from enum import StrEnum
from functools import cache, lru_cache

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.desktop.resources import resource
from app.desktop.theme import Theme, theme


class IconRole(StrEnum):
    """What the icon says; the theme decides its colour."""

    TEXT = "text"
    MUTED = "muted"
    ACCENT = "accent"
    ON_ACCENT = "on_accent"
    ON_SOFT = "on_soft"
    DISABLED = "disabled_text"
    ERROR = "error"
    WARNING = "warning"
    SUCCESS = "success"


def icon_colour(role: IconRole, look: Theme | None = None) -> QColor:
    """The colour of a role in the theme in use (or in `look`)."""
    colour: QColor = getattr(look or theme(), role.value)
    return colour


def icon(name: str, role: IconRole = IconRole.TEXT) -> QIcon:
    """An icon that is drawn anew in the theme in use each time it is painted; disabled ones in the disabled colour.

    Raises FileNotFoundError for a name without a drawing in resources/icons.
    """
    _source(name)
    return QIcon(_ThemedEngine(name, role))


def app_icon() -> QIcon:
    """The program's own icon, in its own colours."""
    result = QIcon()
    for size in (16, 20, 24, 32, 48, 64, 128, 256):
        picture = QPixmap(size, size)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        try:
            QSvgRenderer(QByteArray(_source("app").encode())).render(painter, QRectF(0, 0, size, size))
        finally:
            painter.end()
        result.addPixmap(picture)
    return result


def icon_pixmap(name: str, colour: QColor, size: int = 20, ratio: float = 1.0) -> QPixmap:
    """A tinted picture of `size` logical pixels for a screen of pixel ratio `ratio`; cached, do not change it."""
    return _tinted(name, colour.name(QColor.NameFormat.HexArgb), size, round(ratio * 100))


def paint_icon(painter: QPainter, rect: QRect | QRectF, name: str, colour: QColor) -> None:
    """Draw an icon centred in `rect`, as large as fits."""
    area = QRectF(rect)
    size = int(min(area.width(), area.height()))
    left = area.left() + (area.width() - size) / 2
    top = area.top() + (area.height() - size) / 2
    ratio = painter.device().devicePixelRatioF()
    painter.drawPixmap(QRectF(left, top, size, size).topLeft(), icon_pixmap(name, colour, size, ratio))


class _ThemedEngine(QIconEngine):
    """Draws from the theme at paint time, so a change of theme needs no new icons."""

    def __init__(self, name: str, role: IconRole) -> None:
        super().__init__()
        self._name = name
        self._role = role

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        paint_icon(painter, rect, self._name, self._colour(mode))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        side = min(size.width(), size.height())
        return icon_pixmap(self._name, self._colour(mode), round(side / scale), scale)

    def clone(self) -> QIconEngine:
        return _ThemedEngine(self._name, self._role)

    def _colour(self, mode: QIcon.Mode) -> QColor:
        return icon_colour(IconRole.DISABLED if mode == QIcon.Mode.Disabled else self._role)


@cache
def _source(name: str) -> str:
    return resource("icons", f"{name}.svg").read_text(encoding="utf-8")


@lru_cache(maxsize=1024)
def _tinted(name: str, colour: str, size: int, percent: int) -> QPixmap:
    ratio = percent / 100
    # Small icons get a heavier line, so that they do not look paler than the text beside them.
    width = "1.7" if size <= 16 else "1.5"
    tint = QColor(colour)
    text = _source(name).replace("currentColor", tint.name()).replace('stroke-width="1.5"', f'stroke-width="{width}"')
    side = max(1, round(size * ratio))
    picture = QPixmap(side, side)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    try:
        painter.setOpacity(tint.alphaF())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        QSvgRenderer(QByteArray(text.encode())).render(painter, QRectF(0, 0, side, side))
    finally:
        painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture
