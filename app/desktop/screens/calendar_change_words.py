"""What a change became, what is in its way, and what a refused one offers."""

import datetime as dt
from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from app.desktop.error_words import any_state_label
from app.desktop.formats import day_with_weekday, money, period_short
from app.desktop.language import language
from app.desktop.screens.changes_viewmodel import DoneChange
from app.domain.booking import Action, BookingState
from app.domain.days import Days
from app.usecases.rows import OccupancyKind
from app.usecases.rows_changes import ChangeQuote


def done_words(done: DoneChange) -> str:
    """The toast: exactly what was done, and what is now to be paid or given back."""
    change, booking = done.change, done.booking
    number = booking.number or change.number
    days = period_short(change.days.first, change.days.last, language())
    match done.action:
        case Action.SWAP_UNIT:
            text = QCoreApplication.translate("ChangeWords", "{0} pindah ke {1}.").format(number, change.plate)
        case Action.REQUEST_EXTENSION:
            until = day_with_weekday(change.days.last, language())
            text = QCoreApplication.translate("ChangeWords", "{0} diperpanjang s.d. {1}.").format(number, until)
        case Action.SHORTEN:
            until = day_with_weekday(change.days.last, language())
            text = QCoreApplication.translate("ChangeWords", "{0} selesai lebih awal, {1}.").format(number, until)
            while_free = QCoreApplication.translate("ChangeWords", "Bisa diurungkan selama harinya kosong.")
            text = f"{text} {while_free}"
        case _:
            where = f"{days}, {change.plate}" if change.other_unit is not None else days
            text = QCoreApplication.translate("ChangeWords", "{0} pindah ke {1}.").format(number, where)
    return f"{text} {_money_words(done)}".strip()


def _money_words(done: DoneChange) -> str:
    difference, booking = done.booking.difference, done.booking
    if difference > 0 and booking.state is BookingState.EXTENSION_PENDING:
        text = QCoreApplication.translate("ChangeWords", "{0} menunggu bayar (F9).")
        return text.format(money(difference, language()))
    if difference > 0:
        return QCoreApplication.translate("ChangeWords", "Tambah {0}.").format(money(difference, language()))
    if difference < 0:
        return QCoreApplication.translate("ChangeWords", "Kurang {0}.").format(money(-difference, language()))
    return ""


def kept_words(quote: ChangeQuote) -> tuple[str, str]:
    """Who is in the way, as a bold part and the rest: `Bentrok 2 Des:` `BK-10251 Agus (dibayar)`."""
    first = min(quote.blockers, key=lambda blocker: blocker.days.first)
    days = period_short(first.days.first, first.days.last, language())
    head = QCoreApplication.translate("ChangeWords", "Bentrok {0}:").format(days)
    if first.kind is OccupancyKind.MAINTENANCE:
        what = QCoreApplication.translate("ChangeWords", "perawatan")
    else:
        state = any_state_label(first.state.value).lower() if first.state is not None else ""
        who = " ".join(part for part in (first.booking_number, first.customer_name) if part)
        what = f"{who} ({state})" if state else who
    if quote.longest_last_day is not None:
        until = day_with_weekday(quote.longest_last_day, language())
        longest = QCoreApplication.translate("ChangeWords", "paling lama s.d. {0}").format(until)
        what = f"{what}; {longest}"
    return head, what


def days_in(params: Mapping[str, object]) -> Days:
    """The days a refusal's next action offers."""
    return Days(day_in(params, "first_day"), day_in(params, "last_day"))


def day_in(params: Mapping[str, object], name: str) -> dt.date:
    """One day of a next action; TypeError when it carries none."""
    day = params.get(name)
    if not isinstance(day, dt.date):
        raise TypeError(f"{name} is no day: {day!r}")
    return day
