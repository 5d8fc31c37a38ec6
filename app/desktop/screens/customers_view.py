"""The place "Pelanggan": find as you type at the left, the card with its form at the right. Opened by its key."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.bootstrap import Counter
from app.desktop.announce import announce
from app.desktop.errors import failure_sentence, refusal_sentence
from app.desktop.formats import phone
from app.desktop.screen import Screen, Shell
from app.desktop.screens.customers_card import RecordCard
from app.desktop.screens.customers_list import ListRow, RegisterList
from app.desktop.screens.customers_reveal import RevealBar
from app.desktop.screens.customers_texts import consent_text, tier_word
from app.desktop.screens.customers_viewmodel import SHOWN, CustomersViewModel
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button
from app.desktop.widgets.card import Surface
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.segment import Choice, Segment
from app.domain.company import shown_npwp
from app.domain.identity import IdentityKind
from app.domain.waitlist import Tier

LIST_WIDTH, NARROW_LIST = 340, 280
NARROW = 1000
DEBOUNCE_MS = 200
SLOW_MS = 300
"""From then on the screen says that it is searching."""
LONGEST_SEARCH = 80


class CustomersScreen(Screen):
    """`activate("<customer id>")` opens that card at once."""

    def __init__(self, model: CustomersViewModel, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self.model = model
        model.setParent(self)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(DEBOUNCE_MS)
        self._typing.timeout.connect(self._ask)
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(SLOW_MS)
        self._slow.timeout.connect(self._say_slow)
        self._is_slow = self._enter_waits = False
        self.card = RecordCard(model)
        self.reveal = RevealBar()
        self._lay_out()
        self._save_key = self.add_key("Ctrl+Return", "", self._save)
        self._new_key = self.add_key("Ctrl+N", "", self._new)
        self._search_key = self.add_key("F3", "", self._focus_search)
        self.card.save_button.follow(self._save_key)
        self.new_button.follow(self._new_key)
        self._connect()
        self.retranslate()

    # --- Screen -------------------------------------------------------------------------------------------------------

    def title(self) -> str:
        return self.tr("Pelanggan")

    def activate(self, argument: object = None) -> None:
        self.model.load()
        if isinstance(argument, str) and argument:
            self.model.open(argument, is_company=False)
        self._focus_search()

    def refresh(self) -> None:
        self._ask()

    def connection_changed(self, online: bool) -> None:
        """Away: the rows that are shown are searched, and nothing is saved."""
        if online:
            self._ask()
        self._show()

    def leave(self) -> bool:
        """Never asks: what was begun is kept. Numbers in clear are hidden."""
        self.card.hide_numbers()
        self.reveal.hide()
        self.model.keep_now()
        if self.model.is_dirty():
            self.shell.toast(self.tr("Draf disimpan. Shift+F3 membukanya lagi."), seconds=6)
        return True

    def escape(self) -> bool:
        if self.reveal.isVisibleTo(self):
            self._end_reveal()
            return True
        if self.search.text():
            self.search.set_text("")
            self._ask()
            self._focus_search()
            return True
        return False

    def find_text(self, text: str) -> bool:
        """Without the server among the rows that are shown; else it is asked, and this screen says what it found."""
        if not self.shell.is_online():
            return self.list.mark_containing(text)
        self.search.set_text(text[:LONGEST_SEARCH])
        self._ask()
        return True

    def panes(self) -> tuple[QWidget, ...]:
        return (self.search, self.list, self.card.grid())

    # --- making -------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._side = Surface("surface", right_line=True)
        self.kinds = Segment("", self._kinds())
        self.search = Field("", icon="search", key="F3")
        self.search.edit.setMaxLength(LONGEST_SEARCH)
        self.hint = Label("", TextRole.SECONDARY, Tone.MUTED)
        self.hint.setWordWrap(True)
        self.list = RegisterList()
        self.new_button = Button(icon="plus")
        column = QVBoxLayout(self._side)
        column.setContentsMargins(0, 10, 1, 8)
        column.setSpacing(4)
        for widget, side in ((self.kinds, 13), (self.search, 13), (self.hint, 16)):
            row = QHBoxLayout()
            row.setContentsMargins(side, 0, side, 0)
            row.addWidget(widget)
            if widget is self.kinds:
                row.addStretch(1)
            column.addLayout(row)
        column.addWidget(self.list, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(13, 2, 13, 0)
        foot.addWidget(self.new_button)
        foot.addStretch(1)
        column.addLayout(foot)
        self.empty = Label("", TextRole.BASE, Tone.MUTED)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self.empty, 1)
        right.addWidget(self.card, 1)
        right.addWidget(self.reveal)
        self.reveal.hide()
        page = QHBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(self._side)
        page.addLayout(right, 1)

    def _kinds(self) -> tuple[Choice, ...]:
        return (
            Choice(key="people", text=self.tr("Pelanggan")),
            Choice(key="companies", text=self.tr("Perusahaan")),
        )

    def _connect(self) -> None:
        model = self.model
        model.changed.connect(self._show)
        model.opened.connect(self._opened)
        model.saved.connect(self._saved)
        model.shown.connect(self._number_shown)
        model.refused_at.connect(lambda name: self.card.grid().focus(name))
        model.duplicate_found.connect(lambda: self.card.other_button.setFocus())
        model.refused.connect(lambda no: self.shell.toast(refusal_sentence(no, model.zone).whole))
        model.failed.connect(lambda failure: self.shell.toast(failure_sentence(failure).whole))
        self.kinds.chosen.connect(lambda key: model.show_companies(key == "companies"))
        self.search.typed.connect(lambda _text: self._typed())
        self.search.edit.returnPressed.connect(self._open_first)
        self.search.edit.installEventFilter(self)
        self.list.chosen.connect(self._choose)
        self.card.other_wanted.connect(self._choose)
        self.card.reveal_wanted.connect(self._ask_reason)
        self.reveal.given.connect(model.reveal)
        self.reveal.dismissed.connect(self._end_reveal)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Down goes from the search into the list."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Down:
            self.list.setFocus(Qt.FocusReason.TabFocusReason)
            return True
        return False

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._side.setFixedWidth(NARROW_LIST if self.width() < NARROW else LIST_WIDTH)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        self.setAccessibleName(self.title())
        self._save_key.setText(self.tr("Simpan"))
        self._search_key.setText(self.tr("Cari pelanggan"))
        self.search.set_name(self.tr("Cari pelanggan"))
        self.list.setAccessibleName(self.tr("Daftar pelanggan"))
        for choice in self._kinds():
            self.kinds.set_text(choice.key, choice.text)
        self._show()

    # --- showing ------------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        model = self.model
        new = self.tr("Perusahaan baru") if model.is_companies else self.tr("Pelanggan baru")
        ways = self.tr("Nama atau NPWP") if model.is_companies else self.tr("Telepon, nama, pelat, NIK, booking")
        self.search.set_placeholder(ways)
        self.new_button.setText(new)
        self._new_key.setText(new)
        self._new_key.setEnabled(model.may_write)
        self._save_key.setEnabled(model.typed is not None and model.may_write and self.shell.is_online())
        rows = self._company_rows() if model.is_companies else self._customer_rows()
        if rows != self.list.rows():
            self.list.show_rows(rows, model.typed.id if model.typed is not None else "")
        self._show_hint(len(rows))
        self.card.set_online(self.shell.is_online())
        self.empty.setVisible(model.typed is None)
        self.empty.setText(self.tr("Pilih dari daftar, atau Ctrl+N untuk yang baru."))
        if self._enter_waits and model.is_answered:
            self._enter_waits = False
            self.list.setCurrentRow(0)
            self.list.open_current()

    def _show_hint(self, count: int) -> None:
        """What the rows are. An answer that takes long is told so, a short wait changes nothing."""
        model = self.model
        if not self.shell.is_online():
            self.hint.setText(self.tr("Koneksi terputus: dicari di daftar ini saja."))
        elif model.is_answered:
            self._end_wait()
            self.hint.setText(self._hint(count))
        elif model.has_failed:
            self._end_wait()
            self._enter_waits = False
            self.hint.setText(self.tr("Belum ada jawaban. F5 mencari lagi."))
        elif self._is_slow:
            self.hint.setText(self.tr("Mencari…"))
        elif model.is_searching and not self._slow.isActive():
            self._slow.start()

    def _say_slow(self) -> None:
        self._is_slow = True
        self._show()

    def _end_wait(self) -> None:
        self._slow.stop()
        self._is_slow = False

    def _hint(self, count: int) -> str:
        model = self.model
        text = model.text.strip()
        if count >= SHOWN:
            return self.tr("{0} yang pertama. Ketik lebih lengkap.").format(count)
        if count and text:
            return self.tr("{0} cocok").format(count)
        if count:
            companies = self.tr("{0} perusahaan").format(count)
            return companies if model.is_companies else self.tr("Terakhir diubah")
        if text:
            return self.tr("Tidak ada yang cocok. Ctrl+N membuat yang baru.")
        return self.tr("Belum ada. Ctrl+N membuat yang pertama.")

    def _customer_rows(self) -> tuple[ListRow, ...]:
        rows = []
        for hit in self.model.hits:
            second = phone(hit.customer.phone)
            if hit.company_name and hit.company_name != hit.customer.name:
                second = f"{second} · {hit.company_name}"
            notice = self.tr("Kode {0}").format(hit.blocked) if hit.blocked else ""
            tag = tier_word(hit.tier) if hit.tier is not Tier.BASIC else ""
            rows.append(ListRow(id=hit.customer.id, name=hit.customer.name, second=second, tag=tag, notice=notice))
        return tuple(rows)

    def _company_rows(self) -> tuple[ListRow, ...]:
        return tuple(
            ListRow(
                id=firm.id,
                name=firm.name,
                second=f"NPWP {shown_npwp(firm.npwp)}" if firm.npwp else "",
                is_company=True,
            )
            for firm in self.model.companies
        )

    # --- steps --------------------------------------------------------------------------------------------------------

    def _focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.edit.selectAll()

    def _typed(self) -> None:
        """Another text: what Enter waited for is not wanted any more."""
        self._enter_waits = False
        self._typing.start()

    def _ask(self) -> None:
        """Look for what stands in the search now."""
        self._typing.stop()
        self._enter_waits = False
        if self.shell.is_online():
            self.model.look_for(self.search.text())
        else:
            self.list.mark_containing(self.search.text())

    def _open_first(self) -> None:
        """Enter in the search: the row that is marked, or the first one as soon as this text is answered."""
        if self._typing.isActive() or self.model.has_failed:
            self._ask()
        if not self.shell.is_online() or self.model.is_answered:
            self.list.open_current()
        else:
            self._enter_waits = True

    def _choose(self, id_: str, is_company: bool) -> None:
        self.reveal.hide()
        self.model.open(id_, is_company=is_company)

    def _new(self) -> None:
        """What was looked for and not found is the beginning of the new one."""
        is_known = self.list.count() > 0 and self.model.is_answered and not self._typing.isActive()
        text = "" if is_known else self.search.text().strip()
        is_phone = sum(sign.isdigit() for sign in text) >= 4
        self.model.start_new(name="" if is_phone else text, phone=text if is_phone else "")

    def _opened(self) -> None:
        if self.model.typed is not None and self.isVisible():
            self.card.focus_first()

    def _save(self) -> None:
        self.model.save(consent_text())

    def _saved(self) -> None:
        record = self.model.card or self.model.company
        if record is not None:
            self.shell.toast(self.tr("{name} disimpan").format(name=record.name))

    def _ask_reason(self, kind: IdentityKind) -> None:
        self.reveal.ask(kind)

    def _end_reveal(self) -> None:
        self.reveal.hide()
        self.card.focus_first()

    def _number_shown(self, kind: IdentityKind, number: str) -> None:
        if not self.isVisible():  # left meanwhile: asked for again when somebody looks
            return
        self.reveal.hide()
        self.card.show_number(kind, number)
        announce(self, self.tr("Nomor ditampilkan selama 30 detik"))


def make_customers(counter: Counter, shell: Shell, folder: Path) -> CustomersScreen:
    """The screen over a logged-in counter; `folder` is this counter's own."""
    model = CustomersViewModel(
        counter.customers, counter.who, counter.store.read.now, counter.new_id, folder / "drafts"
    )
    return CustomersScreen(model, shell)
