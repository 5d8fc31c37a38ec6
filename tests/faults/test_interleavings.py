"""Every order of the steps of two or three connections at one unit or invoice ends well: tried, and counted.

The number of orders is asserted, so that no change makes a scene smaller unseen.
"""

from __future__ import annotations

import pytest

from tests.faults.interleavings import Tally, interleavings
from tests.faults.scene import (
    COMMIT,
    Booked,
    Scene,
    book,
    cancel,
    due,
    expire,
    free_units,
    outcome,
    passes,
    pay,
    renew,
    take,
)
from tests.support.world import AVANZAS

pytest_plugins = ["tests.support.world_fixtures", "tests.faults.scene_fixtures"]

ONE, TWO, THREE = AVANZAS


def test_orders_are_all_different_and_as_many_as_mathematics_says() -> None:
    found = list(interleavings({"a": 3, "b": 2, "c": 1}))

    assert len(found) == len(set(found)) == 60
    assert all(order.count("a") == 3 and order.count("b") == 2 for order in found)


def test_acquire_renew_pay_and_takeover_in_every_order_leave_one_payer(scene: Scene) -> None:
    siti, budi = scene.person("siti"), scene.person("budi")
    scene.clock()
    held: list[Booked] = []

    def prepare() -> None:
        held[:] = [scene.booked(ONE, 10, 12)]

    def invoice() -> str:
        return held[0].invoice_id

    def total() -> int:
        return held[0].total

    def check(tally: Tally) -> None:
        answers = {name: outcome(scene.people[name], "pay") for name in ("siti", "budi")}
        payers = [name for name, answer in answers.items() if answer == "PAID"]
        assert set(answers.values()) <= {"PAID", "LOCK_LOST", "NOT_OPEN"}, answers
        assert len(payers) <= 1
        assert scene.payments(held[0].invoice_id) == len(payers)
        assert scene.state_of(held[0]) == ("PAID_APPROVED" if payers else "PENDING_PAYMENT")
        epochs = [actor.said["epoch"] for actor in (siti, budi) if "epoch" in actor.said]
        assert len(set(epochs)) == len(epochs), "no epoch is given twice"
        for name in payers:
            ((epoch,),) = scene.rows("SELECT lock_epoch FROM sentra.payment")
            assert epoch == scene.people[name].said["epoch"]
            tally.count(name)

    tally = scene.explore(
        {
            "siti": lambda: [take(invoice), renew(invoice), pay(invoice, total), COMMIT],
            "budi": lambda: [take(invoice), pay(invoice, total, ends=True)],
            "clock": lambda: [passes("61 s", seconds=61)],
        },
        prepare,
        check,
    )

    assert tally.orders == 105
    assert tally.waited > 20
    assert min(tally.answers["siti"], tally.answers["budi"]) > 10


@pytest.mark.parametrize("units", [(ONE,), ()], ids=["a given unit", "any unit that looked free"])
def test_r22_two_clerks_who_look_book_and_commit_in_every_order_never_share_a_day(
    scene: Scene, units: tuple[str, ...]
) -> None:
    """Both have looked before either has booked in most of them."""
    ayu, siti = scene.person("ayu"), scene.person("siti")

    def check(tally: Tally) -> None:
        answers = sorted(outcome(actor, "book") for actor in (ayu, siti))
        assert answers in (["DONE", "DONE"], ["DONE", "TAKEN"])
        booked = [tuple(item) for unit in AVANZAS for item in scene.taken(unit)]
        assert len(booked) == answers.count("DONE")
        if units:
            assert answers == ["DONE", "TAKEN"]
        tally.count(" ".join(answers))

    tally = scene.explore(
        {
            "ayu": lambda: [free_units(10, 12), book(10, 12, *units), COMMIT],
            "siti": lambda: [free_units(11, 14), book(11, 14, *units, phone="+628127777"), COMMIT],
        },
        lambda: None,
        check,
    )

    assert (tally.orders, tally.waited > 5) == (20, True)
    assert tally.answers["DONE TAKEN"] == (20 if units else 18)


@pytest.mark.parametrize("is_whole", [True, False], ids=["as it is", "its guards taken out"])
def test_the_exploration_itself_finds_what_two_guards_prevent(scene: Scene, is_whole: bool) -> None:
    """Without the unit's row lock and the constraint, a day is sold twice, and the exploration says in which order."""
    scene.person("ayu")
    scene.person("siti")
    if not is_whole:
        source = scene.value("SELECT pg_get_functiondef('sentra.book_order(jsonb)'::regprocedure)")
        without = source.replace("FOR NO KEY UPDATE", "")
        assert without != source
        scene.owner.execute(without.encode())
        scene.owner.execute(
            b"ALTER TABLE sentra.occupancy DROP CONSTRAINT occupancy_no_overlap, ADD CONSTRAINT occupancy_no_overlap"
            b" EXCLUDE USING gist (id WITH =)"
        )
    plans = {
        "ayu": lambda: [book(10, 12, ONE), COMMIT],
        "siti": lambda: [book(12, 14, ONE, phone="+628127777"), COMMIT],
    }

    def check(tally: Tally) -> None:
        tally.count(" ".join(sorted(outcome(scene.people[name], "book") for name in plans)))

    if is_whole:
        tally = scene.explore(plans, lambda: None, check)
        assert (tally.orders, tally.answers) == (6, {"DONE TAKEN": 6})
    else:
        with pytest.raises(AssertionError, match=r"after ayu siti .*I1"):
            scene.explore(plans, lambda: None, check, late=frozenset({"GUARDS"}))


def test_three_clerks_at_one_unit_in_every_order_are_one_winner_and_two_who_are_told(scene: Scene) -> None:
    clerks = [scene.person("ayu"), scene.person("siti"), scene.person("budi")]

    def check(tally: Tally) -> None:
        answers = sorted(outcome(actor, "book") for actor in clerks)
        # The first and the last do not touch: both may have theirs when the middle one comes too late.
        assert answers in (["DONE", "TAKEN", "TAKEN"], ["DONE", "DONE", "TAKEN"])
        assert len(scene.taken(ONE)) == answers.count("DONE")
        tally.count(" ".join(answers))

    tally = scene.explore(
        {
            "ayu": lambda: [book(10, 12, ONE), COMMIT],
            "siti": lambda: [book(12, 14, ONE), COMMIT],
            "budi": lambda: [book(14, 16, ONE), COMMIT],
        },
        lambda: None,
        check,
    )

    assert (tally.orders, tally.waited > 30) == (90, True)
    assert len(tally.answers) == 2


def test_cancel_and_two_bookings_in_every_order_free_the_days_once_and_sell_them_once(scene: Scene) -> None:
    _, _, budi = scene.person("ayu"), scene.person("siti"), scene.person("budi")
    held: list[Booked] = []

    def prepare() -> None:
        held[:] = [scene.booked(ONE, 10, 12)]

    def check(tally: Tally) -> None:
        assert outcome(budi, "cancel") == "DONE"
        assert scene.state_of(held[0]) == "CANCELLED"
        assert scene.value("SELECT count(*) FROM sentra.freed_stretch") == 1
        done = [name for name in ("ayu", "siti") if outcome(scene.people[name], "book") == "DONE"]
        assert len(done) <= 1
        assert scene.taken(ONE) == [{"ayu": (10, 11), "siti": (11, 13)}[name] for name in done]
        tally.count(" ".join(done) or "nobody")

    tally = scene.explore(
        {
            "ayu": lambda: [free_units(10, 11), book(10, 11, ONE), COMMIT],
            "siti": lambda: [book(11, 13, ONE), COMMIT],
            "budi": lambda: [cancel(held[0]), COMMIT],
        },
        prepare,
        check,
    )

    assert (tally.orders, tally.waited > 50) == (210, True)
    assert min(tally.answers[who] for who in ("ayu", "siti", "nobody")) > 10


def test_sweep_and_pay_in_every_order_are_one_of_the_two(scene: Scene) -> None:
    """The deadline passes while the lock holds: before, between and after every step of both."""
    svc, siti = scene.person("svc"), scene.person("siti")
    scene.clock()
    held: list[Booked] = []

    def prepare() -> None:
        held[:] = [scene.booked(ONE, 10, 12)]
        scene.owner.execute("UPDATE sentra.driven_clock SET shift = interval '14 minutes 30 seconds'")

    def invoice() -> str:
        return held[0].invoice_id

    def check(tally: Tally) -> None:
        paid = outcome(siti, "pay") == "PAID"
        expired = any(svc.said["expire"] or [])
        assert not (paid and expired)
        assert outcome(siti, "pay") in {"PAID", "LOCK_LOST", "NOT_OPEN", "BOOKING_STATE"}
        state = scene.state_of(held[0])
        assert state == ("PAID_APPROVED" if paid else "CANCELLED" if expired else "PENDING_PAYMENT")
        assert scene.taken(ONE) == ([] if expired else [(10, 12)])
        assert scene.payments(held[0].invoice_id) == int(paid)
        tally.count(state)

    tally = scene.explore(
        {
            "svc": lambda: [due(), expire(), COMMIT],
            "siti": lambda: [take(invoice), pay(invoice, lambda: held[0].total), COMMIT],
            "clock": lambda: [passes("31 s", seconds=31)],
        },
        prepare,
        check,
        late=frozenset({"I6", "I9"}),
    )

    assert (tally.orders, tally.waited > 5) == (140, True)
    assert min(tally.answers[state] for state in ("PAID_APPROVED", "CANCELLED", "PENDING_PAYMENT")) > 3
