"""The lock chip and the change box: what they paint, that nothing moves while seconds count, and readable colours."""

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.theme import Theme, use_theme
from app.desktop.widgets.change_box import ChangeBox
from app.desktop.widgets.lock_chip import ChipContent, LockChip, Urgency
from app.domain.invoice import notes_to_return
from app.domain.money import Rupiah


def chip(qtbot: QtBot, **content: object) -> LockChip:
    made = LockChip()
    qtbot.addWidget(made)
    made.set_content(ChipContent(words="Terkunci untuk Anda", **content))  # type: ignore[arg-type]
    made.resize(made.sizeHint())
    return made


def picture(widget: LockChip | ChangeBox) -> QImage:
    return widget.grab().toImage()


def test_the_width_does_not_follow_the_seconds(qtbot: QtBot) -> None:
    made = chip(qtbot, time="0:52", share=0.86)
    width = made.sizeHint().width()
    for seconds in range(60):
        made.set_content(ChipContent(words="Terkunci untuk Anda", time=f"0:{seconds:02d}", share=seconds / 60))
        assert made.sizeHint().width() == width


def test_the_same_content_paints_nothing_anew(qtbot: QtBot) -> None:
    made = chip(qtbot, time="0:52", share=0.86)
    before = picture(made)
    made.set_content(ChipContent(words="Terkunci untuk Anda", time="0:52", share=0.86))
    assert picture(made) == before


@pytest.mark.parametrize("theme", [Theme.light(), Theme.dark()], ids=["light", "dark"])
def test_each_urgency_looks_different_also_without_colour(qtbot: QtBot, qapp: QApplication, theme: Theme) -> None:
    use_theme(theme, qapp)
    grey = [
        picture(chip(qtbot, time="0:24", share=0.4, urgency=urgency, mark=mark, bold=bold)).convertToFormat(
            QImage.Format.Format_Grayscale8
        )
        for urgency, mark, bold in (
            (Urgency.NEUTRAL, False, False),
            (Urgency.WARNING, True, False),
            (Urgency.DANGER, True, True),
        )
    ]
    assert grey[0] != grey[1]
    assert grey[1] != grey[2]


def test_the_chip_reads_as_words_and_seconds(qtbot: QtBot) -> None:
    assert chip(qtbot, time="0:52").accessibleName() == "Terkunci untuk Anda 0:52"


def test_the_change_box_names_amount_and_notes(qtbot: QtBot) -> None:
    box = ChangeBox(140)
    qtbot.addWidget(box)
    box.set_words("Kembalian", "Serahkan")
    box.set_change(2_500, notes_to_return(Rupiah(2_500)))
    assert box.accessibleName() == "Kembalian Rp\u00a02.500, 1 × 2.000, 1 × 500"


def test_tiles_stay_in_their_places_whatever_the_change(qtbot: QtBot) -> None:
    box = ChangeBox(140)
    qtbot.addWidget(box)
    box.set_words("Kembalian", "Serahkan")
    sizes = set()
    for amount in (0, 500, 87_500, 987_500):
        box.set_change(amount, notes_to_return(Rupiah(amount)))
        sizes.add((box.sizeHint().width(), box.sizeHint().height()))
    assert len(sizes) == 1
