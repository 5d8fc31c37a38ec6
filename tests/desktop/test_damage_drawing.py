"""Damage on a drawing: placed by a click or by keys where the person meant it, shown only on its own side."""

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.desktop.widgets.damage_drawing import DamageDrawing
from app.desktop.widgets.damage_outlines import outline_of
from app.domain.inspection import CANVAS, DamageMark, DamageType, Severity, Template, View


def mark(view: View, x: int = 300, y: int = 600) -> DamageMark:
    return DamageMark(id=f"d-{view}-{x}", view=view, x=x, y=y, type=DamageType.DENT, severity=Severity.LIGHT)


def drawing(qtbot: QtBot) -> tuple[DamageDrawing, list[tuple[int, int]]]:
    widget = DamageDrawing("Gambar kerusakan")
    qtbot.addWidget(widget)
    widget.resize(420, 360)
    placed: list[tuple[int, int]] = []
    widget.placed.connect(lambda x, y: placed.append((x, y)))
    return widget, placed


def picture(widget: DamageDrawing) -> QImage:
    return widget.grab().toImage()


def test_arrows_and_enter_place_a_mark_and_stop_at_the_edge(qtbot: QtBot) -> None:
    widget, placed = drawing(qtbot)
    QTest.keyClick(widget, Qt.Key.Key_Right)
    QTest.keyClick(widget, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(widget, Qt.Key.Key_Return)
    for _ in range(7):
        QTest.keyClick(widget, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(widget, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    QTest.keyClick(widget, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert placed == [(520, 400), (0, 400)], "Ctrl+Enter finishes the page and marks nothing"


def test_a_click_marks_the_place_under_the_pointer_and_beside_the_drawing_nothing(qtbot: QtBot) -> None:
    widget, placed = drawing(qtbot)
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=widget.place_of(300, 600).toPoint())
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
    QTest.mouseClick(widget, Qt.MouseButton.RightButton, pos=widget.place_of(100, 100).toPoint())
    ((x, y),) = placed
    assert abs(x - 300) <= 3
    assert abs(y - 600) <= 3


def test_a_mark_is_seen_on_its_side_alone_and_old_and_new_look_different(qtbot: QtBot) -> None:
    widget, _ = drawing(qtbot)
    widget.show_side(Template.CAR, View.LEFT)
    bare = picture(widget)
    widget.show_marks([mark(View.REAR)], [mark(View.TOP)])
    assert picture(widget) == bare
    widget.show_marks([mark(View.LEFT)], [])
    old = picture(widget)
    widget.show_marks([], [mark(View.LEFT)])
    assert len({bytes(image.constBits()) for image in (bare, old, picture(widget))}) == 3


@pytest.mark.parametrize("template", Template)
def test_every_side_of_every_unit_is_drawn_inside_the_canvas_and_left_and_right_are_mirrored(
    template: Template,
) -> None:
    canvas = QRectF(0, 0, CANVAS, CANVAS)
    for view in View:
        paths = outline_of(template, view)
        assert paths
        assert all(canvas.contains(path.boundingRect()) for path in paths), view
    left, right = (outline_of(template, view)[0].boundingRect() for view in (View.LEFT, View.RIGHT))
    assert left.left() + right.right() == pytest.approx(CANVAS)
    assert left.top() == right.top()
