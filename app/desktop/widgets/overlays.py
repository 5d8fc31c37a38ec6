"""Panels over the window, and one of them: the command palette (Ctrl+K)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.desktop.announce import announce
from app.desktop.theme import TextRole, theme
from app.desktop.widgets.field import Field
from app.desktop.widgets.paint import BoxStyle, key_cap_width, key_text, paint_box, paint_key_cap
from app.desktop.widgets.slim_scroll import SlimScrollBar

KEY_ROLE = Qt.ItemDataRole.UserRole + 1
GROUP_ROLE = Qt.ItemDataRole.UserRole + 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PaletteEntry:
    """One thing the palette can do."""

    text: str
    key: str
    run: Callable[[], object]
    group: str = ""


class Overlay(QWidget):
    """Dims its parent and shows one panel; Esc or a press outside closes it and gives the focus back."""

    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        window = parent.window()
        self._before = window.focusWidget()
        self.panel = QFrame(self)
        self.body = QVBoxLayout(self.panel)
        self.body.setContentsMargins(20, 16, 20, 16)
        self.body.setSpacing(8)
        self.panel.installEventFilter(self)
        parent.installEventFilter(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setGeometry(parent.rect())

    def open(self) -> None:
        self.place()
        self.show()
        self.raise_()
        self.setFocus()

    def place(self) -> None:
        """The panel in the upper middle."""
        self.panel.adjustSize()
        left = (self.width() - self.panel.width()) // 2
        self.panel.move(QPoint(left, min(72, max(0, self.height() - self.panel.height()))))

    def finish(self) -> None:
        parent = self.parentWidget()
        if parent is not None:
            parent.removeEventFilter(self)
        self.hide()
        if self._before is not None:
            self._before.setFocus()
        self.closed.emit()
        self.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_F1):
            self.finish()
            return
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.panel.geometry().contains(event.position().toPoint()):
            self.finish()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.parent() and event.type() == QEvent.Type.Resize:
            parent = self.parentWidget()
            if parent is not None:
                self.setGeometry(parent.rect())
                self.place()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            veil = look.app
            painter.setOpacity(0.72)
            painter.fillRect(self.rect(), veil)
            painter.setOpacity(1.0)
            style = BoxStyle(fill=look.surface, line=look.control, radius=look.sizes.radius_card)
            paint_box(painter, QRectF(self.panel.geometry()), style)
        finally:
            painter.end()


class _EntryDelegate(QStyledItemDelegate):
    """The command at the left, its key as a cap at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, theme().sizes.list_row)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        look = theme()
        area = QRectF(option.rect)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            paint_box(painter, area, BoxStyle(fill=look.soft, line=look.soft, radius=look.sizes.radius_bar))
        left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        key, right = str(index.data(KEY_ROLE) or ""), area.right() - 12
        if key:
            cap = key_text(key)
            right -= key_cap_width(cap)
            paint_key_cap(painter, right, area.center().y(), cap)
            right -= 12
        painter.setFont(look.font(TextRole.BASE))
        painter.setPen(look.text)
        room = QRectF(area.left() + 12, area.top(), right - area.left() - 12, area.height())
        metrics = painter.fontMetrics()
        text = metrics.elidedText(str(index.data() or ""), Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, left, text)
        group = str(index.data(GROUP_ROLE) or "")
        painter.setFont(look.font(TextRole.CAPTION))
        if (
            group
            and metrics.horizontalAdvance(text) + painter.fontMetrics().horizontalAdvance(group) + 16 < room.width()
        ):
            painter.setPen(look.on_soft if option.state & QStyle.StateFlag.State_Selected else look.muted)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, group)
        painter.restore()


class CommandPalette(Overlay):
    """Type a part of a command, Enter runs it; Up and Down choose."""

    def __init__(
        self,
        title: str,
        placeholder: str,
        entries: Sequence[PaletteEntry],
        parent: QWidget,
        *,
        offers: Callable[[str], Sequence[PaletteEntry]] = lambda text: (),
    ) -> None:
        super().__init__(parent)
        self._entries = entries
        self._offers = offers
        self._listed: tuple[PaletteEntry, ...] = ()
        self.field = Field(title, placeholder=placeholder, icon="search")
        self.field.setMinimumWidth(480)
        self.list = QListWidget()
        self.list.setAccessibleName(title)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setFixedHeight(8 * theme().sizes.list_row)
        self.list.setVerticalScrollBar(SlimScrollBar(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setItemDelegate(_EntryDelegate(self.list))
        self.list.itemClicked.connect(lambda item: self._run(item))
        self.body.addWidget(self.field)
        self.body.addWidget(self.list)
        self.field.typed.connect(self._filter)
        self.field.edit.installEventFilter(self)
        self._filter("")

    def open(self) -> None:
        super().open()
        self.field.setFocus()

    def type(self, text: str) -> None:
        """As if it had been typed."""
        self.field.set_text(text)
        self._filter(text)

    def shown(self) -> tuple[PaletteEntry, ...]:
        """The entries that match what was typed."""
        return self._listed

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field.edit and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            key = event.key()
            if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
                step = 1 if key == Qt.Key.Key_Down else -1
                self.list.setCurrentRow(max(0, min(self.list.count() - 1, self.list.currentRow() + step)))
                return True
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run(self.list.currentItem())
                return True
            if key == Qt.Key.Key_Escape:
                self.finish()
                return True
        return super().eventFilter(watched, event)

    def _filter(self, text: str) -> None:
        self.list.clear()
        ranked = ((_rank(entry, text.casefold()), index) for index, entry in enumerate(self._entries))
        found = sorted((rank, index) for rank, index in ranked if rank is not None)
        self._listed = (*self._offers(text), *(self._entries[index] for _, index in found))
        for entry in self._listed:
            item = QListWidgetItem(entry.text)
            item.setData(KEY_ROLE, entry.key)
            item.setData(GROUP_ROLE, entry.group)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        if text.strip():
            announce(self.field.edit, self._listed[0].text if self._listed else self.tr("Tidak ada perintah begitu"))

    def _run(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        entry = self._listed[self.list.row(item)]
        self.finish()
        entry.run()


def _rank(entry: PaletteEntry, typed: str) -> int | None:
    """How well a command fits what was typed, 0 best: its text begins so, its words do, it holds them; its key last."""
    wanted, text = typed.split(), entry.text.casefold()
    if text.startswith(" ".join(wanted)):
        return 0
    if all(any(word.startswith(part) for word in text.split()) for part in wanted):
        return 1
    if all(part in text for part in wanted):
        return 2
    return 3 if all(part in f"{text} {entry.key.casefold()}" for part in wanted) else None
