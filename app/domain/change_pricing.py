"""What a change of a booking costs: rent of the days that are added or given up, at the rate frozen on the booking.

Each invoice has one PPN over its taxable lines, where it has it and by the day it was made: what its branch has become
since then is of no account. What is due back of a settled invoice is the difference of its price with and without the
days that were given up, less what was paid back: whichever changes led there, refunds add up to the Rupiah.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.money import ZERO, PpnPlace, Rupiah, ppn_on_top, ppn_rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One invoice with rent of the booking that changes. Rents are before a PPN on top.

    `taxable` is all of its rent, `rent` this booking's. `given_back` was promised or paid back of all of it,
    `given_back_here` of this booking; `due` of that is not paid out yet. Refunds of changes that are not paid out yet,
    this booking's and others', amount to `due_amount`; `paid_back` is the money that was paid out, or is told for good.
    """

    is_open: bool
    made_on: dt.date
    ppn_place: PpnPlace
    taxable: Rupiah
    rent: Rupiah
    given_back: Rupiah = ZERO
    given_back_here: Rupiah = ZERO
    due: Rupiah = ZERO
    due_amount: Rupiah = ZERO
    paid_back: Rupiah = ZERO


def payable(place: PpnPlace, taxable: int, on: dt.date) -> Rupiah:
    """A taxable sum as it is paid: with its PPN where that comes on top."""
    if place is PpnPlace.ON_TOP:
        return Rupiah(taxable + ppn_on_top(Rupiah(taxable), ppn_rate(on)).tax)
    return Rupiah(taxable)


def difference_of_unpaid(paper: Paper, rent: int) -> Rupiah:
    """What the open invoice of an unpaid order costs more when its rent grows by `rent` (which may be negative)."""
    return Rupiah(_grown(paper, rent))


def difference_of_paid(papers: Sequence[Paper], rent: int, place: PpnPlace, on: dt.date) -> Rupiah:
    """What a change of a paid booking costs: positive to pay, negative to give back.

    More rent first takes back refunds that are still due, then grows the open balance or makes one on the day `on`,
    with its PPN at `place`. Less rent first shrinks the open balance, then is given back of settled invoices, the
    newest first.
    """
    opened = next((paper for paper in papers if paper.is_open), None)
    settled = [paper for paper in papers if not paper.is_open]
    total, rest = 0, abs(rent)
    if rent > 0:
        for paper in settled:
            back = min(rest, paper.due)
            total -= _given_back(paper, -back)
            rest -= back
        if rest:
            total += payable(place, rest, on) if opened is None else _grown(opened, rest)
    else:
        if opened is not None:
            less = min(rest, opened.rent)
            total += _grown(opened, -less)
            rest -= less
        for paper in settled:
            back = min(rest, paper.rent - paper.given_back_here)
            total -= _given_back(paper, back)
            rest -= back
    return Rupiah(total)


def _grown(paper: Paper, rent: int) -> int:
    return _price(paper, rent) - _price(paper, 0)


def _given_back(paper: Paper, rent: int) -> int:
    """By how much what is due of a settled invoice grows when so much rent (or, negative, less) is given back of it."""
    if rent == 0:
        return 0
    worth = _price(paper, 0) - _price(paper, -(paper.given_back + rent))
    return worth - paper.paid_back - paper.due_amount


def _price(paper: Paper, rent: int) -> int:
    """The invoice's price with so much more rent on it, without deposits."""
    return payable(paper.ppn_place, paper.taxable + rent, paper.made_on)
