"""The shifts before: who, how it ended, its Z report, and opening one again with a manager's reason."""

from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.formats import moment, money
from app.desktop.language import language
from app.desktop.screens.shift_desk_viewmodel import ShiftDeskViewModel
from app.desktop.screens.shift_word import WordFields
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Hairline
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import ElidedLabel, Label, Tone
from app.usecases.rows_till import ShiftLine


class PastPart(QWidget):
    """`report_wanted` and `count_wanted` carry a shift's id; `reopen_wanted` with a reason and a manager's word."""

    report_wanted = Signal(str)
    count_wanted = Signal(str)
    reopen_wanted = Signal(str, str, object)

    def __init__(self, model: ShiftDeskViewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self._title = Label("", TextRole.SECTION)
        self._empty = Label("", TextRole.SECONDARY, Tone.MUTED)
        column.addWidget(self._title)
        column.addWidget(self._empty)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        column.addLayout(self._rows)
        self._form = QWidget()
        form = QVBoxLayout(self._form)
        form.setContentsMargins(0, 8, 0, 0)
        form.setSpacing(4)
        self._asks = Label("", weight=600)
        self.reason = Field("")
        self.reason.edit.setMaxLength(200)
        self.word = WordFields()
        self.word.say_why("")
        self.again_button, self.leave_button = Button(""), Button("")
        buttons = QHBoxLayout()
        buttons.addWidget(self.leave_button)
        buttons.addWidget(self.again_button, 1)
        for widget in (self._asks, self.reason, self.word):
            form.addWidget(widget)
        form.addLayout(buttons)
        self._form.hide()
        column.addWidget(self._form)
        self._chosen: ShiftLine | None = None
        self._shown: object = None
        self.reason.edit.returnPressed.connect(self._after_reason)
        self.word.entered.connect(self._reopen)
        self.again_button.clicked.connect(lambda *_: self._reopen())
        self.leave_button.clicked.connect(lambda *_: self.leave())
        self.retranslate()

    def show_now(self) -> None:
        """Bring the list in line with the view model."""
        lines = tuple(line for line in self._model.lines if self._is_listed(line))
        wanted = (lines, language())
        self._empty.setVisible(not lines)
        if wanted == self._shown:
            return
        self._shown = wanted
        while (item := self._rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for line in lines:
            self._rows.addWidget(Hairline())
            self._rows.addWidget(self._row(line))

    def leave(self) -> bool:
        """Close the question; False when none stood open."""
        was_open = self._form.isVisibleTo(self)
        self._form.hide()
        self.word.password.set_text("")
        return was_open

    def ask_again(self, line: ShiftLine) -> None:
        """Ask why a shift is opened again."""
        self._chosen = line
        self._asks.setText(self.tr("Buka lagi shift #{number}").format(number=line.number))
        self.word.setVisible(not self._model.is_manager)
        self.reason.set_text("")
        self._form.show()
        self.reason.setFocus(Qt.FocusReason.TabFocusReason)

    def retranslate(self) -> None:
        self._title.setText(self.tr("Shift sebelumnya"))
        self.setAccessibleName(self.tr("Shift sebelumnya"))
        self._empty.setText(self.tr("Belum ada shift yang ditutup."))
        self.reason.set_name(self.tr("Alasan membuka lagi"))
        self.reason.set_placeholder(self.tr("Alasan membuka lagi"))
        self.again_button.setText(self.tr("Buka lagi"))
        self.leave_button.setText(self.tr("Biarkan tertutup"))
        self._shown = None
        self.show_now()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _is_listed(self, line: ShiftLine) -> bool:
        report = self._model.report
        return report is None or line.id != report.id

    def _row(self, line: ShiftLine) -> QWidget:
        place = QWidget()
        row = QHBoxLayout(place)
        row.setContentsMargins(0, 2, 0, 2)
        row.setSpacing(6)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(ElidedLabel(f"#{line.number} {line.cashier_name}", weight=600))
        words.addWidget(ElidedLabel(self._facts(line), TextRole.CAPTION, Tone.MUTED))
        row.addLayout(words, 1)
        named = self.tr("Shift #{number}").format(number=line.number)
        if line.closed_at is None:
            if self._model.is_manager:
                self._button(row, self.tr("Hitung"), named, partial(self.count_wanted.emit, line.id))
            return place
        self._button(row, self.tr("Laporan Z"), named, partial(self.report_wanted.emit, line.id))
        self._button(row, self.tr("Buka lagi"), named, partial(self.ask_again, line))
        return place

    def _button(self, row: QHBoxLayout, text: str, named: str, press: "partial[None]") -> None:
        button = Button(text, size=ButtonSize.ROW)
        button.setAccessibleName(f"{text}, {named}")
        button.clicked.connect(lambda *_: press())
        row.addWidget(button)

    def _facts(self, line: ShiftLine) -> str:
        zone = self._model.zone
        if line.closed_at is None:
            return self.tr("terbuka sejak {time}, {drawer}").format(
                time=moment(line.opened_at, zone, language()), drawer=line.drawer
            )
        closed = moment(line.closed_at, zone, language())
        if not line.difference:
            return self.tr("{time} · tanpa selisih").format(time=closed)
        amount = money(line.difference, language())
        return self.tr("{time} · selisih {amount}").format(time=closed, amount=amount)

    def _after_reason(self) -> None:
        if self.word.isVisibleTo(self):
            self.word.login.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self._reopen()

    def _reopen(self) -> None:
        chosen, reason = self._chosen, self.reason.text().strip()
        if chosen is None:
            return
        if not reason:
            self.reason.setFocus(Qt.FocusReason.TabFocusReason)
            return
        word = None
        if not self._model.is_manager:
            word = self.word.take()
            if word is None:
                return
        self.reopen_wanted.emit(chosen.id, reason, word)
