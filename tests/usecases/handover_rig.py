"""Complete inspections and rentals on their way out and back, by real use cases on real servers."""

import datetime as dt
import hashlib
import uuid
from dataclasses import replace
from typing import Any

from app.bootstrap import Counter
from app.domain.days import RentalPeriod
from app.domain.inspection import (
    CHECKLISTS,
    REQUIRED_ANGLES,
    Angle,
    Check,
    DamageMark,
    DamageType,
    Inspection,
    PhotoPromise,
    Severity,
    Signature,
    Template,
    View,
)
from app.usecases.rows_handovers import CollateralKind, HandedBooking, HandingOver
from tests.support.world import AVANZA, START, World
from tests.usecases.change_rig import paid

TODAY = RentalPeriod(START.date(), START.date() + dt.timedelta(days=2))
"""1 to 3 March: goes out now, is due at 20:00 of the third day."""
SIGNED = Signature(signed=False, witness="Dedi", reason="tanda tangan di tablet")


def picture(name: str) -> bytes:
    """Bytes that look like a JPEG, other ones for each name."""
    return b"\xff\xd8\xff" + name.encode() * 20


def promise(name: str, angle: Angle, damage_id: str | None = None) -> PhotoPromise:
    return PhotoPromise(
        id=str(uuid.uuid4()), angle=angle, sha256=hashlib.sha256(picture(name)).hexdigest(), damage_id=damage_id
    )


def mark(view: View = View.LEFT) -> DamageMark:
    return DamageMark(id=str(uuid.uuid4()), view=view, x=120, y=500, type=DamageType.SCRATCH, severity=Severity.LIGHT)


def looked_at(world: World, template: Template = Template.CAR, **change: Any) -> Inspection:
    """A complete inspection of this moment: 1,000 km and a full tank unless said otherwise."""
    numbers: dict[str, Any] = {"odometer": 1_000, "fuel": 8}
    photos = [promise(angle.value, angle) for angle in REQUIRED_ANGLES[template]]
    photos += [promise(damage.id, Angle.DAMAGE, damage.id) for damage in change.get("damages", ())]
    whole = Inspection(
        id=str(uuid.uuid4()),
        done_at=world.now(),
        checks=tuple(Check(item=item, good=True) for item in CHECKLISTS[template]),
        photos=tuple(photos),
        signature=SIGNED,
        **numbers,
    )
    return replace(whole, **change)


def handing(**change: Any) -> HandingOver:
    return replace(HandingOver(id=str(uuid.uuid4()), signature=SIGNED), **change)


def prepared(world: World, period: RentalPeriod = TODAY, unit: str = AVANZA, **options: Any) -> str:
    """A paid booking whose gate is open for nobody to stop: contract printed, licence on file, collateral taken."""
    booking_id = paid(world, period, unit, **options)
    pass_gate(world, booking_id)
    return booking_id


def pass_gate(world: World, booking_id: str) -> None:
    """Do what closes the contract's, the licence's and the collateral's lines."""
    siti = world.counter("siti")
    facts = siti.contracts.contract(booking_id)
    siti.contracts.count_printing(facts, siti.new_id())
    world.do(
        "INSERT INTO sentra.customer_identity (customer_id, kind, masked, sealed, key_id)"
        " SELECT customer_id, 'LICENCE', '123456••••••7890', decode(repeat('00', 64), 'hex'), 'k' FROM sentra.booking"
        " WHERE id = %s ON CONFLICT DO NOTHING",
        booking_id,
    )
    world.do(
        "UPDATE sentra.customer SET licence_class = 'A', licence_expires_on = '2031-01-01'"
        " WHERE id = (SELECT customer_id FROM sentra.booking WHERE id = %s)",
        booking_id,
    )
    siti.rentals.collaterals.take_collateral(booking_id, siti.new_id(), CollateralKind.KTP, "Laci 2")


def out(world: World, dedi: Counter, booking_id: str, **change: Any) -> HandedBooking:
    """Check out and hand over now."""
    return dedi.rentals.handovers.check_out(booking_id, looked_at(world, **change), handing_over=handing())


def back(world: World, dedi: Counter, booking_id: str, **change: Any) -> HandedBooking:
    """Check in now, and give the collateral back."""
    done = dedi.rentals.handovers.check_in(booking_id, looked_at(world, **change))
    for item in dedi.rentals.handovers.basis(booking_id).collateral:
        dedi.rentals.collaterals.return_collateral(item.id)
    return done
