"""What customers leave, and photos of inspections: small steps beside a rental's own."""

from __future__ import annotations

import hashlib

from app.domain.errors import invalid
from app.domain.inspection import MAX_NOTE, MAX_PHOTO_BYTES
from app.domain.staff import StaffMember, require_role
from app.usecases.approvals import checked_reason
from app.usecases.booking_input import checked_uuid
from app.usecases.handovers import AT_THE_COUNTER, INSPECTOR
from app.usecases.index_work import IndexWork
from app.usecases.ports import Store
from app.usecases.ports_handovers import PhotoStore
from app.usecases.rows_handovers import Collateral, CollateralKind

MAX_PLACE = 60


class Collaterals:
    """What customers leave as security, by one logged-in person at one counter."""

    def __init__(self, store: Store, work: IndexWork, who: StaffMember) -> None:
        self._store = store
        self._work = work
        self._who = who

    def take_collateral(
        self, booking_id: str, collateral_id: str, kind: CollateralKind, place: str, what: str = ""
    ) -> Collateral:
        """Take something and say where it lies. `collateral_id` is the client's UUID: again, it answers the same."""
        require_role(self._who, AT_THE_COUNTER, "take_collateral")
        booking, wanted = checked_uuid(booking_id, "booking_id"), checked_uuid(collateral_id, "id")
        where, which = _line("place", place, MAX_PLACE), _line("what", what, MAX_NOTE)
        if not where:
            raise invalid("place", "empty")
        done = self._store.transact(lambda tx: tx.take_collateral(wanted, booking, kind, which, where), one_call=True)
        return self._told(done)

    def return_collateral(self, collateral_id: str) -> Collateral:
        """Given back to the customer; given back already, it answers the same."""
        return self._end(collateral_id, kept=False, reason="")

    def keep_collateral(self, collateral_id: str, reason: str) -> Collateral:
        """Kept beyond the return, for a reason. It can still be given back later."""
        return self._end(collateral_id, kept=True, reason=checked_reason(reason))

    def _end(self, collateral_id: str, *, kept: bool, reason: str) -> Collateral:
        require_role(self._who, AT_THE_COUNTER, "end_collateral")
        wanted = checked_uuid(collateral_id, "id")
        return self._told(
            self._store.transact(lambda tx: tx.end_collateral(wanted, kept=kept, reason=reason), one_call=True)
        )

    def _told(self, done: Collateral) -> Collateral:
        self._work.announce(self._who.branch.id, "booking", done.booking_id)
        return done


class DatabasePhotos:
    """`PhotoStore` in the database, in a table of its own."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def save(self, photo_id: str, content: bytes) -> bool:
        """True when the bytes were there before."""
        return self._store.transact(lambda tx: tx.save_photo(photo_id, content), one_call=True)

    def content(self, photo_id: str) -> bytes | None:
        return self._store.read.photo_content(photo_id)


class Photos:
    """Photos of inspections, by one logged-in person. Bytes come re-encoded, without what the camera wrote along."""

    def __init__(self, photos: PhotoStore, who: StaffMember) -> None:
        self._photos = photos
        self._who = who

    def save_photo(self, photo_id: str, content: bytes) -> bool:
        """Store the bytes of a photo that an inspection promised; True when they were there before. Safe to repeat.

        Refuses NOT_FOUND until the inspection is recorded, FIELD_INVALID for other bytes than the promised ones, for
        what is no JPEG or PNG, and above 1.5 MB.
        """
        require_role(self._who, AT_THE_COUNTER, "save_photo")
        wanted = checked_uuid(photo_id, "photo_id")
        check_photo(content)
        return self._photos.save(wanted, content)

    def photo(self, photo_id: str) -> bytes | None:
        """The bytes of a photo; None until they have arrived."""
        require_role(self._who, AT_THE_COUNTER | INSPECTOR, "photo")
        return self._photos.content(checked_uuid(photo_id, "photo_id"))


def photo_hash(content: bytes) -> str:
    """What an inspection promises of a photo: SHA-256 of its bytes, in hex."""
    return hashlib.sha256(content).hexdigest()


def check_photo(content: bytes) -> None:
    """Refuse what is no JPEG or PNG, or larger than 1.5 MB."""
    if not content:
        raise invalid("photo", "empty")
    if len(content) > MAX_PHOTO_BYTES:
        raise invalid("photo", "too_large", length=len(content), most=MAX_PHOTO_BYTES)
    if not content.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")):
        raise invalid("photo", "not_valid")


def _line(field: str, text: str, most: int) -> str:
    said = " ".join(text.split())
    if len(said) > most:
        raise invalid(field, "too_long", length=len(said), most=most)
    if not said.isprintable():
        raise invalid(field, "control_characters")
    return said
