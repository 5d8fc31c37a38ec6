"""The demo branch is whole whenever it is first opened: at a month's end, at midnight, in February, twice."""

import datetime as dt
from collections.abc import Iterator
from zoneinfo import ZoneInfo

import pytest

from app.bootstrap import Installation, connect, open_doctor
from app.domain.days import YearMonth
from app.embedded import demo
from app.settings import Settings
from app.usecases.rows import OccupancyKind
from tests.support.databases import ScratchDatabase, Template, build_template, drop_database
from tests.support.world import days

WIB = ZoneInfo("Asia/Jakarta")


@pytest.fixture(scope="module")
def bare_template(owner_url: str) -> Iterator[Template]:
    """A template with roles of its own: the demo gives its logins passwords that others must not share."""
    made = build_template(owner_url)
    yield made
    drop_database(owner_url, made.name)


@pytest.fixture
def empty(bare_template: Template) -> Iterator[ScratchDatabase]:
    with bare_template.copy() as copied:
        yield copied


@pytest.mark.parametrize(
    "moment",
    [
        dt.datetime(2026, 12, 31, 23, 50, tzinfo=WIB),
        dt.datetime(2027, 1, 1, 0, 5, tzinfo=WIB),
        dt.datetime(2028, 2, 29, 12, 0, tzinfo=WIB),
    ],
    ids=str,
)
def test_the_demo_is_whole_at_any_moment(empty: ScratchDatabase, moment: dt.datetime) -> None:
    empty.clock.run_from(moment)
    settings = Settings(database_url=empty.owner_url, redis_url=None, redlock_urls=None, role_prefix=empty.prefix)
    place = Installation(settings)
    demo.fill(place, settings, keep_clock=True)
    siti = connect(settings, "siti", demo.demo_password("siti"))
    try:
        month = YearMonth.of(moment.date()).next()
        (avanza,) = siti.store.read.units(["uuid-avanza-001"])
        taken = siti.store.read.taken_days(
            ["uuid-avanza-001"], days(str(moment.date()), str(month.shifted(2).last_day))
        )
        assert not taken.get(avanza.unit.id), "free for the next three months"
        view = siti.calendar.calendar(days(str(month.first_day), str(month.last_day)))
        innovas = [unit for unit in view.fleet if unit.sku.code == demo.FULL_SKU]
        full = [day for day in view.window if not view.masks.left_on(innovas, day)]
        assert {day.day for day in full} >= {24, 25, 26}, full
        assert view.today == moment.date()
        now = siti.calendar.calendar(days(str(moment.date())))
        assert {bar.kind for bar in now.bars} == {OccupancyKind.BOOKING, OccupancyKind.MAINTENANCE}
        holds = [row for row in siti.settlement.invoices() if row.booking_state == "PENDING_PAYMENT"]
        assert len(holds) == sum(not story.steps for story in demo.STORIES)
        assert siti.shifts.current_shift() is None
    finally:
        siti.close()
    doctor, close = open_doctor(settings)
    try:
        assert {item.invariant for item in doctor.examine().breaks} <= {"INDEX", "I9"}
    finally:
        close()
    demo.fill(place, settings, keep_clock=True)
    assert place.branch_codes() == ("JKT", "MKS"), "filled once"
