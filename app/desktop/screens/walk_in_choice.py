"""The question when days are chosen while a draft waits: go on with it, or begin anew and keep it."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.desktop.formats import period_with_weekdays
from app.desktop.language import language
from app.desktop.screens.walk_in_form import WalkInForm
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.label import Label, Tone


class DraftChoice(QWidget):
    """`continued` or `begun` with what was typed so far: whoever types a name or a phone begins anew with it."""

    continued = Signal()
    begun = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._form: WalkInForm | None = None
        page = QVBoxLayout(self)
        page.setContentsMargins(13, 14, 13, 12)
        page.setSpacing(4)
        self._title = Label("", TextRole.SECTION)
        self._text = Label("", TextRole.BASE, Tone.MUTED)
        for label in (self._title, self._text):
            label.setWordWrap(True)
            label.setContentsMargins(3, 0, 3, 0)
            page.addWidget(label)
        page.addSpacing(8)
        self.continue_button = Button("", size=ButtonSize.PRIMARY)
        self.continue_button.clicked.connect(self.continued)
        self.new_button = Button("", size=ButtonSize.PRIMARY)
        self.new_button.clicked.connect(lambda: self.begun.emit(""))
        self._continue_text = Label("", TextRole.SECONDARY, Tone.MUTED)
        self._new_text = Label("", TextRole.SECONDARY, Tone.MUTED)
        for button, label in ((self.continue_button, self._continue_text), (self.new_button, self._new_text)):
            label.setWordWrap(True)
            label.setContentsMargins(3, 0, 3, 8)
            page.addWidget(button)
            page.addWidget(label)
        page.addStretch(1)

    def ask(self, form: WalkInForm) -> None:
        """Speak of this draft."""
        self._form = form
        self._retranslate()

    def take_focus(self) -> None:
        self.continue_button.setFocus(Qt.FocusReason.TabFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go from one to the other; a letter or a digit is the beginning of the next customer."""
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Left, Qt.Key.Key_Right):
            other = self.new_button if self.continue_button.hasFocus() else self.continue_button
            other.setFocus(Qt.FocusReason.TabFocusReason)
        elif event.text().strip() and event.text().isprintable():
            self.begun.emit(event.text())
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        form = self._form
        if form is None:
            return
        name = form.typed_name
        self._title.setText(self.tr("Draf {0} belum ditahan").format(name))
        period = form.period
        self._text.setText(period_with_weekdays(period.first, period.last, language()) if period is not None else "")
        self.continue_button.setText(self.tr("Lanjutkan draf {0}").format(name))
        self._continue_text.setText(self.tr("Pelanggan tetap, tanggalnya yang baru dipilih."))
        self.new_button.setText(self.tr("Mulai baru"))
        self._new_text.setText(self.tr("Untuk pelanggan lain. Draf ini tetap disimpan."))
        self.setAccessibleName(self._title.text())
