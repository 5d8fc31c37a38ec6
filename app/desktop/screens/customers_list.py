"""The list of the register: a name, what tells it from others, and what a clerk should know before greeting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.desktop.theme import BannerKind, TextRole, theme, theme_source
from app.desktop.widgets.paint import BoxStyle, paint_box, paint_ring, paint_tag, tag_width
from app.desktop.widgets.slim_scroll import SlimScrollBar

ROW_HEIGHT = 50
_FACTS = Qt.ItemDataRole.UserRole
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRow:
    """One row: `tag` in the right upper corner, `notice` below it in the warning colours."""

    id: str
    name: str
    second: str
    is_company: bool = False
    tag: str = ""
    notice: str = ""

    def spoken(self) -> str:
        """The whole row, for screen readers."""
        return ", ".join(part for part in (self.name, self.second, self.tag, self.notice) if part)


class RegisterList(QListWidget):
    """`chosen` with id and kind of a row that a click or Enter opened; moving through the rows opens nothing."""

    chosen = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(_RowPainter(self))
        self.setVerticalScrollBar(SlimScrollBar(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self.itemClicked.connect(lambda *_: self.open_current())
        theme_source().changed.connect(self._restyle)
        self._restyle()

    def show_rows(self, rows: Sequence[ListRow], marked: str) -> None:
        """Show these; the one with the id `marked` stays the current one, else the first is."""
        held = self.current_id()
        self.clear()
        for row in rows:
            item = QListWidgetItem(row.spoken())
            item.setData(_FACTS, row)
            self.addItem(item)
        ids = [row.id for row in rows]
        wanted = marked if marked in ids else held
        if ids:
            self.setCurrentRow(ids.index(wanted) if wanted in ids else 0)

    def rows(self) -> tuple[ListRow, ...]:
        return tuple(self.item(at).data(_FACTS) for at in range(self.count()))

    def current_id(self) -> str:
        item = self.currentItem()
        return "" if item is None else str(item.data(_FACTS).id)

    def open_current(self) -> None:
        """Open the row that is marked."""
        if (item := self.currentItem()) is not None:
            row: ListRow = item.data(_FACTS)
            self.chosen.emit(row.id, row.is_company)

    def mark_containing(self, text: str) -> bool:
        """Mark the first shown row with this in it, whatever spaces and signs stand between."""
        wanted = _plain(text)
        found = next((at for at, row in enumerate(self.rows()) if wanted and wanted in _plain(row.spoken())), None)
        if found is not None:
            self.setCurrentRow(found)
        return found is not None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self.open_current()
            event.accept()
            return
        super().keyPressEvent(event)

    def _restyle(self) -> None:
        palette = QPalette(theme().palette())
        palette.setColor(QPalette.ColorRole.Base, theme().surface)
        self.setPalette(palette)
        self.viewport().update()


class _RowPainter(QStyledItemDelegate):
    """Two lines at the left, what is known at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, ROW_HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        look = theme()
        row: ListRow = index.data(_FACTS)
        place = QRect(option.rect)
        state = option.state
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        try:
            if chosen:
                painter.fillRect(place, look.soft)
                painter.fillRect(QRect(place.left(), place.top(), 3, place.height()), look.accent)
            painter.fillRect(QRect(place.left(), place.bottom(), place.width(), 1), look.line)
            self._paint_row(painter, QRectF(place).adjusted(16, 0, -16, 0), row, bold=chosen)
            if chosen and state & QStyle.StateFlag.State_HasFocus:
                paint_ring(painter, QRectF(place).adjusted(3, 3, -3, -3))
        finally:
            painter.restore()

    def _paint_row(self, painter: QPainter, place: QRectF, row: ListRow, *, bold: bool) -> None:
        look = theme()
        top, low = place.top() + 16, place.top() + 34
        name_room = second_room = place.width()
        if row.tag:
            name_room -= tag_width(row.tag) + 8
            paint_tag(painter, place.right() - tag_width(row.tag), top, row.tag)
        if row.notice:
            width = _notice(painter, place.right(), low, row.notice)
            second_room -= width + 8
        self._paint_line(
            painter, QRectF(place.left(), top - 10, name_room, 20), row.name, 600 if bold else 500, base=True
        )
        painter.setPen(look.muted)
        self._paint_line(painter, QRectF(place.left(), low - 9, second_room, 18), row.second, 400, base=False)

    @staticmethod
    def _paint_line(painter: QPainter, place: QRectF, text: str, weight: int, *, base: bool) -> None:
        look = theme()
        font = look.font(TextRole.BASE if base else TextRole.SECONDARY, weight)
        painter.setFont(font)
        if base:
            painter.setPen(look.text)
        shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, _LEFT, shown)


def _plain(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def _notice(painter: QPainter, right: float, middle: float, text: str) -> float:
    """A small word in the warning colours, its width answered."""
    look = theme()
    style = look.banner(BannerKind.WARNING)
    font = look.font(TextRole.CAPTION, 600)
    width = QFontMetricsF(font).horizontalAdvance(text) + 12
    box = QRectF(right - width, middle - 9, width, 18)
    paint_box(painter, box, BoxStyle(fill=style.fill, line=style.line, radius=4))
    painter.setFont(font)
    painter.setPen(style.text)
    painter.drawText(box.adjusted(6, 0, 0, 0), _LEFT, text)
    return width
