"""What the grid says beside a cell: the price while days are chosen, why it cannot be, and a bar's preview card."""

import datetime as dt
import html

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.desktop.formats import (
    Zone,
    day_count,
    day_with_weekday,
    money,
    period_with_weekdays,
    tied,
)
from app.desktop.icons import icon_pixmap
from app.desktop.language import language
from app.desktop.screens.calendar_bar_facts import MOST_FACTS, bar_facts
from app.desktop.states import ShownState
from app.desktop.theme import TextRole, theme, theme_source
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Hairline
from app.desktop.widgets.close_hint import CloseHint
from app.desktop.widgets.label import KeyCap, Label, StateChip, Tone
from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_selection import DayStretch, Obstacle
from app.desktop.widgets.month_grid_spans import Span
from app.desktop.widgets.month_grid_texts import bar_name, stop_head, stop_reason
from app.desktop.widgets.popover import Popover
from app.usecases.rows import FleetUnit

BUBBLE_WIDTH = 296


class IconLabel(QLabel):
    """A small icon in a colour of the theme."""

    def __init__(self, name: str, token: str, size: int = 16, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._token, self._size = name, token, size
        self.setFixedSize(size, size)
        theme_source().changed.connect(self._restyle)
        self._restyle()

    def show_icon(self, name: str, token: str) -> None:
        self._name, self._token = name, token
        self._restyle()

    def _restyle(self) -> None:
        self.setPixmap(icon_pixmap(self._name, getattr(theme(), self._token), self._size, self.devicePixelRatioF()))


class BoldLead(QLabel):
    """A wrapped sentence whose first part is bold. Both parts are plain text."""

    def __init__(self, tone: Tone = Tone.TEXT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tone = tone
        self._parts = ("", "")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        theme_source().changed.connect(self._restyle)
        self._restyle()

    def show_parts(self, bold: str, rest: str) -> None:
        self._parts = (bold, rest)
        self.setAccessibleName(f"{bold} {rest}".strip())
        self._restyle()

    def _restyle(self) -> None:
        bold, rest = (html.escape(tied(part)) for part in self._parts)
        colour = getattr(theme(), self._tone.value).name()
        self.setFont(theme().font(TextRole.SECONDARY))
        self.setText(f'<span style="color:{colour}"><span style="font-weight:600">{bold}</span> {rest}</span>')


class PriceBubble(Popover):
    """Days and price of the stretch being chosen, and what stopped it. It lets clicks through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, see_through=True, notch=False)
        self.pad(12, 9)
        self.setFixedWidth(BUBBLE_WIDTH)
        head = QHBoxLayout()
        self._days = Label("", TextRole.SECTION)
        self._price = Label("", TextRole.SECTION)
        head.addWidget(self._days)
        head.addStretch(1)
        head.addWidget(self._price)
        self.body.addLayout(head)
        self._what = Label("", TextRole.SECONDARY, Tone.MUTED)
        self.body.addWidget(self._what)
        self._line = Hairline()
        self.body.addSpacing(4)
        self.body.addWidget(self._line)
        self._stop = QWidget()
        row = QHBoxLayout(self._stop)
        row.setContentsMargins(0, 5, 0, 3)
        row.setSpacing(8)
        row.addWidget(IconLabel("warning", "error"), 0, Qt.AlignmentFlag.AlignTop)
        self._reason = BoldLead(Tone.ERROR)
        row.addWidget(self._reason, 1)
        self.body.addWidget(self._stop)
        foot = QHBoxLayout()
        foot.setSpacing(6)
        self._take = Label("", TextRole.CAPTION, Tone.MUTED)
        self._enter = KeyCap("Return")
        self._give_up = Label("", TextRole.CAPTION, Tone.MUTED)
        for widget in (self._enter, self._take, KeyCap("Esc"), self._give_up):
            foot.addWidget(widget)
        foot.addStretch(1)
        self.body.addLayout(foot)

    def show_stretch(self, chosen: DayStretch, *, dragging: bool, taker: str = "") -> None:
        """Fill in; the rent is days times the SKU's rate, before deposit. `taker`: who took what was lost, and when."""
        rent = chosen.count * chosen.unit.sku.daily_rate
        self._days.setText(day_count(chosen.count, language()))
        # What cannot be had has no price.
        self._price.setText(money(rent, language()) if chosen.lost is None else "")
        period = period_with_weekdays(chosen.first_day, chosen.last_day, language())
        self._what.setText(f"{period} · {chosen.unit.sku.name} {chosen.unit.unit.plate}")
        stopped = chosen.lost or chosen.stopped
        self._stop.setVisible(stopped is not None)
        if chosen.lost is not None:
            head = f"{taker}:" if taker else self.tr("Baru saja diambil:")
            self._reason.show_parts(head, stop_reason(chosen.lost))
        elif stopped is not None:
            self._reason.show_parts(stop_head(stopped), stop_reason(stopped))
        self._stop.updateGeometry()
        self._enter.setVisible(not dragging)
        if chosen.lost is not None:
            self._take.setText(self.tr("Lepas = pilihan lain") if dragging else self.tr("pilihan lain"))
        else:
            self._take.setText(self.tr("Lepas = booking") if dragging else self.tr("booking"))
        self._give_up.setText(self.tr("batal"))
        self.setAccessibleName(self.spoken())

    def spoken(self) -> str:
        """The bubble as one sentence."""
        parts = [self._days.text(), self._price.text(), self._what.text()]
        if not self._stop.isHidden():
            parts.append(self._reason.accessibleName())
        return ", ".join(part for part in parts if part)


class BlockedBubble(Popover):
    """Why this day cannot be booked, or why nothing can be held now, with the one helpful button."""

    draft_wanted = Signal()
    form_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.pad(12, 9)
        self.setFixedWidth(344)
        row = QHBoxLayout()
        row.setSpacing(8)
        self._icon = IconLabel("lock", "muted")
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(3)
        self._title = Label("", TextRole.BASE, weight=600)
        self._title.setWordWrap(True)
        self._text = Label("", TextRole.SECONDARY, Tone.MUTED)
        self._text.setWordWrap(True)
        column.addWidget(self._title)
        column.addWidget(self._text)
        self.draft_button = Button("", key="Ctrl+N", size=ButtonSize.SMALL)
        self.draft_button.clicked.connect(self.draft_wanted)
        column.addWidget(self.draft_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.form_button = Button("", key="Return", size=ButtonSize.SMALL)
        self.form_button.clicked.connect(self.form_wanted)
        column.addWidget(self.form_button, 0, Qt.AlignmentFlag.AlignLeft)
        row.addLayout(column, 1)
        self.body.addLayout(row)

    def show_offline(self) -> None:
        self._icon.show_icon("lock", "muted")
        self._title.setText(self.tr("Belum bisa menahan unit: koneksi terputus"))
        self._text.setText(self.tr("Grid hanya bisa dibaca. Anda tetap bisa mengisi draf."))
        self.draft_button.setText(self.tr("Isi sebagai draf"))
        self.draft_button.show()
        self.form_button.hide()
        self.setAccessibleName(f"{self._title.text()}. {self._text.text()}")

    def show_obstacle(self, unit: FleetUnit, obstacle: Obstacle) -> None:
        self._icon.show_icon("warning", "error")
        day = day_with_weekday(obstacle.day, language())
        self._title.setText(self.tr("{0} tidak bisa dipesan {1}").format(unit.unit.plate, day))
        reason = stop_reason(obstacle)
        self._text.setText(f"{reason[:1].upper()}{reason[1:]}.")
        self.draft_button.hide()
        self.form_button.hide()
        self.setAccessibleName(f"{self._title.text()}. {self._text.text()}")

    def show_elsewhere(self, branch: str) -> None:
        """Another branch's units are looked at from here, and booked there."""
        self._icon.show_icon("lock", "muted")
        self._title.setText(self.tr("{0} hanya bisa dilihat dari sini").format(branch))
        self._text.setText(self.tr("Hubungi cabangnya untuk memesan. Esc kembali ke unit sendiri."))
        self.draft_button.hide()
        self.form_button.hide()
        self.setAccessibleName(f"{self._title.text()}. {self._text.text()}")

    def show_stuck(self, number: str, reason: str) -> None:
        """Why a bar does not move."""
        self._icon.show_icon("lock", "muted")
        self._title.setText(self.tr("{0} tidak bisa diubah di sini").format(number))
        self._text.setText(reason)
        self.draft_button.hide()
        self.form_button.hide()
        self.setAccessibleName(f"{self._title.text()}. {self._text.text()}")

    def show_gone(self, name: str) -> None:
        """What a card spoke of has gone while it was open."""
        self._icon.show_icon("warning", "error")
        self._title.setText(self.tr("{0} tidak ada lagi di sini").format(name))
        self._text.setText(self.tr("Baru saja dibatalkan atau dipindah. Tidak ada yang dilakukan."))
        self.draft_button.hide()
        self.form_button.hide()
        self.setAccessibleName(f"{self._title.text()}. {self._text.text()}")

    def show_not_booked(self, unit: FleetUnit, reason: str) -> None:
        """Whoever looks at free days may not book them."""
        self._icon.show_icon("lock", "muted")
        self._title.setText(self.tr("{0} tidak bisa dipesan").format(unit.unit.plate))
        self._text.setText(reason)
        self.draft_button.hide()
        self.form_button.hide()
        self.setAccessibleName(f"{self._title.text()}. {self._text.text()}")

    def show_lower_class(self, unit: FleetUnit) -> None:
        """A cheaper SKU is a new agreement with the customer."""
        self._icon.show_icon("warning", "error")
        self._title.setText(self.tr("{0} kelas lebih rendah").format(unit.sku.name))
        self._text.setText(self.tr("Pindah ke kelas lebih rendah butuh perjanjian baru; booking lama tidak berubah."))
        self.draft_button.hide()
        self.form_button.setText(self.tr("Buka formulir booking"))
        self.form_button.show()
        self.setAccessibleName(f"{self._title.text()}. {self._text.text()}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.form_button.hasFocus():
            self.form_button.click()
            return
        super().keyPressEvent(event)


class PreviewCard(Popover):
    """A bar's facts (Space, Enter, pointing at it); an unpaid one can be paid (F9) or cancelled (Del) from here."""

    pay_wanted = Signal(object)
    cancel_wanted = Signal(object)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._span: Span | None = None
        self.pad(14, 10)
        self.setFixedWidth(330)
        head = QHBoxLayout()
        self._number = Label("", TextRole.SECTION)
        self._chip = StateChip(ShownState.PAID_APPROVED)
        head.addWidget(self._number)
        head.addSpacing(4)
        head.addWidget(self._chip)
        head.addStretch(1)
        head.addWidget(CloseHint())
        self.body.addLayout(head)
        self._name = Label("", TextRole.BASE, weight=600)
        self._name.setWordWrap(True)
        self.body.addWidget(self._name)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnMinimumWidth(0, 62)
        self._grid.setColumnStretch(1, 1)
        self._rows: list[tuple[Label, Label]] = []
        for row in range(MOST_FACTS):
            name, value = Label("", TextRole.SECONDARY, Tone.MUTED), Label("", TextRole.BASE)
            value.setWordWrap(True)
            self._grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(value, row, 1)
            self._rows.append((name, value))
        self.body.addLayout(self._grid)
        self.pay_button = Button("", key="F9", size=ButtonSize.SMALL)
        self.pay_button.clicked.connect(self._pay)
        self.cancel_button = Button("", key="Del", size=ButtonSize.SMALL)
        self.cancel_button.clicked.connect(self._cancel)
        self.body.addSpacing(2)
        buttons = QHBoxLayout()
        buttons.setSpacing(2)
        buttons.addWidget(self.pay_button)
        buttons.addWidget(self.cancel_button)
        buttons.addStretch(1)
        self.body.addLayout(buttons)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_bar(
        self,
        unit: FleetUnit,
        span: Span,
        zone: Zone,
        *,
        now: dt.datetime,
        content: GridContent | None,
        pay_reason: str | None,
        cancel_reason: str | None,
    ) -> None:
        """Fill in; a reason of None hides its button, a text disables it and says why."""
        bar = span.bar
        if bar is None or span.state is None:
            return
        self._span = span
        self._number.setText(bar.number or unit.unit.plate)
        self._chip.set_state(span.state)
        self._name.setText(bar_name(span))
        rows = bar_facts(unit, span, zone, now, content)
        for index, (name, value) in enumerate(self._rows):
            name.setVisible(index < len(rows))
            value.setVisible(index < len(rows))
            if index < len(rows):
                name.setText(rows[index][0])
                value.setText(rows[index][1])
        self.pay_button.setText(self.tr("Bayar"))
        self.pay_button.setVisible(pay_reason is not None)
        self.pay_button.set_reason(pay_reason or "")
        self.cancel_button.setText(self.tr("Batalkan booking"))
        self.cancel_button.setVisible(cancel_reason is not None)
        self.cancel_button.set_reason(cancel_reason or "")
        spoken = [self._number.text(), self._chip.accessibleName(), self._name.text()]
        self.setAccessibleName(", ".join([*spoken, *(f"{name} {value}" for name, value in rows)]))

    def span(self) -> Span | None:
        return self._span

    def labels(self) -> tuple[Label, ...]:
        """The texts that are shown."""
        return tuple(label for label in self.findChildren(Label) if not label.isHidden())

    def take_focus(self) -> None:
        """The first thing to press is ready for Enter; without one the card itself, for Esc."""
        for button in (self.pay_button, self.cancel_button):
            if button.isEnabled() and not button.isHidden():
                button.setFocus(Qt.FocusReason.PopupFocusReason)
                return
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Space):
            self.hide()
            self.closed.emit()
            return
        if event.key() == Qt.Key.Key_Delete:
            self.cancel_button.click()
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.hide()
        super().changeEvent(event)

    def _pay(self) -> None:
        if self._span is not None:
            self.pay_wanted.emit(self._span)

    def _cancel(self) -> None:
        if self._span is not None:
            self.cancel_wanted.emit(self._span)
