"""The bar that an open card names: found again after every reading, or known to be gone."""

from dataclasses import dataclass

from app.desktop.screens.calendar_shown import CalendarFilter
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_spans import Span
from app.domain.days import Days
from app.usecases.rows import Bar, FleetUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class CardBar:
    """What the card shows, and of which window and filter: in others its bar may be out of sight, which is no news."""

    unit: FleetUnit
    span: Span
    window: Days
    wanted: CalendarFilter

    @classmethod
    def of(cls, unit: FleetUnit, span: Span, model: CalendarViewModel) -> "CardBar | None":
        if model.content is None:
            return None
        return cls(unit=unit, span=span, window=model.content.window, wanted=model.shown.wanted)

    @property
    def name(self) -> str:
        """The booking's number; of maintenance the plate."""
        number = self.span.bar.number if self.span.bar is not None else None
        return number or self.unit.unit.plate

    def is_of(self, model: CalendarViewModel) -> bool:
        """The same days and units are shown still."""
        return model.content is not None and (model.content.window, model.shown.wanted) == (self.window, self.wanted)

    def found(self, content: GridContent) -> tuple[FleetUnit, Span] | None:
        """Where it lies now, moved or changed as it may be; None when it is not there any more."""
        mine = self.span.bar
        bar = _again(mine, content) if mine is not None else None
        unit = content.unit(bar.unit_id) if bar is not None else None
        if unit is None:
            return None
        spans = [span for span in content.spans(unit) if span.bar == bar and not span.turnaround]
        like = [span for span in spans if span.tail == self.span.tail]
        return next(((unit, span) for span in like or spans), None)


def _again(mine: Bar, content: GridContent) -> Bar | None:
    """The same bar, else the same booking's; maintenance has no number: only its very days and reason are it."""
    bars = content.all_bars()
    if mine in bars:
        return mine
    same = [bar for bar in bars if bar.booking_id is not None and bar.booking_id == mine.booking_id]
    return next((bar for bar in same if bar.unit_id == mine.unit_id), same[0] if same else None)
