"""`paint`: the month grid against a QTableView whose delegate draws the same picture cell by cell.

Both sides show the same fleet, window and bars, with the same fonts and colours; their pictures are compared first.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import PySide6
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QImage, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from app.adapters.redis.availability import RedisAvailability
from app.adapters.redis.connection import open_link
from app.desktop.theme import BannerKind, StateStyle, Theme, load_fonts, theme, use_theme
from app.desktop.widgets.month_grid import MonthGrid
from app.desktop.widgets.month_grid_bars import BarLook, BarShape, BarWords
from app.desktop.widgets.month_grid_content import GridContent, GridFleet
from app.desktop.widgets.month_grid_model import MonthGridModel
from app.desktop.widgets.month_grid_spans import Span
from app.desktop.widgets.month_grid_strips import Frame
from app.desktop.widgets.month_grid_texts import bar_name
from app.domain.booking import BookingState, Source
from app.domain.catalogue import Sku, Unit, UnitStatus
from app.domain.days import Days, YearMonth, mask_of
from app.domain.money import Rupiah
from app.usecases.calendar import CalendarMasks
from app.usecases.index_port import IndexedUnit, Projection
from app.usecases.rows import Bar as GridBar
from app.usecases.rows import FleetUnit, OccupancyKind, PaidMark
from tests.bench import fleet as bench_fleet
from tests.bench.bars import ROUNDS, Bar, Line, context, medians_ms, percentile

BENCH = "paint"
SIZE = (1600, 900)
TODAY = dt.date(2027, 1, 5)
NOW = dt.datetime(2027, 1, 5, 3, tzinfo=dt.UTC)
WINDOW = Days(dt.date(2027, 1, 1), dt.date(2027, 1, 31))
NEXT = Days(dt.date(2027, 2, 1), dt.date(2027, 2, 28))
UNITS_PER_SKU = 500
ALIKE = 0.005
SOFT_EDGE = 24
_STATES = (
    BookingState.PAID_APPROVED,
    BookingState.ACTIVE_RENTAL,
    BookingState.PENDING_PAYMENT,
    BookingState.PAID_APPROVED,
    BookingState.DISPUTED,
    BookingState.RETURNED_PENDING_CHECK,
    BookingState.DISPATCHED,
)


def units(count: int) -> tuple[FleetUnit, ...]:
    found = []
    for number in range(count):
        code = f"SKU-{number // UNITS_PER_SKU:03d}"
        sku = Sku(
            code=code,
            name=f"Avanza {code[-3:]}",
            category="CAR",
            daily_rate=Rupiah(350_000),
            deposit=Rupiah(500_000),
            turnaround_days=0,
        )
        unit = Unit(
            id=f"unit-{number:06d}",
            sku=code,
            slot=number % UNITS_PER_SKU,
            plate=f"B {1000 + number} XYZ",
            colour="putih",
            status=UnitStatus.IN_SERVICE,
        )
        found.append(FleetUnit(unit=unit, sku=sku, branch_id="b-1"))
    return tuple(found)


def rentals(of: tuple[FleetUnit, ...], window: Days) -> tuple[GridBar, ...]:
    """Six rentals per unit with a name nobody else has: about 180 bars on a full screen."""
    found = []
    for number, unit in enumerate(of):
        day = window.first + dt.timedelta(days=number % 3)
        for turn in range(6):
            last = day + dt.timedelta(days=2 + (number + turn) % 3)
            if last > window.last:
                break
            days = Days(day, last)
            found.append(
                GridBar(
                    unit_id=unit.unit.id,
                    kind=OccupancyKind.BOOKING,
                    days=days,
                    rented=days,
                    booking_id=f"bk-{number}-{turn}",
                    number=f"BK-{number:05d}{turn}",
                    state=_STATES[(number + turn) % len(_STATES)],
                    source=Source.COUNTER,
                    customer_name=f"Pelanggan {number}-{turn}",
                    payment_deadline=None,
                    due_at=NOW + dt.timedelta(days=60),
                    paid=list(PaidMark)[(number + turn) % 3],
                    note="",
                )
            )
            day = last + dt.timedelta(days=1 + (number + turn) % 2)
    return tuple(found)


def content(count: int, shown: int = 400) -> GridContent:
    """A window of `count` units; the first `shown` of them carry bars, so that sizes differ in rows alone."""
    of = units(count)
    rows = rentals(of[:shown] + of[count // 2 : count // 2 + shown], WINDOW)
    by_unit: dict[str, list[Days]] = {}
    for row in rows:
        by_unit.setdefault(row.unit_id, []).append(row.days)
    masks: dict[tuple[str, YearMonth], dict[int, int]] = {}
    for unit in of:
        for month in WINDOW.months():
            mask = mask_of(by_unit.get(unit.unit.id, ()), month)
            masks.setdefault((unit.sku.code, month), {})[unit.unit.slot] = mask
    return GridContent(
        window=WINDOW,
        today=TODAY,
        now=NOW,
        fleet=of,
        masks=CalendarMasks(masks=masks, from_index=True, read_at=NOW),
        holidays={},
        bars=rows,
    )


def shown(what: GridContent) -> MonthGrid:
    grid = MonthGrid()
    grid.resize(*SIZE)
    grid.set_clock(lambda: NOW)
    grid.show_content(what)
    grid.show()
    QApplication.processEvents()
    return grid


class RivalDelegate(QStyledItemDelegate):
    """Draws a cell's ground and its slice of the bar on it. A careful one: bars are laid out and drawn once, kept as
    pictures, and a name is drawn only in the cells it reaches into.
    """

    def __init__(self, what: GridContent, model: MonthGridModel, frame: Frame) -> None:
        super().__init__()
        self._what, self._model, self._frame = what, model, frame
        self._look = BarLook(theme(), frame.ratio)
        self._laid: dict[tuple[str, int], tuple[int, QPixmap, BarWords, StateStyle, float]] = {}
        self._number = theme().font()
        self._number.setPixelSize(round(13 * frame.ratio))
        self._zero = QFont(self._number)
        self._zero.setWeight(QFont.Weight.Bold)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row, column = self._model.row(index.row()), index.column()
        rect = option.rect  # type: ignore[attr-defined]  # the stub leaves the option's fields out
        painter.save()
        painter.translate(rect.left(), rect.top())
        painter.scale(1 / self._frame.ratio, 1 / self._frame.ratio)
        painter.setClipRect(0, 0, self._frame.column, self._frame.row)
        if row.unit is None:
            self._count(painter, self._what.left(row.group)[column])
        else:
            self._ground(painter, column)
            span = self._what.span_at(row.unit, column)
            if span is not None:
                self._slice(painter, row.unit, span, column)
        painter.restore()

    def _ground(self, painter: QPainter, column: int) -> None:
        look, frame, day = theme(), self._frame, self._what.days[column]
        line = max(1, round(frame.ratio))
        painter.fillRect(0, 0, frame.column, frame.row, look.weekend if day.weekday() >= 5 else look.surface)
        painter.fillRect(frame.column - line, 0, line, frame.row, look.line)
        painter.fillRect(0, frame.row - line, frame.column, line, look.line)
        if day == self._what.today:
            thick = round(2 * frame.ratio)
            painter.fillRect((frame.column - thick) // 2, 0, thick, frame.row, look.today)

    def _count(self, painter: QPainter, count: int) -> None:
        look, frame = theme(), self._frame
        line = max(1, round(frame.ratio))
        warning = look.banner(BannerKind.WARNING)
        painter.fillRect(0, 0, frame.column, frame.row, look.head if count else warning.fill)
        painter.setFont(self._number if count else self._zero)
        painter.setPen(look.muted if count else warning.text)
        painter.drawText(QRectF(0, 0, frame.column, frame.row), Qt.AlignmentFlag.AlignCenter, str(count))
        painter.fillRect(0, 0, frame.column, line, look.line_strong)
        painter.fillRect(0, frame.row - line, frame.column, line, look.line_strong)

    def _slice(self, painter: QPainter, unit: FleetUnit, span: Span, column: int) -> None:
        x, picture, words, style, name_end = self._laid_out(unit, span)
        look = self._look
        left = x - column * self._frame.column
        painter.drawPixmap(left, look.top, picture)
        if words.name and left + words.patch_from < self._frame.column and left + name_end > 0:
            if style.pattern.value != "none":
                inset = max(1, round(self._frame.ratio))
                width = words.patch_to - words.patch_from
                ground = QRectF(left + words.patch_from, look.top + inset, width, look.height - 2 * inset)
                painter.fillRect(ground, style.fill)
            painter.setPen(style.text)
            painter.setFont(look.name_font_of(style))
            painter.drawText(QPointF(left + words.name_x, look.top + look.baseline), words.name)

    def _laid_out(self, unit: FleetUnit, span: Span) -> tuple[int, QPixmap, BarWords, StateStyle, float]:
        key = (unit.unit.id, span.first)
        laid = self._laid.get(key)
        if laid is None:
            assert span.state is not None
            gap = round(2 * self._frame.ratio)
            x = span.first * self._frame.column + gap
            end = (span.last + 1) * self._frame.column - round(self._frame.ratio) - gap // 2
            shape = BarShape(span.state, end - x, span.paid, span.needs_action, False, False)
            picture = QPixmap(shape.width, self._look.height)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            self._look.paint(painter, shape)
            painter.end()
            words = self._look.words(shape, bar_name(span), False)
            laid = (x, picture, words, theme().state(span.state), words.patch_to)
            self._laid[key] = laid
        return laid


def rival_of(what: GridContent, grid: MonthGrid) -> QTableView:
    view = QTableView()
    model = MonthGridModel(view)
    model.set_content(what)
    view.setModel(model)
    ratio = grid.devicePixelRatioF()
    frame = Frame(
        ratio=ratio,
        width=round(grid.viewport().width() * ratio),
        column=round(grid.columnWidth(0) * ratio),
        row=round(28 * ratio),
        stale=False,
    )
    view.setItemDelegate(RivalDelegate(what, model, frame))
    view.setShowGrid(False)
    view.setFrameShape(QTableView.Shape.NoFrame)
    view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    view.horizontalHeader().setDefaultSectionSize(grid.columnWidth(0))
    view.verticalHeader().setDefaultSectionSize(28)
    view.horizontalHeader().hide()
    view.verticalHeader().hide()
    view.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
    view.resize(grid.viewport().size())
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.show()
    QApplication.processEvents()
    return view


def differing(one: QImage, other: QImage, width: int) -> float:
    """The share of pixels inside the days' columns whose colours are apart by more than rounding of soft edges."""
    height = min(one.height(), other.height())
    pixels = []
    for image in (one, other):
        plain = image.convertToFormat(QImage.Format.Format_RGB32)
        rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
        pixels.append(rows[:height, : width * 4].reshape(height, width, 4)[:, :, :3].astype(np.int16))
    return float((np.abs(pixels[0] - pixels[1]).max(axis=2) > SOFT_EDGE).mean())


def repaint_times(view: QTableView, rounds: int) -> list[float]:
    found = []
    for _ in range(rounds):
        began = time.perf_counter()
        view.viewport().repaint()
        found.append((time.perf_counter() - began) * 1000)
    return found


def scroll_times(grid: MonthGrid, step: int, rounds: int) -> list[float]:
    """From moving the bar to the pixels, for rows seen for the first time."""
    found = []
    bar = grid.verticalScrollBar()
    for _ in range(rounds):
        began = time.perf_counter()
        bar.setValue(bar.value() + step)
        QApplication.processEvents()
        found.append((time.perf_counter() - began) * 1000)
    return found


def scaled() -> dict[str, float]:
    """Ours against the rival in a process of its own at 150 %."""
    environment = os.environ | {"QT_SCALE_FACTOR": "1.5"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.paint"], env=environment, capture_output=True, text=True, check=True
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def application() -> QApplication:
    app = QApplication.instance()
    if isinstance(app, QApplication):
        return app
    app = QApplication([])
    load_fonts()
    use_theme(Theme.light(), app)
    return app


def against_rival(what: GridContent, rounds: int) -> tuple[dict[str, float], float, int]:
    """Medians of a full repaint of both sides, how much their pictures differ, and how many bars were on screen."""
    grid = shown(what)
    view = rival_of(what, grid)
    grid.clearFocus()
    for _ in range(3):
        grid.viewport().repaint()
        view.viewport().repaint()
    width = round(grid.columnWidth(0) * 31 * grid.devicePixelRatioF())
    apart = differing(grid.viewport().grab().toImage(), view.viewport().grab().toImage(), width)
    sides = {"grid": lambda: grid.viewport().repaint(), "rival": lambda: view.viewport().repaint()}
    medians = medians_ms(sides, rounds=rounds, calls=3)
    rows = range(grid.rowAt(0), grid.rowAt(grid.viewport().height() - 1) + 1)
    found = [grid.grid_model().row(row).unit for row in rows]
    bars = sum(len(what.spans(unit)) for unit in found if unit is not None)
    grid.close()
    view.close()
    return medians, apart, bars


def month_swap(count: int, rounds: int) -> list[float]:
    """Ask Redis for the other month, lay the window out, paint it: the whole way to the pixels, in one thread."""
    of = units(count)
    index_fleet = GridFleet(of)
    codes = sorted({unit.sku.code for unit in of})
    found = []
    with bench_fleet.private_redis() as server:
        link = open_link(server.url)
        index = RedisAvailability(link)
        months = (*WINDOW.months(), *NEXT.months())
        rows = {row.unit_id: row.days for row in rentals(of, WINDOW)}
        index.project(
            index.epoch(),
            [
                Projection(
                    unit=IndexedUnit(sku=unit.sku.code, unit_id=unit.unit.id, slot=unit.unit.slot),
                    version=1,
                    months=months,
                    days=(rows[unit.unit.id],) if unit.unit.id in rows else (),
                )
                for unit in of
            ],
        )
        grid = MonthGrid()
        grid.resize(*SIZE)
        grid.set_clock(lambda: NOW)
        grid.show()
        for turn in range(rounds + 2):
            window = (WINDOW, NEXT)[turn % 2]
            began = time.perf_counter()
            read = index.months([(code, month) for code in codes for month in window.months()])
            masks = CalendarMasks(
                masks={(item.sku, item.month): item.masks for item in read}, from_index=True, read_at=NOW
            )
            grid.show_content(
                GridContent(window=window, today=TODAY, now=NOW, fleet=index_fleet, masks=masks, holidays={})
            )
            grid.viewport().repaint()
            if turn > 1:
                found.append((time.perf_counter() - began) * 1000)
        grid.close()
        link.close()
    return found


def run(small: bool) -> Iterable[Line]:
    """Every `paint` bar of the quality page."""
    application()
    rounds = 3 if small else 21
    few, many = (500, 2_000) if small else (10_000, 100_000)
    what = content(few)
    medians, apart, bars = against_rival(what, ROUNDS if not small else 3)
    if apart > ALIKE:
        raise AssertionError(f"the two sides draw different pictures: {apart:.2%} of the pixels differ")
    yield Bar(bench=BENCH, bar="full repaint, median ms", value=medians["grid"], limit=3.0).as_line()
    yield Bar(bench=BENCH, bar="full repaint / rival", value=medians["grid"] / medians["rival"], limit=0.3).as_line()
    grid = shown(what)
    repaint_times(grid, 5)
    repaints = repaint_times(grid, 10 * rounds)
    yield Bar(bench=BENCH, bar="full repaint, p95 ms", value=percentile(repaints, 0.95), limit=8.3).as_line()
    steps = scroll_times(grid, 84, 5 * rounds)
    yield Bar(bench=BENCH, bar="scroll step, p95 ms", value=percentile(steps, 0.95), limit=8.3).as_line()
    grid.verticalScrollBar().setValue(0)
    pages = scroll_times(grid, grid.viewport().height() // 28 * 28, rounds)
    yield Bar(bench=BENCH, bar="page, p95 ms", value=percentile(pages, 0.95), limit=16.7).as_line()
    large = shown(content(many))
    for view, count in ((grid, few), (large, many)):
        row = view.grid_model().row_of_unit(f"unit-{count // 2:06d}")
        assert row is not None
        view.scrollTo(view.grid_model().index(row, 0), QTableView.ScrollHint.PositionAtTop)
        repaint_times(view, 5)
    sizes = medians_ms(
        {"few": lambda: grid.viewport().repaint(), "many": lambda: large.viewport().repaint()}, rounds=rounds, calls=3
    )
    yield Bar(bench=BENCH, bar="100k rows / 10k rows", value=sizes["many"] / sizes["few"], limit=1.2).as_line()
    swaps = month_swap(few, rounds)
    yield Bar(bench=BENCH, bar="month swap with Redis, median ms", value=percentile(swaps, 0.5), limit=16.7).as_line()
    at_150 = scaled()
    yield Bar(bench=BENCH, bar="150 %: full repaint / rival", value=at_150["ratio"], limit=0.5).as_line()
    yield context(
        BENCH,
        pyside=PySide6.__version__,
        window=f"{SIZE[0]}x{SIZE[1]}",
        bars_on_screen=bars,
        rows=[few, many],
        pictures_differ=round(apart, 5),
        medians_ms={name: round(value, 3) for name, value in medians.items()},
        rows_ms={name: round(value, 3) for name, value in sizes.items()},
        at_150_ms={name: round(value, 3) for name, value in at_150.items()},
        rival="QTableView with a delegate: per cell its ground, its slice of a kept bar picture, the name",
    )


def main() -> None:
    """The 150 % part, in a process whose scale was chosen before Qt started."""
    application()
    medians, apart, _ = against_rival(content(2_000), ROUNDS)
    if apart > ALIKE:
        raise AssertionError(f"at 150 % the two sides draw different pictures: {apart:.2%} of the pixels differ")
    found = medians | {"ratio": medians["grid"] / medians["rival"], "apart": apart}
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
