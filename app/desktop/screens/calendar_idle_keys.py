"""Which letters of the grid would only say no where the cursor stands: they are not listed as valid now."""

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
