"""Every check of the kit finds the forgery that it is there for, and true evidence breaks nothing."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from app.domain.days import Days
from app.usecases.waitlist import WaitlistWish
from tests.faults.checks import INVARIANTS, all_breaks
from tests.faults.invariants import Evidence, Line
from tests.support.world import AVANZA, SKU, World, days

pytest_plugins = ("tests.support.world_fixtures",)


@pytest.fixture
def told(world: World) -> dict[str, list[Line]]:
    """What a client was told of two bookings, one of them paid and one cancelled, as it really is."""
    siti = world.counter("siti")
    world.open_shift(siti)
    found: defaultdict[str, list[Line]] = defaultdict(list)
    for number in (10, 20):
        booked = world.book(siti, days(f"2027-03-{number}"))
        found["booked"].append(
            {
                "order_id": booked.order_id,
                "booking_id": booked.bookings[0].id,
                "version": 1,
                "unit_id": AVANZA,
                "first": f"2027-03-{number}",
                "last": f"2027-03-{number}",
                "invoice_id": booked.invoice_id,
                "number": booked.bookings[0].number,
            }
        )
        if number == 20:
            siti.bookings.cancel(booked.bookings[0].id)
            found["cancelled"].append({"booking_id": booked.bookings[0].id})
            continue
        asked = len(found["booked"])
        held = siti.settlement.open_invoice(booked.invoice_id)
        lock = {"invoice_id": booked.invoice_id, "epoch": held.handle.epoch}
        found["locked"].append({**lock, "asked": asked, "at": asked + 1, "login": "siti"})
        found["lock_ends"].append({**lock, "latest": str(world.now() + dt.timedelta(seconds=60))})
        receipt = world.settle(siti, booked, held)
        attempt = world.value("SELECT attempt_id FROM sentra.payment")
        found["paid"].append(
            {
                "invoice_id": booked.invoice_id,
                "payment_id": receipt.payment_id,
                "number": receipt.number,
                "attempt_id": attempt,
                "amount": booked.total,
                "epoch": 1,
                "paid_at": str(receipt.paid_at),
            }
        )
    moved = siti.changes_of_bookings.reschedule(found["booked"][0]["booking_id"], days("2027-03-12"))
    told_anew = {"booking_id": moved.booking_id, "version": moved.version, "unit_id": AVANZA, "op": "reschedule"}
    found["changed"].append({**told_anew, "first": "2027-03-12", "last": "2027-03-12"})
    work = days("2027-05-01", "2027-05-02")
    blocked = siti.maintenance.block_unit(AVANZA, Days(work.first, work.last), "servis")
    found["blocked"].append(
        {"block_id": blocked.row.id, "unit_id": AVANZA, "first": "2027-05-01", "last": "2027-05-02", "breakdown": False}
    )
    paid = world.book(siti, days("2027-04-10"))
    world.settle(siti, paid)
    shown = siti.bookings.cancellation_effect(paid.bookings[0].id)
    siti.bookings.cancel_paid(paid.bookings[0].id, "batal", shown.back)
    end = {"booking_id": paid.bookings[0].id}
    found["cancelled"].append(end)
    found["given_back"].append({**end, "rent": shown.rent_back, "deposit": shown.deposit_back})
    wish = WaitlistWish(sku=SKU, period=work, customer_name="Rina Maharani", customer_phone="0813 0000 1234")
    found["joined"].append({"entry_id": siti.waitlist.join_waitlist(wish).entry.id})
    return found


@contextmanager
def evidence_of(world: World, told: dict[str, list[Line]]) -> Iterator[Evidence]:
    assert world.redis_url is not None
    with psycopg.connect(world.database.owner_url, autocommit=True) as connection:
        yield Evidence(
            told=told, database_url=world.database.owner_url, redis_url=world.redis_url, connection=connection
        )


_NOBODY = "00000000-0000-4000-8000-000000000009"
Forge = Callable[[World, dict[str, Any]], None]


def _lost_booking(_world: World, told: dict[str, Any]) -> None:
    told["booked"].append({**told["booked"][0], "booking_id": "00000000-0000-4000-8000-000000000001"})


def _moved_booking(_world: World, told: dict[str, Any]) -> None:
    told["booked"][0] = {**told["booked"][0], "last": "2027-03-11"}


def _lost_payment(_world: World, told: dict[str, Any]) -> None:
    told["paid"].append({**told["paid"][0], "payment_id": "00000000-0000-4000-8000-000000000001", "epoch": 9})


def _moved_back(_world: World, told: dict[str, Any]) -> None:
    told["changed"][0] = {**told["changed"][0], "last": "2027-03-13"}


def _change_undone(_world: World, told: dict[str, Any]) -> None:
    told["changed"].append({**told["changed"][0], "version": 9})


def _sold_during_maintenance(_world: World, told: dict[str, Any]) -> None:
    told["booked"].append({**told["booked"][0], "booking_id": _NOBODY, "first": "2027-05-02", "last": "2027-05-02"})


def _lost_block(_world: World, told: dict[str, Any]) -> None:
    told["blocked"].append({**told["blocked"][0], "block_id": _NOBODY})


def _block_ended_by_itself(world: World, told: dict[str, Any]) -> None:
    world.counter("siti").maintenance.end_block(told["blocked"][0]["block_id"])


def _block_that_was_ended_stands(_world: World, told: dict[str, Any]) -> None:
    told["unblocked"].append({"block_id": told["blocked"][0]["block_id"]})


def _lost_place(_world: World, told: dict[str, Any]) -> None:
    told["joined"].append({"entry_id": _NOBODY})


def _place_given_up_by_nobody(world: World, told: dict[str, Any]) -> None:
    world.counter("siti").waitlist.withdraw_waitlist(told["joined"][0]["entry_id"])


def _withdrawn_and_waiting(_world: World, told: dict[str, Any]) -> None:
    told["withdrawn"].append({"entry_id": told["joined"][0]["entry_id"]})


def _revived(_world: World, told: dict[str, Any]) -> None:
    told["cancelled"].append({"booking_id": told["booked"][0]["booking_id"]})


def _doubled(_world: World, told: dict[str, Any]) -> None:
    days_of_it = {"first": "2027-03-11", "last": "2027-03-12"}
    told["booked"].append({**told["booked"][0], "booking_id": _NOBODY, **days_of_it})


def _number_burnt(world: World, _told: dict[str, Any]) -> None:
    world.do("UPDATE sentra.number_counter SET last = last + 1")


def _two_payers(_world: World, told: dict[str, Any]) -> None:
    told["paid"].append({**told["paid"][0], "payment_id": "00000000-0000-4000-8000-000000000003"})


def _epoch_given_twice(_world: World, told: dict[str, Any]) -> None:
    told["locked"].append({**told["locked"][0], "login": "budi", "asked": 8, "at": 9})


def _epoch_fell(_world: World, told: dict[str, Any]) -> None:
    told["locked"].append({**told["locked"][0], "epoch": 0, "asked": 8, "at": 9})


def _paid_late(_world: World, told: dict[str, Any]) -> None:
    told["lock_ends"][0] = {**told["lock_ends"][0], "latest": told["paid"][0]["paid_at"]}


def _refused_and_booked(_world: World, told: dict[str, Any]) -> None:
    order = told["booked"][0]["order_id"]
    told["refused"].append({"op": "book", "code": "DAYS_TAKEN", "order_id": order})


def _refused_and_paid(_world: World, told: dict[str, Any]) -> None:
    attempt = told["paid"][0]["attempt_id"]
    told["refused"].append({"op": "settle", "code": "LOCK_LOST", "attempt_id": attempt})


def _payment_without_its_booking(world: World, told: dict[str, Any]) -> None:
    world.do("ALTER TABLE sentra.booking DISABLE TRIGGER USER")
    world.do("UPDATE sentra.booking SET state = 'PENDING_PAYMENT' WHERE id = %s", told["booked"][0]["booking_id"])


def _given_back_twice(world: World, _told: dict[str, Any]) -> None:
    world.do(
        "INSERT INTO sentra.refund (id, branch_id, invoice_id, booking_id, amount, kind, state, reason)"
        " SELECT gen_random_uuid(), branch_id, invoice_id, booking_id, amount, kind, state, reason FROM sentra.refund"
        " WHERE kind = 'DEPOSIT'"
    )


def _paid_there_and_nowhere_here(_world: World, told: dict[str, Any]) -> None:
    told["paid_there"].append({"order_id": f"{_NOBODY}-1", "amount": 1_000})


def _bit_flipped(world: World, _told: dict[str, Any]) -> None:
    with world.redis() as client:
        client.setbit(f"avail:TOY-AVNZ-G:{AVANZA}:202703", 11, 0)


FORGERIES: dict[str, tuple[Forge, str]] = {
    "a bit": (_bit_flipped, "DOCTOR"),
    "a lost booking": (_lost_booking, "ACKNOWLEDGED_BOOKING"),
    "other days": (_moved_booking, "ACKNOWLEDGED_BOOKING"),
    "a lost payment": (_lost_payment, "ACKNOWLEDGED_PAYMENT"),
    "other days than a change told": (_moved_back, "ACKNOWLEDGED_BOOKING"),
    "a change that is undone": (_change_undone, "ACKNOWLEDGED_BOOKING"),
    "a unit sold during maintenance": (_sold_during_maintenance, "ONE_UNIT_ONE_BOOKING"),
    "a lost block": (_lost_block, "ACKNOWLEDGED_BLOCK"),
    "a block that ended by itself": (_block_ended_by_itself, "ACKNOWLEDGED_BLOCK"),
    "a block that was ended and stands": (_block_that_was_ended_stands, "ACKNOWLEDGED_BLOCK"),
    "a lost place": (_lost_place, "ACKNOWLEDGED_PLACE"),
    "a place that nobody gave up": (_place_given_up_by_nobody, "ACKNOWLEDGED_PLACE"),
    "a place that was given up and waits": (_withdrawn_and_waiting, "ACKNOWLEDGED_PLACE"),
    "a revived booking": (_revived, "ACKNOWLEDGED_CANCEL"),
    "a unit sold twice": (_doubled, "ONE_UNIT_ONE_BOOKING"),
    "a burnt number": (_number_burnt, "ONE_PAYER"),
    "two payers": (_two_payers, "ONE_PAYER"),
    "an epoch given twice": (_epoch_given_twice, "EPOCHS"),
    "an epoch that fell": (_epoch_fell, "EPOCHS"),
    "a payment after the lock's end": (_paid_late, "PAID_IN_TIME"),
    "a refused order that was booked": (_refused_and_booked, "REFUSED_ORDER"),
    "a refused attempt that paid": (_refused_and_paid, "REFUSED_ATTEMPT"),
    "a deposit given back twice": (_given_back_twice, "GIVEN_BACK"),
    "money of the gateway that nobody booked": (_paid_there_and_nowhere_here, "GATEWAY_MONEY"),
    "a payment whose booking waits": (_payment_without_its_booking, "ACKNOWLEDGED_PAYMENT"),
}


def test_true_evidence_breaks_nothing_and_every_check_has_a_forgery(world: World, told: dict[str, list[Line]]) -> None:
    with evidence_of(world, told) as evidence:
        assert all_breaks(evidence) == []
    assert {name for _, name in FORGERIES.values()} == set(INVARIANTS)


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_found_by_the_check_that_is_there_for_it(
    world: World, told: dict[str, list[Line]], name: str
) -> None:
    forge, expected = FORGERIES[name]
    forge(world, told)
    with evidence_of(world, told) as evidence:
        assert expected in {item["invariant"] for item in all_breaks(evidence)}
