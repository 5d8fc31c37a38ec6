"""The card of one customer or company: who it is, the form over it, messages, and the keys that save or forget."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.errors import refusal_sentence
from app.desktop.formats import day_long, day_short, money, money_words, number, phone
from app.desktop.language import language
from app.desktop.screens.customers_fields import FieldGrid
from app.desktop.screens.customers_foot import CardFoot
from app.desktop.screens.customers_form import COMPANY_FIELDS, CUSTOMER_FIELDS, NUMBERS, birth_of
from app.desktop.screens.customers_texts import (
    blocked_detail,
    blocked_words,
    field_word,
    kind_word,
    licence_words,
    tier_word,
    warning_words,
)
from app.desktop.screens.customers_viewmodel import CustomersViewModel
from app.desktop.theme import TextRole
from app.desktop.typed import typed_date, typed_money, typed_phone
from app.desktop.widgets.card import Surface
from app.desktop.widgets.label import ElidedLabel, Label, Tag, Tone
from app.desktop.widgets.notice import Notice
from app.desktop.widgets.pick_field import Pick
from app.desktop.widgets.scrolling import scrolling_column
from app.domain.company import shown_npwp
from app.domain.errors import Refusal
from app.domain.identity import IdentityKind, LicenceClass
from app.domain.waitlist import Tier

SHOWN_MS = 30_000
"""How long a number stays in clear."""
MANAGERS = ("tier", "blacklist_code", "credit_limit", "due_days")
NONE = "-"


class RecordCard(QWidget):
    """`other_wanted` carries the id of a duplicate and whether it is a company, `reveal_wanted` a kind of paper; both
    are for the screen."""

    other_wanted = Signal(str, bool)
    reveal_wanted = Signal(object)

    def __init__(self, model: CustomersViewModel) -> None:
        super().__init__()
        self._model = model
        self._opened = ""
        self._is_online = True
        self._visited: set[str] = set()
        self._clear: dict[IdentityKind, str] = {}
        self._forget = QTimer(self)
        self._forget.setSingleShot(True)
        self._forget.setInterval(SHOWN_MS)
        self._forget.timeout.connect(self.hide_numbers)
        self.person = FieldGrid(
            [*CUSTOMER_FIELDS], ("licence_class", "tier", "company_id", "consent"), eyes=tuple(NUMBERS)
        )
        self.firm = FieldGrid([*COMPANY_FIELDS], ())
        for grid in (self.person, self.firm):
            grid.typed.connect(model.put)
            grid.left.connect(self._visit)
            grid.ended.connect(lambda: self.save_button.setFocus())
        for name, kind in NUMBERS.items():
            eye = self.person.cells[name].eye
            if eye is not None:
                eye.clicked.connect(lambda _checked=False, kind=kind: self.reveal_wanted.emit(kind))
        self._make_head()
        self._make_foot()
        area, column = scrolling_column(ground="surface")
        column.addWidget(self.person)
        column.addWidget(self.firm)
        column.addStretch(1)
        for grid in (self.person, self.firm):
            grid.went_to.connect(lambda cell: area.ensureWidgetVisible(cell, 0, 8))
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(self._head)
        page.addWidget(area, 1)
        page.addWidget(self.foot)
        model.changed.connect(self.refresh)
        model.opened.connect(self._open)
        self.retranslate()

    # --- what the screen calls ----------------------------------------------------------------------------------------

    def grid(self) -> FieldGrid:
        """The inputs that are shown."""
        return self.firm if self._model.is_company() else self.person

    def show_number(self, kind: IdentityKind, number: str) -> None:
        """A number in clear, for half a minute."""
        self._clear[kind] = number
        self._forget.start()
        self.refresh()

    def hide_numbers(self) -> None:
        self._forget_numbers()
        self.refresh()

    def shown_number(self, kind: IdentityKind) -> str:
        """What stands in the empty input: masked, in clear, or nothing."""
        name = next(name for name, of in NUMBERS.items() if of is kind)
        return self.person.cells[name].field.edit.placeholderText()

    def set_online(self, online: bool) -> None:
        """Without the server nothing is saved; what is typed is kept."""
        if online != self._is_online:
            self._is_online = online
            self.refresh()

    def focus_first(self) -> None:
        self.grid().focus("name")

    # --- making -------------------------------------------------------------------------------------------------------

    def _make_head(self) -> None:
        self._head = Surface("surface", bottom_line=True)
        self.name = ElidedLabel("", TextRole.SECTION, weight=600)
        self.tier = Tag("")
        self.rentals = Tag("")
        self._known = ElidedLabel("", TextRole.SECONDARY, Tone.MUTED)
        self.licence = Label("", TextRole.SECONDARY)
        self.notice = Notice("warning", warning=True, small=True)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.name)
        row.addWidget(self.tier)
        row.addWidget(self.rentals)
        row.addWidget(self.notice)
        row.addStretch(1)
        second = QHBoxLayout()
        second.setSpacing(12)
        second.addWidget(self._known)
        second.addWidget(self.licence)
        second.addStretch(1)
        column = QVBoxLayout(self._head)
        column.setContentsMargins(16, 10, 16, 10)
        column.setSpacing(2)
        column.addLayout(row)
        column.addLayout(second)

    def _make_foot(self) -> None:
        self.foot = foot = CardFoot()
        self.other_button, self.drop_button, self.save_button = foot.other_button, foot.drop_button, foot.save_button
        self.other_button.clicked.connect(self._other)
        self.drop_button.clicked.connect(lambda *_: self._model.drop())

    def retranslate(self) -> None:
        for grid in (self.person, self.firm):
            for name, cell in grid.cells.items():
                word = field_word(name, company=grid is self.firm)
                cell.set_word(self.tr("Persetujuan data") if name == "consent" else word)
        for name, kind in NUMBERS.items():
            eye = self.person.cells[name].eye
            if eye is not None:
                eye.set_hint(self.tr("Tampilkan {paper}").format(paper=kind_word(kind)))
        self.person.set_picks("tier", [Pick(key=tier.value, text=tier_word(tier)) for tier in Tier])
        classes = [Pick(key=item.value, text=item.value) for item in LicenceClass]
        self.person.set_picks("licence_class", [Pick(key="", text=NONE), *classes])
        agreed = (Pick(key="yes", text=self.tr("Disetujui pelanggan")), Pick(key="", text=self.tr("Belum")))
        self.person.set_picks("consent", agreed)
        self.drop_button.setText(self.tr("Buang perubahan"))
        self.save_button.setText(self.tr("Simpan"))
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self._fill()
        super().changeEvent(event)

    # --- showing ------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Head, messages and buttons as the model says; inputs are filled when another form is opened."""
        typed = self._model.typed
        self.setVisible(typed is not None)
        if typed is None:
            return
        company = self._model.is_company()
        self.person.setVisible(not company)
        self.firm.setVisible(company)
        self._show_head()
        self._show_picks()
        self._show_rights()
        self._show_numbers()
        self._show_messages()
        dirty = self._model.is_dirty()
        self.drop_button.setVisible(dirty or typed.version is None)
        saving = self._model.is_busy("save")
        self.save_button.setText(self.tr("Menyimpan…") if saving else self.tr("Simpan"))

    def _open(self) -> None:
        self._visited.clear()
        self._forget_numbers()
        self._fill()
        self.refresh()

    def _forget_numbers(self) -> None:
        self._clear.clear()
        self._forget.stop()

    def _fill(self) -> None:
        typed = self._model.typed
        if typed is not None:
            self.grid().show_texts({name: self._shown(name, text) for name, text in typed.texts.items()})

    def _shown(self, name: str, text: str) -> str:
        """Days, phones and amounts as people write them; everything else as it is."""
        if name in ("birth_on", "licence_expires_on") and len(text) == 10 and text[4] == "-":
            return day_short(dt.date.fromisoformat(text), language())
        if name == "phone" and text.startswith("+"):
            return phone(text)
        if name == "npwp" and text.isdigit():
            return shown_npwp(text)
        if name == "credit_limit" and text.isdigit():
            return number(int(text), language())
        return text.replace("\n", ", ") if name in ("address", "note") else text

    def _show_head(self) -> None:
        card, firm, typed = self._model.card, self._model.company, self._model.typed
        new = self.tr("Perusahaan baru") if self._model.is_company() else self.tr("Pelanggan baru")
        name = typed.texts["name"].strip() if typed is not None and typed.version is None else ""
        record = card or firm
        self.name.setText(record.name if record is not None else name or new)
        self.tier.setVisible(card is not None and card.tier is not Tier.BASIC)
        self.rentals.setVisible(card is not None and card.rentals > 0)
        self.licence.setVisible(card is not None)
        self.notice.setVisible(card is not None and card.blocked is not None)
        known = ""
        if card is not None:
            self.tier.set_text(tier_word(card.tier))
            self.rentals.set_text(self.tr("{0}x sewa").format(card.rentals))
            words, tone = licence_words(card.licence_expires_on, self._model.today)
            self.licence.setText(words)
            self.licence.set_tone(tone)
            self.notice.set_text(blocked_words(card.blocked))
            self.notice.setToolTip(blocked_detail(card))
            known = phone(card.phone)
            if card.company is not None:
                known = f"{known} · {card.company.name}"
        elif firm is not None:
            limit = self.tr("Batas kredit {amount}, {days} hari")
            known = limit.format(amount=money(firm.credit_limit, language()), days=firm.due_days)
        self._known.setText(known)
        self._known.setVisible(bool(known))

    def _show_picks(self) -> None:
        card = self._model.card
        listed = {firm.id: firm.name for firm in self._model.all_companies}
        if card is not None and card.company is not None:
            listed.setdefault(card.company.id, card.company.name)
        firms = [Pick(key=id_, text=name) for id_, name in listed.items()]
        if self._opened != (key := f"{self._model.today}{[pick.text for pick in firms]}"):
            self._opened = key
            self.person.set_picks("company_id", [Pick(key="", text=NONE), *firms])

    def _show_rights(self) -> None:
        reader = "" if self._model.may_write else self.tr("Perlu peran Agen atau Kasir.")
        for grid in (self.person, self.firm):
            for name in grid.cells:
                manager = self.tr("Hanya manajer yang mengubah ini.") if name in MANAGERS else ""
                grid.set_reason(name, reader or ("" if self._model.is_manager else manager))
        self.save_button.set_reason(reader or self._away_words())

    def _away_words(self) -> str:
        if self._is_online:
            return ""
        return self.tr("Koneksi terputus. Isian ini tetap ada, simpan saat tersambung lagi.")

    def _show_numbers(self) -> None:
        card = self._model.card
        for name, kind in NUMBERS.items():
            known = card.identity(kind) if card is not None else None
            clear = self._clear.get(kind, "")
            cell = self.person.cells[name]
            cell.field.set_placeholder(clear or (known.masked if known is not None else ""))
            if cell.eye is not None:
                cell.eye.setVisible(known is not None)
                why = "" if self._model.may_reveal else self.tr("Hanya manajer atau inspektur yang melihat nomor.")
                cell.eye.set_reason(why)

    def _show_messages(self) -> None:
        typed = self._model.typed
        if typed is None:
            return
        problems = self._model.problems()
        refused = self._model.refusal
        grid = self.grid()
        for name in grid.cells:
            no = problems.get(name) if name in self._visited or self._model.asked_to_save else None
            if refused is not None and refused.field == name:
                no = no or refused
            said = refusal_sentence(no, self._model.zone).title if no is not None else ""
            grid.say(name, said, self._echo(name, typed.texts.get(name, "")))
        text, tone = "", Tone.MUTED
        if refused is not None:
            text, tone = self._refused_words(refused, problems), Tone.ERROR
        elif self._model.is_dirty():
            text = self._away_words() or self.tr("Belum disimpan. Isian ini tetap ada walau layar ditutup.")
        self.foot.tell(text, tone)
        other = self._model.known_one()
        self.other_button.setVisible(other is not None)
        if other is not None:
            self.other_button.setText(self.tr("Buka {name}").format(name=other[1]))

    def _refused_words(self, refused: Refusal, problems: Mapping[str, Refusal]) -> str:
        """The refusal; where several inputs are wrong, all of them by their names."""
        if len(problems) < 2 or refused.field not in problems:
            return refusal_sentence(refused, self._model.zone).whole
        names = ", ".join(field_word(name, company=self._model.is_company()) for name in problems)
        return self.tr("Belum disimpan. Perbaiki: {names}.").format(names=names)

    def _echo(self, name: str, text: str) -> str:
        """How an input was understood."""
        today = self._model.today
        if NUMBERS.get(name) in self._clear and not text:
            return self.tr("Tampil 30 detik, lalu tersamar lagi.")
        if name == "nik":
            warnings = self._model.warnings()
            return warning_words(warnings[0]) if warnings else ""
        if name in ("birth_on", "licence_expires_on"):
            day = birth_of(text, today) if name == "birth_on" else typed_date(text, today)
            return "" if day is None else day_long(day, language())
        if name == "phone" and (stored := typed_phone(text)) is not None:
            return "" if text in (stored, phone(stored)) else phone(stored)
        if name == "credit_limit" and (amount := typed_money(text)):
            return money_words(amount, language())
        return ""

    def _visit(self, name: str) -> None:
        """Left: from now on its mistakes are shown."""
        self._visited.add(name)
        self._show_messages()

    def _other(self) -> None:
        if (other := self._model.known_one()) is not None:
            self.other_wanted.emit(other[0], self._model.is_company())
