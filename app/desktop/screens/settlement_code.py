"""The QRIS code in the place of the fields: what to pay, how long, and that it is recorded by itself."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.formats import countdown, money
from app.desktop.language import language
from app.desktop.screens.settlement_gateway import SettlementGateway
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.paint import RING_MARGIN
from app.desktop.widgets.qr_code import QrCode
from app.domain.gateway import AttemptState

SIZE, COMPACT_SIZE = 232, 150


class CodePanel(QWidget):
    """Shows the model's attempt. `by_hand` when the money was seen elsewhere, `again` for a fresh code."""

    by_hand = Signal()
    again = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.code = QrCode(SIZE)
        self._amount = Label("", TextRole.TOTAL)
        self._time = Label("", TextRole.SECTION)
        self._words = Label("", TextRole.BASE, Tone.MUTED)
        self._words.setWordWrap(True)
        self._simulated = Label("", TextRole.SECTION, Tone.WARNING)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # a place for the focus where Enter does nothing
        self.hand_button = Button(size=ButtonSize.SMALL)
        self.again_button = Button(size=ButtonSize.SMALL)
        row = QHBoxLayout(self)
        row.setContentsMargins(RING_MARGIN, RING_MARGIN, RING_MARGIN, 0)
        row.setSpacing(20)
        row.addWidget(self.code, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(4)
        for widget in (self._simulated, self._amount, self._time, self._words):
            column.addWidget(widget)
        column.addSpacing(8)
        buttons = QHBoxLayout()
        buttons.setSpacing(4)
        buttons.addWidget(self.again_button)
        buttons.addWidget(self.hand_button)
        buttons.addStretch(1)
        column.addLayout(buttons)
        column.addStretch(1)
        row.addLayout(column, 1)
        self.hand_button.clicked.connect(lambda *_: self.by_hand.emit())
        self.again_button.clicked.connect(lambda *_: self.again.emit())
        self.retranslate()

    def set_compact(self, compact: bool) -> None:
        """A smaller code, and its amount only where it does not stand right above anyway."""
        size = COMPACT_SIZE if compact else SIZE
        self.code.setFixedSize(size, size)
        self._amount.setVisible(not compact)

    def show_attempt(self, model: SettlementGateway) -> None:
        """Code, amount and time as they are now."""
        attempt, left = model.attempt, model.code_seconds()
        is_live = attempt is not None and attempt.state is AttemptState.LIVE and left > 0
        self.code.set_text((attempt.qr or "") if attempt is not None else "")
        self.code.set_spent(not is_live)
        self._amount.setText(money(model.due if attempt is None else attempt.amount, language()))
        self._simulated.setVisible(attempt is not None and attempt.is_simulated)
        self._time.setText(self.tr("berlaku {left}").format(left=countdown(left)) if is_live else "")
        self._words.setText(self._said(model, is_live=is_live))
        self.again_button.setVisible(attempt is not None and not attempt.is_live)
        self.setAccessibleName(f"QRIS {self._amount.text()} {self._time.text()}".strip())

    def retranslate(self) -> None:
        self._simulated.setText(self.tr("SIMULASI: bukan uang sungguhan"))
        self.hand_button.setText(self.tr("Catat dengan tangan"))
        self.again_button.setText(self.tr("Kode baru"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _said(self, model: SettlementGateway, *, is_live: bool) -> str:
        attempt = model.attempt
        if is_live:
            return self.tr("Minta pelanggan memindai. Begitu dibayar, tagihan ini lunas sendiri, tanpa tombol.")
        if attempt is None or attempt.state is AttemptState.ASKED:
            return self.tr("Menyiapkan kode…")
        if attempt.state is AttemptState.PAID:
            return self.tr("Dibayar. Memuat tagihannya…")
        if attempt.state is AttemptState.FAILED:
            return self.tr("Gateway tidak membuat kode. Coba lagi, atau terima cara lain.")
        return self.tr("Kode ini sudah tidak bisa dibayar.")
