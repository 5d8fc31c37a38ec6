"""What every AvailabilityIndex must do: the same cases on the in-memory fake and on a real Redis."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from app.adapters.redis.availability import RedisAvailability
from app.domain.days import Days, YearMonth, mask_to_bytes
from app.usecases.index_port import AvailabilityIndex, ClaimAnswer, ClaimResult, IndexedUnit, Projection
from tests.fakes import FakeIndex

MAY = YearMonth(2026, 5)
JUNE = YearMonth(2026, 6)
DECEMBER = YearMonth(2026, 12)
JANUARY = YearMonth(2027, 1)
FEBRUARY = YearMonth(2027, 2)
AVANZA = IndexedUnit(sku="TOY-AVNZ-G", unit_id="uuid-avanza-001", slot=0)
OTHER = IndexedUnit(sku="TOY-AVNZ-G", unit_id="uuid-avanza-002", slot=3)
OK = ClaimResult(answer=ClaimAnswer.OK)
UNKNOWN = ClaimResult(answer=ClaimAnswer.UNKNOWN)


def days(first: str, last: str | None = None) -> Days:
    return Days(dt.date.fromisoformat(first), dt.date.fromisoformat(last or first))


def busy(day: str) -> ClaimResult:
    return ClaimResult(answer=ClaimAnswer.BUSY, day=dt.date.fromisoformat(day))


@dataclass(frozen=True)
class Kept:
    """An index and the power to make it lose everything."""

    index: AvailabilityIndex
    vanish: Callable[[], object]

    def project(
        self,
        *taken: Days,
        unit: IndexedUnit = AVANZA,
        version: int = 1,
        months: tuple[YearMonth, ...] = (MAY, JUNE),
    ) -> int:
        projection = Projection(unit=unit, version=version, months=months, days=taken)
        return self.index.project(self.index.epoch(), [projection])

    def mask(self, month: YearMonth = MAY, unit: IndexedUnit = AVANZA) -> int | None:
        """The unit's mask, after checking that the seed's key and the packed string say the same."""
        stored = self.index.raw_months([unit], [month])[0][0]
        packed = self.index.month(unit.sku, month).masks.get(unit.slot)
        assert stored.packed == packed
        assert stored.key == (None if packed is None else mask_to_bytes(packed))
        return packed


@pytest.fixture(params=["fake", "redis"])
def kept(request: pytest.FixtureRequest) -> Kept:
    if request.param == "fake":
        fake = FakeIndex()
        return Kept(fake, fake.vanish)
    index: RedisAvailability = request.getfixturevalue("index")
    return Kept(index, request.getfixturevalue("raw").flushall)


def test_an_empty_index_knows_nothing_and_calls_nothing_free(kept: Kept) -> None:
    kept.index.epoch()
    assert dict(kept.index.month("TOY-AVNZ-G", MAY).masks) == {}
    assert kept.index.claim(AVANZA, days("2026-05-25"), "K1:a") == UNKNOWN
    assert kept.mask() is None


def test_a_claim_takes_exactly_its_days(kept: Kept) -> None:
    kept.project()
    assert kept.index.claim(AVANZA, days("2026-05-10", "2026-05-12"), "K1:a") == OK
    assert kept.mask() == 0x00700000
    assert kept.mask(JUNE) == 0


def test_a_claim_over_a_month_end_takes_both_months(kept: Kept) -> None:
    kept.project()
    assert kept.index.claim(AVANZA, days("2026-05-30", "2026-06-02"), "K1:a") == OK
    assert (kept.mask(MAY), kept.mask(JUNE)) == (0x00000006, 0xC0000000)


def test_a_claim_over_a_year_end_takes_both_years(kept: Kept) -> None:
    kept.project(months=(DECEMBER, JANUARY))
    assert kept.index.claim(AVANZA, days("2026-12-31", "2027-01-01"), "K1:a") == OK
    assert (kept.mask(DECEMBER), kept.mask(JANUARY)) == (0x00000002, 0x80000000)


def test_31_december_booked_beside_an_empty_january_is_not_free(kept: Kept) -> None:
    kept.project(days("2026-12-31"), months=(DECEMBER, JANUARY))
    assert kept.index.claim(AVANZA, days("2026-12-30", "2027-01-02"), "K1:a") == busy("2026-12-31")
    assert (kept.mask(DECEMBER), kept.mask(JANUARY)) == (0x00000002, 0)


def test_a_clash_in_the_second_month_leaves_the_first_untouched(kept: Kept) -> None:
    kept.project(days("2026-06-02"))
    assert kept.index.claim(AVANZA, days("2026-05-30", "2026-06-03"), "K1:a") == busy("2026-06-02")
    assert (kept.mask(MAY), kept.mask(JUNE)) == (0, 0x40000000)
    assert kept.index.open_claims() == []


def test_c11_a_claim_with_one_month_unknown_writes_neither(kept: Kept) -> None:
    kept.project(months=(JANUARY,))
    assert kept.index.claim(AVANZA, days("2027-01-31", "2027-02-02"), "K1:a") == UNKNOWN
    assert (kept.mask(JANUARY), kept.mask(FEBRUARY)) == (0, None)


@pytest.mark.parametrize(
    ("first", "last", "first_taken"),
    [
        ("2026-05-10", "2026-05-12", "2026-05-12"),
        ("2026-05-13", "2026-05-15", "2026-05-13"),
        ("2026-05-12", "2026-05-13", "2026-05-12"),
        ("2026-05-10", "2026-05-15", "2026-05-12"),
        ("2026-05-13", "2026-05-13", "2026-05-13"),
    ],
)
def test_c04_c13_every_shape_of_overlap_names_the_first_taken_day(
    kept: Kept, first: str, last: str, first_taken: str
) -> None:
    kept.project(days("2026-05-12", "2026-05-13"))
    assert kept.index.claim(AVANZA, days(first, last), "K1:a") == busy(first_taken)
    assert kept.mask() == 0x00180000


def test_neighbouring_periods_do_not_clash(kept: Kept) -> None:
    kept.project(days("2026-05-12", "2026-05-13"))
    assert kept.index.claim(AVANZA, days("2026-05-11"), "K1:a") == OK
    assert kept.index.claim(AVANZA, days("2026-05-14"), "K1:b") == OK
    assert kept.mask() == 0x003C0000


def test_r39_the_same_try_again_is_the_same_claim(kept: Kept) -> None:
    kept.project()
    wanted = days("2026-05-10", "2026-05-12")
    assert [kept.index.claim(AVANZA, wanted, "K1:a") for _ in range(3)] == [OK, OK, OK]
    assert kept.index.claim(AVANZA, wanted, "K2:b") == busy("2026-05-10")
    assert [claim.token for claim in kept.index.open_claims()] == ["K1:a"]


def test_a_claim_is_registered_until_it_is_dropped(kept: Kept) -> None:
    kept.project()
    kept.index.claim(AVANZA, days("2026-05-10"), "K1:a|b")
    (claim,) = kept.index.open_claims()
    assert (claim.sku, claim.unit_id, claim.token, claim.expired) == ("TOY-AVNZ-G", "uuid-avanza-001", "K1:a|b", False)
    kept.index.drop_claim(AVANZA, "K1:a|b")
    kept.index.drop_claim(AVANZA, "K1:a|b")
    assert kept.index.open_claims() == []
    assert kept.mask() == 0x00400000


def test_claims_of_two_units_do_not_touch_each_other(kept: Kept) -> None:
    kept.project()
    kept.project(unit=OTHER)
    kept.index.claim(AVANZA, days("2026-05-01"), "K1:a")
    kept.index.claim(OTHER, days("2026-05-31"), "K1:a")
    assert (kept.mask(), kept.mask(unit=OTHER)) == (0x80000000, 0x00000002)


def test_a_projection_writes_whole_months(kept: Kept) -> None:
    kept.project(days("2026-05-10", "2026-05-12"))
    assert kept.project(days("2026-05-30", "2026-06-01"), version=2) == 1
    assert (kept.mask(MAY), kept.mask(JUNE)) == (0x00000006, 0x80000000)


def test_days_of_other_months_stay_out_of_the_projected_ones(kept: Kept) -> None:
    kept.project(days("2026-04-28", "2026-07-03"))
    assert (kept.mask(MAY), kept.mask(JUNE)) == (0xFFFFFFFE, 0xFFFFFFFC)


def test_an_older_projection_is_ignored_and_an_equal_one_applied(kept: Kept) -> None:
    assert kept.project(days("2026-05-10"), version=7) == 1
    assert kept.project(version=6) == 0
    assert kept.mask() == 0x00400000
    assert kept.project(days("2026-05-11"), version=7) == 1
    assert kept.mask() == 0x00200000


def test_versions_are_compared_as_numbers(kept: Kept) -> None:
    kept.project(days("2026-05-10"), version=9)
    assert kept.project(version=10) == 1
    assert kept.project(days("2026-05-10"), version=9) == 0
    assert kept.mask() == 0


def test_a_projection_read_before_everything_vanished_is_ignored(kept: Kept) -> None:
    before = kept.index.epoch()
    kept.vanish()
    stale = Projection(unit=AVANZA, version=1, months=(MAY,), days=())
    assert kept.index.project(before, [stale]) == 0
    after = kept.index.epoch()
    assert after != before
    assert kept.index.project(before, [stale]) == 0
    assert kept.mask() is None
    assert kept.index.project(after, [stale]) == 1
    assert kept.mask() == 0


def test_a_claim_without_an_epoch_is_unknown(kept: Kept) -> None:
    kept.project()
    kept.vanish()
    assert kept.index.claim(AVANZA, days("2026-05-10"), "K1:a") == UNKNOWN


def test_the_epoch_stays_while_nothing_vanishes(kept: Kept) -> None:
    assert kept.index.epoch() == kept.index.epoch()


def test_a_projection_after_a_claim_says_what_postgresql_says(kept: Kept) -> None:
    kept.project()
    kept.index.claim(AVANZA, days("2026-05-10"), "K1:a")
    kept.project(version=2)
    assert kept.mask() == 0
    assert kept.index.claim(AVANZA, days("2026-05-10"), "K2:b") == OK


def test_several_units_and_skus_are_projected_together(kept: Kept) -> None:
    brio = IndexedUnit(sku="HON-BRIO", unit_id="b-1", slot=1)
    projections = [
        Projection(unit=AVANZA, version=1, months=(MAY,), days=(days("2026-05-01"),)),
        Projection(unit=brio, version=1, months=(MAY, JUNE), days=(days("2026-06-30"),)),
        Projection(unit=OTHER, version=1, months=(MAY,), days=()),
    ]
    assert kept.index.project(kept.index.epoch(), projections) == 3
    may, june, none = kept.index.months([("TOY-AVNZ-G", MAY), ("HON-BRIO", JUNE), ("HON-BRIO", DECEMBER)])
    assert dict(may.masks) == {0: 0x80000000, 3: 0}
    assert dict(june.masks) == {1: 0x00000004}
    assert (none.sku, none.month, dict(none.masks)) == ("HON-BRIO", DECEMBER, {})


def test_nothing_asked_is_nothing_answered(kept: Kept) -> None:
    assert list(kept.index.months([])) == []
    assert kept.index.project(kept.index.epoch(), []) == 0
    assert list(kept.index.raw_months([], [MAY])) == []
    assert [list(row) for row in kept.index.raw_months([AVANZA], [])] == [[]]


def test_a_forgotten_unit_is_unknown_and_stays_so_for_older_projections(kept: Kept) -> None:
    kept.project(days("2026-05-10"), version=4)
    kept.index.forget_unit(AVANZA, 5, [MAY, JUNE, JANUARY])
    assert kept.mask() is None
    assert kept.project(days("2026-05-10"), version=4) == 0
    assert kept.mask() is None
    assert kept.index.raw_months([AVANZA], [MAY])[0][0].version == 5
    assert [name for name in kept.index.stored_keys() if name.startswith(b"avail:")] == []


def test_forgetting_late_does_not_undo_a_newer_projection(kept: Kept) -> None:
    kept.project(days("2026-05-10"), version=6)
    kept.index.forget_unit(AVANZA, 5, [MAY])
    assert kept.mask() == 0x00400000


def test_forgetting_one_unit_leaves_its_neighbours(kept: Kept) -> None:
    for slot in range(3):
        kept.project(days("2026-05-10"), unit=IndexedUnit(sku="S", unit_id=f"u{slot}", slot=slot))
    kept.index.forget_unit(IndexedUnit(sku="S", unit_id="u1", slot=1), 2, [MAY])
    assert dict(kept.index.month("S", MAY).masks) == {0: 0x00400000, 2: 0x00400000}


def test_dropped_keys_are_unknown_and_the_others_stay(kept: Kept) -> None:
    kept.project(days("2026-05-10", "2026-06-02"))
    for _ in range(2):
        kept.index.drop_keys([b"apack:TOY-AVNZ-G:202605", b"avail:TOY-AVNZ-G:uuid-avanza-001:202605"])
    kept.index.drop_keys([])
    assert (kept.mask(MAY), kept.mask(JUNE)) == (None, 0xC0000000)


def test_stored_keys_are_those_of_every_sku(kept: Kept) -> None:
    for sku in ("S", "S-1"):
        kept.project(unit=IndexedUnit(sku=sku, unit_id="u-1", slot=0), months=(MAY,))
    kept.index.claim(IndexedUnit(sku="S", unit_id="u-1", slot=0), days("2026-05-10"), "K1:a")
    assert kept.index.stored_keys() == [
        b"apack:S-1:202605",
        b"apack:S:202605",
        b"avail:S-1:u-1:202605",
        b"avail:S:u-1:202605",
        b"aver:S",
        b"aver:S-1",
    ]


def test_rebuilding_gets_over_a_newer_version_and_not_over_another_epoch(kept: Kept) -> None:
    kept.project(days("2026-05-10"), version=999_999)
    truth = Projection(unit=AVANZA, version=3, months=(MAY, JUNE), days=(days("2026-05-12"),))
    assert kept.index.project(kept.index.epoch(), [truth]) == 0
    assert kept.index.rebuild("another", [truth]) == 0
    assert kept.mask() == 0x00400000
    assert kept.index.rebuild(kept.index.epoch(), [truth]) == 1
    assert kept.mask() == 0x00100000
    assert kept.project(days("2026-05-14"), version=4) == 1
    assert kept.mask() == 0x00040000


def test_claims_are_dropped_as_they_are_stored(kept: Kept) -> None:
    kept.project()
    for token, day in (("K1:a", "2026-05-10"), ("K1:b", "2026-05-12")):
        kept.index.claim(AVANZA, days(day), token)
    kept.index.drop_claims([claim for claim in kept.index.open_claims() if claim.token == "K1:a"])
    kept.index.drop_claims([])
    assert [claim.token for claim in kept.index.open_claims()] == ["K1:b"]


def test_a_year_long_period_is_claimed_in_one_step(kept: Kept) -> None:
    months = tuple(MAY.shifted(n) for n in range(13))
    kept.project(months=months)
    assert kept.index.claim(AVANZA, days("2026-05-31", "2027-05-30"), "K1:a") == OK
    assert sum(bin(kept.mask(month) or 0).count("1") for month in months) == 365
    assert kept.index.claim(AVANZA, days("2027-05-29", "2027-05-31"), "K2:b") == busy("2027-05-29")
    assert kept.index.claim(AVANZA, days("2027-05-31"), "K2:b") == OK


def test_the_run_id_is_stable(kept: Kept) -> None:
    assert kept.index.run_id() == kept.index.run_id() != ""


def test_slots_of_several_skus_are_free_taken_or_neither_each_in_its_own_period(kept: Kept) -> None:
    hiace = IndexedUnit(sku="TOY-HIAC-C", unit_id="uuid-hiace-001", slot=1)
    kept.project(days("2026-05-30", "2026-06-02"))
    kept.project(unit=OTHER, months=(MAY,))
    kept.project(days("2026-05-31"), unit=hiace, months=(MAY, JUNE))
    both, may, later = kept.index.slots_of(
        [
            ("TOY-AVNZ-G", days("2026-05-25", "2026-06-01")),
            ("TOY-HIAC-C", days("2026-05-25", "2026-05-30")),
            ("TOY-HIAC-C", days("2026-05-30", "2026-06-03")),
        ]
    )
    assert (set(both.free), set(both.taken)) == (set(), {AVANZA.slot}), "slot 3 is unknown in June"
    assert (set(may.free), set(may.taken)) == ({hiace.slot}, set())
    assert (set(later.free), set(later.taken)) == (set(), {hiace.slot})


def test_slots_of_nothing_and_of_an_empty_index_are_none(kept: Kept) -> None:
    assert list(kept.index.slots_of([])) == []
    (nothing,) = kept.index.slots_of([("TOY-AVNZ-G", days("2026-05-10"))])
    assert (set(nothing.free), set(nothing.taken)) == (set(), set())
