"""Which bar of a window somebody means who types a number or a name."""

from collections.abc import Iterable

from app.usecases.rows import Bar


def bar_named(bars: Iterable[Bar], text: str) -> Bar | None:
    """The booking with this number, else the first whose customer's name begins so (two letters at least)."""
    wanted = text.strip().casefold()
    named = [bar for bar in bars if bar.number is not None]
    exact = next((bar for bar in named if (bar.number or "").casefold() == wanted), None)
    if exact is not None or len(wanted) < 2:
        return exact
    return next((bar for bar in named if (bar.customer_name or "").casefold().startswith(wanted)), None)
