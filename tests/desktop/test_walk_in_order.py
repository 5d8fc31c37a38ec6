"""The drawer serves several people and sells several units: parked drafts, orders of more than one unit, papers."""

import datetime as dt
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.walk_in_counter import Offers
from app.desktop.screens.walk_in_draft import DraftStore
from app.desktop.screens.walk_in_form import FormField, FormLine, Problem, Stage, WalkInForm
from app.desktop.screens.walk_in_form_fields import from_fields, to_fields
from app.desktop.screens.walk_in_texts import nik_warning, price_rows, problem_sentence
from app.domain.booking import BookingState
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.waitlist import Tier
from app.usecases.rows_customers import CustomerCard, CustomerForm
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import BUDI
from tests.desktop.calendar_samples import NOW, TODAY
from tests.desktop.test_walk_in import fill, restarted

ENTER = Qt.Key.Key_Return
NIK = "3275013012900012"


@dataclass
class FakeRegister:
    """Writes cards; the same content again is the same card. `refuses` is the answer to the next form."""

    forms: list[CustomerForm] = field(default_factory=list)
    refuses: Refusal | None = None
    version: int = 1

    def save_customer(self, form: CustomerForm) -> CustomerCard:
        if self.refuses is not None:
            no, self.refuses = self.refuses, None
            raise no
        self.forms.append(form)
        return CustomerCard(
            id=form.id,
            version=self.version,
            name=form.name,
            phone=form.phone,
            birth_on=None,
            nationality="ID",
            licence_class=None,
            licence_expires_on=form.licence_expires_on,
            address="",
            email="",
            tier=Tier.BASIC,
            company=None,
            consent_at=None,
            consent_text="",
            note="",
            blacklist_code=None,
            identities=(),
            rentals=0,
            open_invoices=0,
            arrears=0,  # type: ignore[arg-type]
            changed_at=NOW,
            blocked=None,
        )


@pytest.fixture
def register() -> FakeRegister:
    return FakeRegister()


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, register: FakeRegister) -> Iterator[Desk]:
    made = Desk(tmp_path, offers=Offers(save_customer=register.save_customer))
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def fill_new(desk: Desk, *, nik: str = NIK, licence: str = "30/11/28", days: str = "3") -> None:
    """F3, phone, Enter, name, Enter, NIK, Enter, licence, Enter, the SKU, Enter, Enter, the days."""
    desk.shortcut("F3")
    desk.type("081399991234")
    desk.wait_for_search()
    desk.press(ENTER)
    desk.type("Wahyu Adi")
    desk.press(ENTER)
    desk.type(nik)
    desk.press(ENTER)
    desk.type(licence)
    desk.press(ENTER)
    desk.type("ava")
    desk.press(ENTER)
    desk.press(ENTER)
    desk.type(days)
    desk.wait_for_price()


# --- parked drafts ----------------------------------------------------------------------------------------------------


def test_f4_parks_the_draft_and_the_next_customer_finds_an_empty_form(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F4")
    assert desk.walk_in.form.is_empty
    assert desk.shell.toasts[-1] == "Draf Budi Santoso diparkir. Shift+F4: daftarnya."
    assert desk.shell.facts["drafts"] == "1 draf"
    assert desk.screen.focusWidget() is desk.screen.panel.form.customer.edit


def test_f4_has_nothing_to_do_while_nothing_is_typed(desk: Desk) -> None:
    desk.shortcut("F3")
    with pytest.raises(AssertionError, match="F4 does not work now"):
        desk.shortcut("F4")


def test_an_empty_drawer_is_closed_without_a_word_though_a_draft_is_parked(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F4")
    said = list(desk.shell.toasts)
    desk.press(Qt.Key.Key_Escape)
    assert not desk.screen.panel.isVisible()
    assert desk.shell.toasts == said


def test_shift_f4_lists_the_parked_drafts_and_one_key_takes_one_up(desk: Desk) -> None:
    fill(desk)
    budi = desk.walk_in.form
    desk.shortcut("F4")
    desk.type("Zulkifli")
    desk.shortcut("F4")
    desk.shortcut("Shift+F4")
    parked = desk.screen.panel.parked
    assert [button.text() for button in parked.buttons] == ["Zulkifli", "Budi Santoso"]
    desk.press(Qt.Key.Key_2)
    assert desk.walk_in.form == budi
    assert [form.typed_name for form in desk.walk_in.kept_forms()] == ["Zulkifli"]
    desk.shortcut("F9")
    assert desk.walk_in.stage is Stage.HELD


def test_taking_a_draft_up_parks_what_stands_in_the_form(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    fill(desk)
    desk.shortcut("F4")
    desk.type("Zulkifli")
    desk.shortcut("Shift+F4")
    desk.press(ENTER)
    assert desk.walk_in.form.customer_name == "Budi Santoso"
    again = restarted(desk, qtbot, tmp_path)
    assert again.walk_in.form.customer_name == "Budi Santoso"
    assert [form.typed_name for form in again.walk_in.kept_forms()] == ["Zulkifli"]
    again.screen.shut()


def test_esc_leaves_the_list_of_drafts_and_the_form_is_as_it_was(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("F4")
    desk.type("Zulk")
    desk.shortcut("Shift+F4")
    desk.screen.escape()
    assert not desk.screen.panel.is_asking()
    assert desk.walk_in.form.customer_text == "Zulk"
    assert desk.screen.drawer.is_open()


# --- several units ----------------------------------------------------------------------------------------------------


def test_one_order_holds_several_units_or_none(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("Ctrl+Shift+N")
    assert desk.screen.focusWidget() is desk.screen.panel.form.sku.edit
    desk.type("nma")
    desk.press(ENTER)
    assert desk.screen.panel.form.order_lines.texts() == ("Avanza G · otomatis · 30 Nov – 2 Des",)
    desk.wait_for_price()
    desk.shortcut("F9")
    (request,) = desk.counter.bookings.requests
    assert [line.sku for line in request.lines] == ["TOY-AVNZ-G", "YAM-NMAX"]
    assert len({line.period for line in request.lines}) == 1
    assert desk.walk_in.hold is not None
    assert len(desk.walk_in.hold.booking_ids) == 2


def test_letting_an_order_go_lets_every_unit_of_it_go(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("Ctrl+Shift+N")
    desk.type("nma")
    desk.press(ENTER)
    desk.shortcut("F9")
    assert desk.walk_in.hold is not None
    ids = desk.walk_in.hold.booking_ids
    desk.screen.panel.release_button.click()
    assert [booking_id for booking_id, _ in desk.counter.bookings.cancelled] == list(ids)
    assert [line.sku for line in desk.walk_in.form.lines] == ["TOY-AVNZ-G"]
    assert desk.walk_in.form.sku == "YAM-NMAX"


@pytest.mark.parametrize("at", [0, 1])
def test_a_unit_that_is_gone_already_keeps_none_of_the_others(desk: Desk, at: int) -> None:
    fill(desk)
    desk.shortcut("Ctrl+Shift+N")
    desk.type("nma")
    desk.press(ENTER)
    desk.shortcut("F9")
    assert desk.walk_in.hold is not None
    ids = desk.walk_in.hold.booking_ids
    desk.counter.bookings.set_state(ids[at], BookingState.CANCELLED)
    desk.screen.panel.release_button.click()
    assert [booking_id for booking_id, _ in desk.counter.bookings.cancelled] == [ids[1 - at]]
    assert desk.walk_in.stage is Stage.FORM
    assert desk.walk_in.form.sku == "YAM-NMAX"


def test_a_unit_taken_out_of_the_order_is_not_booked(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("Ctrl+Shift+N")
    desk.screen.panel.form.order_lines.dropped.emit(0)
    desk.type("nma")
    desk.press(ENTER)
    desk.shortcut("F9")
    (request,) = desk.counter.bookings.requests
    assert [line.sku for line in request.lines] == ["YAM-NMAX"]


def test_an_order_whose_last_item_was_left_empty_books_the_chosen_units(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("Ctrl+Shift+N")
    desk.shortcut("F9")
    (request,) = desk.counter.bookings.requests
    assert [line.sku for line in request.lines] == ["TOY-AVNZ-G"]


def test_what_a_refusal_offers_for_an_earlier_unit_changes_that_unit(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("Ctrl+Shift+N")
    desk.walk_in.refusal = Refusal(RefusalCode.DAYS_TAKEN, field="lines[0]")
    desk.walk_in.use({"unit_id": desk.unit("B 1211 XYZ")})
    assert desk.walk_in.form.lines[0].unit_id == desk.unit("B 1211 XYZ")
    assert desk.walk_in.form.unit_id is None


# --- papers -----------------------------------------------------------------------------------------------------------


def test_a_new_customer_with_papers_is_registered_and_booked_with_at_most_75_keys(
    desk: Desk, register: FakeRegister
) -> None:
    fill_new(desk)
    desk.press(ENTER)
    desk.press(ENTER)
    assert desk.walk_in.stage is Stage.HELD
    (form,) = register.forms
    assert (form.name, form.phone, form.nik) == ("Wahyu Adi", "+6281399991234", NIK)
    assert (form.licence_class, form.licence_expires_on) == ("A", dt.date(2028, 11, 30))
    (request,) = desk.counter.bookings.requests
    assert (request.customer_id, request.customer_name) == (form.id, None)
    # F9, `+` and F9 in the settlement are the last keys of the budget.
    assert desk.keys + 3 <= 75


def test_a_card_written_before_a_refused_booking_is_changed_not_made_again(desk: Desk, register: FakeRegister) -> None:
    fill_new(desk)
    desk.counter.bookings.lose_answer = True
    desk.shortcut("F9")
    desk.screen.panel.form.new_name.edit.setFocus()
    desk.type("ja")
    desk.wait_for_asking()
    desk.shortcut("F9")
    first, second = register.forms[0], register.forms[-1]
    assert (first.id, first.version) == (second.id, None)
    assert second.version == 1


def test_a_number_the_register_refuses_is_named_and_nothing_is_booked(desk: Desk, register: FakeRegister) -> None:
    fill_new(desk)
    register.refuses = Refusal(RefusalCode.FIELD_INVALID, field="nik", reason="digits")
    desk.shortcut("F9")
    assert desk.counter.bookings.requests == []
    assert desk.screen.panel.form.new_person.nik.is_wrong()
    assert desk.walk_in.form.nik == NIK


def test_where_no_number_can_be_sealed_yet_the_field_is_named_and_nothing_is_booked(
    desk: Desk, register: FakeRegister
) -> None:
    fill_new(desk)
    register.refuses = Refusal(RefusalCode.UNREACHABLE, field="identities", reason="identity_key")
    desk.shortcut("F9")
    assert desk.counter.bookings.requests == []
    assert "NIK belum bisa disegel" in desk.screen.panel.form.message.text()
    assert desk.screen.panel.form.new_person.nik.is_wrong()


def test_the_number_is_masked_as_soon_as_the_field_is_left(desk: Desk) -> None:
    fill_new(desk)
    nik = desk.screen.panel.form.new_person.nik
    assert nik.text() == "3275 01 •••••• 0012"
    nik.edit.setFocus()
    assert nik.text() == NIK


@pytest.mark.parametrize(
    ("spoken", "expected"),
    [(Language.ID, "NIK harus 16 angka, baru 15."), (Language.EN, "NIK must be 16 digits, 15 so far.")],
)
def test_a_short_number_is_told_on_leaving_the_field(desk: Desk, spoken: Language, expected: str) -> None:
    use_language(spoken)
    QApplication.processEvents()
    fill_new(desk, nik=NIK[:15])
    desk.shortcut("F9")
    assert desk.counter.bookings.requests == []
    assert desk.screen.panel.form.message.text() == expected
    assert desk.screen.panel.form.new_person.nik.is_wrong()


@pytest.mark.parametrize(
    ("spoken", "expected"),
    [
        (Language.ID, "SIM habis 1 Des 2026, sebelum tanggal kembali."),
        (Language.EN, "Licence expires 1 Dec 2026, before the return date."),
    ],
)
def test_a_licence_that_ends_before_the_return_is_refused(desk: Desk, spoken: Language, expected: str) -> None:
    use_language(spoken)
    QApplication.processEvents()
    fill_new(desk, licence="1/12/26")
    desk.shortcut("F9")
    assert desk.counter.bookings.requests == []
    assert desk.screen.panel.form.message.text() == expected


def test_an_odd_date_in_the_number_warns_and_books(desk: Desk) -> None:
    fill_new(desk, nik="3275019912900012")
    assert desk.walk_in.form.nik == "3275019912900012"
    assert nik_warning(desk.walk_in.form) == "Tanggal pada NIK tidak lazim, periksa kartunya."
    desk.shortcut("F9")
    assert desk.walk_in.stage is Stage.HELD


@pytest.mark.parametrize("typed", ["3275-0130-1290-0012", "3275.0130.1290.0012", "3275 0130 1290 0012"])
def test_a_number_typed_with_signs_between_is_whole_and_masked(desk: Desk, register: FakeRegister, typed: str) -> None:
    fill_new(desk, nik=typed)
    assert desk.screen.panel.form.new_person.nik.text() == "3275 01 •••••• 0012"
    desk.shortcut("F9")
    assert [form.nik for form in register.forms] == [NIK]
    assert desk.walk_in.stage is Stage.HELD


@pytest.mark.parametrize("blank", ["", " "])
def test_papers_that_are_blank_are_none_and_the_name_alone_is_booked(
    desk: Desk, register: FakeRegister, blank: str
) -> None:
    fill_new(desk, nik=blank, licence=blank)
    desk.shortcut("F9")
    assert register.forms == []
    assert [request.customer_name for request in desk.counter.bookings.requests] == ["Wahyu Adi"]


BAD = ["0", "-1", "1e3", "999999999999999999", "ａｂｃ", "\u202eabc", "'; DROP", "😀", "x" * 81]


@pytest.mark.parametrize("bad", BAD)
def test_bad_papers_are_named_and_nothing_is_sent(desk: Desk, register: FakeRegister, bad: str) -> None:
    fill_new(desk)
    desk.walk_in.type_nik(bad)
    desk.shortcut("F9")
    assert (FormField.NIK, Problem.NIK_LENGTH) in desk.walk_in.form.problems(TODAY, phone_ok=True)
    assert (register.forms, desk.counter.bookings.requests) == ([], [])
    desk.walk_in.type_nik(NIK)
    desk.walk_in.type_licence(bad, None)
    desk.shortcut("F9")
    assert desk.screen.panel.form.message.text() == problem_sentence(Problem.LICENCE_DAY)
    assert (register.forms, desk.counter.bookings.requests) == ([], [])


# --- drafts -----------------------------------------------------------------------------------------------------------


def test_every_field_is_back_after_a_kill(desk: Desk, qtbot: QtBot, tmp_path: Path, register: FakeRegister) -> None:
    fill_new(desk)
    desk.shortcut("Ctrl+Shift+N")
    desk.type("nma")
    desk.press(ENTER)
    desk.walk_in.save_draft()
    before = desk.walk_in.form
    desk.die()
    again = Desk(tmp_path, desk.counter, offers=Offers(save_customer=register.save_customer))
    qtbot.addWidget(again.screen)
    assert again.walk_in.form == before
    again.shortcut("Ctrl+N")
    form = again.screen.panel.form
    assert form.new_name.text() == "Wahyu Adi"
    assert form.new_person.nik.text() == "3275 01 •••••• 0012"
    assert form.new_person.licence.day() == dt.date(2028, 11, 30)
    assert form.order_lines.texts() == ("Avanza G · otomatis · 30 Nov – 2 Des",)
    again.screen.shut()


def test_a_form_with_papers_and_lines_survives_its_way_through_the_file() -> None:
    form = WalkInForm(
        order_id="o-1",
        customer_text="0813",
        is_new=True,
        new_customer_id="c-1",
        new_version=2,
        new_name="Wahyu",
        new_nik="3275",
        licence_class="B1",
        licence_text="30/11/28",
        licence_day=dt.date(2028, 11, 30),
        lines=(FormLine(sku="TOY-AVNZ-G", unit_id=None, first_day=TODAY, last_day=TODAY),),
        sku="YAM-NMAX",
    )
    assert from_fields(json.loads(json.dumps(to_fields(form)))) == form


def test_a_draft_of_the_first_version_is_read_and_keeps_its_sent_order(tmp_path: Path) -> None:
    store = DraftStore(tmp_path, "siti")
    content = json.dumps([BUDI.customer.id, "TOY-AVNZ-G", None, "2026-11-30", "2026-12-02"])
    fields = {
        "order_id": "o-1",
        "customer_text": "Budi Santoso",
        "customer_id": BUDI.customer.id,
        "customer_name": "Budi Santoso",
        "customer_phone": "+6281234567890",
        "sku": "TOY-AVNZ-G",
        "first_day": "2026-11-30",
        "last_day": "2026-12-02",
        "was_sent": True,
        "sent_content": content,
    }
    saved = {"v": 1, "form": "walk_in", "staff": "siti", "fields": fields, "saved_at": "2026-11-30T07:05:10+00:00"}
    store.path.write_text(json.dumps(saved), encoding="utf-8")
    draft = store.load()
    assert draft is not None
    form = from_fields(draft.fields)
    assert form.is_as_sent
    assert form.period == RentalPeriod(dt.date(2026, 11, 30), dt.date(2026, 12, 2))


@pytest.mark.parametrize(
    "lines", [[3], [{"sku": "x"}], [{"sku": "x", "first_day": "2026-12-02", "last_day": "2026-12-01"}]]
)
def test_damaged_lines_are_no_form(lines: list[object]) -> None:
    with pytest.raises(ValueError, match="lines"):
        from_fields({"order_id": "o", "lines": lines})


def test_the_rows_of_several_units_add_up_to_the_total(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("Ctrl+Shift+N")
    desk.type("ava")
    desk.press(ENTER)
    desk.wait_for_price()
    quote = desk.walk_in.quote
    assert quote is not None
    assert price_rows(quote) == (
        ("2 unit · 3 × Rp\u00a0350.000", 2_100_000),
        ("Deposit (dikembalikan)", 1_000_000),
    )
    assert desk.screen.panel.price.total.text() == "Rp\u00a03.100.000"


def test_automatic_takes_another_unit_for_the_second_of_one_sku(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("Ctrl+Shift+N")
    desk.type("ava")
    desk.press(ENTER)
    assert desk.screen.panel.form.unit.text() == "B 1207 XYZ"


def test_a_blocked_customer_is_told_of_by_a_code_only(desk: Desk) -> None:
    desk.shortcut("F3")
    desk.walk_in.pick(replace(BUDI, blocked="07", masked="3275 01 •••••• 0012"))
    form = desk.screen.panel.form
    assert form._notice.text() == "Perlu persetujuan manajer (kode 07)."
    assert form.person.accessibleName() == "Budi Santoso, 0812-3456-7890, NIK 3275 01 •••••• 0012"


def test_a_name_that_is_too_long_is_told_and_not_cut(desk: Desk, register: FakeRegister) -> None:
    long = "Wahyu Adiputra Kusumawardhana " * 3
    fill_new(desk)
    desk.walk_in.type_new_name(long)
    desk.shortcut("F9")
    form = desk.screen.panel.form
    assert form.message.text() == "Nama paling panjang 80 huruf, sekarang 89. Singkat namanya."
    assert desk.walk_in.form.new_name == long
    assert (register.forms, desk.counter.bookings.requests) == ([], [])
    desk.walk_in.type_new_name("Wahyu Adi")
    desk.shortcut("F9")
    assert desk.walk_in.stage is Stage.HELD
