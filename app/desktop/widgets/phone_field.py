"""The field for a phone number: takes `0812…`, `812…`, `62…`, `+62…` and answers one stored form."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from app.desktop.field_words import not_a_phone
from app.desktop.formats import phone, wa_link
from app.desktop.typed import typed_phone
from app.desktop.widgets.field import Field, FieldSize


class PhoneField(Field):
    """Leaving the field writes the number as `0812-3456-7890`; the cursor is never moved while somebody types."""

    def __init__(
        self, name: str, *, size: FieldSize = FieldSize.NORMAL, key: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(name, key=key, size=size, parent=parent)
        self._number: str | None = None
        self.typed.connect(self._typed)
        self.committed.connect(self._normalise)

    def number(self) -> str | None:
        """The number in its stored form, as typed so far; None when empty or not understood."""
        return self._number

    def set_text(self, text: str) -> None:
        """Show a number, in whatever form, or what somebody typed before."""
        super().set_text(text)
        self._typed(text)

    def is_understood(self) -> bool:
        """False when something was typed that is no phone number."""
        return self._number is not None or not self.text().strip()

    def echo(self) -> str:
        """`0812-3456-7890 · wa.me/6281234567890`: what is dialled, and where a message goes."""
        return "" if self._number is None else f"{phone(self._number)} · {wa_link(self._number)}"

    def problem(self) -> str:
        return "" if self.is_understood() or not self.is_wrong() else not_a_phone(self.name())

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.noted.emit()
        super().changeEvent(event)

    def _typed(self, text: str) -> None:
        self._store(typed_phone(text))
        self.set_wrong(False)

    def _normalise(self) -> None:
        if self._number is not None:
            self.set_text(phone(self._number))
        self.set_wrong(not self.is_understood())

    def _store(self, number: str | None) -> None:
        if number != self._number:
            self._number = number
            self.set_description("" if number is None else phone(number))
            self.noted.emit()
