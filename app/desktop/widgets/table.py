"""The list of every list screen: a real table view with rows of 32 px, a quiet head and one delegate for all cells."""

from enum import IntEnum

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from app.desktop.icons import paint_icon
from app.desktop.states import ShownState
from app.desktop.theme import TextRole, theme, theme_source
from app.desktop.widgets.paint import paint_state, paint_tag, state_chip_width

Index = QModelIndex | QPersistentModelIndex
PADDING = 16


class CellRole(IntEnum):
    """What a model's `data` may answer beyond the text (Qt.DisplayRole), its alignment and its accessible text."""

    TONE = Qt.ItemDataRole.UserRole + 1  # a colour token: "muted", "error", "warning"…
    WEIGHT = Qt.ItemDataRole.UserRole + 2  # 400 to 700
    STATE = Qt.ItemDataRole.UserRole + 3  # a ShownState: the cell is a chip, its text replaces the state's word
    TAG = Qt.ItemDataRole.UserRole + 4  # True: the text is drawn as a tag
    ICON = Qt.ItemDataRole.UserRole + 5  # an icon name, 14 px, before the text
    SECOND = Qt.ItemDataRole.UserRole + 6  # muted text after the text
    THIRD = Qt.ItemDataRole.UserRole + 7  # plain text after the muted one
    GROUP = Qt.ItemDataRole.UserRole + 8  # True: the row is a group head


class RowDelegate(QStyledItemDelegate):
    """Draws a cell from CellRole data: soft fill when selected, a hairline below, text never changes colour."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        look = theme()
        rect: QRect = option.rect
        selected = self._is_selected(option)
        painter.save()
        fill = look.soft if selected else look.head if index.data(CellRole.GROUP) else look.surface
        painter.fillRect(rect, fill)
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, look.line)
        self._content(painter, QRectF(rect.adjusted(PADDING, 0, -PADDING // 2, -1)), index)
        view = option.widget
        if isinstance(view, ListTable) and view.hasFocus() and view.currentIndex().row() == index.row():
            self._row_focus(painter, rect, view, index)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        hint = super().sizeHint(option, index)
        return QSize(hint.width() + PADDING, theme().sizes.list_row)

    @staticmethod
    def _is_selected(option: QStyleOptionViewItem) -> bool:
        return bool(option.state & QStyle.StateFlag.State_Selected)

    def _row_focus(self, painter: QPainter, rect: QRect, view: "ListTable", index: Index) -> None:
        """A 3 px accent edge on the first cell shows the row that has the keyboard."""
        if view.horizontalHeader().visualIndex(index.column()) == 0:
            painter.fillRect(rect.left(), rect.top(), 3, rect.height(), theme().accent)

    def _content(self, painter: QPainter, area: QRectF, index: Index) -> None:
        text = index.data(Qt.ItemDataRole.DisplayRole) or ""
        state = index.data(CellRole.STATE)
        if state is not None:
            chip = ShownState(state)
            word = text or None
            height = theme().sizes.state_chip
            width: float = state_chip_width(chip, word)
            if width > area.width():  # the code alone says it, where a cut word would not
                word, width = "", min(state_chip_width(chip, ""), area.width())
            place = QRectF(area.left(), area.top() + (area.height() - height) / 2, width, height)
            paint_state(painter, place, chip, word)
            return
        if index.data(CellRole.TAG):
            paint_tag(painter, area.left(), area.center().y(), text)
            return
        self._words(painter, area, index, str(text))

    def _words(self, painter: QPainter, area: QRectF, index: Index, text: str) -> None:
        look = theme()
        weight = index.data(CellRole.WEIGHT) or (600 if index.column() == 0 else 400)
        tone: QColor = getattr(look, index.data(CellRole.TONE) or "text")
        name = index.data(CellRole.ICON)
        if name:
            paint_icon(painter, QRectF(area.left(), area.center().y() - 7, 14, 14), name, tone)
            area.setLeft(area.left() + 20)
        right = bool((index.data(Qt.ItemDataRole.TextAlignmentRole) or 0) & int(Qt.AlignmentFlag.AlignRight))
        parts = [(text, look.font(TextRole.BASE, weight), tone)]
        second, third = index.data(CellRole.SECOND), index.data(CellRole.THIRD)
        if second:
            parts.append((str(second), look.font(TextRole.BASE), look.muted))
        if third:
            parts.append((str(third), look.font(TextRole.BASE), look.text))
        if right:
            area.setRight(area.right() - PADDING // 2)
            self._part(painter, area, parts[0], Qt.AlignmentFlag.AlignRight)
            return
        for part in parts:
            width = self._part(painter, area, part, Qt.AlignmentFlag.AlignLeft)
            area.setLeft(area.left() + width + 8)

    def _part(self, painter: QPainter, area: QRectF, part: tuple[str, QFont, QColor], side: Qt.AlignmentFlag) -> float:
        text, font, ink = part
        painter.setFont(font)
        painter.setPen(ink)
        metrics = painter.fontMetrics()
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0, int(area.width()) + 1))
        painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter, shown)
        return metrics.horizontalAdvance(shown)


class TableHead(QHeaderView):
    """Head fill, muted words of 12 px, a triangle at the sorted column."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFixedHeight(theme().sizes.table_head + 1)
        self.setHighlightSections(False)
        self.setSectionsClickable(True)
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        theme_source().changed.connect(self.viewport().update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        try:
            painter.fillRect(self.viewport().rect(), theme().head)
            painter.fillRect(0, self.height() - 1, self.width(), 1, theme().line_strong)
            model = self.model()
            for section in range(self.count() if model is not None else 0):
                if not self.isSectionHidden(section):
                    self._section(painter, section)
        finally:
            painter.end()

    def _section(self, painter: QPainter, section: int) -> None:
        look = theme()
        left = self.sectionViewportPosition(section)
        area = QRectF(left + PADDING, 0, self.sectionSize(section) - PADDING - PADDING // 2, self.height() - 1)
        model = self.model()
        text = str(model.headerData(section, Qt.Orientation.Horizontal) or "")
        if self.isSortIndicatorShown() and self.sortIndicatorSection() == section:
            text += " ▲" if self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder else " ▼"
        side = model.headerData(section, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole) or 0
        right = bool(int(side) & int(Qt.AlignmentFlag.AlignRight))
        if right:
            area.setRight(area.right() - PADDING // 2)
        painter.setFont(look.font(TextRole.SECONDARY))
        painter.setPen(look.muted)
        flag = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        painter.drawText(area, flag | Qt.AlignmentFlag.AlignVCenter, text)


class ListTable(QTableView):
    """Rows of 32 px, whole rows selected, the last column takes the rest. Give every model an accessible text."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setItemDelegate(RowDelegate(self))
        self.setHorizontalHeader(TableHead(self))
        self.horizontalHeader().setStretchLastSection(True)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(theme().sizes.list_row)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setMouseTracking(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Home and End go to the first and the last row, as in every list of whole rows."""
        if event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End) and event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.ControlModifier,
        ):
            self._go_to_end(last=event.key() == Qt.Key.Key_End)
            return
        super().keyPressEvent(event)

    def _go_to_end(self, *, last: bool) -> None:
        model = self.model()
        rows = range(model.rowCount() if model is not None else 0)
        for row in reversed(rows) if last else rows:
            index = model.index(row, max(0, self.currentIndex().column()))
            if index.flags() & Qt.ItemFlag.ItemIsSelectable:
                self.setCurrentIndex(index)
                self.scrollTo(index)
                return

    def set_widths(self, *widths: int) -> None:
        """Column widths in pixels, from the left; the last column stretches."""
        for column, width in enumerate(widths):
            self.setColumnWidth(column, width)
