"""A window's holidays by day, in words: joint leave ("cuti bersama") is told apart from a public holiday."""

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Protocol

from PySide6.QtCore import QCoreApplication

from app.desktop.formats import Language
from app.domain.days import Days
from app.usecases.holidays import Holiday

HolidayNames = Callable[[Days, Language], Mapping[dt.date, str]]


class HolidayReads(Protocol):
    def holidays(self, window: Days, language: str = "id") -> tuple[Holiday, ...]: ...


def holiday_names(source: HolidayReads) -> HolidayNames:
    """The branch's holidays by day; slow at its first call, so call the answer outside the GUI thread."""

    def names(window: Days, spoken: Language) -> Mapping[dt.date, str]:
        return {holiday.day: holiday_words(holiday) for holiday in source.holidays(window, spoken.value)}

    return names


def holiday_words(holiday: Holiday) -> str:
    """`Hari Raya Natal`, or `Cuti bersama: Hari Raya Natal`: branches close and demand rises on both."""
    if not holiday.joint_leave:
        return holiday.name
    name = holiday.name.removeprefix("Cuti Bersama ").removesuffix(" Joint Holiday")
    return QCoreApplication.translate("Calendar", "Cuti bersama: {0}").format(name)
