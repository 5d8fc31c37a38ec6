"""Extras, discount, deposit and down payment in the drawer; a manager's word beside the form; a price that changed."""

import datetime as dt
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.walk_in_counter import Offers
from app.desktop.screens.walk_in_form import FormField, Problem, Stage, WalkInForm
from app.desktop.screens.walk_in_form_fields import from_fields, to_fields
from app.desktop.screens.walk_in_texts import problem_sentence
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.usecases.rows_approvals import Approval
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import BUDI, EXTRAS
from tests.desktop.calendar_samples import NOW, TODAY
from tests.desktop.test_walk_in import fill

ENTER = Qt.Key.Key_Return


@dataclass
class FakeManager:
    """Approves with the right password."""

    asked: list[tuple[str, str, str, str, Rupiah | None]] = field(default_factory=list)

    def approve(
        self, login: str, password: str, action: str, object: str, reason: str, amount: Rupiah | None = None
    ) -> Approval:
        if password != "rahasia":
            raise Refusal(RefusalCode.NOT_ALLOWED, field="password", action="log_in", reason="wrong", left=4)
        self.asked.append((login, action, object, reason, amount))
        return Approval(id="word-1", approved_by_name="Maya", expires_at=NOW + dt.timedelta(minutes=5))


@pytest.fixture
def manager() -> FakeManager:
    return FakeManager()


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, manager: FakeManager) -> Iterator[Desk]:
    made = Desk(tmp_path, offers=Offers(extras=lambda: tuple(EXTRAS.values()), approve=manager.approve))
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def rows(desk: Desk) -> list[str]:
    return [label.text() for label in desk.screen.panel.price.findChildren(QLabel) if not label.isHidden()]


def test_extras_are_ticked_priced_and_sent(desk: Desk) -> None:
    fill(desk)
    desk.screen.panel.form.terms.boxes["SOPIR"].click()
    desk.screen.panel.form.terms.boxes["ANTAR"].click()
    desk.wait_for_price()
    assert {"Sopir 3 × Rp\u00a0150.000", "Antar", "Rp\u00a0100.000"} <= set(rows(desk))
    assert desk.screen.panel.price.total.text() == "Rp\u00a02.100.000"
    desk.shortcut("F9")
    (request,) = desk.counter.bookings.requests
    assert [wish.code for wish in request.lines[0].extras] == ["SOPIR", "ANTAR"]
    assert request.expected_total == 2_100_000


@pytest.mark.parametrize(("spoken", "text"), [(Language.ID, "Diskon 5 %"), (Language.EN, "Discount 5 %")])
def test_ctrl_d_gives_a_discount_within_the_limit(desk: Desk, spoken: Language, text: str) -> None:
    use_language(spoken)
    fill(desk)
    desk.shortcut("Ctrl+D")
    desk.type("5")
    desk.wait_for_price()
    assert text in rows(desk)
    desk.press(ENTER)
    desk.press(ENTER)
    assert desk.walk_in.stage is Stage.HELD
    assert desk.counter.bookings.requests[-1].lines[0].discount_percent == 5


def test_a_discount_above_the_limit_asks_the_manager_in_place_and_loses_nothing(
    desk: Desk, manager: FakeManager
) -> None:
    fill(desk)
    desk.shortcut("Ctrl+D")
    desk.type("20")
    desk.wait_for_price()
    before = desk.walk_in.form
    desk.shortcut("F9")
    panel = desk.screen.panel
    assert panel.pages.page() is panel.approval
    assert panel.approval.accessibleName() == "Diskon di atas 10 % perlu persetujuan manajer."
    desk.type("maya")
    desk.press(ENTER)
    desk.type("salah")
    desk.press(ENTER)
    desk.type("pelanggan lama")
    desk.press(ENTER)
    assert panel.approval.message.text() != ""
    assert panel.approval.password.text() == ""
    assert desk.counter.bookings.orders == {}
    desk.type("rahasia")
    desk.press(ENTER)
    desk.press(ENTER)
    assert manager.asked == [("maya", "discount", before.order_id, "pelanggan lama", Rupiah(210_000))]
    assert desk.walk_in.stage is Stage.HELD
    assert desk.counter.bookings.requests[-1].approval_id == "word-1"


def test_a_customer_with_a_code_asks_the_manager_in_place_and_says_no_more_than_the_code(
    desk: Desk, manager: FakeManager
) -> None:
    desk.counter.bookings.code = "07"
    fill(desk)
    form = desk.walk_in.form
    thing = f"{form.order_id}:{form.customer_id}:07"
    desk.shortcut("F9")
    panel = desk.screen.panel
    assert panel.pages.page() is panel.approval
    assert panel.approval.accessibleName() == "Perlu persetujuan manajer (kode 07)."
    assert panel.approval._title.text() == "Persetujuan manajer"
    for text in ("maya", "rahasia", "sudah bicara"):
        desk.type(text)
        desk.press(ENTER)
    assert manager.asked == [("maya", "blocked_customer", thing, "sudah bicara", None)]
    assert desk.walk_in.stage is Stage.HELD


def test_esc_leaves_the_question_for_the_manager_and_keeps_the_form(desk: Desk) -> None:
    fill(desk)
    desk.shortcut("Ctrl+D")
    desk.type("20")
    before = desk.walk_in.form
    desk.shortcut("F9")
    desk.screen.escape()
    assert desk.screen.drawer.is_open()
    assert replace(desk.walk_in.form, was_sent=False, sent_content="") == replace(before, was_sent=False)
    assert desk.screen.focusWidget() is desk.screen.panel.form.terms.discount.edit


def test_a_price_that_changed_is_shown_old_and_new_and_asked_once(desk: Desk) -> None:
    fill(desk)
    desk.counter.bookings.dearer = 60_000
    desk.shortcut("F9")
    assert desk.walk_in.stage is Stage.FORM
    message = desk.screen.panel.form.message.text()
    assert "Rp\u00a01.550.000" in message
    assert "Rp\u00a01.610.000" in message
    assert desk.screen.panel.price.total.text() == "Rp\u00a01.610.000"
    desk.shortcut("F9")
    assert desk.walk_in.stage is Stage.HELD
    assert desk.counter.bookings.requests[-1].expected_total == 1_610_000


def test_a_down_payment_is_for_a_later_date_only(desk: Desk) -> None:
    fill(desk)
    terms = desk.screen.panel.form.terms
    assert not terms.down.isEnabled()
    desk.walk_in.set_first(TODAY + dt.timedelta(days=5))
    assert terms.down.isEnabled()
    desk.screen.panel.form.focus(terms.down)
    desk.type("400rb")
    desk.wait_for_price()
    assert desk.screen.panel.price.total.text() == "Rp\u00a0400.000"
    assert "sisa Rp\u00a01.150.000 sampai waktu ambil" in rows(desk)
    desk.walk_in.book()
    request = desk.counter.bookings.requests[-1]
    assert (request.down_payment, request.expected_total) == (400_000, 1_550_000)


def test_too_small_a_down_payment_is_told_on_leaving_and_never_while_it_is_typed(desk: Desk, qtbot: QtBot) -> None:
    fill(desk)
    desk.walk_in.set_first(TODAY + dt.timedelta(days=5))
    form = desk.screen.panel.form
    form.focus(form.terms.down)
    refused: list[Refusal] = []
    desk.walk_in.part_refused.connect(refused.append)
    desk.type("4")
    qtbot.waitUntil(lambda: len(refused) == 1, timeout=60_000)
    assert (form.message.text(), form.terms.down.edit.selectedText()) == ("", ""), "the next digit goes on from there"
    desk.type("0rb")
    qtbot.waitUntil(lambda: len(refused) == 2, timeout=60_000)
    desk.press(Qt.Key.Key_Tab)
    assert form.message.text().startswith("Uang muka harus antara 315.000 dan 1.050.000.")
    assert form.terms.down.is_wrong()


@pytest.mark.parametrize(
    ("spoken", "expected"),
    [(Language.ID, "Deposit minimal Rp\u00a0500.000."), (Language.EN, "Minimum deposit is Rp\u00a0500,000.")],
)
def test_a_deposit_below_the_skus_is_told_on_leaving(desk: Desk, spoken: Language, expected: str) -> None:
    use_language(spoken)
    QApplication.processEvents()
    fill(desk)
    desk.screen.panel.form.focus(desk.screen.panel.form.terms.deposit)
    desk.type("100rb" if spoken is Language.ID else "100k")
    desk.press(ENTER)
    assert desk.screen.panel.form.message.text() == expected
    desk.shortcut("F9")
    assert desk.counter.bookings.requests == []


@pytest.mark.parametrize(("spoken", "expected"), [(Language.ID, "500.000"), (Language.EN, "500,000")])
def test_the_least_deposit_stands_in_the_empty_field_as_the_language_writes_it(
    desk: Desk, spoken: Language, expected: str
) -> None:
    use_language(spoken)
    QApplication.processEvents()
    fill(desk)
    assert desk.screen.panel.form.terms.deposit.edit.placeholderText() == expected


@pytest.mark.parametrize("bad", ["-1", "101", "5,5", "1e1", "５", "x", "'", "\u202e5", "0.1"])
def test_a_bad_discount_is_named_and_nothing_is_sent(desk: Desk, bad: str) -> None:
    fill(desk)
    desk.walk_in.type_discount(bad)
    desk.shortcut("F9")
    assert desk.counter.bookings.requests == []
    assert desk.walk_in.problems() == ((FormField.DISCOUNT, Problem.DISCOUNT),)
    assert desk.screen.panel.form.message.text() == problem_sentence(Problem.DISCOUNT)
    assert desk.screen.panel.form.terms.discount.is_wrong()


@pytest.mark.parametrize("bad", ["-1", "1.5", "abc", "999999999999999999999", "😀", "0x10"])
@pytest.mark.parametrize("name", ["deposit", "down_payment"])
def test_a_bad_amount_is_named_and_nothing_is_sent(desk: Desk, name: str, bad: str) -> None:
    fill(desk)
    (desk.walk_in.type_deposit if name == "deposit" else desk.walk_in.type_down_payment)(bad)
    desk.shortcut("F9")
    assert desk.counter.bookings.requests == []
    assert [found.value for found, _ in desk.walk_in.problems()] == [name]


def test_with_a_driver_nobodys_licence_is_asked_for(desk: Desk) -> None:
    fill(desk)
    desk.walk_in.pick(replace(BUDI, licence_expires_on=TODAY))
    assert [problem for _, problem in desk.walk_in.problems()] == [Problem.LICENCE_EXPIRES]
    desk.walk_in.set_extra("SOPIR", True)
    assert desk.walk_in.problems() == ()


def test_nobodys_licence_is_asked_for_equipment(desk: Desk) -> None:
    fill(desk)
    desk.walk_in.pick(replace(BUDI, licence_expires_on=TODAY))
    desk.walk_in.undriven = frozenset({"OTHER"})
    assert [problem for _, problem in desk.walk_in.problems()] == [Problem.LICENCE_EXPIRES]
    desk.walk_in.undriven = frozenset({desk.walk_in.form.sku})
    assert desk.walk_in.problems() == ()


def test_terms_survive_a_kill(desk: Desk) -> None:
    fill(desk)
    desk.walk_in.set_extra("KURSI", True)
    desk.walk_in.type_discount("7")
    desk.walk_in.type_deposit("750rb")
    desk.walk_in.type_down_payment("1jt")
    form = desk.walk_in.form
    assert from_fields(json.loads(json.dumps(to_fields(form)))) == form


def test_an_order_with_other_terms_is_another_content() -> None:
    form = WalkInForm(order_id="o", customer_id="c", sku="S", first_day=TODAY, last_day=TODAY)
    others = [replace(form, extras=("A",)), replace(form, discount_text="5"), replace(form, deposit_text="1jt")]
    assert len({item.content for item in (form, *others)}) == 4


def test_making_the_drawer_opens_no_window_of_its_own(desk: Desk) -> None:
    others = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible() and widget is not desk.screen]
    assert others == []


def test_tab_goes_from_the_days_through_the_extras_to_the_amounts(desk: Desk) -> None:
    fill(desk)
    desk.walk_in.set_first(TODAY + dt.timedelta(days=5))
    order = []
    for _ in range(7):
        desk.press(Qt.Key.Key_Tab)
        focus = desk.screen.focusWidget()
        assert focus is not None
        order.append(focus.accessibleName() or getattr(focus, "text", str)())
    assert order == ["Unit lagi", "Sopir", "Kursi bayi", "Antar", "Diskon", "Deposit", "Uang muka"]
