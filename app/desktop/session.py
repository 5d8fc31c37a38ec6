"""From a logged-in Counter to the shell with all its screens, and back to nothing on log-out."""

from PySide6.QtCore import QObject

from app.bootstrap import Counter
from app.desktop.commands import call, reload_command
from app.desktop.connection import ConnectionViewModel
from app.desktop.main_window import MainWindow, OpenShift, SignedIn
from app.desktop.screen import ScreenKey
from app.desktop.screens.registry import screen_entries
from app.desktop.viewmodel import ViewModel

FIRST_SCREENS = (ScreenKey.CALENDAR, ScreenKey.INVOICES, ScreenKey.SHIFT)


class ShiftFact(ViewModel):
    """Which cash shift the person has open, for the status bar."""

    def __init__(self, counter: Counter, window: MainWindow, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._counter = counter
        self._window = window

    @reload_command
    async def load(self) -> None:
        """Read and show it."""
        shift = await call(self._counter.shifts.current_shift)
        self._window.show_shift(None if shift is None else OpenShift(number=shift.number, opened_at=shift.opened_at))


class Session:
    """One person's time at this counter: the connections below and the shell above."""

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        who = counter.who
        self.login = who.login
        self.name = who.name
        self.roles = tuple(sorted(role.value for role in who.roles))
        self.branch = who.branch.name
        self.window = self._open_shell()

    def close(self) -> None:
        """Give back every connection; nothing starts any more."""
        self.window.close_screens()
        self._shift.close()
        self._counter.close()

    def _open_shell(self) -> MainWindow:
        counter = self._counter
        signed_in = SignedIn(
            person=self.name,
            roles=self.roles,
            branch=self.branch,
            counter=counter.counter_name,
            zone=counter.who.branch.zone,
        )
        window = MainWindow(signed_in, ConnectionViewModel(counter.store.read.now))
        self._shift = ShiftFact(counter, window, parent=window)
        window.shift_wanted.connect(self._shift.load)
        for entry in screen_entries():
            window.add_screen(entry.key, lambda make=entry.make: make(counter, window))  # type: ignore[misc]
        return window

    def begin(self) -> None:
        """Show the first screen and start to look at the connection; the window must be on screen."""
        self.window.go(next(key for key in FIRST_SCREENS if self.window.has_screen(key)))
        self.window.connection.start()
        self._shift.load()
