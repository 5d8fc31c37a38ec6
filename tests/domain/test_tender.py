"""Tenders of every kind, cash rounding, withheld tax, counted drawers and refunds: rules without a database."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.cash_count import PIECES, counted, needs_manager
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.domain.refund import DEPOSIT, RefundWay, is_cashiers_refund
from app.domain.tender import MAX_CHANGE, Tender, TenderKind, cash_rounding, tendered
from app.domain.withholding import pph23

SAID: dict[TenderKind, dict[str, str]] = {
    TenderKind.CASH: {},
    TenderKind.EDC: {"bank": "BCA", "last4": "4242", "approval_code": "482913"},
    TenderKind.QRIS: {"reference": "RRN123456"},
    TenderKind.TRANSFER: {"reference": "TRX-0001"},
    TenderKind.CREDIT: {},
    TenderKind.PPH23: {},
    TenderKind.RECEIVABLE: {},
    TenderKind.DEPOSIT: {},
}


def tender(kind: TenderKind, amount: int, **said: str) -> Tender:
    return Tender(kind=kind, amount=Rupiah(amount), **{**SAID[kind], **said})  # type: ignore[arg-type]


kinds = st.sampled_from([TenderKind.CASH, TenderKind.EDC, TenderKind.TRANSFER, TenderKind.QRIS])


@given(
    st.lists(st.tuples(kinds, st.integers(1, 10**8)), min_size=1, max_size=6),
    st.integers(1, 10**8),
    st.sampled_from([0, 50, 100, 500]),
    st.integers(0, 10**6),
)
def test_a_payment_is_the_sum_of_its_tenders_and_every_rupiah_handed_over_is_told(
    wishes: list[tuple[TenderKind, int]], total: int, step: int, to_credit: int
) -> None:
    tenders = [tender(kind, amount) for kind, amount in wishes]
    try:
        found = tendered(Rupiah(total), tenders, step=step, to_credit=Rupiah(to_credit))
    except Refusal as no:
        assert no.code in {RefusalCode.AMOUNT_MISMATCH, RefusalCode.FIELD_INVALID}
        return
    assert sum(row.amount for row in found.rows) == total + found.rounding
    assert sum(row.received for row in found.rows) == total + found.rounding + found.change + found.credited
    assert all(row.amount > 0 for row in found.rows)
    assert all(row.amount == row.received for row in found.rows if row.kind in {TenderKind.EDC, TenderKind.QRIS})
    assert found.change <= sum(row.received - row.amount for row in found.rows if row.kind is TenderKind.CASH)
    assert (found.credited, found.change <= MAX_CHANGE) == (to_credit, True)


@pytest.mark.parametrize(
    ("due", "step", "rounding"),
    [
        (1_497_500, 0, 0),
        (1_497_500, 100, 0),
        (1_497_549, 100, -49),
        (1_497_550, 100, -50),
        (1_497_551, 100, 49),
        (40, 100, 0),
        (60, 100, 40),
        (0, 100, 0),
    ],
)
def test_cash_is_rounded_to_the_nearest_step_half_in_the_customers_favour(due: int, step: int, rounding: int) -> None:
    assert cash_rounding(Rupiah(due), step) == rounding


def test_only_the_part_that_is_paid_in_cash_is_rounded() -> None:
    split = tendered(Rupiah(1_000_049), [tender(TenderKind.EDC, 500_000), tender(TenderKind.CASH, 500_000)], step=100)
    assert (split.rounding, [row.amount for row in split.rows]) == (-49, [500_000, 500_000])
    assert tendered(Rupiah(1_000_049), [tender(TenderKind.EDC, 1_000_049)], step=100).rounding == 0


@pytest.mark.parametrize(
    ("wish", "field", "reason"),
    [
        (tender(TenderKind.EDC, 1, bank=" "), "tenders.bank", "empty"),
        (tender(TenderKind.EDC, 1, last4="42a2"), "tenders.last4", "not_last4"),
        (tender(TenderKind.EDC, 1, approval_code="1234567"), "tenders.approval_code", "not_an_approval_code"),
        (tender(TenderKind.QRIS, 1, reference="x"), "tenders.reference", "not_a_reference"),
        (tender(TenderKind.TRANSFER, 1, reference=""), "tenders.reference", "empty"),
        (tender(TenderKind.TRANSFER, 1, sender="a\nb"), "tenders.sender", "not_a_text"),
        (tender(TenderKind.CASH, 1, reference="x" * 101), "tenders.reference", "too_long"),
        (Tender(kind=TenderKind.GATEWAY, amount=Rupiah(1)), "tenders.kind", "not_offered"),
    ],
)
def test_a_tender_that_does_not_say_what_it_must_is_refused_by_its_field(wish: Tender, field: str, reason: str) -> None:
    with pytest.raises(Refusal) as no:
        tendered(Rupiah(1), [wish])
    assert (no.value.code, no.value.field, no.value.params["reason"]) == (RefusalCode.FIELD_INVALID, field, reason)


def test_an_unverified_transfer_is_no_tender() -> None:
    seen_by_nobody = Tender(kind=TenderKind.TRANSFER, amount=Rupiah(5), reference="TRX 1", verified=False)
    with pytest.raises(Refusal) as no:
        tendered(Rupiah(5), [seen_by_nobody])
    assert no.value.field == "tenders.verified"


def test_credit_is_taken_once_in_a_payment() -> None:
    with pytest.raises(Refusal) as no:
        tendered(Rupiah(5), [tender(TenderKind.CREDIT, 2), tender(TenderKind.CREDIT, 3)])
    assert (no.value.field, no.value.params["reason"]) == ("tenders.kind", "twice")


@pytest.mark.parametrize(("base", "tax"), [(898_649, 17_972), (1_000_000, 20_000), (49, 0), (50, 1), (0, 0)])
def test_withheld_tax_is_two_percent_of_the_rent_before_ppn_rounded_down(base: int, tax: int) -> None:
    assert pph23(Rupiah(base)) == tax


@given(st.dictionaries(st.sampled_from(PIECES), st.integers(0, 999)))
def test_a_drawer_holds_what_its_notes_and_coins_come_to(pieces: dict[int, int]) -> None:
    assert counted(pieces) == sum(piece for piece, number in pieces.items() for _ in range(number))


@pytest.mark.parametrize("pieces", [{75: 1}, {1000: -1}, {1000: 10**6}, {500: True}])
def test_a_piece_that_is_none_is_refused(pieces: dict[int, int]) -> None:
    with pytest.raises(Refusal) as no:
        counted(pieces)
    assert no.value.field == "pieces"


def test_a_difference_beyond_the_limit_takes_a_manager() -> None:
    assert [needs_manager(Rupiah(gap), Rupiah(20_000)) for gap in (0, 20_000, -20_000, 20_001, -20_001)] == [
        False,
        False,
        False,
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("kind", "way", "came", "alone"),
    [
        (DEPOSIT, RefundWay.CASH, {RefundWay.CASH: 500_000}, True),
        (DEPOSIT, RefundWay.CASH, {RefundWay.CASH: 499_999}, False),
        (DEPOSIT, RefundWay.TRANSFER, {RefundWay.CASH: 500_000}, False),
        (DEPOSIT, RefundWay.TRANSFER, {RefundWay.EDC: 500_000}, True),
        (DEPOSIT, RefundWay.CASH, {RefundWay.EDC: 500_000}, False),
        ("RENT", RefundWay.CASH, {RefundWay.CASH: 500_000}, False),
        ("VOID", RefundWay.TRANSFER, {RefundWay.TRANSFER: 500_000}, False),
    ],
)
def test_a_deposit_by_the_way_it_was_paid_is_the_cashiers_alone(
    kind: str, way: RefundWay, came: dict[RefundWay, Rupiah], alone: bool
) -> None:
    assert is_cashiers_refund(kind, way, Rupiah(500_000), came, Rupiah(500_000)) is alone


def test_a_deposit_paid_by_card_beyond_the_limit_is_not_transferred_alone() -> None:
    came = {RefundWay.EDC: Rupiah(900_000)}
    assert not is_cashiers_refund(DEPOSIT, RefundWay.TRANSFER, Rupiah(500_001), came, Rupiah(500_000))


def test_payments_less_refunds_are_what_stays_paid_whatever_is_refunded_and_voided() -> None:
    """Random tills: each settled invoice is refunded in random parts, some are voided; the books stay even."""
    rng = random.Random(20_000)
    for _ in range(2_000):
        total = rng.randrange(1, 10**8)
        cash = rng.randrange(0, total)
        tenders = [tender(TenderKind.EDC, total - cash)] + ([tender(TenderKind.CASH, cash)] if cash else [])
        paid = sum(row.amount for row in tendered(Rupiah(total), tenders).rows)
        refunds = []
        left = paid
        while left and rng.random() < 0.7:
            refunds.append(rng.randrange(1, left + 1))
            left -= refunds[-1]
        if rng.random() < 0.3:
            refunds.append(left)
            left = 0
        assert paid - sum(refunds) == left >= 0
