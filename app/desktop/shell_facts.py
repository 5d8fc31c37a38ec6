"""What the shell shows of the session: who works here, and which cash shift is open."""

import datetime as dt
from dataclasses import dataclass
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """Who works here: what the shell shows of the session."""

    person: str
    roles: tuple[str, ...]
    branch: str
    counter: str
    zone: ZoneInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenShift:
    """The shift fact of the status bar."""

    number: int
    opened_at: dt.datetime
