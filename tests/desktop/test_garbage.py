"""Who looks for cycles of Python objects, and when."""

import gc
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.desktop.garbage import WindowsOwnGarbage
from app.desktop.garbage_due import collect_what_is_due


@pytest.fixture
def enabled() -> Iterator[None]:
    before = gc.isenabled()
    gc.enable()
    yield
    if not before:
        gc.disable()


def test_a_thread_never_takes_a_widgets_cycle_apart(qtbot: QtBot, enabled: None) -> None:
    garbage = WindowsOwnGarbage()
    ends: list[int] = []

    class InACycle(QObject):
        def __init__(self) -> None:
            super().__init__()
            self.itself = self

        def __del__(self) -> None:
            ends.append(threading.get_ident())

    InACycle()
    thread = threading.Thread(target=lambda: [[n] for n in range(20_000)])
    thread.start()
    thread.join()
    assert ends == []
    gc.collect()
    assert ends == [threading.get_ident()]
    garbage.close()
    assert gc.isenabled()


def test_what_is_due_is_collected_by_pythons_own_thresholds(enabled: None) -> None:
    gc.disable()
    gc.collect()
    assert collect_what_is_due() == -1
    kept = [[n] for n in range(gc.get_threshold()[0] + 100)]
    assert collect_what_is_due() == 0
    assert len(kept) > gc.get_threshold()[0]
