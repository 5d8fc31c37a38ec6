"""Find anything by what is written on it: plate, unit, booking, invoice, a customer's name or phone. Reads only."""

from __future__ import annotations

import re
import unicodedata

from app.domain.customer import MIN_DIGITS, MIN_LETTERS
from app.domain.errors import invalid
from app.domain.staff import StaffMember
from app.usecases.ports import Store
from app.usecases.rows_search import SearchHit, SearchKind, SearchWish

MOST = 50
LONGEST = 80
LEAST_SIGNS = 2
"""Letters and figures below which nothing is searched: one sign would match a tenth of everything."""
_BOOKING = re.compile(r"(?:bk)?(\d{4,12})", re.ASCII)
_INVOICE = re.compile(r"inv[/ -]?([a-z0-9]{2,10})[/ -](\d{6})[/ -](\d{1,12})", re.ASCII)
_PLACE = re.compile(r"(?:inv[/ -]?)(\d{1,8})|(0\d{4})", re.ASCII)
_PLATE = re.compile(r"[a-z]{1,2}\d{1,4}[a-z]{0,3}", re.ASCII)


class Search:
    """Searches of one logged-in person: own branch's bookings and invoices, every branch's units, all customers."""

    def __init__(self, store: Store, who: StaffMember) -> None:
        self._store = store
        self._who = who

    def search(self, text: str, limit: int = 12) -> tuple[SearchHit, ...]:
        """At most `limit` hits in one statement, exact ones first; wildcards are plain signs."""
        if not 1 <= limit <= MOST:
            raise invalid("limit", "count", least=1, most=MOST, given=limit)
        if len(text) > LONGEST:
            raise invalid("text", "too_long", length=len(text), most=LONGEST)
        wish = understood(text, self._who.branch.id, limit)
        if wish is None:
            return ()
        hits = self._store.read.search(wish)
        return tuple(sorted(hits, key=_place)[:limit])


_ORDER = (SearchKind.UNIT, SearchKind.BOOKING, SearchKind.INVOICE, SearchKind.CUSTOMER)


def _place(hit: SearchHit) -> tuple[bool, int]:
    """Exact ones first. The sort is stable: within a kind the database's order stays.

    Of what only begins so a customer comes first: a name's own bookings stand under it.
    """
    if hit.is_exact:
        return False, _ORDER.index(hit.kind)
    return True, -1 if hit.kind is SearchKind.CUSTOMER else _ORDER.index(hit.kind)


def understood(text: str, branch_id: str, limit: int) -> SearchWish | None:
    """What this text may be; None when it is too little to look for."""
    clean = "".join(" " if unicodedata.category(sign) in {"Cc", "Cs", "Cf"} else sign for sign in text)
    typed = " ".join(clean.lower().split())
    plain = "".join(sign for sign in typed if sign in "abcdefghijklmnopqrstuvwxyz0123456789")
    digits = "".join(sign for sign in typed if sign in "0123456789")
    letters = sum(sign.isalpha() for sign in typed)
    if len(plain) < LEAST_SIGNS and letters < MIN_LETTERS:
        return None
    booking, invoice, place = _BOOKING.fullmatch(plain), _INVOICE.fullmatch(typed), _PLACE.fullmatch(typed)
    is_number = plain == digits and not any(sign.isalpha() for sign in typed)
    return SearchWish(
        branch_id=branch_id,
        limit=limit,
        unit_id=typed if len(plain) >= 3 and " " not in typed else "",
        plate=plain if _PLATE.fullmatch(plain) else "",
        plate_digits=digits if is_number and len(digits) <= 4 else "",
        booking=f"BK-{booking.group(1)}" if booking else "",
        invoice=f"INV/{invoice.group(1).upper()}/{invoice.group(2)}/{invoice.group(3)}" if invoice else "",
        invoice_place=(place.group(1) or place.group(2)).lstrip("0").rjust(5, "0") if place else "",
        customer=typed if len(digits) >= MIN_DIGITS or letters >= MIN_LETTERS else "",
    )
