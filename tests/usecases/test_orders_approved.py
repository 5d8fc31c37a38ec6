"""Orders that need a manager's word: a discount above the limit, a customer who is blocked, and both at once."""

import json
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from app.adapters.postgres.tx_booking import order_json
from app.bootstrap import Counter
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.usecases.bookings import BookRequest
from tests.support.world import AVANZAS, World, days, password_of, refused
from tests.usecases.rates_rig import book, request, wish

pytest_plugins = ("tests.support.world_fixtures",)

THREE = days("2027-03-02", "2027-03-04")
RENT, DEPOSIT = 1_050_000, 500_000
PHONE = "+6281234567890"
"""Of the customer in `request`."""


def needed(who: Counter, order: BookRequest) -> dict[str, object]:
    with pytest.raises(Refusal) as no:
        who.bookings.book(order)
    return refused(no.value, RefusalCode.APPROVAL_NEEDED, "approval_id")


def word(who: Counter, asked: dict[str, object]) -> str:
    """Maya's word for exactly what was refused."""
    amount = asked.get("amount")
    return who.approvals.approve(
        "maya",
        password_of("maya"),
        str(asked["action"]),
        str(asked["object"]),
        "pelanggan lama",
        Rupiah(amount) if isinstance(amount, int) else None,
    ).id


def known(world: World, code: str | None = "07") -> str:
    """The customer of `request`, from an order before, with this code of the blacklist; their id."""
    book(world.counter("maya"), wish(days("2027-03-20"), AVANZAS[2]))
    world.do("UPDATE sentra.customer SET blacklist_code = %s", code)
    return str(world.value("SELECT id::text FROM sentra.customer WHERE phone = %s", PHONE))


def bookings(world: World) -> int:
    return int(str(world.value("SELECT count(*) FROM sentra.booking")))


def test_a_discount_above_the_limit_is_booked_with_a_managers_word_once(world: World) -> None:
    ayu = world.counter("ayu")
    order = request(ayu, [wish(THREE, percent=20)])
    asked = needed(ayu, order)
    assert (asked["action"], asked["amount"], asked["limit"]) == ("discount", 210_000, 10)
    said = word(ayu, asked)

    booked = ayu.bookings.book(replace(order, approval_id=said))

    assert booked.total == RENT - 210_000 + DEPOSIT
    assert ayu.bookings.book(replace(order, approval_id=said)).repeat
    assert world.value("SELECT used_by FROM sentra.approval") == f"{world.database.prefix}_ayu"
    assert [
        row[0] for row in world.rows("SELECT action FROM sentra.audit WHERE action LIKE '%%app%%' ORDER BY id")
    ] == ["approval_try", "approve", "use_approval"]
    other = request(ayu, [wish(THREE, AVANZAS[1], percent=20)], approval=said)
    assert needed(ayu, other)["reason"] == "used"
    world.catch_up()
    world.assert_sound()


def test_a_word_for_less_money_or_for_another_order_or_that_is_over_books_nothing(world: World) -> None:
    ayu = world.counter("ayu")
    order = request(ayu, [wish(THREE, percent=20)])
    said = word(ayu, needed(ayu, order))
    dearer = request(ayu, [wish(THREE, percent=21)], order_id=order.order_id, approval=said)
    assert needed(ayu, dearer)["reason"] == "amount"
    assert needed(ayu, request(ayu, [wish(THREE, percent=20)], approval=said))["reason"] == "other"
    siti = world.counter("siti")
    assert needed(siti, replace(order, approval_id=said))["reason"] == "other_person"
    world.after(minutes=5)
    assert needed(ayu, replace(order, approval_id=said))["reason"] == "over"
    assert bookings(world) == 0
    assert world.bits(AVANZAS[0], "202703") == []
    world.assert_sound()


@pytest.mark.parametrize("is_picked", [True, False])
def test_a_customer_with_a_code_is_booked_with_a_managers_word_alone(world: World, is_picked: bool) -> None:
    """Picked from the register, or typed again as somebody new's name and phone."""
    customer = known(world)
    ayu = world.counter("ayu")
    order = request(ayu, [wish(THREE)])
    if is_picked:
        order = replace(order, customer_id=customer, customer_name=None, customer_phone=None)
    asked = needed(ayu, order)
    assert asked == {
        "reason": "missing",
        "action": "blocked_customer",
        "object": f"{order.order_id}:{customer}:07",
        "blocked": "07",
    }
    assert bookings(world) == 1
    assert world.bits(AVANZAS[0], "202703") == []

    booked = ayu.bookings.book(replace(order, approval_id=word(ayu, asked)))

    assert booked.total == RENT + DEPOSIT
    assert world.value("SELECT count(DISTINCT customer_id) FROM sentra.booking") == 1
    world.catch_up()
    world.assert_sound()


def test_a_manager_books_a_customer_with_a_code_without_asking(world: World) -> None:
    known(world)
    assert book(world.counter("maya"), wish(THREE)).total == RENT + DEPOSIT


def test_an_order_that_stands_is_answered_again_after_its_customer_was_blocked(world: World) -> None:
    ayu = world.counter("ayu")
    order = request(ayu, [wish(THREE)])
    first = ayu.bookings.book(order)
    world.do("UPDATE sentra.customer SET blacklist_code = '07'")
    again = ayu.bookings.book(order)
    assert (again.repeat, again.bookings) == (True, first.bookings)


def test_arrears_need_a_managers_word_until_they_are_paid_and_only_where_they_are(world: World) -> None:
    customer = known(world, code=None)
    world.do("UPDATE sentra.invoice SET kind = 'FINE', created_at = created_at - interval '1 hour'")
    ayu = world.counter("ayu")
    assert needed(ayu, request(ayu, [wish(THREE)]))["blocked"] == "01"
    assert world.rows("SELECT sentra.blocked_code(%s, b.id) FROM sentra.branch AS b ORDER BY b.id", customer) == [
        *((code,) for code in ("01", None))
    ]
    world.do("UPDATE sentra.invoice SET state = 'VOID', voided_at = sentra.now()")
    assert book(ayu, wish(THREE)).total == RENT + DEPOSIT


def test_one_word_is_for_the_customer_and_the_discount(world: World) -> None:
    known(world)
    ayu = world.counter("ayu")
    order = request(ayu, [wish(THREE, percent=20)])
    asked = needed(ayu, order)
    assert (asked["action"], asked["blocked"], asked["amount"], asked["limit"]) == (
        "blocked_customer",
        "07",
        210_000,
        10,
    )
    too_little = word(ayu, {**asked, "amount": 209_999})
    assert needed(ayu, replace(order, approval_id=too_little))["reason"] == "amount"
    booked = ayu.bookings.book(replace(order, approval_id=word(ayu, asked)))
    assert booked.total == RENT - 210_000 + DEPOSIT


def test_an_order_sent_by_hand_for_a_customer_with_a_code_needs_the_word_too(world: World) -> None:
    """Past what the counter asks before it holds anything."""
    known(world)
    maya = world.counter("maya")
    sent: list[dict[str, Any]] = []
    order = request(maya, [wish(THREE)])

    class Stop(Exception):
        pass

    def keep(made: Any) -> None:
        sent.append(order_json(made))
        raise Stop

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.adapters.postgres.tx_booking.order_json", keep)
        with pytest.raises(Stop):
            maya.bookings.book(order)
    wanted = json.dumps(sent[0], default=lambda value: value.isoformat())
    with psycopg.connect(world.database.owner_url, autocommit=True) as owner:
        owner.execute(f'SET SESSION AUTHORIZATION "{world.database.prefix}_ayu"'.encode())
        with pytest.raises(psycopg.DatabaseError) as no:
            owner.execute("SELECT sentra.book_order(%s)", (wanted,))
    assert no.value.diag.message_primary == "APPROVAL_NEEDED"
    assert json.loads(no.value.diag.message_detail or "{}")["blocked"] == "07"
    assert bookings(world) == 1
