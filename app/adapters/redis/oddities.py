"""Finding and removing what does not belong into the index although its key's name does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import cast

import redis

from app.adapters.redis.packed import PackedMasks
from app.adapters.redis.scripts import Script
from app.domain.days import MASK_BYTES
from app.usecases.key_names import KeyKind, key_of
from app.usecases.odd_keys import Oddity, OddKey, SkuSlots

_KEYS_AT_ONCE = 2_000
_EXPIRING = Script("expiring")
_TRIM = Script("trim")


def find_odd(client: redis.Redis, names: Sequence[bytes], slots: Mapping[str, SkuSlots]) -> list[OddKey]:
    """Every oddity of these keys; SKUs that are not in `slots` are left to those who know no such SKU."""
    found = [OddKey(key=name, oddity=Oddity.EXPIRING) for name in _expiring(client, names)]
    for name in names:
        key = key_of(name)
        if key is None or key.sku not in slots:
            continue
        if key.kind is KeyKind.PACKED_MONTH:
            found += _of_packed(client, name, slots[key.sku])
        elif key.kind is KeyKind.VERSIONS:
            found += _of_versions(client, name, slots[key.sku])
    return found


def mend_odd(client: redis.Redis, odd: Sequence[OddKey]) -> None:
    """Remove what is odd and leave everything else of those keys as it is."""
    for item in odd:
        match item.oddity:
            case Oddity.EXPIRING:
                client.persist(item.key)
            case Oddity.TOO_LONG:
                _TRIM.run(client, [item.key.decode()], [item.limit])
            case Oddity.SLOT_OF_NOBODY:
                client.setrange(item.key, int(item.slot) * MASK_BYTES, "\0" * MASK_BYTES)
            case Oddity.VERSION_OF_NOBODY:
                client.hdel(item.key.decode(), item.slot.decode("utf-8", "surrogateescape"))


def _expiring(client: redis.Redis, names: Sequence[bytes]) -> Iterator[bytes]:
    # Names that are no text of ours are strays already, and end by the doctor's hand anyway.
    texts = iter([name.decode() for name in names if name.isascii()])
    while some := list(islice(texts, _KEYS_AT_ONCE)):
        for number in cast(list[int], _EXPIRING.run(client, some, [])):
            yield some[number - 1].encode()


def _of_packed(client: redis.Redis, name: bytes, sku: SkuSlots) -> Iterator[OddKey]:
    (raw,) = cast(
        list[bytes | None], client.mget([name])
    )  # MGET does not fail on another type, which is a break of units
    limit = sku.next_slot * MASK_BYTES
    if raw is None:
        return
    if len(raw) > limit:
        yield OddKey(key=name, oddity=Oddity.TOO_LONG, limit=limit)
    for slot in PackedMasks(raw[:limit]):
        if slot not in sku.at_home:
            yield OddKey(key=name, oddity=Oddity.SLOT_OF_NOBODY, slot=str(slot).encode())


def _of_versions(client: redis.Redis, name: bytes, sku: SkuSlots) -> Iterator[OddKey]:
    if client.type(name) != b"hash":
        return  # as good as missing, and a break of every unit
    for field in cast(list[bytes], client.hkeys(name.decode())):
        if (
            not (field.isdigit() and len(field) < 10 and str(int(field)).encode() == field)
            or int(field) >= sku.next_slot
        ):
            yield OddKey(key=name, oddity=Oddity.VERSION_OF_NOBODY, slot=field)
