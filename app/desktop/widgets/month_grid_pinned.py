"""Which SKU's row stays under the head while its units are scrolled past, and where."""

from dataclasses import dataclass

from PySide6.QtCore import QRect
from PySide6.QtGui import QRegion

from app.desktop.widgets.month_grid_model import GridRow, MonthGridModel


@dataclass(frozen=True, slots=True)
class Pinned:
    """A SKU's row (`number` in the model) drawn at `y` of the viewport: 0, or less while the next SKU's row comes."""

    row: GridRow
    number: int
    y: int


def pinned_row(model: MonthGridModel, offset: int, height: int) -> Pinned | None:
    """The row of the SKU whose units are uppermost; None while it is seen in its own place."""
    top = offset // height
    if offset <= 0 or top >= model.rowCount():
        return None
    row = model.row(top)
    if row.unit is None and offset % height == 0:
        return None
    number = model.row_of_group(row.group.sku.code)
    if number is None:
        return None
    following = top + 1
    pushed = following < model.rowCount() and model.row(following).unit is None
    y = following * height - offset - height if pushed else 0
    return Pinned(GridRow(row.group, None), number, y)


def places_of(model: MonthGridModel, row: int, offset: int, height: int) -> tuple[int, ...]:
    """Every `y` of the viewport where a row is drawn: its own place, and the one under the head while it is pinned."""
    pinned = pinned_row(model, offset, height)
    own = row * height - offset
    return (own,) if pinned is None or pinned.number != row else (own, pinned.y)


def painted_parts(region: QRegion, height: int) -> tuple[QRect, ...]:
    """What of a region is to be painted: the strip of the pinned row last, and the rest, so that after scrolling the
    rows between them, which were copied, are not walked through.
    """
    whole = region.boundingRect()
    strip = region.intersected(QRect(whole.left(), 0, whole.width(), height)).boundingRect()
    rest = region.subtracted(QRegion(whole.left(), 0, whole.width(), height)).boundingRect()
    parts = tuple(part for part in (rest, strip) if not part.isEmpty())
    return (whole,) if len(parts) > 1 and rest.top() <= strip.bottom() + 1 else parts
