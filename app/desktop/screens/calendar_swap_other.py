"""Another unit for the booking that a refused change ran into: only while it is still where the refusal named it."""

from collections.abc import Iterable, Mapping, Sequence

from app.desktop.screens.changes_viewmodel import Change, change_of
from app.desktop.widgets.month_grid_ghost import rented
from app.domain.errors import NextAction, Refusal
from app.usecases.rows import Bar


def swap_other(action: NextAction, refusal: Refusal | None, bars: Sequence[Bar]) -> Change | None:
    """The change the person chose, with the version the grid has; None when the booking is gone, or is on another unit
    or another first day than the card says: it is in nobody's way any more.
    """
    number, booking_id = action.params.get("number"), action.params.get("booking_id")
    named = refusal.params.get("blockers") if refusal is not None else None
    places = {
        (blocker.get("unit_id"), blocker.get("first_day"))
        for blocker in (named if isinstance(named, Iterable) else ())
        if isinstance(blocker, Mapping) and blocker.get("number") == number
    }
    bar = next((item for item in bars if item.booking_id == booking_id), None)
    if bar is None or (bar.unit_id, bar.days.first) not in places:
        return None
    unit_id, plate = str(action.params.get("unit_id")), str(action.params.get("plate"))
    return change_of(bar, bar.unit_id, unit_id, plate, rented(bar), rented(bar))
