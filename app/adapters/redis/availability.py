"""The availability index on Redis: the seed's bitmask keys, their packed mirror, claims and projections (seed 10.1).

A key that is missing or has another length than 4 bytes is UNKNOWN, never free. PostgreSQL decides; this is the hint.
"""

from __future__ import annotations

import datetime as dt
import re
import secrets
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar, cast

import redis

from app.adapters.redis.changes import message
from app.adapters.redis.connection import Link
from app.adapters.redis.oddities import find_odd, mend_odd
from app.adapters.redis.packed import PackedMasks, SlotsForPeriod, slots_for
from app.adapters.redis.redlock import LOCK_TTL_MS, lock_key
from app.adapters.redis.scripts import Call, Command, Script
from app.adapters.redis.trip import answers
from app.domain.days import Days, YearMonth, mask_to_bytes, masks_of
from app.usecases.index_port import (
    ClaimAnswer,
    ClaimResult,
    IndexedMonth,
    IndexedUnit,
    IndexUnreachable,
    MonthMasks,
    News,
    OpenClaim,
    Projection,
)
from app.usecases.odd_keys import OddKey, SkuSlots

EPOCH = "aidx:epoch"
CLAIMS = "aidx:claims"
CLAIM_LEASE_MS = 30_000
LEASE_MARGIN_MS = 5_000
"""How far Redis' clock may be set back under a living claim before it counts as a stranger's."""
KEY_PREFIXES = (b"avail:", b"apack:", b"aver:")
UNREADABLE_VERSION = 2**63 - 1
"""Stands for a stored version that is no number of ours: newer than any, so that it is mended like one."""
_ANSWERS = {0: ClaimAnswer.UNKNOWN, 1: ClaimAnswer.OK, 3: ClaimAnswer.LOCKED}

_SLOT = re.compile(rb"0|[1-9][0-9]{0,8}")
_EPOCH = re.compile(rb"[A-Za-z0-9_.-]+")  # as in epoch.lua
_READ_CHUNK = 2_000  # keys per MGET: larger ones hold the server up, smaller ones pay for more round trips
_SCRIPT_UNIT_MONTHS = 240  # per script call: under a millisecond, so that no clerk waits behind a rebuild
_SCRIPTS_PER_TRIP = 20

T = TypeVar("T")


def unit_key(sku: str, unit_id: str, month: YearMonth | str) -> str:
    return f"avail:{sku}:{unit_id}:{month}"


def packed_key(sku: str, month: YearMonth | str) -> str:
    return f"apack:{sku}:{month}"


def versions_key(sku: str) -> str:
    return f"aver:{sku}"


def hint_channel(sku: str) -> str:
    return f"chg:{sku}"


def _claim_member(unit: IndexedUnit, token: str) -> str:
    return f"{unit.sku}|{unit.unit_id}|{token}"


def _chunks(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[at : at + size] for at in range(0, len(items), size))


class RedisAvailability:
    """AvailabilityIndex on one Redis (6.2 command set). Safe to share between threads."""

    def __init__(
        self,
        link: Link,
        *,
        new_epoch: Callable[[], str] = lambda: secrets.token_hex(16),
        is_the_lock_node: bool = False,
    ) -> None:
        self._link = link
        self._is_the_lock_node = is_the_lock_node
        self._new_epoch = new_epoch
        self._claim = Script("claim")
        self._project = Script("project")
        self._forget = Script("forget")
        self._unlock = Script("lock_drop")
        self._set_epoch = Script("epoch")
        self._drop_claims = Script("claims_drop")

    def epoch(self) -> str:
        """The epoch; whoever finds it missing sets a random one. Read it BEFORE the PostgreSQL read of a projection."""
        with self._link.asking() as client:
            found = _epoch_of(read_values(client, [EPOCH])[0])  # MGET, unlike GET, does not fail on another type
            return found or cast(bytes, self._set_epoch.run(client, [EPOCH], [self._new_epoch()])).decode()

    def epoch_is_sound(self) -> bool:
        """Whether the epoch is missing or one of ours; a stranger's value is replaced by the next `epoch()`."""
        with self._link.asking() as client:
            return not client.exists(EPOCH) or _epoch_of(read_values(client, [EPOCH])[0]) is not None

    def month(self, sku: str, month: YearMonth) -> MonthMasks:
        """One SKU's packed month, one round trip."""
        return self.months([(sku, month)])[0]

    def months(self, wanted: Sequence[tuple[str, YearMonth]]) -> Sequence[MonthMasks]:
        """Several packed months in one pipelined read, in the order asked."""
        with self._link.asking() as client:
            found = read_values(client, [packed_key(sku, month) for sku, month in wanted])
        return [
            MonthMasks(sku=sku, month=month, masks=PackedMasks(raw))
            for (sku, month), raw in zip(wanted, found, strict=True)
        ]

    def slots_for(self, sku: str, days: Days) -> SlotsForPeriod:
        """Which slots of a SKU are free or taken in a period, in one round trip for all units."""
        months = days.months()
        with self._link.asking() as client:
            found = read_values(client, [packed_key(sku, month) for month in months])
        return slots_for(days, list(zip(months, found, strict=True)))

    def slots_of(self, wanted: Sequence[tuple[str, Days]]) -> Sequence[SlotsForPeriod]:
        """Which slots of each SKU are free or taken in its own period, all SKUs and months in one pipelined read."""
        months = [days.months() for _, days in wanted]
        names = [packed_key(sku, month) for (sku, _), asked in zip(wanted, months, strict=True) for month in asked]
        with self._link.asking() as client:
            found = iter(read_values(client, names))
        return [
            slots_for(days, [(month, next(found)) for month in asked])
            for (_, days), asked in zip(wanted, months, strict=True)
        ]

    @property
    def is_the_lock_node(self) -> bool:
        """Whether the Redlocks live on this server and on no other."""
        return self._is_the_lock_node

    def claim(self, unit: IndexedUnit, days: Days, token: str, lock_token: str | None = None) -> ClaimResult:
        """Set all days in the seed's keys and the packed strings, or none. The same token again answers OK."""
        months = days.months()
        keys = [EPOCH, CLAIMS, lock_key(unit)]
        arguments: list[str | bytes | int] = [
            _claim_member(unit, token),
            unit.slot,
            CLAIM_LEASE_MS,
            hint_channel(unit.sku),
            lock_token or "",
            LOCK_TTL_MS,
        ]
        for month in months:
            keys += [unit_key(unit.sku, unit.unit_id, month), packed_key(unit.sku, month)]
            arguments += [str(month), mask_to_bytes(days.mask(month))]
        with self._link.asking() as client:
            code, raw_epoch, *busy = cast(list[Any], self._claim.run(client, keys, arguments))
        epoch = _epoch_of(raw_epoch)
        if not busy:
            return ClaimResult(answer=_ANSWERS[code], epoch=epoch)
        month = months[busy[0] - 1]
        return ClaimResult(answer=ClaimAnswer.BUSY, day=dt.date(month.year, month.month, busy[1]), epoch=epoch)

    def project(self, epoch: str, projections: Sequence[Projection]) -> int:
        """Write whole months for units; an older version or another epoch is ignored, an equal one applied."""
        return self._write(_projection_calls(epoch, projections))

    def rebuild(self, epoch: str, projections: Sequence[Projection]) -> int:
        """`project` whatever version is stored; another epoch is ignored."""
        return self._write(_projection_calls(epoch, projections, always=True))

    def _write(self, calls: Iterator[Call]) -> int:
        applied = 0
        while trip := list(islice(calls, _SCRIPTS_PER_TRIP)):
            with self._link.asking() as client:
                applied += sum(cast(list[int], self._project.run_many(client, trip)))
        return applied

    def drop_claim(self, unit: IndexedUnit, token: str) -> None:
        """Take the claim off the register; the days are left to the projection."""
        with self._link.asking() as client:
            self._drop_claims.run(client, [CLAIMS], [_claim_member(unit, token)])

    def drop_claims(self, claims: Sequence[OpenClaim]) -> None:
        """Take members off the register as they are stored there, what is no claim included."""
        with self._link.asking() as client:
            for some in _chunks(claims, _READ_CHUNK):
                self._drop_claims.run(client, [CLAIMS], [claim.member for claim in some])

    def conclude(
        self,
        epoch: str | None,
        projections: Sequence[Projection],
        claims: Sequence[tuple[IndexedUnit, str]],
        news: Sequence[News],
        locks: Sequence[tuple[IndexedUnit, str]] = (),
    ) -> int:
        """After a commit, in one round trip: project (with an epoch), drop the claims, tell the news, release locks."""
        calls = [] if epoch is None else list(_projection_calls(epoch, projections))
        more: list[Command] = []
        if claims:
            more.append(("ZREM", CLAIMS, *(_claim_member(unit, token) for unit, token in claims)))
        more += [("PUBLISH", *message(item)) for item in news]
        more += [self._unlock.command([lock_key(unit)], [token]) for unit, token in locks]
        with self._link.asking() as client:
            return sum(cast(list[int], self._project.run_many(client, calls, more)))

    def open_claims(self) -> Sequence[OpenClaim]:
        """All registered claims, `expired` by Redis' own clock; whatever else stands there is a malformed one."""
        with self._link.asking() as client:
            pipe = client.pipeline()
            pipe.time()
            pipe.zrange(CLAIMS, 0, -1, withscores=True)
            (seconds, micros), members = pipe.execute(raise_on_error=False)
            if isinstance(members, redis.exceptions.ResponseError) and "WRONGTYPE" in str(members):
                return [OpenClaim(sku="", unit_id="", token="", expired=True)]
            if isinstance(members, Exception):
                raise members
        now_ms = seconds * 1000 + micros // 1000
        return [_claim_of(member, expires_ms - now_ms) for member, expires_ms in members]

    def forget_unit(self, unit: IndexedUnit, version: int, months: Sequence[YearMonth]) -> None:
        """Remove a unit's keys (change of SKU, retired), leaving its version as a tombstone.

        Ignored when the unit is known there at a newer version.
        """
        keys = [versions_key(unit.sku)]
        for month in months:
            keys += [unit_key(unit.sku, unit.unit_id, month), packed_key(unit.sku, month)]
        with self._link.asking() as client:
            self._forget.run(client, keys, [unit.slot, version])

    def raw_months(self, units: Sequence[IndexedUnit], months: Sequence[YearMonth]) -> Sequence[Sequence[IndexedMonth]]:
        """Per unit, per month, everything as stored. Chunked reads, never one command per unit."""
        skus = sorted({unit.sku for unit in units})
        with self._link.asking() as client:
            keys = read_values(client, [unit_key(unit.sku, unit.unit_id, month) for unit in units for month in months])
            strings = read_values(client, [packed_key(sku, month) for sku in skus for month in months])
            versions = {sku: _read_versions(client, sku) for sku in skus}
        packed = {
            (sku, month): PackedMasks(strings[s * len(months) + m])
            for s, sku in enumerate(skus)
            for m, month in enumerate(months)
        }
        return [
            [
                IndexedMonth(
                    key=keys[u * len(months) + m],
                    packed=packed[unit.sku, month].get(unit.slot),
                    packed_known=unit.slot in packed[unit.sku, month],
                    version=versions[unit.sku].get(unit.slot),
                )
                for m, month in enumerate(months)
            ]
            for u, unit in enumerate(units)
        ]

    def stored_keys(self) -> Sequence[bytes]:
        """Names of all keys of the index, as they are (one SCAN): the doctor sees what belongs to nothing, too."""
        with self._link.asking() as client:
            found = {name for name in client.scan_iter(match="a*:*", count=2_000) if name.startswith(KEY_PREFIXES)}
        return sorted(found)

    def drop_keys(self, names: Sequence[bytes]) -> None:
        """Remove keys by their names."""
        with self._link.asking() as client:
            for some in _chunks(names, _READ_CHUNK):
                client.unlink(*some)

    def odd_keys(self, names: Sequence[bytes], slots: Mapping[str, SkuSlots]) -> Sequence[OddKey]:
        """What is wrong with these keys (and the index's own) that no comparison of units can see."""
        with self._link.asking() as client:
            return find_odd(client, [*names, EPOCH.encode(), CLAIMS.encode()], slots)

    def mend_odd_keys(self, odd: Sequence[OddKey]) -> None:
        """Remove what is odd; everything else of those keys stays."""
        with self._link.asking() as client:
            mend_odd(client, odd)

    def run_id(self) -> str:
        """Redis' run id; a change means that everything is gone."""
        with self._link.asking() as client:
            found = client.info("server")
        run_id = cast(dict[str, object], found).get("run_id")
        if not isinstance(run_id, str):
            raise IndexUnreachable("the server tells no run id")
        return run_id


def read_values(client: redis.Redis, names: Sequence[str]) -> list[bytes | None]:
    """Values of string keys, None for missing ones and for other types (MGET, unlike GET, does not fail on those)."""
    found: list[bytes | None] = []
    for values in answers(client, [("MGET", *some) for some in _chunks(names, _READ_CHUNK)]) if names else ():
        if isinstance(values, Exception):
            raise values
        found += cast(list[bytes | None], values)
    return found


def _read_versions(client: redis.Redis, sku: str) -> dict[int, int]:
    try:
        found = cast(dict[bytes, bytes], client.hgetall(versions_key(sku)))
    except redis.exceptions.ResponseError as error:
        if "WRONGTYPE" not in str(error):
            raise
        return {}  # not ours: as good as missing, and the next projection replaces it
    return {int(slot): _version_of(version) for slot, version in found.items() if _SLOT.fullmatch(slot)}


def _version_of(raw: bytes) -> int:
    return int(raw) if raw.isdigit() and len(raw) < 19 else UNREADABLE_VERSION


def _epoch_of(raw: bytes | None) -> str | None:
    return raw.decode() if raw is not None and _EPOCH.fullmatch(raw) else None


def _claim_of(member: bytes, left_ms: float) -> OpenClaim:
    """A member of the register. One that would outlive any lease was not made by `claim`: nobody works on it."""
    parts = member.decode(errors="replace").split("|", 2)
    if len(parts) != 3 or not all(parts):
        return OpenClaim(
            sku="", unit_id="", token=member.decode(errors="backslashreplace"), expired=True, member=member
        )
    overlong = left_ms > CLAIM_LEASE_MS + LEASE_MARGIN_MS
    sku, unit_id, token = parts
    expired = overlong or left_ms <= 0
    return OpenClaim(sku=sku, unit_id=unit_id, token=token, expired=expired, overlong=overlong, member=member)


def _projection_calls(epoch: str, projections: Sequence[Projection], *, always: bool = False) -> Iterator[Call]:
    """Script calls of at most `_SCRIPT_UNIT_MONTHS` unit-months, units of one SKU and the same months together."""
    rule = "always" if always else "newer"
    for sku, months, members in _alike(projections):
        names = [str(month) for month in months]
        head_keys = [EPOCH, versions_key(sku), *[f"apack:{sku}:{name}" for name in names]]
        head_arguments: list[str | bytes | int] = [epoch, hint_channel(sku), rule, len(months), *names]
        for some in _chunks(members, max(1, _SCRIPT_UNIT_MONTHS // max(1, len(months)))):
            keys = list(head_keys)
            arguments = list(head_arguments)
            for projection in some:
                place = f"avail:{sku}:{projection.unit.unit_id}:"
                keys += [place + name for name in names]
                arguments += [projection.unit.slot, projection.version, _masks_of(projection)]
            yield keys, arguments


def _alike(projections: Sequence[Projection]) -> Iterator[tuple[str, tuple[YearMonth, ...], Sequence[Projection]]]:
    """Projections of one SKU and the same months together; a booking's one unit is not worth sorting."""
    if len(projections) == 1:
        yield projections[0].unit.sku, projections[0].months, projections
        return
    groups: dict[tuple[str, tuple[YearMonth, ...]], list[Projection]] = {}
    for projection in projections:
        groups.setdefault((projection.unit.sku, projection.months), []).append(projection)
    for (sku, months), members in groups.items():
        yield sku, months, members


def _masks_of(projection: Projection) -> bytes:
    return struct.pack(f">{len(projection.months)}I", *masks_of(projection.days, projection.months))
