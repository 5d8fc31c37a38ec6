"""The month grid's table model: SKU rows and unit rows, foldable, with a spoken text for every cell and header."""

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_selection import DayStretch
from app.desktop.widgets.month_grid_spans import Group
from app.desktop.widgets.month_grid_texts import (
    cell_text,
    day_text,
    group_cell_text,
    group_text,
    held_words,
    unit_text,
)
from app.domain.days import Days
from app.usecases.rows import FleetUnit

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row: a SKU's own (`unit` None) or one unit's. `index` counts units within the SKU."""

    group: Group
    unit: FleetUnit | None


class MonthGridModel(QAbstractTableModel):
    """Rows of the content that is shown. Folding inserts and removes rows; the current cell survives that.

    `folded` after a SKU was folded or opened, with the group and whether it is folded now.
    """

    folded = Signal(object, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.content: GridContent | None = None
        self.chosen: DayStretch | None = None
        self.parked: tuple[tuple[str, Days], ...] = ()
        """Unit and days of the bars that wait in the lane."""
        self._rows: list[GridRow] = []
        self._folded: set[str] = set()
        self._row_of: dict[str, int] = {}

    def set_content(self, content: GridContent) -> bool:
        """Show other content; True when the rows or columns differ and the table was reset."""
        same = (
            self.content is not None
            and len(self.content.days) == len(content.days)
            and (self.content.fleet is content.fleet or self.content.fleet.units == content.fleet.units)
        )
        if same and self.content is not None:
            known = self.content.fleet is content.fleet
            self.content = content
            if not known:
                self._rows = self._built(content)
            return False
        self.beginResetModel()
        self.content = content
        self._rows = self._built(content)
        self._number()
        self.endResetModel()
        return True

    def row(self, row: int) -> GridRow:
        return self._rows[row]

    def row_of_unit(self, unit_id: str) -> int | None:
        """The unit's row; None while its SKU is folded or filtered away."""
        return self._row_of.get(unit_id)

    def row_of_group(self, sku: str) -> int | None:
        return self._row_of.get(f"\0{sku}")

    def is_folded(self, group: Group) -> bool:
        return group.sku.code in self._folded

    def folded_group_of(self, unit_id: str) -> Group | None:
        """The folded SKU that hides a unit; None while its row is there, or the filter hides it."""
        unit = self.content.unit(unit_id) if self.content is not None else None
        if self.content is None or unit is None or unit.unit.sku not in self._folded:
            return None
        return next(group for group in self.content.groups if group.sku.code == unit.unit.sku)

    def fold(self, group: Group, folded: bool) -> None:
        """Hide or show the units of a SKU."""
        if folded == self.is_folded(group):
            return
        at = self._row_of[f"\0{group.sku.code}"] + 1
        count = len(group.units)
        if folded:
            self._folded.add(group.sku.code)
            self.beginRemoveRows(QModelIndex(), at, at + count - 1)
            del self._rows[at : at + count]
            self._number()
            self.endRemoveRows()
        else:
            self._folded.discard(group.sku.code)
            self.beginInsertRows(QModelIndex(), at, at + count - 1)
            self._rows[at:at] = [GridRow(group, unit) for unit in group.units]
            self._number()
            self.endInsertRows()
        self.folded.emit(group, folded)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() or self.content is None else len(self.content.days)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Cells are painted, not displayed; only their spoken text is data."""
        if role != Qt.ItemDataRole.AccessibleTextRole or self.content is None or not index.isValid():
            return None
        row = self._rows[index.row()]
        if row.unit is None:
            return group_cell_text(self.content, row.group, index.column())
        return cell_text(self.content, row.unit, index.column()) + self._held(row.unit, index.column())

    def _held(self, unit: FleetUnit, column: int) -> str:
        chosen, content = self.chosen, self.content
        is_chosen = chosen is not None and chosen.unit.unit.id == unit.unit.id and chosen.first <= column <= chosen.last
        day = content.days[column] if content is not None else None
        lies = (where == unit.unit.id and day in days for where, days in self.parked)
        return held_words(chosen=is_chosen, parked=day is not None and any(lies))

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.content is None:
            return None
        if orientation is Qt.Orientation.Horizontal:
            if section >= len(self.content.days):
                return None
            if role == Qt.ItemDataRole.AccessibleTextRole or role == Qt.ItemDataRole.ToolTipRole:
                return day_text(self.content, section)
            return None
        if role not in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole) or section >= len(self._rows):
            return None
        row = self._rows[section]
        if row.unit is None:
            return group_text(row.group, folded=self.is_folded(row.group))
        return unit_text(self.content, row.unit)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def _built(self, content: GridContent) -> list[GridRow]:
        rows: list[GridRow] = []
        for group in content.groups:
            rows.append(GridRow(group, None))
            if group.sku.code not in self._folded:
                rows += [GridRow(group, unit) for unit in group.units]
        return rows

    def _number(self) -> None:
        self._row_of = {
            row.unit.unit.id if row.unit is not None else f"\0{row.group.sku.code}": number
            for number, row in enumerate(self._rows)
        }
