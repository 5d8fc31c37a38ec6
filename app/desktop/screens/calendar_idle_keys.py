"""Which letters of the grid would only say no where the cursor stands: they are not listed as valid now."""

from app.desktop.screens.calendar_verbs import KEYS, VerbKind
from app.desktop.screens.calendar_view import CalendarScreen
from app.desktop.widgets.paint import key_text

_OF_A_BAR = (VerbKind.EXTEND, VerbKind.START, VerbKind.MOVE, VerbKind.CANCEL)


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
    if screen.hands.lane.parked():
        idle.discard(KEYS[VerbKind.PARK])
    return frozenset(key_text(key) for key in idle)
