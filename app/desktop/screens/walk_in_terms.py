"""What is agreed on beside unit and days: extras, discount, deposit, and a down payment for a later date."""

from functools import partial

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.formats import money, number
from app.desktop.language import language
from app.desktop.screens.walk_in_fields import SectionLabel
from app.desktop.screens.walk_in_form import WalkInForm
from app.desktop.theme import TextRole, theme, theme_source
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.money_field import MoneyField
from app.desktop.widgets.tick_box import TickBox
from app.domain.pricing import Extra

MOST_EXTRAS = 6
_COLUMNS = 3


class Terms(QWidget):
    """`extra_set` with code and whether it is wanted, the other signals with what stands in the field.

    `left` with the field that was left; `finished` after Enter in one of them.
    """

    extra_set = Signal(str, bool)
    discount_typed = Signal(str)
    deposit_typed = Signal(str)
    down_typed = Signal(str)
    left = Signal(object)
    finished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._extras: tuple[Extra, ...] = ()
        self.boxes: dict[str, QCheckBox] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(1)
        self._label = SectionLabel("4", "")
        self._grid = QGridLayout()
        self._grid.setContentsMargins(3, 0, 3, 2)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        column.addWidget(self._label)
        column.addLayout(self._grid)
        self.discount = Field("", suffix="%", align_right=True)
        self.deposit = MoneyField("")
        self.down = MoneyField("")
        self._names: list[Label] = []
        row = QHBoxLayout()
        row.setSpacing(2)
        for field, share in ((self.discount, 24), (self.deposit, 38), (self.down, 38)):
            cell = QVBoxLayout()
            cell.setSpacing(0)
            name = Label("", TextRole.CAPTION, Tone.MUTED)
            name.setContentsMargins(3, 0, 3, 0)
            cell.addWidget(name)
            cell.addWidget(field)
            row.addLayout(cell, share)
            self._names.append(name)
            field.committed.connect(partial(self.left.emit, field))
            field.edit.returnPressed.connect(self.finished)
        column.addLayout(row)
        self.discount.edit.setMaxLength(5)
        self.discount.typed.connect(self.discount_typed)
        self.deposit.typed.connect(lambda _: self.deposit_typed.emit(self.deposit.text()))
        self.down.typed.connect(lambda _: self.down_typed.emit(self.down.text()))
        theme_source().changed.connect(self._restyle)
        self.retranslate()

    def fields(self) -> tuple[Field, ...]:
        return self.discount, self.deposit, self.down

    def show_extras(self, extras: tuple[Extra, ...], *, after: QWidget) -> None:
        """One box each; made anew only when the branch's list changed. Tab comes to them from `after`."""
        if extras == self._extras:
            return
        self._extras = extras
        for box in self.boxes.values():
            self._grid.removeWidget(box)
            box.deleteLater()
        self.boxes = {}
        for place, extra in enumerate(extras[:MOST_EXTRAS]):
            box = TickBox(extra.name)
            box.toggled.connect(partial(self.extra_set.emit, extra.code))
            self._grid.addWidget(box, place // _COLUMNS, place % _COLUMNS)
            self.boxes[extra.code] = box
        for widget in (*self.boxes.values(), *(field.edit for field in self.fields())):
            QWidget.setTabOrder(after, widget)
            after = widget
        self._restyle()
        self._describe()

    def show_form(self, form: WalkInForm, *, is_later: bool, reason: str, least_deposit: int) -> None:
        """Bring everything up to date; a field the person is typing in is left alone."""
        for code, box in self.boxes.items():
            box.blockSignals(True)
            box.setChecked(code in form.extras)
            box.blockSignals(False)
            box.setEnabled(not reason)
        texts = (form.discount_text, form.deposit_text, form.down_text)
        for field, text in zip(self.fields(), texts, strict=True):
            if not field.edit.hasFocus() and field.text() != text:
                field.set_text(text)
        self.deposit.set_placeholder(number(least_deposit, language()) if least_deposit else "")
        self.down.setEnabled(is_later)
        why = "" if is_later else self.tr("Uang muka hanya untuk tanggal ambil sesudah hari ini.")
        self.down.setToolTip(why)
        self.down.edit.setToolTip(why)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        self._label.set_text(self.tr("Tambahan dan kesepakatan"))
        texts = (self.tr("Diskon"), self.tr("Deposit"), self.tr("Uang muka"))
        for label, field, text in zip(self._names, self.fields(), texts, strict=True):
            label.setText(text)
            field.set_name(text)
        self._describe()

    def _describe(self) -> None:
        for extra in self._extras:
            box = self.boxes.get(extra.code)
            if box is not None:
                price = money(extra.rate, language())
                box.setToolTip(self.tr("{0} per hari").format(price) if extra.per_day else price)

    def _restyle(self) -> None:
        for box in self.boxes.values():
            box.setFont(theme().font(TextRole.SECONDARY))
