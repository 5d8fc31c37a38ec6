"""Names of the index's keys: ours are read back, everything else is told apart, whatever bytes it has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.adapters.redis.availability import packed_key, unit_key, versions_key
from app.domain.days import YearMonth
from app.usecases.key_names import KeyKind, KeyName, key_of, shown

MAY = YearMonth(2026, 5)


def test_the_names_that_the_index_writes_are_read_back() -> None:
    assert [
        key_of(name.encode()) for name in (unit_key("S-1", "u.1_a", MAY), packed_key("S", MAY), versions_key("S"))
    ] == [
        KeyName(kind=KeyKind.UNIT_MONTH, sku="S-1", unit_id="u.1_a", month=MAY),
        KeyName(kind=KeyKind.PACKED_MONTH, sku="S", month=MAY),
        KeyName(kind=KeyKind.VERSIONS, sku="S"),
    ]


@pytest.mark.parametrize(
    "name",
    [
        "avail:S:u",
        "avail:S:202605",
        "avail:S:u:",
        "avail:S:u:202613",
        "avail:S:u:199912",
        "avail:S:u:999901",
        "avail:S:u:v:202605",
        "avail::u:202605",
        "apack:S:u:202605",
        "apack::202605",
        "apack:S",
        "aver:",
        "aver:S:1",
        "avail",
        "",
    ],
)
def test_what_nobody_writes_is_none_of_ours(name: str) -> None:
    assert key_of(name.encode()) is None


@given(st.binary(max_size=40), st.sampled_from([b"", b"avail:", b"apack:", b"aver:"]))
def test_any_bytes_are_a_key_or_none_and_can_be_shown(rest: bytes, prefix: bytes) -> None:
    key_of(prefix + rest)
    assert shown(prefix + rest).isprintable()
