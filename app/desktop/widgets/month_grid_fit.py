"""How wide the grid's columns are: days in multiples of 4 px that fill the width, the plates take the rest."""

from dataclasses import dataclass

SCROLL_BAR = 10
_STEP = 4
LEAST_DAY = 24


@dataclass(frozen=True, slots=True)
class GridFit:
    """Widths in device-independent pixels; `fits` False means the days are too narrow to read."""

    days: int
    unit_column: int
    day_column: int

    @property
    def fits(self) -> bool:
        return self.day_column >= LEAST_DAY


def nominal_unit_column(width: int) -> int:
    """The plates' column by the room there is: 176, on small or scaled screens 140 and 132."""
    if width >= 1200:
        return 176
    return 140 if width >= 1000 else 132


def fit(width: int, days: int) -> GridFit:
    """Fit `days` columns into a grid of this width.

    Multiples of 4 stay whole pixels at 125 and 150 %. The scroll bar takes what the days leave over; when that is less
    than its width, the plates' column gives the few missing pixels.
    """
    unit = nominal_unit_column(width)
    room = max(0, width - unit)
    day = max(_STEP, room // days // _STEP * _STEP)
    left_over = room - day * days
    return GridFit(days=days, unit_column=unit - max(0, SCROLL_BAR - left_over), day_column=day)


def fitting_days(width: int, wanted: int) -> int:
    """The wanted number of days, or 14 when its columns would be under 24 px."""
    return wanted if wanted <= 14 or fit(width, wanted).fits else 14
