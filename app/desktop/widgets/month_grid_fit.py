"""How wide the grid's columns are: days in steps that stay whole pixels, the plates' column takes what is left."""

from dataclasses import dataclass

SCROLL_BAR = 10
_STEP = 4
LEAST_DAY = 24
MOST_UNIT = 296
_LONG = 31


@dataclass(frozen=True, slots=True)
class GridFit:
    """Widths in device-independent pixels; `fits` False means that `days` columns of 24 px are wider than the grid."""

    days: int
    unit_column: int
    day_column: int
    fits: bool = True


def nominal_unit_column(width: int) -> int:
    """The plates' column by the room there is: 176, on small or scaled screens 140 and 132."""
    if width >= 1200:
        return 176
    return 140 if width >= 1000 else 132


def fit(width: int, days: int, ratio: float = 1.0) -> GridFit:
    """Fit `days` columns into a grid of this width, none under 24 px: a longer window scrolls sideways.

    Multiples of 4 stay whole pixels at 125 and 150 %; of more than a month the smallest such step is used, because 4 px
    a day are too much there. The plates' column takes what the days leave over (up to 296 px), so that no strip stays
    blank at the right, and gives the scroll bar its room.
    """
    unit = nominal_unit_column(width)
    room = max(0, width - unit)
    step = _STEP if days <= _LONG else whole_step(ratio)
    day = max(step, (room - (0 if days <= _LONG else SCROLL_BAR)) // days // step * step)
    if day < LEAST_DAY:
        # What a whole number of days leaves over: scrolled to either end no day is cut.
        spare = max(0, room - SCROLL_BAR) % LEAST_DAY
        return GridFit(days=days, unit_column=min(MOST_UNIT, unit + spare), day_column=LEAST_DAY, fits=False)
    left_over = room - day * days
    return GridFit(days=days, unit_column=min(MOST_UNIT, unit + left_over - SCROLL_BAR), day_column=day)


def whole_step(ratio: float) -> int:
    """The smallest of 1, 2 and 4 px that is whole in device pixels at this scale."""
    return next((step for step in (1, 2) if (step * ratio).is_integer()), _STEP)


def fitting_days(width: int, wanted: int) -> int:
    """The wanted number of days, or 14 when a month's columns would be under 24 px; longer windows scroll."""
    return wanted if wanted <= 14 or wanted > _LONG or fit(width, wanted).fits else 14
