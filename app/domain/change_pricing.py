"""What a change of a booking costs: rent of the days that are added or given up, at the rate frozen on the booking.

Each invoice has one PPN over its taxable lines, by the day it was made. What a change gives back of a settled invoice
is the difference of its price with and without those days, so that several refunds add up to the Rupiah.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.money import ZERO, Rupiah, ppn_on_top, ppn_rate
from app.domain.staff import Branch


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One invoice with rent of the booking that changes. All amounts are before a PPN on top.

    `taxable` is all of it, `rent` this booking's. `given_back` was promised or paid back of all of it,
    `given_back_here` of this booking; `due` of that is not paid out yet and stands in a refund of `due_amount`.
    """

    is_open: bool
    made_on: dt.date
    taxable: Rupiah
    rent: Rupiah
    given_back: Rupiah = ZERO
    given_back_here: Rupiah = ZERO
    due: Rupiah = ZERO
    due_amount: Rupiah = ZERO


def payable(branch: Branch, taxable: int, on: dt.date) -> Rupiah:
    """A taxable sum as it is paid: with its PPN where the branch adds it on top."""
    if branch.has_ppn and not branch.prices_include_ppn:
        return Rupiah(taxable + ppn_on_top(Rupiah(taxable), ppn_rate(on)).tax)
    return Rupiah(taxable)


def difference_of_unpaid(branch: Branch, paper: Paper, rent: int) -> Rupiah:
    """What the open invoice of an unpaid order costs more when its rent grows by `rent` (which may be negative)."""
    return Rupiah(_grown(branch, paper, rent))


def difference_of_paid(branch: Branch, papers: Sequence[Paper], rent: int, on: dt.date) -> Rupiah:
    """What a change of a paid booking costs: positive to pay, negative to give back.

    More rent first takes back refunds that are still due, then grows the open balance or makes one on the day `on`.
    Less rent first shrinks the open balance, then is given back of settled invoices, the newest first.
    """
    opened = next((paper for paper in papers if paper.is_open), None)
    settled = [paper for paper in papers if not paper.is_open]
    total, rest = 0, abs(rent)
    if rent > 0:
        for paper in settled:
            back = min(rest, paper.due)
            total += _taken_back(branch, paper, back)
            rest -= back
        if rest:
            total += payable(branch, rest, on) if opened is None else _grown(branch, opened, rest)
    else:
        if opened is not None:
            less = min(rest, opened.rent)
            total += _grown(branch, opened, -less)
            rest -= less
        for paper in settled:
            back = min(rest, paper.rent - paper.given_back_here)
            total -= _worth(branch, paper, paper.given_back, paper.given_back + back)
            rest -= back
    return Rupiah(total)


def _grown(branch: Branch, paper: Paper, rent: int) -> int:
    return payable(branch, paper.taxable + rent, paper.made_on) - payable(branch, paper.taxable, paper.made_on)


def _taken_back(branch: Branch, paper: Paper, back: int) -> int:
    """What a refund that is still due gets smaller by; all of it when no day of it is left."""
    if back == paper.due:
        return paper.due_amount
    return _worth(branch, paper, paper.given_back - back, paper.given_back)


def _worth(branch: Branch, paper: Paper, before: int, after: int) -> int:
    """What it is worth of a settled invoice when `after` instead of `before` is given back of it."""
    return payable(branch, paper.taxable - before, paper.made_on) - payable(
        branch, paper.taxable - after, paper.made_on
    )
