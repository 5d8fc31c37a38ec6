"""What a run of ten minutes has to reach; a longer one as much more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MINUTES = 10.0
REDIS_LOSSES = ("redis_flushed", "redis_killed", "redis_restarted_empty")
TARGETS: Mapping[str, int] = {
    "clients": 8,
    "operations": 20_000,
    "bookings": 3_000,
    "payments": 1_000,
    "client_killed": 150,
    "redis_losses": 8,
    "redis_flushed": 4,
    "redis_killed": 1,
    "redis_restarted_empty": 1,
    "postmaster_killed": 8,
    "lost_commit_answer": 50,
    "lost_evalsha_answer": 10,
    "lock_holder_stopped_past_ttl": 20,
    "client_clock_shifted": 20,
}


def missed(answer: Mapping[str, Any]) -> list[dict[str, object]]:
    """A TARGET break for each figure that a run of ten minutes or more fell short of; shorter runs have no targets."""
    if answer["minutes"] < MINUTES:
        return []
    found = {
        **answer["faults"],
        **answer["acknowledged"],
        "clients": answer["clients"],
        "operations": answer["operations"],
        "redis_losses": sum(answer["faults"].get(name, 0) for name in REDIS_LOSSES),
    }
    share = answer["minutes"] / MINUTES
    wanted = {name: least if name == "clients" else round(least * share) for name, least in TARGETS.items()}
    return [
        {"invariant": "TARGET", "of": name, "wanted": least, "found": found.get(name, 0)}
        for name, least in wanted.items()
        if found.get(name, 0) < least
    ]
