"""When to try again something that keeps ending: at once, then after growing pauses."""

from dataclasses import dataclass

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0


@dataclass(slots=True)
class Pauses:
    """Times are seconds of the monotonic clock. A run longer than the longest pause counts as a good one."""

    due_at: float = 0.0
    _next: float = 0.0
    _began: float = 0.0

    def started(self, now: float) -> None:
        """It was started now."""
        self._began = now

    def ended(self, now: float) -> None:
        """It ended, or could not start, now: `due_at` says when it may be tried again."""
        if now - self._began > LONGEST_PAUSE:
            self._next = 0.0
        self.due_at = now + self._next
        self._next = min(LONGEST_PAUSE, max(FIRST_PAUSE, self._next * 2))
