"""The words of the settlement screen's state, and what it needs of a counter."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from app.domain.money import Rupiah
from app.domain.staff import StaffMember
from app.usecases.settlement import Settlement

BIG_CASH = 10_000_000
BIG_CHANGE = 1_000_000
MANY_TIMES_DUE = 10


class SettlementCounter(Protocol):
    """The part of a counter that settling needs."""

    @property
    def settlement(self) -> Settlement: ...

    @property
    def who(self) -> StaffMember: ...

    @property
    def counter_name(self) -> str: ...


class Phase(Enum):
    """Where this settlement stands; how urgent an OPEN lock is comes from its seconds (`lock_state`)."""

    CLOSED = auto()
    VIEWING = auto()
    ACQUIRING = auto()
    OPEN = auto()
    LOST = auto()
    COMMITTING = auto()
    UNKNOWN = auto()
    PAID = auto()


class Notice(Enum):
    """What the message area says; the sentences are the view's."""

    NONE = auto()
    CONFIRM = auto()
    NOT_WRITTEN = auto()
    TOTAL_CHANGED = auto()
    CLOCK_JUMPED = auto()
    PAID_ELSEWHERE = auto()
    SHIFT_OPENED = auto()
    NOT_KEPT = auto()
    KEPT = auto()
    PART = auto()
    WHOLE = auto()
    UNROUND = auto()
    WORD = auto()
    CODE_LIVE = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalChange:
    before: Rupiah
    after: Rupiah
