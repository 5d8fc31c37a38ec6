"""Many tills at once: numbers without a gap, each invoice settled once, and every drawer what its own list says.

The sums are counted from the generator's list (`till_plan` imports nothing of the program) against what a separate
`psql` finds and against each shift's own report. 16 processes and 320 invoices here; all of it with
`SENTRA_TILL_RUSH=64x2000 pytest tests/journeys/test_till_rush.py` (some minutes on two cores).
"""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from app.bootstrap import Installation
from app.domain.staff import Role
from tests.journeys import till_plan
from tests.support.processes import Processes
from tests.support.world import HEADING, SKU, World, days, password_of

pytest_plugins = ["tests.support.world_fixtures"]

TOTAL = 850_000
PER_UNIT = 20
SMALL = "16x320"


def size() -> tuple[int, int]:
    desks, invoices = os.environ.get("SENTRA_TILL_RUSH", SMALL).split("x")
    return int(desks), int(invoices)


@pytest.fixture
def booked(world: World) -> list[str]:
    """As many open invoices as the plan has, each of one unit for one day."""
    desks, invoices = size()
    place = Installation(world.settings())
    for n in range(desks):
        place.add_staff(f"kasir{n}", f"Kasir {n}", "JKT", [Role.CASHIER], password_of(f"kasir{n}"))
    units = [f"uuid-ramai-{n:03}" for n in range(-(-invoices // PER_UNIT))]
    fleet = "".join(
        f"JKT,{SKU},Avanza G,Mobil,350000,500000,0,{unit},B {3000 + n} RM,1000,IN_SERVICE\n"
        for n, unit in enumerate(units)
    )
    maya = world.counter("maya", "Kantor")
    assert not maya.fleet.import_fleet((HEADING + fleet).encode()).refusals
    siti = world.counter("siti")
    return [
        world.book(siti, days(f"2027-03-{2 + n % PER_UNIT:02}"), units[n // PER_UNIT]).invoice_id
        for n in range(invoices)
    ]


@pytest.mark.parametrize("seed", [7])
def test_a_rush_of_tills_leaves_no_gap_no_second_payment_and_drawers_that_are_even(
    world: World, processes: Processes, booked: list[str], seed: int
) -> None:
    desks, invoices = size()
    plan = till_plan.plan(seed, desks, invoices, TOTAL)
    tills = processes.module("tests.journeys.till_clients", env=world.environment())
    tills.tell(json.dumps(till_plan.as_json(plan, booked)))
    assert tills.json_line(within=180) == {"ready": desks + 1}
    tills.tell("go")
    found: dict[str, Any] = json.loads(tills.line(within=900))
    assert not [one["error"] for one in found.values() if "error" in one]
    office = found.pop("maya")

    assert sorted(place for one in found.values() for place in one["won"]) == list(range(invoices)), "each one once"
    lost = [place for one in found.values() for place, _ in one["lost"]]
    assert len(lost) == sum(map(len, plan.desks.values())) - invoices > 0, "whoever came second was refused"
    for login, one in found.items():
        wanted = till_plan.sums(plan, login, one["won"])
        ways = {kind: [wanted.often[kind], wanted.ways[kind]] for kind in wanted.ways}
        assert (one["ways"], one["payments"], one["change"]) == (ways, wanted.settled, wanted.change), login
        drawer = world.rows(
            "SELECT coalesce(sum(t.received), 0)::bigint"
            " FROM sentra.tender t JOIN sentra.payment p ON p.id = t.payment_id"
            " WHERE p.shift_id = %s AND t.kind = 'CASH'",
            one["shift"],
        )
        assert drawer == [(wanted.cash + wanted.change,)], login

    void = till_plan.voided(plan)
    assert len(office["voided"]) == len(set(office["voided"])) == len(void)
    assert (office["back"], office["ways"]) == (len(void) * TOTAL, {"CASH": [len(void), len(void) * TOTAL]})
    assert office["expected"] == 50_000_000_000 - len(void) * TOTAL
    numbers = [number for (number,) in world.rows("SELECT number FROM sentra.invoice WHERE number IS NOT NULL")]
    assert sorted(map(str, numbers)) == [f"INV/JKT/202703/{n:05}" for n in range(1, invoices + 1)]
    assert world.rows("SELECT invoice_id FROM sentra.payment GROUP BY 1 HAVING count(*) > 1") == []
    assert world.value("SELECT count(*) FROM sentra.payment") == invoices
    assert world.value("SELECT sum(amount)::bigint FROM sentra.tender") == invoices * TOTAL
    assert (
        world.rows(
            "SELECT p.id FROM sentra.payment p"
            " WHERE p.amount <> (SELECT sum(t.amount) FROM sentra.tender t WHERE t.payment_id = p.id)"
        )
        == []
    ), "a payment is the sum of its tenders"
    assert (
        world.rows(
            "SELECT i.id FROM sentra.invoice i WHERE i.paid <>"
            " (SELECT coalesce(sum(p.amount), 0) FROM sentra.payment p WHERE p.invoice_id = i.id)"
            " - (SELECT coalesce(sum(r.amount), 0) FROM sentra.refund r WHERE r.invoice_id = i.id AND r.state = 'DONE')"
        )
        == []
    ), "payments less refunds are what is paid"
    assert world.rows("SELECT state, count(*) FROM sentra.invoice GROUP BY 1 ORDER BY 1") == [
        ("OPEN", len(void)),
        ("PAID", invoices - len(void)),
        ("VOID", len(void)),
    ]
    world.catch_up()
    world.assert_sound()
