"""Beside the count: what it comes to, in words too, and the terminal's slips."""

from PySide6.QtCore import QEvent, QRegularExpression, Signal
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.desktop.formats import money, money_words
from app.desktop.language import language
from app.desktop.theme import TextRole
from app.desktop.widgets.card import Card
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.money_field import MoneyField


class TotalCard(Card):
    """The number people came for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.body.setSpacing(2)
        self._name = Label("", TextRole.SECONDARY, Tone.MUTED)
        self.total = Label("", TextRole.TOTAL)
        self._echo = Label("", TextRole.CAPTION, Tone.MUTED)
        self._echo.setWordWrap(True)
        self._echo.setMinimumHeight(28)
        for widget in (self._name, self.total, self._echo):
            self.body.addWidget(widget)
        self._amount = 0
        self.show_amount(0)

    def show_amount(self, amount: int) -> None:
        self._amount = amount
        self._name.setText(self.tr("Total dihitung"))
        self.total.setText(money(amount, language()))
        self._echo.setText(money_words(amount, language()))
        self.setAccessibleName(f"{self._name.text()} {self.total.text()}")

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.show_amount(self._amount)
        super().changeEvent(event)


class SlipsCard(Card):
    """`said` tells how many slips and what they come to. QRIS is told by the gateway alone."""

    said = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(" ", dense=True, parent=parent)
        self.body.setSpacing(2)
        self._slips_name = Label("")
        self._slips_name.setFixedWidth(64)
        self.slips = Field("", align_right=True)
        self.slips.edit.setValidator(QRegularExpressionValidator(QRegularExpression("[0-9]{0,5}"), self))
        self.slips.setFixedWidth(62)
        self.total = MoneyField("")
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self._slips_name)
        row.addWidget(self.slips)
        row.addWidget(self.total, 1)
        self.body.addLayout(row)
        self._qris_name, self._qris = Label(""), Label("", tone=Tone.MUTED)
        self._qris_name.setFixedWidth(64)
        second = QHBoxLayout()
        second.addWidget(self._qris_name)
        second.addWidget(self._qris, 1)
        self.body.addLayout(second)
        self.slips.typed.connect(lambda _text: self._tell())
        self.total.typed.connect(lambda _text: self._tell())
        self.slips.edit.returnPressed.connect(self.total.setFocus)
        self.retranslate()

    def show_slips(self, slips: int, total: int, *, closed: str = "") -> None:
        """Bring the fields in line; with `closed` they are read only and say why."""
        if int(self.slips.text() or 0) != slips:
            self.slips.set_text(str(slips) if slips else "")
        if (self.total.amount() or 0) != total and self.total.is_understood():
            self.total.set_amount(total or None)
        self.slips.set_reason(closed)
        self.total.set_reason(closed)

    def retranslate(self) -> None:
        self.set_title(self.tr("Non-tunai"))
        self._slips_name.setText(self.tr("Slip EDC"))
        self.slips.set_name(self.tr("Jumlah slip EDC"))
        self.total.set_name(self.tr("Total slip EDC"))
        self._qris_name.setText(self.tr("QRIS"))
        self._qris.setText(self.tr("otomatis dari gateway"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _tell(self) -> None:
        self.said.emit(int(self.slips.text() or 0), self.total.amount() or 0)
