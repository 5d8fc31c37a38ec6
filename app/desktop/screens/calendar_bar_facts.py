"""What a bar's card says of it: unit, days, money, deadline or return, and what somebody has to do. Pure words."""

import datetime as dt

from PySide6.QtCore import QCoreApplication

from app.desktop.formats import (
    Zone,
    clock,
    countdown,
    day_count,
    day_with_weekday,
    period_with_weekdays,
    phone,
    time_of_day,
    until,
)
from app.desktop.formats import span as length
from app.desktop.language import language
from app.desktop.states import ShownState
from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_spans import Span, extra_days
from app.desktop.widgets.month_grid_texts import conflict_text, paid_word
from app.domain.booking import BookingState
from app.domain.days import Days, local_day
from app.usecases.rows import Bar, FleetUnit, PaidMark

MOST_FACTS = 8


def bar_facts(
    unit: FleetUnit, span: Span, zone: Zone, now: dt.datetime, content: GridContent | None
) -> tuple[tuple[str, str], ...]:
    """Label and value, in the order in which they are read; only what this bar has."""
    bar = span.bar
    if bar is None:
        return ()
    today = local_day(now, zone) if not isinstance(zone, str) else now.date()
    found = (
        (QCoreApplication.translate("BarFacts", "Bentrok"), _conflict(unit, span, content)),
        (QCoreApplication.translate("BarFacts", "Tindakan"), _action(span, bar) if span.needs_action else ""),
        (QCoreApplication.translate("BarFacts", "Unit"), _unit(unit)),
        (QCoreApplication.translate("BarFacts", "Hari"), _days(bar, today)),
        (QCoreApplication.translate("BarFacts", "Tambahan"), _extra(bar, unit)),
        (QCoreApplication.translate("BarFacts", "Bayar"), _paid(bar, span)),
        (QCoreApplication.translate("BarFacts", "Batas"), _deadline(bar, zone, now)),
        (QCoreApplication.translate("BarFacts", "Kembali"), _return(bar, span, zone, now)),
    )
    return tuple((name, value) for name, value in found if value)


def _paid(bar: Bar, span: Span) -> str:
    """The mark as a word; of an asked extension it speaks of rental and extension together."""
    if bar.state is BookingState.EXTENSION_PENDING and bar.paid is PaidMark.PART:
        return QCoreApplication.translate("BarFacts", "sebagian; tambahannya belum dibayar")
    return paid_word(bar.paid) if span.paid is not None else ""


def _unit(unit: FleetUnit) -> str:
    return f"{unit.sku.name} · {unit.unit.plate} {unit.unit.colour}".strip()


def _extra(bar: Bar, unit: FleetUnit) -> str:
    """The days an asked extension adds."""
    if bar.state is not BookingState.EXTENSION_PENDING:
        return ""
    extra = extra_days(bar, unit.sku.turnaround_days)
    return QCoreApplication.translate("BarFacts", "{0}, menunggu bayar").format(_period(extra)) if extra else ""


def _days(bar: Bar, today: dt.date) -> str:
    period = bar.rented or bar.days
    text = f"{_period(period)} · {day_count(period.count, language())}"
    if today in period and period.count > 1:
        return QCoreApplication.translate("BarFacts", "{0}, hari ini ke-{1}").format(
            text, (today - period.first).days + 1
        )
    return text


def _deadline(bar: Bar, zone: Zone, now: dt.datetime) -> str:
    if bar.payment_deadline is None:
        return ""
    at = clock(bar.payment_deadline, zone, language(), seconds=True)
    left = countdown((bar.payment_deadline - now).total_seconds())
    if bar.state is BookingState.EXTENSION_PENDING:
        return QCoreApplication.translate("BarFacts", "{0} ({1}), lalu hari tambahan dilepas").format(at, left)
    return QCoreApplication.translate("BarFacts", "{0}, lalu unit dilepas otomatis").format(at)


def _return(bar: Bar, span: Span, zone: Zone, now: dt.datetime) -> str:
    """When it is due back, and how long that is away while the unit is out."""
    if bar.due_at is None or bar.rented is None or bar.state is BookingState.PENDING_PAYMENT:
        return ""
    at = f"{day_with_weekday(bar.rented.last, language())} {time_of_day(bar.due_at, zone, language())}"
    if bar.state is BookingState.EXTENSION_PENDING and bar.due_at < now:
        # Late for now, and not any more once the extension is paid: its due time is the later one then.
        over = length((now - bar.due_at).total_seconds(), language())
        words = QCoreApplication.translate("BarFacts", "{0} · lewat {1}, tidak terlambat bila tambahannya dibayar")
        return words.format(at, over)
    if span.state in (ShownState.ACTIVE_RENTAL, ShownState.OVERDUE, ShownState.EXTENSION_PENDING):
        return f"{at} · {until(bar.due_at, now, language())}"
    return at


def _action(span: Span, bar: Bar) -> str:
    match span.state:
        case ShownState.PAID_APPROVED:
            return QCoreApplication.translate("BarFacts", "siapkan dan serahkan unit")
        case ShownState.DISPATCHED:
            return QCoreApplication.translate("BarFacts", "serahkan unit ke pelanggan")
        case ShownState.ACTIVE_RENTAL:
            return QCoreApplication.translate("BarFacts", "terima kembali hari ini")
        case ShownState.OVERDUE:
            if bar.customer_phone:
                return QCoreApplication.translate("BarFacts", "hubungi {0}").format(phone(bar.customer_phone))
            return QCoreApplication.translate("BarFacts", "hubungi pelanggan, terima kembali")
        case ShownState.RETURNED_PENDING_CHECK:
            return QCoreApplication.translate("BarFacts", "periksa unit")
        case ShownState.DISPUTED:
            return QCoreApplication.translate("BarFacts", "selesaikan denda")
        case _:
            return ""


def _conflict(unit: FleetUnit, span: Span, content: GridContent | None) -> str:
    if content is None or not content.has_conflicts:
        return ""
    texts = (conflict_text(content, unit, column) for column in range(span.first, span.last + 1))
    return next((text.split(": ", 1)[-1] for text in texts if text), "")


def _period(days: Days) -> str:
    return period_with_weekdays(days.first, days.last, language())
