"""Charges of a return and the deposit: quoted before they are agreed, accepted or contested, settled, held back.

Rule charges are computed here and once more by the database; an inspector adds what was seen. What the customer accepts
is paid from the deposit as far as whole invoices go and otherwise at the till; contested lines wait for a manager.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace

from app.domain.booking import Action
from app.domain.catalogue import checked_sku
from app.domain.charges import (
    MAX_CHARGE,
    Charge,
    ChargeKind,
    ChargeTerms,
    Outcome,
    Returned,
    check_count,
    checked_charge,
    due_charges,
    in_order,
    paper_total,
)
from app.domain.days import local_day
from app.domain.deposit import HOLD_DAYS, MAX_HOLD_DAYS, deposit_result
from app.domain.errors import invalid
from app.domain.money import ZERO, Rupiah
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.approvals import checked_reason
from app.usecases.booking_input import checked_uuid
from app.usecases.handovers import AT_THE_COUNTER, INSPECTOR, basis_of, conclude
from app.usecases.index_work import IndexWork
from app.usecases.ports import Store, Tx
from app.usecases.rows_handovers import (
    ChargesQuote,
    DepositHold,
    HandedBooking,
    HandoverBasis,
    NewCharge,
    UnitRepair,
)

log = logging.getLogger(__name__)

CASHIER = frozenset({Role.CASHIER})
MANAGER = frozenset({Role.MANAGER})
ARGUING = frozenset({Role.INSPECTOR, Role.CASHIER})


class ReturnCharges:
    """What a return is charged, by one logged-in person at one counter."""

    def __init__(self, store: Store, work: IndexWork, who: StaffMember, counter: str) -> None:
        self._store = store
        self._work = work
        self._who = who
        self._counter = counter

    def quote(self, booking_id: str, typed: Sequence[Charge] = (), held_back: Rupiah = ZERO) -> ChargesQuote:
        """What rules ask for with these lines, and the deposit's end: refund or bill. Before the check-in as if it were
        back now, without its readings. Nothing is written."""
        require_role(self._who, AT_THE_COUNTER, "quote_charges")
        basis = basis_of(self._store, booking_id)
        charges = _all(basis, typed)
        on = local_day(basis.now, self._who.branch.zone)
        accepted = [line for line in charges if not line.contested]
        total = paper_total(accepted, basis.taxed, basis.ppn_place, on)
        contested = sum(paper_total([line], basis.taxed, basis.ppn_place, on) for line in charges if line.contested)
        kept = Rupiah(held_back + basis.held_back)
        return ChargesQuote(
            charges=charges,
            accepted=total,
            contested=Rupiah(contested),
            deposit=deposit_result(basis.deposit_left, total, Rupiah(contested), kept),
        )

    def clear(self, booking_id: str, *, version: int | None = None) -> HandedBooking:
        """Nothing is charged: the rental is over, its days are free on every counter, the deposit is due back.

        Refuses BOOKING_STATE `charges_due` when a rule asks for something, GATE_OPEN while collateral is held.
        """
        require_role(self._who, INSPECTOR, Action.CLEAR.value)
        wanted = checked_uuid(booking_id, "booking_id")
        return self._step(Action.CLEAR.value, lambda tx: tx.clear(wanted, version))

    def dispute(self, booking_id: str, typed: Sequence[Charge], *, version: int | None = None) -> HandedBooking:
        """Charge what rules ask for and these lines: what is accepted on one FINE invoice, each contested on its own.

        The same lines again answer the first result. PRICE_CHANGED when the database computes other rule charges.
        """
        require_role(self._who, INSPECTOR, Action.DISPUTE.value)
        basis = basis_of(self._store, booking_id)
        charges = _all(basis, typed)
        check_count(charges)
        new = _with_ids(charges, basis.booking_id)
        return self._step(Action.DISPUTE.value, lambda tx: tx.dispute(basis.booking_id, new, version))

    def not_returned(
        self,
        booking_id: str,
        reason: str,
        typed: Sequence[Charge] = (),
        *,
        approval_id: str | None = None,
        version: int | None = None,
    ) -> HandedBooking:
        """The unit does not come back. A manager's; somebody else's with a manager's approval of `not_returned`."""
        require_role(self._who, AT_THE_COUNTER, Action.NOT_RETURNED.value)
        wanted, why, word = checked_uuid(booking_id, "booking_id"), checked_reason(reason), _approval(approval_id)
        new = _with_ids(_typed(typed), wanted)
        return self._step(Action.NOT_RETURNED.value, lambda tx: tx.not_returned(wanted, why, new, word, version))

    def add_charges(self, booking_id: str, request_id: str, typed: Sequence[Charge]) -> HandedBooking:
        """More that was found while the return is argued about. `request_id` is the client's UUID of this step."""
        require_role(self._who, INSPECTOR, "add_charges")
        wanted = checked_uuid(booking_id, "booking_id")
        charges = _typed(typed)
        check_count(charges)
        new = _with_ids(charges, checked_uuid(request_id, "id"))
        return self._step("add_charges", lambda tx: tx.add_charges(wanted, new))

    def contest_charge(self, charge_id: str, reason: str) -> HandedBooking:
        """The customer does not agree with a line after all: it goes on an invoice of its own."""
        require_role(self._who, ARGUING, "contest_charge")
        wanted, why = checked_uuid(charge_id, "charge_id"), checked_reason(reason)
        return self._step("contest_charge", lambda tx: tx.contest_charge(wanted, why))

    def close_charge(
        self,
        charge_id: str,
        outcome: Outcome,
        reason: str,
        *,
        amount: Rupiah | None = None,
        approval_id: str | None = None,
    ) -> HandedBooking:
        """A manager's last word on a line: FULL, REDUCED to `amount`, or DROPPED (a waiver). Also with an approval of
        `close_charge` on this charge."""
        require_role(self._who, ARGUING, "close_charge")
        wanted, why, word = checked_uuid(charge_id, "charge_id"), checked_reason(reason), _approval(approval_id)
        if (outcome is Outcome.REDUCED) != (amount is not None):
            raise invalid("amount", "not_an_amount" if amount is not None else "missing")
        return self._step("close_charge", lambda tx: tx.close_charge(wanted, outcome, amount, why, word))

    def settle_charges(self, booking_id: str, *, version: int | None = None) -> HandedBooking:
        """Pay what is accepted from the deposit as far as whole invoices go; with nothing open the rental is over.

        What is left comes back as `to_pay`: FINE invoices for the till, contested ones for a manager. Refuses
        INVOICE_LOCKED while a cashier holds one of them.
        """
        require_role(self._who, CASHIER, Action.SETTLE_CHARGES.value)
        wanted = checked_uuid(booking_id, "booking_id")
        return self._step(Action.SETTLE_CHARGES.value, lambda tx: tx.settle_charges(wanted, self._counter, version))

    def release_unit(
        self, booking_id: str, repair: UnitRepair | None = None, *, version: int | None = None
    ) -> HandedBooking:
        """The unit of a return that is argued about is free, or (with `repair`) goes to maintenance first. One that did
        not come back can only go to maintenance."""
        require_role(self._who, INSPECTOR, Action.RELEASE_UNIT.value)
        wanted = checked_uuid(booking_id, "booking_id")
        if repair is not None:
            checked_uuid(repair.id, "block_id")
            checked_reason(repair.reason)
        return self._step(Action.RELEASE_UNIT.value, lambda tx: tx.release_unit(wanted, repair, version))

    def hold_back(
        self,
        booking_id: str,
        hold_id: str,
        amount: Rupiah,
        reason: str,
        *,
        days: int = HOLD_DAYS,
        approval_id: str | None = None,
    ) -> DepositHold:
        """Keep a part of the deposit for traffic fines, for so many days; then the service gives it back. A manager's,
        or with an approval of `hold_back` on this booking for at least this amount."""
        require_role(self._who, ARGUING, "hold_back")
        booking, wanted, why = (
            checked_uuid(booking_id, "booking_id"),
            checked_uuid(hold_id, "id"),
            checked_reason(reason),
        )
        word = _approval(approval_id)
        if not 1 <= days <= MAX_HOLD_DAYS:
            raise invalid("days", "out_of_range", least=1, most=MAX_HOLD_DAYS, given=days)
        if not 1 <= amount <= MAX_CHARGE:
            raise invalid("amount", "not_an_amount", given=amount)
        held = self._store.transact(lambda tx: tx.hold_back(wanted, booking, amount, days, why, word), one_call=True)
        self._work.announce(self._who.branch.id, "booking", booking)
        return held

    def release_hold(self, hold_id: str) -> DepositHold:
        """Give back early what was held back. Managers only."""
        require_role(self._who, MANAGER, "release_hold")
        wanted = checked_uuid(hold_id, "id")
        ended = self._store.transact(lambda tx: tx.release_hold(wanted), one_call=True)
        self._work.announce(self._who.branch.id, "booking", ended.booking_id)
        return ended

    def post_rental_fine(
        self, booking_id: str, fine_id: str, text: str, amount: Rupiah, reason: str = ""
    ) -> HandedBooking:
        """A fine that came after the rental is over, on a POST_RENTAL invoice. `fine_id` is the client's UUID."""
        require_role(self._who, ARGUING, "post_rental_fine")
        booking, wanted = checked_uuid(booking_id, "booking_id"), checked_uuid(fine_id, "id")
        line = checked_charge(Charge(kind=ChargeKind.TRAFFIC, text=text, quantity=1, unit_price=amount), "charges[0]")
        return self._step(
            "post_rental_fine", lambda tx: tx.post_rental_fine(wanted, booking, line.text, amount, reason)
        )

    def settle_from_deposit(self, invoice_id: str) -> HandedBooking:
        """Pay a POST_RENTAL invoice whole from what was held back. AMOUNT_MISMATCH when that does not reach."""
        require_role(self._who, CASHIER, "settle_from_deposit")
        wanted = checked_uuid(invoice_id, "invoice_id")
        return self._step("settle_from_deposit", lambda tx: tx.settle_from_deposit(wanted, self._counter))

    def charge_terms(self, sku: str) -> ChargeTerms:
        """What the SKU's returns are charged by from the next check-out on."""
        return self._store.read.charge_terms(checked_sku(sku))

    def set_charge_terms(self, sku: str, terms: ChargeTerms) -> ChargeTerms:
        """Charge the SKU's returns by these terms, from the next check-out on. Managers only."""
        require_role(self._who, MANAGER, "set_charge_terms")
        wanted = checked_sku(sku)
        return self._store.transact(lambda tx: tx.set_charge_terms(wanted, terms), one_call=True)

    def _step(self, name: str, work: Callable[[Tx], HandedBooking]) -> HandedBooking:
        epoch = self._work.epoch()
        done = self._store.transact(work, one_call=True)
        conclude(self._work, epoch, done)
        log.info("%s of booking %s: now %s", name, done.number, done.state.value)
        return done


def _all(basis: HandoverBasis, typed: Sequence[Charge]) -> tuple[Charge, ...]:
    """What rules ask for with what was typed, in order. A rule line that is typed as contested stays contested."""
    contested = {line.kind: line.reason for line in typed if line.contested}
    returned = Returned(
        day_rate=basis.day_rate,
        paid_days=basis.paid_days,
        late_due_at=basis.late_due_at,
        returned_at=basis.returned_at or basis.now,
        trips=basis.trips,
        elsewhere=basis.elsewhere,
    )
    due = [
        replace(line, contested=True, reason=contested[line.kind]) if line.kind in contested else line
        for line in due_charges(returned, basis.terms)
    ]
    by_rule = {line.kind for line in due}
    return in_order([*due, *_typed([line for line in typed if line.kind not in by_rule])])


def _typed(typed: Sequence[Charge]) -> tuple[Charge, ...]:
    lines = [checked_charge(line, f"charges[{number}]") for number, line in enumerate(typed)]
    for line in lines:
        if line.contested:
            checked_reason(line.reason)
    return tuple(lines)


def _with_ids(charges: Sequence[Charge], request_id: str) -> tuple[NewCharge, ...]:
    """Ids that follow from the request: the same one again names the same charges."""
    space = uuid.UUID(request_id)
    return tuple(
        NewCharge(id=str(uuid.uuid5(space, f"charge {number}")), charge=charge) for number, charge in enumerate(charges)
    )


def _approval(approval_id: str | None) -> str | None:
    return None if approval_id is None else checked_uuid(approval_id, "approval_id")
