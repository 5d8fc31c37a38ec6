"""Rules of the state machine: an index that is flushed, lied to, told late or told old news, and made whole again."""

from __future__ import annotations

import uuid
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from app.domain.days import YearMonth
from app.usecases.drift import possible_months
from app.usecases.index_port import ClaimAnswer, Projection
from tests.faults.model import ModelUnit
from tests.faults.model_rig import ModelRig, lengths, starts, units

DAMAGE = ("a bit", "a packed bit", "a month", "a packed month", "the versions", "a version ahead", "a short key")


class IndexRules(ModelRig):
    """What Redis loses or is told costs speed, never a booking."""

    def __init__(self) -> None:
        super().__init__()
        self.old_news: list[tuple[str, tuple[Projection, ...]]] = []

    @rule(kind=st.sampled_from(["flush", "flush", "flush, unseen", "epoch", "damage", "damage"]), unit=units,
          what=st.sampled_from(DAMAGE), day=st.integers(0, 30), is_seen=st.booleans())  # fmt: skip
    def the_index_suffers(self, kind: str, unit: ModelUnit, what: str, day: int, is_seen: bool) -> None:
        """It is emptied, or forgets whose life it leads, or somebody writes into it."""
        if kind == "epoch":
            self._lose_the_epoch()
        elif kind == "damage":
            self._damage(unit, what, day)
            if is_seen:
                self.compare_and_mend()
        else:
            self._flush(kind == "flush")

    def _flush(self, is_whole_again: bool) -> None:
        """Everything is gone. The service notices by the epoch; until then counters learn what they look at."""
        self.client.flushall()
        self.model.told_by_the_service([unit.id for unit in self.model.units])
        self.model.is_damaged = False
        if is_whole_again:
            healed = self.reconcile_.heal_if_needed()
            assert healed is not None
            assert healed.drift == ()
        self.tally["flushed"] += 1

    def _lose_the_epoch(self) -> None:
        """Only the mark of the index's life is gone: everything is compared again."""
        self.client.delete("aidx:epoch")
        if not self.model.is_damaged:
            assert self.reconcile_.heal_if_needed() is not None

    @rule(unit=units, start=starts, length=lengths)
    def a_counter_dies_after_its_claim(self, unit: ModelUnit, start: int, length: int) -> None:
        days = self.period(start, length)
        token = str(uuid.uuid4())
        found = self.service.index.claim(self._indexed(unit), days, token)
        if self.model.is_damaged or unit.id in self.model.stale:
            if found.answer is ClaimAnswer.OK:
                self.model.claimed.setdefault(unit.id, set()).update(days)
            return
        taken = self.model.taken(unit) | self.model.claimed.get(unit.id, set())
        if found.answer is ClaimAnswer.UNKNOWN:
            assert any(not self.client.exists(f"avail:{unit.sku}:{unit.id}:{month}") for month in days.months())
            return
        assert (found.answer is ClaimAnswer.BUSY) == bool(taken & set(days)), found
        if found.answer is ClaimAnswer.OK:
            self.model.claimed.setdefault(unit.id, set()).update(days)
            self.tally["claims left"] += 1
        else:
            assert found.day == min(taken & set(days))

    @rule()
    def claims_expire(self) -> None:
        """Thirty seconds later by Redis' own clock; the service projects their units and takes them off."""
        claims = list(self._claims())
        if claims:
            self.client.zadd("aidx:claims", dict.fromkeys(claims, 1))
        assert self.reconcile_.drop_expired_claims() == len(claims)
        self.model.told_by_the_service({str(claim, "ascii").split("|")[1] for claim in claims})
        assert self._claims() == []

    @rule(unit=units)
    def read_a_projection_and_keep_it(self, unit: ModelUnit) -> None:
        """A counter reads a unit, and is stopped before it tells the index."""
        epoch = self.service.index.epoch()
        months = possible_months(self.today)
        self.old_news = [*self.old_news[-4:], (epoch, self.service.store.read.projections([unit.id], months))]

    @precondition(lambda self: self.old_news)
    @rule()
    def tell_the_index_old_news(self) -> None:
        """Late, out of order, under an epoch that is gone: an older version changes nothing."""
        for epoch, projections in self.old_news:
            for item in projections:
                ((current,),) = self.rows(
                    "SELECT availability_version FROM sentra.unit WHERE id = %s", item.unit.unit_id
                )
                applied = self.service.index.project(epoch, [item])
                if applied and current == item.version:
                    self.model.told_by_the_service([item.unit.unit_id])
                elif applied:  # nothing newer was told yet: it is the latest that the index has heard
                    assert item.unit.unit_id in self.model.stale or self.model.is_damaged
                    self.model.stale.add(item.unit.unit_id)
        self.tally["old news"] += 1

    def _damage(self, unit: ModelUnit, what: str, day: int) -> None:
        """By hand, or by a fault of ours; it misleads until the next comparison, and books nothing twice."""
        month = YearMonth.of(self.today)
        key, packed = f"avail:{unit.sku}:{unit.id}:{month}", f"apack:{unit.sku}:{month}"
        slot = [other for other in self.model.units if other.sku == unit.sku].index(unit)
        {
            "a bit": lambda: self.client.setbit(key, day, 1 - self.client.getbit(key, day)),
            "a packed bit": lambda: self.client.setbit(packed, slot * 32 + day, 1),
            "a month": lambda: self.client.delete(key),
            "a packed month": lambda: self.client.delete(packed),
            "the versions": lambda: self.client.delete(f"aver:{unit.sku}"),
            "a version ahead": lambda: self.client.hset(f"aver:{unit.sku}", str(slot), "999999"),
            "a short key": lambda: self.client.set(key, b"\x00"),
        }[what]()
        self.model.is_damaged = True
        self.tally["damaged"] += 1

    @rule()
    def compare_and_mend(self) -> None:
        """The service's work of every five minutes: afterwards every bit is right again."""
        self.mend()
        self.tally["mended"] += 1

    # --- steps ------------------------------------------------------------------------------------------------------

    def _indexed(self, unit: ModelUnit) -> Any:
        (found,) = self.service.store.read.units([unit.id])
        return found.indexed

    def _claims(self) -> list[bytes]:
        found: list[bytes] = self.client.zrange("aidx:claims", 0, -1)
        return found
