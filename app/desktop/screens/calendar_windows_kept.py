"""Windows of days that were shown a moment ago: gone back to without a wait, and kept live meanwhile."""

from collections import OrderedDict

from app.desktop.changes import AvailabilityChange
from app.desktop.screens.calendar_shown import CalendarFilter
from app.desktop.widgets.month_grid_content import GridContent
from app.domain.days import Days

_MOST = 6


class KeptWindows:
    """At most six contents, by window and filter; the longest unused goes first."""

    def __init__(self) -> None:
        self._found: OrderedDict[tuple[Days, CalendarFilter], GridContent] = OrderedDict()

    def get(self, window: Days, wanted: CalendarFilter) -> GridContent | None:
        return self._found.get((window, wanted))

    def put(self, content: GridContent, wanted: CalendarFilter) -> None:
        self._found[(content.window, wanted)] = content
        self._found.move_to_end((content.window, wanted))
        while len(self._found) > _MOST:
            self._found.popitem(last=False)

    def apply_hint(self, change: AvailabilityChange, shown: GridContent | None) -> None:
        """Take another counter's bits into every content but the one that is shown."""
        for content in self._found.values():
            if content is not shown:
                content.apply_hint(change.sku, change.month, change.slot, change.mask)

    def clear(self) -> None:
        self._found.clear()
