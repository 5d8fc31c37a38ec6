"""The price part of the drawer: lines, the total in 28 px, and the tax inside it."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.formats import money, money_words
from app.desktop.language import language
from app.desktop.screens.walk_in_texts import MOST_ROWS, ROWS_LOW, ppn_note, price_rows
from app.desktop.theme import TextRole
from app.desktop.widgets.card import Hairline
from app.desktop.widgets.label import Label, Tone
from app.domain.money import Rupiah
from app.domain.pricing import Quote

_LEAST_ROWS = 3
_ROW_HEIGHT, _ROW_LOW = 20, 18
_WIDE = 10_000_000
"""From here on a total has no room in the largest role beside its name."""


class PriceLines(QWidget):
    """At least as high as three lines; more of them grow upwards, so that the total never moves.

    Low, on a small screen, it is as high as what it says, in at most three lines.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._quote: Quote | None = None
        self._total: Rupiah | None = None
        self._valid = ""
        self._is_low = False
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        grid = self._grid = QGridLayout()
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        self._rows: list[tuple[Label, Label]] = []
        for row in range(MOST_ROWS):
            name, amount = Label("", TextRole.BASE), Label("", TextRole.BASE)
            amount.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(name, row, 0)
            grid.addWidget(amount, row, 1)
            self._rows.append((name, amount))
        column.addLayout(grid)
        column.addWidget(Hairline(strong=True))
        line = QHBoxLayout()
        self._label = Label("", TextRole.BASE, weight=600)
        self.total = Label("", TextRole.TOTAL)
        self.total.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.total.setMinimumHeight(36)
        line.addWidget(self._label)
        line.addStretch(1)
        line.addWidget(self.total)
        column.addLayout(line)
        notes = QHBoxLayout()
        self._until, self._note = (Label("", TextRole.CAPTION, Tone.MUTED) for _ in range(2))
        self._note.setAlignment(Qt.AlignmentFlag.AlignRight)
        for note in (self._until, self._note):
            note.setFixedHeight(16)
        notes.addWidget(self._until)
        notes.addWidget(self._note, 1)
        column.addLayout(notes)
        self._fit()

    def set_low(self, low: bool) -> None:
        """A small screen: closer lines, and no more of them than needed."""
        if low is not self._is_low:
            self._is_low = low
            self._fit()

    def _fit(self) -> None:
        low = self._is_low
        for part in (label for row in self._rows for label in row):
            part.setFixedHeight(_ROW_LOW if low else _ROW_HEIGHT)
        self._grid.setVerticalSpacing(0 if low else 4)
        self._column.setSpacing(1 if low else 4)
        self.total.setMinimumHeight(34 if low else 36)
        self.show_quote(self._quote, self._total, self._valid)

    def show_quote(self, quote: Quote | None, total: Rupiah | None = None, until: str = "") -> None:
        """Show a quote, or a total whose lines are not known here; `until` is the time its price is good for."""
        self._quote, self._valid = quote, until
        self._total = quote.total if quote is not None else total
        lines = price_rows(quote, ROWS_LOW if self._is_low else MOST_ROWS) if quote is not None else ()
        least = 0 if self._is_low else _LEAST_ROWS
        for index, (name, amount) in enumerate(self._rows):
            line = lines[index] if index < len(lines) else None
            for part in (name, amount):
                part.setVisible(index < max(least, len(lines)))
            name.setText(line[0] if line is not None else "")
            amount.setText(money(line[1], language()) if line is not None else "")
        self._label.setText(self.tr("Total sekarang"))
        is_known = self._total is not None
        large = TextRole.TOTAL if (self._total or 0) < _WIDE else TextRole.AMOUNT
        self.total.set_role(large if is_known else TextRole.BASE)
        self.total.set_tone(Tone.TEXT if is_known else Tone.MUTED)
        self.total.setText(money(self._total, language()) if self._total is not None else "–")
        words = money_words(self._total, language()) if self._total is not None else ""
        self.total.setAccessibleName(f"{self._label.text()}, {words}")
        self._note.setText(ppn_note(quote) if quote is not None else "")
        # What is left to pay needs the whole line.
        is_said = bool(until) and (quote is None or not quote.balance)
        self._until.setText(self.tr("Harga berlaku s.d. {0}").format(until) if is_said else "")

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.show_quote(self._quote, self._total, self._valid)
        super().changeEvent(event)
