"""One look at a unit on its way out or back while it is filled in: six sections in any order, and what they lack."""

import datetime as dt
from dataclasses import dataclass, replace
from enum import IntEnum

from app.domain.inspection import (
    CHECKLISTS,
    REQUIRED_ANGLES,
    Angle,
    Check,
    DamageMark,
    Inspection,
    InspectionKind,
    PhotoPromise,
    Signature,
    Template,
    missing_parts,
)
from app.usecases.rows_handovers import GateOverride, HandingOver


class Section(IntEnum):
    """In the order of the progress strip; the number is the key beside Alt."""

    GATE = 1
    READINGS = 2
    CHECKLIST = 3
    PHOTOS = 4
    DAMAGE = 5
    SIGNATURE = 6


_SECTIONS = {
    "odometer": Section.READINGS,
    "fuel": Section.READINGS,
    "hours": Section.READINGS,
    "accessories": Section.READINGS,
    "checks": Section.CHECKLIST,
    "photos": Section.PHOTOS,
    "damages": Section.DAMAGE,
    "signature": Section.SIGNATURE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoverForm:
    """`inspection_id` and `handing_id` are made once, with the form: sent again, it happened once.

    `true_at` is set when the step is entered later than it happened. `finished_at` is the moment it was finished: from
    then on nothing of it changes until the server agrees or refuses. `hands_over` is False for a delivery, whose
    customer takes the unit later; of a return it says nothing.
    """

    booking_id: str
    kind: InspectionKind
    template: Template
    inspection_id: str
    handing_id: str
    odometer: int | None = None
    fuel: int | None = None
    hours: int | None = None
    accessories: int | None = None
    checks: tuple[Check, ...] = ()
    damages: tuple[DamageMark, ...] = ()
    photos: tuple[PhotoPromise, ...] = ()
    signature: Signature | None = None
    note: str = ""
    hands_over: bool = True
    override_reason: str = ""
    approval_id: str | None = None
    true_at: dt.datetime | None = None
    finished_at: dt.datetime | None = None

    @property
    def is_finished(self) -> bool:
        return self.finished_at is not None

    @property
    def needs_signature(self) -> bool:
        return self.kind is InspectionKind.IN or self.hands_over

    @property
    def may_mark_all_good(self) -> bool:
        """Only after the photos: nobody ticks a list beside a unit that was not walked around."""
        taken = {photo.angle for photo in self.photos}
        return all(angle in taken for angle in REQUIRED_ANGLES[self.template])

    def check(self, item: str) -> Check | None:
        """What was said of a line; None while it was not looked at."""
        return next((check for check in self.checks if check.item == item), None)

    def with_check(self, item: str, good: bool | None, note: str = "") -> "HandoverForm":
        """A line is good, is not, or (None) was not looked at after all. Lines stand in the template's order."""
        kept = {check.item: check for check in self.checks if check.item != item}
        if good is not None:
            kept[item] = Check(item=item, good=good, note=note)
        order = CHECKLISTS[self.template]
        return replace(self, checks=tuple(kept[name] for name in order if name in kept))

    def with_all_good(self) -> "HandoverForm":
        """Lines that were not looked at are good; what was said of others stays. The same form before the photos."""
        if not self.may_mark_all_good:
            return self
        lines = tuple(self.check(item) or Check(item=item, good=True) for item in CHECKLISTS[self.template])
        return replace(self, checks=lines)

    def with_photo(self, photo: PhotoPromise) -> "HandoverForm":
        """A required angle and the signature have one photo, the newest; a damage may have several."""
        kept = (one for one in self.photos if photo.angle is Angle.DAMAGE or one.angle is not photo.angle)
        return replace(self, photos=(*(one for one in kept if one.id != photo.id), photo))

    def without_damage(self, damage_id: str) -> "HandoverForm":
        """A mark of this look is taken away, and its photos with it."""
        return replace(
            self,
            damages=tuple(mark for mark in self.damages if mark.id != damage_id),
            photos=tuple(photo for photo in self.photos if photo.damage_id != damage_id),
        )

    def missing(self) -> tuple[str, ...]:
        """What is to be filled in before it can be finished, as the domain names it, in the order of the sections."""
        found = set(missing_parts(self._inspection(dt.datetime.min.replace(tzinfo=dt.UTC)), self.template))
        if self.needs_signature and (self.signature is None or self._lacks_signed_photo()):
            found.add("signature")
        order = list(missing_parts(Inspection(id="", done_at=dt.datetime.min.replace(tzinfo=dt.UTC)), self.template))
        places = {part: place for place, part in enumerate(order)}
        return tuple(sorted(found, key=lambda part: (section_of(part), places.get(part, len(places)), part)))

    def inspection(self) -> Inspection:
        """The look as it is sent, at its true time. Only of a finished form."""
        return self._inspection(self._done_at())

    def handing_over(self) -> HandingOver | None:
        """The hand-over that is sent in the same step; None for a return or a delivery."""
        if self.kind is InspectionKind.IN or not self.hands_over or self.signature is None:
            return None
        signed = tuple(photo for photo in self.photos if photo.angle is Angle.SIGNATURE)
        return HandingOver(id=self.handing_id, signature=self.signature, at=self._done_at(), photos=signed)

    def override(self) -> GateOverride | None:
        if not self.override_reason:
            return None
        return GateOverride(reason=self.override_reason, approval_id=self.approval_id)

    # --- inside -------------------------------------------------------------------------------------------------------

    def _done_at(self) -> dt.datetime:
        done_at = self.true_at or self.finished_at
        if done_at is None:
            raise ValueError("a form that is not finished has no time")
        return done_at

    def _lacks_signed_photo(self) -> bool:
        signed = self.signature is not None and self.signature.signed
        return signed and all(photo.angle is not Angle.SIGNATURE for photo in self.photos)

    def _inspection(self, done_at: dt.datetime) -> Inspection:
        """The signature of a hand-over belongs to the hand-over, and its photo with it."""
        back = self.kind is InspectionKind.IN
        return Inspection(
            id=self.inspection_id,
            done_at=done_at,
            odometer=self.odometer,
            fuel=self.fuel,
            hours=self.hours,
            accessories=self.accessories,
            checks=self.checks,
            damages=self.damages,
            photos=tuple(photo for photo in self.photos if back or photo.angle is not Angle.SIGNATURE),
            signature=self.signature if back else None,
            note=self.note,
        )


def section_of(part: str) -> Section:
    """Where a missing part is filled in: `checks.jack` in the checklist."""
    return _SECTIONS[part.split(".")[0].split("[")[0]]
