"""What is laid over the grid for the drawer and the refusal card: the draft, the refused stretch, the offers."""

from PySide6.QtCore import QCoreApplication

from app.desktop.formats import day_count
from app.desktop.language import language
from app.desktop.screens.refusal_facts import RefusalFacts
from app.desktop.screens.walk_in_form import WalkInForm
from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_marks import GridMark, MarkKind
from app.domain.days import Days, RentalPeriod
from app.usecases.rows import FleetUnit


def columns_of(content: GridContent, days: Days) -> tuple[int, int] | None:
    """The window's columns of a stretch; None when it lies outside."""
    first, last = max(days.first, content.window.first), min(days.last, content.window.last)
    if first > last:
        return None
    return (first - content.window.first).days, (last - content.window.first).days


def refusal_marks(content: GridContent, facts: RefusalFacts) -> tuple[GridMark, ...]:
    """Red dash over what was refused; each offer outlined with its key."""
    marks: list[GridMark] = []
    if facts.refused is not None:
        columns = columns_of(content, facts.refused[1])
        if columns is not None:
            marks.append(GridMark(kind=MarkKind.CONFLICT, unit_id=facts.refused[0], first=columns[0], last=columns[1]))
    for action in facts.actions:
        columns = columns_of(content, action.target[1]) if action.target is not None else None
        if action.target is not None and columns is not None:
            text = QCoreApplication.translate("RefusalCard", "{0} · kosong").format(action.key)
            marks.append(
                GridMark(kind=MarkKind.OFFER, unit_id=action.target[0], first=columns[0], last=columns[1], text=text)
            )
    return tuple(marks)


def draft_marks(content: GridContent, form: WalkInForm, automatic: FleetUnit | None) -> tuple[GridMark, ...]:
    """The form's days on its unit, or on the one that "automatic" would take."""
    period = form.period
    unit_id = form.unit_id or (automatic.unit.id if automatic is not None else None)
    columns = columns_of(content, period) if period is not None else None
    if unit_id is None or period is None or columns is None:
        return ()
    return (_draft(unit_id, columns, period),)


def line_marks(content: GridContent, form: WalkInForm) -> tuple[GridMark, ...]:
    """The units of the same order that were chosen before; one of any SKU's free units has no place yet."""
    marks: list[GridMark] = []
    for line in form.lines:
        columns = columns_of(content, line.period)
        if line.unit_id is not None and columns is not None:
            marks.append(_draft(line.unit_id, columns, line.period))
    return tuple(marks)


def _draft(unit_id: str, columns: tuple[int, int], period: RentalPeriod) -> GridMark:
    text = QCoreApplication.translate("WalkIn", "Baru · {0}").format(day_count(period.count, language()))
    return GridMark(kind=MarkKind.DRAFT, unit_id=unit_id, first=columns[0], last=columns[1], text=text)


def left_beside(free: tuple[FleetUnit, ...], form: WalkInForm) -> tuple[FleetUnit, ...]:
    """Those that are left for the fields when the units chosen before have taken theirs."""
    period = form.period
    same = [line for line in form.lines if period is not None and line.period.overlaps(period)]
    given = {line.unit_id for line in same if line.unit_id is not None}
    left = [unit for unit in free if unit.unit.id not in given]
    return tuple(left[sum(line.unit_id is None and line.sku == form.sku for line in same) :])


def held_marks(content: GridContent, unit_id: str, days: Days) -> tuple[GridMark, ...]:
    """A ring around the bar the drawer speaks of."""
    columns = columns_of(content, days)
    if columns is None:
        return ()
    return (GridMark(kind=MarkKind.HELD, unit_id=unit_id, first=columns[0], last=columns[1]),)


def free_units(content: GridContent, sku: str, period: RentalPeriod) -> tuple[FleetUnit, ...] | None:
    """Units of the SKU that are free for the whole period and its turnaround, as far as the window shows; None when
    the period reaches beyond it.
    """
    group = next((group for group in content.groups if group.sku.code == sku), None)
    if group is None or period.first not in content.window or period.last not in content.window:
        return None
    taken = period.with_turnaround(group.sku.turnaround_days)
    last = min(taken.last, content.window.last)
    columns = range((period.first - content.window.first).days, (last - content.window.first).days + 1)
    return tuple(unit for unit in group.units if all(content.is_free(unit, column) for column in columns))
