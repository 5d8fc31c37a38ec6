"""A report in front: what it says, print it, back to work."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.screens.shift_report_card import ReportCard
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.label import Label, Tone
from app.domain.staff import Branch
from app.usecases.rows_till import ShiftReport

WIDTH = 620


class ReportPage(QWidget):
    """The buttons belong to the screen."""

    def __init__(self, branch: Branch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        self.card = ReportCard(branch)
        self.card.setMaximumWidth(WIDTH)
        column.addWidget(self.card, 1)
        self._message = Label("", TextRole.BASE, Tone.MUTED)
        self._message.setWordWrap(True)
        self._message.setMaximumWidth(WIDTH)
        self._message.setMinimumHeight(36)
        column.addWidget(self._message)
        self.close_button = Button("", key="Esc", size=ButtonSize.PRIMARY)
        self.print_button = Button("", key="Ctrl+P", icon="print", size=ButtonSize.PRIMARY, primary=True)
        place = QWidget()
        place.setMaximumWidth(WIDTH)
        row = QHBoxLayout(place)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addStretch(1)
        row.addWidget(self.close_button)
        row.addWidget(self.print_button)
        column.addWidget(place)
        self.retranslate()

    @property
    def report(self) -> ShiftReport | None:
        return self.card.report

    def show_report(self, report: ShiftReport) -> None:
        self.card.show_report(report)
        self.say("", Tone.MUTED)

    def say(self, text: str, tone: Tone) -> None:
        self._message.setText(text)
        self._message.set_tone(tone)

    def message(self) -> str:
        return self._message.text()

    def retranslate(self) -> None:
        self.close_button.setText(self.tr("Kembali"))
        self.print_button.setText(self.tr("Cetak"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
