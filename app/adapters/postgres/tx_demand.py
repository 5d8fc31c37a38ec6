"""Waitlist, maintenance, holidays and refused wishes: calls of the database's functions and their answers."""

from __future__ import annotations

import datetime as dt

from sqlalchemy.exc import DBAPIError

from app.adapters.postgres.errors import TAKEN_BY_FUNCTION, detail_of, sqlstate_of
from app.adapters.postgres.tx_call import (
    Call,
    Told,
    as_json,
    blocker_of,
    day_of,
    days_of,
    freed_of,
    moment_of,
    projection_of,
)
from app.domain.catalogue import MaintenanceState
from app.domain.days import Days, RentalPeriod
from app.domain.waitlist import Tier, WaitlistState
from app.usecases.rows import Taken
from app.usecases.rows_maintenance import BlockedUnit, MaintenanceRow, NewBlock
from app.usecases.rows_waitlist import (
    JoinedWaitlist,
    MirroredPlace,
    NewWaitlistEntry,
    RefusedWish,
    WaitlistRow,
    WithdrawnEntry,
)


class DemandCalls:
    """The part `DemandTx` of a transaction."""

    _call: Call

    def join_waitlist(self, entry: NewWaitlistEntry) -> JoinedWaitlist:
        new = entry.new_customer
        told = self._call.ask(
            "SELECT sentra.join_waitlist(%s)",
            as_json(
                {
                    "id": entry.id,
                    "customer_id": entry.customer_id,
                    "new_customer": None if new is None else {"id": new.id, "name": new.name, "phone": new.phone},
                    "sku_id": entry.sku,
                    "first_day": entry.period.first,
                    "last_day": entry.period.last,
                    "counter": entry.counter,
                }
            ),
        )
        place = _entry_of(told)
        mirrored = _mirrored(told, place.sku, place.period.first, place.customer_id)
        return JoinedWaitlist(entry=place, already=told["already"], mirrored=mirrored)

    def withdraw_waitlist(self, entry_id: str, counter: str) -> WithdrawnEntry:
        told = self._call.ask("SELECT sentra.withdraw_waitlist(%s, %s)", entry_id, counter)
        first_day = day_of(told["first_day"])
        return WithdrawnEntry(
            id=told["id"],
            branch_id=told["branch_id"],
            customer_id=told["customer_id"],
            sku=told["sku"],
            first_day=first_day,
            mirrored=_mirrored(told, told["sku"], first_day, told["customer_id"]),
        )

    def block_unit(self, block: NewBlock) -> BlockedUnit | Taken:
        wanted = {
            "id": block.id,
            "unit_id": block.unit_id,
            "first_day": block.days.first,
            "last_day": block.days.last,
            "reason": block.reason,
            "breakdown": block.breakdown,
            "counter": block.counter,
        }
        try:
            told = self._call.ask("SELECT sentra.block_unit(%s)", as_json(wanted))
        except DBAPIError as error:
            if sqlstate_of(error) != TAKEN_BY_FUNCTION:
                raise
            told = detail_of(error)
        if "taken" in told:
            return Taken(blockers=tuple(blocker_of(item) for item in told["taken"]))
        return _blocked_of(told)

    def end_block(self, block_id: str, last_day: dt.date | None, counter: str) -> BlockedUnit:
        return _blocked_of(self._call.ask("SELECT sentra.end_block(%s, %s, %s)", block_id, last_day, counter))

    def edit_holiday(self, day: dt.date, name: str | None, counter: str) -> None:
        self._call.ask("SELECT sentra.edit_holiday(%s, %s, %s)", day, name, counter)

    def record_refusal(self, wish: RefusedWish) -> bool:
        told = self._call.ask(
            "SELECT sentra.record_refusal(%s)",
            as_json(
                {
                    "order_id": wish.order_id,
                    "sku_id": wish.sku,
                    "unit_id": wish.unit_id,
                    "first_day": wish.period.first,
                    "last_day": wish.period.last,
                    "code": wish.code,
                    "counter": wish.counter,
                }
            ),
        )
        return bool(told)


def _mirrored(told: Told, sku: str, first_day: dt.date, customer_id: str) -> MirroredPlace | None:
    place = told["mirrored"]
    if place is None:
        return None
    return MirroredPlace(
        sku=sku,
        first_day=first_day,
        customer_id=customer_id,
        tier_weight=place["tier_weight"],
        joined_at=moment_of(place["joined_at"]),
    )


def _entry_of(told: Told) -> WaitlistRow:
    return WaitlistRow(
        id=told["id"],
        customer_id=told["customer_id"],
        customer_name=told["customer_name"],
        customer_phone=told["customer_phone"],
        tier=Tier.of_weight(told["tier_weight"]),
        sku=told["sku"],
        period=RentalPeriod(day_of(told["first_day"]), day_of(told["last_day"])),
        joined_at=moment_of(told["joined_at"]),
        state=WaitlistState(told["state"]),
        position=told["position"],
    )


def _blocked_of(told: Told) -> BlockedUnit:
    row = told["row"]
    freed = freed_of(told)
    touched = [Days(day_of(row["first_day"]), day_of(row["last_day"])), *(item.days for item in freed)]
    return BlockedUnit(
        row=MaintenanceRow(
            id=row["id"],
            unit_id=row["unit_id"],
            plate=row["plate"],
            days=days_of(row),
            state=MaintenanceState(row["state"]),
            breakdown=row["breakdown"],
            reason=row["reason"],
            created_by_name=row["created_by_name"],
        ),
        blockers=tuple(blocker_of(item) for item in told["blockers"]),
        projections=tuple(projection_of(item, touched) for item in told["projections"]),
        freed=freed,
    )
