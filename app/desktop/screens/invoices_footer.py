"""The foot of the invoice list: how many there are, how many others hold, what is owed, and the keys."""

from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.desktop.formats import money
from app.desktop.language import language
from app.desktop.screens.invoices_viewmodel import InvoicesViewModel, Segment
from app.desktop.theme import TextRole, theme
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Surface
from app.desktop.widgets.label import KeyHint, Label, Tone


class InvoicesFooter(Surface):
    """Shows the view model. `opens` is the hint for Enter, hidden while Enter does something else; `refunds_button` is
    there while money is due back."""

    def __init__(self, model: InvoicesViewModel, parent: QWidget | None = None) -> None:
        super().__init__("head", top_line=True, strong=True, parent=parent)
        self._model = model
        self._count = Label("", TextRole.BASE, weight=600)
        self._locked = Label("", TextRole.BASE, Tone.MUTED)
        self._sum_name = Label("", TextRole.BASE, Tone.MUTED)
        self._sum = Label("", TextRole.SECTION)
        self._hints = [Label("", TextRole.SECONDARY, Tone.MUTED) for _ in range(3)]
        self.setFixedHeight(theme().sizes.footer_totals)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 1, 16, 0)
        row.setSpacing(16)
        row.addWidget(self._count)
        row.addWidget(self._locked)
        self.refunds_button = Button(size=ButtonSize.ROW)
        self.refunds_button.hide()
        row.addWidget(self.refunds_button)
        row.addStretch(1)
        row.addWidget(self._sum_name)
        row.addWidget(self._sum)
        row.addSpacing(16)
        keys = (("Enter",), ("Up", "Down"), ("F5",))
        self.opens, *self._others = (KeyHint(caps, label) for caps, label in zip(keys, self._hints, strict=True))
        for hint in (self.opens, *self._others):
            row.addWidget(hint)
        self._is_low = False
        self._refunds = ""

    def set_low(self, low: bool) -> None:
        """A small window has no room for the keys that every list has."""
        self._is_low = low
        self.show_refunds(self._refunds)

    def show_refunds(self, text: str) -> None:
        """What is due back; nothing while `text` is empty."""
        self._refunds = text
        self.refunds_button.setText(text or self.tr("Dana kembali"))
        self.refunds_button.setVisible(bool(text))
        for hint in self._others:
            hint.setVisible(not (self._is_low and text))

    def show_model(self) -> None:
        """Bring counts and sum up to date."""
        model = self._model
        shown = len(model.shown())
        if model.segment is Segment.PAID_TODAY:
            self._count.setText(self.tr("%n tagihan lunas", "", shown))
            self._sum_name.setText(self.tr("Jumlah dibayar"))
        else:
            self._count.setText(self.tr("%n tagihan belum lunas", "", shown))
            self._sum_name.setText(self.tr("Jumlah sisa"))
        locked = model.locked_by_others()
        self._locked.setText(self.tr("%n sedang dikunci kasir lain", "", locked) if locked else "")
        self._sum.setText(money(model.owed(), language()))

    def retranslate(self) -> None:
        opens = self.tr("buka") if self._model.may_settle else self.tr("lihat (membayar: hanya kasir)")
        for label, text in zip(self._hints, (opens, self.tr("pilih"), self.tr("muat ulang")), strict=True):
            label.setText(text)
        self.show_refunds(self._refunds)
