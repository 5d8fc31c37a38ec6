"""The field for a day: understands `30`, `30/11`, `besok`, `sen`, `+3`, and shows the weekday at once."""

import datetime as dt
from collections.abc import Callable

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.field_words import not_a_day
from app.desktop.formats import day_long, day_short, day_with_weekday, weekday_short
from app.desktop.language import language
from app.desktop.typed import typed_date
from app.desktop.widgets.field import Field, FieldSize


class DateField(Field):
    """`day_changed` carries the date, or None while the text is empty or no day. `today` answers the branch's day."""

    day_changed = Signal(object)

    def __init__(
        self,
        name: str,
        today: Callable[[], dt.date],
        *,
        size: FieldSize = FieldSize.NORMAL,
        key: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(name, key=key, size=size, parent=parent)
        self._today = today
        self._day: dt.date | None = None
        self.typed.connect(self._typed)
        self.committed.connect(self._normalise)

    def day(self) -> dt.date | None:
        """The day as typed so far; None when empty or not understood."""
        return self._day

    def set_day(self, day: dt.date | None) -> None:
        """Show a day; emits `day_changed` when it differs."""
        self.set_text("" if day is None else day_short(day, language()))
        self.set_wrong(False)
        self._store(day)
        self.set_suffix("" if day is None else weekday_short(day, language()))

    def is_understood(self) -> bool:
        """False when something was typed that is no day."""
        return self._day is not None or not self.text().strip()

    def echo(self) -> str:
        """`Senin, 30 November 2026`: what was typed, with its weekday and its year."""
        return "" if self._day is None else day_long(self._day, language())

    def problem(self) -> str:
        return "" if self.is_understood() or not self.is_wrong() else not_a_day(self.name())

    def changeEvent(self, event: QEvent) -> None:
        """Write the day in the new language."""
        if event.type() == QEvent.Type.LanguageChange and self._day is not None:
            self.set_day(self._day)
        super().changeEvent(event)

    def _typed(self, text: str) -> None:
        day = typed_date(text, self._today())
        if day is None and self._day is not None and text == day_short(self._day, language()):
            return
        self.set_wrong(False)
        self._store(day)
        self.set_suffix("" if day is None else day_with_weekday(day, language()))

    def _normalise(self) -> None:
        if self._day is not None:
            self.set_day(self._day)
        self.set_wrong(not self.is_understood())

    def _store(self, day: dt.date | None) -> None:
        if day == self._day:
            return
        self._day = day
        self.set_description("" if day is None else day_long(day, language()))
        self.day_changed.emit(day)
        self.noted.emit()
