"""The keys that work now (F1), in columns that fit the window; what is too much for it is scrolled by the arrows."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from app.desktop.screen import KeyHint
from app.desktop.theme import TextRole, theme
from app.desktop.widgets.label import KeyCap, Label, Tone
from app.desktop.widgets.overlays import Overlay
from app.desktop.widgets.paint import key_cap_width, key_text
from app.desktop.widgets.scrolling import scrolling_column

ROW = 23
LEAST_ROWS = 14
GAP = 28
CAP_GAP = 12
SIDES = 84
BAR = 20
ENDS = 136
"""Pixels beside the columns, and above and below them with the title."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A heading (without a hint) or a key."""

    text: str
    hint: KeyHint | None = None


class KeyOverlay(Overlay):
    """Every key that works now, by group. `hints` are all of them."""

    def __init__(self, title: str, groups: Sequence[tuple[str, Sequence[KeyHint]]], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(title)
        self.hints = tuple(hint for _, hints in groups for hint in hints)
        self.setAccessibleDescription(". ".join(f"{key_text(hint.key)}: {hint.text}" for hint in self.hints))
        self.body.addWidget(Label(title, TextRole.SECTION))
        self._groups = groups
        self._area, column = scrolling_column()
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(0)
        self._grid.setVerticalSpacing(0)
        column.addLayout(self._grid)
        self.body.addWidget(self._area)
        self._fill(parent.width() - SIDES, max(LEAST_ROWS * ROW, parent.height() - ENDS))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self._area.verticalScrollBar()
        steps = {Qt.Key.Key_Down: ROW, Qt.Key.Key_Up: -ROW, Qt.Key.Key_PageDown: 8 * ROW, Qt.Key.Key_PageUp: -8 * ROW}
        by = steps.get(Qt.Key(event.key()))
        if by is not None:
            bar.setValue(bar.value() + by)
            return
        super().keyPressEvent(event)

    def _fill(self, width: int, height: int) -> None:
        """The fewest rows with which all columns stand side by side."""
        lines = _lines(self._groups)
        rows = LEAST_ROWS
        columns = _columns(lines, rows)
        while len(columns) > 1 and sum(map(_width, columns)) + GAP * (len(columns) - 1) > width - BAR:
            rows += 1
            columns = _columns(lines, rows)
        for place, column in enumerate(columns):
            self._lay(column, place * 3)
            if place:
                self._grid.setColumnMinimumWidth(place * 3 - 1, GAP)
        tall = max(len(column) for column in columns) * ROW if columns else ROW
        self._area.setFixedHeight(min(tall, height))
        inside = sum(map(_width, columns)) + GAP * max(0, len(columns) - 1)
        self._area.setFixedWidth(min(width, inside + (BAR if tall > height else 4)))

    def _lay(self, column: Sequence[_Line], at: int) -> None:
        for row, line in enumerate(column):
            self._grid.setRowMinimumHeight(row, ROW)
            if line.hint is None:
                heading = Label(line.text, TextRole.SECONDARY, Tone.MUTED)
                self._grid.addWidget(heading, row, at, 1, 2)
                continue
            cap = KeyCap(line.hint.key)
            self._grid.addWidget(cap, row, at, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            text = Label(line.text)
            text.setContentsMargins(CAP_GAP, 0, 0, 0)
            self._grid.addWidget(text, row, at + 1)


def _lines(groups: Sequence[tuple[str, Sequence[KeyHint]]]) -> list[list[_Line]]:
    """One list for each group: heading, keys."""
    return [[_Line(title), *(_Line(hint.text, hint) for hint in hints)] for title, hints in groups if hints]


def _columns(groups: Sequence[Sequence[_Line]], rows: int) -> list[list[_Line]]:
    """Groups one after the other, each in one piece where it fits; a heading never stands alone at the end."""
    columns: list[list[_Line]] = []
    for group in groups:
        rest = list(group)
        here = columns[-1] if columns else []
        room = rows - len(here) - (1 if here else 0)
        if here and len(rest) <= room:
            here.extend([_Line(""), *rest])
            continue
        while rest:
            columns.append(rest[:rows])
            rest = rest[rows:]
    return columns


def _width(column: Sequence[_Line]) -> int:
    look = theme()
    plain, muted = QFontMetrics(look.font(TextRole.BASE)), QFontMetrics(look.font(TextRole.SECONDARY))
    caps = max((key_cap_width(key_text(line.hint.key)) for line in column if line.hint is not None), default=0)
    texts = max((plain.horizontalAdvance(line.text) for line in column if line.hint is not None), default=0)
    headings = max((muted.horizontalAdvance(line.text) for line in column if line.hint is None), default=0)
    return max(caps + CAP_GAP + texts, headings) + 2
