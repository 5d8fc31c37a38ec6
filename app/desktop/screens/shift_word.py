"""A manager's word in place: login and password under the form that needs them. The password is never kept."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.screens.shift_desk_viewmodel import ManagersWord
from app.desktop.theme import TextRole
from app.desktop.widgets.field import Field, FieldSize
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.password_field import PasswordField


class WordFields(QWidget):
    """`entered` when Enter leaves the password. `take` wipes the password as it hands it out."""

    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        self._why = Label("", TextRole.SECONDARY, Tone.WARNING)
        self._why.setWordWrap(True)
        self.login = Field("", size=FieldSize.TALL)
        self.password = PasswordField("", by_tab=False)
        column.addWidget(self._why)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.login)
        row.addWidget(self.password)
        column.addLayout(row)
        self.login.edit.returnPressed.connect(self.password.edit.setFocus)
        self.password.edit.returnPressed.connect(self.entered)
        self.retranslate()

    def say_why(self, text: str) -> None:
        self._why.setText(text)

    def take(self) -> ManagersWord | None:
        """What was typed; None, with the focus on the empty field, while something is missing."""
        for field in (self.login, self.password):
            if not field.text().strip():
                field.edit.setFocus(Qt.FocusReason.TabFocusReason)
                return None
        word = ManagersWord(login=self.login.text().strip(), password=self.password.text())
        self.password.set_text("")
        return word

    def retranslate(self) -> None:
        self.login.set_name(self.tr("Login manajer"))
        self.login.set_placeholder(self.tr("Login manajer"))
        self.password.set_name(self.tr("Kata sandi manajer"))
        self.password.set_placeholder(self.tr("Kata sandi manajer"))
        self.password.set_eye_name(self.tr("Tampilkan kata sandi"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
