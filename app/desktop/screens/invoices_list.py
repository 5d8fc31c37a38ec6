"""The page with the invoice list: toolbar, table with the row card, footer with the sums."""

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from app.desktop.errors import refusal_sentence
from app.desktop.screens.invoices_card import CARD_HEIGHT, LockCard
from app.desktop.screens.invoices_columns import column_count, fit_columns, is_low
from app.desktop.screens.invoices_footer import InvoicesFooter
from app.desktop.screens.invoices_table import SORTS, InvoiceTableModel
from app.desktop.screens.invoices_viewmodel import InvoicesViewModel, Segment
from app.desktop.theme import TextRole, theme
from app.desktop.widgets.button import Button
from app.desktop.widgets.card import Surface
from app.desktop.widgets.countdown import ProgressLine
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.segment import Choice
from app.desktop.widgets.segment import Segment as SegmentRow
from app.desktop.widgets.table import ListTable
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import InvoiceState

SEARCH_WIDTH, LOW_SEARCH_WIDTH = 286, 132


class InvoiceListPage(QWidget):
    """Reads and shows; what is opened is decided by the screen (`pay_wanted`, `view_wanted`, `move_wanted`)."""

    pay_wanted = Signal(str)
    view_wanted = Signal(str)
    move_wanted = Signal(str)
    reprint_wanted = Signal(str)
    told = Signal()

    def __init__(self, model: InvoicesViewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self.table_model = InvoiceTableModel(model, self)
        self._title = Label("", TextRole.SECTION)
        self.search = Field("", key="/", icon="search")
        self._online = True
        self._with_fines = False
        self._with_paid = False
        self._low = False
        self.segments = self._make_segments(False)
        self.reprint_button = Button(key="Ctrl+P")
        self.pay_button = Button(key="F9", primary=True)
        self.table = ListTable("")
        self.card = LockCard(self.table.viewport())
        self._empty = Label("", TextRole.BASE, Tone.MUTED)
        self.footer = InvoicesFooter(model)
        self._progress = ProgressLine(self)
        self._lay_out()
        self._connect()
        self.retranslate()

    # --- what the screen calls ---

    def focus_list(self) -> None:
        """Typing and the arrow keys go to the list."""
        if self.model.stopped_row() is not None:
            self.card.focus_first()
        else:
            self.table.setFocus()

    def set_online(self, online: bool) -> None:
        """Without a connection nothing is opened: that is said before typing starts."""
        self._online = online
        self._show_buttons()

    def focus_search(self) -> None:
        self.search.setFocus()
        self.search.edit.selectAll()

    def open_selected(self) -> None:
        """Enter and F9: settle the selected invoice; without the cashier's role, or when it is paid, look at it."""
        row = self.model.selected()
        if row is None:
            return
        if self.may_open():
            self.pay_wanted.emit(row.id)
        else:
            self.view_wanted.emit(row.id)

    def may_open(self) -> bool:
        """Whether the selected invoice may be tried."""
        row = self.model.selected()
        return self._online and self.model.may_settle and row is not None and row.state is InvoiceState.OPEN

    def escape(self) -> bool:
        """Close the card, then clear the search."""
        if self.model.stopped is not None:
            self.model.close_card()
            self.table.setFocus()
            return True
        if self.search.text():
            self.search.set_text("")
            self.model.filter("")
            self.table.setFocus()
            return True
        return False

    def retranslate(self) -> None:
        self._title.setText(self.tr("Tagihan"))
        self.search.set_placeholder(self.tr("Ketik nomor, nama, pelat"))
        self.search.set_name(self.tr("Cari di daftar tagihan"))
        self.segments.set_name(self.tr("Tagihan mana"))
        self.reprint_button.setText(self.tr("Cetak ulang"))
        self.pay_button.setText(self.tr("Buka & bayar"))
        self.table.setAccessibleName(self.tr("Daftar tagihan"))
        self.card.retranslate()
        self.footer.retranslate()
        self.table_model.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, column_count() - 1)
        self.show_now()

    # --- showing ---

    def show_now(self) -> None:
        """Bring the page in line with the view model."""
        model = self.model
        self._progress.set_running(model.is_busy("reload") and not model.is_loaded)
        self._show_segments()
        self._following = True
        self.table_model.follow()
        self._show_columns()
        card_row = self.table_model.card_row()
        for row in range(self.table_model.rowCount()):
            height = CARD_HEIGHT if row == card_row else theme().sizes.list_row
            if self.table.rowHeight(row) != height:
                self.table.setRowHeight(row, height)
        at = self.table_model.row_of(model.selected_id)
        if at >= 0 and self.table.currentIndex().row() != at:
            self.table.setCurrentIndex(self.table_model.index(at, 0))
        self._following = False
        header = self.table.horizontalHeader()
        column = next(column for column, by in SORTS.items() if by is model.sort_by)
        header.setSortIndicator(
            column, Qt.SortOrder.DescendingOrder if model.descending else Qt.SortOrder.AscendingOrder
        )
        self._show_card()
        self.footer.show_model()
        self._show_body()
        self._show_buttons()

    def show_seconds(self) -> None:
        """A second passed."""
        self.table_model.refresh_cells()
        self._show_card()

    def _show_segments(self) -> None:
        low = self._low
        words = {
            Segment.UNPAID: self.tr("Belum lunas"),
            Segment.DUE_TODAY: self.tr("Hari ini") if low else self.tr("Jatuh tempo hari ini"),
            Segment.FINES: self.tr("Denda"),
            Segment.PAID_TODAY: self.tr("Lunas") if low else self.tr("Lunas hari ini"),
        }
        fines = self.model.count(Segment.FINES) > 0 or self.model.segment is Segment.FINES
        if fines is not self._with_fines:
            self._with_fines = fines
            before, self.segments = self.segments, self._make_segments(fines)
            self._toolbar.replaceWidget(before, self.segments)
            before.hide()
            before.deleteLater()
        for segment, text in words.items():
            if fines or segment is not Segment.FINES:
                self.segments.set_text(segment.value, text, self.model.count(segment))
        self.segments.choose(self.model.segment.value)

    def _show_card(self) -> None:
        """The card under its row. While it is open Enter presses its button, so the footer does not promise more."""
        model, row = self.model, self.model.stopped_row()
        refusal = model.stopped
        self.footer.opens.setVisible(row is None or refusal is None)
        if row is None or refusal is None:
            self.card.hide()
            return
        seconds = model.stopped_seconds()
        told = Refusal(refusal.code, next=refusal.next)
        told.params.update(refusal.params, number=row.booking_number, remaining_ms=int(seconds * 1000))
        sentence = refusal_sentence(told, model.zone)
        if refusal.code is RefusalCode.LOCK_MINE_ELSEWHERE:
            self.card.set_words(sentence.title, "", sentence.text)
        else:
            more = self.tr("Kuncinya terus diperpanjang.") if model.is_renewed(row) else sentence.text
            second = self.tr(
                "Tidak ada yang berubah. Kami memberi tahu saat kuncinya lepas, kunci tidak diambil otomatis."
            )
            self.card.set_words(sentence.title, more, second)
        self.card.set_code(refusal.code)
        place = self.table.visualRect(self.table_model.index(self.table_model.card_row(), 0))
        self.card.setGeometry(0, place.top(), self.table.viewport().width(), CARD_HEIGHT)
        self.card.show()

    def _show_body(self) -> None:
        """The list, or why it is empty."""
        model = self.model
        self._stack.setCurrentIndex(1 if model.is_loaded and not model.shown() else 0)
        if model.filter_text:
            self._empty.setText(
                self.tr("Tidak ditemukan '{text}'. Esc menghapus pencarian.").format(text=model.filter_text)
            )
        else:
            self._empty.setText(self.tr("Tidak ada tagihan di sini. Tagihan dibuat saat unit ditahan di kalender."))

    def _show_buttons(self) -> None:
        model, row = self.model, self.model.selected()
        if not model.may_settle:
            self.pay_button.set_reason(
                self.tr("Membayar hanya untuk kasir: perlu peran Kasir. Minta kasir atau manajer.")
            )
        elif not self._online:
            self.pay_button.set_reason(self.tr("Belum bisa membuka tagihan: koneksi terputus."))
        elif model.stopped_row() is not None and row is not None and row.id == self._stopped_id():
            self.pay_button.set_reason(self.tr("Sedang diproses kasir lain."))
        elif not self.may_open():
            self.pay_button.set_reason(self.tr("Pilih tagihan yang belum lunas."))
        else:
            self.pay_button.set_reason("")
        paid = row is not None and row.state is InvoiceState.PAID
        self.reprint_button.set_reason("" if paid else self.tr("Pilih tagihan yang sudah lunas."))

    def _stopped_id(self) -> object:
        return None if self.model.stopped is None else self.model.stopped.params.get("invoice_id")

    # --- Qt ---

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Any digit and "/" go to the search; Enter opens."""
        text = event.text()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self.open_selected()
            return
        if text == "/":
            self.focus_search()
            return
        if text.isascii() and text.isdigit():
            self.search.setFocus()
            self.search.edit.end(False)
            self.search.edit.insert(text)
            self.search.typed.emit(self.search.text())
            return
        super().keyPressEvent(event)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """The table leaves typing to the page; Down in the search goes into the list."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key, text = event.key(), event.text()
            if watched is self.table and (
                key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or text == "/" or (text.isascii() and text.isdigit())
            ):
                self.keyPressEvent(event)
                return True
            if watched is self.search.edit and key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
                self.table.setFocus()
                return True
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if (low := is_low(self.width())) is not self._low:
            self._low = self.table_model.is_low = low
            self._title.setVisible(not low)
            self.search.setFixedWidth(LOW_SEARCH_WIDTH if low else SEARCH_WIDTH)
            self._show_segments()
            self.footer.set_low(low)
        self._fit_columns()
        self._show_card()

    # --- inside ---

    def _lay_out(self) -> None:
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        toolbar = Surface("surface", bottom_line=True)
        toolbar.setFixedHeight(theme().sizes.toolbar)
        row = self._toolbar = QHBoxLayout(toolbar)
        row.setContentsMargins(12, 0, 9, 1)
        row.setSpacing(2)
        row.addWidget(self._title)
        row.addSpacing(11)
        self.search.setFixedWidth(SEARCH_WIDTH)
        row.addWidget(self.search)
        row.addWidget(self.segments)
        row.addStretch(1)
        row.addWidget(self.reprint_button)
        row.addWidget(self.pay_button)
        page.addWidget(toolbar)
        self._progress.move(0, theme().sizes.toolbar - 2)
        self._progress.raise_()
        body = QWidget()
        self._stack = QStackedLayout(body)
        self._stack.addWidget(self.table)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._empty.setContentsMargins(24, 64, 24, 0)
        self._stack.addWidget(self._empty)
        page.addWidget(body, 1)
        page.addWidget(self.footer)

    def _make_segments(self, with_fines: bool) -> SegmentRow:
        """Denda is a choice only while there are any."""
        keys = [segment for segment in Segment if with_fines or segment is not Segment.FINES]
        row = SegmentRow(self.tr("Tagihan mana"), [Choice(key=key.value, text="") for key in keys])
        row.chosen.connect(lambda key: self.model.choose_segment(Segment(key)))
        return row

    def _connect(self) -> None:
        self._following = False
        self.table.setModel(self.table_model)
        self.table.installEventFilter(self)
        self.search.edit.installEventFilter(self)
        header = self.table.horizontalHeader()
        header.setSortIndicatorShown(True)
        header.sectionClicked.connect(lambda section: self.model.sort(SORTS[section]) if section in SORTS else None)
        self.table.selectionModel().currentRowChanged.connect(self._row_chosen)
        self.table.doubleClicked.connect(lambda _index: self.open_selected())
        self.table.verticalScrollBar().valueChanged.connect(lambda _value: self._show_card())
        self.search.typed.connect(self.model.filter)
        self.search.edit.returnPressed.connect(self.open_selected)
        self.pay_button.clicked.connect(lambda *_: self.open_selected())
        self.reprint_button.clicked.connect(lambda *_: self.reprint())
        self.card.tell_me.connect(lambda: self._card_action("tell"))
        self.card.view_only.connect(lambda: self._card_action("view"))
        self.card.move_here.connect(lambda: self._card_action("move"))
        self.card.dismissed.connect(self.escape)
        self.model.changed.connect(self.show_now)
        self.model.ticked.connect(self.show_seconds)

    def reprint(self) -> None:
        """Ctrl+P: the receipt of the selected paid invoice again."""
        row = self.model.selected()
        if row is not None and row.state is InvoiceState.PAID:
            self.reprint_wanted.emit(row.id)

    def _card_action(self, action: str) -> None:
        invoice_id = str(self._stopped_id() or "")
        if not invoice_id:
            return
        if action == "tell":
            self.model.tell_me(invoice_id)
            self.table.setFocus()
            self.told.emit()
        elif action == "view":
            self.view_wanted.emit(invoice_id)
        else:
            self.move_wanted.emit(invoice_id)

    def _row_chosen(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = self.table_model.invoice_at(current.row())
        if row is not None and not self._following:
            self.model.select(row.id)

    def _show_columns(self) -> None:
        """Paid invoices have columns of their own."""
        paid = self.model.segment is Segment.PAID_TODAY
        if paid is not self._with_paid:
            self._with_paid = paid
            self.table_model.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, column_count() - 1)
            self._fit_columns()

    def _fit_columns(self) -> None:
        fit_columns(self.table, self.width(), paid=self._with_paid)
