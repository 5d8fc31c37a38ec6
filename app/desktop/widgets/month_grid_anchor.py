"""Where the rows stand on the screen, kept while the rows themselves change."""

from dataclasses import dataclass

from app.desktop.widgets.month_grid_model import MonthGridModel

Named = tuple[str, str]
"""A row's SKU, and its unit's id; "" for the SKU's own row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowAnchor:
    """The rows that were in sight, each with its top in the viewport, from the uppermost on; `current` is the row of
    the current cell.
    """

    tops: tuple[tuple[Named, int], ...]
    current: int

    def scrolled(self, model: MonthGridModel, height: int) -> int | None:
        """How far to scroll so that the uppermost row that is still there keeps its pixel; None when none is."""
        for (sku, unit_id), top in self.tops:
            row = model.row_of_unit(unit_id) if unit_id else model.row_of_group(sku)
            if row is not None:
                return max(0, row * height - top)
        return None


def anchor(model: MonthGridModel, offset: int, seen: int, height: int, current: int) -> RowAnchor:
    """The rows of `height` pixels in the `seen` pixels below `offset`, those that begin there."""
    tops = []
    for number in range(-(-offset // height), min(model.rowCount(), (offset + seen) // height + 1)):
        row = model.row(number)
        unit_id = row.unit.unit.id if row.unit is not None else ""
        tops.append(((row.group.sku.code, unit_id), number * height - offset))
    return RowAnchor(tops=tuple(tops), current=current)


def row_to_stand_on(model: MonthGridModel, unit_id: str | None, near: int) -> int:
    """The unit's row; without it the one with a unit nearest to `near`."""
    row = model.row_of_unit(unit_id) if unit_id else None
    if row is not None:
        return row
    rows = [number for number in range(model.rowCount()) if model.row(number).unit is not None]
    return min(rows, key=lambda number: abs(number - near), default=0)
