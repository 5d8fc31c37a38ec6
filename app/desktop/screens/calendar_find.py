"""Which bar of a window somebody means who types a number or a name."""

from collections.abc import Iterable

from app.desktop.widgets.month_grid_spans import by_booking
from app.usecases.rows import Bar


def bar_named(bars: Iterable[Bar], text: str) -> Bar | None:
    """The booking with this number, else the first whose customer's name begins so (two letters at least); of a unit
    that was swapped on the way, the bar it is on now."""
    wanted = text.strip().casefold()
    named = [bar for bar in by_booking(tuple(bars)).values() if bar.number is not None]
    exact = next((bar for bar in named if (bar.number or "").casefold() == wanted), None)
    if exact is not None or len(wanted) < 2:
        return exact
    return next((bar for bar in named if (bar.customer_name or "").casefold().startswith(wanted)), None)
