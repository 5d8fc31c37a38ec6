"""From a logged-in Counter to the shell with all its screens, and back to nothing on log-out."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from app.bootstrap import Counter, Subscription
from app.desktop.changes import ChangeFeed
from app.desktop.commands import call, command, reload_command
from app.desktop.connection import ConnectionViewModel
from app.desktop.engine_notes import EngineNotes
from app.desktop.main_window import MainWindow
from app.desktop.screen import ScreenKey
from app.desktop.screens.finding import Finding
from app.desktop.screens.registry import Desk, screen_entries
from app.desktop.screens.shift_desk import add_till_keys
from app.desktop.shell_facts import OpenShift, SignedIn
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


class Hints(ViewModel):
    """Follows the hints of the branch and of its SKUs; a new or moved unit may bring another SKU."""

    def __init__(self, counter: Counter, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._counter = counter
        self.feed = ChangeFeed(self)
        self._subscription: Subscription | None = counter.subscribe(self.feed)
        self.feed.changed.connect(lambda thing: self.follow() if thing.what == "unit" else None)

    def feed_if_heard(self) -> ChangeFeed | None:
        """None where no Redis is configured."""
        return None if self._subscription is None else self.feed

    @reload_command
    async def follow(self) -> None:
        """Read which SKUs the branch has and hear them all."""
        subscription = self._subscription
        if subscription is None:
            return
        fleet = await call(self._counter.calendar.fleet)
        subscription.follow(skus=sorted({unit.sku.code for unit in fleet}), branches=[self._counter.who.branch.id])

    def close(self) -> None:
        super().close()
        self.feed.close()
        if self._subscription is not None:
            self._subscription.close()


class Leftovers(ViewModel):
    """Gives back the unit locks that this counter's own earlier life left behind when it was killed."""

    def __init__(self, counter: Counter, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._counter = counter

    @command
    async def release(self) -> None:
        """Once after logging in, outside the GUI thread."""
        await call(self._counter.release_leftovers)


class Session:
    """One person's time at this counter: the connections below and the shell above."""

    def __init__(self, counter: Counter, folder: Path) -> None:
        self._counter = counter
        self._folder = folder
        who = counter.who
        self.login = who.login
        self.name = who.name
        self.roles = tuple(sorted(role.value for role in who.roles))
        self.branch = who.branch.name
        self.window = self._open_shell()

    def begin(self) -> None:
        """Show the first screen and start to look at the connection; the window must be on screen."""
        self.window.go(next(key for key in FIRST_SCREENS if self.window.has_screen(key)))
        self._shift.load()
        self.window.connection.start()
        self._hints.follow()
        self._leftovers.release()

    def close(self) -> None:
        """Give back every connection; nothing starts any more."""
        self.finding.close()
        self.window.close_screens()
        self._shift.close()
        self._hints.close()
        self._leftovers.close()
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
        window = MainWindow(
            signed_in, ConnectionViewModel(counter.store.read.now, engine=counter.store.read.engine_state)
        )
        EngineNotes(window)
        self._shift = ShiftFact(counter, window, parent=window)
        self._hints = Hints(counter, parent=window)
        self._leftovers = Leftovers(counter, parent=window)
        window.shift_wanted.connect(self._shift.load)
        desk = Desk(counter=counter, shell=window, feed=self._hints.feed_if_heard(), folder=self._folder)
        for entry in screen_entries():
            window.add_screen(entry.key, partial(entry.make, desk))
        add_till_keys(window, counter.who)
        self.finding = Finding(window, counter)
        return window
