"""Somebody is looked for by the whole number of the KTP: asked of the service, and taken over for somebody new."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.walk_in_counter import Offers
from app.domain.errors import Refusal, RefusalCode
from app.usecases.rows import CustomerHit
from app.usecases.rows_customers import CustomerCard, CustomerForm
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import BUDI

NIK = "3275013012900012"


class Service:
    """Knows Budi's number while it runs."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.runs = True

    def find(self, number: str) -> tuple[CustomerHit, ...]:
        if not self.runs:
            raise Refusal(RefusalCode.UNREACHABLE, reason="identity_key")
        self.asked.append(number)
        return (BUDI,) if number == NIK else ()


def save(form: CustomerForm) -> CustomerCard:
    raise Refusal(RefusalCode.UNREACHABLE)


def open_desk(folder: Path, qtbot: QtBot, service: Service) -> Desk:
    desk = Desk(folder, offers=Offers(save_customer=save, find_by_identity=service.find))
    qtbot.addWidget(desk.screen)
    desk.shortcut("F3")
    return desk


def test_sixteen_digits_find_the_customer_and_fewer_never_ask_the_service(qtbot: QtBot, tmp_path: Path) -> None:
    service = Service()
    desk = open_desk(tmp_path, qtbot, service)
    desk.type("3275 01 301290 001")
    desk.wait_for_search()
    assert service.asked == []
    desk.type("2")
    desk.wait_for_search()
    assert service.asked == [NIK]
    desk.press(Qt.Key.Key_Return)
    assert desk.walk_in.form.customer_id == BUDI.customer.id
    assert NIK[:6] not in desk.screen.panel.form.customer.text()
    desk.screen.shut()


def test_a_number_nobody_has_stands_in_the_papers_of_somebody_new(qtbot: QtBot, tmp_path: Path) -> None:
    desk = open_desk(tmp_path, qtbot, Service())
    desk.type("3275013012900099")
    desk.wait_for_search()
    desk.press(Qt.Key.Key_Return)
    form = desk.walk_in.form
    assert (form.is_new, form.nik, form.customer_text) == (True, "3275013012900099", "")
    assert desk.screen.panel.form.new_person.nik.text() == "3275 01 •••••• 0099"
    desk.screen.shut()


@pytest.mark.parametrize(("spoken", "words"), [(Language.ID, "NIK belum bisa dicari"), (Language.EN, "NIK cannot be")])
def test_a_service_that_does_not_answer_is_told_with_another_way(
    qtbot: QtBot, tmp_path: Path, spoken: Language, words: str
) -> None:
    use_language(spoken)
    service = Service()
    service.runs = False
    desk = open_desk(tmp_path, qtbot, service)
    desk.type(NIK)
    desk.wait_for_search()
    assert words in desk.screen.panel.form.message.text()
    assert NIK not in desk.screen.panel.form.message.text()
    desk.screen.shut()
