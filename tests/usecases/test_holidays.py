"""Holidays of a branch: the national calendar with joint leave told apart, and the branch's own table over it."""

import datetime as dt
from functools import partial

import pytest

from app.domain.days import Days
from app.domain.errors import Refusal, RefusalCode
from app.usecases.holidays import HolidaySource
from tests.support.world import World, days, refused

pytest_plugins = ("tests.support.world_fixtures",)

DECEMBER = days("2027-12-20", "2028-01-05")
PLAIN_DAY = dt.date(2027, 12, 22)
CHRISTMAS = dt.date(2027, 12, 25)


def test_public_holidays_and_joint_leave_are_told_apart_across_the_turn_of_the_year(shared_world: World) -> None:
    found = {item.day: item for item in shared_world.counter("budi").holidays.holidays(DECEMBER)}
    assert found[CHRISTMAS].name == "Hari Raya Natal"
    assert not found[CHRISTMAS].joint_leave
    assert found[dt.date(2027, 12, 24)].joint_leave
    assert found[dt.date(2028, 1, 1)].name == "Tahun Baru Masehi"
    assert {item.source for item in found.values()} == {HolidaySource.CALENDAR}
    assert list(found) == sorted(found)
    assert PLAIN_DAY not in found


def test_the_national_names_are_there_in_english_too(shared_world: World) -> None:
    (christmas,) = shared_world.counter("ayu").holidays.holidays(Days(CHRISTMAS, CHRISTMAS), "en")
    assert christmas.name == "Christmas Day"


def test_a_managers_own_day_is_added_renamed_and_removed_for_the_branch_alone(world: World) -> None:
    maya, ayu, rahmat = (world.counter(login) for login in ("maya", "ayu", "rahmat"))
    maya.holidays.set_holiday(PLAIN_DAY, "  Hari jadi   cabang ")
    maya.holidays.set_holiday(CHRISTMAS, "Natal, tutup")
    maya.holidays.remove_holiday(dt.date(2027, 12, 24))
    mine = {item.day: item for item in ayu.holidays.holidays(DECEMBER)}
    assert (mine[PLAIN_DAY].name, mine[PLAIN_DAY].source) == ("Hari jadi cabang", HolidaySource.BRANCH)
    assert (mine[CHRISTMAS].name, mine[CHRISTMAS].joint_leave) == ("Natal, tutup", False)
    assert dt.date(2027, 12, 24) not in mine
    theirs = {item.day: item.name for item in rahmat.holidays.holidays(DECEMBER)}
    assert PLAIN_DAY not in theirs
    assert theirs[CHRISTMAS] == "Hari Raya Natal"
    assert dt.date(2027, 12, 24) in theirs
    maya.holidays.remove_holiday(PLAIN_DAY)
    maya.holidays.remove_holiday(PLAIN_DAY)
    assert PLAIN_DAY not in {item.day for item in ayu.holidays.holidays(DECEMBER)}
    assert [
        row[0] for row in world.rows("SELECT action FROM sentra.audit WHERE action LIKE '%%holiday' ORDER BY id")
    ] == [
        "set_holiday",
        "set_holiday",
        "remove_holiday",
        "remove_holiday",
    ]


@pytest.mark.parametrize("login", ["ayu", "budi", "dedi"])
def test_only_a_manager_edits_holidays(shared_world: World, login: str) -> None:
    holidays = shared_world.counter(login).holidays
    for ask in (partial(holidays.set_holiday, PLAIN_DAY, "Libur"), partial(holidays.remove_holiday, PLAIN_DAY)):
        with pytest.raises(Refusal) as no:
            ask()
        refused(no.value, RefusalCode.NOT_ALLOWED)
    assert shared_world.value("SELECT count(*) FROM sentra.holiday") == 0


@pytest.mark.parametrize("name", ["", " \t", "a" * 81, "a" * 500, "Libur\x00", "Libur \u202eabc", "🎉", "\u200b"])
def test_a_bad_name_is_refused_naming_it_and_changes_nothing(shared_world: World, name: str) -> None:
    with pytest.raises(Refusal) as no:
        shared_world.counter("maya").holidays.set_holiday(PLAIN_DAY, name)
    refused(no.value, RefusalCode.FIELD_INVALID, "name")
    assert shared_world.value("SELECT count(*) FROM sentra.holiday") == 0


@pytest.mark.parametrize("day", [dt.date.min, dt.date(1999, 12, 31), dt.date.max])
def test_a_day_of_no_calendar_of_ours_is_refused(shared_world: World, day: dt.date) -> None:
    for ask in (
        partial(shared_world.counter("maya").holidays.set_holiday, day, "Libur"),
        partial(shared_world.counter("maya").holidays.holidays, Days(day, day)),
    ):
        with pytest.raises(Refusal) as no:
            ask()
        refused(no.value, RefusalCode.PERIOD_INVALID, "first_day")
    assert shared_world.value("SELECT count(*) FROM sentra.holiday") == 0


def test_a_window_of_more_than_400_days_and_an_unknown_language_are_refused(shared_world: World) -> None:
    holidays = shared_world.counter("ayu").holidays
    with pytest.raises(Refusal) as no:
        holidays.holidays(Days(dt.date(2027, 1, 1), dt.date(2028, 2, 5)))
    refused(no.value, RefusalCode.PERIOD_INVALID, "last_day")
    with pytest.raises(Refusal) as no:
        holidays.holidays(DECEMBER, "fr")
    refused(no.value, RefusalCode.FIELD_INVALID, "language")


def test_years_the_national_calendar_does_not_know_have_only_the_branchs_own_days(world: World) -> None:
    maya = world.counter("maya")
    far = dt.date(2150, 8, 17)
    maya.holidays.set_holiday(far, "Kemerdekaan")
    assert [item.name for item in maya.holidays.holidays(Days(far, far))] == ["Kemerdekaan"]
