"""Ctrl+P in the calendar: the contract of the booking under the cursor or of the order that the drawer holds, and from
a form that has a price its quotation."""

from PySide6.QtCore import QEvent, QObject

from app.desktop.contract_printing import ContractPrinting, WrittenPaper
from app.desktop.documents.quotation import Quotation, QuotedUnit, price_holds_until
from app.desktop.errors import failure_sentence, refusal_sentence
from app.desktop.formats import Language
from app.desktop.language import language
from app.desktop.printers import Sent
from app.desktop.screen import Shell
from app.desktop.screens.calendar_view import CalendarScreen
from app.desktop.screens.walk_in_form import Stage
from app.desktop.screens.walk_in_texts import problem_sentence
from app.desktop.typed import typed_phone
from app.desktop.viewmodel import Failure
from app.domain.errors import Refusal
from app.usecases.booking_input import BookLine


def _other() -> Language:
    return Language.ID if language() is Language.EN else Language.EN


class ContractKey(QObject):
    """Belongs to its screen, and ends with it."""

    def __init__(self, screen: CalendarScreen, printing: ContractPrinting, shell: Shell) -> None:
        super().__init__(screen)
        self._screen, self._shell = screen, shell
        self.printing = printing
        printing.setParent(self)
        self.action = screen.add_key("Ctrl+P", "", self.press)
        self.other_action = screen.add_key("Ctrl+Shift+P", "", self.press_other)
        printing.written.connect(self._written)
        printing.sent.connect(self._sent)
        printing.unwritten.connect(self._unwritten)
        printing.refused.connect(self._refused)
        printing.failed.connect(self._failed)
        screen.installEventFilter(self)
        self._retranslate()

    def press(self) -> None:
        """Print in the language of the screens, or say what is missing."""
        self._print(language())

    def press_other(self) -> None:
        """Print in the other language, for a customer who does not read this one."""
        self._print(_other())

    def _print(self, spoken: Language) -> None:
        quotation, wanted = self.quotation(spoken), self.wanted()
        if quotation is not None:
            self.printing.print_quotation(quotation)
        elif self._is_in_form():
            self._shell.toast(self._missing())
        elif wanted:
            self.printing.print_contract(wanted, spoken.value)
        else:
            self._shell.toast(self.tr("Pilih booking di kalender, lalu Ctrl+P mencetak kontraknya."))

    def wanted(self) -> str:
        """The id of the order or booking at hand; empty when there is none. A held order in the drawer comes first
        while the person works there."""
        hold, drawer, in_drawer = self._screen.walk_in.hold, self._screen.drawer, self._is_in_drawer()
        found = self._screen.grid.current_span()
        booking = found[1].bar.booking_id if found is not None and found[1].bar is not None else None
        if hold is not None and drawer.is_shown() and (in_drawer or booking is None):
            return hold.order_id
        return booking or ""

    def quotation(self, spoken: Language) -> Quotation | None:
        """The price of the form the person is filling in; None elsewhere, and while there is no price."""
        walk_in, model = self._screen.walk_in, self._screen.model
        form, quote = walk_in.form, walk_in.quote
        lines = form.order_lines
        if not self._is_in_form():
            return None
        if quote is None or not lines or not walk_in.is_priced or walk_in.needs_word:
            return None
        names = {unit.sku.code: unit.sku.name for unit in model.fleet}
        plates = {unit.unit.id: unit.unit.plate for unit in model.fleet}
        now, branch = walk_in.clock.now(), model.who.branch
        return Quotation(
            reference=form.order_id,
            branch=branch,
            language=spoken,
            customer_name=form.typed_name if any(sign.isalpha() for sign in form.typed_name) else "",
            customer_phone=(typed_phone(form.customer_text) or "") if form.is_new else form.customer_phone,
            units=tuple(
                QuotedUnit(
                    name=names.get(line.sku, line.sku),
                    line=BookLine(
                        sku=line.sku,
                        period=line.period,
                        unit_id=line.unit_id,
                        pickup_time=line.pickup_time if branch.counts_hours else None,
                        due_time=line.due_time if branch.counts_hours else None,
                    ),
                    plate=plates.get(line.unit_id or "", ""),
                )
                for line in lines
            ),
            quote=quote,
            valid_until=price_holds_until(now, branch, min(line.first_day for line in lines)),
            made_at=now,
            made_by=model.who.name,
            counter=self.printing.counter,
        )

    def _is_in_form(self) -> bool:
        """The person is filling in a form: the bar under the grid's cursor is somebody else's."""
        return self._screen.walk_in.stage is Stage.FORM and self._is_in_drawer()

    def _missing(self) -> str:
        """Why the form has no quotation yet, and what to do."""
        walk_in = self._screen.walk_in
        wrong = walk_in.term_problems()
        if not walk_in.form.order_lines:
            return self.tr("Penawaran perlu barang dan tanggal. Isi dulu, lalu Ctrl+P.")
        if wrong:
            text = self.tr("Penawaran belum bisa dicetak. {why}")
            return text.format(why=problem_sentence(wrong[0][1], walk_in.form, walk_in.least_deposit))
        if walk_in.needs_word:
            text = self.tr(
                "Penawaran dengan diskon di atas {0} % perlu kata manajer dulu: F9, atau turunkan diskonnya."
            )
            return text.format(walk_in.discount_limit)
        if not walk_in.is_online:
            return self.tr("Penawaran perlu harga, dan koneksi terputus. Ctrl+P lagi saat online.")
        walk_in.price()
        return self.tr("Harga untuk penawaran sedang dihitung. Tekan Ctrl+P sekali lagi.")

    def _is_in_drawer(self) -> bool:
        focus = self._screen.focusWidget()
        return focus is not None and self._screen.drawer.panel.isAncestorOf(focus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        return super().eventFilter(watched, event)

    def _retranslate(self) -> None:
        self.action.setText(self.tr("Cetak kontrak / penawaran"))
        english = self.tr("Cetak dalam bahasa Inggris")
        self.other_action.setText(english if _other() is Language.EN else self.tr("Cetak dalam bahasa Indonesia"))

    def _written(self, paper: WrittenPaper) -> None:
        copy = paper.printed.copy if paper.printed is not None else 0
        text = self.tr("Kontrak tersimpan: {file}")
        if paper.printed is None:
            text = self.tr("Penawaran tersimpan: {file}")
        elif copy:
            text = self.tr("Kontrak tersimpan, SALINAN ke-{count}: {file}")
        self._shell.toast(text.format(count=copy, file=paper.path.name), detail=str(paper.path.parent))

    def _sent(self, paper: WrittenPaper, how: Sent) -> None:
        if how is Sent.REFUSED:
            text = self.tr("Printer tidak menerima cetakan. Booking aman, filenya tersimpan: {file}")
            self._shell.toast(text.format(file=paper.path.name), seconds=10, detail=str(paper.path.parent))

    def _unwritten(self, why: str) -> None:
        text = self.tr("File belum bisa ditulis ({why}). Booking aman; Ctrl+P mencoba lagi.")
        self._shell.toast(text.format(why=why), seconds=10)

    def _refused(self, no: Refusal) -> None:
        self._shell.toast(refusal_sentence(no, self._screen.model.who.branch.zone).whole)

    def _failed(self, failure: Failure) -> None:
        self._shell.toast(failure_sentence(failure).whole)
