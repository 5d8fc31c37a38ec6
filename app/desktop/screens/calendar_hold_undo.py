"""The undo of a hold that was just made, for as long as there is a hold to undo."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from app.desktop.screen import Shell
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.screens.walk_in_form import Stage
from app.desktop.screens.walk_in_held import Hold
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel

NEW_BOOKING = 1
"""The version of a booking that nobody changed: undoing it never ends what another counter made of it."""


class HoldUndo:
    """One offer at a time; when the drawer learns that its hold was paid, let go or ran out, its offer goes too."""

    def __init__(self, shell: Shell, model: CalendarViewModel, walk_in: WalkInViewModel) -> None:
        self._shell, self._model, self._walk_in = shell, model, walk_in
        self._offered: tuple[str, Callable[[], None]] | None = None
        walk_in.hold_ended.connect(self._look_again)

    def offer(self, hold: Hold) -> None:
        """Say what is held; Ctrl+Z lets all of it go, from the drawer while it shows it: the form comes back."""
        plates = {unit.unit.id: unit.unit.plate for unit in self._model.fleet}
        held = ", ".join(plates.get(unit.unit_id, "") for unit in hold.units)
        numbers = ", ".join(unit.number for unit in hold.units)

        def words() -> str:
            return QCoreApplication.translate("CalendarScreen", "{0} ditahan 15 menit ({1}).").format(held, numbers)

        def let_go() -> None:
            now = self._walk_in.hold
            if now is not None and now.booking_id == hold.booking_id:
                self._walk_in.cancel_hold(NEW_BOOKING)
            else:
                self._walk_in.let_go(hold.booking_ids, NEW_BOOKING)

        self._offered = (hold.order_id, let_go)
        self._shell.toast(words, undo=let_go)

    def _look_again(self) -> None:
        if self._offered is None:
            return
        order_id, let_go = self._offered
        now, is_over = self._walk_in.hold, self._walk_in.stage not in (Stage.HELD, Stage.CHECKING)
        if now is not None and now.order_id == order_id and is_over:
            self._offered = None
            self._shell.withdraw(let_go)
