"""Pick-up and due hours below the days, where the branch counts days by 24 hours."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.desktop.screens.walk_in_form import WalkInForm
from app.desktop.screens.walk_in_hours import Hours
from app.desktop.widgets.field import Field
from app.desktop.widgets.time_field import TimeField, written_time


class HoursRow(QWidget):
    """`pickup_typed` and `due_typed` with what stands there, `left` with the field that was left; `finished` after
    Enter in the second one. An empty field shows what will be meant.
    """

    pickup_typed = Signal(str)
    due_typed = Signal(str)
    left = Signal(object)
    wanted = Signal(object)
    finished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(1)
        self.pickup, self.due = TimeField(""), TimeField("")
        for field in self.fields():
            row.addWidget(field, 1)
            field.edit.setMaxLength(8)
            field.committed.connect(lambda left=field: self.left.emit(left))
        self.pickup.typed.connect(self.pickup_typed)
        self.due.typed.connect(self.due_typed)
        self.pickup.edit.returnPressed.connect(lambda: self.wanted.emit(self.due))
        self.due.edit.returnPressed.connect(self.finished)
        self.retranslate()

    def fields(self) -> tuple[Field, ...]:
        return self.pickup, self.due

    def show_form(self, form: WalkInForm, hours: Hours | None) -> None:
        self.pickup.show_text(form.pickup_text)
        self.due.show_text(form.due_text)
        if hours is not None:
            self.pickup.set_placeholder(written_time(hours.pickup))
            self.due.set_placeholder(written_time(hours.due))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        for field, word, name in (
            (self.pickup, self.tr("Ambil"), self.tr("Jam ambil")),
            (self.due, self.tr("Kembali"), self.tr("Jam kembali")),
        ):
            field.set_prefix(word)
            field.set_name(name)
