"""`sentra-admin do`: rentals on their way out and back, by their names, from JSON to JSON."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping

from app.admin_do_inspections import charges, chosen, handing, inspection, repair, whole_or_none
from app.bootstrap import Counter
from app.domain.charges import ChargeTerms, Outcome
from app.domain.deposit import HOLD_DAYS
from app.domain.errors import invalid
from app.domain.inspection import Template
from app.domain.late_fee import LateRule
from app.domain.money import Rupiah
from app.json_values import Fields, plain
from app.usecases.rows_handovers import CollateralKind, GateOverride, HandedBooking, Replacement

_TERMS = (
    *("template", "included_km", "km_rate", "fuel_rate", "one_way_fee"),
    *("late_free_minutes", "late_hour_percent", "late_day_after_minutes"),
)


def _handed(done: HandedBooking) -> dict[str, object]:
    return {
        "booking_id": done.booking_id,
        "number": done.number,
        "unit_id": done.unit_id,
        "state": done.state.value,
        "version": done.version,
        "handed_at": plain(done.handed_at),
        "returned_at": plain(done.returned_at),
        "freed": plain(done.freed),
        "invoices": list(done.invoices),
        "at_risk": plain(done.at_risk),
        "refunds": plain(done.refunds),
        "deposit_left": done.deposit_left,
        "to_pay": plain(done.to_pay),
    }


def _check_out(counter: Counter, given: Fields) -> object:
    override = None
    if given.has("override"):
        inner = given.object("override")
        inner.only({"reason", "approval_id"})
        override = GateOverride(reason=inner.text("reason"), approval_id=inner.text_or_none("approval_id"))
    return _handed(
        counter.rentals.handovers.check_out(
            given.text("booking_id"),
            inspection(counter, given.object("inspection")),
            override=override,
            handing_over=handing(counter, given.object("hand_over")) if given.has("hand_over") else None,
        )
    )


def _hand_over(counter: Counter, given: Fields) -> object:
    given_over = handing(counter, given.object("hand_over"))
    return _handed(counter.rentals.handovers.hand_over(given.text("booking_id"), given_over))


def _recall(counter: Counter, given: Fields) -> object:
    return _handed(counter.rentals.handovers.recall(given.text("booking_id"), given.text("reason")))


def _check_in(counter: Counter, given: Fields) -> object:
    look = inspection(counter, given.object("inspection"))
    return _handed(counter.rentals.handovers.check_in(given.text("booking_id"), look))


def _replace_unit(counter: Counter, given: Fields) -> object:
    wanted = Replacement(
        unit_id=given.text("unit_id"),
        back=inspection(counter, given.object("back")),
        out=inspection(counter, given.object("out")),
        handing_over=handing(counter, given.object("hand_over")),
        repair=repair(counter, given),
    )
    return _handed(counter.rentals.handovers.replace_unit(given.text("booking_id"), wanted))


def _not_returned(counter: Counter, given: Fields) -> object:
    return _handed(
        counter.rentals.charges.not_returned(
            given.text("booking_id"),
            given.text("reason"),
            charges(given),
            approval_id=given.text_or_none("approval_id"),
        )
    )


def _add_charges(counter: Counter, given: Fields) -> object:
    request = given.text_or_none("request_id") or counter.new_id()
    return _handed(counter.rentals.charges.add_charges(given.text("booking_id"), request, charges(given)))


def _close_charge(counter: Counter, given: Fields) -> object:
    return _handed(
        counter.rentals.charges.close_charge(
            given.text("charge_id"),
            chosen(Outcome, given, "outcome"),
            given.text("reason"),
            amount=Rupiah(given.whole("amount")) if given.has("amount") else None,
            approval_id=given.text_or_none("approval_id"),
        )
    )


def _hold_back(counter: Counter, given: Fields) -> object:
    return plain(
        counter.rentals.charges.hold_back(
            given.text("booking_id"),
            given.text_or_none("hold_id") or counter.new_id(),
            Rupiah(given.whole("amount")),
            given.text("reason"),
            days=given.whole("days") if given.has("days") else HOLD_DAYS,
            approval_id=given.text_or_none("approval_id"),
        )
    )


def _post_rental_fine(counter: Counter, given: Fields) -> object:
    return _handed(
        counter.rentals.charges.post_rental_fine(
            given.text("booking_id"),
            given.text_or_none("fine_id") or counter.new_id(),
            given.text("text"),
            Rupiah(given.whole("amount")),
            given.text_or_none("reason") or "",
        )
    )


def _take_collateral(counter: Counter, given: Fields) -> object:
    return plain(
        counter.rentals.collaterals.take_collateral(
            given.text("booking_id"),
            given.text_or_none("collateral_id") or counter.new_id(),
            chosen(CollateralKind, given, "kind"),
            given.text("place"),
            given.text_or_none("what") or "",
        )
    )


def _save_photo(counter: Counter, given: Fields) -> object:
    try:
        content = base64.b64decode(given.text("content_base64", most=4_000_000), validate=True)
    except binascii.Error:
        raise invalid("content_base64", "not_base64") from None
    return {"already": counter.rentals.photos.save_photo(given.text("photo_id"), content)}


def _photo(counter: Counter, given: Fields) -> object:
    content = counter.rentals.photos.photo(given.text("photo_id"))
    return {"content_base64": None if content is None else base64.b64encode(content).decode()}


def _set_charge_terms(counter: Counter, given: Fields) -> object:
    """What is left out is the product's default; `included_km` null or left out is any distance."""
    usual = LateRule()

    def number(name: str, otherwise: int) -> int:
        return given.whole(name) if given.has(name) else otherwise

    terms = ChargeTerms(
        template=chosen(Template, given, "template") if given.has("template") else Template.CAR,
        included_km=whole_or_none(given, "included_km"),
        km_rate=Rupiah(number("km_rate", 0)),
        fuel_rate=Rupiah(number("fuel_rate", 0)),
        one_way_fee=Rupiah(number("one_way_fee", 0)),
        late=LateRule(
            free_minutes=number("late_free_minutes", usual.free_minutes),
            hour_percent=number("late_hour_percent", usual.hour_percent),
            day_after_minutes=number("late_day_after_minutes", usual.day_after_minutes),
        ),
    )
    return plain(counter.rentals.charges.set_charge_terms(given.text("sku"), terms))


HANDOVERS: Mapping[str, tuple[Callable[[Counter, Fields], object], tuple[str, ...]]] = {
    "handover_basis": (
        lambda counter, given: plain(counter.rentals.handovers.basis(given.text("booking_id"))),
        ("booking_id",),
    ),
    "rental_of": (
        lambda counter, given: plain(counter.rentals.handovers.rental_of(given.text("unit_id"))),
        ("unit_id",),
    ),
    "check_out": (_check_out, ("booking_id", "inspection", "override", "hand_over")),
    "hand_over": (_hand_over, ("booking_id", "hand_over")),
    "recall": (_recall, ("booking_id", "reason")),
    "check_in": (_check_in, ("booking_id", "inspection")),
    "replace_unit": (_replace_unit, ("booking_id", "unit_id", "back", "out", "hand_over", "maintenance")),
    "quote_charges": (
        lambda counter, given: plain(counter.rentals.charges.quote(given.text("booking_id"), charges(given))),
        ("booking_id", "charges"),
    ),
    "clear": (lambda counter, given: _handed(counter.rentals.charges.clear(given.text("booking_id"))), ("booking_id",)),
    "dispute": (
        lambda counter, given: _handed(counter.rentals.charges.dispute(given.text("booking_id"), charges(given))),
        ("booking_id", "charges"),
    ),
    "add_charges": (_add_charges, ("booking_id", "request_id", "charges")),
    "contest_charge": (
        lambda counter, given: _handed(
            counter.rentals.charges.contest_charge(given.text("charge_id"), given.text("reason"))
        ),
        ("charge_id", "reason"),
    ),
    "close_charge": (_close_charge, ("charge_id", "outcome", "amount", "reason", "approval_id")),
    "settle_charges": (
        lambda counter, given: _handed(counter.rentals.charges.settle_charges(given.text("booking_id"))),
        ("booking_id",),
    ),
    "settle_from_deposit": (
        lambda counter, given: _handed(counter.rentals.charges.settle_from_deposit(given.text("invoice_id"))),
        ("invoice_id",),
    ),
    "not_returned": (_not_returned, ("booking_id", "reason", "charges", "approval_id")),
    "release_unit": (
        lambda counter, given: _handed(
            counter.rentals.charges.release_unit(given.text("booking_id"), repair(counter, given))
        ),
        ("booking_id", "maintenance"),
    ),
    "hold_back": (_hold_back, ("booking_id", "hold_id", "amount", "days", "reason", "approval_id")),
    "release_hold": (
        lambda counter, given: plain(counter.rentals.charges.release_hold(given.text("hold_id"))),
        ("hold_id",),
    ),
    "post_rental_fine": (_post_rental_fine, ("booking_id", "fine_id", "text", "amount", "reason")),
    "take_collateral": (_take_collateral, ("booking_id", "collateral_id", "kind", "place", "what")),
    "return_collateral": (
        lambda counter, given: plain(counter.rentals.collaterals.return_collateral(given.text("collateral_id"))),
        ("collateral_id",),
    ),
    "keep_collateral": (
        lambda counter, given: plain(
            counter.rentals.collaterals.keep_collateral(given.text("collateral_id"), given.text("reason"))
        ),
        ("collateral_id", "reason"),
    ),
    "save_photo": (_save_photo, ("photo_id", "content_base64")),
    "photo": (_photo, ("photo_id",)),
    "charge_terms": (lambda counter, given: plain(counter.rentals.charges.charge_terms(given.text("sku"))), ("sku",)),
    "set_charge_terms": (_set_charge_terms, ("sku", *_TERMS)),
    "late_rentals": (lambda counter, _given: plain(counter.rentals.late.late_rentals()), ()),
    "missed_pickups": (lambda counter, _given: plain(counter.rentals.late.missed_pickups()), ()),
}
"""By name: what runs it and the fields it takes."""
