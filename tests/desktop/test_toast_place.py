"""Where short messages stand, and that none of them takes another's time to undo away."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtGui import QAction, QEnterEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.theme import theme
from app.desktop.toast_place import ToastPlace
from app.desktop.widgets.toast import Toast

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


class Place:
    """A window with its toasts; `undone` is what was taken back."""

    def __init__(self, qtbot: QtBot, inset: int = 0) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.window.resize(1366, 768)
        self.window.show()
        self.toasts = ToastPlace(self.window, QAction(self.window), lambda: inset)
        self.undone: list[str] = []

    def note(self, text: str) -> Toast:
        self.toasts.show(text, "Urungkan", None, 0)
        shown = self.toasts.shown()
        assert shown is not None
        return shown

    def did(self, text: str) -> Toast:
        self.toasts.show(text, "Urungkan", lambda: self.undone.append(text), 0)
        undoing = self.toasts.undoing()
        assert undoing is not None
        return undoing


@pytest.fixture
def place(qtbot: QtBot) -> Iterator[Place]:
    made = Place(qtbot)
    yield made
    made.toasts.clear()


def test_a_note_never_ends_the_time_to_undo(place: Place) -> None:
    moved = place.did("BK-10119 pindah.")
    for text in ("Pilih bar booking dulu.", "Tidak ditemukan: B 1"):
        note = place.note(text)
        assert moved.isVisible()
        assert not note.geometry().intersects(moved.geometry())
        assert place.toasts.undoing() is moved
    assert 9_000 < moved.remaining_ms() <= 10_500  # a coarse timer may last 5 % longer
    note.finish()
    assert moved.isVisible()
    place.toasts.take_back()
    assert place.undone == ["BK-10119 pindah."]
    assert place.toasts.undoing() is None


def test_the_next_thing_that_can_be_undone_takes_the_place_of_the_one_before(place: Place) -> None:
    place.did("first")
    place.note("a note")
    place.did("second")
    place.toasts.take_back()
    assert place.undone == ["second"]
    place.toasts.take_back()
    assert place.undone == ["second"]
    told = place.toasts.shown()
    assert told is not None
    assert told.text() == "Tidak ada lagi yang bisa diurungkan."


def test_a_note_above_an_undo_that_is_over_comes_down_to_its_place(place: Place) -> None:
    moved, note = place.did("moved"), place.note("a note")
    bottom = moved.geometry().bottom()
    moved.finish()
    assert note.geometry().bottom() == bottom
    assert place.toasts.shown() is note


def test_the_time_to_undo_waits_while_it_is_pointed_at_also_beside_a_note(place: Place) -> None:
    moved = place.did("moved")
    place.note("a note")
    where = QPointF(4, 4)
    QApplication.sendEvent(moved, QEnterEvent(where, where, where))
    assert moved.is_waiting()
    QApplication.sendEvent(moved, QEvent(QEvent.Type.Leave))
    assert not moved.is_waiting()


def test_another_screen_takes_both_away(place: Place) -> None:
    place.did("moved")
    place.note("a note")
    place.toasts.clear()
    assert place.toasts.shown() is None
    assert place.toasts.undoing() is None


def test_a_message_leaves_the_column_of_the_plates_free(qtbot: QtBot) -> None:
    place = Place(qtbot, inset=176)
    assert place.note("a note").x() >= theme().sizes.rail + 176
    place.toasts.clear()


def test_another_language_says_what_can_be_undone_anew_and_lets_a_note_go(place: Place) -> None:
    said = ["B 1200 XYZ ditahan 15 menit.", "B 1200 XYZ is held for 15 minutes, as the longer words say, until paid."]
    place.toasts.show(lambda: said[0], "Urungkan", lambda: place.undone.append("hold"), 0)
    place.note("Dokumen tersimpan.")
    undoing = place.toasts.undoing()
    assert undoing is not None
    assert undoing.text() == said[0]
    said.pop(0)
    place.toasts.retranslate("Undo")
    assert place.toasts.shown() is undoing
    assert undoing.text() == said[0]
    assert undoing.width() >= undoing.sizeHint().width()
    assert undoing._button is not None
    assert undoing._button.text() == "Undo"
    place.toasts.take_back()
    assert place.undone == ["hold"]
