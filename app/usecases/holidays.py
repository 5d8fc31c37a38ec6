"""Holidays of a branch: Indonesia's public holidays and joint leave, and the branch's own dated table over them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from functools import lru_cache

from app.domain.days import Days
from app.domain.errors import invalid
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.calendar import check_window
from app.usecases.index_work import IndexWork
from app.usecases.maintenance import checked_reason
from app.usecases.ports import Store
from app.usecases.rows_maintenance import Holiday as Holiday
from app.usecases.rows_maintenance import HolidaySource as HolidaySource

MAX_NAME = 80
_LANGUAGES = {"id": "id", "en": "en_US"}


class Holidays:
    """Holiday use cases of one logged-in person. Slow at its first call in a process: the calendar is loaded then."""

    def __init__(self, store: Store, work: IndexWork, who: StaffMember, counter: str) -> None:
        self._store = store
        self._work = work
        self._who = who
        self._counter = counter

    def holidays(self, window: Days, language: str = "id") -> tuple[Holiday, ...]:
        """Holidays of the window by day, with the national names in `id` or `en`; a branch's own names as typed."""
        check_window(window)
        if language not in _LANGUAGES:
            raise invalid("language", "not_a_language", given=language[:20], known=sorted(_LANGUAGES))
        found: dict[dt.date, Holiday] = {}
        for year in range(window.first.year, window.last.year + 1):
            found |= {day: holiday for day, holiday in national(year, language).items() if day in window}
        for edit in self._store.read.holiday_edits(self._who.branch.id, window):
            if edit.name is None:
                found.pop(edit.day, None)
            else:
                leave = edit.day in found and found[edit.day].joint_leave
                found[edit.day] = Holiday(day=edit.day, name=edit.name, joint_leave=leave, source=HolidaySource.BRANCH)
        return tuple(found[day] for day in sorted(found))

    def set_holiday(self, day: dt.date, name: str) -> None:
        """Add a holiday of the own branch, or give one another name. Managers only."""
        require_role(self._who, frozenset({Role.MANAGER}), "set_holiday")
        said = checked_reason(name, "name")
        if len(said) > MAX_NAME:
            raise invalid("name", "too_long", length=len(said), most=MAX_NAME)
        self._edit(day, said)

    def remove_holiday(self, day: dt.date) -> None:
        """Make a day an ordinary one in the own branch, whatever the national calendar says. Managers only."""
        require_role(self._who, frozenset({Role.MANAGER}), "remove_holiday")
        self._edit(day, None)

    def _edit(self, day: dt.date, name: str | None) -> None:
        check_window(Days(day, day))
        self._store.transact(lambda tx: tx.edit_holiday(day, name, self._counter), one_call=True)
        self._work.announce(self._who.branch.id, "holiday", day.isoformat())


def holiday_days(store: Store, branch_id: str, window: Days) -> frozenset[dt.date]:
    """The days of a window that are holidays at a branch: national ones, joint leave, and the branch's own edits."""
    found = {
        day for year in range(window.first.year, window.last.year + 1) for day in national(year, "id") if day in window
    }
    for edit in store.read.holiday_edits(branch_id, window):
        found.discard(edit.day)
        if edit.name is not None:
            found.add(edit.day)
    return frozenset(found)


@lru_cache(maxsize=32)
def national(year: int, language: str) -> Mapping[dt.date, Holiday]:
    """The national calendar of a year. A day that is both counts as a public holiday; years the calendar does not know
    have none."""
    import holidays  # here, because it is slow to import

    found: dict[dt.date, Holiday] = {}
    for category in ("government", "public"):
        days = holidays.country_holidays("ID", years=year, language=_LANGUAGES[language], categories=(category,))
        for day, name in days.items():
            found[day] = Holiday(
                day=day, name=str(name), joint_leave=category == "government", source=HolidaySource.CALENDAR
            )
    return found
