"""What the engine tells of itself: whether a service sweeps, when the index last drifted, effects that wait."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

SERVICE_SILENT_SECONDS = 15
"""A service beats every 2 s and never more than 5 s apart; after this long nobody ends what is not paid."""


class FoundBy(StrEnum):
    RECONCILE = "reconcile"
    DOCTOR = "doctor"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDrift:
    """A comparison that found differences: units, findings by kind (`key`, `packed`, `version`, …), findings mended."""

    found_by: FoundBy
    units: int
    findings: int
    kinds: Mapping[str, int]
    repaired: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftRecord(NewDrift):
    """One as it stands on record."""

    found_at: dt.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineState:
    """Read in one statement. `service_beat_at` and `service_trouble` are those of one service: of all that are not
    silent the one with the least trouble. None when there is none."""

    now: dt.datetime
    service_beat_at: dt.datetime | None
    service_trouble: str = ""
    drift: DriftRecord | None = None

    @property
    def somebody_sweeps(self) -> bool:
        """Whether what is not paid ends on time: a service works, and its sweep gets on."""
        return self.service_runs and "expire" not in self.service_trouble.split(", ")

    @property
    def service_runs(self) -> bool:
        """Whether somebody sweeps: by the database's clock alone."""
        beat = self.service_beat_at
        return beat is not None and (self.now - beat).total_seconds() <= SERVICE_SILENT_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxState:
    """Effects of one kind that are not done: waiting ones, those given up, and the last error told."""

    kind: str
    waiting: int
    given_up: int
    error: str
