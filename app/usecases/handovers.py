"""Out and back: check-out through the gate, hand-over, recall, check-in, and another unit for a rental that is out.

Every step carries the id that the counter made for its inspection or hand-over: a form that was kept while the server
was away can be sent as often as need be, and happened once, at its true time. A unit is free when the server says so.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from app.domain.booking import Action
from app.domain.catalogue import checked_unit_id
from app.domain.charges import ChargeTerms
from app.domain.errors import NextAction, Refusal, RefusalCode, invalid
from app.domain.handover import true_time
from app.domain.inspection import Inspection, Signature, check_inspection, check_signature, missing_parts
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.alternatives import blocker_params
from app.usecases.approvals import checked_reason
from app.usecases.booking_input import checked_uuid
from app.usecases.index_work import IndexWork
from app.usecases.ports import Store, Tx
from app.usecases.rows import Blocker, Taken
from app.usecases.rows_handovers import (
    GateOverride,
    HandedBooking,
    HandingOver,
    HandoverBasis,
    RentalAtLarge,
    Replacement,
)

log = logging.getLogger(__name__)

INSPECTOR = frozenset({Role.INSPECTOR})
AT_THE_COUNTER = frozenset({Role.AGENT, Role.INSPECTOR, Role.CASHIER})


class Handovers:
    """Steps of a rental by one logged-in person at one counter."""

    def __init__(self, store: Store, work: IndexWork, who: StaffMember) -> None:
        self._store = store
        self._work = work
        self._who = who

    def basis(self, booking_id: str) -> HandoverBasis:
        """What a hand-over or a return of this booking starts from: open gate lines, marks of the unit, money.

        An inspector sees rentals of other branches too, to take their units back. Refuses NOT_FOUND.
        """
        require_role(self._who, AT_THE_COUNTER, "handover_basis")
        return basis_of(self._store, booking_id)

    def rental_of(self, unit_id: str) -> RentalAtLarge | None:
        """The rental that a scanned unit is out on, wherever it was let out; None when it is not."""
        require_role(self._who, INSPECTOR, "rental_of")
        return self._store.read.rental_of(checked_unit_id(unit_id))

    def check_out(
        self,
        booking_id: str,
        inspection: Inspection,
        *,
        override: GateOverride | None = None,
        handing_over: HandingOver | None = None,
        version: int | None = None,
    ) -> HandedBooking:
        """Let the unit of a paid booking out, and with `handing_over` give it to the customer in the same step.

        Refuses GATE_OPEN naming each open line with the step that closes it; `override` opens all but UNIT with a
        manager's reason. FIELD_INVALID `missing` lists what the inspection lacks. BOOKING_STATE `period_past` offers
        `reschedule` and `no_show` (case C-60), `too_early` before the first day.
        """
        require_role(self._who, INSPECTOR, Action.CHECK_OUT.value)
        basis = basis_of(self._store, booking_id)
        self._check(inspection, basis.terms, basis)
        if override is not None:
            override = GateOverride(
                reason=checked_reason(override.reason),
                approval_id=None if override.approval_id is None else checked_uuid(override.approval_id, "approval_id"),
            )
        if handing_over is not None:
            self._check_handing(handing_over, inspection, basis)

        def both(tx: Tx) -> HandedBooking:
            done = tx.check_out(basis.booking_id, inspection, override, version)
            return done if handing_over is None else tx.hand_over(basis.booking_id, handing_over)

        try:
            return self._step(Action.CHECK_OUT, both, one_call=handing_over is None)
        except Refusal as no:
            raise _with_ways(no, basis) from None

    def hand_over(self, booking_id: str, handing_over: HandingOver, *, version: int | None = None) -> HandedBooking:
        """The customer has the unit, from the true time on: entered later, it keeps that time."""
        require_role(self._who, INSPECTOR, Action.HAND_OVER.value)
        basis = basis_of(self._store, booking_id)
        self._check_handing(handing_over, None, basis)
        return self._step(Action.HAND_OVER, lambda tx: tx.hand_over(basis.booking_id, handing_over, version))

    def recall(self, booking_id: str, reason: str, *, version: int | None = None) -> HandedBooking:
        """The customer refused the unit: the booking is paid and waits again."""
        require_role(self._who, INSPECTOR, Action.RECALL.value)
        wanted, why = checked_uuid(booking_id, "booking_id"), checked_reason(reason)
        return self._step(Action.RECALL, lambda tx: tx.recall(wanted, why, version))

    def check_in(self, booking_id: str, inspection: Inspection, *, version: int | None = None) -> HandedBooking:
        """The unit is back, at its true time: the late clock stops there. The unit stays taken until it is cleared.

        An extension that is not paid is taken back (INVOICE_LOCKED while a cashier holds its invoice). A unit of
        another branch belongs here from now on; bookings that wait for it come back as `at_risk`.
        """
        require_role(self._who, INSPECTOR, Action.CHECK_IN.value)
        basis = basis_of(self._store, booking_id)
        if inspection.signature is None:
            raise _incomplete(("signature",))
        self._check(inspection, basis.terms, basis, back=True)
        return self._step(Action.CHECK_IN, lambda tx: tx.check_in(basis.booking_id, inspection, version))

    def replace_unit(self, booking_id: str, wanted: Replacement, *, version: int | None = None) -> HandedBooking:
        """Another unit for a rental that is out: the old one is looked at and may go to maintenance, the new one goes
        out and is handed over. All of it or nothing; refuses like a swap, naming what is in the way.
        """
        require_role(self._who, INSPECTOR, Action.SWAP_UNIT.value)
        basis = basis_of(self._store, booking_id)
        unit_id = checked_unit_id(wanted.unit_id)
        found = self._store.read.units([unit_id])
        if not found:
            raise Refusal(RefusalCode.NOT_FOUND, field="unit_id", next=(), unit_id=unit_id)
        terms = self._store.read.charge_terms(found[0].sku.code)
        self._check(wanted.back, basis.terms, basis, back=True)
        self._check(wanted.out, terms, None)
        self._check_handing(wanted.handing_over, wanted.out, None)
        if wanted.repair is not None:
            checked_reason(wanted.repair.reason)
            checked_uuid(wanted.repair.id, "block_id")

        def swap(tx: Tx) -> HandedBooking:
            answer = tx.replace_unit(basis.booking_id, wanted, version)
            if isinstance(answer, Taken):
                raise _days_taken(unit_id, answer.blockers)
            return answer

        return self._step(Action.SWAP_UNIT, swap, more_units=(basis.unit_id,))

    def _check(
        self, inspection: Inspection, terms: ChargeTerms, basis: HandoverBasis | None, *, back: bool = False
    ) -> None:
        checked_uuid(inspection.id, "inspection.id")
        before = basis.went_out if basis is not None and back else None
        check_inspection(inspection, terms.template, None if before is None else before.inspection)
        if missing := missing_parts(inspection, terms.template):
            raise _incomplete(missing)
        if basis is not None:
            known = {row.inspection.id for row in basis.inspections}
            after = None if inspection.id in known else basis.last_step_at
            true_time(inspection.done_at, after=after, now=basis.now, field="done_at")

    def _check_handing(self, handing: HandingOver, inspection: Inspection | None, basis: HandoverBasis | None) -> None:
        checked_uuid(handing.id, "id")
        _check_signed(handing.signature, handing)
        if handing.at is not None and basis is not None:
            after = None if inspection is None else inspection.done_at
            true_time(handing.at, after=after, now=basis.now, field="at")

    def _step(
        self,
        action: Action,
        work: Callable[[Tx], HandedBooking],
        *,
        one_call: bool = True,
        more_units: tuple[str, ...] = (),
    ) -> HandedBooking:
        epoch = self._work.epoch()
        done = self._store.transact(work, one_call=one_call)
        conclude(self._work, epoch, done, more_units)
        log.info("%s of booking %s: now %s", action.value, done.number, done.state.value)
        return done


def basis_of(store: Store, booking_id: str) -> HandoverBasis:
    """What a booking's next step starts from, or NOT_FOUND."""
    wanted = checked_uuid(booking_id, "booking_id")
    found = store.read.handover_basis(wanted)
    if found is None:
        raise Refusal(RefusalCode.NOT_FOUND, field="booking_id", next=(), booking_id=wanted)
    return found


def conclude(work: IndexWork, epoch: str | None, done: HandedBooking, more_units: tuple[str, ...] = ()) -> None:
    """Project the units of a step and tell the other counters: booking, invoices, units."""
    news = [work.news(done.branch_id, "booking", done.booking_id)]
    news += [work.news(done.branch_id, "invoice", one) for one in done.invoices]
    news += [work.news(done.branch_id, "unit", unit) for unit in (done.unit_id, *more_units)]
    work.conclude(epoch, done.projections, (), news)


def _check_signed(signature: Signature, handing: HandingOver) -> None:
    check_signature(signature)
    if signature.signed and not handing.photos:
        raise _incomplete(("signature",))


def _incomplete(missing: tuple[str, ...]) -> Refusal:
    return invalid(missing[0].split(".")[0], "missing", missing=list(missing))


def _with_ways(no: Refusal, basis: HandoverBasis) -> Refusal:
    """A refusal of check-out with what can be done instead."""
    if no.code is not RefusalCode.BOOKING_STATE or no.params.get("reason") != "period_past":
        return no
    ways = tuple(NextAction(way, {"booking_id": basis.booking_id}) for way in ("reschedule", "no_show"))
    return Refusal(no.code, field=no.field, next=ways, **no.params)


def _days_taken(unit_id: str, blockers: tuple[Blocker, ...]) -> Refusal:
    found = [blocker_params(item) for item in blockers]
    return Refusal(RefusalCode.DAYS_TAKEN, field="unit_id", next=(), unit_id=unit_id, blockers=found)
