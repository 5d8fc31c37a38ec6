"""What the lines of an order are priced by, and their times: from what was wished for to what will be frozen."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from app.domain.catalogue import Sku
from app.domain.days import Days, RentalPeriod
from app.domain.errors import Refusal, RefusalCode, invalid
from app.domain.pricing import Quote, QuoteLine
from app.domain.rates import ChosenExtra, RateCard, day_offset
from app.domain.staff import Branch
from app.usecases.booking_input import BookLine, BookRequest
from app.usecases.holidays import holiday_days
from app.usecases.ports import Store
from app.usecases.rows_rates import KnownCustomer, LineBasis, PriceBasis, PriceQuestion


def price_question(lines: Sequence[BookLine], *, has_down_payment: bool = False) -> PriceQuestion:
    """What is to be read before these lines can be priced."""
    return PriceQuestion(
        skus=tuple(line.sku for line in lines),
        first_days=tuple(line.period.first for line in lines),
        extras=tuple(sorted({wish.code for line in lines for wish in line.extras})),
        has_discount=any(line.discount_percent for line in lines),
        has_down_payment=has_down_payment,
    )


def quote_lines(
    store: Store,
    lines: Sequence[BookLine],
    skus: Sequence[Sku],
    ids: Sequence[str],
    basis: PriceBasis,
    *,
    again: bool = False,
) -> tuple[QuoteLine, ...]:
    """Each line with the rates, extras and holidays of this moment; rates that are not dated are those of `skus`.

    Refuses extras that the branch has not and deposits below the least one; `again`, for an order that stands already,
    takes extras that were dropped since.
    """
    found, branch = [], basis.branch
    for number, (line, sku, booking_id) in enumerate(zip(lines, skus, ids, strict=True)):
        here = basis.lines[number] or LineBasis(sku=sku, min_days=1, rate=None)
        card = RateCard(weekday=sku.daily_rate) if here.rate is None else here.rate.card
        least = sku.deposit if here.rate is None else here.rate.deposit
        if line.deposit is not None and line.deposit < least and not again:
            raise invalid(f"lines[{number}].deposit", "too_low", given=line.deposit, least=least)
        pickup_at, due_at = rental_times(branch, line, basis.now, number)
        tolerance = dt.timedelta(minutes=branch.tolerance_minutes)
        offset = day_offset(pickup_at, due_at, line.period.count, tolerance) if branch.counts_hours else 0
        found.append(
            QuoteLine(
                booking_id=booking_id,
                sku=sku,
                period=line.period,
                extras=_extras(line, number, basis, again=again),
                discount_percent=line.discount_percent,
                deposit=least if line.deposit is None else line.deposit,
                card=card,
                day_offset=offset,
                min_days=here.min_days,
            )
        )
    return _with_holidays(store, branch, found)


def _with_holidays(store: Store, branch: Branch, lines: Sequence[QuoteLine]) -> tuple[QuoteLine, ...]:
    """The lines whose rates know holidays with those of their own days; the branch's table is read once for all."""
    priced = {
        line.booking_id: line.terms.priced_days(line.period) for line in lines if line.terms.card.holiday is not None
    }
    if not priced:
        return tuple(lines)
    span = Days(min(days.first for days in priced.values()), max(days.last for days in priced.values()))
    found = holiday_days(store, branch.id, span)
    return tuple(
        replace(line, holidays=frozenset(day for day in found if day in priced[line.booking_id]))
        if line.booking_id in priced
        else line
        for line in lines
    )


def _extras(line: BookLine, number: int, basis: PriceBasis, *, again: bool) -> tuple[ChosenExtra, ...]:
    known = {extra.code: extra for extra in basis.extras if again or extra.code in basis.offered}
    for wish in line.extras:
        if wish.code not in known:
            raise Refusal(RefusalCode.NOT_FOUND, field=f"lines[{number}].extras", next=(), extra=wish.code)
    return tuple(ChosenExtra(extra=known[wish.code], quantity=wish.quantity) for wish in line.extras)


def check_price(
    request: BookRequest, order_id: str, priced: Quote, basis: PriceBasis, blocked: KnownCustomer | None
) -> None:
    """Refuse PRICE_CHANGED when the order costs another sum than the person was shown, and APPROVAL_NEEDED for a
    discount above the person's limit or a customer with a code (`blocked`) without a manager's word; one word is for
    both, and then for that customer with that code only. Whether that word is good the database says."""
    costs = priced.total + priced.balance
    if request.expected_total is not None and request.expected_total != costs:
        raise Refusal(RefusalCode.PRICE_CHANGED, next=(), old=request.expected_total, new=costs)
    highest = max(line.discount_percent for line in request.lines)
    is_too_high = highest > basis.discount_limit
    if request.approval_id is None and (is_too_high or blocked is not None):
        said: dict[str, object] = {"action": "discount", "object": order_id}
        if blocked is not None:
            thing = f"{order_id}:{blocked.customer.id}:{blocked.blocked}"
            said |= {"action": "blocked_customer", "object": thing, "blocked": blocked.blocked}
        if is_too_high:
            said |= {"amount": priced.discount, "limit": basis.discount_limit}
        raise Refusal(RefusalCode.APPROVAL_NEEDED, field="approval_id", next=(), reason="missing", **said)


def check_due(lines: Sequence[BookLine], basis: PriceBasis) -> None:
    """Refuse an hour of return that has passed, naming `lines[…].due_at`; pick-up may have been earlier today. Without
    one the unit is due at the day's end at the latest, also in its last second."""
    for number, line in enumerate(lines):
        _, due_at = rental_times(basis.branch, line, basis.now, number)
        if line.due_time is not None and due_at <= basis.now:
            raise invalid(f"lines[{number}].due_at", "past", due_at=due_at)


def rental_times(branch: Branch, line: BookLine, now: dt.datetime, number: int) -> tuple[dt.datetime, dt.datetime]:
    """When the customer comes and when the unit is due, at least a second apart.

    As given with the line; else pick-up is now when it starts today, or at opening. Due by `calendar` is closing time
    of the last day, by `24h` the pick-up's time of day; at the day's end when that has passed by then, or by now.
    """
    period, zone = line.period, branch.zone
    local = now.astimezone(zone)
    opens, closes = dt.time.fromisoformat(branch.opens_at), dt.time.fromisoformat(branch.closes_at)
    pickup = local if period.first == local.date() else dt.datetime.combine(period.first, opens, zone)
    if line.pickup_time is not None:
        pickup = dt.datetime.combine(period.first, line.pickup_time, zone)
    by_hours = branch.counts_hours and period.count > 1
    due = dt.datetime.combine(period.last, pickup.time() if by_hours else closes, zone)
    if line.due_time is not None:
        due = dt.datetime.combine(period.last, line.due_time, zone)
        if due <= pickup:
            raise _reversed(period, number)
    elif due <= max(pickup, local):
        due = dt.datetime.combine(period.last, dt.time(23, 59, 59), zone)
        pickup = min(pickup, due - dt.timedelta(seconds=1))
    return pickup.astimezone(dt.UTC), due.astimezone(dt.UTC)


def _reversed(period: RentalPeriod, number: int) -> Refusal:
    return Refusal(
        RefusalCode.PERIOD_INVALID,
        field=f"lines[{number}].due_time",
        next=(),
        reason="reversed",
        first=period.first,
        last=period.last,
    )
