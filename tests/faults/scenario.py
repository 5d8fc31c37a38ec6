"""What a run is made of: how many desks, which operations, which faults how often, and how slow the wires are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """`operations`: weights by name, None for each one's own. `faults`: mean seconds between two strikes by name.

    `units` leaves the desks only so many units, `reach` only so many days from the day after tomorrow on. Each
    transaction stays open for up to `slow_rows` seconds after it wrote an occupancy or a payment, and the wire holds up
    each EVALSHA for up to `slow_evalsha`: others come in between. `service`: whether one runs.
    Without `redlocks` their node is away: nobody waits for anybody before the transaction.
    What always holds is looked at every `watch_every` seconds, and all of it after each round, when everybody rests;
    `ends_with_a_booking`: days are left for a new one then.
    """

    name: str
    faults: Mapping[str, float]
    clients: int = 8
    operations: Mapping[str, float] | None = None
    units: int | None = None
    reach: int = 600
    slow_rows: float = 0.0
    slow_evalsha: float = 0.0
    redlocks: bool = True
    loses_answers: bool = True
    service: bool = True
    watch_every: float = 20.0
    round_seconds: float = 150.0
    ends_with_a_booking: bool = True
    stop_at_first_break: bool = False
    patched_lua: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Test only: a text in a script of the index, and what stands in its place in every client of this run."""


ORDINARY = Scenario(
    name="ordinary",
    faults={
        "client_killed": 2.4,
        "redis_flushed": 20,
        "redis_killed": 70,
        "redis_restarted_empty": 70,
        "postmaster_killed": 38,
        "service_killed": 60,
        "gateway_killed": 30,
        "lock_holder_stopped_past_ttl": 7,
        "sixteen_minutes_passed": 18,
        "redlocks_deleted": 10,
    },
)

AIMED_AT_UNITS = Scenario(
    name="aimed at units",
    clients=5,
    units=1,
    reach=8,
    operations={"book_unit": 4, "book_any_unit": 1, "same_order_from_two_windows": 1, "cancel": 8},
    faults={"sixteen_minutes_passed": 4},
    redlocks=False,
    slow_rows=0.25,
    watch_every=2.0,
    ends_with_a_booking=False,
    stop_at_first_break=True,
)
"""Few units and days and nobody who pays, so that everybody meets at the same days; each transaction takes long enough
for somebody to come in between, and no Redlock keeps them apart."""

AIMED_AT_LOCKS = Scenario(
    name="aimed at locks",
    clients=5,
    units=4,
    operations={
        "book_unit": 4,
        "settle": 6,
        "move_the_lock_here": 1,
        "two_desks_settle_one_invoice": 2,
        "settle_somebody_elses": 4,
        "leave_an_invoice_open": 2,
    },
    faults={"a_minute_passed": 0.7, "sixteen_minutes_passed": 15},
    slow_rows=0.05,
    watch_every=2.0,
    stop_at_first_break=True,
)
"""Few invoices that everybody is at, locks that run out under their holders, and answers that are lost."""

AIMED_AT_THE_INDEX = Scenario(
    name="aimed at the index",
    clients=6,
    units=2,
    reach=40,
    operations={"book_unit": 6, "book_any_unit": 1, "cancel": 5},
    faults={},
    redlocks=False,
    slow_evalsha=0.1,
    loses_answers=False,
    service=False,
    watch_every=30.0,
    round_seconds=8.0,
    ends_with_a_booking=False,
    stop_at_first_break=True,
)
"""Projections overtake each other on the wire. There is no service, which would repeat each of them five seconds later
and mend what an older one has spoiled: here the version check is the last guard."""
