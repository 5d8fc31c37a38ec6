"""The running counter: the loop, theme and language, what is remembered, and the way from login to shell and back.

Imported behind the first picture, which `opening` paints.
"""

import asyncio
import os
import socket
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import qasync
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from app.desktop.app_window import AppWindow
from app.desktop.commands import LoopRunner, call, command, use_runner
from app.desktop.formats import Language
from app.desktop.garbage import WindowsOwnGarbage
from app.desktop.icons import app_icon
from app.desktop.language import language, use_language
from app.desktop.leaving import Leaving
from app.desktop.main_window import MainWindow
from app.desktop.opening import Opening, data_folder
from app.desktop.screens.login_view import LoginView
from app.desktop.screens.login_viewmodel import LoginPerson, LoginViewModel
from app.desktop.settings_store import RememberedPerson, SettingsStore
from app.desktop.theme import Theme, ThemeChoice, load_fonts, theme, use_theme
from app.desktop.viewmodel import Failure, ViewModel
from app.domain.errors import Refusal, RefusalCode

MOST_TILES = 7


def run_in(app: QApplication, window: AppWindow, opening: Opening) -> int:
    """The login in the window that is painted already, then what is behind it; returns when the window is closed."""
    app.setWindowIcon(app_icon())
    store = SettingsStore(data_folder())
    load_fonts()
    use_theme(_look(store.memory.theme), app)
    use_language(store.memory.language or Language(os.environ.get("SENTRA_LANG") or "id"))
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    runner = LoopRunner(loop)
    use_runner(runner)
    counter = CounterApplication(app, store, window=window)
    counter.finished.connect(loop.stop)
    garbage = WindowsOwnGarbage()
    with loop:
        counter.show()
        opening.hand_over()
        opening.deleteLater()
        loop.run_forever()
        runner.cancel_all()
        counter.leave()
    garbage.close()
    return 0


def _look(choice: ThemeChoice) -> Theme:
    return Theme.dark() if choice is ThemeChoice.DARK else Theme.light()


class DemoLogin(Protocol):
    """A published login of the demo branch."""

    @property
    def login(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def roles(self) -> tuple[str, ...]: ...
    @property
    def password(self) -> str: ...


class Prepared(Protocol):
    """What start.py answers; named here so that its heavy imports can wait."""

    @property
    def demo(self) -> Sequence[DemoLogin]: ...
    @property
    def is_private(self) -> bool: ...
    @property
    def server(self) -> tuple[str, int | None]: ...
    def sign_in(self, login: str, password: str) -> object: ...
    def leave(self) -> None: ...


class RunningSession(Protocol):
    """What session.py answers."""

    window: MainWindow
    login: str
    name: str
    roles: tuple[str, ...]
    branch: str

    def begin(self) -> None: ...
    def close(self) -> None: ...


class StartViewModel(ViewModel):
    """Prepares the servers behind the painted login; `ready` tells when, `prepared` is what came of it."""

    ready = Signal()

    def __init__(self, prepare: Callable[[], Prepared], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._prepare = prepare
        self.prepared: Prepared | None = None

    @command
    async def prepare(self) -> None:
        """Read the settings, join the servers, import the heavy libraries: all of it outside the GUI thread."""
        self.prepared = await call(self._prepare)
        self.ready.emit()


def prepare_servers() -> Prepared:
    """In a thread: everything that the first picture must not wait for."""
    from app.desktop.start import prepare

    return prepare()


def open_session(counter: object) -> RunningSession:
    """The shell for what `sign_in` returned. Its imports are done by the time somebody has typed a password."""
    from app.bootstrap import Counter
    from app.desktop.session import Session

    if not isinstance(counter, Counter):
        raise TypeError("sign_in returned no Counter")
    return Session(counter, data_folder())


class CounterApplication(QObject):
    """One window: the login first, the shell of whoever logged in, the login again when the screen is locked."""

    finished = Signal()

    def __init__(
        self,
        app: QApplication,
        store: SettingsStore,
        *,
        prepare: Callable[[], Prepared] = prepare_servers,
        open_session: Callable[[object], RunningSession] = open_session,
        window: AppWindow | None = None,
    ) -> None:
        super().__init__()
        self._leaving = Leaving(self._end_session, self)
        self._app = app
        self._store = store
        self._open_session = open_session
        self.session: RunningSession | None = None
        self.window = AppWindow() if window is None else window
        self.window.setWindowIcon(app_icon())
        self.window.closed.connect(self.finished)
        memory = store.memory
        people = tuple(LoginPerson(login=p.login, name=p.name, roles=p.roles, was_here=True) for p in memory.people)
        self.login_model = LoginViewModel(self._sign_in, people)
        counter = os.environ.get("SENTRA_COUNTER") or socket.gethostname()
        self.login = LoginView(self.login_model, branch=memory.branch_name, counter=counter)
        self.login.language_chosen.connect(self.choose_language)
        self.login.theme_chosen.connect(self.choose_theme)
        self.login.retry_wanted.connect(self._prepare)
        self.login_model.signed_in.connect(self._signed_in)
        self.login_model.set_ready(False)
        self.window.show_login(self.login)
        self.start = StartViewModel(prepare, self)
        self.start.ready.connect(self._ready)
        self.start.failed.connect(self._start_failed)
        self.start.refused.connect(self._start_failed)

    def show(self) -> None:
        """Paint first; everything slow begins after the first picture."""
        self.window.show()
        self.login.focus_first()
        QTimer.singleShot(0, self, self._prepare)

    def leave(self) -> None:
        """Give everything back: the session's connections, then the private servers."""
        self._close_session()
        self.start.close()
        self.login_model.close()
        if self.start.prepared is not None:
            self.start.prepared.leave()

    def choose_language(self, value: str) -> None:
        """Switch all texts and remember it."""
        use_language(Language(value))
        self._store.save(replace(self._store.memory, language=Language(value)))
        self._show_choices()

    def choose_theme(self, value: str) -> None:
        """Switch all colours and remember it."""
        use_theme(_look(ThemeChoice(value)), self._app)
        self._store.save(replace(self._store.memory, theme=ThemeChoice(value)))
        self._show_choices()

    def lock(self) -> None:
        """The login in front of the shell, for the same person; what was typed stays behind it."""
        if self.session is not None:
            self.window.show_login(self.login)
            self.login.start_over(self.session.login)
            self._show_day()

    def log_out(self) -> None:
        """Back to the login. A screen gives back what it holds or asks first, as on closing."""
        session = self.session
        if session is None:
            return
        screen = session.window.current()
        if screen is None or self._leaving.may_go(screen):
            self._end_session()

    def _end_session(self) -> None:
        if self.session is None:
            return
        self._close_session()
        self.window.drop_shell()
        self.window.show_login(self.login)
        self.login.start_over()
        self.login.show_day(None)

    def _show_day(self) -> None:
        """The heading's day, from the server's clock, which the locked shell goes on asking for."""
        if self.session is not None:
            self.login.show_day(self.session.window.today())

    def _prepare(self) -> None:
        self.login.show_start_problem("")
        self.start.prepare()

    def _ready(self) -> None:
        prepared = self.start.prepared
        if prepared is None:
            return
        self.login.show_people(self._people(prepared.demo))
        self.login.side.set_server(*prepared.server, is_private=prepared.is_private)
        self.login_model.set_ready(True)

    def _people(self, demo: Sequence[DemoLogin]) -> tuple[LoginPerson, ...]:
        """Who was here before, first; then the demo branch's people, up to what fits."""
        published = {person.login: person for person in demo}
        known = [
            LoginPerson(
                login=p.login,
                name=p.name,
                roles=p.roles,
                demo_password=published[p.login].password if p.login in published else "",
                was_here=True,
            )
            for p in self._store.memory.people
        ]
        seen = {person.login for person in known}
        known += [
            LoginPerson(login=p.login, name=p.name, roles=p.roles, demo_password=p.password)
            for p in demo
            if p.login not in seen
        ]
        return tuple(known[:MOST_TILES])

    def _start_failed(self, why: Failure | Refusal) -> None:
        self.login.show_start_problem(why.code)

    def _sign_in(self, login: str, password: str) -> object:
        """In a thread: only ever called when the model is ready."""
        prepared = self.start.prepared
        if prepared is None:
            raise Refusal(RefusalCode.UNREACHABLE)
        return prepared.sign_in(login, password)

    def _signed_in(self, counter: object) -> None:
        session = self._open_session(counter)
        before = self.session
        if before is not None and before.login == session.login:
            session.close()
            session.window.deleteLater()
            self.window.show_shell(before.window)
            return
        self._leaving.forget()
        if before is not None:
            before.close()
        self.session = session
        shell = session.window
        shell.lock_wanted.connect(self.lock)
        shell.connection.changed.connect(self._show_day)
        shell.log_out_wanted.connect(self.log_out)
        shell.language_chosen.connect(self.choose_language)
        shell.theme_chosen.connect(self.choose_theme)
        self._remember(session)
        self.window.show_shell(shell)
        self._show_choices()
        session.begin()

    def _remember(self, session: RunningSession) -> None:
        person = RememberedPerson(login=session.login, name=session.name, roles=session.roles)
        self._store.save(replace(self._store.memory.with_person(person), branch_name=session.branch))
        prepared = self.start.prepared
        self.login_model.set_people(self._people(prepared.demo if prepared is not None else ()))

    def _close_session(self) -> None:
        session, self.session = self.session, None
        if session is not None:
            session.close()

    def _show_choices(self) -> None:
        look = "dark" if theme().is_dark else "light"
        self.login.side.show_choice(language().value, look)
        if self.session is not None:
            self.session.window.top.person.show_choice(language().value, look)
