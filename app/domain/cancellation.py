"""What the end of a paid booking gives back: the ladder before pick-up, all but the first day's rent for a no-show.

Deposits and extras that are not taxable come back whole: nothing was done for them.

Of rent that was paid, part is given back invoice by invoice, the newest first, each with its own PPN to the Rupiah: an
invoice's refunds of rent are together its price with and without what was given back. Defaults of the seed's ladder:
from 48 hours before pick-up all of it, from 24 hours half of it, later nothing.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.booking import Action
from app.domain.change_pricing import payable
from app.domain.money import ZERO, PpnPlace, Rupiah, half_up

NO_SHOW_AFTER = dt.timedelta(hours=2)
"""A customer who has not come so long after pick-up has not shown up."""

_HOUR = dt.timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderStep:
    """From so many hours before pick-up on, this percent (0 to 100) of the rent is given back."""

    hours_before: int
    percent: int


DEFAULT_LADDER = (LadderStep(hours_before=48, percent=100), LadderStep(hours_before=24, percent=50))


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidPaper:
    """One settled invoice with something of the booking on it. Rents are before a PPN on top.

    `taxable` is all of its rent, of which `given_back` was given back so far, for `refunded` Rupiah with its PPN, by
    refunds that stay as they are: those of changes that are not paid out yet are written anew after this end's.
    `rent`, `untaxed` (extras that are not taxable) and `deposit` are what is left there of this booking.
    """

    made_on: dt.date
    ppn_place: PpnPlace
    taxable: Rupiah
    given_back: Rupiah
    refunded: Rupiah
    rent: Rupiah
    deposit: Rupiah
    untaxed: Rupiah = ZERO


@dataclass(frozen=True, slots=True, kw_only=True)
class CancellationEffect:
    """What is given back, and the fee: rent and extras that were paid and are kept. All with their PPN.

    `percent` is the step of the ladder, None for a no-show. `hours_before` pick-up are whole hours, negative after it.
    """

    rent_back: Rupiah
    deposit_back: Rupiah
    fee: Rupiah
    percent: int | None
    hours_before: int

    @property
    def back(self) -> Rupiah:
        """All that is given back."""
        return Rupiah(self.rent_back + self.deposit_back)


def percent_back(ladder: Sequence[LadderStep], ahead: dt.timedelta) -> int:
    """The percent of the highest step that this long before pick-up still reaches; 0 below the lowest."""
    reached = [step for step in ladder if ahead >= step.hours_before * _HOUR]
    return max(reached, key=lambda step: (step.hours_before, step.percent)).percent if reached else 0


def is_no_show(pickup_at: dt.datetime, now: dt.datetime) -> bool:
    """Whether a booking whose customer has not come may be ended as a no-show."""
    return now >= pickup_at + NO_SHOW_AFTER


def effect_of(
    action: Action,
    papers: Sequence[PaidPaper],
    *,
    pickup_at: dt.datetime,
    now: dt.datetime,
    day_rent: Rupiah,
    ladder: Sequence[LadderStep] = DEFAULT_LADDER,
) -> CancellationEffect:
    """What ending the booking now gives back. `papers` are its settled invoices, the newest first; `day_rent` is what
    its first day costs, which a no-show keeps."""
    ahead = pickup_at - now
    percent = None if action is Action.NO_SHOW else percent_back(ladder, ahead)
    paid_rent = sum(paper.rent for paper in papers)
    rest = max(0, paid_rent - day_rent) if percent is None else half_up(paid_rent * percent, 100)
    rent_back, paid = 0, 0
    for paper in papers:
        part = min(rest, paper.rent)
        rest -= part
        rent_back += _given_back(paper, part) + paper.untaxed
        paid += _given_back(paper, paper.rent) + paper.untaxed
    return CancellationEffect(
        rent_back=Rupiah(rent_back),
        deposit_back=Rupiah(sum(paper.deposit for paper in papers)),
        fee=Rupiah(paid - rent_back),
        percent=percent,
        hours_before=ahead // _HOUR,
    )


def _given_back(paper: PaidPaper, part: int) -> int:
    """The money for so much more rent of an invoice."""
    if part == 0:
        return 0
    whole = payable(paper.ppn_place, paper.taxable, paper.made_on)
    return whole - payable(paper.ppn_place, paper.taxable - paper.given_back - part, paper.made_on) - paper.refunded
