"""The field for an amount: understands `1.250.000`, `1,25jt`, `500rb`, groups digits while they are typed."""

import re

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.field_words import not_an_amount
from app.desktop.formats import money, money_words, number
from app.desktop.language import language
from app.desktop.theme import theme_source
from app.desktop.typed import typed_money
from app.desktop.widgets.field import Field, FieldSize

ECHO_FROM = 1_000_000
MOST_DIGITS = 12
_CENTS = re.compile(r"[\d.,]*\d([.,])00", re.ASCII)


class MoneyField(Field):
    """`amount_changed` carries the whole rupiah, or None while the text is empty or not an amount."""

    amount_changed = Signal(object)

    def __init__(
        self, name: str, *, size: FieldSize = FieldSize.NORMAL, key: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(name, prefix="Rp", key=key, size=size, align_right=True, parent=parent)
        self._amount: int | None = None
        self._is_grouped = False
        self.typed.connect(self._typed)
        self.committed.connect(self._normalise)
        theme_source().changed.connect(self.update)

    def amount(self) -> int | None:
        """The amount as typed so far; None when empty or not understood."""
        return self._amount

    def set_amount(self, amount: int | None) -> None:
        """Show an amount; emits `amount_changed` when it differs."""
        self.set_text("" if amount is None else number(amount, language()))
        self._is_grouped = amount is not None and amount >= 1000
        self.set_wrong(False)
        self._store(amount)

    def is_understood(self) -> bool:
        """False when something was typed that is no amount."""
        return self._amount is not None or not self.text().strip()

    def echo(self) -> str:
        """The amount in words from one million on, else empty; for the line below the field."""
        if self._amount is None or self._amount < ECHO_FROM:
            return ""
        return money_words(self._amount, language())

    def problem(self) -> str:
        return "" if self.is_understood() or not self.is_wrong() else not_an_amount(self.name())

    def changeEvent(self, event: QEvent) -> None:
        """Group the digits the way of the new language."""
        if event.type() == QEvent.Type.LanguageChange and self._amount is not None:
            self.set_text(number(self._amount, language()))
        super().changeEvent(event)

    def _typed(self, text: str) -> None:
        amount = typed_money(text, language())
        only_digits = re.fullmatch(r"\d[\d.,]*\d|\d", text, re.ASCII) is not None
        cents = _CENTS.fullmatch(text)
        is_own = cents is not None and cents.group(1) == number(1000, language())[1]
        if only_digits and self._is_grouped and (amount is None or is_own):
            # One more or one less digit in a number that was grouped before: the old separators say nothing now.
            digits = re.sub(r"[.,]", "", text)
            amount = int(digits) if len(digits) <= MOST_DIGITS else None
        if amount is not None and only_digits and (cents is None or is_own):
            # `1.250,00` may still become `1.250,000`: the keypad's comma groups as well as its dot.
            self._regroup(text, amount)
        self._is_grouped = not self.text().isdigit() and only_digits and amount is not None
        self.set_wrong(False)
        self._store(amount)

    def _regroup(self, text: str, amount: int) -> None:
        """Group the digits; the cursor keeps its place among the digits."""
        grouped = number(amount, language())
        if grouped == text:
            return
        behind = sum(sign.isdigit() for sign in text[self.edit.cursorPosition() :])
        self.edit.setText(grouped)
        place = len(grouped)
        while behind > 0 and place > 0:
            place -= 1
            behind -= grouped[place].isdigit()
        self.edit.setCursorPosition(place)

    def _normalise(self) -> None:
        if self._amount is not None:
            self.set_text(number(self._amount, language()))
            self._is_grouped = self._amount >= 1000
        self.set_wrong(not self.is_understood())

    def _store(self, amount: int | None) -> None:
        if amount == self._amount:
            return
        self._amount = amount
        self.set_description("" if amount is None else money(amount, language()))
        self.amount_changed.emit(amount)
        self.noted.emit()
