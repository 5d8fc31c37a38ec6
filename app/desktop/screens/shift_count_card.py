"""The count itself: how many of each note and coin, what that comes to, and from one to the next with Enter."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QRegularExpression, Qt, Signal
from PySide6.QtGui import QKeyEvent, QRegularExpressionValidator
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.desktop.formats import number
from app.desktop.language import language
from app.desktop.theme import TextRole
from app.desktop.widgets.card import Card, Hairline
from app.desktop.widgets.field import Field, FieldSize
from app.desktop.widgets.label import Label, Tone
from app.domain.cash_count import PIECES

NOTES = tuple(piece for piece in PIECES if piece >= 1_000)
COINS = tuple(piece for piece in PIECES if piece < 1_000)
RARE = frozenset({75_000, 50})
"""Legal tender that few drawers hold: Enter passes it by, the arrow keys and Tab do not."""
FIELD_WIDTH = 72
_DIGITS = QRegularExpression("[0-9]{0,6}")


class PieceField(Field):
    """How many of one note or coin. Enter and the arrow keys are told by `stepped`: down, up, and whether by Enter."""

    stepped = Signal(int, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", size=FieldSize.SMALL, align_right=True, parent=parent)
        self.edit.setValidator(QRegularExpressionValidator(_DIGITS, self))
        self.setFixedWidth(FIELD_WIDTH)

    def pieces(self) -> int:
        return int(self.text() or 0)

    def key_pressed(self, event: QKeyEvent) -> bool:
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        step = {
            Qt.Key.Key_Return: (1, True),
            Qt.Key.Key_Enter: (1, True),
            Qt.Key.Key_Down: (1, False),
            Qt.Key.Key_Up: (-1, False),
        }.get(Qt.Key(event.key()))
        if step is None:
            return False
        self.stepped.emit(*step)
        return True


class CountCard(Card):
    """`counted` tells a piece and how many; `ended` that Enter left the last one."""

    counted = Signal(int, int)
    ended = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.body.setContentsMargins(16, 8, 16, 6)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnMinimumWidth(0, 72)
        self._grid.setColumnStretch(3, 1)
        self.body.addLayout(self._grid)
        self.body.addStretch(1)
        self.fields: dict[int, PieceField] = {}
        self._names: dict[int, Label] = {}
        self._sums: dict[int, Label] = {}
        self._heads = (Label("", weight=600), Label("", weight=600))
        self._unit = Label("", TextRole.SECONDARY, Tone.MUTED)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        row = 0
        for head, pieces in zip(self._heads, (NOTES, COINS), strict=True):
            head.setMinimumHeight(26)
            self._grid.addWidget(head, row, 0, 1, 3)
            if row == 0:
                self._grid.addWidget(self._unit, row, 3, right)
            row += 1
            for piece in pieces:
                self._add(piece, row)
                row += 2
        self.retranslate()

    def show_pieces(self, pieces: Mapping[int, int], *, closed: str = "") -> None:
        """Bring the fields in line; with `closed` they are read only and say why."""
        for piece, field in self.fields.items():
            many = pieces.get(piece, 0)
            if field.pieces() != many:
                field.set_text(str(many) if many else "")
            field.set_reason(closed)
            self._sums[piece].setText(number(piece * many, language()) if many else "–")
            self._sums[piece].set_tone(Tone.TEXT if many else Tone.MUTED)
            field.set_description(number(piece * many, language()))

    def focus_first(self) -> None:
        """Where counting goes on: the first note without a number."""
        empty = next((piece for piece in PIECES if piece not in RARE and not self.fields[piece].text()), PIECES[0])
        self.fields[empty].setFocus(Qt.FocusReason.TabFocusReason)
        self.fields[empty].edit.selectAll()

    def retranslate(self) -> None:
        self._heads[0].setText(self.tr("Uang kertas"))
        self._heads[1].setText(self.tr("Koin"))
        self._unit.setText(self.tr("lembar"))
        self.setAccessibleName(self.tr("Hitungan laci"))
        for piece, field in self.fields.items():
            name = number(piece, language())
            self._names[piece].setText(name)
            field.set_name(self.tr("Jumlah {piece}").format(piece=name))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _add(self, piece: int, row: int) -> None:
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        name, times, total = Label(""), Label("×", tone=Tone.MUTED), Label("–", tone=Tone.MUTED)
        for label in (name, total):
            label.setAlignment(right)
        field = PieceField()
        field.typed.connect(lambda _text, piece=piece, field=field: self.counted.emit(piece, field.pieces()))
        field.stepped.connect(lambda step, by_enter, piece=piece: self._step(piece, step, by_enter))
        widgets: tuple[QLabel | Field, ...] = (name, times, field, total)
        for column, widget in enumerate(widgets):
            self._grid.addWidget(widget, row, column)
        self._grid.addWidget(Hairline(), row + 1, 0, 1, 4)
        self.fields[piece], self._names[piece], self._sums[piece] = field, name, total

    def _step(self, piece: int, step: int, by_enter: bool) -> None:
        place = PIECES.index(piece) + step
        while by_enter and 0 <= place < len(PIECES) and PIECES[place] in RARE and not self.fields[PIECES[place]].text():
            place += step
        if place >= len(PIECES):
            self.ended.emit()
            return
        field = self.fields[PIECES[max(0, place)]]
        field.setFocus(Qt.FocusReason.TabFocusReason)
        field.edit.selectAll()
