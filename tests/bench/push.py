"""`push`: days claimed by one process until another one hears of them, and until its grid shows them.

The listener is a month grid of 10,000 units over the real subscription and change feed; a round is over when the cells
of the unit have been painted. Both processes read the same clock (CLOCK_MONOTONIC).
"""

from __future__ import annotations

import datetime as dt
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication

from app.adapters.redis.availability import RedisAvailability
from app.adapters.redis.connection import open_link
from app.adapters.redis.subscription import Subscription
from app.desktop.changes import AvailabilityChange, ChangeFeed
from app.desktop.widgets.month_grid import MonthGrid
from app.desktop.widgets.month_grid_content import GridContent
from app.domain.days import Days, YearMonth, mask_of
from app.usecases.index_port import ClaimAnswer, IndexedUnit, Projection
from tests.bench import fleet, paint
from tests.bench.bars import Bar, Line, context, percentile

BENCH = "push"
DAYS = Days(dt.date(2027, 1, 12), dt.date(2027, 1, 14))
MONTH = YearMonth.of(DAYS.first)
TAKEN = mask_of((DAYS,), MONTH)
PATIENCE = 5.0


class Listener(MonthGrid):
    """A grid that notes when a hint reached its thread and when the cells of it were painted."""

    def __init__(self, unit: str, slot: int) -> None:
        super().__init__()
        self._unit, self._slot = unit, slot
        self.hinted_at = self.painted_at = 0.0

    def hear(self, change: AvailabilityChange) -> None:
        assert (change.slot, change.month) == (self._slot, MONTH)
        self.hinted_at, self.painted_at = time.perf_counter(), 0.0
        self.apply_hint(change.sku, change.month, change.slot, change.mask)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        row = self.grid_model().row_of_unit(self._unit)
        assert row is not None
        if not self.painted_at and event.region().intersects(
            self.visualRect(self.grid_model().index(row, DAYS.first.day - 1))
        ):
            self.painted_at = time.perf_counter()

    def is_pulsing(self) -> bool:
        return bool(self._pulses.marks())

    def await_change(self) -> None:
        """Run the GUI's loop until the change asked for has been heard and painted."""
        self.hinted_at = self.painted_at = 0.0
        until = time.monotonic() + PATIENCE
        while not (self.hinted_at and self.painted_at):
            assert time.monotonic() < until, "a change was never painted"
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)


@contextmanager
def writer_of(url: str, unit: IndexedUnit) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.bench.push", url, unit.sku, unit.unit_id, str(unit.slot)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as writer:
        assert writer.stdin is not None
        try:
            yield writer
        finally:
            writer.stdin.close()


def write(url: str, unit: IndexedUnit) -> None:
    """The other counter: claims the days or gives them back, once for each line it reads; says when and how long."""
    link = open_link(url)
    index = RedisAvailability(link)
    epoch = index.epoch()
    version = 2
    for number, order in enumerate(sys.stdin):
        began = time.perf_counter()
        if order.strip() == "claim":
            assert index.claim(unit, DAYS, f"K2:{number}").answer is ClaimAnswer.OK
        else:
            version += 1
            index.project(epoch, [Projection(unit=unit, version=version, months=(MONTH,), days=())])
        sys.stdout.write(json.dumps([began, time.perf_counter() - began]) + "\n")
        sys.stdout.flush()
    link.close()


def run(small: bool) -> Iterable[Line]:
    paint.application()
    rounds, count = (60, 500) if small else (1_500, 10_000)
    what = paint.content(count)
    shown = paint.units(count)[450]
    unit = IndexedUnit(sku=shown.sku.code, unit_id=shown.unit.id, slot=shown.unit.slot)
    own, heard, seen = [], [], []
    with fleet.private_redis() as server:
        link = open_link(server.url)
        index = RedisAvailability(link)
        index.project(index.epoch(), [Projection(unit=unit, version=1, months=(MONTH,), days=())])
        grid = Listener(shown.unit.id, unit.slot)
        _show(grid, what, shown.unit.id)
        feed = ChangeFeed()
        feed.availability.connect(grid.hear)
        ear = Subscription(
            server.url,
            on_availability=feed.on_availability,
            on_change=feed.on_change,
            on_lost=feed.on_lost,
            on_restored=feed.on_restored,
        )
        ear.follow(skus=[unit.sku], branches=[])
        ear.start()
        assert ear.wait_until_heard(PATIENCE)
        _check_pixels(grid, feed, unit)
        with writer_of(server.url, unit) as writer:
            assert writer.stdin is not None
            assert writer.stdout is not None
            for number in range(2 * rounds):
                claims = number % 2 == 0
                writer.stdin.write("claim\n" if claims else "free\n")
                writer.stdin.flush()
                grid.await_change()
                began, own_s = json.loads(writer.stdout.readline())
                if claims:
                    own.append(own_s * 1_000)
                    heard.append((grid.hinted_at - began) * 1_000)
                    seen.append((grid.painted_at - began) * 1_000)
        ear.close()
        feed.close()
        grid.close()
        link.close()
    writer_ms = statistics.median(own)
    yield Bar(
        bench=BENCH, bar="p50 to pixels / writer's round trip", value=statistics.median(seen) / writer_ms, limit=2.5
    ).as_line()
    yield Bar(bench=BENCH, bar="p99 ms to pixels", value=percentile(seen, 0.99), limit=16.7).as_line()
    yield context(
        BENCH,
        rounds=rounds,
        units=count,
        writer_ms=writer_ms,
        heard_ms=statistics.median(heard),
        pixels_ms=statistics.median(seen),
        processes="writer and grid are two",
    )


def _show(grid: MonthGrid, what: GridContent, unit_id: str) -> None:
    grid.resize(*paint.SIZE)
    grid.set_clock(lambda: paint.NOW)
    grid.show_content(what)
    grid.show()
    row = grid.grid_model().row_of_unit(unit_id)
    assert row is not None
    grid.scrollTo(grid.grid_model().index(row, 0))
    QApplication.processEvents()


def _check_pixels(grid: Listener, feed: ChangeFeed, unit: IndexedUnit) -> None:
    """A hint that takes the days and one that frees them leave two different pictures, and the first one again."""
    pictures = []
    for mask in (0, TAKEN, 0):
        feed.on_availability(unit.sku, MONTH, unit.slot, mask)
        QApplication.processEvents()
        until = time.monotonic() + PATIENCE
        while grid.is_pulsing():
            assert time.monotonic() < until, "the cells never stop to pulse"
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
        pictures.append(grid.viewport().grab().toImage())
    assert pictures[0] == pictures[2] != pictures[1], "the days' cells do not follow the hints"


if __name__ == "__main__":
    _, where, sku, unit_id, slot = sys.argv
    write(where, IndexedUnit(sku=sku, unit_id=unit_id, slot=int(slot)))
