"""The hits below the search field: two lines each, chosen by the arrows while the focus stays in the field."""

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.desktop.icons import paint_icon
from app.desktop.screens.search_words import ICONS, HitWords, hit_words, hits_counted, listed, nothing_found, searching
from app.desktop.theme import TextRole, theme
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.paint import BoxStyle, paint_box, paint_state, state_chip_width
from app.desktop.widgets.popover import Popover
from app.desktop.widgets.slim_scroll import SlimScrollBar
from app.desktop.widgets.top_bar import key_and_word
from app.usecases.rows_search import SearchHit

LEAST_WIDTH = 520
ROW = 44
MOST_ROWS = 8
_WORDS = Qt.ItemDataRole.UserRole
_ICON = Qt.ItemDataRole.UserRole + 1
_CHIP = 20


class SearchPanel(Popover):
    """`taken` carries the hit that was pressed. It never has the focus: what is typed goes on."""

    taken = Signal(object)

    def __init__(self, own_branch: str | None, parent: QWidget) -> None:
        super().__init__(parent, notch=False)
        self._own_branch = own_branch
        self._found: tuple[SearchHit, ...] = ()
        self._hits: tuple[SearchHit, ...] = ()
        self._text = ""
        self.body.setContentsMargins(5, 5, 5, 6)
        self.list = QListWidget()
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollBar(SlimScrollBar(self.list))
        self.list.setItemDelegate(_HitDelegate(self.list))
        self.list.itemClicked.connect(lambda item: self.taken.emit(self._hits[self.list.row(item)]))
        self._empty = Label("", TextRole.BASE, Tone.MUTED)
        self._empty.setContentsMargins(10, 8, 10, 8)
        self.body.addWidget(self.list)
        self.body.addWidget(self._empty)
        self._foot = QWidget()
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(10, 4, 10, 2)
        foot.setSpacing(16)
        self._count = Label("", TextRole.CAPTION, Tone.MUTED)
        self._open, self._close = Label("", TextRole.CAPTION, Tone.MUTED), Label("", TextRole.CAPTION, Tone.MUTED)
        foot.addWidget(self._count)
        foot.addStretch(1)
        foot.addWidget(key_and_word("Return", self._open))
        foot.addWidget(key_and_word("Esc", self._close))
        self.body.addWidget(self._foot)
        self._retranslate()

    def show_hits(self, text: str, hits: tuple[SearchHit, ...]) -> None:
        """Fill in, the first hit chosen; the caller places the panel."""
        self._found = hits
        hits, is_cut = listed(hits)
        self._text, self._hits = text, hits
        self.list.clear()
        for hit in hits:
            words = hit_words(hit, self._own_branch)
            item = QListWidgetItem(words.spoken)
            item.setData(_WORDS, words)
            item.setData(_ICON, ICONS[hit.kind])
            self.list.addItem(item)
        self.list.setVisible(bool(hits))
        self.list.setFixedHeight(min(len(hits), MOST_ROWS) * ROW)
        self._empty.setVisible(not hits)
        self._empty.setText(nothing_found(text))
        self._count.setText(hits_counted(len(hits), is_cut=is_cut))
        self._foot.setVisible(bool(hits))
        self.list.setCurrentRow(0 if hits else -1)

    def show_waiting(self) -> None:
        """No answer for a while: what stood here before is not what was typed."""
        self.show_hits("", ())
        self._empty.setText(searching())

    def hit(self) -> SearchHit | None:
        """The chosen one."""
        row = self.list.currentRow()
        return self._hits[row] if 0 <= row < len(self._hits) else None

    def step(self, by: int) -> None:
        """The next or previous hit; it stops at the ends."""
        if self._hits:
            self.list.setCurrentRow(max(0, min(len(self._hits) - 1, self.list.currentRow() + by)))

    def spoken(self) -> str:
        """What a screen reader says: the chosen hit, or that there is none."""
        item = self.list.currentItem()
        return item.text() if item is not None else nothing_found(self._text)

    def stand_below(self, field: QWidget) -> None:
        """Under the field, at least as wide, inside the window."""
        parent = self.parentWidget()
        if parent is None:
            return
        width = min(max(LEAST_WIDTH, field.width()), parent.width() - 16)
        self.setFixedWidth(width)
        self.body.activate()
        self.setFixedHeight(self.body.sizeHint().height())
        below = field.mapTo(parent, QPoint(0, field.height() - 1))
        left = max(8, min(below.x() - (width - field.width()) // 2, parent.width() - width - 8))
        self.move(left, below.y())
        self.show()
        self.raise_()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Hasil pencarian"))
        self.list.setAccessibleName(self.tr("Hasil pencarian"))
        self._open.setText(self.tr("buka"))
        self._close.setText(self.tr("tutup"))
        row = self.list.currentRow()
        self.show_hits(self._text, self._found)
        self.list.setCurrentRow(row)


class _HitDelegate(QStyledItemDelegate):
    """Icon; title and kind over the detail; state chip or a text at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, ROW)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        words = index.data(_WORDS)
        if not isinstance(words, HitWords):
            return
        look = theme()
        area = QRectF(option.rect)
        painter.save()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            paint_box(painter, area, BoxStyle(fill=look.soft, line=look.soft, radius=look.sizes.radius_bar))
        muted = look.on_soft if chosen else look.muted
        paint_icon(painter, QRectF(area.left() + 10, area.top() + 14, 16, 16), str(index.data(_ICON)), muted)
        left, right = area.left() + 38, area.right() - 10
        if words.state is not None:
            width = state_chip_width(words.state)
            paint_state(painter, QRectF(right - width, area.center().y() - _CHIP / 2, width, _CHIP), words.state)
            right -= width + 12
        if words.right:
            painter.setFont(look.font(TextRole.BASE, 600))
            room = QFontMetricsF(painter.font()).horizontalAdvance(words.right) + 1
            painter.setPen(look.text)
            middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(QRectF(right - room, area.top(), room, area.height()), middle, words.right)
            right -= room + 12
        self._lines(painter, words, QRectF(left, area.top() + 4, right - left, ROW - 8), chosen)
        painter.restore()

    def _lines(self, painter: QPainter, words: HitWords, room: QRectF, chosen: bool) -> None:
        look = theme()
        upper, lower = QRectF(room), QRectF(room)
        upper.setHeight(18)
        lower.setTop(upper.bottom())
        start = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setFont(look.font(TextRole.BASE, 600))
        painter.setPen(look.text)
        metrics = QFontMetricsF(painter.font())
        title = metrics.elidedText(words.title, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(upper, start, title)
        painter.setPen(look.on_soft if chosen else look.muted)
        painter.setFont(look.font(TextRole.CAPTION))
        upper.setLeft(upper.left() + metrics.horizontalAdvance(title) + 8)
        if upper.width() > QFontMetricsF(painter.font()).horizontalAdvance(words.kind):
            painter.drawText(upper, start, words.kind)
        painter.setFont(look.font(TextRole.SECONDARY))
        detail = QFontMetricsF(painter.font()).elidedText(words.detail, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(lower, start, detail)
