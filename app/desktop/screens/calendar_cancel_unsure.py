"""A booking that was written to and did not answer: it is asked for until its state says what became of it."""

from abc import abstractmethod
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from app.desktop.commands import call, command
from app.desktop.viewmodel import ViewModel
from app.domain.errors import Refusal, RefusalCode
from app.usecases.rows_cancellations import EndingFacts

ASK_SECONDS = 3.0
# A little more than the least pause: a timer may fire early.
ASK_MS = 3200
ASKS_UNTIL_NOT_WRITTEN = 2


def is_unsure_answer(no: Refusal) -> bool:
    """Nothing came back, and what was sent may have been written."""
    return no.code is RefusalCode.UNREACHABLE and no.params.get("outcome") == "unknown"


class UnsureViewModel(ViewModel):
    """Of at most one booking it is not known what became of it; nothing else is sent meanwhile.

    "As before" counts after two answers 3 s apart: what waited for the booking's row by then has ended or written.
    """

    def __init__(
        self,
        facts: Callable[[str], EndingFacts],
        steady: Callable[[], float],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._facts = facts
        self._steady = steady
        self.unsure: str | None = None
        self._as_before = (0, 0.0)
        self._ask_wait = QTimer(self)
        self._ask_wait.setSingleShot(True)
        self._ask_wait.setInterval(ASK_MS)
        self._ask_wait.timeout.connect(self.ask_again)

    @abstractmethod
    def is_written(self, facts: EndingFacts) -> bool:
        """Whether the booking is as the sent change would make it."""

    @abstractmethod
    def finish(self, facts: EndingFacts | None) -> None:
        """It is known now: written, as `facts` say, or (None) not written."""

    @command
    async def resolve(self) -> None:
        """Ask for the booking whose answer is missing."""
        booking_id = self.unsure
        self._ask_wait.stop()
        if booking_id is None:
            return
        try:
            facts = await call(self._facts, booking_id)
        except Refusal:
            self._as_before = (0, 0.0)
            self._ask_wait.start()
            return
        if self.is_written(facts):
            self.unsure = None
            self.finish(facts)
        elif self._is_enough():
            self.unsure = None
            self.finish(None)
        else:
            self._ask_wait.start()

    def ask_again(self) -> None:
        """The pause has passed."""
        if self.unsure is not None and not self.resolve() and not self.is_closed:
            self._ask_wait.start()

    def begin_asking(self, booking_id: str) -> None:
        """No answer came for this booking."""
        self.unsure = booking_id
        self._as_before = (0, 0.0)
        self._ask_wait.start()

    def close(self) -> None:
        self._ask_wait.stop()
        super().close()

    def _is_enough(self) -> bool:
        """Note one more "as before"."""
        count, at = self._as_before
        now = self._steady()
        if count and now - at < ASK_SECONDS:
            return False
        self._as_before = (count + 1, now)
        return count + 1 >= ASKS_UNTIL_NOT_WRITTEN
