"""Tenders: what settles an invoice, what change is, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import MAX_CHANGE, NOTES, Tender, TenderKind, checked_tenders, notes_to_return, quick_amounts
from app.domain.money import Rupiah


def cash(*amounts: int) -> list[Tender]:
    return [Tender(kind=TenderKind.CASH, amount=Rupiah(amount)) for amount in amounts]


def test_cash_above_what_is_due_is_change_and_not_payment() -> None:
    change, rows = checked_tenders(Rupiah(1_497_500), cash(1_500_000))
    assert change == 2_500
    assert [(row.amount, row.received) for row in rows] == [(1_497_500, 1_500_000)]


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=5), st.integers(1, 10**9))
def test_what_is_stored_adds_up_to_the_total_or_nothing_is(given_amounts: list[int], total: int) -> None:
    try:
        change, rows = checked_tenders(Rupiah(total), cash(*given_amounts))
    except Refusal:
        over = sum(given_amounts) - total
        assert over < 0 or over >= given_amounts[-1] or over > MAX_CHANGE
    else:
        assert sum(row.amount for row in rows) == total
        assert change == sum(given_amounts) - total == sum(row.received - row.amount for row in rows)


def test_too_little_is_refused_with_what_is_missing() -> None:
    with pytest.raises(Refusal) as no:
        checked_tenders(Rupiah(1_497_500), cash(1_400_000))
    assert no.value.code is RefusalCode.AMOUNT_MISMATCH
    assert no.value.field == "tenders.amount"
    assert no.value.params["missing"] == 97_500


@pytest.mark.parametrize("amount", [0, -1, 10**15])
def test_an_amount_that_is_none_is_refused_by_its_field(amount: int) -> None:
    with pytest.raises(Refusal) as no:
        checked_tenders(Rupiah(1000), cash(amount))
    assert (no.value.code, no.value.field) == (RefusalCode.FIELD_INVALID, "tenders.amount")


def test_the_change_is_at_most_what_a_drawer_ever_holds() -> None:
    change, _ = checked_tenders(Rupiah(1000), cash(1000 + MAX_CHANGE))
    assert change == MAX_CHANGE

    with pytest.raises(Refusal) as no:
        checked_tenders(Rupiah(1000), cash(1001 + MAX_CHANGE))
    assert (no.value.code, no.value.field) == (RefusalCode.FIELD_INVALID, "tenders.amount")
    assert (no.value.params["reason"], no.value.params["most"]) == ("too_much", MAX_CHANGE)


def test_no_tender_at_all_is_refused() -> None:
    with pytest.raises(Refusal) as no:
        checked_tenders(Rupiah(1000), [])
    assert no.value.field == "tenders"


def test_a_way_of_paying_that_is_not_a_counters_is_refused_by_name() -> None:
    with pytest.raises(Refusal) as no:
        checked_tenders(Rupiah(1000), [Tender(kind=TenderKind.GATEWAY, amount=Rupiah(1000))])
    assert (no.value.field, no.value.params["given"]) == ("tenders.kind", "GATEWAY")


@given(st.integers(0, 10**8))
def test_the_notes_to_hand_back_never_exceed_the_change(change: int) -> None:
    found = notes_to_return(Rupiah(change))
    assert tuple(found) == NOTES
    assert 0 <= change - sum(note * count for note, count in found.items()) < 500


@pytest.mark.parametrize(
    ("due", "expected"),
    [
        (1_497_500, (1_500_000,)),
        (1_500_000, ()),
        (1_412_000, (1_420_000, 1_450_000, 1_500_000)),
        (7_000, (10_000, 50_000, 100_000)),
    ],
)
def test_quick_amounts_are_the_next_round_ones_without_doubles(due: int, expected: tuple[int, ...]) -> None:
    assert quick_amounts(Rupiah(due)) == expected
