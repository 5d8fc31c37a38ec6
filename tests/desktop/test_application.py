"""The counter as a whole: painted first, prepared behind, in by password, out by lock, log-out and closing."""

import subprocess
import sys
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop import leaving
from app.desktop.application import CounterApplication, DemoLogin, RunningSession
from app.desktop.connection import ConnectionViewModel
from app.desktop.formats import Language
from app.desktop.language import language
from app.desktop.leaving import CLOSE_WITHIN_MS
from app.desktop.main_window import MainWindow
from app.desktop.screen import ScreenKey
from app.desktop.settings_store import RememberedPerson, SettingsStore
from app.desktop.shell_facts import SignedIn
from app.desktop.start import DemoLogin as Published
from app.desktop.theme import ThemeChoice, theme
from app.domain.errors import Refusal, RefusalCode
from tests.desktop.runners import HeldRunner
from tests.desktop.test_shell import NOW, Page


class Session:
    """A shell with one screen and no servers."""

    def __init__(self, login: object) -> None:
        self.login = str(login)
        self.name = self.login.capitalize()
        self.roles: tuple[str, ...] = ("cashier",)
        self.branch = "Cabang Jakarta"
        self.is_closed = False
        who = SignedIn(
            person=self.name, roles=self.roles, branch=self.branch, counter="Kasir 1", zone=ZoneInfo("Asia/Jakarta")
        )
        self.window = MainWindow(who, ConnectionViewModel(lambda: NOW))
        self.window.add_screen(ScreenKey.SHIFT, lambda: Page(self.window, "Shift"))

    def begin(self) -> None:
        self.window.go(ScreenKey.SHIFT)

    def close(self) -> None:
        self.is_closed = True
        self.window.close_screens()


class Servers:
    """What start.py would answer: knows one password."""

    def __init__(self) -> None:
        self.demo: tuple[DemoLogin, ...] = (
            Published(login="siti", name="Siti", roles=("agent",), password="contoh"),
            Published(login="ayu", name="Ayu", roles=("agent",), password="contoh"),
        )
        self.is_private = True
        self.server: tuple[str, int | None] = ("", None)
        self.left = 0
        self.problem: Exception | None = None

    def prepare(self) -> "Servers":
        if self.problem is not None:
            raise self.problem
        return self

    def sign_in(self, login: str, password: str) -> object:
        if password != "contoh":
            raise Refusal(RefusalCode.NOT_ALLOWED)
        return login

    def leave(self) -> None:
        self.left += 1


class Counter:
    """The application under test with everything it made."""

    def __init__(self, app: QApplication, folder: Path) -> None:
        self.servers = Servers()
        self.sessions: list[Session] = []
        self.store = SettingsStore(folder)
        self.app = CounterApplication(app, self.store, prepare=self.servers.prepare, open_session=self._open)

    def _open(self, login: object) -> RunningSession:
        self.sessions.append(Session(login))
        return self.sessions[-1]

    def log_in(self, login: str = "siti") -> None:
        model = self.app.login_model
        model.choose(next(person for person in model.people if person.login == login))
        self.app.login.password.set_text("contoh")
        self.app.login.submit()


@pytest.fixture
def counter(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Counter:
    made = Counter(qapp, tmp_path)
    qtbot.addWidget(made.app.window)
    return made


def in_front(counter: Counter) -> object:
    return counter.app.window.pages().currentWidget()


def test_the_login_is_shown_before_the_servers_are_prepared(counter: Counter, held_runner: HeldRunner) -> None:
    counter.app.show()
    assert in_front(counter) is counter.app.login
    assert not counter.app.login.enter.isEnabled()
    QApplication.processEvents()
    assert held_runner.waiting == 1
    assert counter.app.login.side.server_words() == "Menyiapkan server…"
    assert "Kira-kira 15 detik pada pemakaian pertama" in counter.app.login.side.wait_words()
    held_runner.go_on()
    assert counter.app.login.side.wait_words() == ""
    assert counter.app.login.tiles.has_focus()
    assert counter.app.login.enter.isEnabled()
    assert counter.app.login.side.server_words() == "di PC ini, siap"
    assert [person.login for person in counter.app.login_model.people] == ["siti", "ayu"]


def test_servers_that_do_not_start_are_said_with_a_code_and_can_be_tried_again(counter: Counter) -> None:
    counter.servers.problem = OSError("no room")
    counter.app.show()
    QApplication.processEvents()
    assert counter.app.login.side.server_words().startswith("Tidak bisa disiapkan (kode E-")
    assert not counter.app.login.enter.isEnabled()
    counter.servers.problem = None
    counter.app.login.retry_wanted.emit()
    assert counter.app.login.enter.isEnabled()


def test_logging_in_shows_the_shell_and_remembers_the_person(counter: Counter, tmp_path: Path) -> None:
    counter.app.show()
    QApplication.processEvents()
    counter.log_in("ayu")
    assert in_front(counter) is counter.sessions[0].window
    remembered = SettingsStore(tmp_path).memory
    assert remembered.people == (RememberedPerson(login="ayu", name="Ayu", roles=("cashier",)),)
    assert remembered.branch_name == "Cabang Jakarta"
    assert "contoh" not in (tmp_path / "counter.json").read_text()


def test_a_locked_screen_comes_back_as_it_was_for_the_same_person(counter: Counter) -> None:
    counter.app.show()
    QApplication.processEvents()
    counter.log_in()
    shell = counter.sessions[0].window
    shell.lock_wanted.emit()
    assert in_front(counter) is counter.app.login
    assert counter.app.login.password.text() == ""
    counter.log_in()
    assert in_front(counter) is shell
    assert not counter.sessions[0].is_closed
    assert counter.sessions[1].is_closed


def test_another_person_gets_another_shell(counter: Counter) -> None:
    counter.app.show()
    QApplication.processEvents()
    counter.log_in()
    counter.sessions[0].window.lock_wanted.emit()
    counter.log_in("ayu")
    assert counter.sessions[0].is_closed
    assert in_front(counter) is counter.sessions[1].window


def test_logging_out_gives_everything_back(counter: Counter) -> None:
    counter.app.show()
    QApplication.processEvents()
    counter.log_in()
    counter.sessions[0].window.log_out_wanted.emit()
    assert counter.sessions[0].is_closed
    assert in_front(counter) is counter.app.login
    assert counter.app.window.shell() is None


def test_logging_out_lets_a_screen_give_back_its_lock_first(counter: Counter) -> None:
    counter.app.show()
    QApplication.processEvents()
    counter.log_in()
    page = counter.sessions[0].window.current()
    assert isinstance(page, Page)
    page.holds = True
    counter.sessions[0].window.log_out_wanted.emit()
    assert not counter.sessions[0].is_closed
    page.ready_to_leave.emit()
    assert counter.sessions[0].is_closed
    assert in_front(counter) is counter.app.login


def test_logging_out_gives_up_on_a_screen_that_does_not_answer(counter: Counter, qtbot: QtBot) -> None:
    counter.app.show()
    QApplication.processEvents()
    counter.log_in()
    page = counter.sessions[0].window.current()
    assert isinstance(page, Page)
    page.holds = True
    counter.sessions[0].window.log_out_wanted.emit()
    qtbot.waitUntil(lambda: counter.sessions[0].is_closed, timeout=CLOSE_WITHIN_MS + 2000)


def test_the_locked_login_shows_the_branchs_day_by_the_servers_clock(counter: Counter) -> None:
    counter.app.show()
    QApplication.processEvents()
    assert counter.app.login.subtitle().count("·") == 0
    counter.log_in()
    shell = counter.sessions[0].window
    shell.connection.tick()
    shell.lock_wanted.emit()
    assert counter.app.login.subtitle().endswith("Senin, 30 November 2026")


def test_closing_lets_a_screen_give_back_its_lock_first(counter: Counter) -> None:
    finished: list[int] = []
    counter.app.finished.connect(lambda: finished.append(1))
    counter.app.show()
    QApplication.processEvents()
    counter.log_in()
    page = counter.sessions[0].window.current()
    assert isinstance(page, Page)
    page.holds = True
    counter.app.window.close()
    assert finished == []
    page.ready_to_leave.emit()
    assert finished == [1]
    counter.app.leave()
    assert counter.sessions[0].is_closed
    assert counter.servers.left == 1


def asking_page(counter: Counter) -> Page:
    """The counter with a screen in front that asks the person before it is left."""
    counter.app.show()
    QApplication.processEvents()
    counter.log_in()
    page = counter.sessions[0].window.current()
    assert isinstance(page, Page)
    page.holds = page.asks = True
    return page


@pytest.mark.parametrize("how", ["closing", "logging out"])
def test_a_screen_that_asks_is_waited_for_until_it_is_answered(
    counter: Counter, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(leaving, "CLOSE_WITHIN_MS", 1)
    page, finished = asking_page(counter), []
    counter.app.finished.connect(lambda: finished.append(1))

    def go() -> None:
        if how == "closing":
            counter.app.window.close()
        else:
            counter.sessions[0].window.log_out_wanted.emit()

    def is_gone() -> bool:
        return finished == [1] if how == "closing" else counter.sessions[0].is_closed

    go()
    go()  # pressed again: asked again, not gone
    later = QTimer()
    with qtbot.waitSignal(later.timeout, timeout=20_000):
        later.start(20)  # any wait for the screen would be over before
    assert not is_gone()
    page.ready_to_leave.emit()
    assert is_gone()


@pytest.mark.parametrize("how", ["closing", "logging out"])
def test_staying_forgets_that_anybody_wanted_to_go(counter: Counter, how: str) -> None:
    page, finished = asking_page(counter), []
    counter.app.finished.connect(lambda: finished.append(1))
    if how == "closing":
        counter.app.window.close()
    else:
        counter.sessions[0].window.log_out_wanted.emit()
    page.stayed.emit()
    page.ready_to_leave.emit()
    assert finished == []
    assert not counter.sessions[0].is_closed


def test_language_and_theme_are_switched_live_and_remembered(counter: Counter, tmp_path: Path) -> None:
    counter.app.show()
    QApplication.processEvents()
    counter.log_in()
    person = counter.sessions[0].window.top.person
    person.menu_actions()["en"].trigger()
    person.menu_actions()["dark"].trigger()
    assert (language(), theme().is_dark) == (Language.EN, True)
    assert person.menu_actions()["en"].isChecked()
    assert not person.menu_actions()["id"].isChecked()
    memory = SettingsStore(tmp_path).memory
    assert (memory.language, memory.theme) == (Language.EN, ThemeChoice.DARK)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"people": 3}', '{"theme": "pink"}', '{"people": [{"login": 1}]}', "\0\0"]
)
def test_a_damaged_memory_starts_anew(tmp_path: Path, content: str) -> None:
    (tmp_path / "counter.json").write_text(content)
    assert SettingsStore(tmp_path).memory.people == ()


def test_six_people_are_remembered_the_newest_first(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path)
    for number in (1, 2, 3, 4, 5, 6, 7, 3):
        person = RememberedPerson(login=f"p{number}", name=f"P {number}", roles=())
        store.save(store.memory.with_person(person))
    assert [person.login for person in SettingsStore(tmp_path).memory.people] == ["p3", "p7", "p6", "p5", "p4", "p2"]


def test_a_memory_that_cannot_be_written_costs_only_the_memory(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    store = SettingsStore(blocked)
    store.save(store.memory.with_person(RememberedPerson(login="a", name="A", roles=())))
    assert [person.login for person in store.memory.people] == ["a"]


def test_nothing_heavy_is_imported_before_the_first_picture() -> None:
    program = (
        "import sys; import app.desktop.application; "
        "print([m for m in ('redis', 'psycopg', 'sqlalchemy', 'numpy', 'pydantic', 'phonenumbers', 'num2words') "
        "if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
