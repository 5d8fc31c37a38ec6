"""The one row above the grid: window, SKU filter, more filters, state, zoom, how many are free, the two actions."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLayout, QWidget

from app.desktop.formats import month_title, window_title
from app.desktop.language import language
from app.desktop.screens.calendar_viewmodel import CalendarViewModel, Source
from app.desktop.screens.calendar_window import Zoom
from app.desktop.states import GRID_STATES, ShownState, state_label
from app.desktop.theme import TextRole, theme
from app.desktop.widgets.button import Button
from app.desktop.widgets.card import Hairline, Surface
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import ElidedLabel, Label, Tone
from app.desktop.widgets.month_grid_spans import bars_in_state
from app.desktop.widgets.pick_field import Pick, PickField
from app.desktop.widgets.segment import Choice, Segment
from app.domain.days import YearMonth

_ALL = "all"
_SKU_WIDTHS = (176, 144, 120)
_STATE_WIDTH = 142
_SPACES = 78
"""Margins and gaps of the row."""
_SHORT = (Zoom.WEEK, Zoom.FORTNIGHT, Zoom.ROLLING)


class CalendarToolbar(Surface):
    """Shows the view model and passes presses on; the keys themselves are the screen's."""

    stepped = Signal(int)
    today_wanted = Signal()
    filtered = Signal(str)
    filter_left = Signal()
    filters_wanted = Signal()
    state_chosen = Signal(object)
    zoom_chosen = Signal(str)
    booking_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", bottom_line=True, parent=parent)
        self._zoom = Zoom.ROLLING
        self._free_words = ("", "")
        self._drafts_only = False
        self._fitted: tuple[object, ...] = ()
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
        self.free = ElidedLabel("", TextRole.SECONDARY, Tone.MUTED)
        self.maintenance = Button("", key="M")
        self.booking = Button("", key="Ctrl+N", primary=True)
        row.addWidget(self.previous)
        row.addWidget(self.next)
        row.addSpacing(6)
        row.addWidget(self.title)
        row.addSpacing(8)
        row.addWidget(self.today)
        row.addSpacing(8)
        self._line = Hairline(vertical=True, strong=True)
        self._line.setFixedHeight(20)
        row.addWidget(self._line, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addSpacing(8)
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
        row.addSpacing(8)
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
        self.retranslate()

    def show_state(self, state: ShownState | None) -> None:
        """The state that is shown alone, wherever it was chosen."""
        self.state.choose(_ALL if state is None else state.value)

    def show_model(self, model: CalendarViewModel, *, is_owned: bool, away: str = "") -> None:
        """Bring every part up to date. `is_owned`: an open drawer or card has the one primary button of the view;
        `away` says why nothing can be written now.
        """
        window = model.window
        if window is not None:
            month = YearMonth.of(window.first)
            whole = window.first == month.first_day and window.last == month.last_day
            title = window_title(window.first, window.last, language())
            self.title.setText(month_title(window.first, language()) if whole else title)
        self._free_words = self._free_text(model)
        self.free.setAccessibleName(self._free_words[0])
        self._zoom = model.zoom
        self.zoom.choose(model.zoom.value)
        if model.zoom in _SHORT:
            self.short_zoom.choose(model.zoom.value)
        self._drafts_only = not (model.may_hold or model.is_elsewhere)
        self._name_booking()
        self.maintenance.set_reason(away)
        self.booking.set_primary(not is_owned)
        self._fit()

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
        self._name_booking()

    def _name_booking(self) -> None:
        self.booking.setText(self.tr("Draf baru") if self._drafts_only else self.tr("Booking baru"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Narrow, then leave out the least needed parts, whole, until the row fits; keys keep working."""
        asked = (self.width(), self.title.text(), self.booking.text(), self.today.text(), self._free_words, self._zoom)
        if asked == self._fitted:
            return
        self._fitted = asked
        for part in (self.free, self.maintenance, self._line, self.state):
            part.setVisible(True)
        self.free.setText(self._free_words[0])
        self._show_zoom(short=False)
        self.filters.set_key("F")
        self.sku.setFixedWidth(_SKU_WIDTHS[0])
        steps: tuple[Callable[[], None], ...] = (
            lambda: self._show_zoom(short=True),
            lambda: self.filters.set_key(""),
            lambda: self.sku.setFixedWidth(_SKU_WIDTHS[1]),
            lambda: self.free.setText(self._free_words[1]),
            lambda: self.free.setVisible(False),
            lambda: self.sku.setFixedWidth(_SKU_WIDTHS[2]),
            lambda: self.maintenance.setVisible(False),
            lambda: self._line.setVisible(False),
            lambda: self._show_zoom(short=None),
            lambda: self.state.setVisible(False),
        )
        for give_up in steps:
            if self._needed() <= self.width():
                break
            give_up()
        # What was left out last may have freed more than was needed: the SKU's name gets it.
        spare = max(0, self.width() - self._needed())
        self.sku.setFixedWidth(min(_SKU_WIDTHS[0], self.sku.width() + spare))

    def _show_zoom(self, *, short: bool | None) -> None:
        """All five lengths, three of them, or none; two months and a calendar month are always named."""
        if short and self._zoom not in _SHORT:
            short = False
        self.zoom.setVisible(short is False)
        self.short_zoom.setVisible(short is True)

    def _needed(self) -> int:
        parts = (
            self.previous,
            self.next,
            self.title,
            self.today,
            self.filters,
            self.zoom,
            self.short_zoom,
            self.maintenance,
            self.booking,
        )
        width = sum(part.sizeHint().width() for part in parts if not part.isHidden())
        width += self.sku.width() + (_STATE_WIDTH if not self.state.isHidden() else 0)
        return width + (self.free.sizeHint().width() if not self.free.isHidden() else 0) + _SPACES

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _free_text(self, model: CalendarViewModel) -> tuple[str, str]:
        """The words, and shorter ones for where they do not fit."""
        content = model.content
        left = content.left_today() if content is not None else None
        if content is None or left is None:
            return "", ""
        if model.source is Source.STALE:
            return self.tr("Tersedia: data lama"), self.tr("Data lama")
        if model.only_state is not None:
            count = bars_in_state(content.all_bars(), model.only_state, content.now)
            return f"{count} {state_label(model.only_state)}", f"{count} {theme().state(model.only_state).code}"
        long = self.tr("Tersedia {0} dari {1} hari ini").format(left, content.unit_count)
        return long, self.tr("Tersedia {0}/{1}").format(left, content.unit_count)
