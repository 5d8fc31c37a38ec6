"""A stretch that somebody took while it was being chosen, told like a refusal of the server: who, and what else."""

from collections.abc import Iterator, Sequence

from app.desktop.formats import Zone
from app.desktop.screens.refusal_facts import taken_by
from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_selection import DayStretch
from app.domain.errors import NextAction, Refusal, RefusalCode
from app.usecases.alternatives import blocker_params
from app.usecases.rows import Blocker, FleetUnit

MOST_UNITS = 2


def taker_words(blockers: Sequence[Blocker], zone: Zone) -> str:
    """`Baru saja diambil oleh Andi (Kasir 2), 14.03.21` of the first of them that a person made; empty without one."""
    first = min((item for item in blockers if item.by), key=lambda item: item.days.first, default=None)
    return taken_by(first.by, first.counter, first.since, zone) if first is not None else ""


def lost_refusal(content: GridContent, lost: DayStretch, who: Sequence[Blocker] = ()) -> Refusal:
    """DAYS_TAKEN from what the grid knows: other units of the SKU, the next free days, the waitlist where none is.

    `who` are the server's blockers of these days, as soon as it was asked.
    """
    days = {"first_day": lost.first_day, "last_day": lost.last_day}
    unit = lost.unit
    others = [other for other in _same_sku(content, unit) if _is_free(content, other, lost.first, lost.count)]
    actions = [NextAction("use_unit", {**_named(other), **days}) for other in others[:MOST_UNITS]]
    later = next(
        (at for at in range(lost.first + 1, len(content.days)) if _is_free(content, unit, at, lost.count)), None
    )
    if later is not None:
        moved = {"first_day": content.days[later], "last_day": content.days[later + lost.count - 1]}
        actions.append(NextAction("use_dates", {**_named(unit), **moved}))
    if not others:
        actions.append(NextAction("waitlist", {"sku": unit.sku.code, **days}))
    return Refusal(
        RefusalCode.DAYS_TAKEN,
        next=tuple(actions),
        unit_id=unit.unit.id,
        plate=unit.unit.plate,
        sku=unit.sku.code,
        first_day=lost.first_day,
        last_day=lost.last_day,
        free_units=len(others),
        blockers=[blocker_params(item) for item in who] or list(_blockers(lost)),
    )


def _same_sku(content: GridContent, unit: FleetUnit) -> Iterator[FleetUnit]:
    return (other for other in content.fleet.units if other.sku.code == unit.sku.code and other.unit.id != unit.unit.id)


def _is_free(content: GridContent, unit: FleetUnit, first: int, count: int) -> bool:
    columns = range(first, first + count)
    return columns.stop <= len(content.days) and all(
        content.days[column] >= content.today and content.is_free(unit, column) for column in columns
    )


def _named(unit: FleetUnit) -> dict[str, object]:
    return {"unit_id": unit.unit.id, "plate": unit.unit.plate}


def _blockers(lost: DayStretch) -> Iterator[dict[str, object]]:
    span = lost.lost.span if lost.lost is not None else None
    bar = span.bar if span is not None else None
    if span is None or bar is None:
        return
    yield {
        "kind": bar.kind.value,
        "first_day": bar.days.first,
        "last_day": bar.days.last,
        "number": bar.number,
        "state": span.state.value if span.state is not None else None,
        "customer": bar.customer_name,
    }
