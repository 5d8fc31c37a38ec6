"""The inputs of a card in as many columns as there is room for, each with its label above and its message below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.echo_line import EchoLine
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.pick_field import Pick, PickField

COLUMN_WIDTH = 250
MOST_COLUMNS = 3
HEAD_HEIGHT = 30
"""As high as the small button beside a label, so that boxes of one row stand in one line."""


class SaidField(Field):
    """A text input whose message comes from outside; Enter goes on."""

    went_on = Signal()

    def __init__(self) -> None:
        super().__init__("")
        self._problem = self._echo = ""

    def say(self, problem: str, echo: str = "") -> None:
        """What is wrong with it, or how it was understood."""
        if (problem, echo) != (self._problem, self._echo) or self.is_wrong() != bool(problem):
            self._problem, self._echo = problem, echo
            self.set_wrong(bool(problem))

    def problem(self) -> str:
        return self._problem

    def echo(self) -> str:
        return self._echo

    def key_pressed(self, event: QKeyEvent) -> bool:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & _HELD:
            self._finish()
            self.went_on.emit()
            return True
        return False


_HELD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


class Cell(QWidget):
    """One labelled input. `eye` is the button that shows a masked number; cells without one have none."""

    def __init__(self, name: str, *, picks: bool, has_eye: bool) -> None:
        super().__init__()
        self.name = name
        self.label = Label("", TextRole.SECONDARY, Tone.MUTED)
        self.field: SaidField | PickField = PickField("") if picks else SaidField()
        self.eye = Button(icon="eye", size=ButtonSize.ROW, flat=True) if has_eye else None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(3, 0, 0, 0)
        head.addWidget(self.label)
        head.addStretch(1)
        if self.eye is not None:
            head.addWidget(self.eye)
        column.addLayout(head)
        column.addWidget(self.field)
        column.addWidget(EchoLine(self.field))
        self.label.setFixedHeight(HEAD_HEIGHT)
        self.label.setBuddy(self.field.edit)

    def set_word(self, word: str) -> None:
        self.label.setText(word)
        self.field.set_name(word)


class FieldGrid(QWidget):
    """`typed` carries name and text of every change, `left` the name of an input that was finished, `went_to` the part
    that has to be seen now."""

    typed = Signal(str, str)
    left = Signal(str)
    went_to = Signal(object)
    ended = Signal()

    def __init__(self, names: Sequence[str], picks: Sequence[str], eyes: Sequence[str] = ()) -> None:
        super().__init__()
        self.cells = {name: Cell(name, picks=name in picks, has_eye=name in eyes) for name in names}
        self._columns = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(13, 4, 13, 4)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(0)
        for name, cell in self.cells.items():
            field = cell.field
            if isinstance(field, PickField):
                field.picked.connect(lambda key, name=name: self.typed.emit(name, key))
                field.entered.connect(lambda name=name: self._go_on(name))
            else:
                field.typed.connect(lambda text, name=name: self.typed.emit(name, text))
                field.committed.connect(lambda name=name: self.left.emit(name))
                field.went_on.connect(lambda name=name: self._go_on(name))
        self._arrange(MOST_COLUMNS)

    def show_texts(self, texts: Mapping[str, str]) -> None:
        """Fill every input; picks take a key."""
        for name, cell in self.cells.items():
            text = texts.get(name, "")
            if isinstance(cell.field, PickField):
                cell.field.choose(text)
            elif cell.field.text() != text:
                cell.field.set_text(text)

    def set_picks(self, name: str, picks: Sequence[Pick]) -> None:
        field = self.cells[name].field
        if isinstance(field, PickField):
            field.set_picks(picks)

    def say(self, name: str, problem: str, echo: str = "") -> None:
        """What stands below an input."""
        field = self.cells[name].field
        if isinstance(field, SaidField):
            field.say(problem, echo)
        else:
            field.set_wrong(bool(problem))

    def focus(self, name: str) -> None:
        if name in self.cells:
            self.cells[name].field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.cells[name].field.edit.selectAll()
            self.went_to.emit(self.cells[name])

    def set_reason(self, name: str, reason: str) -> None:
        """Read-only, and why."""
        self.cells[name].field.set_reason(reason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(max(1, min(MOST_COLUMNS, self.width() // COLUMN_WIDTH)))

    def _go_on(self, name: str) -> None:
        names = list(self.cells)
        at = names.index(name) + 1
        if at < len(names):
            self.focus(names[at])
        else:
            self.ended.emit()

    def _arrange(self, columns: int) -> None:
        """Row by row, so that Tab and reading go the same way."""
        if columns == self._columns:
            return
        for column in range(MOST_COLUMNS):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        self._columns = columns
        for at, cell in enumerate(self.cells.values()):
            self._grid.addWidget(cell, at // columns, at % columns)
