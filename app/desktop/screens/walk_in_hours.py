"""Hours of a walk-in where the branch counts days by 24 hours: what an empty field means, what is wrong. Pure."""

import datetime as dt
from dataclasses import dataclass

from app.desktop.screens.walk_in_form import FormField, Problem, WalkInForm
from app.domain.rates import day_offset
from app.domain.staff import Branch


@dataclass(frozen=True, slots=True, kw_only=True)
class Hours:
    """Pick-up and due of the form's own unit, as the booking will have them. An empty field is now on the day itself,
    opening on a later one; due at the pick-up's time of day, at closing of a single day.
    """

    pickup: dt.time
    due: dt.time
    offset: int
    """How many days fewer are paid for than dates are touched; 0, -1 or -2."""

    @property
    def dates_more(self) -> int:
        """Dates that a length of so many days touches more than it has days."""
        return -self.offset


def hours_of(branch: Branch, form: WalkInForm, now: dt.datetime) -> Hours | None:
    """None where the branch counts dates."""
    if not branch.counts_hours:
        return None
    local = now.astimezone(branch.zone)
    is_today = form.first_day is None or form.first_day == local.date()
    start = local.time().replace(second=0, microsecond=0) if is_today else dt.time.fromisoformat(branch.opens_at)
    pickup = form.pickup_time or start
    is_one_day = form.first_day is not None and form.first_day == form.last_day
    due = form.due_time or (dt.time.fromisoformat(branch.closes_at) if is_one_day else pickup)
    day = dt.date(2000, 1, 1)  # any: the two times of day alone decide
    offset = day_offset(
        dt.datetime.combine(day, pickup),
        dt.datetime.combine(day, due),
        1,
        dt.timedelta(minutes=branch.tolerance_minutes),
    )
    return Hours(pickup=pickup, due=due, offset=offset)


def hour_problems(form: WalkInForm, hours: Hours | None) -> list[tuple[FormField, Problem]]:
    """What is no time of day, and a return that is not after the pick-up."""
    if hours is None:
        return []
    found = []
    if form.pickup_text.strip() and form.pickup_time is None:
        found.append((FormField.PICKUP, Problem.TIME))
    if form.due_text.strip() and form.due_time is None:
        found.append((FormField.DUE, Problem.TIME))
    is_one_day = form.first_day is not None and form.first_day == form.last_day
    if not found and is_one_day and form.due_time is not None and hours.due <= hours.pickup:
        found.append((FormField.DUE, Problem.DUE_FIRST))
    return found


def is_outside(branch: Branch, at: dt.time) -> bool:
    """Nobody is at the branch then."""
    opens, closes = (dt.time.fromisoformat(text) for text in (branch.opens_at, branch.closes_at))
    return not opens <= at <= closes if opens <= closes else False
