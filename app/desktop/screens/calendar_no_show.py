"""When a customer who has not come may be written down as one who did not show up, and why not yet. Pure words."""

import datetime as dt
from zoneinfo import ZoneInfo

from PySide6.QtCore import QCoreApplication

from app.desktop.error_words import role_label
from app.desktop.formats import clock, period_short
from app.desktop.language import language
from app.domain.booking import TRANSITIONS, Action, BookingState
from app.domain.cancellation import NO_SHOW_AFTER, is_no_show
from app.domain.days import local_day
from app.domain.staff import Role
from app.usecases.rows import Bar


def no_show_reason(bar: Bar, roles: frozenset[Role], now: dt.datetime, zone: ZoneInfo) -> str | None:
    """None: there is nothing to write down here; a text: why it cannot be yet; empty: it can."""
    if bar.state is not BookingState.PAID_APPROVED or bar.booking_id is None or bar.pickup_at is None:
        return None
    if not roles & TRANSITIONS[BookingState.PAID_APPROVED, Action.NO_SHOW].roles:
        return QCoreApplication.translate("GridVerbs", "Perlu peran {0}.").format(role_label(Role.AGENT.value))
    if is_no_show(bar.pickup_at, now):
        return ""
    # The moment first and short: on a small screen the menu has room for little more.
    at = bar.pickup_at + NO_SHOW_AFTER
    day = local_day(at, zone)
    text = QCoreApplication.translate("GridVerbs", "Mulai {0} {1}, 2 jam setelah waktu ambil.")
    return text.format(period_short(day, day, language()), clock(at, zone, language()))
