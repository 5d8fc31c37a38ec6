"""Inspections, charges and terms as JSON for the database, and what it answers as frozen rows."""

from __future__ import annotations

from typing import Any

from app.adapters.postgres.tx_call import Told, day_of, freed_of, moment_of, projections_of
from app.domain.booking import BookingState
from app.domain.charges import ChargeKind, ChargeTerms, Outcome
from app.domain.gate import GateLine, GateName
from app.domain.inspection import (
    Angle,
    Check,
    DamageMark,
    DamageType,
    Inspection,
    InspectionKind,
    PhotoPromise,
    Severity,
    Signature,
    Template,
    View,
)
from app.domain.invoice import InvoiceState
from app.domain.late_fee import LateRule
from app.domain.money import Rupiah
from app.usecases.rows_cancellations import DueRefund, RefundKind
from app.usecases.rows_handovers import (
    ChargeRow,
    Collateral,
    CollateralKind,
    CollateralState,
    DepositHold,
    HandedBooking,
    HandingOver,
    InspectionRow,
    KnownDamage,
    NewCharge,
    OpenFine,
    PhotoRow,
    RiskyBooking,
    Standing,
    UnitRepair,
)

Json = dict[str, Any]


# --- to the database --------------------------------------------------------------------------------------------------


def inspection_json(inspection: Inspection) -> Json:
    return {
        "id": inspection.id,
        "done_at": inspection.done_at,
        "odometer": inspection.odometer,
        "fuel": inspection.fuel,
        "hours": inspection.hours,
        "accessories": inspection.accessories,
        "checks": [{"item": c.item, "good": c.good, "note": c.note} for c in inspection.checks],
        "damages": [
            {
                "id": mark.id,
                "view": mark.view.value,
                "x": mark.x,
                "y": mark.y,
                "type": mark.type.value,
                "severity": mark.severity.value,
                "note": mark.note,
            }
            for mark in inspection.damages
        ],
        "photos": [photo_json(photo) for photo in inspection.photos],
        "signature": None if inspection.signature is None else signature_json(inspection.signature),
        "note": inspection.note,
    }


def photo_json(photo: PhotoPromise) -> Json:
    return {"id": photo.id, "angle": photo.angle.value, "sha256": photo.sha256, "damage_id": photo.damage_id}


def signature_json(signature: Signature) -> Json:
    return {"signed": signature.signed, "witness": signature.witness, "reason": signature.reason}


def handing_json(handing: HandingOver) -> Json:
    return {
        "id": handing.id,
        "at": handing.at,
        "signature": signature_json(handing.signature),
        "photos": [photo_json(photo) for photo in handing.photos],
    }


def repair_json(repair: UnitRepair | None) -> Json | None:
    return None if repair is None else {"id": repair.id, "last_day": repair.last_day, "reason": repair.reason}


def charge_json(new: NewCharge) -> Json:
    charge = new.charge
    return {
        "id": new.id,
        "kind": charge.kind.value,
        "text": charge.text,
        "quantity": charge.quantity,
        "unit_price": charge.unit_price,
        "contested": charge.contested,
        "reason": charge.reason,
    }


def terms_json(sku: str, terms: ChargeTerms) -> Json:
    return {
        "sku": sku,
        "template": terms.template.value,
        "included_km": terms.included_km,
        "km_rate": terms.km_rate,
        "fuel_rate": terms.fuel_rate,
        "one_way_fee": terms.one_way_fee,
        "late_free_minutes": terms.late.free_minutes,
        "late_hour_percent": terms.late.hour_percent,
        "late_day_after_minutes": terms.late.day_after_minutes,
    }


# --- from the database ------------------------------------------------------------------------------------------------


def handed_of(told: Told) -> HandedBooking:
    left = told.get("deposit_left")
    return HandedBooking(
        booking_id=told["booking_id"],
        number=told["number"],
        order_id=told["order_id"],
        branch_id=told["branch_id"],
        unit_id=told["unit_id"],
        state=BookingState(told["state"]),
        version=told["version"],
        handed_at=None if told["handed_at"] is None else moment_of(told["handed_at"]),
        returned_at=None if told["returned_at"] is None else moment_of(told["returned_at"]),
        projections=projections_of(told),
        freed=freed_of(told),
        invoices=tuple(told["invoices"]),
        at_risk=tuple(map(risky_of, told["at_risk"])),
        now=moment_of(told["now"]),
        refunds=tuple(map(refund_of, told.get("refunds", ()))),
        deposit_left=None if left is None else Rupiah(left),
        to_pay=tuple(
            OpenFine(invoice_id=item["invoice_id"], total=Rupiah(item["total"]), contested=item["contested"])
            for item in told.get("to_pay", ())
        ),
    )


def risky_of(told: Told) -> RiskyBooking:
    return RiskyBooking(
        booking_id=str(told["booking_id"]),
        number=told["number"],
        unit_id=told["unit_id"],
        branch_id=told["branch_id"],
        state=BookingState(told["state"]),
        first_day=day_of(told["first_day"]),
        last_day=day_of(told["last_day"]),
    )


def refund_of(told: Told) -> DueRefund:
    return DueRefund(
        id=told["id"], invoice_id=told["invoice_id"], kind=RefundKind(told["kind"]), amount=Rupiah(told["amount"])
    )


def terms_of(told: Told) -> ChargeTerms:
    return ChargeTerms(
        template=Template(told["template"]),
        included_km=told["included_km"],
        km_rate=Rupiah(told["km_rate"]),
        fuel_rate=Rupiah(told["fuel_rate"]),
        one_way_fee=Rupiah(told["one_way_fee"]),
        late=LateRule(
            free_minutes=told["late_free_minutes"],
            hour_percent=told["late_hour_percent"],
            day_after_minutes=told["late_day_after_minutes"],
        ),
    )


def gate_line_of(told: Told) -> GateLine:
    return GateLine(
        name=GateName(told["line"]),
        reason=told["reason"],
        amount=Rupiah(told["amount"]),
        invoice_id=told["invoice_id"],
    )


def damage_of(told: Told) -> KnownDamage:
    return KnownDamage(
        mark=DamageMark(
            id=told["id"],
            view=View(told["view"]),
            x=told["x"],
            y=told["y"],
            type=DamageType(told["type"]),
            severity=Severity(told["severity"]),
            note=told["note"],
        ),
        inspection_id=told["inspection_id"],
        found_at=moment_of(told["found_at"]),
    )


def inspection_of(told: Told) -> InspectionRow:
    photos = tuple(
        PhotoRow(
            promise=PhotoPromise(
                id=item["id"], angle=Angle(item["angle"]), sha256=item["sha256"], damage_id=item["damage_id"]
            ),
            stored=item["stored"],
        )
        for item in told["photos"]
    )
    signature = told["signature"]
    return InspectionRow(
        kind=InspectionKind(told["kind"]),
        unit_id=told["unit_id"],
        inspection=Inspection(
            id=told["id"],
            done_at=moment_of(told["done_at"]),
            odometer=told["odometer"],
            fuel=told["fuel"],
            hours=told["hours"],
            accessories=told["accessories"],
            checks=tuple(
                Check(item=item["item"], good=item["good"], note=item.get("note") or "") for item in told["checks"]
            ),
            photos=tuple(photo.promise for photo in photos),
            signature=None
            if signature is None
            else Signature(
                signed=signature["signed"],
                witness=signature.get("witness") or "",
                reason=signature.get("reason") or "",
            ),
            note=told["note"],
        ),
        photos=photos,
        override=told["override"],
        recorded_at=moment_of(told["recorded_at"]),
        recorded_by=told["recorded_by"],
    )


def collateral_of(told: Told) -> Collateral:
    return Collateral(
        id=told["id"],
        booking_id=told["booking_id"],
        kind=CollateralKind(told["kind"]),
        what=told["what"],
        place=told["place"],
        state=CollateralState(told["state"]),
        taken_at=moment_of(told["taken_at"]),
        taken_by_name=told["taken_by_name"] or "",
        reason=told["reason"],
    )


def charge_of(told: Told) -> ChargeRow:
    return ChargeRow(
        id=told["id"],
        kind=ChargeKind(told["kind"]),
        text=told["text"],
        quantity=told["quantity"],
        unit_price=Rupiah(told["unit_price"]),
        found=Rupiah(told["amount"]),
        taxable=told["taxable"],
        standing=Standing(told["standing"]),
        reason=told["reason"],
        outcome=None if told["outcome"] is None else Outcome(told["outcome"]),
        invoice_id=told["invoice_id"],
        invoice_state=InvoiceState(told["invoice_state"]),
    )


def hold_of(told: Told) -> DepositHold:
    return DepositHold(
        id=told["id"],
        booking_id=told["booking_id"],
        amount=Rupiah(told["amount"]),
        until_on=day_of(told["until_on"]),
        reason=told["reason"],
        ended_at=None if told["ended_at"] is None else moment_of(told["ended_at"]),
    )
