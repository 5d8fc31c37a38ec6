"""Which units the calendar shows: of which branch, SKU and category, and free for which period. Reads nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from app.desktop.widgets.month_grid_content import GridFleet
from app.domain.days import RentalPeriod
from app.usecases.calendar import BranchRow
from app.usecases.rows import FleetUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarFilter:
    """What is asked for. `branch` None is the own one; `free_for` leaves units that are free on all of its days."""

    text: str = ""
    category: str = ""
    branch: BranchRow | None = None
    free_for: RentalPeriod | None = None

    @property
    def narrows(self) -> bool:
        """Units of the branch may be left out."""
        return bool(self.text or self.category or self.free_for)

    @property
    def is_plain(self) -> bool:
        """Every unit of the own branch."""
        return not self.narrows and self.branch is None


EVERYTHING = CalendarFilter()


class ShownFleet:
    """Keeps the fleets that were read and answers the units a filter lets through.

    `grid_fleet()` is the same object until fleet, filter or the free units change, so that the grid keeps its rows.
    """

    def __init__(self) -> None:
        self.wanted = EVERYTHING
        self._own: tuple[FleetUnit, ...] | None = None
        self._other: tuple[str, tuple[FleetUnit, ...]] | None = None
        self._free: tuple[CalendarFilter, frozenset[str]] | None = None
        self._made: tuple[tuple[object, ...], GridFleet] | None = None

    # --- what was read ------------------------------------------------------------------------------------------------

    @property
    def own(self) -> tuple[FleetUnit, ...]:
        """The own branch's units, whatever the filter; empty before they were read."""
        return self._own or ()

    @property
    def units(self) -> tuple[FleetUnit, ...]:
        """All units of the branch that is wanted, as far as they were read."""
        branch = self.wanted.branch
        if branch is None:
            return self.own
        return self._other[1] if self._other is not None and self._other[0] == branch.id else ()

    def has_own(self) -> bool:
        return self._own is not None

    def has_wanted(self) -> bool:
        """The wanted branch's units were read."""
        branch = self.wanted.branch
        return self.has_own() if branch is None else self._other is not None and self._other[0] == branch.id

    def is_answered(self) -> bool:
        """Nothing has to be read before the filter can be shown."""
        free_known = self.wanted.free_for is None or (self._free is not None and self._free[0] == self.wanted)
        return self.has_wanted() and free_known

    def take_own(self, units: tuple[FleetUnit, ...]) -> None:
        """The own fleet, read again; another branch's is forgotten with it."""
        self._own = units
        self._other = None

    def take_other(self, branch_id: str, units: tuple[FleetUnit, ...]) -> None:
        self._other = (branch_id, units)

    def take_free(self, wanted: CalendarFilter, units: Sequence[FleetUnit]) -> None:
        """The units that are free for the filter's period."""
        self._free = (wanted, frozenset(unit.unit.id for unit in units))

    # --- what is shown ------------------------------------------------------------------------------------------------

    def grid_fleet(self) -> GridFleet:
        """The units that are shown."""
        wanted, units = self.wanted, self.units
        free = self._free[1] if wanted.free_for is not None and self._free and self._free[0] == wanted else None
        key = (units, wanted.text, wanted.category, free)
        if self._made is None or self._made[0] != key:
            self._made = (key, GridFleet([unit for unit in units if _passes(unit, wanted, free)]))
        return self._made[1]

    def candidates(self) -> tuple[FleetUnit, ...]:
        """The units among which free ones are looked for."""
        return tuple(unit for unit in self.units if _passes(unit, self.wanted, None))

    def categories(self) -> tuple[str, ...]:
        """The categories of the wanted branch, by name."""
        return tuple(sorted({unit.sku.category for unit in self.units}, key=str.casefold))

    def suggestion(self) -> tuple[str, int] | None:
        """The SKU name nearest to a text that finds nothing, and how many units it has."""
        counts: dict[str, int] = {}
        for unit in self.units:
            counts[unit.sku.name] = counts.get(unit.sku.name, 0) + 1
        folded = {name.casefold(): name for name in counts}
        near = get_close_matches(self.wanted.text.casefold(), list(folded), n=1, cutoff=0.4)
        return (folded[near[0]], counts[folded[near[0]]]) if near else None

    def find(self, text: str) -> FleetUnit | None:
        """An own unit by plate or id, as typed or scanned."""
        wanted = "".join(text.split()).casefold()
        for unit in self.own:
            if wanted in ("".join(unit.unit.plate.split()).casefold(), unit.unit.id.casefold()):
                return unit
        return None


def with_text(wanted: CalendarFilter, text: str) -> CalendarFilter:
    return replace(wanted, text=" ".join(text.split()))


def _passes(unit: FleetUnit, wanted: CalendarFilter, free: frozenset[str] | None) -> bool:
    text = wanted.text.casefold()
    if text and not any(text in word.casefold() for word in (unit.sku.name, unit.sku.code, unit.sku.category)):
        return False
    if wanted.category and unit.sku.category != wanted.category:
        return False
    return free is None or unit.unit.id in free
