"""The units of an order that were chosen before the one in the fields: one row each, with a way out."""

from functools import partial

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.formats import period_short
from app.desktop.language import language
from app.desktop.screens.walk_in_form import FormLine
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.label import ElidedLabel
from app.usecases.rows import FleetUnit


class OrderLines(QWidget):
    """`dropped` with the number of the row whose unit is not wanted any more."""

    dropped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[FormLine, ...] = ()
        self._fleet: tuple[FleetUnit, ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(3, 0, 0, 2)
        self._column.setSpacing(0)
        self._rows: list[QWidget] = []
        self.hide()

    def show_lines(self, lines: tuple[FormLine, ...], fleet: tuple[FleetUnit, ...]) -> None:
        if (lines, fleet) != (self._lines, self._fleet):
            self._lines, self._fleet = lines, fleet
            self._build()
        self.setVisible(bool(lines))

    def texts(self) -> tuple[str, ...]:
        """What stands in the rows."""
        return tuple(self._text(line) for line in self._lines)

    def sizeHint(self) -> QSize:
        return QSize(280, 32 * len(self._lines))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._build()
        super().changeEvent(event)

    def _build(self) -> None:
        for row in self._rows:
            self._column.removeWidget(row)
            row.deleteLater()
        self._rows = []
        for number, line in enumerate(self._lines):
            row = QWidget()
            place = QHBoxLayout(row)
            place.setContentsMargins(0, 0, 0, 0)
            place.setSpacing(4)
            text = ElidedLabel(self._text(line))
            drop = Button(icon="close", flat=True, size=ButtonSize.ROW)
            drop.set_hint(self.tr("Keluarkan dari booking ini"))
            drop.setAccessibleName(self.tr("Keluarkan {0}").format(self._text(line)))
            drop.clicked.connect(partial(self._drop, number))
            place.addWidget(text, 1)
            place.addWidget(drop)
            self._column.addWidget(row)
            self._rows.append(row)

    def _drop(self, number: int, _checked: bool = False) -> None:
        self.dropped.emit(number)

    def _text(self, line: FormLine) -> str:
        unit = next((unit for unit in self._fleet if unit.unit.id == line.unit_id), None)
        name = next((unit.sku.name for unit in self._fleet if unit.sku.code == line.sku), line.sku)
        plate = unit.unit.plate if unit is not None else self.tr("otomatis")
        return f"{name} · {plate} · {period_short(line.first_day, line.last_day, language())}"
