"""Every action of the booking machine as a use case, and ways to lead a booking to every state by use cases alone."""

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from app.bootstrap import Counter
from app.domain.booking import Action, BookingState
from app.domain.charges import Charge, ChargeKind
from app.domain.days import RentalPeriod
from app.domain.money import Rupiah
from app.domain.staff import Role
from app.usecases.rows_handovers import Replacement
from tests.support.world import HEADING, SKU, START, World, cash, days
from tests.usecases.handover_rig import handing, looked_at, pass_gate

_S, _A = BookingState, Action
TODAY = START.date()
WASH = Charge(kind=ChargeKind.CLEANING, text="Cuci jok", quantity=1, unit_price=Rupiah(100_000))
LOGINS: Mapping[str, frozenset[Role]] = {
    "ayu": frozenset({Role.AGENT}),
    "dedi": frozenset({Role.INSPECTOR}),
    "budi": frozenset({Role.CASHIER}),
    "maya": frozenset({Role.AGENT, Role.INSPECTOR, Role.CASHIER, Role.MANAGER}),
}
SPARES = 3
"""Units that nobody is led to: one for each edge on which a booking is given another one."""


@dataclass(kw_only=True)
class EdgeRig:
    """One world with as many units as bookings are led somewhere."""

    world: World
    units: int
    _given: int = 0
    _counters: dict[str, Counter] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rows = "".join(
            f"JKT,{SKU},Avanza G,Mobil,350000,500000,0,uuid-edge-{n:03},B {2000 + n} EDG,1000,IN_SERVICE\n"
            for n in range(self.units + SPARES)
        )
        report = self.counter("maya").fleet.import_fleet((HEADING + rows).encode())
        assert not report.refusals, report
        for login in ("siti", "budi", "maya"):
            self.world.open_shift(self.counter(login))

    def counter(self, login: str) -> Counter:
        if login not in self._counters:
            self._counters[login] = self.world.counter(login, f"Kasir {login}")
        return self._counters[login]

    def booked(self) -> str:
        """A booking from today on, on a unit of its own, not paid yet."""
        unit = f"uuid-edge-{self._given:03}"
        self._given += 1
        made = self.world.book(
            self.counter("siti"),
            RentalPeriod(TODAY, TODAY + dt.timedelta(days=2)),
            unit,
            phone=f"0812 0000 {4000 + self._given}",
            name="Rina Maharani",
        )
        return made.bookings[0].id

    def led_to(self, state: BookingState) -> str:
        """A booking that use cases have led to this state."""
        booking_id = self.booked()
        for action in PATHS[state]:
            self.act("maya", action, booking_id)
        assert self.world.state(booking_id) == state.value
        return booking_id

    def act(self, login: str, action: Action, booking_id: str) -> None:
        """Do it as this person; raises Refusal when it is refused."""
        ACTS[action](self, self.counter(login), booking_id)

    def act_of_the_service(self, action: Action, booking_id: str) -> None:
        """What the service does to one order when its time has come."""
        assert action is Action.EXPIRE
        order = self.world.value("SELECT order_id::text FROM sentra.booking WHERE id = %s", booking_id)
        self.world.service().store.transact(lambda tx: tx.expire_order(str(order)))

    def newest_invoice(self, booking_id: str) -> str:
        """The open one, if there is any: the clock stands still between them."""
        rows = self.world.rows(
            "SELECT i.id::text FROM sentra.invoice i WHERE i.id IN (SELECT l.invoice_id FROM sentra.invoice_line l"
            " WHERE l.booking_id = %s) ORDER BY i.state = 'OPEN' DESC, i.created_at DESC LIMIT 1",
            booking_id,
        )
        return str(rows[0][0])

    def spare(self) -> str:
        """A unit that is free and that no booking is led to."""
        found = self.world.value(
            "SELECT min(u.id) FROM sentra.unit u WHERE u.id >= %s AND u.id LIKE 'uuid-edge-%%'"
            " AND NOT EXISTS (SELECT FROM sentra.occupancy o WHERE o.unit_id = u.id AND o.active)",
            f"uuid-edge-{self.units:03}",
        )
        return str(found)

    def standing(self, booking_id: str) -> tuple[object, ...]:
        """State and version: what nothing that is refused may change."""
        (row,) = self.world.rows("SELECT state, version FROM sentra.booking WHERE id = %s", booking_id)
        return row


def _pay(rig: EdgeRig, who: Counter, booking_id: str) -> None:
    """Settle the newest invoice of the booking at the till, as it stands."""
    invoice_id = rig.newest_invoice(booking_id)
    held = who.settlement.open_invoice(invoice_id)
    total = who.settlement.invoice(invoice_id).row.total
    who.settlement.settle(held.handle, who.new_id(), [cash(total)])


def _expire(rig: EdgeRig, who: Counter, booking_id: str) -> None:
    order = rig.world.value("SELECT order_id::text FROM sentra.booking WHERE id = %s", booking_id)
    who.store.transact(lambda tx: tx.expire_order(str(order)))


def _hand_over(rig: EdgeRig, who: Counter, booking_id: str) -> None:
    who.rentals.handovers.hand_over(booking_id, handing())


def _check_out(rig: EdgeRig, who: Counter, booking_id: str) -> None:
    pass_gate_once(rig.world, booking_id)
    who.rentals.handovers.check_out(booking_id, looked_at(rig.world))


def _check_in(rig: EdgeRig, who: Counter, booking_id: str) -> None:
    who.rentals.handovers.check_in(booking_id, looked_at(rig.world))
    for item in who.rentals.handovers.basis(booking_id).collateral:
        who.rentals.collaterals.return_collateral(item.id)


def _swap(rig: EdgeRig, who: Counter, booking_id: str) -> None:
    if rig.world.state(booking_id) == "ACTIVE_RENTAL":
        old, new = looked_at(rig.world), looked_at(rig.world)
        wanted = Replacement(unit_id=rig.spare(), back=old, out=new, handing_over=handing())
        who.rentals.handovers.replace_unit(booking_id, wanted)
    else:
        who.changes_of_bookings.swap_unit(booking_id, rig.spare())


def _back(who: Counter, booking_id: str, *, no_show: bool) -> Rupiah:
    return who.bookings.cancellation_effect(booking_id, no_show).back


def pass_gate_once(world: World, booking_id: str) -> None:
    held = world.value("SELECT count(*) FROM sentra.collateral WHERE booking_id = %s", booking_id)
    if held == 0 and world.state(booking_id) not in {"CANCELLED", "COMPLETED"}:
        pass_gate(world, booking_id)


ACTS: Mapping[Action, Callable[[EdgeRig, Counter, str], object]] = {
    _A.PAY: _pay,
    _A.EXPIRE: _expire,
    _A.CANCEL: lambda rig, who, one: who.bookings.cancel(one),
    _A.CHECK_OUT: _check_out,
    _A.HAND_OVER: _hand_over,
    _A.REQUEST_EXTENSION: lambda rig, who, one: who.changes_of_bookings.request_extension(
        one, TODAY + dt.timedelta(days=3)
    ),
    _A.APPROVE_EXTENSION: _pay,
    _A.REJECT_EXTENSION: lambda rig, who, one: who.changes_of_bookings.reject_extension(one, "tidak jadi"),
    _A.CHECK_IN: _check_in,
    _A.CLEAR: lambda rig, who, one: who.rentals.charges.clear(one),
    _A.DISPUTE: lambda rig, who, one: who.rentals.charges.dispute(one, [WASH]),
    _A.SETTLE_CHARGES: lambda rig, who, one: who.rentals.charges.settle_charges(one),
    _A.CANCEL_PAID: lambda rig, who, one: who.bookings.cancel_paid(one, "batal", _back(who, one, no_show=False)),
    _A.NO_SHOW: lambda rig, who, one: who.bookings.no_show(one, "tidak datang", _back(who, one, no_show=True)),
    _A.RECALL: lambda rig, who, one: who.rentals.handovers.recall(one, "pelanggan menolak"),
    _A.NOT_RETURNED: lambda rig, who, one: who.rentals.charges.not_returned(one, "dilaporkan hilang"),
    _A.RESCHEDULE: lambda rig, who, one: who.changes_of_bookings.reschedule(one, days("2027-03-01", "2027-03-02")),
    _A.SWAP_UNIT: _swap,
    _A.SHORTEN: lambda rig, who, one: who.changes_of_bookings.shorten(one, TODAY + dt.timedelta(days=1)),
    _A.RELEASE_UNIT: lambda rig, who, one: who.rentals.charges.release_unit(one),
    _A.HOLD_LONGER: lambda rig, who, one: who.bookings.hold_longer(one, 2, "transfer sedang jalan"),
}
"""`create` is `EdgeRig.booked`."""

_OUT = (_A.PAY, _A.CHECK_OUT, _A.HAND_OVER)
PATHS: Mapping[BookingState, tuple[Action, ...]] = {
    _S.PENDING_PAYMENT: (),
    _S.CANCELLED: (_A.CANCEL,),
    _S.PAID_APPROVED: (_A.PAY,),
    _S.DISPATCHED: _OUT[:2],
    _S.ACTIVE_RENTAL: _OUT,
    _S.EXTENSION_PENDING: (*_OUT, _A.REQUEST_EXTENSION),
    _S.RETURNED_PENDING_CHECK: (*_OUT, _A.CHECK_IN),
    _S.DISPUTED: (*_OUT, _A.CHECK_IN, _A.DISPUTE),
    _S.COMPLETED: (*_OUT, _A.CHECK_IN, _A.CLEAR),
}
