"""`book`: the whole booking use case against the same statements sent by the driver alone.

Both sides book on units of their own, so that neither meets the other's days. Each round both sides take one turn.
"""

from __future__ import annotations

import datetime as dt
import statistics
import uuid
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import psycopg

from app.adapters.redis.availability import RedisAvailability
from app.adapters.redis.connection import open_link
from app.bootstrap import Counter
from app.domain.days import Days, RentalPeriod, YearMonth, mask_to_bytes, masks_of
from app.domain.errors import Refusal, RefusalCode
from app.usecases.bookings import BookLine, BookRequest
from tests.bench import fleet
from tests.bench.bars import Bar, Line, context, percentile
from tests.bench.crowd import Crowd, Job, Prepared, Turn, in_order, open_crowd
from tests.bench.installation import AGENT, Place, open_place, unit_id
from tests.bench.statements import Statement, recorded, sent_again, sent_at_once

BENCH = "book"
OURS, FLOOR, AT_ONCE, BARE = "use case", "same statements", "same statements, pipelined", "insert and commit"
BOOKED, TAKEN = "booked", "taken"
_NIGHTS = dt.timedelta(days=2)
_HOT_PERIODS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """One order: its id, a unit, its first day; three days always."""

    order_id: str
    unit: str
    first: dt.date

    @property
    def period(self) -> RentalPeriod:
        return RentalPeriod(self.first, self.first + _NIGHTS)

    def names(self) -> list[str]:
        """What a recorded booking names, in a fixed order."""
        order = uuid.UUID(self.order_id)
        made = [str(uuid.uuid5(order, "0")), str(uuid.uuid5(order, "RENTAL"))]
        return [self.order_id, *made, self.unit, self.first.isoformat(), (self.first + _NIGHTS).isoformat()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """One recorded booking: what was wanted and which statements it took."""

    wish: Wish
    customer_id: str
    statements: tuple[Statement, ...]

    def statements_for(self, wish: Wish) -> list[Statement]:
        instead = dict(zip(self.wish.names(), wish.names(), strict=True))
        return [statement.with_values(instead) for statement in self.statements]


class BookingClient:
    """One counter with the product, a bare connection, and a bare INSERT."""

    def __init__(self, place: Place, recipe: Recipe, number: int) -> None:
        name = f"K{number}"
        self._recipe = recipe
        self._counter = place.counter(AGENT, name)
        self._bare = place.bare(AGENT, name)
        self._owner: psycopg.Connection | None = None
        self._place = place

    def prepare(self, side: str, job: Job) -> Prepared:
        assert isinstance(job, Wish)
        if side == OURS:
            return partial(book, self._counter, request_for(job, self._recipe.customer_id))
        if side == FLOOR:
            return partial(book_bare, self._bare, self._recipe.statements_for(job))
        if side == AT_ONCE:
            return partial(book_at_once, self._bare, self._recipe.statements_for(job))
        if self._owner is None:
            self._owner = self._place.owner()
        return partial(insert_only, self._owner, job)

    def close(self) -> None:
        self._counter.close()
        self._bare.close()
        if self._owner is not None:
            self._owner.close()


def request_for(wish: Wish, customer_id: str) -> BookRequest:
    line = BookLine(sku=fleet.SKU, unit_id=wish.unit, period=wish.period)
    return BookRequest(order_id=wish.order_id, lines=(line,), customer_id=customer_id)


def book(counter: Counter, request: BookRequest) -> str:
    try:
        counter.bookings.book(request)
    except Refusal as no:
        if no.code is not RefusalCode.DAYS_TAKEN:
            raise
        return TAKEN
    return BOOKED


def book_bare(connection: psycopg.Connection, statements: Sequence[Statement]) -> str:
    told = sent_again(connection, statements)()
    return TAKEN if "taken" in told else BOOKED


def book_at_once(connection: psycopg.Connection, statements: Sequence[Statement]) -> str:
    told = sent_at_once(connection, statements)()
    return TAKEN if "taken" in told else BOOKED


def insert_only(connection: psycopg.Connection, wish: Wish) -> str:
    with connection.transaction():
        connection.execute("INSERT INTO public.bare VALUES (%s, daterange(%s, %s))", (wish.unit, wish.first, None))
    return BOOKED


class Wishes:
    """Free days for as many orders as asked: the product's units are the even ones, the floor's the odd ones."""

    def __init__(self, unit_count: int, first: dt.date) -> None:
        self._per_side = unit_count // 2 - 1  # the last pair is kept for the hot unit
        self._first = first
        self._given = {OURS: 0, FLOOR: 0, AT_ONCE: 0, BARE: 0}
        self._hot_turns = 0

    def spread(self, side: str, clients: int, each: int) -> list[list[Wish]]:
        """No two of them meet."""
        return [[self._next(side) for _ in range(each)] for _ in range(clients)]

    def hot(self, side: str, clients: int, turn: int) -> list[list[Wish]]:
        """Everybody wants the same unit; of those who want the same days one can have them."""
        unit = unit_id(2 * self._per_side + (side == FLOOR))
        firsts = [self._first + dt.timedelta(days=3 * (turn * _HOT_PERIODS + n)) for n in range(_HOT_PERIODS)]
        return [[_wish(unit, firsts[number % _HOT_PERIODS])] for number in range(clients)]

    def _next(self, side: str) -> Wish:
        lap, place = divmod(self._given[side], self._per_side)
        self._given[side] += 1
        if side == AT_ONCE:  # on the floor's units, long after its days
            return _wish(unit_id(2 * place + 1), self._first + dt.timedelta(days=300 + 3 * lap))
        return _wish(unit_id(2 * place + (side == FLOOR)), self._first + dt.timedelta(days=3 * lap))


def _wish(unit: str, first: dt.date) -> Wish:
    return Wish(order_id=str(uuid.uuid4()), unit=unit, first=first)


def record(place: Place, wishes: Wishes) -> Recipe:
    """Book twice, the second time with an eye on what is sent: the first one meets cold caches and a new customer."""
    ayu = place.counter(AGENT, "K0")
    try:
        new, known = wishes.spread(OURS, 1, 2)[0]
        line = BookLine(sku=fleet.SKU, unit_id=new.unit, period=new.period)
        ayu.bookings.book(
            BookRequest(
                order_id=new.order_id, lines=(line,), customer_name="Rina Maharani", customer_phone="0812 0000 1234"
            )
        )
        with place.owner() as owner:
            found = owner.execute("SELECT id::text FROM sentra.customer").fetchone()
        assert found is not None
        with recorded() as statements:
            ayu.bookings.book(request_for(known, found[0]))
    finally:
        ayu.close()
    assert sum("book_order" in statement.sql for statement in statements) == 1
    return Recipe(wish=known, customer_id=found[0], statements=tuple(statements))


def written(place: Place, wish: Wish) -> object:
    """All that a booking leaves behind, without its ids."""
    with place.owner() as owner:
        found = owner.execute(
            """SELECT k.state, k.last_day - k.first_day, k.pickup_at::date = k.first_day, k.daily_rate, k.deposit,
                      k.source, upper(o.days) - lower(o.days), o.kind, o.active, i.kind, i.state, i.total, i.ppn,
                      c.phone,
                      (SELECT array_agg((l.kind, l.amount, l.text) ORDER BY l.line_no)::text
                       FROM sentra.invoice_line AS l WHERE l.invoice_id = i.id AND l.booking_id = k.id),
                      (SELECT count(*) FROM sentra.audit AS a WHERE a.subject = k.id::text),
                      (SELECT count(*) FROM sentra.outbox AS x WHERE x.payload -> 'unit_ids' ? k.unit_id)
               FROM sentra.booking AS k JOIN sentra.occupancy AS o ON o.booking_id = k.id
               JOIN sentra.invoice AS i ON i.order_id = k.order_id JOIN sentra.customer AS c ON c.id = k.customer_id
               WHERE k.order_id = %s""",
            (wish.order_id,),
        ).fetchall()
    assert len(found) == 1, found
    return found[0]


def check_same(place: Place, crowd: Crowd, wishes: Wishes) -> None:
    """Both sides answer and write the same."""
    done = {}
    for side in (OURS, FLOOR):
        jobs = wishes.spread(side, 1, 1)
        assert crowd.turn(side, jobs).answers == (BOOKED,)
        done[side] = written(place, jobs[0][0])
    assert done[OURS] == done[FLOOR], done


def in_turns(crowd: Crowd, wishes: Wishes, clients: int, each: int, rounds: int) -> dict[str, list[Turn]]:
    turns: dict[str, list[Turn]] = {OURS: [], FLOOR: []}
    for turn in range(rounds + 1):
        for side in in_order(turn, (OURS, FLOOR)):
            taken = crowd.turn(side, wishes.spread(side, clients, each))
            assert set(taken.answers) == {BOOKED}, Tally(taken.answers)
            if turn:
                turns[side].append(taken)
    return turns


def hot_turns(crowd: Crowd, wishes: Wishes, clients: int, rounds: int) -> dict[str, list[Turn]]:
    turns: dict[str, list[Turn]] = {OURS: [], FLOOR: []}
    for turn in range(rounds + 1):
        for side in in_order(turn, (OURS, FLOOR)):
            taken = crowd.turn(side, wishes.hot(side, clients, turn))
            assert Tally(taken.answers)[BOOKED] == min(clients, _HOT_PERIODS), Tally(taken.answers)
            if turn:
                turns[side].append(taken)
    return turns


def deadlocks(place: Place) -> int:
    with place.owner() as owner:
        found = owner.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").fetchone()
    assert found is not None
    return int(found[0])


def double_bookings(place: Place) -> int:
    """Pairs of active rows of one unit over each other, counted by comparing days and not by the constraint."""
    with place.owner() as owner:
        found = owner.execute(
            """SELECT count(*) FROM sentra.occupancy AS a JOIN sentra.occupancy AS b
               ON a.unit_id = b.unit_id AND a.id < b.id AND a.days && b.days WHERE a.active AND b.active"""
        ).fetchone()
    assert found is not None
    return int(found[0])


def wrong_days(place: Place) -> int:
    """Months of the product's units whose key or packed bits are not exactly the booked days.

    Nobody told the index of the floor's bookings: they do not count.
    """
    booked: dict[str, list[Days]] = {unit_id(number): [] for number in range(0, place.unit_count, 2)}
    with place.owner() as owner:
        for unit, first, past in owner.execute(
            "SELECT unit_id, lower(days), upper(days) FROM sentra.occupancy WHERE active"
        ):
            if unit in booked:
                booked[unit].append(Days(first, past - dt.timedelta(days=1)))
    units = [unit for unit in place.indexed_units() if unit.unit_id in booked]
    here = YearMonth.of(dt.datetime.now(dt.UTC).date())
    months = [here.shifted(n) for n in range(12)]
    link = open_link(place.redis_url)
    try:
        stored = RedisAvailability(link).raw_months(units, months)
    finally:
        link.close()
    wrong = 0
    for unit, row in zip(units, stored, strict=True):
        for found, mask in zip(row, masks_of(booked[unit.unit_id], months), strict=True):
            wrong += found.key != mask_to_bytes(mask) or found.packed != mask
    assert units
    return wrong


def run(small: bool) -> Iterable[Line]:
    units, rounds = (400, 2) if small else (10_000, 7)
    hot_clients = 32 if small else 128
    with open_place(units) as place:
        wishes = Wishes(units, dt.datetime.now(dt.UTC).date() + dt.timedelta(days=2))
        with place.owner() as owner:
            owner.execute("CREATE TABLE public.bare (unit text, days daterange)")
        recipe = record(place, wishes)
        with open_crowd(partial(BookingClient, place, recipe)) as crowd:
            check_same(place, crowd, wishes)
            yield from _bars(crowd, wishes, rounds, hot_clients, small)
        yield Bar(bench=BENCH, bar="double bookings", value=double_bookings(place), limit=0).as_line()
        yield Bar(bench=BENCH, bar="deadlocks", value=deadlocks(place), limit=0).as_line()
        yield Bar(
            bench=BENCH, bar="unit-months whose bits are not the booked days", value=wrong_days(place), limit=0
        ).as_line()
        yield context(BENCH, statements=[" ".join(s.sql.split())[:60] for s in recipe.statements], **place.facts())


def _bars(crowd: Crowd, wishes: Wishes, rounds: int, hot_clients: int, small: bool) -> Iterator[Line]:
    each = {1: 8, 8: 4, 32: 2} if small else {1: 40, 8: 25, 32: 8}
    alone = in_turns(crowd, wishes, 1, each[1], rounds)
    p50 = {side: statistics.median(ms for turn in turns for ms in turn.ms) for side, turns in alone.items()}
    ratio = statistics.median(
        statistics.median(a.ms) / statistics.median(b.ms) for a, b in zip(alone[OURS], alone[FLOOR], strict=True)
    )
    yield Bar(bench=BENCH, bar="p50, one client / same statements", value=ratio, limit=1.5).as_line()
    per_second = {}
    for clients in (8, 32):
        turns = in_turns(crowd, wishes, clients, each[clients], rounds)
        shares = [a.per_second / b.per_second for a, b in zip(turns[OURS], turns[FLOOR], strict=True)]
        value = statistics.median(shares)
        bar = f"throughput at {clients} clients / same statements"
        yield Bar(bench=BENCH, bar=bar, value=value, limit=0.7, better="higher").as_line()
        per_second[clients] = {side: round(statistics.median(t.per_second for t in of)) for side, of in turns.items()}
    hot = hot_turns(crowd, wishes, hot_clients, rounds)
    p99 = {side: percentile([ms for turn in turns for ms in turn.ms], 0.99) for side, turns in hot.items()}
    bar = f"p99, {hot_clients} clients at one unit / same statements"
    yield Bar(bench=BENCH, bar=bar, value=p99[OURS] / p99[FLOOR], limit=4).as_line()
    piped = [crowd.turn(AT_ONCE, wishes.spread(AT_ONCE, 1, each[1])) for _ in range(rounds)]
    bare = [crowd.turn(BARE, wishes.spread(BARE, 1, each[1])) for _ in range(rounds)]
    plain = statistics.median(ms for turn in bare for ms in turn.ms)
    yield context(
        BENCH,
        p50_ms={side: round(ms, 3) for side, ms in p50.items()},
        pipelined_floor_p50_ms=round(statistics.median(ms for turn in piped for ms in turn.ms), 3),
        per_second=per_second,
        hot_p99_ms={side: round(ms, 1) for side, ms in p99.items()},
        hot_p50_ms={
            side: round(percentile([ms for turn in turns for ms in turn.ms], 0.5), 1) for side, turns in hot.items()
        },
        insert_and_commit_ms=round(plain, 3),
        use_case_to_insert_and_commit=round(p50[OURS] / plain, 1),
    )
