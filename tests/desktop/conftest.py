"""What tests of the screens stand on: no display, bundled fonts, Indonesian, light theme, commands run at once."""

import os
from collections.abc import Iterator

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from app.desktop.commands import InlineRunner, use_runner
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.theme import Theme, load_fonts, use_theme
from tests.desktop.runners import HeldRunner


@pytest.fixture(scope="session")
def _fonts(qapp: QApplication) -> None:
    load_fonts()


@pytest.fixture(autouse=True)
def _same_start(qapp: QApplication, _fonts: None) -> Iterator[None]:
    """Each test starts in Indonesian and the light theme with commands that run at once, whatever ran before it."""
    use_theme(Theme.light(), qapp)
    use_language(Language.ID)
    before = use_runner(InlineRunner())
    yield
    use_runner(before)
    # pytest-qt asks for the test's windows to be deleted, which waits for an event loop that no test runs: hundreds of
    # widgets a test would stay, and each would be polished again whenever a later test sets the theme.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def held_runner() -> HeldRunner:
    """Commands wait until the test lets their blocking call happen."""
    runner = HeldRunner()
    use_runner(runner)
    return runner


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform says this about every window; it tells nothing about our code."""
    for item in items:
        if "tests/desktop/" in item.path.as_posix():
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints", extend=True))
