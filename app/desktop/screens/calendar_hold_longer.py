"""The question before an unpaid booking is held longer: hours, a reason, and a manager's word where it takes one."""

import datetime as dt
from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QWidget

from app.desktop.formats import Zone, countdown, moment
from app.desktop.language import language
from app.desktop.screens.calendar_cancel_card import MOST_REASON, QuestionCard
from app.desktop.screens.calendar_cancel_refused import refused_words
from app.desktop.screens.calendar_cancel_viewmodel import says
from app.desktop.screens.calendar_hold_longer_viewmodel import HoldLongerViewModel, typed_hours
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Hairline
from app.desktop.widgets.echo_line import EchoLine
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.password_field import PasswordField

FIRST_HOURS = "2"
TICK_MS = 1000


class HoursField(Field):
    """Whole hours, 1 to 24; below it until when that is."""

    def __init__(self, now: Callable[[], dt.datetime], zone: Zone) -> None:
        super().__init__("")
        self._now, self._zone = now, zone
        self.edit.setMaxLength(12)
        self.committed.connect(self.noted)

    def hours(self) -> int | None:
        return typed_hours(self.text())

    def echo(self) -> str:
        hours = self.hours()
        if hours is None:
            return ""
        until = moment(self._now() + dt.timedelta(hours=hours), self._zone, language())
        return self.tr("sampai {0}, paling lama 24 jam sejak dibuat").format(until)

    def problem(self) -> str:
        if self.hours() is not None or self.edit.hasFocus():
            return ""
        return self.tr("Lama menunggu 1-24 jam, contoh 3.")


class HoldLongerCard(QuestionCard):
    """Shows a HoldLongerViewModel. Enter goes from field to field and then to the button; a password is never kept."""

    def __init__(
        self,
        model: HoldLongerViewModel,
        now: Callable[[], dt.datetime],
        zone: Zone,
        parent: QWidget,
        *,
        is_manager: bool,
    ) -> None:
        super().__init__(parent)
        self._model, self._now, self._zone, self._is_manager = model, now, zone, is_manager
        self._was_not_written = False
        self.content.addSpacing(3)
        self.content.addWidget(Hairline())
        self.content.addSpacing(3)
        self._summary = Label("")
        self._summary.setWordWrap(True)
        self._summary.setContentsMargins(3, 0, 3, 0)
        self.content.addWidget(self._summary)
        self.hours = HoursField(now, zone)
        self._hours_label = self.add_field(self.hours)
        self._echo = EchoLine(self.hours)
        self.content.addWidget(self._echo)
        self.reason = Field("")
        self.reason.edit.setMaxLength(MOST_REASON)
        self._reason_label = self.add_field(self.reason)
        self.login, self.password = Field(""), PasswordField("", by_tab=False)
        self._login_label = self.add_field(self.login)
        self._password_label = self.add_field(self.password)
        self.back = Button("", key="Esc", size=ButtonSize.NORMAL)
        self.back.clicked.connect(self._leave_approval)
        self.foot.insertWidget(0, self.back)
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._second)
        self._connect()

    def _connect(self) -> None:
        model = self._model
        self.hours.typed.connect(model.type_hours)
        self.reason.typed.connect(model.type_reason)
        self.hours.edit.returnPressed.connect(self.reason.edit.setFocus)
        self.reason.edit.returnPressed.connect(self._to_button)
        self.login.edit.returnPressed.connect(self.password.edit.setFocus)
        self.password.edit.returnPressed.connect(self._press)
        self.act.clicked.connect(self._press)
        model.changed.connect(self.show_model)
        model.approval_wanted.connect(self._ask_manager)
        model.not_written.connect(self._not_written)
        model.refused.connect(lambda _no: self._after_refusal())

    def begin(self) -> None:
        """Another booking is asked about: what was typed for it before is there again."""
        self._was_not_written = False
        if not self._model.typed.hours:
            self._model.type_hours(FIRST_HOURS)
        self.hours.set_text(self._model.typed.hours)
        self.hours.noted.emit()
        self.reason.set_text(self._model.typed.reason)
        self.password.set_text("")
        self._tick.start()
        self.show_model()

    def take_focus(self) -> None:
        if self._model.wants_approval:
            field = self.password if self.login.text().strip() else self.login
            field.edit.setFocus(Qt.FocusReason.PopupFocusReason)
            return
        self.hours.edit.setFocus(Qt.FocusReason.PopupFocusReason)
        self.hours.edit.selectAll()

    def leave_level(self) -> bool:
        """Esc: from the manager's fields back to the others, else close it; False when it was not open."""
        if self.isVisible() and self._model.wants_approval:
            self._leave_approval()
            return True
        return self.close_card()

    # --- showing ------------------------------------------------------------------------------------------------------

    def show_model(self) -> None:
        """Bring everything up to date; what is being typed is left alone."""
        model, waiting = self._model, self._model.waiting
        if waiting is None:
            return
        asks_manager, has_focus = model.wants_approval, self.focus() is not None
        self.title.setText(
            self.tr("Persetujuan manajer") if asks_manager else self.tr("Tahan {0} lebih lama?").format(waiting.number)
        )
        self.show_time()
        typed: tuple[QWidget, ...] = (self._hours_label, self.hours, self._echo, self._reason_label, self.reason)
        manager: tuple[QWidget, ...] = (self._login_label, self.login, self._password_label, self.password)
        for widget in typed:
            widget.setVisible(not asks_manager)
        for widget in (self._summary, *manager, self.back):
            widget.setVisible(asks_manager)
        self._retranslate()
        self._summary.setText(self._summary_words() if asks_manager else "")
        had_focus = self.act.hasFocus()
        self.act.set_reason(self._reason_not())
        if had_focus and not self.act.isEnabled():
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.hasFocus() and self.act.isEnabled():
            self.take_focus()
        if has_focus and self.focus() is None:  # what had it went away
            self.take_focus()
        text, tone = self._said()
        self.say(text, tone=tone)
        self.setAccessibleName(f"{self.title.text()}. {self.about.text()}")

    def _summary_words(self) -> str:
        """What the manager agrees to."""
        hours = self._model.hours
        if hours is None:
            return ""
        until = moment(self._now() + dt.timedelta(hours=hours), self._zone, language())
        return self.tr("Ditahan sampai {0}: {1}").format(until, self._model.typed.reason.strip())

    def _second(self) -> None:
        """Counts only while somebody sees it."""
        if self.isHidden():
            self._tick.stop()
        else:
            self.show_time()

    def show_time(self) -> None:
        """How long it is held now."""
        waiting = self._model.waiting
        if waiting is not None:
            left = countdown((waiting.deadline - self._now()).total_seconds())
            until = moment(waiting.deadline, self._zone, language())
            number = waiting.number if self._model.wants_approval else ""
            text = self.tr("batas sekarang {0}, sisa {1}").format(until, left)
            self.about.setText(" · ".join(part for part in (number, waiting.customer, text) if part))

    def _retranslate(self) -> None:
        model = self._model
        self._hours_label.setText(self.tr("Berapa jam dari sekarang"))
        self.hours.set_name(self.tr("Berapa jam dari sekarang"))
        self.hours.set_suffix(self.tr("jam"))
        self._reason_label.setText(self.tr("Alasan"))
        self.reason.set_name(self.tr("Alasan"))
        self.reason.set_placeholder(self.tr("contoh: transfer bank sedang jalan"))
        self._login_label.setText(self.tr("Login manajer"))
        self.login.set_name(self.tr("Login manajer"))
        self._password_label.setText(self.tr("Kata sandi manajer"))
        self.password.set_name(self.tr("Kata sandi manajer"))
        self.password.set_eye_name(self.tr("Tampilkan kata sandi"))
        self.back.setText(self.tr("Kembali ke isian"))
        self.keep.setText(self.tr("Biarkan"))
        self.keep.setVisible(not model.wants_approval)
        if model.is_busy("send", "approve"):
            self.act.setText(self.tr("Menyimpan…"))
        else:
            self.act.setText(self.tr("Setujui") if model.wants_approval else self.tr("Tahan lebih lama"))

    def _reason_not(self) -> str:
        """Why it cannot be sent now; empty when it can."""
        model = self._model
        if model.unsure is not None or model.is_busy("send", "approve"):
            return self.tr("Menunggu jawaban server.")
        if model.hours is None:
            return self.tr("Isi lama menunggu 1-24 jam.")
        return "" if says(model.typed.reason) else self.tr("Isi alasan dulu.")

    def _said(self) -> tuple[str, Tone]:
        model = self._model
        if model.unsure is not None:
            number = model.waiting.number if model.waiting is not None else ""
            text = self.tr("Belum pasti apakah sudah tersimpan. {0} ditanyakan lagi setiap 3 detik; jangan diulang.")
            return text.format(number), Tone.WARNING
        if model.refusal is not None:
            return refused_words(model.refusal, self._zone), Tone.ERROR
        if self._was_not_written:
            return self.tr("Sudah diperiksa: batasnya belum berubah. Isian tetap ada, tekan lagi."), Tone.WARNING
        if not (self._is_manager or model.wants_approval):
            return self.tr("Lalu seorang manajer menyetujuinya di layar ini."), Tone.MUTED
        return "", Tone.ERROR

    # --- pressing -----------------------------------------------------------------------------------------------------

    def _to_button(self) -> None:
        if self.act.isEnabled():
            self.act.setFocus(Qt.FocusReason.TabFocusReason)
        elif self._model.hours is None:
            self.take_focus()
        elif self._model.refusal is None:
            self.say(self.act.reason())

    def _press(self) -> None:
        self._was_not_written = False
        if not self._model.wants_approval:
            self._model.send()
            return
        for field in (self.login, self.password):
            if not field.text().strip():
                field.edit.setFocus(Qt.FocusReason.TabFocusReason)
                return
        password = self.password.text()
        self.password.set_text("")
        self._model.approve(self.login.text(), password)

    def _ask_manager(self) -> None:
        had_focus = self.focus() is not None
        self.show_model()
        if had_focus:
            self.take_focus()

    def _after_refusal(self) -> None:
        """The field that was wrong is where typing goes on."""
        no = self._model.refusal
        if no is None or self.focus() is None:
            return
        fields = {"until_hours": self.hours, "reason": self.reason, "login": self.login}
        wrong = fields.get(no.field or "")
        if wrong is not None and wrong.isVisible():
            wrong.edit.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self.take_focus()

    def _leave_approval(self) -> None:
        self.password.set_text("")
        self._model.leave_approval()
        self.take_focus()

    def _not_written(self) -> None:
        self._was_not_written = True
        self.show_model()

    def close_card(self) -> bool:
        self.password.set_text("")
        return super().close_card()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.show_model()
        super().changeEvent(event)
