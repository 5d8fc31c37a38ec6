"""The words of the month grid: spoken cell texts, bar titles, the reason a stretch of days stopped."""

from PySide6.QtCore import QCoreApplication

from app.desktop.formats import (
    day_count,
    day_long,
    day_with_weekday,
    weekday_short,
)
from app.desktop.language import language
from app.desktop.states import ShownState, state_label
from app.desktop.theme import theme
from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_selection import Obstacle, StopReason
from app.desktop.widgets.month_grid_spans import COUNTED_DOWN, Group, Span
from app.usecases.rows import Bar, FleetUnit, PaidMark


def paid_word(paid: PaidMark) -> str:
    """The payment mark as a word of the legend."""
    match paid:
        case PaidMark.UNPAID:
            return QCoreApplication.translate("MonthGrid", "belum")
        case PaidMark.PART:
            return QCoreApplication.translate("MonthGrid", "deposit")
        case PaidMark.FULL:
            return QCoreApplication.translate("MonthGrid", "lunas")


def bar_name(span: Span) -> str:
    """What stands on a bar behind the code: the customer, or why the unit is in maintenance."""
    if span.bar is None or span.turnaround:
        return ""
    return span.bar.customer_name or span.bar.note


def bar_title(span: Span) -> str:
    """Code and name, for messages: `LB Budi Santoso`."""
    code = theme().state(span.state).code if span.state is not None else ""
    return f"{code} {bar_name(span)}".strip()


def held_words(*, chosen: bool, parked: bool) -> str:
    """What follows a cell's own words while its day is chosen, or while its bar waits in the lane."""
    parts = []
    if chosen:
        parts.append(QCoreApplication.translate("MonthGrid", "dipilih"))
    if parked:
        parts.append(QCoreApplication.translate("MonthGrid", "di parkir sementara"))
    return "".join(f", {part}" for part in parts)


def cell_text(content: GridContent, unit: FleetUnit, column: int) -> str:
    """`B 1234 XYZ, Avanza G, Senin, 30 November 2026, Dibayar, Budi Santoso, hari 1 dari 3`; a free cell says so."""
    day = content.days[column]
    where = f"{unit.unit.plate}, {unit.sku.name}, {day_long(day, language())}"
    holiday = content.holidays.get(day)
    if holiday:
        where = f"{where}, {holiday}"
    span = content.span_at(unit, column)
    if span is None:
        unknown = QCoreApplication.translate("MonthGrid", "belum diketahui")
        free = QCoreApplication.translate("MonthGrid", "kosong")
        return f"{where}, {free if content.is_known(unit, column) else unknown}"
    if span.turnaround:
        turnaround = QCoreApplication.translate("MonthGrid", "jeda setelah sewa")
        return f"{where}, {turnaround}"
    if span.state is None or span.bar is None:
        taken = QCoreApplication.translate("MonthGrid", "terisi")
        return f"{where}, {taken}"
    parts = [where, state_label(span.state)]
    if bar_name(span):
        parts.append(bar_name(span))
    period = span.bar.days if span.state is ShownState.OVERDUE or span.bar.rented is None else span.bar.rented
    number = (day - period.first).days + 1
    if number <= period.count:  # Days it is late are not days of the rental.
        parts.append(QCoreApplication.translate("MonthGrid", "hari {0} dari {1}").format(number, period.count))
    if span.tail:
        parts.append(QCoreApplication.translate("MonthGrid", "hari tambahan, belum dibayar"))
    if span.paid is PaidMark.PART or (span.paid is PaidMark.UNPAID and span.state not in COUNTED_DOWN):
        parts.append(QCoreApplication.translate("MonthGrid", "bayar: {0}").format(paid_word(span.paid)))
    if span.needs_action:
        parts.append(QCoreApplication.translate("MonthGrid", "perlu tindakan hari ini"))
    doubled = conflict_text(content, unit, column)
    if doubled:
        parts.append(doubled)
    return ", ".join(parts)


def conflict_text(content: GridContent, unit: FleetUnit, column: int) -> str:
    """`BENTROK: LB Siti R. (BK-10233) dan LB Budi (BK-10236)`; empty where a day has one claim or none."""
    found = content.conflict_at(unit, column) if content.has_conflicts else None
    if found is None:
        return ""
    one, other = (_claim(bar) for bar in (found.one, found.other))
    return QCoreApplication.translate("MonthGrid", "BENTROK: {0} dan {1}").format(one, other)


def _claim(bar: Bar) -> str:
    name = bar.customer_name or bar.note or state_label(ShownState.MAINTENANCE)
    return f"{name} ({bar.number})" if bar.number else name


def group_cell_text(content: GridContent, group: Group, column: int) -> str:
    left = content.left(group)[column]
    text = QCoreApplication.translate("MonthGrid", "sisa {0} dari {1}").format(left, len(group.units))
    doubled = column in content.group_conflicts(group) if content.has_conflicts else False
    conflict = ", " + QCoreApplication.translate("MonthGrid", "ada bentrok") if doubled else ""
    return f"{group.sku.name}, {day_long(content.days[column], language())}, {text}{conflict}"


def day_text(content: GridContent, column: int) -> str:
    day = content.days[column]
    holiday = content.holidays.get(day)
    today = QCoreApplication.translate("MonthGrid", "hari ini") if day == content.today else ""
    return ", ".join(part for part in (day_long(day, language()), today, holiday or "") if part)


def group_text(group: Group, *, folded: bool) -> str:
    state = (
        QCoreApplication.translate("MonthGrid", "terlipat")
        if folded
        else QCoreApplication.translate("MonthGrid", "terbuka")
    )
    return QCoreApplication.translate("MonthGrid", "{0}, {1} unit, {2}").format(group.sku.name, len(group.units), state)


def unit_text(content: GridContent, unit: FleetUnit) -> str:
    if content.in_maintenance(unit):
        where = QCoreApplication.translate("MonthGrid", "dalam perawatan")
    elif content.is_out(unit):
        back = any(span.state is ShownState.RETURNED_PENDING_CHECK for span in content.spans_today(unit))
        out = QCoreApplication.translate("MonthGrid", "sedang keluar")
        where = state_label(ShownState.RETURNED_PENDING_CHECK) if back else out
    else:
        where = QCoreApplication.translate("MonthGrid", "ada di cabang")
    return f"{unit.unit.plate}, {unit.sku.name}, {unit.unit.colour}, {where}"


def stop_head(obstacle: Obstacle) -> str:
    """The bold part of why a stretch stopped: `Berhenti sebelum Sab 5 Des:`."""
    return QCoreApplication.translate("MonthGrid", "Berhenti sebelum {0}:").format(
        day_with_weekday(obstacle.day, language())
    )


def stop_reason(obstacle: Obstacle) -> str:
    """What stands in the way: `LB Budi Santoso sampai Sel 8 Des (BK-10236)`."""
    match obstacle.reason:
        case StopReason.PAST:
            return QCoreApplication.translate("MonthGrid", "hari itu sudah lewat")
        case StopReason.UNKNOWN:
            return QCoreApplication.translate("MonthGrid", "harinya belum diketahui")
        case StopReason.TOO_LONG:
            return QCoreApplication.translate("MonthGrid", "paling lama 365 hari")
        case StopReason.TAKEN:
            pass
    span = obstacle.span
    if span is None or span.bar is None:
        return QCoreApplication.translate("MonthGrid", "sudah terisi")
    if span.turnaround:
        return QCoreApplication.translate("MonthGrid", "jeda setelah sewa {0}").format(span.bar.number or "")
    until = day_with_weekday(span.bar.days.last, language())
    text = QCoreApplication.translate("MonthGrid", "{0} sampai {1}").format(bar_title(span), until)
    return f"{text} ({span.bar.number})" if span.bar.number else text


def header_lines(content: GridContent, column: int, width: int) -> tuple[str, str]:
    """Weekday and number of a day header; the first of a month carries its name where there is room."""
    day = content.days[column]
    number = str(day.day)
    if day.day == 1 and width >= 36:
        number = day_with_weekday(day, language()).split(" ", 1)[1]
    return weekday_short(day, language()), number


def chosen_days(first_last_count: int) -> str:
    return day_count(first_last_count, language())
