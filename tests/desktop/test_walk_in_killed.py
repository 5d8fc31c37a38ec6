"""The program is killed with SIGKILL in the middle of the drawer: every field is back in the next one."""

import datetime as dt
import json
import subprocess
import sys
from pathlib import Path

from pytestqt.qtbot import QtBot

from app.desktop.screens.walk_in_counter import Offers
from app.desktop.screens.walk_in_draft import DraftStore
from app.desktop.screens.walk_in_form_fields import from_fields
from app.domain.errors import Refusal, RefusalCode
from app.usecases.rows_customers import CustomerCard, CustomerForm
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import EXTRAS
from tests.desktop.calendar_samples import TODAY

ROOT = Path(__file__).resolve().parents[2]
CHILD = """
import os, pathlib, sys
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from PySide6.QtWidgets import QApplication
app = QApplication([])
from app.desktop.commands import InlineRunner, use_runner
use_runner(InlineRunner())
from tests.desktop.test_walk_in_killed import typed_desk
desk = typed_desk(pathlib.Path(sys.argv[1]))
app.exec()
"""


def unreachable(form: CustomerForm) -> CustomerCard:
    raise Refusal(RefusalCode.UNREACHABLE)


def open_desk(folder: Path) -> Desk:
    return Desk(folder, offers=Offers(save_customer=unreachable, extras=lambda: tuple(EXTRAS.values())))


def typed_desk(folder: Path) -> Desk:
    """Somebody new with papers, two units for a later date, and all that can be agreed on; never saved by hand."""
    desk = open_desk(folder)
    desk.shortcut("F3")
    walk_in = desk.walk_in
    walk_in.type_customer("0813-9999-1234")
    walk_in.ask_new()
    walk_in.type_new_name("Wahyu Adi")
    walk_in.type_nik("3275013012900012")
    walk_in.set_licence_class("B1")
    walk_in.type_licence("30/11/28", dt.date(2028, 11, 30))
    walk_in.set_sku("TOY-AVNZ-G")
    walk_in.set_unit(desk.unit("B 1211 XYZ"))
    walk_in.set_first(TODAY + dt.timedelta(days=5))
    walk_in.set_days(3)
    walk_in.set_extra("SOPIR", True)
    walk_in.add_line()
    walk_in.set_sku("YAM-NMAX")
    walk_in.set_extra("KURSI", True)
    walk_in.type_discount("7")
    walk_in.type_deposit("750rb")
    walk_in.type_down_payment("1jt")
    return desk


def written(folder: Path) -> dict[str, object]:
    """The draft's fields as they are on the disk."""
    path = folder / "walk_in-siti-1.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))["fields"]) if path.exists() else {}


def test_after_a_kill_every_field_of_the_drawer_is_back(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "drafts"
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(folder)], cwd=ROOT)
    try:
        qtbot.waitUntil(lambda: written(folder).get("down_text") == "1jt", timeout=90_000)
        assert child.poll() is None
    finally:
        child.kill()
        child.wait()
    for path in folder.iterdir():
        assert b"3275" not in path.read_bytes(), "an identity number is never written in clear"
    draft = DraftStore(folder, "siti").load()
    assert draft is not None
    before = from_fields(draft.fields)
    again = open_desk(folder)
    qtbot.addWidget(again.screen)
    assert again.walk_in.form == before
    again.shortcut("Ctrl+N")
    form = again.screen.panel.form
    assert (form.customer.text(), form.new_name.text()) == ("0813-9999-1234", "Wahyu Adi")
    assert again.walk_in.form.nik == "3275013012900012"
    assert form.new_person.nik.text() == "3275 01 •••••• 0012"
    assert (again.walk_in.form.licence_class, form.new_person.licence.day()) == ("B1", dt.date(2028, 11, 30))
    assert form.order_lines.texts() == ("Avanza G · B 1211 XYZ · 5–7 Des",)
    assert again.walk_in.form.lines[0].extras == ("SOPIR",)
    assert (form.sku.text(), form.first.day(), form.days.text()) == ("NMAX 155", TODAY + dt.timedelta(days=5), "3")
    assert [code for code, box in form.terms.boxes.items() if box.isChecked()] == ["KURSI"]
    assert [field.text() for field in form.terms.fields()] == ["7", "750rb", "1jt"]
    again.screen.shut()
