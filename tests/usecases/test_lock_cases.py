"""The invoice lock on a real database: stale handles, stopped processes, a beat that waits for nobody's reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from tests.support.processes import Processes
from tests.support.wire import Wire
from tests.support.world import World, cash, days, password_of

pytest_plugins = ("tests.support.world_fixtures",)


def refused(work: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as no:
        work()
    return no.value


def test_r45_a_handle_never_changes_and_the_old_one_pays_nothing_after_the_lock_moved(world: World) -> None:
    first, second = world.counter("siti", "Kasir 1"), world.counter("siti", "Kasir 2")
    world.open_shift(first)
    booked = world.book(first, days("2027-03-10"))
    old = first.settlement.open_invoice(booked.invoice_id).handle
    new = second.settlement.move_lock(booked.invoice_id).handle

    with pytest.raises(FrozenInstanceError):
        old.token = new.token  # type: ignore[misc]
    money = [cash(booked.total)]
    assert refused(lambda: first.settlement.settle(old, first.new_id(), money)).code is RefusalCode.LOCK_LOST
    assert refused(lambda: first.settlement.renew_lock(old, 0)).code is RefusalCode.LOCK_LOST
    forged = replace(old, epoch=new.epoch)
    assert refused(lambda: first.settlement.settle(forged, first.new_id(), money)).code is RefusalCode.LOCK_LOST
    assert first.settlement.release_lock(old) is False
    assert world.value("SELECT count(*) FROM sentra.payment") == 0

    assert second.settlement.settle(new, second.new_id(), money).number
    world.catch_up()
    world.assert_sound()


def test_r50_who_holds_a_lock_is_read_from_the_row_and_from_no_counters_memory(world: World) -> None:
    siti, budi, maya = world.counter("siti", "Kasir 1"), world.counter("budi", "Kasir 2"), world.counter("maya")
    booked = world.book(siti, days("2027-03-10"))
    held = siti.settlement.open_invoice(booked.invoice_id)

    def seen_by(person: object) -> list[tuple[object, object, object]]:
        rows = person.settlement.invoices()  # type: ignore[attr-defined]
        return [(row.locked_by_name, row.locked_counter, row.locked_by_me) for row in rows]

    assert seen_by(budi) == [("Siti", "Kasir 1", False)]
    assert seen_by(maya) == [("Siti", "Kasir 1", False)]
    assert seen_by(world.counter("siti", "Kasir 9")) == [("Siti", "Kasir 1", True)], "another object, the same answer"
    world.after(seconds=60)
    assert seen_by(budi) == [(None, None, False)], "it ended by the database's clock, whatever its holder believes"
    assert seen_by(siti) == [(None, None, False)]
    assert refused(lambda: siti.settlement.renew_lock(held.handle, 0)).code is RefusalCode.LOCK_LOST
    budi.settlement.open_invoice(booked.invoice_id)
    assert seen_by(siti) == [("Budi", "Kasir 2", False)]


HOLDER = """
import sys
from app.bootstrap import connect
from app.domain.errors import Refusal
from app.domain.invoice import Tender, TenderKind
from app.domain.money import Rupiah
from app.settings import load_settings

counter = connect(load_settings(), "siti", sys.argv[1])
held = counter.settlement.open_invoice(sys.argv[2])
print("held", flush=True)
tender = Tender(kind=TenderKind.CASH, amount=Rupiah(int(sys.argv[3])))
for _ in sys.stdin:
    try:
        counter.settlement.settle(held.handle, counter.new_id(), [tender])
        print("paid", flush=True)
    except Refusal as no:
        print(no.code.value, flush=True)
"""


@pytest.mark.parametrize("taken_over", [False, True])
def test_r51_a_process_that_was_stopped_past_its_lock_pays_nothing_when_it_wakes(
    world: World, processes: Processes, taken_over: bool
) -> None:
    siti, budi = world.counter("siti"), world.counter("budi", "Kasir 2")
    world.open_shift(siti, budi)
    booked = world.book(siti, days("2027-03-10"))
    holder = processes.script(
        HOLDER, password_of("siti"), booked.invoice_id, str(booked.total), env=world.environment()
    )
    assert holder.line() == "held"
    holder.freeze()
    world.after(seconds=61)
    if taken_over:
        held = budi.settlement.open_invoice(booked.invoice_id)
    holder.thaw()
    holder.tell("pay")

    assert holder.line() == "LOCK_LOST"
    assert world.value("SELECT count(*) FROM sentra.payment") == 0
    if taken_over:
        assert world.settle(budi, booked, held).number
    assert world.value("SELECT count(*) FROM sentra.payment") == taken_over


def test_r52_after_the_line_was_cut_and_joined_the_same_counter_locks_and_renews_again(
    world: World, short_tmp: Path
) -> None:
    booked = world.book(world.counter("ayu"), days("2027-03-10"))
    with Wire(world.database.owner_url, short_tmp) as wire:
        siti = world.counter("siti", url=wire.url)
        world.open_shift(siti)
        held = siti.settlement.open_invoice(booked.invoice_id)
        assert siti.settlement.renew_lock(held.handle, 0) == 60_000
        wire.cut()
        no = refused(lambda: siti.settlement.renew_lock(held.handle, 0))
        assert (no.code, no.params["reason"]) == (RefusalCode.UNREACHABLE, "database")
        world.after(seconds=70)
        wire.join()
        assert refused(lambda: siti.settlement.renew_lock(held.handle, 0)).code is RefusalCode.LOCK_LOST

        again = siti.settlement.open_invoice(booked.invoice_id)
        for _ in range(3):
            world.after(seconds=30)
            assert siti.settlement.renew_lock(again.handle, 0) == 60_000
        assert siti.settlement.settle(again.handle, siti.new_id(), [cash(booked.total)]).change == Rupiah(0)


def test_a_beat_has_a_connection_of_its_own_and_waits_for_no_hanging_read(world: World) -> None:
    """Every pooled connection of the counter hangs in a read; one that waited for it would be told that it is busy."""
    siti = world.counter("siti")
    booked = world.book(siti, days("2027-03-10"))
    held = siti.settlement.open_invoice(booked.invoice_id)
    siti.settlement.renew_lock(held.handle, 0)
    engine = siti.store._engine  # type: ignore[attr-defined]
    taken = [engine.connect() for _ in range(5)]
    try:
        assert siti.settlement.renew_lock(held.handle, 0) == 60_000
        assert refused(siti.calendar.fleet).params["reason"] == "busy"
    finally:
        for connection in taken:
            connection.close()
