"""The shift screen: the panel that opens a shift with its float, and the open shift's facts."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.errors import failure_sentence, refusal_sentence
from app.desktop.formats import money, money_words, time_of_day
from app.desktop.language import language
from app.desktop.screen import Screen, Shell
from app.desktop.screens.shift_viewmodel import MOST_LETTERS, ShiftViewModel
from app.desktop.theme import TextRole
from app.desktop.viewmodel import Failure
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Card, Hairline
from app.desktop.widgets.field import Field, FieldSize
from app.desktop.widgets.label import ElidedLabel, Label, Tone
from app.desktop.widgets.money_field import MoneyField
from app.domain.errors import Refusal

PANEL_WIDTH = 440
MARGINS, LOW_MARGINS = (32, 24, 32, 24), (12, 0, 12, 0)
LOW = 380


class ShiftScreen(Screen):
    """Without a shift: the form, the float ready to type. With one: what it is and since when."""

    def __init__(self, model: ShiftViewModel, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self.model = model
        model.setParent(self)
        page = QVBoxLayout(self)
        page.setContentsMargins(*MARGINS)
        self._page = page
        page.setSpacing(4)
        self._title = Label("", TextRole.SECTION)
        self._subtitle = Label("", TextRole.SECONDARY, Tone.MUTED)
        page.addWidget(self._title)
        page.addWidget(self._subtitle)
        page.addSpacing(8)
        self._said_reason = ""
        self._form = self._make_form()
        self._facts = self._make_facts()
        page.addWidget(self._form)
        page.addWidget(self._facts)
        page.addStretch(1)
        self._open_action = self.add_key("Ctrl+Return", "", self._open)
        self.open_button.follow(self._open_action)
        model.changed.connect(self._show)
        model.refused.connect(self._show_refusal)
        model.failed.connect(self._show_failure)
        model.opened.connect(self._opened)
        self._retranslate()
        self._show()

    def title(self) -> str:
        return self.tr("Shift")

    def activate(self, argument: object = None) -> None:
        self.model.load()
        if self.model.shift is None:
            self.float_field.setFocus()

    def refresh(self) -> None:
        self.model.load()

    def connection_changed(self, online: bool) -> None:
        self._show()

    def message(self) -> str:
        """What stands in the message area."""
        return self._message.text()

    def facts(self) -> tuple[str, ...]:
        """Drawer, time and float of the open shift as shown."""
        return tuple(value.text() for _, value in self._rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low place (over a payment at 150 %) the form stays whole: less air, no second line."""
        super().resizeEvent(event)
        low = self.height() < LOW
        self._page.setContentsMargins(*(LOW_MARGINS if low else MARGINS))
        self._subtitle.setVisible(not low)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self._show()
        super().changeEvent(event)

    def _make_form(self) -> Card:
        card = Card(" ")
        card.setFixedWidth(PANEL_WIDTH)
        card.body.setContentsMargins(13, 12, 13, 13)
        card.head.setContentsMargins(3, 0, 3, 6)
        card.body.setSpacing(2)
        self._drawer_label = Label("", TextRole.SECONDARY, Tone.MUTED)
        self.drawer_field = Field("", size=FieldSize.NORMAL)
        self.drawer_field.set_text(self.model.drawer)
        self.drawer_field.edit.setMaxLength(MOST_LETTERS)
        self._float_label = Label("", TextRole.SECONDARY, Tone.MUTED)
        self.float_field = MoneyField("", size=FieldSize.AMOUNT)
        self._echo = ElidedLabel("", TextRole.CAPTION, Tone.MUTED)
        self._echo.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._message = Label("")
        self._message.setWordWrap(True)
        self._message.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._message.setFixedHeight(38)
        self.open_button = Button("", primary=True, size=ButtonSize.PRIMARY)
        self.float_field.amount_changed.connect(self._show)
        self.float_field.typed.connect(lambda _text: self._corrected())
        self.drawer_field.typed.connect(lambda _text: self._corrected())
        self.drawer_field.edit.returnPressed.connect(self.float_field.setFocus)
        self.float_field.edit.returnPressed.connect(self._open)
        for widget in (self._drawer_label, self.drawer_field, self._float_label, self.float_field, self._echo):
            card.body.addWidget(widget)
        self._drawer_label.setContentsMargins(3, 0, 0, 0)
        self._echo.setContentsMargins(0, 0, 3, 0)
        self._float_label.setContentsMargins(3, 6, 0, 0)
        self._message.setContentsMargins(3, 0, 3, 0)
        card.body.addSpacing(6)
        card.body.addWidget(self._message)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.open_button)
        card.body.addLayout(row)
        return card

    def _make_facts(self) -> Card:
        card = Card(" ")
        card.setFixedWidth(PANEL_WIDTH)
        self._rows: list[tuple[Label, Label]] = []
        for index in range(3):
            if index:
                card.body.addWidget(Hairline())
            name, value = Label("", TextRole.BASE, Tone.MUTED), Label("", TextRole.BASE, weight=600)
            row = QHBoxLayout()
            row.addWidget(name)
            row.addStretch(1)
            row.addWidget(value)
            card.body.addLayout(row)
            self._rows.append((name, value))
        return card

    def _open(self) -> None:
        self._say("", Tone.TEXT)
        if self._reason():
            self._say(self._reason(), Tone.ERROR)
            return
        self.model.open(self.drawer_field.text(), self.float_field.amount())

    def _corrected(self) -> None:
        """What was wrong is being corrected: the red goes."""
        self.drawer_field.set_wrong(False)
        self.float_field.set_wrong(False)
        self._say("", Tone.TEXT)

    def _reason(self) -> str:
        """Why a shift cannot be opened now; empty when it can."""
        if not self.model.may_open:
            return self.tr("Hanya kasir yang bisa membuka shift: perlu peran Kasir. Minta kasir atau manajer.")
        if not self.shell.is_online():
            return self.tr("Belum bisa membuka shift: koneksi terputus. Isian Anda tetap ada.")
        return ""

    def _opened(self) -> None:
        self.shell.refresh_shift()
        shift = self.model.shift
        if shift is not None:
            self.shell.toast(self.tr("Shift #{number} dibuka").format(number=shift.number))

    def _show(self) -> None:
        shift = self.model.shift
        if shift is not None and self._form.isVisibleTo(self):
            self.setFocus()  # before the form goes, or the focus would leave the screen and its keys with it
        self._form.setVisible(shift is None)
        self._facts.setVisible(shift is not None)
        self._echo.setText(self.float_field.echo())
        reason = self._reason()
        if reason and not self._message.text():
            self._say(reason, Tone.MUTED)
        elif not reason and self._message.text() == self._said_reason:
            self._say("", Tone.TEXT)
        self._said_reason = reason
        self._open_action.setEnabled(shift is None and not reason and not self.model.is_busy("open"))
        if reason:
            self.open_button.set_reason(reason)
        else:
            self.open_button.set_reason("")
            self.open_button.setEnabled(self._open_action.isEnabled())
        opening = self.tr("Membuka shift…") if self.model.is_busy("open") else self.tr("Buka shift")
        self.open_button.setText(opening)
        if shift is None:
            self._title.setText(self.tr("Buka shift"))
            self._subtitle.setText(self.tr("Tunai perlu shift terbuka."))
            return
        zone = self.model.zone
        self._title.setText(self.tr("Shift #{number}").format(number=shift.number))
        self._subtitle.setText(self.tr("Terbuka; pembayaran tunai tercatat di shift ini."))
        values = (shift.drawer, time_of_day(shift.opened_at, zone, language()), money(shift.opening_float, language()))
        for (_, label), value in zip(self._rows, values, strict=True):
            label.setText(value)
        self._rows[2][1].setToolTip(money_words(shift.opening_float, language()))

    def _show_refusal(self, refusal: Refusal) -> None:
        self._say(refusal_sentence(refusal, self.model.zone).whole, Tone.ERROR)
        if refusal.field == "drawer":
            self.drawer_field.set_wrong(True)
            self.drawer_field.setFocus()
            self.drawer_field.edit.selectAll()
        elif refusal.field == "float":
            self.float_field.set_wrong(True)
            self.float_field.setFocus()

    def _show_failure(self, failure: Failure) -> None:
        self._say(failure_sentence(failure).whole, Tone.ERROR)

    def _say(self, text: str, tone: Tone) -> None:
        self._message.setText(text)
        self._message.set_tone(tone)

    def _retranslate(self) -> None:
        self.setAccessibleName(self.title())
        self._form.set_title(self.tr("Modal awal"))
        self._facts.set_title(self.tr("Shift berjalan"))
        self._drawer_label.setText(self.tr("Laci"))
        self.drawer_field.set_name(self.tr("Nama laci"))
        self._float_label.setText(self.tr("Uang di laci sekarang"))
        self.float_field.set_name(self.tr("Modal awal"))
        self._open_action.setText(self.tr("Buka shift"))
        names = (self.tr("Laci"), self.tr("Dibuka"), self.tr("Modal awal"))
        for (label, _), name in zip(self._rows, names, strict=True):
            label.setText(name)
