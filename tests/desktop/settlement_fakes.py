"""A branch's invoices kept by hand: the settlement use cases with the same answers, on a clock the test moves."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from app.bootstrap import Counter
from app.desktop.heartbeat import Clocks, Heartbeat, SuspendProofClock
from app.desktop.printing import Printing
from app.desktop.screen import BannerContent, Screen, ScreenKey, Words
from app.desktop.screens.invoices_view import InvoicesScreen
from app.desktop.screens.invoices_viewmodel import InvoicesViewModel
from app.desktop.screens.settlement_gateway import GatewayUse
from app.desktop.screens.settlement_kept import KeptTenders
from app.desktop.screens.settlement_texts import Message
from app.desktop.screens.settlement_viewmodel import SettlementViewModel
from app.desktop.screens.shift_view import ShiftScreen
from app.desktop.screens.shift_viewmodel import ShiftViewModel
from app.desktop.screens.walk_in_counter import Approve
from app.domain.booking import BookingState, Source
from app.domain.catalogue import Sku, Unit, UnitStatus
from app.domain.customer import Customer
from app.domain.days import RentalPeriod
from app.domain.errors import NextAction, Refusal, RefusalCode
from app.domain.invoice import InvoiceKind, InvoiceLine, InvoiceState, LineKind, Tender, TenderKind, checked_tenders
from app.domain.lock import IDLE_LIMIT_SECONDS, TTL_SECONDS, Deadline, LockHandle
from app.domain.money import Rupiah
from app.domain.staff import Role, StaffMember
from app.usecases.rows import BookingRow, FleetUnit, InvoiceDetail, InvoiceRow, PaymentRow, ShiftRow
from app.usecases.settlement import HeldLock, Recalled, Receipt
from tests.desktop.calendar_samples import BRANCH, NOW, ZONE

AVANZA = Sku(
    code="TOY-AVNZ-G",
    name="Avanza G",
    category="MPV",
    daily_rate=Rupiah(350_000),
    deposit=Rupiah(500_000),
    turnaround_days=0,
)
DEWI = StaffMember(login="dewi", name="Dewi", roles=frozenset({Role.CASHIER, Role.AGENT}), branch=BRANCH)
BUDI = "00000000-0000-4000-8000-000000010240"
"""The invoice of BK-10240, Budi Santoso, Rp 1.497.500."""


@dataclass
class VirtualClocks:
    """Seconds in the test's hand. `jump` moves the wall clock alone, `sleep` suspends the PC."""

    boot: float = 1_000.0
    wall: float = 5_000_000.0
    steady: float = 1_000.0

    def advance(self, seconds: float) -> None:
        self.boot += seconds
        self.wall += seconds
        self.steady += seconds

    def jump(self, seconds: float) -> None:
        self.wall += seconds

    def sleep(self, seconds: float) -> None:
        self.boot += seconds
        self.wall += seconds

    def as_clocks(self) -> Clocks:
        return Clocks(boot=lambda: self.boot, wall=lambda: self.wall, steady=lambda: self.steady)


class ManualHeartbeat(Heartbeat):
    """A heartbeat that beats when the test says so, in the test's own thread."""

    def __init__(self, renew: Callable[[int], int], boot: SuspendProofClock) -> None:
        super().__init__(renew, boot)
        self._renew_now = renew
        self._boot = boot
        self._input_at = boot()
        self.running = False
        self.asked = 0
        self.beat_now.connect(self._note_ask)

    def start(self) -> None:
        self.running = True

    def stop(self) -> None:
        self.running = False

    def wait_until_quiet(self, seconds: float) -> bool:
        return True

    def note_input(self) -> None:
        self._input_at = self._boot()

    def note_window(self) -> None:
        pass

    def idle_seconds(self) -> float:
        return self._boot() - self._input_at

    def beat(self) -> None:
        """One beat, answered at once."""
        sent_at = self._boot()
        try:
            remaining = self._renew_now(round(self.idle_seconds() * 1000))
        except Refusal as no:
            if no.code is RefusalCode.UNREACHABLE:
                self.missed.emit()
            else:
                self.lost.emit(no)
        else:
            self.renewed.emit(Deadline(sent_at=sent_at, remaining_ms=remaining))

    def _note_ask(self) -> None:
        self.asked += 1


@dataclass
class Hearts:
    """Makes heartbeats and remembers them."""

    made: list[ManualHeartbeat] = field(default_factory=list)

    def __call__(self, renew: Callable[[int], int], boot: SuspendProofClock) -> ManualHeartbeat:
        self.made.append(ManualHeartbeat(renew, boot))
        return self.made[-1]

    @property
    def last(self) -> ManualHeartbeat:
        return self.made[-1]


@dataclass(frozen=True)
class Held:
    by: str
    name: str
    counter: str
    token: str
    at: float
    until: float


@dataclass
class FakeSettlement:
    """The database's answers. `payments` is what was written; `locks` who holds what."""

    clocks: VirtualClocks
    who: StaffMember = DEWI
    counter: str = "Kasir 1"
    rows: dict[str, InvoiceRow] = field(default_factory=dict)
    details: dict[str, InvoiceDetail] = field(default_factory=dict)
    locks: dict[str, Held] = field(default_factory=dict)
    epochs: dict[str, int] = field(default_factory=dict)
    payments: list[PaymentRow] = field(default_factory=list)
    settled: list[str] = field(default_factory=list)
    shift_open: bool = True
    unreachable: bool = False
    lose_answer: bool = False
    under_way: bool = False
    """A transaction of a lost attempt may still commit."""
    broken: bool = False
    _numbers: int = 17

    def now(self) -> dt.datetime:
        return NOW + dt.timedelta(seconds=self.clocks.boot - 1_000)

    # --- use cases ---

    def invoices(
        self, states: Sequence[InvoiceState] = (InvoiceState.OPEN,), settled_since: dt.datetime | None = None
    ) -> tuple[InvoiceRow, ...]:
        self._reach()
        rows = [row for row in self.rows.values() if row.state in states]
        if settled_since is not None:
            rows = [row for row in rows if row.settled_at is not None and row.settled_at >= settled_since]
        return tuple(map(self._with_lock, rows))

    def invoice(self, invoice_id: str) -> InvoiceDetail:
        self._reach()
        if invoice_id not in self.details:
            raise Refusal(RefusalCode.NOT_FOUND, field="invoice_id", invoice_id=invoice_id)
        return replace(self.details[invoice_id], row=self._with_lock(self.rows[invoice_id]), now=self.now())

    def open_invoice(self, invoice_id: str) -> HeldLock:
        self._reach()
        if self.broken:
            raise OSError("the answer was no answer")
        row = self.rows[invoice_id]
        if row.state is not InvoiceState.OPEN:
            raise Refusal(RefusalCode.BOOKING_STATE, state=row.state.value, invoice_id=invoice_id)
        held = self._lock_of(invoice_id)
        if held is not None:
            raise self._refused(invoice_id, held)
        return self._take(invoice_id)

    def move_lock(self, invoice_id: str) -> HeldLock:
        self._reach()
        return self._take(invoice_id)

    def renew_lock(self, handle: LockHandle, idle_ms: int) -> int:
        self._reach()
        held = self._lock_of(handle.invoice_id)
        if held is None or held.token != handle.token:
            raise Refusal(RefusalCode.LOCK_LOST, next=(NextAction("lock_again"),), reason="lost")
        if idle_ms >= IDLE_LIMIT_SECONDS * 1000:
            raise Refusal(RefusalCode.LOCK_LOST, next=(NextAction("lock_again"),), reason="idle")
        self.locks[handle.invoice_id] = replace(held, until=self.clocks.boot + TTL_SECONDS)
        return TTL_SECONDS * 1000

    def release_lock(self, handle: LockHandle) -> bool:
        self._reach()
        held = self.locks.get(handle.invoice_id)
        if held is None or held.token != handle.token:
            return False
        del self.locks[handle.invoice_id]
        return True

    def settle(self, handle: LockHandle, attempt_id: str, tenders: Sequence[Tender]) -> Receipt:
        self._reach()
        self.settled.append(attempt_id)
        written = self.outcome_of(handle.invoice_id, attempt_id)
        if written is not None:
            return written
        row = self.rows[handle.invoice_id]
        change, tender_rows = checked_tenders(row.total, tenders)
        held = self._lock_of(handle.invoice_id)
        if held is None or held.token != handle.token:
            raise Refusal(RefusalCode.LOCK_LOST, next=(NextAction("lock_again"),), reason="lost")
        if not self.shift_open:
            raise Refusal(RefusalCode.SHIFT_NEEDED, next=(NextAction("open_shift"),), cash=True)
        payment = PaymentRow(
            id=f"p-{len(self.payments) + 1}",
            attempt_id=attempt_id,
            amount=row.total,
            change=change,
            paid_at=self.now(),
            cashier=self.who.name,
            tenders=tender_rows,
        )
        self.pay(handle.invoice_id, payment)
        if self.lose_answer:
            raise Refusal(RefusalCode.UNREACHABLE)
        written = self.outcome_of(handle.invoice_id, attempt_id)
        assert written is not None
        return replace(written, already=False)

    def call_back(self, handle: LockHandle, attempt_id: str) -> Recalled:
        self._reach()
        if self.under_way:
            raise Refusal(RefusalCode.UNREACHABLE, next=(), reason="busy")
        receipt = self.outcome_of(handle.invoice_id, attempt_id)
        held = self._lock_of(handle.invoice_id)
        if receipt is not None or held is None or held.token != handle.token:
            return Recalled(receipt=receipt)
        return Recalled(lock=self._take(handle.invoice_id))

    def outcome_of(self, invoice_id: str, attempt_id: str) -> Receipt | None:
        self._reach()
        detail = self.details[invoice_id]
        for payment in detail.payments:
            if payment.attempt_id == attempt_id and self.rows[invoice_id].number is not None:
                return Receipt(
                    payment_id=payment.id,
                    number=str(self.rows[invoice_id].number),
                    change=payment.change,
                    paid_at=payment.paid_at,
                    already=True,
                )
        return None

    # --- what a test does ---

    def pay(self, invoice_id: str, payment: PaymentRow) -> None:
        """Write a payment as the paying transaction does."""
        self.payments.append(payment)
        self.locks.pop(invoice_id, None)
        number = f"INV/BDG/202611/{self._numbers:05d}"
        self._numbers += 1
        self.rows[invoice_id] = replace(
            self.rows[invoice_id],
            state=InvoiceState.PAID,
            number=number,
            paid=self.rows[invoice_id].total,
            settled_at=self.now(),
            booking_state=BookingState.PAID_APPROVED,
        )
        detail = self.details[invoice_id]
        bookings = tuple(
            replace(booking, state=BookingState.PAID_APPROVED, payment_deadline=None) for booking in detail.bookings
        )
        self.details[invoice_id] = replace(
            detail, payments=(*detail.payments, payment), bookings=bookings, settled_at=self.now()
        )

    def payment_of(self, invoice_id: str, attempt_id: str = "another") -> PaymentRow:
        """What somebody else's payment of it looks like."""
        change, rows = checked_tenders(
            self.rows[invoice_id].total, (Tender(kind=TenderKind.CASH, amount=self.rows[invoice_id].total),)
        )
        return PaymentRow(
            id="p-0",
            attempt_id=attempt_id,
            amount=self.rows[invoice_id].total,
            change=change,
            paid_at=self.now(),
            cashier="Siti",
            tenders=rows,
        )

    def lock_by(
        self, invoice_id: str, login: str, name: str, counter: str, seconds: float = 48.0, held: float = 12.0
    ) -> None:
        """Somebody holds the lock: for `seconds` more, since `held` seconds ago."""
        now = self.clocks.boot
        self.locks[invoice_id] = Held(login, name, counter, f"t-{login}", now - held, now + seconds)

    def set_total(self, invoice_id: str, total: int) -> None:
        self.rows[invoice_id] = replace(self.rows[invoice_id], total=Rupiah(total))

    # --- inside ---

    def _reach(self) -> None:
        if self.unreachable:
            raise Refusal(RefusalCode.UNREACHABLE)

    def _lock_of(self, invoice_id: str) -> Held | None:
        held = self.locks.get(invoice_id)
        return held if held is not None and held.until > self.clocks.boot else None

    def _take(self, invoice_id: str) -> HeldLock:
        epoch = self.epochs[invoice_id] = self.epochs.get(invoice_id, 0) + 1
        now = self.clocks.boot
        token = f"t-{self.who.login}-{epoch}"
        self.locks[invoice_id] = Held(self.who.login, self.who.name, self.counter, token, now, now + TTL_SECONDS)
        return HeldLock(
            handle=LockHandle(invoice_id=invoice_id, token=token, epoch=epoch), remaining_ms=TTL_SECONDS * 1000
        )

    def _refused(self, invoice_id: str, held: Held) -> Refusal:
        mine = held.by == self.who.login
        code = RefusalCode.LOCK_MINE_ELSEWHERE if mine else RefusalCode.LOCK_HELD
        return Refusal(
            code,
            next=(NextAction("tell_me"), NextAction("view_only")),
            invoice_id=invoice_id,
            holder=held.by,
            holder_name=held.name,
            counter=held.counter,
            since=NOW + dt.timedelta(seconds=held.at - 1_000),
            remaining_ms=round((held.until - self.clocks.boot) * 1000),
        )

    def _with_lock(self, row: InvoiceRow) -> InvoiceRow:
        held = self._lock_of(row.id)
        if held is None:
            return row
        return replace(
            row,
            locked_by=held.by,
            locked_by_name=held.name,
            locked_counter=held.counter,
            locked_at=NOW + dt.timedelta(seconds=held.at - 1_000),
            lock_remaining_ms=round((held.until - self.clocks.boot) * 1000),
            locked_by_me=held.by == self.who.login,
        )


class FakeShifts:
    """Opening a shift makes the settlement's cash possible."""

    def __init__(self, settlement: FakeSettlement) -> None:
        self._settlement = settlement

    def current_shift(self) -> ShiftRow | None:
        return None

    def open_shift(self, drawer: str, opening_float: Rupiah) -> ShiftRow:
        self._settlement.shift_open = True
        return ShiftRow(id="s-1", number=214, drawer=drawer, opening_float=opening_float, opened_at=NOW)


@dataclass
class FakeRead:
    settlement: FakeSettlement

    def now(self) -> dt.datetime:
        return self.settlement.now()


@dataclass
class FakeStore:
    read: FakeRead


@dataclass
class FakeCounter:
    """The attributes of a counter that these screens use."""

    settlement: FakeSettlement
    who: StaffMember = DEWI
    counter_name: str = "Kasir 1"
    data_dir: Path | None = None

    @property
    def store(self) -> FakeStore:
        return FakeStore(FakeRead(self.settlement))

    @property
    def shifts(self) -> FakeShifts:
        return FakeShifts(self.settlement)

    def as_counter(self) -> Counter:
        return cast(Counter, self)


def invoice_row(number: int, **changes: Any) -> InvoiceRow:
    """An open rental invoice of BK-<number>."""
    base: dict[str, Any] = {
        "id": f"00000000-0000-4000-8000-{number:012d}",
        "kind": InvoiceKind.RENTAL,
        "state": InvoiceState.OPEN,
        "number": None,
        "order_id": f"o-{number}",
        "booking_id": f"b-{number}",
        "booking_number": f"BK-{number}",
        "booking_state": BookingState.PENDING_PAYMENT,
        "source": Source.COUNTER,
        "customer_name": "Budi Santoso",
        "unit_plate": "B 1207 XYZ",
        "unit_count": 1,
        "total": Rupiah(1_497_500),
        "paid": Rupiah(0),
        "due_at": NOW + dt.timedelta(minutes=12, seconds=41),
        "settled_at": None,
        "locked_by": None,
        "locked_by_name": None,
        "locked_counter": None,
        "locked_at": None,
        "lock_remaining_ms": 0,
        "locked_by_me": False,
    }
    return InvoiceRow(**{**base, **changes})


def invoice_detail(row: InvoiceRow) -> InvoiceDetail:
    """The settlement drawing's invoice: three days, a discount, a deposit, PPN inside."""
    unit = FleetUnit(
        unit=Unit(
            id="u-1207",
            sku=AVANZA.code,
            slot=6,
            plate=row.unit_plate,
            colour="hitam",
            status=UnitStatus.IN_SERVICE,
        ),
        sku=AVANZA,
        branch_id=BRANCH.id,
    )
    rent, discount, deposit = Rupiah(1_050_000), Rupiah(-52_500), Rupiah(row.total - 997_500)
    booking = BookingRow(
        id=row.booking_id,
        number=row.booking_number,
        order_id=row.order_id,
        unit=unit,
        customer=customer(row.customer_name),
        period=RentalPeriod(dt.date(2026, 11, 30), dt.date(2026, 12, 2)),
        pickup_at=dt.datetime(2026, 11, 30, 14, 0, tzinfo=ZONE),
        due_at=dt.datetime(2026, 12, 2, 20, 0, tzinfo=ZONE),
        state=row.booking_state,
        version=1,
        payment_deadline=row.due_at if row.booking_state is BookingState.PENDING_PAYMENT else None,
        source=row.source,
        note="",
    )
    return InvoiceDetail(
        row=row,
        lines=(
            InvoiceLine(
                kind=LineKind.RENT,
                text="Avanza G",
                quantity=3,
                unit_price=Rupiah(350_000),
                amount=rent,
                taxable=True,
            ),
            InvoiceLine(
                kind=LineKind.DISCOUNT,
                text="Diskon pelanggan 5 %",
                quantity=1,
                unit_price=discount,
                amount=discount,
                taxable=True,
            ),
            InvoiceLine(
                kind=LineKind.DEPOSIT, text="Avanza G", quantity=1, unit_price=deposit, amount=deposit, taxable=False
            ),
        ),
        base=Rupiah(898_649),
        dpp=Rupiah(823_762),
        ppn=Rupiah(98_851),
        bookings=(booking,),
        payments=(),
        settled_at=None,
        now=NOW,
    )


def fake_settlement(clocks: VirtualClocks | None = None) -> FakeSettlement:
    """A branch with the invoices of the drawing."""
    made = FakeSettlement(clocks=clocks or VirtualClocks())
    for row in drawn_rows():
        made.rows[row.id] = row
        made.details[row.id] = invoice_detail(row)
    return made


def drawn_rows() -> tuple[InvoiceRow, ...]:
    """The list of the drawing, in no order."""
    minutes = dt.timedelta(minutes=1)
    local = NOW.astimezone(ZONE)
    state, kind = BookingState, InvoiceKind

    def at(day: int, hour: int) -> dt.datetime:
        return (local + dt.timedelta(days=day)).replace(hour=hour, minute=0, second=0)

    drawn: tuple[tuple[int, str, str, int, dict[str, Any]], ...] = (
        (10240, "Budi Santoso", "B 1207 XYZ", 1_497_500, {}),
        (
            10238,
            "Joko S.",
            "B 2415 UZN",
            380_000,
            {"kind": kind.FINE, "booking_state": state.DISPUTED, "due_at": NOW - dt.timedelta(days=1, hours=2)},
        ),
        (10243, "Hadi W.", "B 1633 KLM", 1_100_000, {"due_at": NOW + 6.2 * minutes}),
        (10242, "Agus T.", "B 1204 XYZ", 1_550_000, {"due_at": NOW + 6.72 * minutes, "source": Source.WAITLIST}),
        (
            10229,
            "CV Mitra",
            "B 1209 XYZ",
            700_000,
            {"due_at": NOW + 7.2 * minutes, "kind": kind.EXTENSION, "booking_state": state.EXTENSION_PENDING},
        ),
        (10244, "Eko P.", "B 1209 XYZ", 1_550_000, {"due_at": NOW + 8.6 * minutes}),
        (10241, "Ayu P.", "B 1634 KLM", 800_000, {"due_at": NOW + 10.86 * minutes}),
        (
            10219,
            "Yoga P.",
            "B 1203 XYZ",
            550_000,
            {"due_at": NOW + 114 * minutes, "kind": kind.BALANCE, "booking_state": state.ACTIVE_RENTAL},
        ),
        (10226, "CV Tirta", "B 2415 UZN", 1_200_000, {"due_at": at(1, 9), **_paid_booking()}),
        (10227, "Andi S.", "B 1203 XYZ", 1_025_000, {"due_at": at(3, 8), **_paid_booking()}),
        (10245, "SMA 3", "B 7105 UAA", 2_400_000, {"due_at": at(4, 5), **_paid_booking(), "unit_count": 3}),
        (10252, "PT Arunika", "B 1200 XYZ", 1_750_000, {"due_at": at(12, 7), **_paid_booking()}),
        (10254, "Panitia R.", "B 7109 UAA", 3_150_000, {"due_at": at(12, 8), **_paid_booking()}),
    )
    return tuple(
        invoice_row(number, customer_name=name, unit_plate=plate, total=Rupiah(total), **changes)
        for number, name, plate, total, changes in drawn
    )


def _paid_booking() -> dict[str, Any]:
    return {"kind": InvoiceKind.BALANCE, "booking_state": BookingState.PAID_APPROVED}


def customer(name: str) -> Customer:
    """A customer with a made-up phone."""
    return Customer(id="c-1", name=name, phone="+6281234567890")


@dataclass
class RecordingShell:
    """A main window that only remembers what it was told."""

    banners: dict[str, BannerContent] = field(default_factory=dict)
    toasts: list[str] = field(default_factory=list)
    toast_detail: str = ""
    shown: list[tuple[ScreenKey, object]] = field(default_factory=list)
    shift_asked: int = 0

    def go(self, key: ScreenKey, argument: object = None) -> None:
        self.shown.append((key, argument))

    def show_banner(self, name: str, content: BannerContent) -> None:
        self.banners[name] = content

    def hide_banner(self, name: str) -> None:
        self.banners.pop(name, None)

    def toast(
        self, text: Words, *, undo: Callable[[], object] | None = None, seconds: int = 0, detail: str = ""
    ) -> None:
        self.toasts.append(text if isinstance(text, str) else text())
        self.toast_detail = detail

    def withdraw(self, undo: Callable[[], object]) -> None:
        pass

    def set_badge(self, key: ScreenKey, count: int) -> None:
        pass

    def is_online(self) -> bool:
        return True

    def refresh_shift(self) -> None:
        self.shift_asked += 1

    def set_fact(self, name: str, text: str) -> None:
        pass


class Counterfoil:
    """The whole place "Tagihan" over the fakes: branch, clocks, heartbeats, window and screen."""

    def __init__(
        self,
        documents: Path,
        who: StaffMember = DEWI,
        *,
        kept: KeptTenders | None = None,
        approve: Approve | None = None,
        gateway: Callable[["FakeSettlement"], GatewayUse] | None = None,
    ) -> None:
        self.clocks = VirtualClocks()
        self.branch = fake_settlement(self.clocks)
        self.gateway = None if gateway is None else gateway(self.branch)
        self.hearts = Hearts()
        self.shell = RecordingShell()
        counter = FakeCounter(self.branch, who=who).as_counter()
        clocks = self.clocks.as_clocks()
        self.screen = InvoicesScreen(
            InvoicesViewModel(counter, clocks),
            SettlementViewModel(
                counter, clocks, make_heartbeat=self.hearts, kept=kept, approve=approve, gateway=self.gateway
            ),
            Printing(counter.settlement, BRANCH, "Kasir 1", documents),
            self._shift,
            self.shell,
        )

    @property
    def message(self) -> Message:
        """What the message area says."""
        return self.screen.page.pay_card.message.message()

    def id_after(self, invoice_id: str) -> str:
        """The invoice below one in the list as shown."""
        ids = [row.id for row in self.screen.invoices.shown()]
        return ids[ids.index(invoice_id) + 1]

    def pass_time(self, seconds: float) -> None:
        """Time passes, the page and the list tick; no beat is sent."""
        self.clocks.advance(seconds)
        self.screen.settlement.tick()
        self.screen.invoices.tick()

    def _shift(self) -> Screen:
        shifts = FakeShifts(self.branch)
        model = ShiftViewModel(
            current_shift=shifts.current_shift,
            open_shift=shifts.open_shift,
            zone=ZONE,
            drawer="Kasir 1",
            roles=frozenset({"cashier"}),
        )
        return ShiftScreen(model, self.shell)
