"""The strip of ways to pay: one is chosen, by its button or by Alt and its number."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.desktop.screens.settlement_tendering import METHODS
from app.desktop.widgets.button import Button, ButtonSize
from app.domain.tender import TenderKind

_ICONS = {TenderKind.CASH: "cash", TenderKind.EDC: "card", TenderKind.QRIS: "qr", TenderKind.TRANSFER: "bank"}


class MethodStrip(QWidget):
    """`chosen` with a TenderKind; which one is pressed is only what `show_method` says."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[TenderKind, Button] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        for place, kind in enumerate(METHODS, start=1):
            button = Button(icon=_ICONS[kind], size=ButtonSize.PRIMARY, key=f"Alt+{place}")
            button.setCheckable(True)
            button.clicked.connect(lambda _checked=False, kind=kind: self._press(kind))
            row.addWidget(button, 1)
            self.buttons[kind] = button
        self.retranslate()
        self.show_method(TenderKind.CASH)

    def show_method(self, method: TenderKind) -> None:
        for kind, button in self.buttons.items():
            button.setChecked(kind is method)

    def set_open(self, is_open: bool) -> None:
        """Whether another way may be chosen now."""
        for button in self.buttons.values():
            button.setEnabled(is_open)

    def set_compact(self, compact: bool) -> None:
        """Lower, and without the keys' caps where there is no width for them; the keys go on working."""
        for place, button in enumerate(self.buttons.values(), start=1):
            button.set_size(ButtonSize.SMALL if compact else ButtonSize.PRIMARY)
            button.set_key("" if compact else f"Alt+{place}")

    def retranslate(self) -> None:
        texts = (self.tr("Tunai"), self.tr("EDC"), self.tr("QRIS"), self.tr("Transfer"))
        for button, text in zip(self.buttons.values(), texts, strict=True):
            button.setText(text)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _press(self, kind: TenderKind) -> None:
        self.buttons[kind].setChecked(True)
        self.chosen.emit(kind)
