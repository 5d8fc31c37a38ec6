"""Operations: wait for a unit, and take one out of rent. Offers come with the part that makes them."""

from __future__ import annotations

from app.domain.days import Days
from app.domain.errors import Refusal, RefusalCode
from app.usecases.waitlist import WaitlistWish
from tests.faults.desk import Broken, Desk
from tests.faults.ops_booking import TAKEN
from tests.faults.registry import operation, refused
from tests.support.proxy import COMMIT

PEOPLE = 60
"""Few enough that two desks put the same customer on the list."""


@operation(weight=1)
def join_waitlist(desk: Desk) -> None:
    """Asked again, the place that is there is kept."""
    wish = WaitlistWish(
        sku=desk.some_unit().sku.code,
        period=desk.some_period(),
        customer_name="Rina Maharani",
        customer_phone=f"0813{desk.dice.randrange(PEOPLE):08}",
    )
    desk.history.write("asked", op="join")
    if desk.dice.random() < 0.1:
        desk.lose_an_answer(COMMIT)
    try:
        joined = desk.settled(lambda: desk.counter.waitlist.join_waitlist(wish))
    except Refusal as no:
        refused(desk, "join", no, frozenset())
        return
    entry = joined.entry
    desk.history.write("joined", entry_id=entry.id, sku=entry.sku, first=entry.period.first, kept=joined.already)
    desk.joined.append(entry.id)
    if (entry.sku, entry.period.first) != (wish.sku, wish.period.first):
        raise Broken("ANSWER", wished=str(wish), joined=str(entry))


@operation(weight=0.6)
def withdraw_waitlist(desk: Desk) -> None:
    """Withdrawn twice is withdrawn."""
    if not desk.joined:
        return
    entry_id = desk.joined.pop(desk.dice.randrange(len(desk.joined)))
    desk.history.write("asked", op="withdraw", entry_id=entry_id)
    try:
        desk.settled(lambda: desk.counter.waitlist.withdraw_waitlist(entry_id))
    except Refusal as no:
        refused(desk, "withdraw", no, frozenset())
        return
    desk.history.write("withdrawn", entry_id=entry_id)


@operation(weight=1)
def block_unit(desk: Desk) -> None:
    """Planned work on free days, now and then a breakdown; sent again it answers the same."""
    unit, period = desk.some_unit().unit.id, desk.some_period()
    days, breakdown, block = Days(period.first, period.last), desk.dice.random() < 0.1, desk.counter.new_id()
    maintenance = desk.counter.maintenance
    desk.history.write("asked", op="block", block_id=block)
    if desk.dice.random() < 0.2:
        desk.lose_an_answer(COMMIT)
    try:
        blocked = desk.settled(lambda: maintenance.block_unit(unit, days, "servis", breakdown, block))
        if desk.dice.random() < 0.2:
            again = desk.settled(lambda: maintenance.block_unit(unit, days, "servis", breakdown, block))
            if again.row != blocked.row:
                raise Broken("I13", block_id=block, first=str(blocked.row), again=str(again.row))
    except Refusal as no:
        refused(desk, "block", no, TAKEN | {RefusalCode.UNIT_NOT_RENTABLE}, block_id=block)
        return
    desk.history.write("blocked", block_id=block, unit_id=unit, first=days.first, last=days.last, breakdown=breakdown)
    desk.blocks.append(block)


@operation(weight=0.9)
def end_block(desk: Desk) -> None:
    """Before it begins it is cancelled, and its days are free at once."""
    if not desk.blocks:
        return
    block = desk.blocks.pop(desk.dice.randrange(len(desk.blocks)))
    desk.history.write("asked", op="unblock", block_id=block)
    if desk.dice.random() < 0.1:
        desk.lose_an_answer(COMMIT)
    try:
        desk.settled(lambda: desk.counter.maintenance.end_block(block))
    except Refusal as no:
        refused(desk, "unblock", no, frozenset())
        return
    desk.history.write("unblocked", block_id=block)
