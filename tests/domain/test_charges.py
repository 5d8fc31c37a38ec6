"""Charges of a return by rule and by hand, and what they and a deposit come to."""

import datetime as dt
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.charges import (
    TAXED_BY_DEFAULT,
    Charge,
    ChargeKind,
    ChargeTerms,
    Returned,
    Trip,
    check_count,
    checked_charge,
    due_charges,
    in_order,
    paper_total,
)
from app.domain.deposit import deposit_result
from app.domain.errors import Refusal, RefusalCode
from app.domain.inspection import Template
from app.domain.money import PpnPlace, Rupiah

DUE = dt.datetime(2027, 3, 12, 13, tzinfo=dt.UTC)
TERMS = ChargeTerms(included_km=200, km_rate=Rupiah(2_000), fuel_rate=Rupiah(50_000), one_way_fee=Rupiah(400_000))
BACK = Returned(
    day_rate=Rupiah(350_000),
    paid_days=3,
    late_due_at=DUE,
    returned_at=DUE,
    trips=(Trip(odometer_out=45_210, odometer_in=45_810, fuel_out=8, fuel_in=8),),
)
SEEN = Charge(kind=ChargeKind.DAMAGE, text="Goresan pintu kiri", quantity=1, unit_price=Rupiah(250_000))
MONEY = st.integers(min_value=0, max_value=10_000_000).map(Rupiah)


def told(back: Returned, terms: ChargeTerms = TERMS) -> list[tuple[str, str, int]]:
    return [(line.kind.value, line.text, line.amount) for line in due_charges(back, terms)]


def test_a_unit_that_comes_back_in_time_and_full_costs_nothing_more() -> None:
    assert told(BACK) == []


def test_the_example_of_the_check_in_bar_is_charged_to_the_rupiah() -> None:
    late = replace(
        BACK,
        returned_at=DUE + dt.timedelta(hours=1, minutes=20),
        trips=(Trip(odometer_out=45_210, odometer_in=45_822, fuel_out=8, fuel_in=6),),
    )

    assert told(late) == [
        ("LATE", "Terlambat 1 jam 20 menit", 70_000),
        ("KM", "Lebih 12 km", 24_000),
        ("FUEL", "BBM kurang 2/8", 100_000),
    ]


def test_an_electric_units_charge_is_counted_in_percent_and_equipment_has_none() -> None:
    electric = replace(TERMS, template=Template.EV, fuel_rate=Rupiah(1_500))
    empty = replace(BACK, trips=(Trip(odometer_out=1, odometer_in=1, fuel_out=90, fuel_in=40),))

    assert told(empty, electric) == [("FUEL", "Baterai kurang 50 %", 75_000)]
    unread = replace(BACK, trips=(Trip(odometer_out=None, odometer_in=None, fuel_out=None, fuel_in=None),))
    assert told(unread) == []


def test_a_unit_that_was_replaced_on_the_way_shares_the_included_distance_with_its_successor() -> None:
    two = replace(
        BACK,
        trips=(
            Trip(odometer_out=0, odometer_in=400, fuel_out=8, fuel_in=7),
            Trip(odometer_out=9_000, odometer_in=9_250, fuel_out=4, fuel_in=8),
        ),
    )

    assert told(two) == [("KM", "Lebih 50 km", 100_000), ("FUEL", "BBM kurang 1/8", 50_000)]


def test_a_return_at_another_branch_costs_the_one_way_fee() -> None:
    assert told(replace(BACK, elsewhere=True)) == [("ONE_WAY", "Kembali di cabang lain", 400_000)]


def test_terms_without_a_distance_charge_no_kilometre() -> None:
    far = replace(BACK, trips=(Trip(odometer_out=0, odometer_in=99_999, fuel_out=None, fuel_in=None),))

    assert told(far, replace(TERMS, included_km=None)) == []


@pytest.mark.parametrize(
    ("charge", "field", "reason"),
    [
        (replace(SEEN, kind=ChargeKind.LATE), "charges[0].kind", "by_rule"),
        (replace(SEEN, text=" - "), "charges[0].text", "empty"),
        (replace(SEEN, text="a" * 201), "charges[0].text", "too_long"),
        (replace(SEEN, quantity=0), "charges[0].quantity", "out_of_range"),
        (replace(SEEN, unit_price=Rupiah(0)), "charges[0].unit_price", "not_an_amount"),
        (replace(SEEN, unit_price=Rupiah(-5)), "charges[0].unit_price", "not_an_amount"),
    ],
)
def test_a_typed_line_that_is_none_is_refused_naming_its_field(charge: Charge, field: str, reason: str) -> None:
    with pytest.raises(Refusal) as no:
        checked_charge(charge, "charges[0]")

    assert (no.value.code, no.value.field, no.value.params["reason"]) == (RefusalCode.FIELD_INVALID, field, reason)


def test_a_return_without_any_charge_is_cleared_not_disputed() -> None:
    with pytest.raises(Refusal) as no:
        check_count([])

    assert (no.value.code, no.value.params["reason"]) == (RefusalCode.BOOKING_STATE, "no_charges")


def test_lines_stand_in_the_order_in_which_a_deposit_pays_them() -> None:
    kinds = [ChargeKind.TRAFFIC, ChargeKind.DAMAGE, ChargeKind.LATE, ChargeKind.FUEL]

    assert [line.kind for line in in_order([replace(SEEN, kind=kind) for kind in kinds])] == [
        ChargeKind.LATE,
        ChargeKind.FUEL,
        ChargeKind.DAMAGE,
        ChargeKind.TRAFFIC,
    ]


def test_a_ppn_on_top_is_paid_on_what_is_a_supply_only() -> None:
    late = replace(SEEN, kind=ChargeKind.LATE, unit_price=Rupiah(1_000_000))

    def total(place: PpnPlace) -> int:
        return paper_total([late, SEEN], TAXED_BY_DEFAULT, place, dt.date(2027, 3, 12))

    assert total(PpnPlace.ON_TOP) == 1_000_000 + 110_000 + 250_000
    assert total(PpnPlace.INSIDE) == total(PpnPlace.NONE) == 1_250_000


@given(deposit=MONEY, charges=MONEY)
def test_refund_and_charges_are_deposit_and_bill(deposit: Rupiah, charges: Rupiah) -> None:
    got = deposit_result(deposit, charges)

    assert got.refund + charges == deposit + got.bill
    assert (got.refund, got.bill) == (max(0, deposit - charges), max(0, charges - deposit))


@given(deposit=MONEY, accepted=MONEY, contested=MONEY, held=MONEY)
def test_a_deposit_is_split_without_a_rupiah_left_over(
    deposit: Rupiah, accepted: Rupiah, contested: Rupiah, held: Rupiah
) -> None:
    got = deposit_result(deposit, accepted, contested, held)

    assert got.refund + got.used + got.frozen + got.held == deposit
    assert got.used + got.bill == accepted
    assert got.frozen <= contested
    assert got.held <= held
    assert min(got.refund, got.used, got.frozen, got.held, got.bill) >= 0


@given(deposit=MONEY, accepted=MONEY, contested=MONEY)
def test_a_contested_line_freezes_no_more_than_itself(deposit: Rupiah, accepted: Rupiah, contested: Rupiah) -> None:
    without, frozen = deposit_result(deposit, accepted), deposit_result(deposit, accepted, contested)

    assert without.refund - frozen.refund == frozen.frozen == min(contested, without.refund)
    assert frozen.bill == without.bill


@given(driven=st.integers(0, 100_000), fuel=st.integers(0, 8), minutes=st.integers(-10_000, 100_000))
def test_rule_charges_are_never_negative_and_never_name_nothing(driven: int, fuel: int, minutes: int) -> None:
    back = replace(
        BACK,
        returned_at=DUE + dt.timedelta(minutes=minutes),
        trips=(Trip(odometer_out=0, odometer_in=driven, fuel_out=5, fuel_in=fuel),),
    )

    found = due_charges(back, TERMS)
    assert all(line.amount > 0 for line in found)
    assert list(found) == list(in_order(found))
