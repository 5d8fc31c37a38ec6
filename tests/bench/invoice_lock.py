"""`invoice-lock`: acquire, renew, release and pay against the same statements sent by the driver alone.

Every invoice goes through the same steps once, on one side: its epochs are those of the recorded invoice.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import statistics
import uuid
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import psycopg

from app.bootstrap import Counter
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import Tender, TenderKind
from app.domain.money import Rupiah
from app.usecases.bookings import BookLine, BookRequest
from app.usecases.settlement import HeldLock
from tests.bench import fleet
from tests.bench.bars import Bar, Line, context
from tests.bench.crowd import Crowd, Job, Prepared, Turn, in_order, open_crowd
from tests.bench.installation import AGENT, CASHIER, Place, open_place, unit_id
from tests.bench.statements import Statement, recorded, sent_again

BENCH = "invoice-lock"
OURS, FLOOR, RACE = "use case", "same statements", "race"
STEPS = ("acquire", "renew", "release", "acquire again", "pay")
MEASURED = ("acquire", "renew", "release", "pay")
EXPECTED = {"acquire": "TAKEN", "renew": "SAME", "release": "released", "acquire again": "TAKEN", "pay": "PAID"}
PAID, NOT_MINE = "PAID", "not mine"
CROWD = 64
_IDLE_MS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Invoice:
    """An open invoice nobody has locked yet, of the price every one here has."""

    id: str
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    name: str
    invoice: Invoice


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What one invoice's way took: the statements of each step, and the values they named."""

    names: tuple[str, ...]
    statements: dict[str, tuple[Statement, ...]]

    def statements_for(self, step: Step) -> list[Statement]:
        instead = dict(zip(self.names, names_of(step.invoice), strict=True))
        return [statement.with_values(instead) for statement in self.statements[step.name]]


def names_of(invoice: Invoice) -> tuple[str, ...]:
    """The floor's ids and tokens for an invoice: invoice, first token, second token, attempt, payment."""
    attempt, payment = (str(uuid.uuid5(uuid.UUID(invoice.id), what)) for what in ("attempt", "payment"))
    tokens = (hashlib.sha256(f"{invoice.id} {turn}".encode()).hexdigest() for turn in (1, 2))
    return (invoice.id, *tokens, attempt, payment)


class Cashier:
    """One counter with the product, and a bare connection."""

    def __init__(self, place: Place, recipe: Recipe, number: int) -> None:
        self._recipe = recipe
        self._counter = place.counter(CASHIER, f"K{number}")
        self._bare = place.bare(CASHIER, f"K{number}")
        self._held: dict[str, HeldLock] = {}

    def prepare(self, side: str, job: Job) -> Prepared:
        assert isinstance(job, Step)
        if side == FLOOR:
            return partial(step_bare, self._bare, self._recipe.statements_for(job))
        if side == RACE:
            return partial(race, self._counter, job.invoice, self._counter.new_id())
        return partial(step_by_use_case, self._counter, self._held, job, self._counter.new_id())

    def close(self) -> None:
        self._counter.close()
        self._bare.close()


def cash(total: int) -> list[Tender]:
    return [Tender(kind=TenderKind.CASH, amount=Rupiah(total))]


def step_by_use_case(counter: Counter, held: dict[str, HeldLock], step: Step, attempt: str) -> str:
    settlement, id = counter.settlement, step.invoice.id
    match step.name:
        case "renew":
            settlement.renew_lock(held[id].handle, _IDLE_MS)
            return "SAME"
        case "release":
            return "released" if settlement.release_lock(held.pop(id).handle) else "not released"
        case "pay":
            settlement.settle(held.pop(id).handle, attempt, cash(step.invoice.total))
            return PAID
        case _:
            held[id] = settlement.open_invoice(id)
            return "TAKEN"


def step_bare(connection: psycopg.Connection, statements: Sequence[Statement]) -> str:
    told = sent_again(connection, statements)()
    if isinstance(told, bool):
        return "released" if told else "not released"
    return str(told["outcome"])


def race(counter: Counter, invoice: Invoice, attempt: str) -> str:
    """Open it, or pull the lock over here, and pay: what everybody does at the same moment."""
    try:
        try:
            held = counter.settlement.open_invoice(invoice.id)
        except Refusal as no:
            if no.code is not RefusalCode.LOCK_MINE_ELSEWHERE:
                raise
            held = counter.settlement.move_lock(invoice.id)
        paid = counter.settlement.settle(held.handle, attempt, cash(invoice.total))
    except Refusal as no:
        if no.code not in {RefusalCode.LOCK_MINE_ELSEWHERE, RefusalCode.LOCK_LOST, RefusalCode.BOOKING_STATE}:
            raise
        return NOT_MINE
    return NOT_MINE if paid.already else PAID


def make_invoices(place: Place, count: int) -> Iterator[Invoice]:
    """One order per invoice, booked as agents do."""
    ayu = place.counter(AGENT, "K0")
    first = dt.datetime.now(dt.UTC).date() + dt.timedelta(days=2)
    try:
        for number in range(count):
            lap, unit = divmod(number, place.unit_count)
            day = first + dt.timedelta(days=3 * lap)
            line = BookLine(sku=fleet.SKU, unit_id=unit_id(unit), period=RentalPeriod(day, day + dt.timedelta(days=2)))
            booked = ayu.bookings.book(
                BookRequest(
                    order_id=ayu.new_id(),
                    lines=(line,),
                    customer_name="Rina Maharani",
                    customer_phone=f"0812 0000 {1000 + number % 9000}",
                )
            )
            yield Invoice(id=booked.invoice_id, total=booked.total)
    finally:
        ayu.close()


def record(place: Place, invoice: Invoice) -> Recipe:
    """One invoice's whole way, with an eye on what is sent. Opens the cashier's shift first."""
    budi = place.counter(CASHIER, "K0")
    try:
        budi.shifts.open_shift("Laci 1", Rupiah(500_000))
        held: dict[str, HeldLock] = {}
        tokens = []
        statements: dict[str, tuple[Statement, ...]] = {}
        attempt = budi.new_id()
        for name in STEPS:
            with recorded() as sent:
                step_by_use_case(budi, held, Step(name=name, invoice=invoice), attempt)
            statements[name] = tuple(sent)
            if "acquire" in name:
                tokens.append(held[invoice.id].handle.token)
        (payment,) = budi.settlement.invoice(invoice.id).payments
    finally:
        budi.close()
    return Recipe(names=(invoice.id, *tokens, attempt, payment.id), statements=statements)


def written(place: Place, invoice: Invoice) -> object:
    """All that the steps leave behind, without ids, tokens and times."""
    with place.owner() as owner:
        return owner.execute(
            """SELECT i.state, i.paid, i.lock_epoch, i.lock_token, i.locked_by, i.number IS NOT NULL, p.amount,
                      p.change, p.lock_epoch, p.shift_id, p.cashier, b.state,
                      (SELECT array_agg((t.kind, t.amount, t.received)::text) FROM sentra.tender AS t
                       WHERE t.payment_id = p.id),
                      (SELECT array_agg(a.action ORDER BY a.id) FROM sentra.audit AS a
                       WHERE a.subject IN (i.id::text, b.id::text, p.id::text))
               FROM sentra.invoice AS i JOIN sentra.payment AS p ON p.invoice_id = i.id
               JOIN sentra.booking AS b ON b.order_id = i.order_id WHERE i.id = %s""",
            (invoice.id,),
        ).fetchall()


def check_same(place: Place, crowd: Crowd, invoices: Iterator[Invoice]) -> None:
    """Both sides answer and write the same."""
    done = {}
    for side in (OURS, FLOOR):
        invoice = next(invoices)
        for name in STEPS:
            answers = crowd.turn(side, [[Step(name=name, invoice=invoice)]]).answers
            assert answers == (EXPECTED[name],), (side, name, answers)
        done[side] = written(place, invoice)
    assert done[OURS] == done[FLOOR], done


def by_step(crowd: Crowd, invoices: Iterator[Invoice], each: int, rounds: int) -> dict[str, dict[str, list[Turn]]]:
    """Each step of `each` invoices on one side, then on the other."""
    turns: dict[str, dict[str, list[Turn]]] = {name: {OURS: [], FLOOR: []} for name in STEPS}
    for turn in range(rounds + 1):
        batch = {side: [next(invoices) for _ in range(each)] for side in (OURS, FLOOR)}
        for name in STEPS:
            for side in in_order(turn, (OURS, FLOOR)):
                taken = crowd.turn(side, [[Step(name=name, invoice=invoice) for invoice in batch[side]]])
                assert set(taken.answers) == {EXPECTED[name]}, (side, name, Tally(taken.answers))
                if turn:
                    turns[name][side].append(taken)
    return turns


def together(crowd: Crowd, invoices: Iterator[Invoice], clients: int, rounds: int) -> dict[str, list[Turn]]:
    """Everybody takes an invoice of their own the whole way."""
    turns: dict[str, list[Turn]] = {OURS: [], FLOOR: []}
    for turn in range(rounds + 1):
        for side in in_order(turn, (OURS, FLOOR)):
            mine = [next(invoices) for _ in range(clients)]
            taken = crowd.turn(side, [[Step(name=name, invoice=invoice) for name in STEPS] for invoice in mine])
            assert Tally(taken.answers) == Tally([EXPECTED[name] for name in STEPS] * clients), Tally(taken.answers)
            if turn:
                turns[side].append(taken)
    return turns


def wrongly_paid(place: Place, wanted: Sequence[Invoice]) -> int:
    """Invoices that everybody wanted to pay and that have not exactly one payment of their total."""
    with place.owner() as owner:
        rows = owner.execute(
            """SELECT i.id::text FROM sentra.invoice AS i LEFT JOIN sentra.payment AS p ON p.invoice_id = i.id
               WHERE i.id = ANY (%s::uuid[]) GROUP BY i.id
               HAVING count(p.id) = 1 AND sum(p.amount) = i.total AND i.paid = i.total AND i.state = 'PAID'""",
            ([invoice.id for invoice in wanted],),
        ).fetchall()
    return len(wanted) - len(rows)


def run(small: bool) -> Iterable[Line]:
    units, rounds, each, clients, contested = (100, 2, 4, 16, 4) if small else (1_000, 7, 20, CROWD, 24)
    needed = 3 + 2 * (rounds + 1) * (each + clients) + contested
    with open_place(units) as place:
        invoices = make_invoices(place, needed)
        recipe = record(place, next(invoices))
        with open_crowd(partial(Cashier, place, recipe)) as crowd:
            check_same(place, crowd, invoices)
            steps = by_step(crowd, invoices, each, rounds)
            for name in MEASURED:
                pairs = zip(steps[name][OURS], steps[name][FLOOR], strict=True)
                ratio = statistics.median(statistics.median(a.ms) / statistics.median(b.ms) for a, b in pairs)
                yield Bar(bench=BENCH, bar=f"{name}: p50 / same statements", value=ratio, limit=1.5).as_line()
            many = together(crowd, invoices, clients, rounds)
            shares = [a.per_second / b.per_second for a, b in zip(many[OURS], many[FLOOR], strict=True)]
            bar = f"throughput at {clients} clients / same statements"
            yield Bar(bench=BENCH, bar=bar, value=statistics.median(shares), limit=0.7, better="higher").as_line()
            wanted = [next(invoices) for _ in range(contested)]
            answers = [crowd.turn(RACE, [[Step(name="pay", invoice=invoice)]] * clients).answers for invoice in wanted]
        wrong = wrongly_paid(place, wanted) + sum(Tally(found)[PAID] != 1 for found in answers)
        yield Bar(bench=BENCH, bar="contested invoices without exactly one payer", value=wrong, limit=0).as_line()
        yield context(
            BENCH,
            p50_ms={
                name: {
                    side: round(statistics.median(ms for t in turns for ms in t.ms), 3) for side, turns in of.items()
                }
                for name, of in steps.items()
            },
            steps_per_second={side: round(statistics.median(t.per_second for t in of)) for side, of in many.items()},
            contested=contested,
            **place.facts(),
        )
