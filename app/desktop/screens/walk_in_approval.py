"""A manager's word at this counter: login, password and reason beside the form, which stays as it is."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.announce import announce
from app.desktop.errors import refusal_sentence
from app.desktop.formats import money
from app.desktop.language import language
from app.desktop.screens.walk_in_texts import blocked_sentence
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button
from app.desktop.widgets.field import Field, FieldSize
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.password_field import PasswordField
from app.domain.errors import Refusal


class ApprovalPage(QWidget):
    """Enter goes from login to password to reason and then asks; `left` on Esc or when it is not wanted.

    The password is never kept: it goes to the question and is wiped at once.
    """

    left = Signal()

    def __init__(self, model: WalkInViewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        page = QVBoxLayout(self)
        page.setContentsMargins(13, 14, 13, 12)
        page.setSpacing(3)
        self._title = Label("", TextRole.SECTION)
        self._text = Label("", TextRole.BASE, Tone.MUTED)
        self.message = Label("", TextRole.SECONDARY, Tone.ERROR)
        tall = FieldSize.TALL
        self.login, self.password, self.reason = (
            Field("", size=tall),
            PasswordField("", by_tab=False),
            Field("", size=tall),
        )
        self._names = [Label("", TextRole.SECONDARY, Tone.MUTED) for _ in range(3)]
        for label in (self._title, self._text, self.message, *self._names):
            label.setContentsMargins(3, 0, 3, 0)
        for label in (self._title, self._text, self.message):
            label.setWordWrap(True)
        page.addWidget(self._title)
        page.addWidget(self._text)
        page.addSpacing(6)
        for name, field in zip(self._names, (self.login, self.password, self.reason), strict=True):
            page.addWidget(name)
            page.addWidget(field)
        self.message.setMinimumHeight(34)
        page.addWidget(self.message)
        row = QHBoxLayout()
        self.back_button, self.ask_button = Button(""), Button("", primary=True)
        row.addWidget(self.back_button)
        row.addWidget(self.ask_button, 1)
        page.addLayout(row)
        page.addStretch(1)
        self.login.edit.returnPressed.connect(self.password.edit.setFocus)
        self.password.edit.returnPressed.connect(self.reason.edit.setFocus)
        self.reason.edit.returnPressed.connect(self.ask)
        self.ask_button.clicked.connect(self.ask)
        self.back_button.clicked.connect(self.left)
        model.refused.connect(self._refused)
        self.retranslate()

    def begin(self, refusal: Refusal) -> None:
        """Say what needs a manager's word."""
        limit, amount, code = (refusal.params.get(name) for name in ("limit", "amount", "blocked"))
        text = self.tr("Perlu persetujuan manajer.")
        if refusal.params.get("action") == "discount" and isinstance(limit, int):
            text = self.tr("Diskon di atas {0} % perlu persetujuan manajer.").format(limit)
        elif isinstance(code, str):
            text = blocked_sentence(code)
        self._text.setText(text)
        shown = self.tr("Diskon {0}").format(money(amount, language())) if isinstance(amount, int) else ""
        self._title.setText(shown or self.tr("Persetujuan manajer"))
        self.message.setText("")
        self.password.set_text("")
        self.setAccessibleName(text)

    def take_focus(self) -> None:
        field = self.login if not self.login.text().strip() else self.password
        field.edit.setFocus(Qt.FocusReason.TabFocusReason)

    def ask(self) -> None:
        """Ask with what was typed; an empty field is gone to first."""
        for field in (self.login, self.password, self.reason):
            if not field.text().strip():
                field.edit.setFocus(Qt.FocusReason.TabFocusReason)
                return
        self.message.setText("")
        password = self.password.text()
        self.password.set_text("")
        self._model.approve(self.login.text(), password, self.reason.text())

    def retranslate(self) -> None:
        texts = (self.tr("Login manajer"), self.tr("Kata sandi manajer"), self.tr("Alasan"))
        for label, field, text in zip(self._names, (self.login, self.password, self.reason), texts, strict=True):
            label.setText(text)
            field.set_name(text)
        self.password.set_eye_name(self.tr("Tampilkan kata sandi"))
        self.back_button.setText(self.tr("Kembali ke isian"))
        self.ask_button.setText(self.tr("Setujui"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            if self._model.wanted_approval is not None:
                self.begin(self._model.wanted_approval)
        super().changeEvent(event)

    def _refused(self, refusal: Refusal) -> None:
        if self.isVisible() and refusal is not self._model.wanted_approval:
            self.message.setText(refusal_sentence(refusal, self._model.who.branch.zone).whole)
            announce(self, self.message.text(), assertive=True)
            wrong = {"login": self.login, "password": self.password, "reason": self.reason}.get(refusal.field or "")
            (wrong or self.password).edit.setFocus(Qt.FocusReason.TabFocusReason)
