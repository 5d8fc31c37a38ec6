"""Out and back: calls of the database's functions and their answers."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.exc import DBAPIError

from app.adapters.postgres.errors import TAKEN_BY_FUNCTION, detail_of, sqlstate_of
from app.adapters.postgres.handover_json import (
    charge_json,
    collateral_of,
    gate_line_of,
    handed_of,
    handing_json,
    hold_of,
    inspection_json,
    repair_json,
    terms_json,
    terms_of,
)
from app.adapters.postgres.tx_call import Call, as_json, blocker_of
from app.domain.charges import ChargeTerms, Outcome
from app.domain.errors import Refusal, RefusalCode
from app.domain.gate import gate_open
from app.domain.inspection import Inspection
from app.domain.money import Rupiah
from app.usecases.rows import Taken
from app.usecases.rows_handovers import (
    Collateral,
    CollateralKind,
    DepositHold,
    GateOverride,
    HandedBooking,
    HandingOver,
    NewCharge,
    Replacement,
    UnitRepair,
)


class HandoverCalls:
    """The part `HandoverTx` of a transaction."""

    _call: Call

    def check_out(
        self, booking_id: str, inspection: Inspection, override: GateOverride | None, based_on: int | None = None
    ) -> HandedBooking:
        opened = None if override is None else {"reason": override.reason, "approval_id": override.approval_id}
        return self._step("check_out", booking_id, based_on, inspection=inspection_json(inspection), override=opened)

    def hand_over(self, booking_id: str, handing: HandingOver, based_on: int | None = None) -> HandedBooking:
        return self._step("hand_over", booking_id, based_on, **handing_json(handing))

    def recall(self, booking_id: str, reason: str, based_on: int | None = None) -> HandedBooking:
        statement = "SELECT sentra.recall(%s, %s, %s, %s)"
        return handed_of(self._call.ask(statement, booking_id, reason, self._call.again, based_on))

    def check_in(self, booking_id: str, inspection: Inspection, based_on: int | None = None) -> HandedBooking:
        return self._step("check_in", booking_id, based_on, inspection=inspection_json(inspection))

    def replace_unit(self, booking_id: str, wanted: Replacement, based_on: int | None = None) -> HandedBooking | Taken:
        try:
            return self._step(
                "replace_unit",
                booking_id,
                based_on,
                unit_id=wanted.unit_id,
                back=inspection_json(wanted.back),
                out=inspection_json(wanted.out),
                hand_over=handing_json(wanted.handing_over),
                maintenance=repair_json(wanted.repair),
            )
        except DBAPIError as error:
            if sqlstate_of(error) != TAKEN_BY_FUNCTION:
                raise
            return Taken(blockers=tuple(map(blocker_of, detail_of(error)["taken"])))

    def clear(self, booking_id: str, based_on: int | None = None) -> HandedBooking:
        statement = "SELECT sentra.clear(%s, %s, %s)"
        return self._gated(booking_id, statement, booking_id, self._call.again, based_on)

    def dispute(self, booking_id: str, charges: Sequence[NewCharge], based_on: int | None = None) -> HandedBooking:
        return self._step("dispute", booking_id, based_on, charges=list(map(charge_json, charges)))

    def not_returned(
        self,
        booking_id: str,
        reason: str,
        charges: Sequence[NewCharge],
        approval_id: str | None,
        based_on: int | None = None,
    ) -> HandedBooking:
        return self._step(
            "not_returned",
            booking_id,
            based_on,
            reason=reason,
            charges=list(map(charge_json, charges)),
            approval_id=approval_id,
            again=self._call.again,
        )

    def add_charges(self, booking_id: str, charges: Sequence[NewCharge]) -> HandedBooking:
        return self._step("add_charges", booking_id, None, charges=list(map(charge_json, charges)))

    def contest_charge(self, charge_id: str, reason: str) -> HandedBooking:
        return handed_of(self._call.ask("SELECT sentra.contest_charge(%s, %s)", charge_id, reason))

    def close_charge(
        self, charge_id: str, outcome: Outcome, amount: Rupiah | None, reason: str, approval_id: str | None
    ) -> HandedBooking:
        given = {
            "charge_id": charge_id,
            "outcome": outcome.value,
            "amount": amount,
            "reason": reason,
            "approval_id": approval_id,
        }
        return handed_of(self._call.ask("SELECT sentra.close_charge(%s)", as_json(given)))

    def settle_charges(self, booking_id: str, counter: str, based_on: int | None = None) -> HandedBooking:
        statement = "SELECT sentra.settle_charges(%s, %s, %s, %s)"
        return handed_of(self._call.ask(statement, booking_id, counter, self._call.again, based_on))

    def settle_from_deposit(self, invoice_id: str, counter: str) -> HandedBooking:
        return handed_of(self._call.ask("SELECT sentra.settle_from_deposit(%s, %s)", invoice_id, counter))

    def release_unit(self, booking_id: str, repair: UnitRepair | None, based_on: int | None = None) -> HandedBooking:
        return self._step("release_unit", booking_id, based_on, maintenance=repair_json(repair))

    def take_collateral(self, id: str, booking_id: str, kind: CollateralKind, what: str, place: str) -> Collateral:
        given = {"id": id, "booking_id": booking_id, "kind": kind.value, "what": what, "place": place}
        return collateral_of(self._call.ask("SELECT sentra.take_collateral(%s)", as_json(given)))

    def end_collateral(self, collateral_id: str, *, kept: bool, reason: str) -> Collateral:
        return collateral_of(self._call.ask("SELECT sentra.end_collateral(%s, %s, %s)", collateral_id, kept, reason))

    def hold_back(
        self, id: str, booking_id: str, amount: Rupiah, days: int, reason: str, approval_id: str | None
    ) -> DepositHold:
        given = {
            "id": id,
            "booking_id": booking_id,
            "amount": amount,
            "days": days,
            "reason": reason,
            "approval_id": approval_id,
        }
        return hold_of(self._call.ask("SELECT sentra.hold_back(%s)", as_json(given)))

    def release_hold(self, hold_id: str) -> DepositHold:
        return hold_of(self._call.ask("SELECT sentra.release_hold(%s)", hold_id))

    def post_rental_fine(self, id: str, booking_id: str, text: str, amount: Rupiah, reason: str) -> HandedBooking:
        given = {"id": id, "booking_id": booking_id, "text": text, "amount": amount, "reason": reason}
        return handed_of(self._call.ask("SELECT sentra.post_rental_fine(%s)", as_json(given)))

    def repair_damage(self, damage_id: str) -> bool:
        return bool(self._call.ask("SELECT sentra.repair_damage(%s)", damage_id))

    def save_photo(self, photo_id: str, content: bytes) -> bool:
        return bool(self._call.ask("SELECT sentra.save_photo(%s, %s)", photo_id, content))

    def set_charge_terms(self, sku: str, terms: ChargeTerms) -> ChargeTerms:
        return terms_of(self._call.ask("SELECT sentra.set_charge_terms(%s)", as_json(terms_json(sku, terms))))

    def overdue_bookings(self, most: int, but_not: Sequence[str]) -> tuple[str, ...]:
        found = self._call.ask("SELECT sentra.overdue_bookings(%s, %s::uuid[])", most, list(but_not))
        return tuple(map(str, found))

    def mark_overdue(self, booking_id: str) -> HandedBooking | None:
        told = self._call.ask("SELECT sentra.mark_overdue(%s)", booking_id)
        return None if told is None else handed_of(told)

    def end_due_holds(self, most: int) -> int:
        return int(self._call.ask("SELECT sentra.end_due_holds(%s)", most))

    def _step(self, name: str, booking_id: str, based_on: int | None, **given: object) -> HandedBooking:
        whole = {"booking_id": booking_id, "based_on": based_on, **given}
        return self._gated(booking_id, f"SELECT sentra.{name}(%s)", as_json(whole))

    def _gated(self, booking_id: str, statement: str, *parameters: object) -> HandedBooking:
        """As the function answers; its open gate with the step that closes each line."""
        try:
            return handed_of(self._call.ask(statement, *parameters))
        except Refusal as no:
            if no.code is RefusalCode.GATE_OPEN and isinstance(lines := no.params.get("lines"), list):
                raise gate_open([gate_line_of(line) for line in lines], booking_id) from None
            raise
