"""Paints the grid's viewport: copied row backgrounds, cached bar pictures, names, then marks, selection and ring."""

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPixmap, QStaticText

from app.desktop.formats import bar_countdown
from app.desktop.language import language
from app.desktop.states import ShownState
from app.desktop.theme import Pattern, Theme
from app.desktop.widgets.month_grid_bars import BarLook, BarShape, BarWords
from app.desktop.widgets.month_grid_conflict_painting import ConflictPainting
from app.desktop.widgets.month_grid_conflicts import Conflict
from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_marks import GridMark, MarkPainting
from app.desktop.widgets.month_grid_model import GridRow
from app.desktop.widgets.month_grid_spans import Span, shown_state
from app.desktop.widgets.month_grid_strips import Frame, RowStrips, paint_hatch
from app.desktop.widgets.month_grid_texts import bar_name
from app.usecases.rows import FleetUnit

_ROWS_KEPT = 4000
_MARKED = 36
"""What is left of a bar cut by the scroll shows its payment mark from this width on: the code comes first."""


@dataclass(slots=True)
class DrawnBar:
    """One bar of a row, ready to be drawn; `seen` decides between plain and static text."""

    x: int
    span: Span
    shape: BarShape
    tile: QPixmap
    words: BarWords
    text: QColor
    fill: QColor
    font: QFont
    patterned: bool
    patch: QRectF | None
    counts: bool
    seen: bool = False
    static: QStaticText | None = None


@dataclass(slots=True)
class Scene:
    """What the view knows at the moment of painting, in logical pixels."""

    rows: Sequence[tuple[GridRow, int]]
    offset_x: int
    now: dt.datetime | None
    marks: Sequence[GridMark] = field(default_factory=tuple)
    current: tuple[str, int] | None = None
    current_group: str | None = None
    focused: bool = False
    pinned: tuple[GridRow, int] | None = None
    """A SKU's row that stays under the head, over everything else."""


class GridPainting:
    """Owns all caches for one theme, pixel ratio, column width and content; ask `fits` before each paint."""

    def __init__(self, look: Theme, frame: Frame, content: GridContent, only: ShownState | None) -> None:
        self._look = look
        self.frame = frame
        self.content = content
        self.only = only
        self.bars = BarLook(look, frame.ratio)
        self._strips = RowStrips(look, frame, content)
        self._tiles: dict[BarShape, QPixmap] = {}
        self._veiled_tiles: dict[BarShape, QPixmap] = {}
        self._pen: QColor | None = None
        self._font: QFont | None = None
        self._all_known = (1 << len(content.days)) - 1
        self._rows: dict[str, tuple[DrawnBar, ...]] = {}
        self._cut: dict[tuple[str, int, int], DrawnBar] = {}
        self._cut_at = 0
        self._marks = MarkPainting(look, frame, content)
        self._conflicts = ConflictPainting(look, frame)

    def fits(self, look: Theme, frame: Frame, content: GridContent, only: ShownState | None) -> bool:
        return look is self._look and frame == self.frame and content is self.content and only is self.only

    def carry_tiles(self, before: "GridPainting") -> None:
        """Take over the bar pictures of an earlier painting of the same theme and ratio."""
        if before._look is self._look and before.frame.ratio == self.frame.ratio:
            self._tiles = before._tiles

    def forget(self, unit_ids: Sequence[str] | frozenset[str]) -> None:
        """Lay these rows out again; strips of SKU rows follow their numbers by themselves."""
        self._cut.clear()
        for unit_id in unit_ids:
            self._rows.pop(unit_id, None)

    def forget_all(self) -> None:
        self._rows.clear()
        self._cut.clear()

    def renew_strips(self) -> None:
        """Draw the backgrounds again (today moved on)."""
        self._strips = RowStrips(self._look, self.frame, self.content)

    def row_bars(self, unit: FleetUnit) -> tuple[DrawnBar, ...]:
        """The laid-out bars of a row, x in device pixels from the window's first day."""
        found = self._rows.get(unit.unit.id)
        if found is None:
            if len(self._rows) > _ROWS_KEPT:
                self._rows.clear()
            found = tuple(self._lay_out(unit, span) for span in self.content.spans(unit))
            self._rows[unit.unit.id] = found
        return found

    def paint(self, painter: QPainter, area: QRect, scene: Scene) -> None:
        """Paint the part of the viewport inside `area` (logical pixels)."""
        ratio = self.frame.ratio
        painter.scale(1 / ratio, 1 / ratio)
        self._pen = self._font = None
        shift = -round(scene.offset_x * ratio)
        left, right = area.left() * ratio, (area.right() + 1) * ratio
        for row, y in scene.rows:
            self._row(painter, row, shift, round(y * ratio), left, right, scene)
        bottom = round((scene.rows[-1][1]) * ratio) + self.frame.row if scene.rows else 0
        # Of a device pixel that the area covers in part nothing old may remain.
        end = math.ceil((area.bottom() + 1) * ratio)
        if bottom < end:
            painter.fillRect(0, bottom, math.ceil(right), end - bottom, self._look.surface)
        self._overlays(painter, shift, scene)
        if scene.pinned is not None and area.top() * ratio < round(scene.pinned[1] * ratio) + self.frame.row:
            self._row(painter, scene.pinned[0], shift, round(scene.pinned[1] * ratio), left, right, scene)

    def time_rects(self, row: GridRow, y: int, offset_x: int) -> list[QRect]:
        """Where countdowns stand in a row, in logical pixels: what a second's tick has to repaint."""
        if row.unit is None:
            return []
        ratio = self.frame.ratio
        found = []
        for bar in self.row_bars(row.unit):
            if bar.words.time_x is not None:
                x = (bar.x + bar.words.time_x) / ratio - offset_x
                width = (bar.shape.width - bar.words.time_x) / ratio
                found.append(QRectF(x, y, width, self.frame.row / ratio).toAlignedRect())
        return found

    # --- rows ---------------------------------------------------------------------------------------------------------

    def _row(
        self, painter: QPainter, row: GridRow, shift: int, y: int, left: float, right: float, scene: Scene
    ) -> None:
        if row.unit is None:
            painter.drawPixmap(QPoint(shift, y), self._strips.group_row(self.content.left(row.group)))
            if self.content.has_conflicts:
                for column in self.content.group_conflicts(row.group):
                    self._conflicts.corner(painter, column, shift, y)
            return
        painter.drawPixmap(shift, y, self._strips.unit_row())
        self._unknown(painter, row.unit, shift, y)
        look = self.bars
        top = y + look.top
        base, text_top = top + look.baseline, top + look.text_top
        now = scene.now
        for bar in self.row_bars(row.unit):
            x = bar.x + shift
            if x > right or x + bar.shape.width < left:
                continue
            if x < 0:
                bar, x = self._cut_bar(row.unit, bar, x, shift), 0
            painter.drawPixmap(x, top, bar.tile)
            words = bar.words
            if words.name:
                if bar.patch is not None:
                    painter.fillRect(bar.patch.translated(x, top), bar.fill)
                self._use(painter, bar)
                if bar.static is not None:
                    painter.drawStaticText(QPointF(x + words.name_x, text_top), bar.static)
                else:
                    self._name(painter, bar, x + words.name_x, base, text_top)
            if bar.counts and now is not None:
                self._time(painter, bar, x, top, now)
        if self.content.has_conflicts:
            self._doubled(painter, row.unit, shift, y, now)

    def _doubled(self, painter: QPainter, unit: FleetUnit, shift: int, y: int, now: dt.datetime | None) -> None:
        claims = self.content.seen_conflicts(unit)
        if not claims:
            return
        gap, room = self._px(2), self.bars.time_room
        starts = [bar.x + shift + bar.words.time_x for bar in self.row_bars(unit) if bar.words.time_x is not None]
        times = [(start - gap, start + room) for start in starts]
        for columns, claim in zip(self.content.conflicts(unit), claims, strict=True):
            goes_on = claim.other.days.last > claim.days.last
            words = self._claims(claim, now)
            self._conflicts.stretch(painter, columns, shift, y, words, times=times, goes_on=goes_on)
        self._pen = self._font = None

    def _claims(self, conflict: Conflict, now: dt.datetime | None) -> tuple[str, ...]:
        """Code and number of both claims, the number's digits, the codes alone: by the room there is."""
        both = (conflict.one, conflict.other)
        states = (shown_state(bar, now or self.content.now) for bar in both)
        codes = [self._look.state(state).code if state is not None else "" for state in states]
        numbers = [bar.number or "" for bar in both]
        digits = [number.rpartition("-")[2] for number in numbers]
        named = (" + ".join(f"{c} {n}".strip() for c, n in zip(codes, own, strict=True)) for own in (numbers, digits))
        return *named, "+".join(codes)

    def _use(self, painter: QPainter, bar: DrawnBar) -> None:
        """Pen and font of a bar; setting them again costs as much as a short name."""
        if bar.text is not self._pen:
            self._pen = bar.text
            painter.setPen(bar.text)
        if bar.font is not self._font:
            self._font = bar.font
            painter.setFont(bar.font)

    def _name(self, painter: QPainter, bar: DrawnBar, x: float, base: float, text_top: float) -> None:
        """Plain text at first sight (most rows are scrolled past), laid-out text from the second paint on."""
        if not bar.seen:
            bar.seen = True
            painter.drawText(QPointF(x, base), bar.words.name)
            return
        bar.static = QStaticText(bar.words.name)
        bar.static.setTextFormat(Qt.TextFormat.PlainText)
        bar.static.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
        bar.static.prepare(font=bar.font)
        painter.drawStaticText(QPointF(x, text_top), bar.static)

    def _time(self, painter: QPainter, bar: DrawnBar, x: int, top: int, now: dt.datetime) -> None:
        """The countdown on a solid ground."""
        deadline, time_x = bar.span.deadline, bar.words.time_x
        if deadline is None or time_x is None:
            return
        if bar.patterned:
            inset = self._px(2)
            height = self.bars.height - 2 * inset
            ground = QRectF(x + time_x - inset, top + inset, self.bars.time_room, height)
            painter.fillRect(ground, bar.fill)
        painter.setPen(bar.text)
        painter.setFont(self.bars.name_font)
        self._pen = self._font = None
        seconds = (deadline - now).total_seconds()
        painter.drawText(QPointF(x + time_x, top + self.bars.baseline), bar_countdown(seconds, language()))

    def _unknown(self, painter: QPainter, unit: FleetUnit, shift: int, y: int) -> None:
        """Days nobody knows about are hatched: never shown as free."""
        if self.content.known(unit) == self._all_known:
            return
        count = len(self.content.days)
        frame = self.frame
        ink = QColor(self._look.stale)
        ink.setAlphaF(0.55)
        for column in range(count):
            if not self.content.is_known(unit, column):
                cell = QRectF(shift + column * frame.column, y, frame.column - 1, frame.row - 1)
                painter.fillRect(cell, self._look.head)
                paint_hatch(painter, cell, ink, frame.row / 4, self._px(1))

    def _cut_bar(self, unit: FleetUnit, bar: DrawnBar, x: int, shift: int) -> DrawnBar:
        """What is seen of a bar that begins left of the viewport: the code is never cut, so it stands at the edge.

        Drawn once per place of the scroll bar; without sideways scrolling no bar comes here.
        """
        if shift != self._cut_at or len(self._cut) > _ROWS_KEPT:
            self._cut.clear()
            self._cut_at = shift
        key = (unit.unit.id, bar.x, bar.shape.width)
        found = self._cut.get(key)
        if found is None:
            width = max(1, bar.shape.width + x)
            marked = bar.shape.paid if width >= self._px(_MARKED) else None
            shape = replace(bar.shape, width=width, cut_left=True, corner=False, paid=marked)
            found = self._drawn(bar.span, 0, shape, keep=False)
            self._cut[key] = found
        return found

    def _lay_out(self, unit: FleetUnit, span: Span) -> DrawnBar:
        frame, gap = self.frame, self._px(2)
        x = span.first * frame.column + (0 if span.opens_before else gap)
        end = (span.last + 1) * frame.column - (0 if span.ends_after else self._px(1) + gap // 2)
        if span.tail or (span.turnaround and not span.opens_before):
            x = span.first * frame.column - self._px(1) - gap // 2
        shape = BarShape(
            state=span.state,
            width=max(1, end - x),
            paid=span.paid,
            corner=span.needs_action and not span.opens_before,
            cut_left=span.opens_before,
            cut_right=span.ends_after,
            tail=span.tail,
            turnaround=span.turnaround,
        )
        return self._drawn(span, x, shape, keep=True)

    def _drawn(self, span: Span, x: int, shape: BarShape, *, keep: bool) -> DrawnBar:
        words = self.bars.words(shape, bar_name(span), span.deadline is not None)
        if span.state is None:
            style_text, style_fill, font = self._look.muted, self._look.head, self.bars.name_font
        else:
            style = self.bars.style(span.state, tail=span.tail)
            style_text, style_fill, font = style.text, style.fill, self.bars.name_font_of(style)
        veiled = self.only is not None and span.state is not self.only
        if veiled:
            style_text, style_fill = self._look.muted, self.bars.veiled(style_fill)
        patterned = span.state is not None and self._look.state(span.state).pattern is not Pattern.NONE
        inset = max(1, self._px(1))
        patch = None
        if patterned and words.name:
            width = words.patch_to - words.patch_from
            patch = QRectF(words.patch_from, inset, width, self.bars.height - 2 * inset)
        return DrawnBar(
            x=x,
            span=span,
            shape=shape,
            tile=self._tile(shape, veiled=veiled, keep=keep),
            words=words,
            text=style_text,
            fill=style_fill,
            font=font,
            patterned=patterned,
            patch=patch,
            counts=words.time_x is not None,
        )

    def _tile(self, shape: BarShape, *, veiled: bool, keep: bool) -> QPixmap:
        """The bar's picture; bars cut by the scroll have a width of their own at each place and are not kept."""
        tiles = self._veiled_tiles if veiled else self._tiles
        found = tiles.get(shape)
        if found is None:
            found = QPixmap(shape.width, self.bars.height)
            found.fill(Qt.GlobalColor.transparent)
            painter = QPainter(found)
            try:
                self.bars.paint(painter, shape, veiled=veiled)
            finally:
                painter.end()
            if keep:
                tiles[shape] = found
        return found

    # --- overlays -----------------------------------------------------------------------------------------------------

    def _overlays(self, painter: QPainter, shift: int, scene: Scene) -> None:
        if not scene.marks and scene.current is None and scene.current_group is None:
            return
        tops = {row.unit.unit.id: y for row, y in scene.rows if row.unit is not None}
        for mark in scene.marks:
            y = tops.get(mark.unit_id)
            if y is not None:
                self._marks.paint(painter, mark, shift, round(y * self.frame.ratio))
        if scene.focused and scene.current is not None and scene.current[0] in tops:
            unit_id, column = scene.current
            self._marks.ring_at(painter, unit_id, column, shift, round(tops[unit_id] * self.frame.ratio))
        elif scene.focused and scene.current_group is not None and scene.current is not None:
            groups = {row.group.sku.code: y for row, y in scene.rows if row.unit is None}
            if scene.current_group in groups:
                x = shift + scene.current[1] * self.frame.column
                self._marks.ring(painter, x, round(groups[scene.current_group] * self.frame.ratio))

    def _px(self, length: float) -> int:
        return round(length * self.frame.ratio)
