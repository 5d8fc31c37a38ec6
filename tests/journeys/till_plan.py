"""Who pays what at a rush of tills, from a seed, and what each drawer and way must come to. Knows no program."""

from __future__ import annotations

import random
from collections import Counter as Tally
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

OVER = 50_000
WAYS = ("cash", "cash with change", "card", "card and cash", "transfer", "two cards")


@dataclass(frozen=True)
class Pay:
    """One person's wish to settle one invoice: `invoice` is its place in the list, `presses` how often Pay is pressed.

    `tenders` are kind and what is handed over; of the last one `change` goes back.
    """

    invoice: int
    tenders: tuple[tuple[str, int], ...]
    change: int
    presses: int
    void: bool


@dataclass(frozen=True)
class Plan:
    """`desks` are what each cashier does, in this order. Some invoices are wanted by two of them."""

    total: int
    invoices: int
    desks: Mapping[str, Sequence[Pay]]


@dataclass
class Sums:
    """What one drawer and one cashier's ways must come to."""

    ways: Tally[str] = field(default_factory=Tally)
    often: Tally[str] = field(default_factory=Tally)
    change: int = 0
    settled: int = 0

    @property
    def cash(self) -> int:
        return self.ways["CASH"]


def plan(seed: int, desks: int, invoices: int, total: int) -> Plan:
    """The same seed is the same rush."""
    rng = random.Random(seed)
    logins = [f"kasir{n}" for n in range(desks)]
    work: dict[str, list[Pay]] = {login: [] for login in logins}
    for invoice in range(invoices):
        wanted = rng.sample(logins, 2 if rng.random() < 0.2 else 1)
        void = rng.random() < 0.15
        for login in wanted:
            tenders, change = _tenders(rng, total)
            presses = rng.choice((1, 1, 1, 2))
            work[login].append(Pay(invoice=invoice, tenders=tenders, change=change, presses=presses, void=void))
    for some in work.values():
        rng.shuffle(some)
    return Plan(total=total, invoices=invoices, desks=work)


def sums(plan: Plan, login: str, won: Iterable[int]) -> Sums:
    """What this cashier took, of the invoices that were theirs in the end."""
    mine, found = set(won), Sums()
    for pay in plan.desks[login]:
        if pay.invoice not in mine:
            continue
        found.settled += 1
        found.change += pay.change
        for place, (kind, received) in enumerate(pay.tenders):
            last = place == len(pay.tenders) - 1
            found.ways[kind] += received - (pay.change if last else 0)
            found.often[kind] += 1
    return found


def voided(plan: Plan) -> set[int]:
    """Invoices that a manager voids after they were settled."""
    return {pay.invoice for work in plan.desks.values() for pay in work if pay.void}


def as_json(plan: Plan, invoice_ids: Sequence[str]) -> dict[str, Any]:
    """What the processes are told: per cashier, in order, which invoice and how."""
    return {
        login: [
            {
                "place": pay.invoice,
                "invoice": invoice_ids[pay.invoice],
                "tenders": pay.tenders,
                "presses": pay.presses,
                "void": pay.void,
            }
            for pay in work
        ]
        for login, work in plan.desks.items()
    }


def _tenders(rng: random.Random, total: int) -> tuple[tuple[tuple[str, int], ...], int]:
    part = rng.randrange(1, total)
    match rng.choice(WAYS):
        case "cash":
            return (("CASH", total),), 0
        case "cash with change":
            return (("CASH", total + OVER),), OVER
        case "card":
            return (("EDC", total),), 0
        case "card and cash":
            return (("EDC", part), ("CASH", total - part + OVER)), OVER
        case "transfer":
            return (("TRANSFER", total),), 0
        case _:
            return (("EDC", part), ("EDC", total - part)), 0
