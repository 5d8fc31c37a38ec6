"""Without a configured Redis every question to the index is answered by "unreachable", never by "free"."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest

from app.adapters.redis.no_index import NoIndex, NoWaitlist
from app.domain.days import Days, YearMonth
from app.usecases.index_port import AvailabilityIndex, IndexedUnit, IndexUnreachable
from app.usecases.rows_waitlist import MirroredPlace
from app.usecases.waitlist_mirror import WaitlistMirror

UNIT = IndexedUnit(sku="S", unit_id="u", slot=0)
MAY = YearMonth(2026, 5)
DAYS = Days(dt.date(2026, 5, 1), dt.date(2026, 5, 2))

QUESTIONS: dict[str, Callable[[AvailabilityIndex], object]] = {
    "epoch": lambda index: index.epoch(),
    "month": lambda index: index.month("S", MAY),
    "months": lambda index: index.months([("S", MAY)]),
    "slots_of": lambda index: index.slots_of([("S", DAYS)]),
    "claim": lambda index: index.claim(UNIT, DAYS, "K1:a"),
    "project": lambda index: index.project("e", []),
    "conclude": lambda index: index.conclude(None, [], [], []),
    "drop_claim": lambda index: index.drop_claim(UNIT, "K1:a"),
    "open_claims": lambda index: index.open_claims(),
    "forget_unit": lambda index: index.forget_unit(UNIT, 1, [MAY]),
    "raw_months": lambda index: index.raw_months([UNIT], [MAY]),
    "epoch_is_sound": lambda index: index.epoch_is_sound(),
    "rebuild": lambda index: index.rebuild("e", []),
    "drop_claims": lambda index: index.drop_claims([]),
    "stored_keys": lambda index: index.stored_keys(),
    "drop_keys": lambda index: index.drop_keys([b"avail:S:u:202605"]),
    "odd_keys": lambda index: index.odd_keys([], {}),
    "mend_odd_keys": lambda index: index.mend_odd_keys([]),
    "run_id": lambda index: index.run_id(),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_is_unreachable(question: str) -> None:
    with pytest.raises(IndexUnreachable, match="no Redis is configured"):
        QUESTIONS[question](NoIndex())


def test_no_question_is_left_out() -> None:
    asked = {name for name in vars(AvailabilityIndex) if not name.startswith("_")}
    assert set(QUESTIONS) == asked - {"is_the_lock_node"}
    assert not NoIndex().is_the_lock_node


PLACE = MirroredPlace(
    sku="S", first_day=DAYS.first, customer_id="c", tier_weight=3, joined_at=dt.datetime(2026, 5, 1, tzinfo=dt.UTC)
)
MIRRORED: dict[str, Callable[[WaitlistMirror], object]] = {
    "join": lambda mirror: mirror.join(PLACE),
    "leave": lambda mirror: mirror.leave("S", DAYS.first, "c"),
    "members": lambda mirror: mirror.members(),
    "amend": lambda mirror: mirror.amend([PLACE], []),
}


@pytest.mark.parametrize("question", MIRRORED)
def test_every_question_to_the_waitlists_mirror_is_unreachable(question: str) -> None:
    with pytest.raises(IndexUnreachable, match="no Redis is configured"):
        MIRRORED[question](NoWaitlist())


def test_no_question_to_the_waitlists_mirror_is_left_out() -> None:
    assert set(MIRRORED) == {name for name in vars(WaitlistMirror) if not name.startswith("_")}
