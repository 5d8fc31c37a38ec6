"""What a shift leaves behind, each with a way to it: locks, QRIS that waits, transfers nobody saw yet, drafts."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.icons import IconRole, icon_colour, paint_icon
from app.desktop.screens.shift_desk_viewmodel import ShiftDeskViewModel
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Card, Hairline
from app.desktop.widgets.label import ElidedLabel
from app.usecases.rows_till import OpenEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """One line: what it says, and where it leads; nothing to do without `go`."""

    text: str
    detail: str
    go: Callable[[], object] | None


class _Sign(QWidget):
    """A tick, or a warning where something is left open."""

    def __init__(self, *, warning: bool) -> None:
        super().__init__()
        self._warning = warning
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        return QSize(18, 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            name = "warning" if self._warning else "check"
            role = IconRole.WARNING if self._warning else IconRole.TEXT
            paint_icon(painter, QRectF(1, 1, 16, 16), name, icon_colour(role))
        finally:
            painter.end()


class EndsCard(Card):
    """Made anew whenever what it tells changes. Nothing in it keeps a shift open."""

    def __init__(
        self,
        model: ShiftDeskViewModel,
        open_invoice: Callable[[str], object],
        open_drafts: Callable[[], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(" ", dense=True, parent=parent)
        self._model = model
        self._open_invoice = open_invoice
        self._open_drafts = open_drafts
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        self.body.setSpacing(4)
        self.body.addLayout(self._rows)
        self.body.addStretch(1)
        self._shown: list[tuple[str, str]] = []
        self.links: list[Button] = []
        self.retranslate()

    def show_now(self) -> None:
        """Bring the lines in line with the view model."""
        wanted = self._ends()
        told = [(end.text, end.detail) for end in wanted]
        if told == self._shown:
            return
        self._shown = told
        while (item := self._rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.links = []
        for place, end in enumerate(wanted):
            if place:
                self._rows.addWidget(Hairline())
            self._rows.addWidget(self._row(end))

    def texts(self) -> tuple[str, ...]:
        """Each line as shown."""
        return tuple(text for text, _ in self._shown)

    def retranslate(self) -> None:
        self.set_title(self.tr("Sebelum ditutup"))
        self._shown = []
        self.show_now()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _row(self, end: End) -> QWidget:
        place = QWidget()
        row = QHBoxLayout(place)
        row.setContentsMargins(0, 3, 0, 3)
        row.setSpacing(8)
        row.addWidget(_Sign(warning=end.go is not None))
        words = ElidedLabel(end.text)
        words.setToolTip(end.detail)
        words.setAccessibleDescription(end.detail)
        row.addWidget(words, 1)
        if end.go is not None:
            go = end.go
            button = Button(self.tr("Buka"), size=ButtonSize.ROW)
            button.setAccessibleName(self.tr("Buka: {what}").format(what=end.text))
            button.clicked.connect(lambda *_: go())
            row.addWidget(button)
            self.links.append(button)
        return place

    def _ends(self) -> list[End]:
        model = self._model
        ends = model.ends
        found = [
            self._money(
                ends.locks, self.tr("Tidak ada kunci tagihan terbuka"), self.tr("{count} kunci tagihan terbuka")
            ),
            self._money(ends.qris, self.tr("Tidak ada QRIS yang menunggu"), self.tr("{count} QRIS menunggu dibayar")),
            self._money(
                ends.transfers,
                self.tr("Tidak ada transfer yang belum terverifikasi"),
                self.tr("{count} transfer belum terverifikasi"),
            ),
        ]
        if model.left_drafts:
            text = self.tr("{count} draf belum selesai").format(count=len(model.left_drafts))
            found.append(End(text=text, detail="", go=self._open_drafts))
        else:
            found.append(End(text=self.tr("Tidak ada draf yang belum selesai"), detail="", go=None))
        return found

    def _money(self, ends: tuple[OpenEnd, ...], none: str, some: str) -> End:
        if not ends:
            return End(text=none, detail="", go=None)
        detail = ", ".join(f"{end.booking_number} {end.customer_name}" for end in ends[:6])
        first = ends[0].invoice_id
        return End(text=some.format(count=len(ends)), detail=detail, go=lambda: self._open_invoice(first))
