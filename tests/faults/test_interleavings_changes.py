"""The same for changes of what stands: every order of extend, block, move, swap, cancel and pay, tried and counted.

The number of orders is asserted, so that no change makes a scene smaller unseen.
"""

from __future__ import annotations

from tests.faults.interleavings import Tally
from tests.faults.scene import (
    COMMIT,
    Booked,
    Scene,
    block,
    book,
    cancel,
    extend,
    free_units,
    outcome,
    pay,
    reschedule,
    swap,
    take,
)
from tests.support.world import AVANZAS

pytest_plugins = ["tests.support.world_fixtures", "tests.faults.scene_fixtures"]

ONE, TWO, THREE = AVANZAS


def test_extend_and_book_the_same_days_in_every_order_are_one_of_the_two(scene: Scene) -> None:
    """The extension is paid as soon as its invoice can be seen."""
    ayu, budi, siti = scene.person("ayu"), scene.person("budi"), scene.person("siti")
    held: list[Booked] = []

    def prepare() -> None:
        held[:] = [scene.out(scene.booked(ONE, 1, 3))]

    def extension() -> str | None:
        found = scene.rows("SELECT id::text FROM sentra.invoice WHERE kind = 'EXTENSION'")
        return str(found[0][0]) if found else None

    def check(tally: Tally) -> None:
        extended = outcome(ayu, "extend") == "DONE"
        booked = outcome(budi, "book") == "DONE"
        assert extended + booked == 1
        assert scene.taken(ONE) == ([(1, 5)] if extended else [(1, 3), (5, 6)])
        paid = outcome(siti, "pay") == "PAID"
        state = scene.state_of(held[0])
        assert state == ("EXTENSION_PENDING" if extended and not paid else "ACTIVE_RENTAL")
        assert extended or not paid
        ((last,),) = scene.rows("SELECT last_day FROM sentra.booking WHERE id = %s", held[0].booking_id)
        assert last.day == (5 if paid else 3)
        tally.count("extended and paid" if paid else "extended" if extended else "booked")

    tally = scene.explore(
        {
            "ayu": lambda: [extend(held[0], 5, 2), COMMIT],
            "budi": lambda: [free_units(5, 6), book(5, 6, ONE), COMMIT],
            "siti": lambda: [take(extension), pay(extension, lambda: 700_000, ends=True)],
        },
        prepare,
        check,
    )

    assert (tally.orders, tally.waited > 20) == (210, True)
    assert min(tally.answers[what] for what in ("extended and paid", "extended", "booked")) > 10


def test_block_book_and_reschedule_onto_the_same_days_in_every_order_are_one_of_the_three(scene: Scene) -> None:
    dedi, ayu, siti = scene.person("dedi"), scene.person("ayu"), scene.person("siti")
    held: list[Booked] = []

    def prepare() -> None:
        held[:] = [scene.booked(TWO, 20, 22)]

    def check(tally: Tally) -> None:
        answers = {
            "block": outcome(dedi, "block"),
            "book": outcome(ayu, "book"),
            "reschedule": outcome(siti, "reschedule"),
        }
        assert sorted(answers.values()) == ["DONE", "TAKEN", "TAKEN"], answers
        (won,) = [name for name, answer in answers.items() if answer == "DONE"]
        assert scene.taken(ONE) == [{"block": (9, 11), "book": (10, 12), "reschedule": (11, 13)}[won]]
        assert scene.taken(TWO) == ([] if won == "reschedule" else [(20, 22)])
        tally.count(won)

    tally = scene.explore(
        {
            "dedi": lambda: [block(ONE, 9, 11), COMMIT],
            "ayu": lambda: [free_units(10, 12), book(10, 12, ONE), COMMIT],
            "siti": lambda: [reschedule(held[0], 11, 13, ONE), COMMIT],
        },
        prepare,
        check,
    )

    assert (tally.orders, tally.waited > 50) == (210, True)
    assert min(tally.answers.values()) > 20
    assert len(tally.answers) == 3


def test_reschedule_cancel_and_pay_of_one_booking_in_every_order_end_in_one_state(scene: Scene) -> None:
    ayu, budi, siti = scene.person("ayu"), scene.person("budi"), scene.person("siti")
    held: list[Booked] = []

    def prepare() -> None:
        held[:] = [scene.booked(ONE, 10, 12)]

    def invoice() -> str:
        return held[0].invoice_id

    def check(tally: Tally) -> None:
        moved = outcome(ayu, "reschedule") == "DONE"
        ended = outcome(budi, "cancel") == "DONE"
        paid = outcome(siti, "pay") == "PAID"
        assert not (ended and paid)
        assert ended or paid
        state = scene.state_of(held[0])
        assert state == ("CANCELLED" if ended else "PAID_APPROVED")
        assert scene.taken(ONE) == ([] if ended else [(11, 13)] if moved else [(10, 12)])
        assert scene.payments(held[0].invoice_id) == int(paid)
        tally.count(f"{state}{' moved' if moved else ''}")

    tally = scene.explore(
        {
            "ayu": lambda: [reschedule(held[0], 11, 13), COMMIT],
            "budi": lambda: [cancel(held[0]), COMMIT],
            "siti": lambda: [take(invoice), pay(invoice, lambda: held[0].total, ends=True)],
        },
        prepare,
        check,
    )

    assert (tally.orders, tally.waited > 20) == (90, True)
    assert len(tally.answers) >= 3


def test_two_swaps_across_each_other_and_an_order_of_both_units_never_deadlock(scene: Scene) -> None:
    """Each locks both units in one order, whichever of them it comes from."""
    ayu, budi, siti = scene.person("ayu"), scene.person("ayu", "ayu 2"), scene.person("siti")
    held: list[Booked] = []

    def prepare() -> None:
        held[:] = [scene.booked(ONE, 10, 12), scene.booked(TWO, 13, 15)]

    def check(tally: Tally) -> None:
        answers = (outcome(ayu, "swap"), outcome(budi, "swap"), outcome(siti, "book"))
        assert set(answers) <= {"DONE", "TAKEN"}
        where = {
            one.booking_id: scene.value("SELECT unit_id FROM sentra.booking WHERE id = %s", one.booking_id)
            for one in held
        }
        assert where[held[0].booking_id] == (TWO if answers[0] == "DONE" else ONE)
        assert where[held[1].booking_id] == (ONE if answers[1] == "DONE" else TWO)
        tally.count(" ".join(answers))

    tally = scene.explore(
        {
            "ayu": lambda: [swap(held[0], TWO), COMMIT],
            "ayu 2": lambda: [swap(held[1], ONE), COMMIT],
            "siti": lambda: [book(12, 13, TWO, ONE), COMMIT],
        },
        prepare,
        check,
    )

    assert (tally.orders, tally.waited > 30) == (90, True)
