"""Which order a wish belongs to: whoever was refused today and asks again at this counter made one wish, not two."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from app.desktop.screens.walk_in_form import WalkInForm
from app.desktop.typed import typed_phone
from app.domain.errors import Refusal, RefusalCode
from app.usecases.bookings import BookLine

MOST_KEPT = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedWish:
    """What a customer could not have, under the order it was asked for by. `who` is an id, a phone number, or both."""

    order_id: str
    who: frozenset[str]
    lines: tuple[BookLine, ...]
    on: dt.date


class RefusedWishes:
    """Refused orders of this counter and day whose form is gone, while nothing was sent under their id since.

    The same customer, a SKU of the refused ones and overlapping days are the same wish: it goes on under the refused
    order's id, so that lost demand counts it once, and not at all once it is booked. Kept in memory only.
    """

    def __init__(self) -> None:
        self._kept: dict[str, RefusedWish] = {}

    def rejoined(
        self, form: WalkInForm, lines: Sequence[BookLine], today: dt.date, *, may_use: Callable[[str], bool]
    ) -> WalkInForm:
        """This form under the id of the wish it goes on with; as it is when it has been sent before."""
        if form.was_sent or form.sent_content or form.earlier_ids or form.order_id in self._kept:
            return form
        for wish in reversed(tuple(self._kept.values())):
            if wish.on == today and wish.who & _who(form) and _overlap(wish.lines, lines) and may_use(wish.order_id):
                return replace(form, order_id=wish.order_id)
        return form

    def take(self, order_id: str) -> RefusedWish | None:
        """It is sent again: until the answer is there, its id is nobody else's."""
        return self._kept.pop(order_id, None)

    def note_answer(
        self, no: Refusal, form: WalkInForm, lines: Sequence[BookLine], today: dt.date, known: RefusedWish | None
    ) -> None:
        """A "no" that wrote nothing; `known` is what was taken when it was sent."""
        if no.code is RefusalCode.DAYS_TAKEN:
            known = RefusedWish(order_id=form.order_id, who=_who(form), lines=tuple(lines), on=today)
        elif no.code in (RefusalCode.UNREACHABLE, RefusalCode.DUPLICATE):
            return
        if known is not None:
            self._kept[known.order_id] = known
            while len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]


def _who(form: WalkInForm) -> frozenset[str]:
    phone = form.customer_phone if form.customer_id is not None else form.customer_text
    known = (form.customer_id, form.new_customer_id, typed_phone(phone))
    return frozenset(one for one in known if one)


def _overlap(refused: Sequence[BookLine], wanted: Sequence[BookLine]) -> bool:
    return any(
        one.sku == other.sku and one.period.first <= other.period.last and other.period.first <= one.period.last
        for one in refused
        for other in wanted
    )
