"""Months and the e-Faktur export: choose a month, a folder, export; close the month when it is told."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.errors import failure_sentence, refusal_sentence
from app.desktop.formats import day_short, money, number
from app.desktop.language import language
from app.desktop.screens.tax_month_viewmodel import Exported, TaxMonthViewModel
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Card
from app.desktop.widgets.field import Field, FieldSize
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.segment import Choice, Segment
from app.domain.errors import Refusal
from app.usecases.rows_till import NumberedMonth

WIDTH = 620
SHOWN_MONTHS = 6


class TaxMonthPage(QWidget):
    """A manager's; everybody else reads why. A month is closed in two presses, because nothing takes it back."""

    def __init__(self, model: TaxMonthViewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        model.setParent(self)
        self._online = True
        self._asked = ""
        self.chosen = ""
        self._offered: list[str] = []
        self._segment: Segment | None = None
        self._line = QHBoxLayout()
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        self._title, self._subtitle = Label("", TextRole.SECTION), Label("", TextRole.SECONDARY, Tone.MUTED)
        column.addWidget(self._title)
        column.addWidget(self._subtitle)
        self._card = Card()
        self._card.setMaximumWidth(WIDTH)
        self._card.body.setSpacing(6)
        column.addWidget(self._card)
        column.addStretch(1)
        self._fill()
        self._connect()
        self.retranslate()

    def activate(self) -> None:
        self.model.load()
        self.export_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def connection_changed(self, online: bool) -> None:
        self._online = online
        self._show()

    def message(self) -> str:
        return self._message.text()

    def facts(self) -> str:
        """What is told of the chosen month."""
        return self._facts.text()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Bulan dan e-Faktur"))
        self._title.setText(self.tr("Ekspor e-Faktur bulan"))
        self._subtitle.setText(self.tr("XML untuk Coretax (kode 04, tanpa desimal) dan CSV dengan baris yang sama."))
        self._folder_name.setText(self.tr("Folder"))
        self.folder.set_name(self.tr("Folder ekspor"))
        self.pick_button.setText(self.tr("Pilih…"))
        self.export_button.setText(self.tr("Ekspor XML dan CSV"))
        names = (self.tr("NPWP penjual (16 angka)"), self.tr("IDTKU (22 angka)"), self.tr("Nama penjual"))
        for field, name in zip((self.npwp, self.idtku, self.seller), names, strict=True):
            field.set_name(name)
            field.set_placeholder(name)
        self.identity_button.setText(self.tr("Simpan identitas pajak dan ekspor"))
        self._show()

    # --- inside ---

    def _show(self) -> None:
        model = self.model
        months = model.months[:SHOWN_MONTHS]
        names = [month.month for month in months]
        if self.chosen not in names:
            self.chosen = names[0] if names else ""
        self._offer(names)
        month = next((one for one in months if one.month == self.chosen), None)
        self._facts.setText(self._facts_of(month))
        reason = self._reason()
        for button in (self.export_button, self.identity_button):
            button.set_reason(reason)
            button.setEnabled(not reason and not model.is_busy())
        is_closed = month is not None and month.closed_at is not None
        self.close_button.set_reason(reason or (self.tr("Bulan ini sudah ditutup.") if is_closed else ""))
        asked = self._asked == self.chosen and bool(self._asked)
        self.close_button.setText(
            self.tr("Ya, tutup {month} untuk selamanya").format(month=_month_words(self.chosen))
            if asked
            else self.tr("Tutup bulan")
        )

    def _offer(self, names: list[str]) -> None:
        """The months to choose from, made anew when others have numbers."""
        if self._offered != names:
            if self._segment is not None:
                self._segment.hide()
                self._segment.deleteLater()
            choices = [Choice(key=name, text=_month_words(name)) for name in names]
            self._segment = Segment(self.tr("Bulan"), choices)
            self._segment.chosen.connect(self._choose)
            self._line.insertWidget(0, self._segment)
            self._offered = names
        if self._segment is not None:
            self._segment.choose(self.chosen)

    def _facts_of(self, month: NumberedMonth | None) -> str:
        if month is None:
            return self.tr("Belum ada tagihan bernomor.")
        last = self.tr("{count} nomor tagihan.").format(count=number(month.last, language()))
        if month.closed_at is None:
            still = self.tr("Bulan masih terbuka.")
            return f"{last} {still}"
        day = day_short(month.closed_at.astimezone(self.model.who.branch.zone).date(), language())
        closed = self.tr("Ditutup {day} oleh {name}.").format(day=day, name=month.closed_by_name or "-")
        return f"{last} {closed}"

    def _reason(self) -> str:
        if not self.model.is_manager:
            return self.tr("Perlu peran Manajer.")
        if not self._online:
            return self.tr("Koneksi terputus.")
        return "" if self.chosen else self.tr("Belum ada tagihan bernomor.")

    def _choose(self, month: str) -> None:
        self.chosen, self._asked = month, ""
        self._say("", Tone.MUTED)
        self._show()

    def _export(self) -> None:
        self._say("", Tone.MUTED)
        if not self._reason():
            self.model.export(self.chosen, self.folder.text())

    def _close(self) -> None:
        if self._reason():
            return
        if self._asked != self.chosen:
            self._asked = self.chosen
            said = self.tr("Setelah ditutup, tagihan baru diberi tanggal bulan berikutnya. Tekan lagi untuk menutup.")
            self._say(said, Tone.WARNING)
            self._show()
            return
        self._asked = ""
        self.model.close_month(self.chosen)

    def _pick(self) -> None:
        found = QFileDialog.getExistingDirectory(self, self.tr("Folder ekspor"), self.folder.text())
        if found:
            self.folder.set_text(found)

    def _save_identity(self) -> None:
        model = self.model
        model.save_identity(self.npwp.text(), self.idtku.text(), self.seller.text(), self._export)

    def _exported(self, done: Exported) -> None:
        self._identity.hide()
        found = done.month
        said = [
            self.tr("{count} tagihan ditulis ke {file}: DPP {dpp}, PPN {ppn}.").format(
                count=number(found.count, language()),
                file=done.xml.name,
                dpp=money(found.dpp, language()),
                ppn=money(found.ppn, language()),
            )
        ]
        for numbers, words in (
            (found.incomplete, self.tr("{count} pembeli tanpa NPWP atau alamat, isi dengan tangan: {numbers}.")),
            (found.voided, self.tr("{count} batal, tidak ikut: {numbers}.")),
            (found.corrected, self.tr("{count} perlu nota retur: {numbers}.")),
        ):
            if numbers:
                said.append(words.format(count=len(numbers), numbers=_some(numbers)))
        self._say("\n".join(said), Tone.TEXT)

    def _closed(self, month: NumberedMonth) -> None:
        self._say(self.tr("{month} ditutup.").format(month=_month_words(month.month)), Tone.SUCCESS)

    def _refused(self, no: Refusal) -> None:
        if no.field == "tax_identity":
            self._identity.show()
            self._say(self.tr("Isi identitas pajak cabang sekali ini."), Tone.WARNING)
            self.npwp.setFocus(Qt.FocusReason.TabFocusReason)
            return
        self._say(refusal_sentence(no, self.model.who.branch.zone).whole, Tone.ERROR)
        fields = {"folder": self.folder, "npwp": self.npwp, "idtku": self.idtku}
        if (field := fields.get(no.field or "")) is not None:
            field.setFocus(Qt.FocusReason.TabFocusReason)

    def _unwritten(self, problem: str) -> None:
        said = self.tr("Berkas tidak bisa ditulis: {problem}. Pilih folder lain.").format(problem=problem)
        self._say(said, Tone.ERROR)
        self.folder.setFocus(Qt.FocusReason.TabFocusReason)

    def _say(self, text: str, tone: Tone) -> None:
        self._message.setText(text)
        self._message.set_tone(tone)

    def _connect(self) -> None:
        model = self.model
        model.changed.connect(self._show)
        model.exported.connect(self._exported)
        model.closed_month.connect(self._closed)
        model.unwritten.connect(self._unwritten)
        model.refused.connect(self._refused)
        model.failed.connect(lambda failure: self._say(failure_sentence(failure).whole, Tone.ERROR))
        self.export_button.clicked.connect(lambda *_: self._export())
        self.close_button.clicked.connect(lambda *_: self._close())
        self.pick_button.clicked.connect(lambda *_: self._pick())
        self.identity_button.clicked.connect(lambda *_: self._save_identity())
        self.folder.edit.returnPressed.connect(self._export)

    def _fill(self) -> None:
        body = self._card.body
        self._line.addStretch(1)
        self._facts = Label("", TextRole.BASE, Tone.MUTED)
        self._folder_name = Label("", TextRole.SECONDARY, Tone.MUTED)
        self.folder = Field("", size=FieldSize.TALL)
        self.folder.set_text(str(self.model.folder))
        self.pick_button = Button("", size=ButtonSize.PRIMARY)
        self.export_button = Button("", icon="download", size=ButtonSize.PRIMARY, primary=True)
        self.close_button = Button("", icon="lock", size=ButtonSize.PRIMARY)
        self._message = Label("")
        self._message.setWordWrap(True)
        self._message.setMinimumHeight(40)
        self._message.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._identity = QWidget()
        identity = QVBoxLayout(self._identity)
        identity.setContentsMargins(0, 0, 0, 0)
        identity.setSpacing(4)
        self.npwp, self.idtku, self.seller = (Field("", size=FieldSize.TALL) for _ in range(3))
        self.identity_button = Button("", size=ButtonSize.PRIMARY)
        for widget in (self.npwp, self.idtku, self.seller, self.identity_button):
            identity.addWidget(widget)
        self._identity.hide()
        body.addLayout(self._line)
        body.addWidget(self._facts)
        body.addSpacing(6)
        body.addWidget(self._folder_name)
        where = QHBoxLayout()
        where.setSpacing(4)
        where.addWidget(self.folder, 1)
        where.addWidget(self.pick_button)
        body.addLayout(where)
        body.addWidget(self._message)
        body.addWidget(self._identity)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.close_button)
        row.addStretch(1)
        row.addWidget(self.export_button)
        body.addLayout(row)


def _month_words(month: str) -> str:
    """`2026-11`."""
    return f"{month[:4]}-{month[4:]}"


def _some(numbers: tuple[str, ...]) -> str:
    shown = ", ".join(numbers[:5])
    return shown if len(numbers) <= 5 else f"{shown}, …"
