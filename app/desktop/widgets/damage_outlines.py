"""What each side of a unit looks like, as paths on a canvas of 1000 by 1000; drawn for marks, not for likeness."""

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath, QPolygonF, QTransform

from app.domain.inspection import CANVAS, Template, View

Corners = tuple[tuple[float, float], ...]

_CAR_SIDE: Corners = (
    (60, 640), (80, 520), (270, 470), (390, 330), (680, 330), (830, 480), (930, 520), (945, 650),
)  # fmt: skip
_CAR_PANES: tuple[Corners, ...] = (
    ((320, 470), (410, 370), (535, 370), (535, 470)),
    ((555, 470), (555, 370), (665, 370), (765, 470)),
)
_RIDER: Corners = ((250, 560), (330, 430), (470, 450), (560, 400), (760, 420), (700, 540), (560, 640), (380, 640))


def outline_of(template: Template, view: View) -> tuple[QPainterPath, ...]:
    """The paths of one side, the lowest first. Nose to the left as seen from the left, mirrored from the right."""
    if template is Template.EQUIPMENT:
        return _case(view)
    side = _car if template in (Template.CAR, Template.EV) else _motorcycle
    paths = side(view)
    return tuple(_mirrored().map(path) for path in paths) if view is View.RIGHT else paths


def _car(view: View) -> tuple[QPainterPath, ...]:
    if view in (View.LEFT, View.RIGHT):
        wheels = [_disc(x, 655, radius) for x in (240, 760) for radius in (88, 46)]
        return (_shape(_CAR_SIDE), *(_shape(pane) for pane in _CAR_PANES), *wheels)
    if view in (View.FRONT, View.REAR):
        tyres = (_box(190, 690, 90, 120), _box(720, 690, 90, 120))
        body = _shape(((150, 480), (260, 450), (330, 270), (670, 270), (740, 450), (850, 480), (860, 730), (140, 730)))
        pane = _shape(((305, 450), (355, 310), (645, 310), (695, 450)))
        lamps = (_box(175, 520, 120, 60), _box(705, 520, 120, 60))
        plate = _box(410, 620, 180, 60) if view is View.FRONT else _box(410, 540, 180, 60)
        return (*tyres, body, pane, *lamps, plate)
    if view is View.TOP:
        glass = (
            _shape(((340, 330), (660, 330), (620, 420), (380, 420))),
            _shape(((380, 680), (620, 680), (650, 760), (350, 760))),
        )
        return (_box(310, 90, 380, 820, 120), *glass, _box(380, 420, 240, 260, 20))
    seats = [_box(x, y, 180, 200, 40) for y in (330, 600) for x in (290, 530)]
    return (_box(220, 90, 560, 820, 120), _box(270, 190, 460, 80, 30), *seats, _disc(620, 270, 60))


def _motorcycle(view: View) -> tuple[QPainterPath, ...]:
    if view in (View.LEFT, View.RIGHT):
        wheels = [_disc(x, 680, radius) for x in (230, 770) for radius in (140, 80)]
        return (*wheels, _shape(_RIDER), _box(270, 330, 90, 90, 30))
    if view in (View.FRONT, View.REAR):
        lamp = _disc(500, 380, 80) if view is View.FRONT else _box(430, 400, 140, 60, 20)
        return (_box(455, 520, 90, 340, 40), _box(270, 300, 460, 40, 20), _box(400, 320, 200, 260, 60), lamp)
    if view is View.TOP:
        return (_box(465, 80, 70, 840, 35), _box(260, 260, 480, 40, 20), _box(410, 420, 180, 360, 80))
    return (_box(300, 300, 400, 420, 60), _box(350, 350, 300, 200, 30))


def _case(view: View) -> tuple[QPainterPath, ...]:
    """A case with its lid: equipment has no shape of its own."""
    if view in (View.TOP, View.INSIDE):
        return (_box(150, 200, 700, 600, 40), _box(200, 250, 600, 500, 20))
    return (_box(430, 230, 140, 90, 30), _box(150, 280, 700, 460, 40), _box(150, 280, 700, 140, 40))


def _mirrored() -> QTransform:
    return QTransform(-1, 0, 0, 1, CANVAS, 0)


def _shape(corners: Corners) -> QPainterPath:
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
    path.closeSubpath()
    return path


def _box(x: float, y: float, width: float, height: float, radius: float = 14) -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(QRectF(x, y, width, height), radius, radius)
    return path


def _disc(x: float, y: float, radius: float) -> QPainterPath:
    path = QPainterPath()
    path.addEllipse(QPointF(x, y), radius, radius)
    return path
