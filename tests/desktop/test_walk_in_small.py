"""The drawer where it has little room (1366x768 at 150 %): what is typed into, suggested or asked is seen whole."""

import datetime as dt
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.screens.walk_in_counter import Offers
from app.domain.customer import Customer
from app.usecases.rows import CustomerHit
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import EXTRAS
from tests.desktop.calendar_samples import TODAY
from tests.desktop.test_walk_in import fill
from tests.desktop.test_walk_in_terms import FakeManager

HIGH, LOW = (1310, 632), (855, 405)


def open_desk(folder: Path, qtbot: QtBot, size: tuple[int, int] = LOW) -> Desk:
    desk = Desk(folder, size=size, offers=Offers(extras=lambda: tuple(EXTRAS.values()), approve=FakeManager().approve))
    qtbot.addWidget(desk.screen)
    return desk


def settle() -> None:
    """Let the layouts come to rest: a label that is shown asks for its room one turn later."""
    for _ in range(5):
        QApplication.processEvents()


def is_seen_whole(widget: QWidget, area: QWidget) -> bool:
    place = QRect(widget.mapTo(area, QPoint(0, 0)), widget.size())
    return area.rect().contains(place)


def test_the_field_with_the_focus_stays_in_sight_when_the_window_shrinks_and_the_price_grows(
    qtbot: QtBot, tmp_path: Path
) -> None:
    desk = open_desk(tmp_path, qtbot, HIGH)
    fill(desk)
    desk.walk_in.set_first(TODAY + dt.timedelta(days=3))
    form, pages = desk.screen.panel.form, desk.screen.panel.pages
    viewport = pages.area(form).viewport()
    form.focus(form.terms.down)
    desk.wait_for_price()
    desk.screen.resize(*LOW)
    settle()
    assert viewport.height() < form.height(), "there is something to scroll"
    assert is_seen_whole(form.terms.down, viewport)
    before = viewport.height()
    for code in ("SOPIR", "ANTAR"):
        desk.walk_in.set_extra(code, True)
    desk.wait_for_price()
    settle()
    assert viewport.height() < before, "the price took room"
    assert is_seen_whole(form.terms.down, viewport)
    for field in (form.first, form.days, form.unit, form.customer):
        form.focus(field)
        assert is_seen_whole(field, viewport), field.name()
    desk.screen.shut()


def test_suggestions_lie_over_the_price_and_arrows_reach_those_that_have_no_room(qtbot: QtBot, tmp_path: Path) -> None:
    desk = open_desk(tmp_path, qtbot)
    desk.counter.customers.known = tuple(
        CustomerHit(
            customer=Customer(id=f"c{number}", name=f"Budi {number}", phone=f"+6281234567{number:03d}"),
            rentals=number,
            open_invoices=0,
        )
        for number in range(6)
    )
    desk.shortcut("F3")
    desk.type("08123")
    desk.wait_for_search()
    panel, hits = desk.screen.panel, desk.screen.panel.form.hits
    assert len(hits.hits()) == 6
    assert is_seen_whole(hits, panel)
    assert hits.geometry().bottom() < panel.primary.mapTo(panel, QPoint(0, 0)).y(), "the buttons stay free"
    desk.press(Qt.Key.Key_Down, times=5)
    assert hits.accessibleName().startswith("Budi 5,")
    assert hits.seen()[-1].customer.name == "Budi 5"
    desk.press(Qt.Key.Key_Return)
    assert desk.walk_in.form.customer_name == "Budi 5"
    desk.screen.shut()


def test_a_managers_word_and_the_parked_drafts_are_asked_at_full_height_without_a_price_of_nothing(
    qtbot: QtBot, tmp_path: Path
) -> None:
    desk = open_desk(tmp_path, qtbot)
    fill(desk)
    desk.shortcut("Ctrl+D")
    desk.type("20")
    desk.wait_for_price()
    desk.shortcut("F9")
    settle()
    panel = desk.screen.panel
    asked = panel.approval
    assert panel.pages.page() is asked
    viewport = panel.pages.area(asked).viewport()
    for field in (asked.login, asked.password, asked.reason):
        assert field.height() >= field.sizeHint().height()
        field.edit.setFocus(Qt.FocusReason.TabFocusReason)
        pages_area = panel.pages.area(asked)
        pages_area.show_field(field)
        assert is_seen_whole(field, viewport)
    assert asked.ask_button.height() >= asked.ask_button.sizeHint().height()
    desk.screen.escape()
    desk.shortcut("F4")
    desk.shortcut("Shift+F4")
    settle()
    assert [row.text() for row in panel.parked.buttons] == ["Budi Santoso"]
    assert panel.parked.buttons[0].facts() == "Avanza G · 30 Nov – 2 Des"
    assert not panel.foot.isVisible()
    desk.screen.escape()
    assert panel.foot.isVisible()
    desk.screen.shut()


def test_what_is_wrong_is_read_beside_the_field_it_speaks_of_and_takes_no_room_else(
    qtbot: QtBot, tmp_path: Path
) -> None:
    desk = open_desk(tmp_path, qtbot)
    fill(desk)
    settle()
    panel = desk.screen.panel
    form, message = panel.form, panel.form.message
    assert not message.isVisible()
    form.focus(form.first)
    desk.walk_in.set_first(TODAY - dt.timedelta(days=1))
    desk.shortcut("F9")
    settle()
    assert message.text() == "Tanggal ambil sudah lewat."
    assert is_seen_whole(message, panel)
    assert is_seen_whole(form.first, panel.pages.area(form).viewport())
    desk.screen.resize(1310, 900)
    form.quiet()
    settle()
    assert message.isVisible(), "with room for it its place is kept"
    desk.screen.shut()
