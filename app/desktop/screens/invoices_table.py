"""The invoice list as a table: one model row per invoice, and an empty one that makes room for the row card."""

import datetime as dt

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QModelIndex, QObject, Qt

from app.desktop.formats import clock, countdown, day_with_weekday, lock_countdown, money, span, time_of_day, until
from app.desktop.language import language
from app.desktop.screens.invoices_viewmodel import InvoicesViewModel, Segment, SortBy
from app.desktop.states import ShownState, state_label
from app.desktop.widgets.table import CellRole, Index
from app.domain.booking import BookingState, Source
from app.domain.invoice import InvoiceKind, InvoiceState
from app.usecases.rows import InvoiceRow

NUMBER, KIND, CUSTOMER, UNIT, DUE, LEFT, AMOUNT, STATE, LOCK = range(9)
SORTS = {NUMBER: SortBy.NUMBER, CUSTOMER: SortBy.CUSTOMER, DUE: SortBy.DUE, AMOUNT: SortBy.AMOUNT}
COUNTDOWN_UNTIL = 100 * 60
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
LEFT_SIDE = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
DASH = "–"


def kind_label(kind: InvoiceKind) -> str:
    """What the invoice is for: "Sewa", "Pelunasan", "Denda"…"""
    match kind:
        case InvoiceKind.RENTAL:
            return QCoreApplication.translate("InvoiceKind", "Sewa")
        case InvoiceKind.DOWN_PAYMENT:
            return QCoreApplication.translate("InvoiceKind", "Uang muka")
        case InvoiceKind.BALANCE:
            return QCoreApplication.translate("InvoiceKind", "Pelunasan")
        case InvoiceKind.EXTENSION:
            return QCoreApplication.translate("InvoiceKind", "Perpanjangan")
        case InvoiceKind.FINE:
            return QCoreApplication.translate("InvoiceKind", "Denda")
        case InvoiceKind.POST_RENTAL:
            return QCoreApplication.translate("InvoiceKind", "Denda susulan")


def shown_state(row: InvoiceRow) -> ShownState:
    """The booking state as its chip shows it; a waitlist offer is a hold of its own."""
    if row.booking_state is BookingState.PENDING_PAYMENT and row.source is Source.WAITLIST:
        return ShownState.WAITLIST_HOLD
    return ShownState(row.booking_state.value)


class InvoiceTableModel(QAbstractTableModel):
    """Rows come from the view model. A refresh with the same invoices only changes cells, so nothing jumps."""

    def __init__(self, source: InvoicesViewModel, parent: QObject) -> None:
        super().__init__(parent)
        self._source = source
        self._zone = source.zone
        self._rows: tuple[InvoiceRow | None, ...] = ()
        self._ids: tuple[str, ...] = ()
        self.is_low = False
        """In a narrow list the lock's seconds matter more than the counter's name."""

    def follow(self) -> None:
        """Take over what the view model shows now."""
        rows = self._source.shown()
        stopped = self._source.stopped_row()
        entries: list[InvoiceRow | None] = []
        for row in rows:
            entries.append(row)
            if stopped is not None and row.id == stopped.id:
                entries.append(None)
        ids = tuple("" if row is None else row.id for row in entries)
        if ids == self._ids:
            self._rows = tuple(entries)
            self.refresh_cells()
            return
        self.beginResetModel()
        self._rows, self._ids = tuple(entries), ids
        self.endResetModel()

    def refresh_cells(self) -> None:
        """Countdowns stepped, or values changed."""
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, LOCK))

    def row_of(self, invoice_id: str | None) -> int:
        """The table row of an invoice, -1 when it is not shown."""
        return self._ids.index(invoice_id) if invoice_id in self._ids else -1

    def invoice_at(self, row: int) -> InvoiceRow | None:
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def card_row(self) -> int:
        """The row that makes room for the card, -1 without one."""
        return self._ids.index("") if "" in self._ids else -1

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else LOCK + 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or self._rows[index.row()] is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = int(Qt.ItemDataRole.DisplayRole)
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if section in (LEFT, AMOUNT) else LEFT_SIDE
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        paid = self._source.segment is Segment.PAID_TODAY
        return (
            self.tr("No"),
            self.tr("Jenis"),
            self.tr("Pelanggan"),
            self.tr("Unit"),
            self.tr("Jatuh tempo"),
            self.tr("Dibayar pukul") if paid else self.tr("Sisa waktu"),
            self.tr("Dibayar") if paid else self.tr("Sisa tagihan"),
            self.tr("Status"),
            self.tr("Kunci"),
        )[section]

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        row = self.invoice_at(index.row())
        if row is None:
            return None
        column = index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(row, column)
            case Qt.ItemDataRole.TextAlignmentRole:
                return RIGHT if column in (LEFT, AMOUNT) else LEFT_SIDE
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(row, column)
            case CellRole.STATE:
                return shown_state(row) if column == STATE else None
            case CellRole.TONE:
                return self._tone(row, column)
            case CellRole.WEIGHT:
                return self._weight(row, column)
            case CellRole.ICON:
                return self._lock_icon(row) if column == LOCK else None
            case CellRole.SECOND:
                told = column == LOCK and not self.is_low and self._source.lock_seconds(row) > 0
                return row.locked_counter if told else None
            case CellRole.THIRD:
                return self._lock_time(row) if column == LOCK else None
        return None

    def _text(self, row: InvoiceRow, column: int) -> str:
        match column:
            case 0:
                paid = row.state is InvoiceState.PAID
                return (row.number if paid else None) or row.booking_number
            case 1:
                return kind_label(row.kind)
            case 2:
                return row.customer_name
            case 3:
                more = row.unit_count - 1
                return f"{row.unit_plate} +{more}" if more > 0 else row.unit_plate
            case 4:
                return self._due(row)
            case 5:
                return self._left(row)
            case 6:
                owed = row.paid if row.state is InvoiceState.PAID else row.total - row.paid
                return money(owed, language())
            case 7:
                return state_label(shown_state(row))
            case _:
                return self._holder(row)

    def _due(self, row: InvoiceRow) -> str:
        if row.due_at is None:
            return DASH
        day = row.due_at.astimezone(self._zone).date()
        today = self._source.now().astimezone(self._zone).date()
        if day == today:
            return self.tr("hari ini {time}").format(time=clock(row.due_at, self._zone, language()))
        words = day_with_weekday(day, language())
        return words if day < today else f"{words} {clock(row.due_at, self._zone, language())}"

    def _lock_icon(self, row: InvoiceRow) -> str | None:
        """A padlock; a bell where its end will be told."""
        if self._source.lock_seconds(row) <= 0:
            return None
        return "bell" if self._source.is_watched(row.id) else "lock"

    def _left(self, row: InvoiceRow) -> str:
        if row.state is InvoiceState.PAID:
            return time_of_day(row.settled_at, self._zone, language()) if row.settled_at is not None else DASH
        if row.due_at is None or row.state is not InvoiceState.OPEN:
            return ""
        now = self._source.now()
        seconds = (row.due_at - now).total_seconds()
        if seconds < 0:
            return until(row.due_at, now, language())
        if seconds < COUNTDOWN_UNTIL:
            return countdown(seconds)
        return span(seconds, language()) if seconds < dt.timedelta(days=1).total_seconds() else ""

    def _holder(self, row: InvoiceRow) -> str:
        if self._source.lock_seconds(row) <= 0:
            return DASH
        return self.tr("Anda") if row.locked_by_me else row.locked_by_name or row.locked_by or ""

    def _lock_time(self, row: InvoiceRow) -> str | None:
        seconds = self._source.lock_seconds(row)
        if seconds <= 0:
            return None
        return self.tr("aktif") if self._source.is_renewed(row) else lock_countdown(seconds)

    def _tone(self, row: InvoiceRow, column: int) -> str | None:
        if column == KIND:
            return "muted"
        if column == LEFT and row.due_at is not None and row.state is InvoiceState.OPEN:
            seconds = (row.due_at - self._source.now()).total_seconds()
            return "error" if seconds < 60 else "warning" if seconds < 300 else "muted"
        if column == LOCK and self._source.lock_seconds(row) <= 0:
            return "muted"
        return None

    def _weight(self, row: InvoiceRow, column: int) -> int | None:
        if column == LEFT and row.state is InvoiceState.OPEN and row.due_at and row.due_at < self._source.now():
            return 600
        if column == LOCK and self._source.lock_seconds(row) > 0:
            return 500
        return 600 if column == AMOUNT else None

    def _spoken(self, row: InvoiceRow, column: int) -> str:
        text = self._text(row, column)
        if column == LOCK:
            parts = (text, row.locked_counter or "", self._lock_time(row) or "") if text != DASH else ()
            text = " ".join(part for part in parts if part) or self.tr("tidak terkunci")
            if parts and self._source.is_watched(row.id):
                text = ", ".join((text, self.tr("diberi tahu saat lepas")))
        head = str(self.headerData(column, Qt.Orientation.Horizontal))
        return f"{head}: {text}"
