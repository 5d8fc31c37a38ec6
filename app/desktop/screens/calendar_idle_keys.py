"""Which letters of the grid would only say no where the cursor stands, and which keys it takes without an action."""

from PySide6.QtCore import QCoreApplication

from app.desktop.screen import KeyHint
from app.desktop.screens.calendar_keys import CalendarKey
from app.desktop.screens.calendar_verbs import KEYS, VerbKind
from app.desktop.screens.calendar_view import CalendarScreen
from app.desktop.screens.walk_in_form import Stage
from app.desktop.widgets.paint import key_text

_OF_THE_FORM = (CalendarKey.MORE_UNITS, CalendarKey.DISCOUNT, CalendarKey.UNIT, CalendarKey.ASIDE)
_OF_A_BAR = (VerbKind.EXTEND, VerbKind.START, VerbKind.MOVE, VerbKind.CANCEL, VerbKind.NO_SHOW, VerbKind.HOLD_LONGER)


def idle_keys(screen: CalendarScreen) -> frozenset[str]:
    """As they are written on caps; what the context menu disables, and what needs a bar where there is none."""
    verbs = screen.hands.verbs()
    works = {verb.key for verb in verbs if not verb.reason}
    idle = {verb.key for verb in verbs if verb.reason} - works
    idle |= {KEYS[kind] for kind in _OF_A_BAR} - works
    if screen.grid.current_span() is None:
        idle.add("Space")
    if not verbs:
        idle |= {"Shift+F10", "Menu"}
    if not (screen.drawer.is_shown() and screen.walk_in.stage is Stage.FORM):
        idle |= {key.value[0] for key in _OF_THE_FORM}
    if not screen.drawer.is_shown() and KEYS[VerbKind.PAY] not in works:
        idle.add(KEYS[VerbKind.PAY])
    if screen.drawer.is_shown() and screen.walk_in.stage is Stage.HELD:
        idle.discard(KEYS[VerbKind.HOLD_LONGER])
    if screen.hands.lane.parked():
        idle.discard(KEYS[VerbKind.PARK])
    return frozenset(key_text(key) for key in idle)


def plain_keys(screen: CalendarScreen) -> tuple[str, tuple[KeyHint, ...]]:
    """Arrows and Enter while the grid has the focus; with a bar in the hand they move and put down."""
    grid = screen.grid
    if grid.window().focusWidget() is not grid:
        return "", ()
    words: tuple[tuple[str, str], ...]
    if grid.is_moving():
        words = (
            ("←→↑↓", QCoreApplication.translate("CalendarKeys", "Geser bar")),
            ("Return", QCoreApplication.translate("CalendarKeys", "Taruh bar")),
        )
    else:
        words = (
            ("←→↑↓", QCoreApplication.translate("CalendarKeys", "Sel sebelah")),
            ("Shift+←→", QCoreApplication.translate("CalendarKeys", "Pilih hari kosong")),
            ("Return", QCoreApplication.translate("CalendarKeys", "Pesan hari itu / buka bar / lipat SKU")),
        )
    return grid.accessibleName(), tuple(KeyHint(key=key_text(key), text=text) for key, text in words)
