"""A note about a file: its name is read in passing, its folder stands in the tooltip."""

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.desktop.theme import theme
from app.desktop.toast_place import ToastPlace

FILE = "INV-JKT-202611-00017.pdf"


def test_the_file_is_named_on_one_line_and_the_folder_in_the_tooltip(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1366, 768)
    window.show()
    place = ToastPlace(window, QAction(window))
    detail = f"{FILE} tersimpan di folder dokumen: " + "/folder-panjang" * 12
    place.show(f"Kwitansi tersimpan: {FILE}", "Urungkan", None, 0, detail)
    note = place.shown()
    assert note is not None
    assert (note.toolTip(), note.accessibleDescription()) == (detail, detail)
    assert note.height() <= 44
    assert note.geometry().right() <= theme().sizes.rail + 12 + 440
    place.clear()
