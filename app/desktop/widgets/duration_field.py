"""The field for a length in days: understands `3`, `3h`, `3 hari`, `3 days`; the word stands in the box."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.field_words import not_a_length
from app.desktop.formats import day_count
from app.desktop.language import language
from app.desktop.typed import typed_days
from app.desktop.widgets.field import Field, FieldSize


class DurationField(Field):
    """`days_changed` carries 1 to 365, or None while the text is empty or no such length."""

    days_changed = Signal(object)

    def __init__(
        self, name: str, *, size: FieldSize = FieldSize.NORMAL, key: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(name, key=key, size=size, align_right=True, parent=parent)
        self._days: int | None = None
        self.typed.connect(self._typed)
        self.committed.connect(self._normalise)

    def days(self) -> int | None:
        """The length as typed so far; None when empty or not understood."""
        return self._days

    def set_days(self, days: int | None) -> None:
        """Show a length; emits `days_changed` when it differs."""
        self.set_text("" if days is None else str(days))
        self._store(days)
        self.set_wrong(False)
        self._show_word()

    def is_understood(self) -> bool:
        """False when something was typed that is no length."""
        return self._days is not None or not self.text().strip()

    def echo(self) -> str:
        """`3 hari`."""
        return "" if self._days is None else day_count(self._days, language())

    def problem(self) -> str:
        return "" if self.is_understood() or not self.is_wrong() else not_a_length(self.name())

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._show_word()
            self.noted.emit()
        super().changeEvent(event)

    def _typed(self, text: str) -> None:
        self._store(typed_days(text))
        self.set_wrong(False)
        self._show_word()

    def _normalise(self) -> None:
        if self._days is not None:
            self.set_text(str(self._days))
        self.set_wrong(not self.is_understood())
        self._show_word()

    def _show_word(self) -> None:
        """The word alone, behind a bare number."""
        bare = self._days is not None and self.text().strip() == str(self._days)
        self.set_suffix(day_count(self._days, language()).split(" ", 1)[1] if bare and self._days is not None else "")

    def _store(self, days: int | None) -> None:
        if days == self._days:
            return
        self._days = days
        self.set_description("" if days is None else day_count(days, language()))
        self.days_changed.emit(days)
        self.noted.emit()
