"""Opening a shift, with the drawer's notes and coins beside the float for whoever counts them."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.screens.shift_count_card import CountCard
from app.desktop.screens.shift_view import ShiftScreen
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.scrolling import scrolling_column
from app.domain.cash_count import counted

COUNT_WIDTH = 340
OPENING_HEIGHT = 400
"""As much as the form needs, so that the button stands below it."""


class OpeningPage(QWidget):
    """What is counted becomes the float at once; a float that is typed afterwards stands."""

    def __init__(self, opening: ShiftScreen, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.opening = opening
        self._pieces: dict[int, int] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        column = QVBoxLayout()
        column.setSpacing(0)
        opening.setMaximumHeight(OPENING_HEIGHT)
        column.addWidget(opening, 1)
        row.addLayout(column)
        self.count = CountCard()
        self.count.setFixedWidth(COUNT_WIDTH)
        area, inside = scrolling_column(ground="app")
        inside.setContentsMargins(0, 24, 0, 16)
        inside.addWidget(self.count)
        inside.addStretch(1)
        self._area = area
        self._area.setFixedWidth(COUNT_WIDTH + 12)
        self._area.hide()
        row.addWidget(self._area)
        row.addStretch(1)
        self.button = Button("", icon="chevron_right", size=ButtonSize.SMALL)
        under = QHBoxLayout()
        under.setContentsMargins(29, 0, 32, 24)
        under.addWidget(self.button)
        under.addStretch(1)
        column.addLayout(under)
        column.addStretch(0)
        self.button.clicked.connect(lambda *_: self.toggle())
        self.count.counted.connect(self._counted)
        self.count.ended.connect(self._ended)
        opening.model.changed.connect(self._show)
        self.retranslate()
        self._show()

    def toggle(self) -> None:
        """Show the notes and coins, or put them away; what was counted stays the float."""
        shown = self._area.isVisibleTo(self)
        self._area.setVisible(not shown)
        self.retranslate()
        if shown:
            self.opening.float_field.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self.count.show_pieces(self._pieces)
            self.count.focus_first()

    def retranslate(self) -> None:
        is_open = self._area.isVisibleTo(self)
        self.button.setText(self.tr("Tutup hitungan pecahan") if is_open else self.tr("Hitung pecahan"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _show(self) -> None:
        """Once a shift is open the drawer's pieces are those of its count."""
        if self.opening.model.shift is not None:
            self._pieces = {}
            self._area.hide()
            self.retranslate()
        self.button.setVisible(self.opening.model.shift is None)

    def _counted(self, piece: int, many: int) -> None:
        self._pieces[piece] = many
        self.count.show_pieces(self._pieces)
        self.opening.float_field.set_amount(int(counted(self._pieces)))

    def _ended(self) -> None:
        self.opening.open_button.setFocus(Qt.FocusReason.TabFocusReason)
