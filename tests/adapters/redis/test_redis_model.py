"""Random claims, projections and losses on a real Redis against a model of plain Python sets."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import ClassVar

import pytest
import redis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from app.adapters.redis.availability import RedisAvailability
from app.adapters.redis.connection import Link, open_link
from app.domain.days import Days, YearMonth, runs
from app.usecases.index_port import ClaimAnswer, ClaimResult, IndexedUnit, Projection

FIRST = dt.date(2026, 11, 1)
MONTHS = tuple(YearMonth(2026, 11).shifted(n) for n in range(4))
UNITS = tuple(IndexedUnit(sku=f"S-{n % 2}", unit_id=f"u-{n}", slot=n // 2) for n in range(4))

units = st.sampled_from(UNITS)
some_days = st.builds(
    lambda start, length: Days(FIRST + dt.timedelta(days=start), FIRST + dt.timedelta(days=start + length)),
    st.integers(0, 118),
    st.integers(0, 40),
).filter(lambda days: YearMonth.of(days.last) <= MONTHS[-1])
tokens = st.sampled_from(["K1:a", "K1:b", "K2:c", "K-3:d|e"])


class IndexMachine(RuleBasedStateMachine):
    """The model: per unit a version and per known month its taken days; the open claims; the epoch."""

    url: ClassVar[str]
    answers: ClassVar[Counter[ClaimAnswer]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.link: Link = open_link(self.url)
        self.index = RedisAvailability(self.link)
        with redis.Redis.from_url(self.url) as client:
            client.flushall()
        self.known: dict[tuple[IndexedUnit, YearMonth], set[dt.date]] = {}
        self.versions: dict[IndexedUnit, int] = {}
        self.claims: set[tuple[IndexedUnit, str]] = set()
        self.epoch = self.index.epoch()
        self.old_epochs: list[str] = []
        self.tries = 0

    def teardown(self) -> None:
        self.link.close()

    @initialize()
    def start_built(self) -> None:
        self.build()

    @rule()
    def build(self) -> None:
        """What the reconciler does; without it most claims would meet unknown months and prove little."""
        projections = []
        for unit in UNITS:
            self.versions[unit] = self.versions.get(unit, 0) + 1
            for month in MONTHS:
                self.known[unit, month] = set()
            projections.append(Projection(unit=unit, version=self.versions[unit], months=MONTHS, days=()))
        assert self.index.project(self.epoch, projections) == len(UNITS)

    @rule(unit=units, days=some_days, token=tokens)
    def claim(self, unit: IndexedUnit, days: Days, token: str) -> None:
        expected = self._claimed(unit, days, token)
        assert self.index.claim(unit, days, token) == expected
        self.answers[expected.answer] += 1

    @rule(unit=units, days=some_days)
    def contest(self, unit: IndexedUnit, days: Days) -> None:
        """Two clerks, the same days: unless the unit is unknown, the second is always too late."""
        self.tries += 1
        self.claim(unit, days, f"K1:try-{self.tries}")
        self.claim(unit, days, f"K2:try-{self.tries}")

    def _claimed(self, unit: IndexedUnit, days: Days, token: str) -> ClaimResult:
        if (unit, token) in self.claims:
            return ClaimResult(answer=ClaimAnswer.OK)
        if any((unit, month) not in self.known for month in days.months()):
            return ClaimResult(answer=ClaimAnswer.UNKNOWN)
        for day in days:
            if day in self.known[unit, YearMonth.of(day)]:
                return ClaimResult(answer=ClaimAnswer.BUSY, day=day)
        for day in days:
            self.known[unit, YearMonth.of(day)].add(day)
        self.claims.add((unit, token))
        return ClaimResult(answer=ClaimAnswer.OK)

    @rule(
        unit=units,
        taken=st.frozensets(st.integers(0, 119), max_size=40),
        step=st.integers(-1, 2),
        first_month=st.integers(0, 3),
    )
    def project(self, unit: IndexedUnit, taken: frozenset[int], step: int, first_month: int) -> None:
        version = max(1, self.versions.get(unit, 0) + step)
        wanted = {FIRST + dt.timedelta(days=n) for n in taken}
        months = MONTHS[first_month:]
        applied = version >= self.versions.get(unit, 0)
        if applied:
            self.versions[unit] = version
            for month in months:
                self.known[unit, month] = {day for day in wanted if YearMonth.of(day) == month}
        projection = Projection(unit=unit, version=version, months=months, days=runs(wanted))
        assert self.index.project(self.epoch, [projection]) == applied

    @rule(unit=units, token=tokens)
    def drop_claim(self, unit: IndexedUnit, token: str) -> None:
        self.claims.discard((unit, token))
        self.index.drop_claim(unit, token)

    @rule(unit=units, step=st.integers(-1, 1))
    def forget(self, unit: IndexedUnit, step: int) -> None:
        version = max(1, self.versions.get(unit, 0) + step)
        if version >= self.versions.get(unit, 0):
            self.versions[unit] = version
            for month in MONTHS:
                self.known.pop((unit, month), None)
        self.index.forget_unit(unit, version, MONTHS)

    @rule(built_again=st.sampled_from([True, True, True, False]))
    def vanish(self, built_again: bool) -> None:
        with redis.Redis.from_url(self.url) as client:
            client.flushall()
        self.known.clear()
        self.versions.clear()
        self.claims.clear()
        self.old_epochs.append(self.epoch)
        self.epoch = self.index.epoch()
        if built_again:
            self.build()

    @rule(unit=units)
    def project_from_before_a_loss(self, unit: IndexedUnit) -> None:
        for epoch in self.old_epochs:
            stale = Projection(unit=unit, version=10**6, months=MONTHS, days=())
            assert self.index.project(epoch, [stale]) == 0

    @invariant()
    def both_forms_equal_the_model(self) -> None:
        for unit, row in zip(UNITS, self.index.raw_months(UNITS, MONTHS), strict=True):
            for month, stored in zip(MONTHS, row, strict=True):
                days = self.known.get((unit, month))
                mask = None if days is None else sum(1 << (32 - day.day) for day in days)
                assert stored.key == (None if mask is None else mask.to_bytes(4, "big"))
                assert stored.packed == mask
                assert stored.version == self.versions.get(unit)
        read = self.index.months([(unit.sku, month) for unit in UNITS for month in MONTHS])
        for n, (unit, month) in enumerate((unit, month) for unit in UNITS for month in MONTHS):
            assert (unit.slot in read[n].masks) == ((unit, month) in self.known)

    @invariant()
    def the_register_holds_the_open_claims(self) -> None:
        found = {(claim.sku, claim.unit_id, claim.token) for claim in self.index.open_claims()}
        assert found == {(unit.sku, unit.unit_id, token) for unit, token in self.claims}


def test_random_work_leaves_the_index_equal_to_a_model_of_sets(redis_url: str) -> None:
    IndexMachine.url = redis_url
    run_state_machine_as_test(
        IndexMachine,
        settings=settings(
            max_examples=60, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
        ),
    )
    # The run proves something only where claims got through and clashed.
    assert min(IndexMachine.answers[ClaimAnswer.OK], IndexMachine.answers[ClaimAnswer.BUSY]) >= 10


@pytest.mark.parametrize("month", MONTHS)
def test_the_months_of_the_model_have_28_30_and_31_days(month: YearMonth) -> None:
    assert month.day_count in (28, 30, 31)
