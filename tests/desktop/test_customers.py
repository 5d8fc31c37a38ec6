"""The customer register by keys: found while typing, edited, duplicates offered, numbers shown to few, drafts kept."""

import dataclasses
import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.commands import use_runner
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.customers_form import birth_of
from app.desktop.screens.customers_view import CustomersScreen
from app.desktop.screens.customers_viewmodel import CustomersViewModel
from app.domain.company import Company
from app.domain.customer import Customer
from app.domain.errors import Refusal, RefusalCode
from app.domain.identity import IdentityKind, LicenceClass
from app.domain.money import Rupiah
from app.domain.staff import Branch, Role, StaffMember
from app.domain.waitlist import Tier
from app.usecases.rows_customers import CompanyForm, CustomerCard, CustomerForm, CustomerHit, MaskedIdentity
from tests.desktop.runners import HeldRunner
from tests.desktop.shells import QuietShell

NOW = dt.datetime(2026, 11, 30, 7, 5, tzinfo=dt.UTC)
BRANCH = Branch(
    id="JKT",
    code="JKT",
    name="Jakarta",
    zone=ZoneInfo("Asia/Jakarta"),
    has_ppn=True,
    prices_include_ppn=True,
    cash_rounding=0,
    opens_at="08:00",
    closes_at="20:00",
)
ARUNIKA = Company(
    id="f1",
    version=1,
    name="PT Arunika",
    npwp="012345678901000",
    address="",
    email="",
    phone="",
    credit_limit=Rupiah(50_000_000),
    due_days=30,
)
RINA = CustomerCard(
    id="c1",
    version=3,
    name="Rina Maharani",
    phone="+6281200001234",
    birth_on=dt.date(1990, 8, 17),
    nationality="ID",
    licence_class=LicenceClass.A,
    licence_expires_on=dt.date(2026, 12, 10),
    address="Jl. Melati 1",
    email="",
    tier=Tier.GOLD,
    company=None,
    consent_at=NOW,
    consent_text="Ya",
    note="",
    blacklist_code=None,
    identities=(MaskedIdentity(kind=IdentityKind.NIK, masked="3275 01 •••••• 0012", written_at=NOW),),
    rentals=8,
    open_invoices=1,
    arrears=Rupiah(250_000),
    changed_at=NOW,
    blocked="01",
)


class FakeRegister:
    """Keeps cards as the database does: one per phone, versions count."""

    def __init__(self) -> None:
        self.cards = {RINA.id: RINA}
        self.firms = {ARUNIKA.id: ARUNIKA}
        self.forms: list[CustomerForm] = []
        self.asked: list[str] = []
        self.revealed: list[tuple[str, IdentityKind, str]] = []
        self.refuses: Refusal | None = None
        self.loses = False

    def find_customers(self, text: str, limit: int = 8) -> tuple[CustomerHit, ...]:
        self.asked.append(text)
        return tuple(_hit(card) for card in self.cards.values() if text.lower() in card.name.lower())[:limit]

    def recent_customers(self, limit: int = 20) -> tuple[CustomerHit, ...]:
        return tuple(_hit(card) for card in self.cards.values())[:limit]

    def find_by_identity(self, number: str) -> tuple[CustomerHit, ...]:
        self.asked.append(f"identity {number}")
        return (_hit(RINA),) if number == "3275011708900012" else ()

    def get_customer(self, customer_id: str) -> CustomerCard:
        return self.cards[customer_id]

    def save_customer(self, form: CustomerForm) -> CustomerCard:
        if self.refuses is not None:
            raise self.refuses
        if form.version is None and form.id in self.cards:
            version = self.cards[form.id].version
            raise Refusal(RefusalCode.DUPLICATE, field="id", version=version, by="Siti", is_own=True)
        self.forms.append(form)
        phone = f"+62{form.phone.replace('-', '').removeprefix('0')}"
        for card in self.cards.values():
            if card.id != form.id and card.phone == phone:
                raise Refusal(RefusalCode.DUPLICATE, field="phone", customer_id=card.id, customer_name=card.name)
        known = self.cards.get(
            form.id, dataclasses.replace(RINA, id=form.id, version=0, identities=(), tier=Tier.BASIC)
        )
        card = dataclasses.replace(known, version=known.version + 1, name=form.name, phone=phone, email=form.email)
        self.cards[form.id] = card
        if self.loses:
            self.loses = False
            raise Refusal(RefusalCode.UNREACHABLE, outcome="unknown")
        return card

    def reveal_identity(self, customer_id: str, kind: IdentityKind, reason: str) -> str:
        self.revealed.append((customer_id, kind, reason))
        return "3275011708900012"

    def companies(self, text: str = "", limit: int = 50) -> tuple[Company, ...]:
        return tuple(firm for firm in self.firms.values() if text.lower() in firm.name.lower())[:limit]

    def get_company(self, company_id: str) -> Company:
        return self.firms[company_id]

    def save_company(self, form: CompanyForm) -> Company:
        firm = dataclasses.replace(
            ARUNIKA, id=form.id, version=(form.version or 0) + 1, name=form.name, due_days=form.due_days
        )
        self.firms[form.id] = firm
        return firm


def _hit(card: CustomerCard) -> CustomerHit:
    who = Customer(id=card.id, name=card.name, phone=card.phone)
    return CustomerHit(
        customer=who, rentals=card.rentals, open_invoices=card.open_invoices, tier=card.tier, blocked=card.blocked
    )


def drafts_on_disk(folder: Path) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in folder.iterdir())


class Desk:
    """The screen of one person over a register and a folder of drafts."""

    def __init__(self, register: FakeRegister, folder: Path, qtbot: QtBot, *roles: Role) -> None:
        self.register = register
        self.shell = QuietShell()
        who = StaffMember(login="siti", name="Siti", roles=frozenset(roles), branch=BRANCH)
        self._ids = iter(range(100, 200))
        model = CustomersViewModel(register, who, lambda: NOW, lambda: f"c{next(self._ids)}", folder)
        self.screen = CustomersScreen(model, self.shell)
        self.model = model
        qtbot.addWidget(self.screen)
        self.screen.resize(1300, 640)
        self.screen.show()
        qtbot.waitExposed(self.screen)
        self.screen.activateWindow()
        self.screen.activate()
        qtbot.waitUntil(lambda: self.screen.search.edit.hasFocus(), timeout=2000)
        self.qtbot = qtbot

    def type(self, text: str) -> None:
        QTest.keyClicks(self.focus(), text)

    def press(self, *keys: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        for key in keys:
            QTest.keyClick(self.focus(), key, held)

    def save(self) -> None:
        self.press(Qt.Key.Key_Return, held=Qt.KeyboardModifier.ControlModifier)

    def focus(self) -> QWidget:
        return QApplication.focusWidget() or self.screen

    def find(self, text: str) -> None:
        self.type(text)
        self.qtbot.waitUntil(lambda: self.model.text == text, timeout=2000)

    def open_rina(self) -> None:
        self.find("rina")
        self.press(Qt.Key.Key_Return)
        assert self.model.card is not None

    def said(self, name: str) -> str:
        return self.screen.card.grid().cells[name].field.problem()


@pytest.fixture(autouse=True)
def indonesian() -> None:
    use_language(Language.ID)


@pytest.fixture
def register() -> FakeRegister:
    return FakeRegister()


@pytest.fixture
def desk(register: FakeRegister, tmp_path: Path, qtbot: QtBot) -> Desk:
    return Desk(register, tmp_path, qtbot, Role.AGENT, Role.CASHIER)


@pytest.fixture
def held() -> Iterator[HeldRunner]:
    runner = HeldRunner()
    before = use_runner(runner)
    yield runner
    use_runner(before)


def test_a_pause_in_typing_asks_once_and_enter_opens_the_first_with_the_form_ready(
    desk: Desk, register: FakeRegister
) -> None:
    desk.find("rina")

    assert register.asked == ["rina"]
    assert [row.name for row in desk.screen.list.rows()] == ["Rina Maharani"]
    assert desk.screen.list.rows()[0].notice == "Kode 01"
    desk.press(Qt.Key.Key_Return)
    assert desk.focus() is desk.screen.card.person.cells["name"].field.edit
    assert desk.screen.card.person.cells["phone"].field.text() == "0812-0000-1234"


def test_sixteen_digits_ask_for_the_whole_nik_through_the_service(desk: Desk, register: FakeRegister) -> None:
    desk.find("3275011708900012")
    assert register.asked == ["identity 3275011708900012"]
    assert [row.id for row in desk.screen.list.rows()] == ["c1"]


def test_typing_goes_on_while_a_search_waits_and_only_the_newest_text_is_asked_after_it(
    held: HeldRunner, register: FakeRegister, tmp_path: Path, qtbot: QtBot
) -> None:
    desk = Desk(register, tmp_path, qtbot, Role.AGENT)
    while held.waiting:
        held.go_on()
    desk.type("ri")
    qtbot.waitUntil(lambda: held.waiting == 1, timeout=2000)
    desk.type("na")
    desk.screen.refresh()
    assert desk.screen.search.text() == "rina"
    while held.waiting:
        held.go_on()
    assert register.asked == ["ri", "rina"]


def test_the_card_says_tier_licence_and_arrears_in_words_that_a_customer_may_read(desk: Desk) -> None:
    desk.open_rina()
    card = desk.screen.card
    assert card.name.text() == "Rina Maharani"
    assert card.tier.accessibleName() == "Gold"
    assert card.licence.text() == "SIM segera habis: 10 Des 2026"
    assert card.notice.text() == "Perlu persetujuan manajer (kode 01)"
    assert "250.000" not in card.notice.text()


def test_a_change_is_saved_with_its_version_and_leaves_numbers_alone(desk: Desk, register: FakeRegister) -> None:
    desk.open_rina()
    desk.screen.card.person.focus("email")
    desk.type("rina@contoh.id")
    desk.save()

    (form,) = register.forms
    assert (form.version, form.email, form.name) == (3, "rina@contoh.id", "Rina Maharani")
    assert (form.nik, form.passport, form.licence_number) == (None, None, None)
    assert (form.birth_on, form.licence_expires_on) == (dt.date(1990, 8, 17), dt.date(2026, 12, 10))
    assert not desk.model.is_dirty()
    assert desk.shell.toasts == ["Rina Maharani disimpan"]


def test_every_mistake_is_listed_on_saving_the_first_is_in_focus_and_nothing_is_sent(
    desk: Desk, register: FakeRegister
) -> None:
    desk.open_rina()
    grid = desk.screen.card.person
    for name, text in (("phone", "0812"), ("nik", "327501170890001"), ("birth_on", "31/2/1990"), ("email", "x")):
        grid.focus(name)
        desk.type(text)
    desk.save()

    assert register.forms == []
    assert desk.said("phone").startswith("Nomor telepon harus 9-13 angka")
    assert desk.said("nik") == "NIK harus 16 angka, baru 15."
    assert desk.said("birth_on") == "Tanggal lahir bukan tanggal lahir yang mungkin."
    assert desk.said("email").startswith("E-mail harus seperti")
    assert desk.focus() is grid.cells["phone"].field.edit


def test_a_mistake_shows_on_leaving_an_input_and_not_while_typing(desk: Desk) -> None:
    desk.open_rina()
    desk.screen.card.person.focus("nik")
    desk.type("3275")
    assert desk.said("nik") == ""
    desk.press(Qt.Key.Key_Return)
    assert desk.said("nik") == "NIK harus 16 angka, baru 4."


def test_an_odd_date_inside_a_nik_warns_and_is_saved(desk: Desk, register: FakeRegister) -> None:
    desk.open_rina()
    desk.screen.card.person.focus("nik")
    desk.type("3275013213900012")
    assert desk.screen.card.person.cells["nik"].field.echo() == "Tanggal pada NIK tidak lazim, periksa kartunya."
    desk.save()
    assert register.forms[0].nik == "3275013213900012"


def test_a_phone_that_is_known_offers_its_owner_and_enter_opens_the_card(desk: Desk, register: FakeRegister) -> None:
    desk.press(Qt.Key.Key_N, held=Qt.KeyboardModifier.ControlModifier)
    desk.type("Rina M.")
    desk.press(Qt.Key.Key_Return)
    desk.type("081200001234")
    desk.save()

    assert list(register.cards) == ["c1"]
    assert desk.said("phone") == "Nomor telepon ini sudah milik Rina Maharani."
    assert desk.screen.card.other_button.text() == "Buka Rina Maharani"
    desk.press(Qt.Key.Key_Return)
    assert desk.model.card == RINA


def test_what_was_looked_for_and_not_found_begins_the_new_customer(desk: Desk) -> None:
    desk.find("081355556666")
    desk.press(Qt.Key.Key_N, held=Qt.KeyboardModifier.ControlModifier)
    assert desk.screen.card.person.cells["phone"].field.text() == "081355556666"
    desk.screen.escape()
    desk.find("Zulkarnaen")
    desk.press(Qt.Key.Key_N, held=Qt.KeyboardModifier.ControlModifier)
    assert desk.screen.card.person.cells["name"].field.text() == "Zulkarnaen"


def test_every_form_that_was_begun_is_back_after_a_crash(
    desk: Desk, register: FakeRegister, tmp_path: Path, qtbot: QtBot
) -> None:
    desk.open_rina()
    desk.screen.card.person.focus("email")
    desk.type("rina@")
    desk.press(Qt.Key.Key_N, held=Qt.KeyboardModifier.ControlModifier)
    desk.type("Eko")
    qtbot.waitUntil(lambda: "Eko" in drafts_on_disk(tmp_path), timeout=2000)

    again = Desk(register, tmp_path, qtbot, Role.AGENT)
    assert again.model.typed is None, "the first window lives"
    again.screen.shut()
    desk.model._begun.release()  # as the end of its process does
    again = Desk(register, tmp_path, qtbot, Role.AGENT)

    assert again.model.typed is not None
    assert (again.model.typed.version, again.model.typed.texts["name"]) == (None, "Eko")
    again.model.open("c1", is_company=False)
    assert again.screen.card.person.cells["email"].field.text() == "rina@"
    assert again.model.is_dirty()


def test_two_windows_keep_what_is_typed_in_each_of_them(
    desk: Desk, register: FakeRegister, tmp_path: Path, qtbot: QtBot
) -> None:
    other = Desk(register, tmp_path, qtbot, Role.AGENT)
    for window, name in ((desk, "Eko"), (other, "Wati")):
        window.model.start_new()
        window.model.put("name", name)
        window.model.keep_now()
    assert all(name in drafts_on_disk(tmp_path) for name in ("Eko", "Wati"))
    other.model.drop()
    assert "Eko" in drafts_on_disk(tmp_path)
    other.screen.shut()


def test_what_is_typed_while_a_save_is_on_its_way_stays_typed_over_what_was_saved(
    held: HeldRunner, register: FakeRegister, tmp_path: Path, qtbot: QtBot
) -> None:
    desk = Desk(register, tmp_path, qtbot, Role.AGENT)
    while held.waiting:
        held.go_on()
    desk.model.open("c1", is_company=False)
    held.go_on()
    desk.model.put("email", "rina@contoh.id")
    desk.save()
    desk.model.put("note", "lebih suka pagi")
    while held.waiting:
        held.go_on()
    typed = desk.model.typed
    assert typed is not None
    assert (typed.version, typed.texts["email"], typed.texts["note"]) == (4, "rina@contoh.id", "lebih suka pagi")
    assert desk.model.is_dirty()
    assert "lebih suka pagi" in drafts_on_disk(tmp_path)


def test_a_new_form_whose_answer_was_lost_is_saved_over_what_it_wrote(desk: Desk, register: FakeRegister) -> None:
    desk.model.start_new("Eko", "0812-7777-1111")
    register.loses = True
    desk.model.save("Ya")
    assert desk.model.refusal is not None
    desk.model.put("name", "Eko Prasetyo")
    desk.model.save("Ya")
    assert desk.model.refusal is None
    assert [(form.version, form.name) for form in register.forms] == [(None, "Eko"), (1, "Eko Prasetyo")]


def test_a_draft_goes_when_it_is_saved_or_thrown_away(desk: Desk, tmp_path: Path) -> None:
    desk.open_rina()
    desk.screen.card.person.focus("email")
    desk.type("rina@contoh.id")
    desk.qtbot.waitUntil(lambda: "rina@contoh.id" in drafts_on_disk(tmp_path), timeout=2000)
    desk.save()
    assert drafts_on_disk(tmp_path) == ""
    desk.type("x")
    desk.qtbot.waitUntil(lambda: drafts_on_disk(tmp_path) != "", timeout=2000)
    desk.screen.card.drop_button.click()
    assert drafts_on_disk(tmp_path) == ""
    assert desk.screen.card.person.cells["email"].field.text() == "rina@contoh.id"


def test_what_is_typed_is_on_the_disk_when_the_screen_is_left_and_when_it_ends(desk: Desk, tmp_path: Path) -> None:
    desk.open_rina()
    desk.type("Rina A.")
    assert drafts_on_disk(tmp_path) == "", "not at each key"
    desk.screen.leave()
    assert "Rina A." in drafts_on_disk(tmp_path)
    desk.type("B.")
    desk.screen.shut()
    assert "Rina A.B." in drafts_on_disk(tmp_path)


def test_an_answer_that_refuses_an_input_brings_the_focus_there_when_it_comes(
    held: HeldRunner, register: FakeRegister, tmp_path: Path, qtbot: QtBot
) -> None:
    desk = Desk(register, tmp_path, qtbot, Role.AGENT)
    while held.waiting:
        held.go_on()
    desk.model.open("c1", is_company=False)
    held.go_on()
    cells = desk.screen.card.person.cells
    desk.screen.card.person.focus("email")
    register.refuses = Refusal(RefusalCode.FIELD_INVALID, field="nik", reason="digits")
    desk.save()
    assert desk.focus() is cells["email"].field.edit, "nothing is known yet"
    held.go_on()
    assert desk.focus() is cells["nik"].field.edit


def test_a_refusal_that_comes_when_another_form_is_open_is_no_word_about_that_one(
    held: HeldRunner, register: FakeRegister, tmp_path: Path, qtbot: QtBot
) -> None:
    desk = Desk(register, tmp_path, qtbot, Role.AGENT)
    while held.waiting:
        held.go_on()
    desk.model.open("c1", is_company=False)
    held.go_on()
    register.refuses = Refusal(RefusalCode.FIELD_INVALID, field="email", reason="not_an_email")
    desk.save()
    desk.model.start_new()
    held.go_on()
    assert desk.model.refusal is None
    assert desk.focus() is desk.screen.card.person.cells["name"].field.edit
    assert len(desk.shell.toasts) == 1


def test_a_customer_who_is_asked_for_opens_while_companies_are_listed(desk: Desk) -> None:
    desk.model.show_companies(True)
    desk.screen.activate("c1")
    assert desk.model.card == RINA
    assert desk.screen.card.grid() is desk.screen.card.person


def test_the_owner_of_a_known_phone_opens_while_companies_are_listed(desk: Desk) -> None:
    desk.model.start_new("Rina M.", "081200001234")
    desk.model.show_companies(True)
    desk.screen.card.person.focus("name")
    desk.save()
    desk.press(Qt.Key.Key_Return)
    assert desk.model.card == RINA


def test_without_the_server_the_search_looks_in_the_rows_that_are_shown(desk: Desk, register: FakeRegister) -> None:
    desk.shell.online = False
    assert desk.screen.find_text("0812 0000")
    assert not desk.screen.find_text("budi")
    assert not desk.screen.find_text(" - ")
    assert register.asked == []
    assert desk.screen.list.current_id() == "c1"


def test_leaving_never_asks_and_says_that_the_draft_is_kept(desk: Desk) -> None:
    desk.open_rina()
    desk.type("Baru")
    assert desk.screen.leave()
    assert desk.shell.toasts == ["Draf disimpan. Shift+F3 membukanya lagi."]


def test_a_number_is_masked_and_shown_to_a_manager_with_a_reason_for_a_while(
    register: FakeRegister, tmp_path: Path, qtbot: QtBot
) -> None:
    desk = Desk(register, tmp_path, qtbot, Role.AGENT, Role.CASHIER, Role.INSPECTOR, Role.MANAGER)
    desk.open_rina()
    card = desk.screen.card
    assert card.shown_number(IdentityKind.NIK) == "3275 01 •••••• 0012"
    eye = card.person.cells["nik"].eye
    assert eye is not None
    eye.click()
    desk.press(Qt.Key.Key_Return)
    assert register.revealed == [], "no reason, no number"
    desk.type("cocokkan KTP")
    desk.press(Qt.Key.Key_Return)

    assert register.revealed == [("c1", IdentityKind.NIK, "cocokkan KTP")]
    assert card.shown_number(IdentityKind.NIK) == "3275011708900012"
    assert not desk.model.is_dirty(), "what is shown is not typed"
    desk.screen.leave()
    assert card.shown_number(IdentityKind.NIK) == "3275 01 •••••• 0012"


def test_an_agent_sees_why_numbers_tier_and_code_are_not_his(desk: Desk) -> None:
    desk.open_rina()
    cells = desk.screen.card.person.cells
    eye = cells["nik"].eye
    assert eye is not None
    assert not eye.isEnabled()
    assert eye.toolTip() == "Hanya manajer atau inspektur yang melihat nomor."
    for name in ("tier", "blacklist_code"):
        assert cells[name].field.edit.isReadOnly()
        assert cells[name].field.toolTip() == "Hanya manajer yang mengubah ini."


def test_an_inspector_reads_and_cannot_save(register: FakeRegister, tmp_path: Path, qtbot: QtBot) -> None:
    desk = Desk(register, tmp_path, qtbot, Role.INSPECTOR)
    desk.open_rina()
    assert desk.screen.card.person.cells["name"].field.edit.isReadOnly()
    assert not desk.screen.card.save_button.isEnabled()
    eye = desk.screen.card.person.cells["nik"].eye
    assert eye is not None
    assert eye.isEnabled()


def test_a_manager_who_is_neither_agent_nor_cashier_reads_and_cannot_save(
    register: FakeRegister, tmp_path: Path, qtbot: QtBot
) -> None:
    desk = Desk(register, tmp_path, qtbot, Role.MANAGER)
    desk.open_rina()
    assert desk.screen.card.person.cells["name"].field.edit.isReadOnly()
    assert not desk.screen.card.save_button.isEnabled()


def test_a_manager_changes_a_companys_due_days(register: FakeRegister, tmp_path: Path, qtbot: QtBot) -> None:
    desk = Desk(register, tmp_path, qtbot, Role.AGENT, Role.MANAGER)
    desk.model.show_companies(True)
    desk.press(Qt.Key.Key_Return)
    grid = desk.screen.card.firm
    assert grid.cells["npwp"].field.text() == "01.234.567.8-901.000"
    grid.focus("due_days")
    desk.type("45")
    desk.save()
    assert register.firms["f1"].due_days == 45
    grid.focus("due_days")
    desk.type("x")
    desk.save()
    assert desk.said("due_days") == "Jatuh tempo harus angka bulat."


@pytest.mark.parametrize(
    ("typed", "day"),
    [
        ("17/8/90", dt.date(1990, 8, 17)),
        ("17-8-1990", dt.date(1990, 8, 17)),
        ("1990-08-17", dt.date(1990, 8, 17)),
        ("17 Agu 1990", dt.date(1990, 8, 17)),
        ("1/2/10", dt.date(2010, 2, 1)),
        ("31/2/90", None),
        ("besok", None),
        ("17/8", None),
    ],
)
def test_a_birth_is_always_past(typed: str, day: dt.date | None) -> None:
    assert birth_of(typed, dt.date(2026, 11, 30)) == day


def test_everything_can_be_said_in_english_and_every_input_has_a_name(desk: Desk) -> None:
    desk.open_rina()
    use_language(Language.EN)
    QApplication.processEvents()
    card = desk.screen.card
    assert card.licence.text() == "Licence expires soon: 10 Dec 2026"
    assert card.notice.text() == "A manager's approval is needed (code 01)"
    names = [cell.field.name() for grid in (card.person, card.firm) for cell in grid.cells.values()]
    assert "" not in names
    assert card.person.cells["nik"].field.name() == "NIK (ID card)"
