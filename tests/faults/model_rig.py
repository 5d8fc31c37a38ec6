"""The state machine's ground: one installation on the real servers, its model, and what must hold after every step.

Rules live in mixins by topic (`model_rules_*`): a part of the product adds its own mixin and names it in `test_model`.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter as Tally
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, ClassVar, TypeVar

import psycopg
import redis
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant

from app.bootstrap import Counter
from app.domain.days import Days, RentalPeriod, YearMonth, mask_of, runs
from app.domain.errors import Refusal, RefusalCode
from app.usecases.doctor import Doctor
from app.usecases.reconcile import Reconcile
from tests.faults.model import TOLD_AFTER, Branch, ModelOrder, ModelUnit, Stay
from tests.support.databases import Template
from tests.support.world import AVANZAS, HIACE, OTHER_SKU, SKU, START, World, open_world

T = TypeVar("T")

UNITS = (
    *(ModelUnit(id=unit, sku=SKU, turnaround=0) for unit in AVANZAS),
    ModelUnit(id=HIACE, sku=OTHER_SKU, turnaround=1),
)
WINDOW_DAYS = 70
"""The days ahead that everybody wants, over two ends of a month."""

units = st.sampled_from(UNITS)
avanzas = st.frozensets(st.sampled_from(UNITS[:3]), max_size=2)
starts = st.one_of(st.integers(0, 12), st.integers(0, WINDOW_DAYS - 10), st.sampled_from([300, 699]))
lengths = st.integers(1, 5)
picks = st.integers(0, 999)
clerks = st.sampled_from(["ayu", "siti"])
cashiers = st.sampled_from(["siti", "budi"])


def no_pause(_seconds: float) -> None:
    """Nobody else works here: a difference that stands, stands."""


class ModelRig(RuleBasedStateMachine):
    """Real servers beside the model. Set `template` and `redis_url` before a run; `tally` counts what happened."""

    template: ClassVar[Template]
    redis_url: ClassVar[str]
    tally: ClassVar[Tally[str]] = Tally()

    def __init__(self) -> None:
        super().__init__()
        self.open = ExitStack()
        with redis.Redis.from_url(self.redis_url) as client:
            client.flushall()
        self.world: World = self.open.enter_context(open_world(self.template, self.redis_url))
        self.model = Branch(units=UNITS)
        self.counters: dict[str, Counter] = {}
        self.service = self.world.service()
        self.reconcile_ = Reconcile(self.service.store, self.service.index, no_pause)
        self.client = self.open.enter_context(redis.Redis.from_url(self.redis_url))
        self.owner = self.open.enter_context(psycopg.connect(self.world.database.owner_url, autocommit=True))
        self.epochs: dict[str, int] = {}
        self.may_end: list[str] = []
        """Blocks that the branch's own people made."""
        self.now = START
        self.is_swept = True
        self.probe = RentalPeriod(START.date(), START.date())
        self.reconcile_.run()
        self.world.open_shift(self.at("siti"), self.at("budi"))

    def rows(self, statement: str, *params: object) -> list[tuple[Any, ...]]:
        """Rows as the owner sees them, over one connection that stays."""
        return self.owner.execute(statement.encode(), params or None).fetchall()

    def teardown(self) -> None:
        """Every example ends like a day: the service works everything off, and the doctor finds nothing."""
        try:
            self.sweep()
            self.mend()
            report = Doctor(self.service.store, self.service.index, no_pause).examine()
            assert report.ok, report.breaks
            assert report.breaks == ()
        finally:
            self.open.close()

    # --- what rules use ---------------------------------------------------------------------------------------------

    def at(self, login: str) -> Counter:
        """This person's counter, with an index."""
        if login not in self.counters:
            self.counters[login] = self.world.counter(login, f"Kasir {login}")
        return self.counters[login]

    def blind(self, login: str) -> Counter:
        """The same person at a counter that reaches no Redis."""
        name = f"{login} tanpa indeks"
        if name not in self.counters:
            self.counters[name] = self.world.counter(login, name, redis_url=None)
        return self.counters[name]

    @property
    def today(self) -> dt.date:
        return self.now.date()

    def period(self, start: int, length: int) -> RentalPeriod:
        """Days from today on; also what the next comparison looks at."""
        first = self.today + dt.timedelta(days=start)
        self.probe = RentalPeriod(first, first + dt.timedelta(days=length - 1))
        return self.probe

    def pick(self, among: Sequence[T], which: int) -> T:
        return among[which % len(among)]

    def order_of(self, which: int) -> ModelOrder:
        """Any order; two times of three one that is still to be paid."""
        orders = list(self.model.orders.values())
        unpaid = [order for order in orders if order.pending]
        return self.pick(unpaid if unpaid and which % 3 else orders, which // 3)

    def stay_of(self, which: int) -> Stay:
        """Any booking; two times of three one that is still to be paid."""
        unpaid = [stay for order in self.model.orders.values() for stay in order.pending]
        return self.pick(unpaid if unpaid and which % 3 else self.model.stays, which // 3)

    def refused(self, work: Callable[[], object], *codes: RefusalCode) -> Refusal:
        """The refusal, which must be one of these; an answer instead is a break."""
        try:
            answered = work()
        except Refusal as no:
            assert no.code in codes, f"{no}, expected {[code.value for code in codes]}"
            self.tally[no.code.value] += 1
            return no
        raise AssertionError(f"{[code.value for code in codes]} expected, answered {answered}")

    def sweep(self) -> None:
        """What the service does every few seconds: deadlines, then what the index was not told."""
        expired = self.service.sweeps.expire()
        due = [order for order in self.model.orders.values() if order.may_expire(self.now)]
        ended = [stay for order in due for stay in order.pending]
        let_go = [stay for stay in self.model.stays if stay.extension and stay.deadline and stay.deadline <= self.now]
        assert (expired.done, expired.failed) == (len(ended) + len(let_go), 0), expired
        for stay in let_go:
            stay.let_go()
            self.model.told_by_a_counter([stay.unit], self.today)
            self.model.owes([stay.unit], self.now)
        for stay in ended:
            stay.end(expired=True)
            self.model.told_by_a_counter([stay.unit], self.today)
            self.model.owes([stay.unit], self.now)
        told = self.service.sweeps.outbox()
        assert told.failed == 0, told
        self.model.told_what_was_owed(self.now)
        self.is_swept = True

    def mend(self) -> None:
        """What the service does every five minutes."""
        self.world.database.clock.advance(TOLD_AFTER)
        self.now += TOLD_AFTER
        self.sweep()
        self.reconcile_.run()
        for claim in self.service.index.open_claims():  # a claim that is still open keeps its days in the index
            assert claim.unit_id in self.model.claimed or not claim.expired
        self.client.delete("aidx:claims")
        self.reconcile_.run()
        self.model.told_by_the_service([unit.id for unit in UNITS])
        self.model.is_damaged = False

    # --- what must hold ---------------------------------------------------------------------------------------------

    @invariant()
    def the_database_holds_exactly_the_bookings_of_the_model(self) -> None:
        found = {
            row[0]: row[1:]
            for row in self.rows("SELECT id::text, unit_id, first_day, last_day, state FROM sentra.booking")
        }
        assert found == {
            stay.booking_id: (stay.unit.id, stay.period.first, stay.period.last, stay.state.value)
            for stay in self.model.stays
        }
        days: dict[str, set[dt.date]] = {unit.id: set() for unit in UNITS}
        for unit, first, behind in self.rows(
            "SELECT unit_id, lower(days), upper(days) FROM sentra.occupancy WHERE active"
        ):
            stretch = set(Days(first, behind - dt.timedelta(days=1)))
            assert not days[unit] & stretch, "two active rows over each other"
            days[unit] |= stretch
        assert days == {unit.id: self.model.taken(unit) for unit in UNITS}

    @invariant()
    def every_invariant_of_the_database_holds(self) -> None:
        late = set() if self.is_swept else {"I6", "I9"}  # deadlines and outside effects are late while nobody sweeps
        assert [item for item in self.service.store.read.breaks() if item.invariant not in late] == []

    @invariant()
    def epochs_only_grow(self) -> None:
        for invoice, epoch in self.rows("SELECT id::text, lock_epoch FROM sentra.invoice"):
            assert epoch >= self.epochs.get(invoice, 0), invoice
            self.epochs[invoice] = epoch

    @invariant()
    def every_bit_that_is_there_is_the_models(self) -> None:
        """The seed's keys and the packed strings, read as somebody reads them who knows only their names."""
        if self.model.is_damaged:
            return
        slots = {unit.id: slot for unit in UNITS for slot in [[u for u in UNITS if u.sku == unit.sku].index(unit)]}
        for unit in UNITS:
            if unit.id in self.model.stale:
                continue
            names = [str(name, "ascii") for name in self.client.scan_iter(f"avail:{unit.sku}:{unit.id}:*", count=500)]
            months = [YearMonth.parse(name.rsplit(":", 1)[1]) for name in names]
            packed = [f"apack:{unit.sku}:{month}" for month in months]
            stored = self.client.mget([*names, *packed]) if names else []
            for n, month in enumerate(months):
                least = mask_of(runs(self.model.taken(unit)), month)
                most = least | mask_of(runs(self.model.claimed.get(unit.id, set())), month)
                bits = int.from_bytes(stored[n] or b"", "big")
                assert bits & least == least, f"{names[n]}: a booked day is free"
                assert bits | most == most, f"{names[n]}: a free day is taken"
                slot = slots[unit.id] * 4
                raw = stored[len(names) + n] or b""
                mirrored = int.from_bytes(raw[slot : slot + 4].ljust(4, b"\0"), "big")
                assert mirrored == bits | 1, f"{packed[n]}#{slots[unit.id]}: known, and the same bits"

    @invariant()
    def what_a_counter_shows_is_the_models(self) -> None:
        """Free units, and the calendar over two months; unknown days are learned on the way, never shown free."""
        dedi = self.at("dedi").calendar
        if not self.model.is_damaged and not self.model.stale and not any(self.model.claimed.values()):
            for sku in (SKU, OTHER_SKU):
                found = {unit.unit.id for unit in dedi.free_units(sku, self.probe)}
                assert found == {unit.id for unit in self.model.free(sku, self.probe)}
        window = Days(self.today, self.today + dt.timedelta(days=WINDOW_DAYS))
        if self.model.is_damaged:
            return
        view = dedi.calendar(window)
        shown = {unit.unit.id: unit for unit in view.fleet}
        for unit in UNITS:
            if unit.id in self.model.stale:
                continue
            taken = {day for day in window if view.masks.is_taken(shown[unit.id], day)}
            least = self.model.taken(unit) & set(window)
            assert least <= taken <= least | self.model.claimed.get(unit.id, set())
