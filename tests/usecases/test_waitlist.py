"""The waitlist at the counter: first places stay first, the mirror follows, and who may put whom on the list."""

import dataclasses
import datetime as dt
import uuid
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from app.bootstrap import Counter
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.waitlist import Tier, WaitlistState
from app.service.jobs import jobs_of
from app.usecases.waitlist import JoinedWaitlist, WaitlistWish
from app.usecases.waitlist_mirror import rebuild_mirror
from tests.support.at_once import at_once
from tests.support.proxy import COMMIT, postgres_proxy
from tests.support.world import AVANZAS, FAR_AVANZA, SKU, World, days, refused

pytest_plugins = ("tests.support.world_fixtures",)

MARCH = days("2027-03-10", "2027-03-12")
KEY = f"waitlist:{SKU}:20270310"
ROWS = "SELECT count(*) FROM sentra.waitlist_entry"


def join(
    who: Counter, period: RentalPeriod = MARCH, name: str = "Rina Maharani", phone: str = "0812 0000 1234"
) -> JoinedWaitlist:
    return who.waitlist.join_waitlist(WaitlistWish(sku=SKU, period=period, customer_name=name, customer_phone=phone))


def promote(world: World, phone: str, tier: Tier) -> None:
    world.do("UPDATE sentra.customer SET tier = %s WHERE phone = %s", tier.value, phone)


def members(world: World, key: str = KEY) -> list[tuple[str, float]]:
    """Members and scores as they stand in Redis, lowest first."""
    with world.redis() as client:
        found: Sequence[tuple[bytes, float]] = cast(Any, client.zrange(key, 0, -1, withscores=True))
    return [(member.decode("utf-8", "replace"), score) for member, score in found]


def test_a_customer_who_joins_waits_with_a_place_a_row_and_a_member_of_the_sorted_set(world: World) -> None:
    joined = join(world.counter("ayu"))
    entry = joined.entry
    assert (joined.already, entry.position, entry.state, entry.tier) == (False, 1, WaitlistState.WAITING, Tier.BASIC)
    assert (entry.customer_name, entry.customer_phone, entry.period) == ("Rina Maharani", "+6281200001234", MARCH)
    assert entry.joined_at == world.now()
    assert world.rows("SELECT id::text, branch_id, state, tier_weight, created_by FROM sentra.waitlist_entry") == [
        (entry.id, "JKT", "WAITING", 3, f"{world.database.prefix}_ayu")
    ]
    assert members(world) == [(entry.customer_id, 3_000_000_000 + world.now().timestamp())]
    assert world.rows("SELECT action, subject, counter FROM sentra.audit WHERE action LIKE '%%waitlist'") == [
        ("join_waitlist", entry.id, "Kasir 1")
    ]
    world.assert_sound()


def test_the_phone_is_normalised_as_with_a_booking_so_that_one_customer_waits_once(world: World) -> None:
    ayu = world.counter("ayu")
    booked = world.book(ayu, MARCH, phone="0812 0000 1234")
    joined = join(ayu, phone="+62 812-0000-1234", name="rina  MAHARANI")
    assert booked.bookings[0].id
    assert joined.entry.customer_name == "Rina Maharani"
    assert world.value("SELECT count(*) FROM sentra.customer") == 1


def test_nobody_waits_under_a_name_that_was_not_typed(world: World) -> None:
    world.book(world.counter("siti"), days("2027-04-01"), phone="0812 3333 9999", name="Rina Asli")
    ayu = world.counter("ayu").waitlist
    wish = WaitlistWish(sku=SKU, period=MARCH, customer_name="Joko Lain", customer_phone="0812 3333 9999")
    with pytest.raises(Refusal) as no:
        ayu.join_waitlist(wish)
    assert refused(no.value, RefusalCode.DUPLICATE, "customer.phone")["customer_name"] == "Rina Asli"
    assert [way.action for way in no.value.next] == ["use_customer", "other_phone"]
    assert world.value("SELECT count(*) FROM sentra.waitlist_entry") == 0
    assert ayu.join_waitlist(dataclasses.replace(wish, customer_name="rina  ASLI")).entry.customer_name == "Rina Asli"


def test_a_known_customer_joins_by_id(world: World) -> None:
    ayu = world.counter("ayu")
    customer = join(ayu).entry.customer_id
    later = ayu.waitlist.join_waitlist(WaitlistWish(sku=SKU, period=days("2027-04-10"), customer_id=customer))
    assert (later.entry.customer_id, later.already) == (customer, False)


def test_joining_twice_keeps_and_shows_the_first_place(world: World) -> None:
    ayu, budi = world.counter("ayu"), world.counter("budi", "Kasir 2")
    first = join(ayu)
    world.after(minutes=5)
    join(ayu, name="Bagus Prasetyo", phone="0812 7777 0001")
    world.after(minutes=5)
    again = join(budi, days("2027-03-10", "2027-03-15"))
    assert again.already
    assert again.entry == first.entry
    assert world.value(ROWS) == 2
    assert dict(members(world))[first.entry.customer_id] == 3_000_000_000 + first.entry.joined_at.timestamp()


def test_two_counters_that_join_the_same_customer_at_once_make_one_place(world: World) -> None:
    counters = [world.counter("ayu", f"Kasir {n}") for n in range(8)]
    for round_number in range(5):
        period = days(f"2027-05-{10 + round_number}")
        found = at_once(*(partial(join, who, period) for who in counters)).results
        assert len({item.entry.id for item in found}) == 1
        assert [item.already for item in found].count(False) == 1
    assert world.value(ROWS) == 5


def test_a_join_whose_commit_answer_was_lost_is_one_new_place(world: World, tmp_path: Path) -> None:
    proxy, url = postgres_proxy(world.database.owner_url, tmp_path)
    with proxy:
        ayu = world.counter("ayu", url=url)
        proxy.swallow_next(COMMIT)
        joined = join(ayu)
        assert proxy.swallowed == 1
    assert not joined.already
    assert world.rows("SELECT id::text FROM sentra.waitlist_entry") == [(joined.entry.id,)]


@pytest.mark.parametrize("state", ["LAPSED", "WITHDRAWN", "BOOKED"])
def test_after_a_closed_place_a_new_join_is_a_new_place_at_the_end(world: World, state: str) -> None:
    ayu = world.counter("ayu")
    first = join(ayu)
    world.after(minutes=1)
    join(ayu, name="Bagus Prasetyo", phone="0812 7777 0001")
    world.do("UPDATE sentra.waitlist_entry SET state = %s WHERE id = %s", state, first.entry.id)
    world.after(minutes=1)
    again = join(ayu)
    assert (again.already, again.entry.position) == (False, 2)
    assert again.entry.id != first.entry.id


def test_a_better_tier_comes_first_ties_go_by_arrival_and_only_overlapping_wishes_count(world: World) -> None:
    ayu = world.counter("ayu")
    phones = {
        "Basic": "0812 1111 0001",
        "Gold": "0812 1111 0002",
        "Silver": "0812 1111 0003",
        "Later": "0812 1111 0004",
    }
    for name, phone in phones.items():
        join(ayu, days("2027-06-01"), f"{name} Contoh", phone)
    promote(world, "+6281211110002", Tier.GOLD)
    promote(world, "+6281211110003", Tier.SILVER)
    for name, phone in phones.items():
        period = days("2027-03-20", "2027-03-22") if name == "Later" else MARCH
        join(ayu, period, f"{name} Contoh", phone)
        world.after(seconds=1)
    join(ayu, days("2027-03-12", "2027-03-20"), "Basic Dua", "0812 1111 0005")
    placed = {
        (row.customer_name, row.period.first.day): row.position
        for row in ayu.waitlist.entries(SKU)
        if row.period.first.month == 3
    }
    assert placed == {
        ("Gold Contoh", 10): 1,
        ("Silver Contoh", 10): 2,
        ("Basic Contoh", 10): 3,
        ("Later Contoh", 20): 1,
        ("Basic Dua", 12): 5,  # after the three from the 10th and the one from the 20th
    }
    lowest = [member for member, _ in members(world)]
    names = [world.value("SELECT name FROM sentra.customer WHERE id::text = %s", member) for member in lowest]
    assert names == ["Gold Contoh", "Silver Contoh", "Basic Contoh"]


def test_withdrawing_takes_entry_and_member_off_and_may_be_sent_again(world: World) -> None:
    ayu = world.counter("ayu")
    entry = join(ayu).entry
    for _ in range(2):
        ayu.waitlist.withdraw_waitlist(entry.id)
        assert world.rows("SELECT state FROM sentra.waitlist_entry") == [("WITHDRAWN",)]
        assert members(world) == []
    assert ayu.waitlist.entries() == ()
    assert world.value("SELECT count(*) FROM sentra.audit WHERE action = 'withdraw_waitlist'") == 1


def test_a_customer_who_waits_in_two_branches_keeps_the_member_when_one_place_goes(world: World) -> None:
    ayu, rahmat = world.counter("ayu"), world.counter("rahmat")
    here, there = join(ayu).entry, join(rahmat).entry
    assert here.id != there.id
    ayu.waitlist.withdraw_waitlist(here.id)
    assert [member for member, _ in members(world)] == [there.customer_id]
    rahmat.waitlist.withdraw_waitlist(there.id)
    assert members(world) == []


@pytest.mark.parametrize("state", ["OFFERED", "BOOKED", "LAPSED"])
def test_a_place_that_does_not_wait_is_not_withdrawn(world: World, state: str) -> None:
    ayu = world.counter("ayu")
    entry = join(ayu).entry
    world.do("UPDATE sentra.waitlist_entry SET state = %s", state)
    with pytest.raises(Refusal) as no:
        ayu.waitlist.withdraw_waitlist(entry.id)
    assert refused(no.value, RefusalCode.FIELD_INVALID, "entry_id")["state"] == state
    assert world.rows("SELECT state FROM sentra.waitlist_entry") == [(state,)]


def test_entries_whose_first_day_is_past_are_nobodys_place_any_more(world: World) -> None:
    ayu = world.counter("ayu")
    join(ayu)
    join(ayu, days("2027-03-11", "2027-03-14"), "Bagus Prasetyo", "0812 7777 0001")
    world.after(days=10)  # the 11th
    (left,) = ayu.waitlist.entries()
    assert (left.customer_name, left.position) == ("Bagus Prasetyo", 1)


def test_the_list_of_a_branch_is_its_own(world: World) -> None:
    entry = join(world.counter("ayu")).entry
    rahmat = world.counter("rahmat")
    assert rahmat.waitlist.entries() == ()
    with pytest.raises(Refusal) as no:
        rahmat.waitlist.withdraw_waitlist(entry.id)
    refused(no.value, RefusalCode.NOT_FOUND, "entry_id")
    assert world.rows("SELECT state FROM sentra.waitlist_entry") == [("WAITING",)]


def test_an_inspector_neither_joins_nor_withdraws(world: World) -> None:
    entry = join(world.counter("ayu")).entry
    dedi = world.counter("dedi")
    for ask in (partial(join, dedi, days("2027-04-01")), partial(dedi.waitlist.withdraw_waitlist, entry.id)):
        with pytest.raises(Refusal) as no:
            ask()
        refused(no.value, RefusalCode.NOT_ALLOWED)
    assert world.rows("SELECT id::text, state FROM sentra.waitlist_entry") == [(entry.id, "WAITING")]


BAD_WISHES = {
    "sku-empty": (WaitlistWish(sku="", period=MARCH, customer_id=str(uuid.UUID(int=1))), "sku"),
    "sku-key-sign": (WaitlistWish(sku="A:B", period=MARCH, customer_id=str(uuid.UUID(int=1))), "sku"),
    "sku-emoji": (WaitlistWish(sku="🚗", period=MARCH, customer_id=str(uuid.UUID(int=1))), "sku"),
    "sku-long": (WaitlistWish(sku="A" * 31, period=MARCH, customer_id=str(uuid.UUID(int=1))), "sku"),
    "customer-id": (WaitlistWish(sku=SKU, period=MARCH, customer_id="1' OR '1'='1"), "customer.id"),
    "customer-none": (WaitlistWish(sku=SKU, period=MARCH), "customer"),
    "customer-half": (WaitlistWish(sku=SKU, period=MARCH, customer_name="Rina"), "customer"),
    **{
        f"name-{kind}": (
            WaitlistWish(sku=SKU, period=MARCH, customer_name=name, customer_phone="081200001234"),
            "customer.name",
        )
        for kind, name in {
            "empty": " ",
            "long": "a" * 81,
            "control": "Rina\x07Maharani",
            "rtl": "Rina \u202eMaharani",
            "emoji": "😀😀",
        }.items()
    },
    **{
        f"phone-{kind}": (
            WaitlistWish(sku=SKU, period=MARCH, customer_name="Rina Maharani", customer_phone=phone),
            "customer.phone",
        )
        for kind, phone in {
            "empty": "",
            "letters": "nol delapan",
            "long": "0812" + "1" * 50,
            "rtl": "\u202e081200001234",
            "emoji": "☎️081200001234",
        }.items()
    },
}


@pytest.mark.parametrize("case", BAD_WISHES)
def test_a_bad_wish_is_refused_naming_its_field_and_changes_nothing(shared_world: World, case: str) -> None:
    wish, field = BAD_WISHES[case]
    before = shared_world.counts(), shared_world.value(ROWS)
    with pytest.raises(Refusal) as no:
        shared_world.counter("ayu").waitlist.join_waitlist(wish)
    refused(no.value, RefusalCode.FIELD_INVALID, field)
    assert (shared_world.counts(), shared_world.value(ROWS)) == before


@pytest.mark.parametrize(
    ("first", "reason"),
    [(dt.date(2027, 2, 28), "past"), (dt.date(2020, 1, 1), "past"), (dt.date(2029, 3, 1), "too_far")],
)
def test_days_that_cannot_be_booked_cannot_be_waited_for(shared_world: World, first: dt.date, reason: str) -> None:
    with pytest.raises(Refusal) as no:
        join(shared_world.counter("ayu"), RentalPeriod(first, first))
    assert refused(no.value, RefusalCode.PERIOD_INVALID, "first_day")["reason"] == reason
    assert shared_world.value(ROWS) == 0


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        (WaitlistWish(sku="NO-SUCH", period=MARCH, customer_name="Rina M", customer_phone="081200001234"), "sku"),
        (WaitlistWish(sku=SKU, period=MARCH, customer_id=str(uuid.UUID(int=7))), "customer.id"),
    ],
)
def test_an_unknown_sku_or_customer_is_not_found(shared_world: World, wish: WaitlistWish, field: str) -> None:
    with pytest.raises(Refusal) as no:
        shared_world.counter("ayu").waitlist.join_waitlist(wish)
    refused(no.value, RefusalCode.NOT_FOUND, field)
    assert shared_world.value(ROWS) == 0


@pytest.mark.parametrize("entry_id", ["", "x", "🙂", "0" * 400, "\u202e" + str(uuid.UUID(int=1))])
def test_an_entry_is_named_by_its_id(shared_world: World, entry_id: str) -> None:
    with pytest.raises(Refusal) as no:
        shared_world.counter("ayu").waitlist.withdraw_waitlist(entry_id)
    refused(no.value, RefusalCode.FIELD_INVALID, "entry_id")


def test_without_redis_the_rows_are_the_list_and_the_mirror_is_rebuilt_from_them(world: World) -> None:
    entry = join(world.counter("ayu", redis_url=None)).entry
    gone = join(world.counter("ayu"), name="Bagus Prasetyo", phone="0812 7777 0001").entry
    world.counter("ayu", redis_url=None).waitlist.withdraw_waitlist(gone.id)
    assert [member for member, _ in members(world)] == [gone.customer_id]
    service = world.service()
    assert rebuild_mirror(service.store, service.waitlist) == 2
    assert members(world) == [(entry.customer_id, 3_000_000_000 + entry.joined_at.timestamp())]
    assert rebuild_mirror(service.store, service.waitlist) == 0


@pytest.mark.parametrize("loss", ["flush", "another type", "a stranger's members"])
def test_a_lost_or_falsified_mirror_is_rebuilt(world: World, loss: str) -> None:
    ayu = world.counter("ayu")
    mine = {join(ayu).entry.customer_id, join(ayu, name="Bagus Prasetyo", phone="0812 7777 0001").entry.customer_id}
    with world.redis() as client:
        match loss:
            case "flush":
                client.flushall()
            case "another type":
                client.delete(KEY)
                client.set(KEY, "x")
            case _:
                client.zadd(KEY, {b"nobody": 1.0, b"\xff\xfe": 2.0})
                client.zadd(f"waitlist:{SKU}:20991399", {"x": 1.0})
                client.zadd("waitlist:NONE:20270101", {"x": 1.0})
    job = jobs_of(world.service())["heal" if loss == "flush" else "reconcile"]
    job.run(lambda: False)
    found = {member for member, _ in members(world)}
    assert mine <= found
    assert "nobody" not in found
    assert members(world, "waitlist:NONE:20270101") == []


def test_a_refusal_offers_the_waitlist_only_when_no_unit_fits(world: World) -> None:
    ayu = world.counter("ayu")
    offered = []
    for unit in AVANZAS:
        world.book(ayu, MARCH, unit)
        with pytest.raises(Refusal) as no:
            world.book(ayu, MARCH, unit, phone="0812 7777 0001")
        offered.append([item.action for item in no.value.next if item.action != "use_dates"])
    assert offered == [
        ["use_unit", "use_unit", "other_branch"],
        ["use_unit", "other_branch"],
        ["other_branch", "waitlist"],
    ]
    with pytest.raises(Refusal) as no:
        world.book(ayu, MARCH, None, phone="0812 7777 0001")
    (elsewhere,) = [item.params for item in no.value.next if item.action == "other_branch"]
    assert (elsewhere["branch"], elsewhere["unit_id"], elsewhere["free_units"]) == ("MKS", FAR_AVANZA, 1)
    (wait,) = [item.params for item in no.value.next if item.action == "waitlist"]
    joined = ayu.waitlist.join_waitlist(
        WaitlistWish(
            sku=str(wait["sku"]),
            period=RentalPeriod(MARCH.first, MARCH.last),
            customer_name="Bagus Prasetyo",
            customer_phone="0812 7777 0001",
        )
    )
    assert (wait["first_day"], wait["last_day"]) == (joined.entry.period.first, joined.entry.period.last)
