"""Typing in the drawer while the server takes its time: no key waits for an answer."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.desktop.commands import use_runner
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_threads import ThreadRunner


class Slow:
    """A read that answers only once the gate is open; `callers` are the threads that wait or waited for it."""

    def __init__(self, read: Callable[..., object], gate: threading.Event) -> None:
        self.read, self.gate = read, gate
        self.callers: list[str] = []

    def __call__(self, *args: object, **named: object) -> object:
        self.callers.append(threading.current_thread().name)
        self.gate.wait(60)
        return self.read(*args, **named)


def test_every_key_arrives_while_search_and_price_are_still_under_way(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Slower than any server: nothing is answered before everything is typed."""
    desk = Desk(tmp_path)
    qtbot.addWidget(desk.screen)
    use_runner(ThreadRunner())
    gates = threading.Event(), threading.Event()
    search = Slow(desk.counter.customers.find_customers, gates[0])
    price = Slow(desk.counter.bookings.quote, gates[1])
    monkeypatch.setattr(desk.counter.customers, "find_customers", search)
    monkeypatch.setattr(desk.counter.bookings, "quote", price)
    form = desk.screen.panel.form

    desk.shortcut("F3")
    desk.type("0812")
    qtbot.waitUntil(lambda: bool(search.callers), timeout=60_000)
    for sign, shown in zip(
        "3456789",
        ("0812-3", "0812-34", "0812-345", "0812-3456", "0812-3456-7", "0812-3456-78", "0812-3456-789"),
        strict=True,
    ):
        desk.type(sign)
        qtbot.waitUntil(lambda shown=shown: form.customer.text() == shown, timeout=60_000)
    desk.type("0")
    assert desk.walk_in.is_busy("search")
    gates[0].set()
    qtbot.waitUntil(lambda: bool(desk.walk_in.hits), timeout=60_000)
    desk.press(Qt.Key.Key_Return)
    desk.type("ava")
    desk.press(Qt.Key.Key_Return, times=2)
    qtbot.waitUntil(lambda: bool(price.callers), timeout=60_000)
    for text in ("1", "14"):
        desk.type(text[-1])
        typed = (text, int(text))
        qtbot.waitUntil(lambda typed=typed: (form.days.text(), desk.walk_in.form.days) == typed, timeout=60_000)
    assert desk.walk_in.is_busy("price")
    gates[1].set()
    qtbot.waitUntil(lambda: desk.walk_in.quote is not None and not desk.walk_in.is_busy(), timeout=60_000)

    assert "14 × Rp\u00a0350.000" in " ".join(name.text() for name, _ in desk.screen.panel.price._rows)
    assert threading.main_thread().name not in {*search.callers, *price.callers}
    desk.screen.shut()
