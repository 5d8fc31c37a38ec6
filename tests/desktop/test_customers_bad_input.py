"""Every input of the register with what it is not: named in both languages, and nothing is written or lost."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.errors import refusal_sentence
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.customers_form import COMPANY_FIELDS, CUSTOMER_FIELDS
from app.desktop.screens.customers_viewmodel import CustomersViewModel
from app.domain.errors import RefusalCode
from app.domain.staff import Role, StaffMember
from tests.desktop.test_customers import BRANCH, NOW, Desk, FakeRegister

HARMFUL = ("a\x00b", "\u202etxet", "a\ud800b", "😀😀", "x" * 5_000)
CODE = ("'; DROP TABLE sentra.customer; --", "%s%n", "{0}")
CUSTOMER: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "name": ("Nama", "Name", ("", " ", "R", "123", "\u3164\u3164", *HARMFUL)),
    "phone": ("telepon", "hone", ("", "081", "0" * 20, "nol delapan", "٠٨١٢٣٤٥٦٧٨٩", *HARMFUL, *CODE)),
    "email": ("E-mail", "E-mail", ("a", "a@b", "@", "a b@c.id", *HARMFUL, *CODE)),
    "address": ("Alamat", "Address", ("x" * 301, HARMFUL[0], HARMFUL[2])),
    "nik": ("NIK", "NIK", ("3" * 15, "3" * 17, "327501170890001X", "٣" * 16, "-1", *HARMFUL, *CODE)),
    "birth_on": ("anggal lahir", "ate of birth", ("31/2/90", "17/8", "besok", "1/1/1899", "1/1/2030", *HARMFUL, *CODE)),
    "nationality": ("ewarganegaraan", "ationality", ("", "IDN", "1%", *HARMFUL, *CODE)),
    "passport": ("paspor", "assport", ("A1", "A" * 20, *HARMFUL, *CODE)),
    "licence_number": ("SIM", "icence", ("1", "9" * 30, *HARMFUL, *CODE)),
    "licence_expires_on": ("SIM", "icence", ("31/2", "30/2/2030", "1/13", "1/1/1999", "1/1/2101", *HARMFUL, *CODE)),
    "blacklist_code": ("ode", "ode", ("7", "01", "007", "-7", *HARMFUL, *CODE)),
    "note": ("atatan", "ote", ("x" * 501, HARMFUL[0], HARMFUL[2])),
}
COMPANY: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "name": ("Nama", "ame", ("", "x" * 81, *HARMFUL)),
    "npwp": ("NPWP", "NPWP", ("1", "1" * 17, "12345678901234X", "-1", *HARMFUL, *CODE)),
    "phone": ("telepon", "hone", ("1", "0" * 20, *HARMFUL, *CODE)),
    "email": ("E-mail", "E-mail", ("a", "a@b", *HARMFUL, *CODE)),
    "address": ("Alamat", "Address", ("x" * 301, HARMFUL[0])),
    "credit_limit": ("kredit", "redit", ("-1", "1.5", "10,25", "9" * 13, "100.000.000.001", "1e9", *HARMFUL, *CODE)),
    "due_days": ("tempo", "ue", ("-1", "121", "999", "1.5", "９", *HARMFUL, *CODE)),
}


@pytest.fixture
def desk(tmp_path: Path, qtbot: QtBot) -> Desk:
    """A manager who is agent as well."""
    use_language(Language.ID)
    return Desk(FakeRegister(), tmp_path, qtbot, Role.AGENT, Role.MANAGER)


@pytest.fixture
def model(tmp_path: Path, qapp: QApplication) -> Iterator[CustomersViewModel]:
    """The same without a screen."""
    who = StaffMember(login="siti", name="Siti", roles=frozenset({Role.AGENT, Role.MANAGER}), branch=BRANCH)
    made = CustomersViewModel(FakeRegister(), who, lambda: NOW, lambda: "c100", tmp_path)
    made.load()
    yield made
    made.close()
    use_language(Language.ID)


def assert_each_is_named(model: CustomersViewModel, table: Mapping[str, tuple[str, str, tuple[str, ...]]]) -> None:
    """Saving with one bad input at a time: its own message, no other's; what was typed stays."""
    register, typed = model._register, model.typed
    assert isinstance(register, FakeRegister)
    assert typed is not None
    cards, firms = dict(register.cards), dict(register.firms)
    for name, (word_id, word_en, bad) in table.items():
        for text in bad:
            told = f"{name}: {text[:40]!a}"
            model.put(name, text)
            model.save("")
            no = model.refusal
            assert no is not None, told
            assert (no.code, no.field) == (RefusalCode.FIELD_INVALID, name), told
            assert list(model.problems()) == [name], told
            assert model.typed is not None
            assert model.typed.texts[name] == text, told
            for language, word in ((Language.ID, word_id), (Language.EN, word_en)):
                use_language(language)
                assert word in refusal_sentence(no).title, f"{told} -> {refusal_sentence(no).title}"
        model.put(name, typed.texts[name])
    assert (register.cards, register.firms, register.forms) == (cards, firms, [])


def test_what_is_none_in_an_input_of_a_customer_is_named_and_writes_nothing(model: CustomersViewModel) -> None:
    model.open("c1", is_company=False)
    assert_each_is_named(model, CUSTOMER)
    picked = {"tier", "licence_class", "company_id", "consent"}
    assert {*CUSTOMER} | picked == {*CUSTOMER_FIELDS}, "no input is left out"


def test_what_is_none_in_an_input_of_a_company_is_named_and_writes_nothing(model: CustomersViewModel) -> None:
    model.open("f1", is_company=True)
    assert_each_is_named(model, COMPANY)
    assert {*COMPANY} == {*COMPANY_FIELDS}, "no input is left out"


def test_what_is_in_no_list_is_not_taken(desk: Desk) -> None:
    desk.model.open("c1", is_company=False)
    before = desk.model.typed
    for name in ("tier", "licence_class", "company_id", "consent"):
        field = desk.screen.card.person.cells[name].field
        for text in ("nothing like it", "😀", *CODE):
            field.edit.setText(text)
            field.edit.textEdited.emit(text)
            assert field.is_wrong(), f"{name}: {text}"
        desk.screen.card.person.focus("note")
    assert desk.model.typed == before


def test_what_looks_like_code_is_a_name_an_address_and_a_note(desk: Desk) -> None:
    desk.model.open("c1", is_company=False)
    text = "O'Brien; DROP TABLE %s {0}"
    for name in ("name", "address", "note"):
        desk.model.put(name, text)
    desk.model.save("")
    (form,) = desk.register.forms
    assert (form.name, form.address, form.note) == (text, text, text)


def test_a_number_is_shown_for_no_reason_that_is_none(desk: Desk) -> None:
    desk.model.open("c1", is_company=False)
    eye = desk.screen.card.person.cells["nik"].eye
    assert eye is not None
    eye.click()
    for text in ("", "   "):
        desk.screen.reveal.reason.set_text(text)
        desk.screen.reveal.show_button.click()
        assert desk.screen.reveal.reason.is_wrong()
    assert desk.register.revealed == []
