"""Logging in: who may be at this counter, one password at a time, a pause after five wrong ones."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from app.desktop.commands import call, command
from app.desktop.viewmodel import ViewModel
from app.domain.errors import Refusal, RefusalCode, invalid

MOST_TRIES = 5
PAUSE_SECONDS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginPerson:
    """A tile: somebody who logged in here before (`was_here`), or a login of the demo branch with its password."""

    login: str
    name: str
    roles: tuple[str, ...]
    demo_password: str = ""
    was_here: bool = False


class LoginViewModel(ViewModel):
    """`signed_in` carries what `sign_in` returned. After five wrong passwords in a row it rests for 30 seconds."""

    signed_in = Signal(object)

    def __init__(
        self, sign_in: Callable[[str, str], object], people: tuple[LoginPerson, ...] = (), parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._sign_in = sign_in
        self.people = people
        self.chosen: LoginPerson | None = people[0] if people else None
        self.wrong_tries = 0
        self.pause_left = 0
        self.is_ready = True
        self._pause = QTimer(self)
        self._pause.setInterval(1000)
        self._pause.timeout.connect(self.pause_step)

    def set_people(self, people: tuple[LoginPerson, ...], *, keep_other: bool = False) -> None:
        """Show other tiles; the chosen person stays chosen if still there.

        With `keep_other` somebody else, whose login is being typed, stays chosen too.
        """
        before, self.people = self.chosen, people
        if before is not None or not keep_other:
            login = before.login if before else None
            self.chosen = next((p for p in people if p.login == login), people[0] if people else None)
        self.changed.emit()

    def set_ready(self, ready: bool) -> None:
        """False while the servers are still being started."""
        self.is_ready = ready
        self.changed.emit()

    def choose(self, person: LoginPerson | None) -> None:
        """Choose a tile; None is somebody else, whose login is typed."""
        self.chosen = person
        self.changed.emit()

    def may_sign_in(self) -> bool:
        return self.is_ready and self.pause_left == 0 and not self.is_busy("sign_in")

    @command
    async def sign_in(self, login: str, password: str) -> None:
        """Try once. Refusals name the field; a wrong password counts, an unreachable server does not."""
        if not self.may_try():
            return
        name = login.strip()
        if not name:
            raise invalid("login", "empty")
        if not password:
            raise invalid("password", "empty")
        try:
            session = await call(self._sign_in, name, password)
        except Refusal as no:
            if no.code is RefusalCode.NOT_ALLOWED:
                self._count_wrong()
                raise Refusal(RefusalCode.NOT_ALLOWED, field="password", next=no.next, **no.params) from None
            raise
        self.wrong_tries = 0
        self.changed.emit()
        self.signed_in.emit(session)

    def may_try(self) -> bool:
        """Checked again inside the command: a press may come before the button is disabled."""
        return self.is_ready and self.pause_left == 0

    def pause_step(self) -> None:
        """One second of the pause has passed."""
        self.pause_left -= 1
        if self.pause_left <= 0:
            self.pause_left = 0
            self.wrong_tries = 0
            self._pause.stop()
        self.changed.emit()

    def close(self) -> None:
        self._pause.stop()
        super().close()

    def _count_wrong(self) -> None:
        self.wrong_tries += 1
        if self.wrong_tries >= MOST_TRIES:
            self.pause_left = PAUSE_SECONDS
            self._pause.start()
        self.changed.emit()
