"""The drawer after a unit is held: time left, who and what, and what became of it."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSpacerItem, QVBoxLayout, QWidget

from app.desktop.announce import announce
from app.desktop.formats import (
    clock,
    countdown,
    day_count,
    day_with_weekday,
    moment,
    period_short,
    period_with_weekdays,
    zone_label,
)
from app.desktop.language import language
from app.desktop.screens.calendar_bubbles import IconLabel
from app.desktop.screens.walk_in_customer import PersonLine
from app.desktop.screens.walk_in_form import Stage
from app.desktop.screens.walk_in_held import HOLD_SECONDS, Hold
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel
from app.desktop.theme import TextRole
from app.desktop.widgets.card import Hairline
from app.desktop.widgets.countdown import CountdownBar
from app.desktop.widgets.label import Label, Tone

AMBER_SECONDS = 5 * 60
RED_SECONDS = 60
_SPOKEN_AT = (600, 300, 120, 60, 30)
_LOW = 260
_TODAY_SECONDS = 2 * 3600


class HoldPage(QWidget):
    """Countdown by the server's deadline: neutral, amber under 5 min, red under 1 min, always with digits."""

    def __init__(self, model: WalkInViewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._spoken: set[int] = set()
        self._is_low = False
        page = self._page = QVBoxLayout(self)
        page.addLayout(self._make_time())
        self.bar = CountdownBar()
        page.addWidget(self.bar)
        self._gaps = (QSpacerItem(0, 6), QSpacerItem(0, 4))
        page.addItem(self._gaps[0])
        page.addWidget(Hairline())
        page.addItem(self._gaps[1])
        self._person = PersonLine()
        page.addWidget(self._person)
        self._facts = QGridLayout()
        self._facts.setVerticalSpacing(4)
        self._facts.setColumnMinimumWidth(0, 62)
        self._facts.setColumnStretch(1, 1)
        self._rows: list[tuple[Label, Label]] = []
        for row in range(3):
            name, value = Label("", TextRole.SECONDARY, Tone.MUTED), Label("")
            value.setWordWrap(True)
            self._facts.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
            self._facts.addWidget(value, row, 1)
            self._rows.append((name, value))
        page.addLayout(self._facts)
        page.addStretch(1)
        self._fit_height()

    def _make_time(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        column = QVBoxLayout()
        column.setSpacing(2)
        self._label = Label("", TextRole.SECONDARY, Tone.MUTED)
        time_row = QHBoxLayout()
        time_row.setSpacing(6)
        self._icon = IconLabel("clock", "warning_mark", 18)
        self.time = Label("", TextRole.COUNTDOWN)
        time_row.addWidget(self._icon)
        time_row.addWidget(self.time)
        time_row.addStretch(1)
        column.addWidget(self._label)
        column.addLayout(time_row)
        row.addLayout(column, 1)
        self._until = Label("", TextRole.SECONDARY, Tone.MUTED)
        self._until.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self._until)
        return row

    def add_step(self, button: QWidget) -> None:
        """A button of somebody else's below what is held."""
        self._page.insertWidget(self._page.count() - 1, button, 0, Qt.AlignmentFlag.AlignLeft)

    def show_hold(self) -> None:
        """Everything that does not change every second."""
        hold = self._model.hold
        if hold is None:
            return
        self._person.show_person(hold.customer_name, hold.customer_phone, hold.customer_rentals)
        unit_text = "\n".join(self._unit_lines(hold))
        has_one_period = len({unit.period for unit in hold.units}) == 1
        days, length = self._rented(hold)
        rows = (
            (self.tr("Unit"), unit_text),
            (self.tr("Sewa"), f"{days} · {length}" if self._is_low else days),
            (self.tr("Lama"), length),
        )
        for (name, value), (label, text) in zip(self._rows, rows, strict=True):
            name.setText(label)
            value.setText(text)
        for widget in self._rows[1]:
            widget.setVisible(has_one_period)
        for widget in self._rows[2]:
            widget.setVisible(has_one_period and not self._is_low)
        self.show_time()

    def _rented(self, hold: Hold) -> tuple[str, str]:
        """From when to when, and for how many days: with the hours where 24 of them are a day."""
        branch = self._model.who.branch
        if not branch.counts_hours or hold.pickup_at is None or hold.due_at is None:
            days = period_with_weekdays(hold.period.first, hold.period.last, language())
            return days, day_count(hold.period.count, language())
        ends = " – ".join(
            f"{day_with_weekday(day, language())} {clock(at, branch.zone, language())}"
            for day, at in ((hold.period.first, hold.pickup_at), (hold.period.last, hold.due_at))
        )
        paid = hold.quote.days if hold.quote is not None else ()
        return ends, day_count(paid[0] if paid else hold.period.count, language())

    def _unit_lines(self, hold: Hold) -> list[str]:
        """The unit; of several each one's number and plate, with its days where they differ."""
        units = {held.booking_id: self._model.unit(held.unit_id) for held in hold.units}
        if not hold.others:
            unit = units[hold.booking_id]
            return [f"{unit.sku.name} · {unit.unit.plate} {unit.unit.colour}".strip() if unit else hold.unit_id]
        has_one_period = len({held.period for held in hold.units}) == 1
        lines = []
        for held in hold.units:
            unit = units[held.booking_id]
            line = f"{held.number} · {unit.unit.plate if unit else held.unit_id}"
            days = period_short(held.period.first, held.period.last, language())
            lines.append(line if has_one_period else f"{line} · {days}")
        return lines

    def show_time(self) -> None:
        """The second's tick."""
        model, hold = self._model, self._model.hold
        if hold is None:
            return
        zone = model.who.branch.zone
        left = model.seconds_left()
        if hold.deadline is not None:
            until = clock(hold.deadline, zone, language(), seconds=True)
            if left is not None and left > _TODAY_SECONDS:  # held longer: its day is not told by the hour alone
                until = moment(hold.deadline, zone, language())
            text = self.tr("Batas {0} {1}\nunit dilepas otomatis")
            self._until.setText(text.format(until, zone_label(zone.key, hold.deadline)))
        match model.stage:
            case Stage.HELD:
                self._label.setText(self.tr("Sisa waktu tahan"))
                self._show_left(left or 0.0)
            case Stage.CHECKING:
                late = model.is_late_check()
                self._label.setText(
                    self.tr("Menunggu keputusan server") if late else self.tr("Memeriksa pembayaran terakhir…")
                )
                self._show_left(0.0)
            case Stage.EXPIRED if model.was_let_go:
                self._label.setText(self.tr("Status"))
                self._show_end(self.tr("Dibatalkan"), Tone.MUTED)
                self.bar.set_share(0.0)
            case Stage.EXPIRED:
                self._label.setText(self.tr("Kedaluwarsa, unit dilepas"))
                self._show_left(0.0)
            case Stage.PAID:
                self._label.setText(self.tr("Status"))
                self._show_end(self.tr("Dibayar"), Tone.SUCCESS)
                self.bar.set_share(1.0)
                self.bar.set_colour("online")
            case Stage.FORM:
                pass

    def _show_end(self, word: str, tone: Tone) -> None:
        """What became of it, instead of a countdown."""
        self.time.setText(word)
        self.time.set_tone(tone)
        self.time.set_weight(600)
        self.time.setAccessibleName(f"{self._label.text()}, {word}")
        self._icon.hide()
        self._until.setText("")

    def _show_left(self, left: float) -> None:
        self.time.setText(countdown(left))
        if left >= AMBER_SECONDS:
            tone, colour = Tone.TEXT, "accent"
        elif left >= RED_SECONDS:
            tone, colour = Tone.WARNING, "warning_mark"
        else:
            tone, colour = Tone.ERROR, "error"
        self.time.set_tone(tone)
        self.time.set_weight(700 if left < RED_SECONDS else 600)
        self._icon.setVisible(left < AMBER_SECONDS)
        self._icon.show_icon("clock", colour if left < AMBER_SECONDS else "warning_mark")
        self.bar.set_colour(colour)
        self.bar.set_share(left / HOLD_SECONDS)
        self.time.setAccessibleName(f"{self._label.text()}, {self.time.text()}")
        self._speak(left)

    def _speak(self, left: float) -> None:
        """Read aloud at 10, 5, 2 and 1 minutes and at 30 seconds only."""
        for mark in _SPOKEN_AT:
            if mark - 1 <= left < mark and mark not in self._spoken:
                self._spoken.add(mark)
                announce(self, self.time.accessibleName())

    def begin(self) -> None:
        """A new hold: its marks are spoken again."""
        self._spoken.clear()
        self.show_hold()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """150 % on a small screen: closer lines, and the length stands behind the days."""
        super().resizeEvent(event)
        if (self.height() < _LOW) is not self._is_low:
            self._is_low = not self._is_low
            self._fit_height()
            self.show_hold()

    def _fit_height(self) -> None:
        low = self._is_low
        self._page.setContentsMargins(16, 10 if low else 14, 16, 6 if low else 12)
        self._page.setSpacing(4 if low else 8)
        for gap, room in zip(self._gaps, (6, 4), strict=True):
            gap.changeSize(0, 0 if low else room)
        self._page.invalidate()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.show_hold()
        super().changeEvent(event)
