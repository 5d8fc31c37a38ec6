"""Frozen rows of units out of rent, of holidays, and of other branches' free units."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

from app.domain.catalogue import MaintenanceState
from app.domain.days import Days
from app.usecases.index_port import Projection
from app.usecases.rows import Blocker, FreedStretch


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintenanceRow:
    """A maintenance block. `days` is all of it or, of a breakdown, the estimate; booked days in it stay booked."""

    id: str
    unit_id: str
    plate: str
    days: Days
    state: MaintenanceState
    breakdown: bool
    reason: str
    created_by_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBlock:
    """A block as the database is given it. `id` is the client's UUID: sent again, it answers the same."""

    id: str
    unit_id: str
    days: Days
    reason: str
    breakdown: bool
    counter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedUnit:
    """A block as it stands now, with what the index has to know.

    `blockers` are the bookings at risk inside a breakdown's estimate (none for planned work: that is refused), `freed`
    the stretches that came free when it ended early.
    """

    row: MaintenanceRow
    blockers: tuple[Blocker, ...]
    projections: tuple[Projection, ...]
    freed: tuple[FreedStretch, ...]


class HolidaySource(StrEnum):
    """`calendar` is the national calendar; `branch` is what a manager of the branch added or renamed."""

    CALENDAR = "calendar"
    BRANCH = "branch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Holiday:
    """`joint_leave` is cuti bersama: no public holiday, but branches close and demand rises alike."""

    day: dt.date
    name: str
    joint_leave: bool
    source: HolidaySource


@dataclass(frozen=True, slots=True, kw_only=True)
class HolidayEdit:
    """What a branch's own table says of a day: a name that was added, or None where the day was removed."""

    day: dt.date
    name: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchRow:
    id: str
    code: str
    name: str
