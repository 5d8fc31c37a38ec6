"""Port of the availability index (Redis bitmasks): a fast hint that may vanish; PostgreSQL decides."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from app.domain.days import Days, YearMonth
from app.usecases.odd_keys import OddKey, SkuSlots


class IndexUnreachable(Exception):
    """The index did not answer. Work goes on from PostgreSQL, with a banner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedUnit:
    """Where a unit's bits live: the seed's key parts and its slot in the packed month string."""

    sku: str
    unit_id: str
    slot: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """What PostgreSQL says of one unit: all its active days, read with `version` in one statement.

    `days` are the active occupancy rows cut to `months`; every month in `months` is written whole.
    """

    unit: IndexedUnit
    version: int
    months: tuple[YearMonth, ...]
    days: tuple[Days, ...]


class ClaimAnswer(StrEnum):
    OK = "OK"
    BUSY = "BUSY"
    UNKNOWN = "UNKNOWN"
    LOCKED = "LOCKED"
    """Only of a claim that was to take the Redlock too: somebody else has it, nothing was claimed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimResult:
    """`day` is the first taken day of a BUSY answer (a hint: PostgreSQL is asked before a refusal).

    `epoch` is the index's at this moment, None while it has none: what is read of PostgreSQL afterwards may be
    projected under it.
    """

    answer: ClaimAnswer
    day: dt.date | None = None
    epoch: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """Something of `branch` is to be read again: `what` is booking, invoice, waitlist, unit or staff, `by` a login."""

    branch: str
    what: str
    id: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthMasks:
    """One SKU and month: slot → 32-bit mask of a known unit. A slot that is absent is UNKNOWN, never free."""

    sku: str
    month: YearMonth
    masks: Mapping[int, int]


class SlotsForPeriod(Protocol):
    """Slots of a SKU by what the index says of a period. A slot in neither is UNKNOWN, never free."""

    @property
    def free(self) -> Collection[int]: ...

    @property
    def taken(self) -> Collection[int]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenClaim:
    """A member of the claim register. `expired`: nobody works on it, also when it is `overlong` (its expiry is farther
    away than any lease, so no claim made it) or malformed."""

    sku: str
    unit_id: str
    token: str
    expired: bool
    overlong: bool = False
    member: bytes = b""
    """As stored; empty when the register itself is none."""

    @property
    def is_malformed(self) -> bool:
        return not self.unit_id


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedMonth:
    """One unit and month as stored, for the doctor: None where the key or the packed slot is missing."""

    key: bytes | None
    packed: int | None
    packed_known: bool
    version: int | None


class AvailabilityIndex(Protocol):
    """All methods raise IndexUnreachable when the server is away; every write is idempotent."""

    def epoch(self) -> str:
        """The epoch; whoever finds it missing sets a random one. Read it BEFORE the PostgreSQL read of a projection."""

    def epoch_is_sound(self) -> bool:
        """Whether the epoch is missing or one of ours; a stranger's value is replaced by the next `epoch()`."""

    def month(self, sku: str, month: YearMonth) -> MonthMasks:
        """One SKU's packed month, one round trip."""

    def months(self, wanted: Sequence[tuple[str, YearMonth]]) -> Sequence[MonthMasks]:
        """Several packed months in one pipelined read, in the order asked."""

    def slots_of(self, wanted: Sequence[tuple[str, Days]]) -> Sequence[SlotsForPeriod]:
        """Which slots of each SKU are free or taken in its own period, all SKUs and months in one pipelined read."""

    @property
    def is_the_lock_node(self) -> bool:
        """Whether the Redlocks live on this server and on no other: then one round trip locks and claims."""

    def claim(self, unit: IndexedUnit, days: Days, token: str, lock_token: str | None = None) -> ClaimResult:
        """Set all days in the seed's keys and the packed strings, or none. The same token again answers OK.

        With `lock_token` (on the lock node only) the unit's Redlock is taken first, or the answer is LOCKED.

        A month that is not built, a missing epoch: UNKNOWN and nothing written. Registered with a 30 s expiry.
        """

    def project(self, epoch: str, projections: Sequence[Projection]) -> int:
        """Write whole months for units; an older version or another epoch is ignored, an equal one applied.

        Returns how many were applied. Publishes one hint per changed unit-month on `chg:<SKU>`.
        """

    def rebuild(self, epoch: str, projections: Sequence[Projection]) -> int:
        """`project` whatever version is stored; another epoch is ignored.

        Only for a version that was confirmed to be ahead of PostgreSQL's, and followed by one more reading that is
        projected: a commit between the first reading and this call was ignored by the index.
        """

    def drop_claim(self, unit: IndexedUnit, token: str) -> None:
        """Take the claim off the register; the days are left to the projection."""

    def conclude(
        self,
        epoch: str | None,
        projections: Sequence[Projection],
        claims: Sequence[tuple[IndexedUnit, str]],
        news: Sequence[News],
        locks: Sequence[tuple[IndexedUnit, str]] = (),
    ) -> int:
        """After a commit, in one round trip: `project`, then `drop_claim` for each, tell the news, release the Redlocks
        (`locks` on the lock node only, by their tokens).

        Answers like `project` how many were applied: without an epoch, or after a flush, none.
        """

    def open_claims(self) -> Sequence[OpenClaim]:
        """All registered claims, `expired` by Redis' own clock; whatever else stands there is a malformed one."""

    def drop_claims(self, claims: Sequence[OpenClaim]) -> None:
        """Take members off the register as they are stored there, what is no claim included."""

    def forget_unit(self, unit: IndexedUnit, version: int, months: Sequence[YearMonth]) -> None:
        """Remove a unit's keys (change of SKU, retired), leaving its version as a tombstone."""

    def raw_months(self, units: Sequence[IndexedUnit], months: Sequence[YearMonth]) -> Sequence[Sequence[IndexedMonth]]:
        """For the doctor: per unit, per month, everything as stored. Chunked reads, never one command per unit."""

    def stored_keys(self) -> Sequence[bytes]:
        """Names of all keys of the index, as they are (one SCAN): the doctor sees what belongs to nothing, too."""

    def drop_keys(self, names: Sequence[bytes]) -> None:
        """Remove keys by their names."""

    def odd_keys(self, names: Sequence[bytes], slots: Mapping[str, SkuSlots]) -> Sequence[OddKey]:
        """What is wrong with these keys (and the index's own) that no comparison of units can see."""

    def mend_odd_keys(self, odd: Sequence[OddKey]) -> None:
        """Remove what is odd; everything else of those keys stays."""

    def run_id(self) -> str:
        """Redis' run id; a change means that everything is gone."""


class UnitLocks(Protocol):
    """Redlock over 1..N nodes (`lock:<SKU>:<UnitID>`, 10 minutes). Advisory: never needed for correctness."""

    def acquire(self, unit: IndexedUnit, token: str) -> bool:
        """True on a quorum within the drift margin. Set-or-equal: a retry with the same token is True. Never waits."""

    def wait(self, unit: IndexedUnit, token: str, seconds: float) -> bool:
        """Try for at most `seconds`: the seed wants the lock, a dead counter's one must not cost 10 minutes."""

    def held_by_others(self, units: Sequence[IndexedUnit]) -> frozenset[str]:
        """Ids of units with a foreign lock right now (a hint, one round trip); empty when no node answers."""

    def release(self, unit: IndexedUnit, token: str) -> None:
        """Compare-and-delete on every node; quiet when a node is away (the TTL ends it)."""

    def release_leftovers(self, counter: str) -> int:
        """Release every lock of this counter that its crashed earlier life left, none of one that lives; how many."""


class Changes(Protocol):
    """Change hints `changes:<branch>`; lost ones cost freshness only."""

    def publish(self, branch: str, what: str, id: str, by: str) -> None: ...
