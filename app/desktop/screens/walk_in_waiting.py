"""From a hold that ended, whose item is all taken by now, to the waitlist: item, days and customer go along."""

from collections.abc import Callable

from app.desktop.screens.walk_in_view import WalkInPanel
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel
from app.domain.days import RentalPeriod


def join_waiting(panel: WalkInPanel, walk_in: WalkInViewModel, ask: Callable[[str, RentalPeriod], object]) -> None:
    """W in the ended drawer asks for a place; the form with everything typed stands behind the question."""

    def wanted() -> None:
        lines = walk_in.spent.order_lines if walk_in.spent is not None else None
        if lines:
            walk_in.to_form()
            ask(lines[-1].sku, lines[-1].period)

    panel.waitlist_wanted.connect(wanted)
