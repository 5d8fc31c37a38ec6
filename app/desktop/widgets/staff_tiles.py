"""The people of a counter as tiles: one tab stop, arrows step, typing a name finds it."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QSizePolicy, QWidget

from app.desktop.icons import paint_icon
from app.desktop.theme import TextRole, theme
from app.desktop.widgets.paint import RING_MARGIN, BoxStyle, paint_box, paint_ring

COLUMNS = 2
HEIGHT, COMPACT_HEIGHT = 58, 40
FORGET_MS = 1500


@dataclass(frozen=True, slots=True, kw_only=True)
class TileContent:
    """`login` is found by typing, as the name is. `icon` replaces the initial, for the tile of somebody else."""

    name: str
    detail: str
    icon: str = ""
    login: str = ""

    def begins_with(self, typed: str) -> bool:
        """Whether the name or the login begins so; never for the tile of somebody else."""
        return not self.icon and any(word.casefold().startswith(typed) for word in (self.name, self.login) if word)


class StaffTile(QAbstractButton):
    """Avatar with the initial, name, roles."""

    def __init__(self, content: TileContent, parent: QWidget) -> None:
        super().__init__(parent)
        self.content = content
        self.is_compact = False
        self.setCheckable(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setText(content.name)
        self.setAccessibleName(f"{content.name}, {content.detail}" if content.detail else content.name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(200, (COMPACT_HEIGHT if self.is_compact else HEIGHT) + 2 * RING_MARGIN)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            self._paint(painter)
        finally:
            painter.end()

    def _paint(self, painter: QPainter) -> None:
        look = theme()
        box = QRectF(self.rect()).adjusted(RING_MARGIN, RING_MARGIN, -RING_MARGIN, -RING_MARGIN)
        chosen = self.isChecked()
        fill = look.soft if chosen else look.head if self.underMouse() else look.surface
        line = look.accent if chosen else look.line_strong
        paint_box(painter, box, BoxStyle(fill=fill, line=line, radius=look.sizes.radius_control))
        if self.hasFocus():
            paint_ring(painter, box)
        side = 26 if self.is_compact else 36
        disc = QRectF(box.left() + 12, box.center().y() - side / 2, side, side)
        style = BoxStyle(
            fill=look.accent if chosen else look.head, line=look.accent if chosen else look.line_strong, radius=side / 2
        )
        paint_box(painter, disc, style)
        ink = look.on_accent if chosen else look.text
        if self.content.icon:
            paint_icon(painter, disc.adjusted(side / 4, side / 4, -side / 4, -side / 4), self.content.icon, ink)
        else:
            painter.setFont(look.font(TextRole.BASE, 600))
            painter.setPen(ink)
            painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, self.content.name[:1].upper())
        left = disc.right() + 10
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        room = box.right() - left - 8
        painter.setFont(look.font(TextRole.BASE, 600))
        painter.setPen(look.text)
        name = painter.fontMetrics().elidedText(self.content.name, Qt.TextElideMode.ElideRight, int(room))
        middle = box.center().y()
        top = middle - (18 if self.content.detail else 9)
        painter.drawText(QRectF(left, top, room, 18), flags, name)
        painter.setFont(look.font(TextRole.SECONDARY))
        painter.setPen(look.on_soft if chosen else look.muted)
        detail = painter.fontMetrics().elidedText(self.content.detail, Qt.TextElideMode.ElideRight, int(room))
        painter.drawText(QRectF(left, middle + 1, room, 17), flags, detail)


class StaffTiles(QWidget):
    """Emits `chosen` with the index of the tile the person chose, `entered` on Enter, `unknown` when no name fits."""

    chosen = Signal(int)
    entered = Signal()
    unknown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8 - 2 * RING_MARGIN)
        self._grid.setVerticalSpacing(8 - 2 * RING_MARGIN)
        self.tiles: list[StaffTile] = []
        self._is_compact = False
        self._typed = ""
        self._forget = QTimer(self)
        self._forget.setSingleShot(True)
        self._forget.setInterval(FORGET_MS)
        self._forget.timeout.connect(self.forget_typed)

    def show_tiles(self, contents: Sequence[TileContent]) -> None:
        """Replace all tiles; none is chosen afterwards."""
        for tile in self.tiles:
            self._grid.removeWidget(tile)
            tile.hide()
            tile.deleteLater()
        self.tiles = []
        for index, content in enumerate(contents):
            tile = StaffTile(content, self)
            tile.is_compact = self._is_compact
            tile.clicked.connect(lambda _checked=False, index=index: self.chosen.emit(index))
            self._grid.addWidget(tile, index // COLUMNS, index % COLUMNS)
            self.tiles.append(tile)
            tile.show()
        for column in range(COLUMNS):
            self._grid.setColumnStretch(column, 1)

    def set_compact(self, compact: bool) -> None:
        """Lower tiles, for windows without much height."""
        self._is_compact = compact
        for tile in self.tiles:
            tile.is_compact = compact
            tile.updateGeometry()

    def mark(self, index: int) -> None:
        """Show which tile is chosen; only that one is a tab stop."""
        for at, tile in enumerate(self.tiles):
            tile.setChecked(at == index)
            tile.setFocusPolicy(Qt.FocusPolicy.StrongFocus if at == index else Qt.FocusPolicy.ClickFocus)

    def marked(self) -> int:
        """The chosen tile, -1 when there is none."""
        return next((at for at, tile in enumerate(self.tiles) if tile.isChecked()), -1)

    def step(self, by: int) -> None:
        """Choose the tile `by` places on, if there is one."""
        index = self.marked() + by
        if 0 <= index < len(self.tiles):
            self.chosen.emit(index)

    def focus_marked(self) -> None:
        """The chosen tile takes the focus: names are typed there."""
        self.forget_typed()
        self._focus_marked()

    def has_focus(self) -> bool:
        """Whether one of the tiles has the keyboard."""
        return any(tile.hasFocus() for tile in self.tiles)

    def forget_typed(self) -> None:
        """The next letter begins a name anew; also called when nothing was typed for a while."""
        self._forget.stop()
        self._typed = ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows step; letters find the person by name or login; Enter goes on."""
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -COLUMNS,
            Qt.Key.Key_Down: COLUMNS,
        }
        step = steps.get(Qt.Key(event.key()))
        if step is not None:
            self.forget_typed()
            self.step(step)
            self._focus_marked()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self.forget_typed()
                self.entered.emit()
            return
        letter = event.text().casefold()
        if letter.isalnum():
            self._find(letter)
            return
        super().keyPressEvent(event)

    def _find(self, letter: str) -> None:
        """The letters typed one after the other, else the newest alone: the next tile that begins so."""
        self._forget.start()
        is_new = not self._typed or set(self._typed) == {letter}
        for typed in (self._typed + letter, letter):
            first = self.marked() + (1 if len(typed) == 1 and is_new else 0)
            order = [*range(first, len(self.tiles)), *range(first)]
            found = next((at for at in order if self.tiles[at].content.begins_with(typed)), None)
            if found is not None:
                self._typed = typed
                self.chosen.emit(found)
                self._focus_marked()
                return
        self._typed = ""
        self.unknown.emit()

    def _focus_marked(self) -> None:
        if self.marked() >= 0:
            self.tiles[self.marked()].setFocus()
