"""The login screen as it stands before anything else: with the demo's people, and after a wrong password."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.desktop.app_window import AppWindow
from app.desktop.screens.login_view import LoginView
from app.desktop.screens.login_viewmodel import LoginPerson, LoginViewModel
from app.domain.errors import Refusal, RefusalCode
from app.embedded.demo import STAFF, demo_password

Grab = Callable[[Path], object]


def shoot_login(size: tuple[int, int]) -> Iterator[tuple[str, Grab]]:
    """`login-people`, then `login-wrong`; the refusal is the one the database's authentication gives."""
    people = tuple(
        LoginPerson(
            login=login, name=name, roles=tuple(role.value for role in roles), demo_password=demo_password(login)
        )
        for login, name, branch, roles in STAFF
        if branch == "JKT"
    )
    window = AppWindow()
    window.resize(*size)
    model = LoginViewModel(_refuse, people)
    view = LoginView(model, branch="Jakarta Pusat", counter="Kasir 1")
    view.side.set_server("127.0.0.1", 5432, is_private=True)
    window.show_login(view)
    window.show()
    view.focus_first()
    QTest.qWait(50)

    def grab(path: Path) -> object:
        QTest.qWait(60)
        return window.grab().save(str(path))

    yield "login-people", grab
    QTest.keyClick(QApplication.focusWidget() or view, "\r")
    QTest.keyClicks(QApplication.focusWidget() or view, "salah-ketik")
    QTest.keyClick(QApplication.focusWidget() or view, "\r")
    QTest.qWait(50)
    yield "login-wrong", grab
    model.close()
    window.close()


def _refuse(login: str, password: str) -> object:
    raise Refusal(RefusalCode.NOT_ALLOWED, field="password", reason="wrong_password", login=login)
