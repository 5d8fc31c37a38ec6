"""Closing the window with a locked invoice, on the real event loop: the lock is given back, nothing is warned about."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import qasync
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.desktop import leaving
from app.desktop.app_window import AppWindow
from app.desktop.commands import LoopRunner, use_runner
from app.desktop.connection import ConnectionViewModel
from app.desktop.main_window import MainWindow, SignedIn
from app.desktop.printing import Printing
from app.desktop.screen import ScreenKey
from app.desktop.screens.invoices_view import InvoicesScreen
from app.desktop.screens.invoices_viewmodel import InvoicesViewModel
from app.desktop.screens.settlement_phase import Phase
from app.desktop.screens.settlement_viewmodel import SettlementViewModel
from app.domain.lock import LockHandle
from tests.desktop.calendar_samples import BRANCH
from tests.desktop.settlement_fakes import BUDI, FakeCounter, FakeSettlement, VirtualClocks, fake_settlement


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[qasync.QEventLoop]:
    """The counter's own loop; warnings about tasks that were never awaited fail the test."""
    made = qasync.QEventLoop(qapp, already_running=False)
    asyncio.set_event_loop(made)
    runner = LoopRunner(made)
    before = use_runner(runner)
    with made:
        yield made
        runner.cancel_all()
    use_runner(before)
    asyncio.set_event_loop(None)


def open_window(branch: FakeSettlement, clocks: VirtualClocks, folder: Path) -> tuple[AppWindow, InvoicesScreen]:
    """The real window, shell, screen and heartbeat over the fake branch."""
    counter = FakeCounter(branch).as_counter()
    who = SignedIn(person="Dewi", roles=("cashier",), branch="Bandung", counter="Kasir 1", zone=BRANCH.zone)
    shell = MainWindow(who, ConnectionViewModel(branch.now))
    screen = InvoicesScreen(
        InvoicesViewModel(counter, clocks.as_clocks()),
        SettlementViewModel(counter, clocks.as_clocks()),
        Printing(counter.settlement, BRANCH, "Kasir 1", folder),
        lambda: screen,
        shell,
    )
    shell.add_screen(ScreenKey.INVOICES, lambda: screen)
    window = AppWindow()
    window.show_shell(shell)
    window.show()
    shell.go(ScreenKey.INVOICES, BUDI)
    return window, screen


def run_until(loop: qasync.QEventLoop, is_so: Callable[[], bool]) -> None:
    """Run the loop until something is so, 20 s at most."""
    look, late = QTimer(), QTimer()
    look.timeout.connect(lambda: loop.stop() if is_so() else None)
    late.timeout.connect(loop.stop)
    look.start(5)
    late.start(20_000)
    loop.run_forever()
    look.stop()
    late.stop()
    assert is_so()


def test_r65_closing_the_window_with_a_locked_invoice_gives_the_lock_back(
    loop: qasync.QEventLoop, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    clocks = VirtualClocks()
    branch = fake_settlement(clocks)
    window, screen = open_window(branch, clocks, tmp_path)
    run_until(loop, lambda: screen.settlement.phase is Phase.OPEN)
    assert BUDI in branch.locks
    gone: list[bool] = []
    window.closed.connect(lambda: gone.append(True))
    QTimer.singleShot(0, window.close)
    run_until(loop, lambda: bool(gone))
    assert branch.locks == {}
    assert gone == [True]
    screen.shut()
    window.deleteLater()


def test_r65_a_database_that_hangs_does_not_keep_the_window_open(
    loop: qasync.QEventLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaving, "CLOSE_WITHIN_MS", 50)
    clocks = VirtualClocks()
    branch = fake_settlement(clocks)
    window, screen = open_window(branch, clocks, tmp_path)
    run_until(loop, lambda: screen.settlement.phase is Phase.OPEN)
    answer, asked = threading.Event(), threading.Event()

    def hangs(handle: LockHandle) -> bool:
        asked.set()
        return answer.wait(10)

    branch.release_lock = hangs  # type: ignore[method-assign]
    gone: list[bool] = []
    window.closed.connect(lambda: gone.append(True))
    QTimer.singleShot(0, window.close)
    run_until(loop, lambda: bool(gone))
    assert asked.is_set()
    assert not answer.is_set()
    answer.set()
    screen.shut()
    window.deleteLater()
