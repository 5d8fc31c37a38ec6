"""The one row above the grid: window, SKU filter, more filters, state, zoom, how many are free, the two actions."""

from collections.abc import Callable
from enum import Enum, auto

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLayout, QWidget

from app.desktop.formats import month_title
from app.desktop.language import language
from app.desktop.screens.calendar_free_count import FreeCount
from app.desktop.screens.calendar_titles import title_room, window_words
from app.desktop.screens.calendar_verbs import booking_reason
from app.desktop.screens.calendar_viewmodel import CalendarViewModel, Source
from app.desktop.screens.calendar_window import Zoom
from app.desktop.states import GRID_STATES, ShownState, state_label
from app.desktop.theme import TextRole, theme
from app.desktop.widgets.button import Button
from app.desktop.widgets.card import Hairline, Surface
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import Label
from app.desktop.widgets.month_grid_spans import bars_in_state
from app.desktop.widgets.pick_field import Pick, PickField
from app.desktop.widgets.segment import Choice, Segment
from app.domain.days import YearMonth

_ALL = "all"
_SKU_WIDTHS = (176, 154, 120)
_STATE_WIDTH = 142
_SPACES = 61
"""Margins and gaps of the row."""
_SHORT = (Zoom.WEEK, Zoom.FORTNIGHT, Zoom.ROLLING)


class Part(Enum):
    """What a narrow row leaves out: two lengths of the window, all of them, the free count, an action, the state."""

    LONG_ZOOMS = auto()
    ALL_ZOOMS = auto()
    FREE = auto()
    MAINTENANCE = auto()
    STATE = auto()


class CalendarToolbar(Surface):
    """Shows the view model and passes presses on; the keys themselves are the screen's.

    What stands where depends on the row's width and the language alone, never on what the calendar shows: no button
    moves under a pointer. What has no place is behind `more` (`more_wanted`, `left_out`).
    """

    stepped = Signal(int)
    today_wanted = Signal()
    filtered = Signal(str)
    filter_left = Signal()
    filters_wanted = Signal()
    state_chosen = Signal(object)
    zoom_chosen = Signal(str)
    booking_wanted = Signal()
    more_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", bottom_line=True, parent=parent)
        self._zoom = Zoom.ROLLING
        self._drafts_only = False
        self._left_out: set[Part] = set()
        self._fitted = (0, "")
        self.setFixedHeight(theme().sizes.toolbar)
        row = QHBoxLayout(self)
        row.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        row.setContentsMargins(9, 0, 9, 1)
        row.setSpacing(1)
        self.previous = Button(icon="chevron_left")
        self.next = Button(icon="chevron_right")
        self.title = Label("", TextRole.SECTION)
        self.today = Button("", key="T")
        self.sku = Field("", icon="search", key="/")
        self.filters = Button("", icon="filter", key="F")
        self.state = PickField("")
        self.zoom = Segment("", [Choice(key=zoom.value, text=zoom.value) for zoom in Zoom])
        self.short_zoom = Segment("", [Choice(key=zoom.value, text=zoom.value) for zoom in _SHORT])
        self.more = Button(icon="dots")
        self.more.setCheckable(True)
        self.more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.free = FreeCount()
        self.maintenance = Button("", key="M")
        self.booking = Button("", key="Ctrl+N", primary=True)
        row.addWidget(self.previous)
        row.addWidget(self.next)
        row.addSpacing(6)
        row.addWidget(self.title)
        row.addSpacing(8)
        row.addWidget(self.today)
        row.addSpacing(7)
        self._line = QWidget()
        beside = QHBoxLayout(self._line)
        beside.setContentsMargins(0, 0, 8, 0)
        line = Hairline(vertical=True, strong=True)
        line.setFixedHeight(20)
        beside.addWidget(line, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._line)
        self.sku.setFixedWidth(_SKU_WIDTHS[0])
        row.addWidget(self.sku)
        row.addSpacing(1)
        row.addWidget(self.filters)
        row.addSpacing(1)
        self.state.setFixedWidth(_STATE_WIDTH)
        row.addWidget(self.state)
        row.addSpacing(1)
        row.addWidget(self.zoom)
        row.addWidget(self.short_zoom)
        row.addSpacing(1)
        row.addWidget(self.more)
        row.addSpacing(7)
        row.addWidget(self.free, 100)
        row.addStretch(1)
        row.addWidget(self.maintenance)
        row.addWidget(self.booking)
        self.previous.clicked.connect(lambda: self.stepped.emit(-1))
        self.next.clicked.connect(lambda: self.stepped.emit(1))
        self.today.clicked.connect(self.today_wanted)
        self.sku.typed.connect(self.filtered)
        self.sku.edit.returnPressed.connect(self.filter_left)
        self.state.picked.connect(lambda key: self.state_chosen.emit(None if key == _ALL else ShownState(key)))
        self.state.entered.connect(self.filter_left)
        self.filters.clicked.connect(self.filters_wanted)
        self.zoom.chosen.connect(self.zoom_chosen)
        self.short_zoom.chosen.connect(self.zoom_chosen)
        self.booking.clicked.connect(self.booking_wanted)
        self.more.clicked.connect(self._ask_more)
        self.retranslate()

    def show_state(self, state: ShownState | None) -> None:
        """The state that is shown alone, wherever it was chosen."""
        self.state.choose(_ALL if state is None else state.value)

    def show_model(self, model: CalendarViewModel, *, is_owned: bool, away: str = "") -> None:
        """Bring every part up to date. `is_owned`: an open drawer or card has the one primary button of the view;
        `away` says why nothing can be written now.
        """
        self._fit()
        window = model.window
        if window is not None:
            month = YearMonth.of(window.first)
            whole = window.first == month.first_day and window.last == month.last_day
            title = window_words(
                window.first, window.last, language(), self.title.fontMetrics(), self.title.maximumWidth()
            )
            self.title.setText(month_title(window.first, language()) if whole else title)
        self._count(model)
        self._zoom = model.zoom
        self.zoom.choose(model.zoom.value)
        self.short_zoom.choose(model.zoom.value if model.zoom in _SHORT else "")
        self._drafts_only = not (model.may_hold or model.is_elsewhere)
        self._name_booking()
        self.maintenance.set_reason(away)
        self.booking.set_reason(booking_reason(model.who.roles))
        self.booking.set_primary(not is_owned)
        self._mark_more()

    def left_out(self) -> frozenset[Part]:
        """What stands behind `more`."""
        return frozenset(self._left_out)

    def chosen_zoom(self) -> Zoom:
        """The length that is shown."""
        return self._zoom

    def retranslate(self) -> None:
        self.previous.set_hint(self.tr("Bulan sebelumnya (Ctrl+←)"))
        self.next.set_hint(self.tr("Bulan berikutnya (Ctrl+→)"))
        self.today.setText(self.tr("Hari ini"))
        self.sku.set_name(self.tr("Saring SKU"))
        self.sku.set_placeholder(self.tr("Semua SKU"))
        self.state.set_name(self.tr("Status"))
        self.state.set_label(self.tr("Status"))
        picks = [Pick(key=_ALL, text=self.tr("semua"))]
        picks += [
            Pick(key=state.value, text=state_label(state), also=theme().state(state).code) for state in GRID_STATES
        ]
        self.state.set_picks(picks)
        if not self.state.current():
            self.state.choose(_ALL)
        for zoom in (self.zoom, self.short_zoom):
            zoom.set_name(self.tr("Jumlah hari"))
        self.zoom.set_text(Zoom.MONTH.value, self.tr("Bulan"))
        self.filters.set_hint(self.tr("Kosong untuk tanggal, kategori, cabang (F)"))
        self.filters.setAccessibleName(self.tr("Saringan lain"))
        self.maintenance.setText(self.tr("Perawatan"))
        self.more.set_hint(self.tr("Lainnya: yang tidak muat di baris ini"))
        self._keep_more_wide()
        widths = []
        for each in (self.tr("Draf baru"), self.tr("Booking baru")):
            self.booking.setText(each)
            widths.append(self.booking.sizeHint().width())
        self.booking.setFixedWidth(max(widths))
        self._name_booking()
        self._fitted = (0, "")

    def _keep_more_wide(self) -> None:
        """Room for every length that it may name: nothing moves when one is chosen."""
        self.more.set_icon_name("dots")
        self.more.setText("")
        widths = [self.more.sizeHint().width()]
        self.more.set_icon_name(self._dots())
        for zoom in (Zoom.TWO_MONTHS, Zoom.MONTH):
            self.more.setText(self._short_word(zoom))
            widths.append(self.more.sizeHint().width())
        self.more.setFixedWidth(max(widths))
        self._mark_more()

    def _name_booking(self) -> None:
        """Its width has room for either name."""
        self.booking.setText(self.tr("Draf baru") if self._drafts_only else self.tr("Booking baru"))

    def _ask_more(self) -> None:
        """The press itself chooses nothing: the mark stays with what is shown."""
        self._mark_more()
        self.more_wanted.emit()

    def _mark_more(self) -> None:
        """While the length that is shown has no place in the row the button names it, marked as its cell would be; the
        dots stay where there is more behind it than lengths.
        """
        hidden = Part.ALL_ZOOMS in self._left_out or self._zoom not in _SHORT
        marked = hidden and Part.LONG_ZOOMS in self._left_out
        self.more.setChecked(marked)
        self.more.set_icon_name(self._dots() if marked else "dots")
        self.more.setText(self._short_word(self._zoom) if marked else "")
        name = self.tr("Lainnya")
        shown = self.tr("Lainnya; {0} hari tampil").format(self.more.text()) if self._zoom is not Zoom.MONTH else name
        self.more.setAccessibleName(shown if marked else name)

    def _dots(self) -> str:
        """The button's icon beside a length."""
        return "dots" if self._left_out & {Part.MAINTENANCE, Part.STATE} else ""

    def _short_word(self, zoom: Zoom) -> str:
        return self.tr("Bln") if zoom is Zoom.MONTH else zoom.value

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self._mark_more()

    def _fit(self) -> None:
        """Narrow, then leave out the least needed parts, whole, until the row fits; keys keep working."""
        asked = (self.width(), language().value)
        if asked == self._fitted:
            return
        self._fitted = asked
        self._left_out.clear()
        self._keep_more_wide()
        self.title.setFixedWidth(title_room(self.title.fontMetrics(), language()))
        for part in (self.free, self.maintenance, self._line, self.state):
            part.setVisible(True)
        self._show_zoom(short=False)
        self.filters.set_key("F")
        self.sku.setFixedWidth(_SKU_WIDTHS[0])
        steps: tuple[Callable[[], None], ...] = (
            lambda: self._leave_out(Part.LONG_ZOOMS),
            lambda: self.filters.set_key(""),
            lambda: self._line.setVisible(False),
            lambda: self.sku.setFixedWidth(_SKU_WIDTHS[1]),
            lambda: self._leave_out(Part.FREE),
            lambda: self.sku.setFixedWidth(_SKU_WIDTHS[2]),
            lambda: self._leave_out(Part.MAINTENANCE),
            lambda: self._leave_out(Part.ALL_ZOOMS),
            lambda: self._leave_out(Part.STATE),
        )
        for give_up in steps:
            if self._needed() <= self.width():
                break
            give_up()
        # What was left out last may have freed more than was needed: the count gets it, without one the SKU's name.
        spare = max(0, self.width() - self._needed()) if Part.FREE in self._left_out else 0
        self.sku.setFixedWidth(min(_SKU_WIDTHS[0], self.sku.width() + spare))
        self.more.setVisible(bool(self._left_out))

    def _leave_out(self, part: Part) -> None:
        self._left_out.add(part)
        match part:
            case Part.LONG_ZOOMS:
                self._show_zoom(short=True)
            case Part.ALL_ZOOMS:
                self._show_zoom(short=None)
            case Part.FREE:
                self.free.setVisible(False)
            case Part.MAINTENANCE:
                self.maintenance.setVisible(False)
                self._keep_more_wide()
            case Part.STATE:
                self.state.setVisible(False)

    def _show_zoom(self, *, short: bool | None) -> None:
        """All five lengths, three of them, or none."""
        self.zoom.setVisible(short is False)
        self.short_zoom.setVisible(short is True)

    def _needed(self) -> int:
        """What the row takes; the free count its shortest words."""
        parts = (
            self.previous,
            self.next,
            self.today,
            self.filters,
            self.zoom,
            self.short_zoom,
            self.maintenance,
        )
        width = sum(part.sizeHint().width() for part in parts if not part.isHidden())
        width += self.title.width() + self.sku.width() + self.booking.width()
        width += self.state.width() if not self.state.isHidden() else 0
        width += self._line.sizeHint().width() if not self._line.isHidden() else 0
        width += self.more.width() if self._left_out else 0
        return width + (self._free_room() if not self.free.isHidden() else 0) + _SPACES

    def _free_room(self) -> int:
        """Room for the free count of a large branch, whatever is counted now."""
        return self.free.least_width(self.tr("Tersedia hari ini"), self.tr("{0} dari {1}").format(888, 888))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self._fit()
            self._mark_more()
        super().changeEvent(event)

    def _count(self, model: CalendarViewModel) -> None:
        """How many units are free today, or how many bookings are in the state that is shown alone."""
        content, only = model.content, model.only_state
        left = content.left_today() if content is not None else None
        if content is None or left is None or not content.unit_count:
            self.free.show_words("", "", "")
        elif model.source is Source.STALE:
            self.free.show_words(self.tr("Tersedia: data lama"), self.tr("Tersedia:"), self.tr("data lama"))
        elif only is not None:
            count = bars_in_state(content.all_bars(), only, content.now)
            self.free.show_words(f"{count} {state_label(only)}", str(count), state_label(only))
        else:
            long = self.tr("Tersedia {0} dari {1} (hari ini)").format(left, content.unit_count)
            above, below = self.tr("Tersedia hari ini"), self.tr("{0} dari {1}").format(left, content.unit_count)
            self.free.show_words(
                long,
                above,
                below,
                self.tr("Tersedia {0} dari {1} hari ini").format(left, content.unit_count),
                self.tr("Tersedia"),
            )
