"""The count of a drawer: pieces at the left; the sum, the slips and what is left open at the right; then the result."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.desktop.formats import clock
from app.desktop.language import language
from app.desktop.screens.shift_count_card import CountCard
from app.desktop.screens.shift_desk_viewmodel import ShiftDeskViewModel
from app.desktop.screens.shift_ends_card import EndsCard
from app.desktop.screens.shift_result_card import ResultCard
from app.desktop.screens.shift_side_cards import SlipsCard, TotalCard
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.label import ElidedLabel, Label, Tone
from app.desktop.widgets.scrolling import scrolling_column
from app.domain.errors import Refusal

COUNT_WIDTH, SIDE_WIDTH = 340, 370


class CountPage(QWidget):
    """Before the count is locked in nothing here tells what should be in the drawer. `entered` is Enter at the end."""

    entered = Signal()

    def __init__(
        self,
        model: ShiftDeskViewModel,
        open_invoice: Callable[[str], object],
        open_drafts: Callable[[], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self.count = CountCard()
        self.total = TotalCard()
        self.slips = SlipsCard()
        self.ends = EndsCard(model, open_invoice, open_drafts)
        self.result = ResultCard(model)
        self._title, self._subtitle = (
            Label("", TextRole.SECTION),
            ElidedLabel("", TextRole.SECONDARY, Tone.MUTED),
        )
        self.cash_button = Button("", key="Ctrl+M", size=ButtonSize.SMALL)
        self.x_button = Button("", key="Ctrl+Shift+X", size=ButtonSize.SMALL)
        self._message = Label("", tone=Tone.MUTED)
        self._message.setWordWrap(True)
        self.recount_button = Button("", size=ButtonSize.PRIMARY)
        self.save_button = Button("", key="Esc", size=ButtonSize.PRIMARY)
        self.primary = Button("", primary=True, size=ButtonSize.PRIMARY, key="Ctrl+Return")
        self._offline = ""
        self._said_offline = False
        self._side = QStackedWidget()
        self._area, self._column = scrolling_column(ground="app")
        self._lay_out()
        self.count.counted.connect(self._counted)
        self.count.ended.connect(lambda: self.slips.slips.setFocus(Qt.FocusReason.TabFocusReason))
        self.slips.said.connect(model.set_slips)
        self.result.entered.connect(self.entered)
        self.recount_button.clicked.connect(lambda *_: self._recount())
        QApplication.instance().focusChanged.connect(self._follow)  # type: ignore[union-attr]
        self.retranslate()

    def show_now(self, offline: str) -> None:
        """Bring the page in line with the view model; `offline` says why nothing can be locked or closed now."""
        model, report = self._model, self._model.report
        self._offline = offline
        if report is None:
            return
        self._title.setText(self.tr("Tutup shift #{number}").format(number=report.number))
        self._subtitle.setText(self._opened_words())
        told = model.count is not None
        closed = self.tr("Hitungan sudah dikunci. Hitung ulang boleh satu kali.") if told else ""
        self.count.show_pieces(model.typed.pieces, closed=closed)
        self.slips.show_slips(model.typed.edc_slips, model.typed.edc_total, closed=closed)
        self.total.show_amount(model.total)
        self.ends.show_now()
        self.result.show_now()
        self._side.setCurrentIndex(1 if told else 0)
        may_again = model.count is not None and model.count.may_recount
        self.recount_button.setVisible(told)
        self.recount_button.set_reason("" if may_again else self.tr("Sudah dihitung ulang satu kali."))
        self.save_button.setVisible(not told)
        self.primary.setText(self.primary_words())
        self.primary.set_reason(offline)
        self.primary.setEnabled(not offline and not model.is_busy("lock_in", "close_shift"))
        if offline and not self._message.text():
            self.say(offline, Tone.WARNING)
        elif not offline and self._said_offline:
            self.say("", Tone.MUTED)
        self._said_offline = bool(offline)
        if not self._message.text():
            self._hint()

    def primary_words(self) -> str:
        """What Ctrl+Enter does now."""
        model = self._model
        if model.is_busy("lock_in", "close_shift"):
            return self.tr("Menyimpan…")
        return self.tr("Kunci hitungan") if model.count is None else self.tr("Tutup shift")

    def press(self) -> None:
        """The primary button."""
        model = self._model
        self.say("", Tone.MUTED)
        if model.count is None:
            if not self.slips.total.is_understood():
                self.say(self.tr("Total slip EDC bukan jumlah rupiah."), Tone.ERROR)
                self.slips.total.setFocus()
                return
            model.lock_in()
            return
        if model.needs_reason() and not self.result.reason.text().strip():
            self.say(self.result.sentence(), Tone.ERROR)
            self.result.reason.setFocus(Qt.FocusReason.TabFocusReason)
            return
        word = None
        if model.needs_word():
            word = self.result.word.take()
            if word is None:
                return
        model.close_shift(self.result.reason.text(), word)

    def take_focus(self) -> None:
        """Where the next key belongs."""
        if self._model.count is None:
            self.count.focus_first()
        elif self._model.needs_reason():
            self.result.take_focus()
        else:
            self.result.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_refusal(self, no: Refusal, said: str) -> None:
        """Say it where the eye is, and go to the field that it names."""
        self.say(said, Tone.ERROR)
        fields = {
            "reason": self.result.reason,
            "login": self.result.word.login,
            "password": self.result.word.password,
        }
        if (field := fields.get(no.field or "")) is not None and field.isVisibleTo(self):
            field.edit.setFocus(Qt.FocusReason.TabFocusReason)

    def say(self, text: str, tone: Tone) -> None:
        self._message.setText(text)
        self._message.set_tone(tone)

    def message(self) -> str:
        return self._message.text()

    def clear(self) -> None:
        """The shift is closed: the next one begins with nothing."""
        self.result.reason.set_text("")
        self.result.word.login.set_text("")
        self.result.word.password.set_text("")
        self.say("", Tone.MUTED)

    def set_narrow(self, narrow: bool) -> None:
        """Where cash in and out is behind a key, the key has a button."""
        self.cash_button.setVisible(narrow and self._model.is_mine())

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Hitungan laci"))
        self.cash_button.setText(self.tr("Kas & riwayat"))
        self.x_button.setText(self.tr("Laporan X"))
        self.recount_button.setText(self.tr("Hitung ulang"))
        self.save_button.setText(self.tr("Simpan sementara"))
        self.say("", Tone.MUTED)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    # --- inside ---

    def _follow(self, before: QWidget | None, now: QWidget | None) -> None:
        """Where the page is low, what has the focus is brought into sight."""
        if now is not None and self._area.isAncestorOf(now):
            self._area.ensureWidgetVisible(now.parentWidget() or now, 0, 12)

    def _counted(self, piece: int, many: int) -> None:
        self.say("", Tone.MUTED)
        self._model.set_pieces(piece, many)

    def _recount(self) -> None:
        self.say("", Tone.MUTED)
        self._model.recount()
        self.count.focus_first()

    def _hint(self) -> None:
        if self._model.count is None:
            self.say(self.tr("Hitung ulang boleh satu kali."), Tone.MUTED)

    def _opened_words(self) -> str:
        report = self._model.report
        assert report is not None
        text = self.tr("{name} · buka {time} · laci {drawer}").format(
            name=report.cashier_name, time=clock(report.opened_at, self._model.zone, language()), drawer=report.drawer
        )
        blind, locked = self.tr("hitung buta, harapan tampil setelah hitungan dikunci"), self.tr("hitungan dikunci")
        return f"{text} · {blind if self._model.count is None else locked}"

    def _lay_out(self) -> None:
        page = QVBoxLayout(self)
        page.setContentsMargins(24, 16, 24, 12)
        page.setSpacing(8)
        head = QHBoxLayout()
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._title)
        words.addWidget(self._subtitle)
        head.addLayout(words, 1)
        head.addWidget(self.cash_button)
        head.addWidget(self.x_button)
        page.addLayout(head)
        cards = QHBoxLayout()
        cards.setSpacing(16)
        self.count.setMinimumWidth(COUNT_WIDTH - 60)
        cards.addWidget(self.count, COUNT_WIDTH)
        before = QWidget()
        beside = QVBoxLayout(before)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(12)
        for card in (self.total, self.slips):
            beside.addWidget(card)
        beside.addWidget(self.ends, 1)
        self._side.addWidget(before)
        self._side.addWidget(self.result)
        cards.addWidget(self._side, SIDE_WIDTH)
        self._column.addLayout(cards, 1)
        page.addWidget(self._area, 1)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self._message, 1)
        foot.addWidget(self.recount_button)
        foot.addWidget(self.save_button)
        foot.addWidget(self.primary)
        page.addLayout(foot)
