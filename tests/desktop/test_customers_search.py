"""The register's search answers for what is typed now, says when it is slow, and can be asked again when it fails."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.desktop.commands import use_runner
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.domain.errors import Refusal, RefusalCode
from app.domain.identity import IdentityKind
from app.domain.staff import Role
from app.usecases.rows_customers import CustomerHit
from tests.desktop.runners import HeldRunner
from tests.desktop.test_customers import ARUNIKA, RINA, Desk, FakeRegister

BUDI = dataclasses.replace(RINA, id="c2", name="Budi Rinaldi", phone="+6281200005678", blocked=None, identities=())
ENTER = Qt.Key.Key_Return


class AwayRegister(FakeRegister):
    """Does not answer searches while `is_away`."""

    is_away = False

    def find_customers(self, text: str, limit: int = 8) -> tuple[CustomerHit, ...]:
        if self.is_away:
            raise Refusal(RefusalCode.UNREACHABLE, next=())
        return super().find_customers(text, limit)


@pytest.fixture
def register() -> AwayRegister:
    made = AwayRegister()
    made.cards[BUDI.id] = BUDI
    return made


@pytest.fixture
def held() -> Iterator[HeldRunner]:
    runner = HeldRunner()
    before = use_runner(runner)
    yield runner
    use_runner(before)


@pytest.fixture
def desk(register: AwayRegister, tmp_path: Path, qtbot: QtBot) -> Desk:
    """Everything at once, unless `held` was asked for before."""
    use_language(Language.ID)
    return Desk(register, tmp_path, qtbot, Role.AGENT, Role.MANAGER)


@pytest.fixture
def slow(held: HeldRunner, desk: Desk) -> Desk:
    """Loaded; from now on every answer waits for `held.go_on()`."""
    while held.waiting:
        held.go_on()
    return desk


def names(desk: Desk) -> list[str]:
    return [row.name for row in desk.screen.list.rows()]


def typed(desk: Desk, held: HeldRunner, text: str) -> None:
    """Typed, and asked for after the pause."""
    desk.type(text)
    desk.qtbot.waitUntil(lambda: held.waiting == 1, timeout=60_000)


def test_a_text_from_outside_is_asked_for_and_never_answered_by_the_rows_before_it(
    held: HeldRunner, slow: Desk, register: AwayRegister
) -> None:
    before = names(slow)
    assert slow.screen.find_text("budi")
    assert (slow.screen.search.text(), slow.model.is_answered, names(slow)) == ("budi", False, before)
    held.go_on()
    assert names(slow) == ["Budi Rinaldi"]
    assert slow.screen.find_text("nobody")
    held.go_on()
    assert names(slow) == []
    assert slow.screen.hint.text() == "Tidak ada yang cocok. Ctrl+N membuat yang baru."


def test_an_answer_for_what_stood_there_before_changes_nothing(held: HeldRunner, slow: Desk) -> None:
    typed(slow, held, "bud")
    slow.screen.search.edit.selectAll()
    slow.type("maharani")
    slow.qtbot.waitUntil(lambda: slow.model.text == "maharani", timeout=60_000)
    before = names(slow)
    held.go_on()
    assert names(slow) == before, "nobody asks for bud any more"
    assert slow.model.is_searching
    held.go_on()
    assert names(slow) == ["Rina Maharani"]
    assert slow.screen.hint.text() == "1 cocok"


def test_an_answer_for_people_is_none_for_companies(held: HeldRunner, slow: Desk) -> None:
    typed(slow, held, "rina")
    slow.screen.kinds.choose("companies")
    slow.model.show_companies(True)
    held.go_on()
    assert names(slow) == []
    held.go_on()
    assert slow.model.companies == ()
    assert slow.model.is_answered


def test_after_a_while_the_screen_says_that_it_is_searching(held: HeldRunner, slow: Desk) -> None:
    shown = slow.screen.hint.text()
    typed(slow, held, "budi")
    assert slow.screen.hint.text() == shown, "a short wait changes nothing"
    slow.qtbot.waitUntil(lambda: slow.screen.hint.text() == "Mencari…", timeout=60_000)
    held.go_on()
    assert slow.screen.hint.text() == "1 cocok"


def test_enter_before_the_answer_opens_its_first_row_and_no_other(held: HeldRunner, slow: Desk) -> None:
    slow.type("budi")
    slow.press(ENTER)
    slow.press(ENTER)
    assert slow.model.card is None
    while held.waiting:
        held.go_on()
    assert slow.model.card == BUDI


def test_typing_on_takes_an_early_enter_back(held: HeldRunner, slow: Desk) -> None:
    slow.type("budi")
    slow.press(ENTER)
    slow.type("x")
    while held.waiting:
        held.go_on()
    assert slow.model.card is None


def test_a_new_customer_before_the_answer_begins_with_what_was_typed(held: HeldRunner, slow: Desk) -> None:
    slow.type("Zulkarnaen")
    slow.press(Qt.Key.Key_N, held=Qt.KeyboardModifier.ControlModifier)
    assert slow.screen.card.person.cells["name"].field.text() == "Zulkarnaen"


def test_a_search_that_fails_says_so_and_enter_asks_again(desk: Desk, register: AwayRegister) -> None:
    register.is_away = True
    desk.find("budi")
    assert desk.screen.hint.text() == "Belum ada jawaban. F5 mencari lagi."
    assert not desk.model.is_answered
    register.is_away = False
    desk.press(ENTER)
    assert names(desk) == ["Budi Rinaldi"]
    assert desk.model.card == BUDI


def test_without_the_server_typing_marks_among_the_rows_and_nothing_is_saved(
    desk: Desk, register: AwayRegister
) -> None:
    desk.open_rina()
    desk.type("Rina Baru")
    desk.shell.online = False
    desk.screen.connection_changed(online=False)
    asked = list(register.asked)
    desk.save()
    assert register.forms == []
    assert desk.screen.card.save_button.reason().startswith("Koneksi terputus.")
    assert desk.screen.hint.text() == "Koneksi terputus: dicari di daftar ini saja."
    desk.screen.search.setFocus()
    desk.screen.search.edit.selectAll()
    desk.type("maha")
    desk.press(ENTER)
    assert register.asked == asked
    desk.shell.online = True
    desk.screen.connection_changed(online=True)
    assert register.asked[-1] == "maha"
    assert desk.model.typed is not None
    assert desk.model.typed.texts["name"] == "Rina Baru"
    assert desk.screen.card.save_button.isEnabled()


def test_a_number_that_comes_when_another_card_is_open_is_shown_on_none(held: HeldRunner, slow: Desk) -> None:
    slow.model.open("c1", is_company=False)
    held.go_on()
    slow.model.reveal(IdentityKind.NIK, "cocokkan KTP")
    slow.model.open("c2", is_company=False)
    held.pass_over()
    held.go_on()
    assert slow.model.card == BUDI
    held.go_on()
    assert slow.screen.card.shown_number(IdentityKind.NIK) == ""


def test_a_card_that_comes_after_somebody_new_was_begun_takes_no_place(held: HeldRunner, slow: Desk) -> None:
    slow.model.open("c1", is_company=False)
    slow.model.start_new("Eko")
    held.go_on()
    assert slow.model.card is None
    assert slow.screen.card.person.cells["name"].field.text() == "Eko"


def test_of_two_cards_asked_for_the_later_one_is_opened_alone(held: HeldRunner, slow: Desk) -> None:
    opened: list[str] = []
    slow.model.opened.connect(lambda: opened.append(slow.model.typed.id if slow.model.typed is not None else ""))
    slow.model.open("c1", is_company=False)
    slow.model.open("c2", is_company=False)
    while held.waiting:
        held.go_on()
    assert opened == ["c2"]


def test_every_company_can_be_picked_and_a_customers_own_is_shown_in_any_case(
    register: AwayRegister, tmp_path: Path, qtbot: QtBot
) -> None:
    use_language(Language.ID)
    firm = dataclasses.replace(ARUNIKA, id="lama", name="CV Paling Lama")
    many = [dataclasses.replace(ARUNIKA, id=f"p{n}", name=f"PT {n:03}") for n in range(120)]
    register.firms = {one.id: one for one in many}
    register.cards["c1"] = dataclasses.replace(RINA, company=firm)
    desk = Desk(register, tmp_path, qtbot, Role.AGENT)
    desk.open_rina()
    field = desk.screen.card.person.cells["company_id"].field
    assert field.text() == "CV Paling Lama"
    desk.screen.card.person.focus("company_id")
    desk.type("PT 119")
    desk.press(ENTER)
    assert desk.model.typed is not None
    assert desk.model.typed.texts["company_id"] == "p119"


def test_a_text_longer_than_a_search_may_be_is_cut_where_it_is_seen(desk: Desk) -> None:
    desk.screen.search.edit.setText("x" * 200)
    assert len(desk.screen.search.text()) == 80
