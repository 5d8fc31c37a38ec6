"""Inputs answer at once with how they understood what was typed, and name themselves when they did not."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.announce import announcer
from app.desktop.formats import MONTHS_SHORT, Language, number, phone, wa_link
from app.desktop.language import use_language
from app.desktop.typed import typed_date, typed_days, typed_money, typed_phone, typed_time
from app.desktop.widgets.date_field import DateField
from app.desktop.widgets.echo_line import EchoLine
from app.desktop.widgets.field import Field
from app.desktop.widgets.money_field import MoneyField
from app.desktop.widgets.phone_field import PhoneField

TODAY = dt.date(2026, 11, 30)  # a Monday
KEYPAD = Qt.KeyboardModifier.KeypadModifier
SAME_PHONE = ("0812 3456 7890", "6281234567890", "+62 812-3456-7890", "81234567890", "+62 0812 3456 7890")


class Form:
    """A field with its line, and another field to leave it for."""

    def __init__(self, field: Field, qtbot: QtBot) -> None:
        self.field, self.line, self.other = field, EchoLine(field), Field("Lain")
        self.page = QWidget()
        column = QVBoxLayout(self.page)
        for widget in (field, self.line, self.other):
            column.addWidget(widget)
        self.page.resize(480, 160)
        qtbot.addWidget(self.page)
        with qtbot.waitExposed(self.page):
            self.page.show()
        self.page.activateWindow()
        field.setFocus()

    def type(self, text: str) -> None:
        QTest.keyClicks(self.field.edit, text)

    def leave(self) -> None:
        self.other.setFocus()


def test_the_weekday_of_a_typed_day_is_read_below_at_once(qtbot: QtBot) -> None:
    form = Form(DateField("Tanggal ambil", lambda: TODAY), qtbot)
    form.type("3/12")
    assert form.line.text() == "Kamis, 3 Desember 2026"


def test_a_million_is_read_in_words_and_less_is_not(qtbot: QtBot) -> None:
    form = Form(MoneyField("Deposit"), qtbot)
    form.type("999999")
    assert form.line.text() == ""
    form.field.edit.clear()
    form.type("1,25jt")
    assert form.line.text() == "satu juta dua ratus lima puluh ribu rupiah"


def test_a_phone_is_read_as_it_is_dialled_and_where_a_message_goes(qtbot: QtBot) -> None:
    form = Form(PhoneField("Telepon"), qtbot)
    form.type("6281234567890")
    assert form.line.text() == "0812-3456-7890 · wa.me/6281234567890"
    assert form.field.text() == "6281234567890", "what is being typed stays as it is"
    form.leave()
    assert form.field.text() == "0812-3456-7890"


@pytest.mark.parametrize(
    ("make", "typed", "indonesian", "english"),
    [
        (lambda: DateField("Ambil", lambda: TODAY), "31/2", "Ambil: bukan tanggal", "Ambil: not a date"),
        (lambda: MoneyField("Ambil"), "5x", "Ambil: bukan jumlah rupiah", "Ambil: not an amount"),
        (lambda: PhoneField("Ambil"), "0812", "Ambil: perlu 9-13 angka", "Ambil: needs 9-13 digits"),
    ],
    ids=["date", "money", "phone"],
)
def test_what_is_not_understood_is_named_on_leaving_and_not_before(
    make: object, typed: str, indonesian: str, english: str, qtbot: QtBot
) -> None:
    assert callable(make)
    form = Form(make(), qtbot)
    heard: list[str] = []
    announcer().announced.connect(lambda text, _: heard.append(text))
    form.type(typed)
    assert not form.line.is_problem()
    form.leave()
    assert form.line.text().startswith(indonesian)
    assert heard == [form.line.toolTip()], "read aloud once"
    assert form.field.is_wrong()
    assert form.field.text() == typed
    use_language(Language.EN)
    QApplication.processEvents()
    assert form.line.text().startswith(english)


@pytest.mark.parametrize(
    "text", ["", " ", "\t", "💰", "\u202e05", "'; --", "%s", "a" * 400, "1\x002", "-1", "9" * 60, "٣", "NaN", "1e3"]
)
@pytest.mark.parametrize("kind", ["date", "money", "phone"])
def test_strange_text_is_no_value_and_breaks_nothing(kind: str, text: str, qtbot: QtBot) -> None:
    fields: dict[str, Field] = {
        "date": DateField("Ambil", lambda: TODAY),
        "money": MoneyField("Ambil"),
        "phone": PhoneField("Ambil"),
    }
    for other in fields.values():
        qtbot.addWidget(other)
    field = fields[kind]
    line = EchoLine(field)
    qtbot.addWidget(line)
    field.edit.setText(text)
    field.typed.emit(field.text())
    field.edit.returnPressed.emit()
    field.committed.emit()
    value = {"date": "day", "money": "amount", "phone": "number"}[kind]
    found = getattr(field, value)()
    if kind == "date" and text == "-1":
        assert found == TODAY - dt.timedelta(days=1)
        return
    assert found is None
    assert bool(line.text()) is bool(field.text().strip())


@pytest.mark.parametrize("sign", [Qt.Key.Key_Comma, Qt.Key.Key_Period])
def test_the_keypads_comma_and_its_dot_mean_the_same(sign: Qt.Key, qtbot: QtBot) -> None:
    written = {Qt.Key.Key_Comma: ",", Qt.Key.Key_Period: "."}[sign]
    for text, amount in (("1{}25jt", 1_250_000), ("1250{}000", 1_250_000), ("2{}5rb", 2_500)):
        form = Form(MoneyField("Deposit"), qtbot)
        for part in text.format(written):
            QTest.keyClick(form.field.edit, Qt.Key(ord(part.upper())), KEYPAD)
        field = form.field
        assert isinstance(field, MoneyField)
        assert field.amount() == amount, text
    assert typed_date(f"3{written}12", TODAY) == dt.date(2026, 12, 3)
    assert typed_time(f"14{written}05") == dt.time(14, 5)


def test_a_deleted_zero_makes_a_tenth_and_not_cents(qtbot: QtBot) -> None:
    field = MoneyField("Deposit")
    form = Form(field, qtbot)
    form.type("12000")
    QTest.keyClick(field.edit, Qt.Key.Key_Backspace)
    assert (field.text(), field.amount()) == ("1.200", 1_200)


@pytest.mark.parametrize("text", SAME_PHONE)
def test_c79_every_way_of_writing_one_number_is_the_same_number_and_the_same_link(text: str) -> None:
    stored = typed_phone(text)
    assert stored == "+6281234567890"
    assert wa_link(stored) == "wa.me/6281234567890"
    assert phone(stored) == "0812-3456-7890"


def test_c78_a_bare_country_code_is_not_doubled() -> None:
    assert typed_phone("62811811234") == "+62811811234"


@given(
    st.from_regex(r"8[0-9]{7,11}", fullmatch=True),
    st.sampled_from(["0{}", "{}", "62{}", "+62{}", "+620{}", " 0{} ", "(0){}"]),
)
def test_every_form_of_a_number_reads_back_as_it_is_written(national: str, form: str) -> None:
    stored = typed_phone(form.format(national))
    assert stored == f"+62{national}"
    assert typed_phone(phone(stored)) == stored


@given(st.integers(min_value=1, max_value=99_999), st.sampled_from([",", "."]), st.sampled_from(["jt", " juta", "JT"]))
def test_every_amount_in_millions_reads_back(hundreds: int, sign: str, word: str) -> None:
    whole, part = divmod(hundreds, 100)
    assert typed_money(f"{whole}{sign}{part:02d}{word}") == hundreds * 10_000


@given(st.integers(min_value=1_000, max_value=99_999), st.sampled_from(list(Language)))
def test_a_grouped_number_of_millions_may_have_a_fraction(millions: int, language: Language) -> None:
    other = "," if language is Language.ID else "."
    assert typed_money(f"{number(millions, language)}{other}5jt", language) == millions * 1_000_000 + 500_000


@given(
    st.dates(min_value=TODAY, max_value=dt.date(2099, 12, 31)),
    st.sampled_from("/., -"),
    st.sampled_from(["{0}{3}{1}{3}{2}", "{0:02d}{3}{1:02d}{3}{2}", "{0}{3}{1}{3}{4:02d}"]),
)
def test_every_way_of_writing_a_day_reads_back(day: dt.date, sign: str, form: str) -> None:
    assert typed_date(form.format(day.day, day.month, day.year, sign, day.year % 100), TODAY) == day


@given(st.dates(min_value=TODAY, max_value=TODAY + dt.timedelta(days=364)), st.sampled_from(list(Language)))
def test_a_day_without_its_year_is_the_next_such_day(day: dt.date, language: Language) -> None:
    for text in (f"{day.day}/{day.month}", f"{day.day} {MONTHS_SHORT[language][day.month - 1]}"):
        assert typed_date(text, TODAY) == day


@given(st.integers(min_value=1, max_value=365), st.sampled_from(["{}", "{}h", "{} hari", "{}d", "{} days"]))
def test_every_length_reads_back(days: int, form: str) -> None:
    assert typed_days(form.format(days)) == days
