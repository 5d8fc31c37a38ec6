"""Who has the one filled button of the calendar: a card that is open, else the drawer, else the toolbar."""

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.screens.calendar_drawer import Drawer
from app.desktop.screens.walk_in_form import Stage
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel


class PrimaryOwner(QObject):
    """Follows cards that ask something. `changed` when the first of them opens and when the last one goes."""

    changed = Signal()

    def __init__(self, parent: QObject, *cards: QWidget) -> None:
        super().__init__(parent)
        self._cards = cards
        self._was_asking = False
        for card in cards:
            card.installEventFilter(self)

    @property
    def is_asking(self) -> bool:
        """Whether a card is open."""
        return any(not card.isHidden() for card in self._cards)

    def share(self, drawer: Drawer, walk_in: WalkInViewModel) -> bool:
        """Fill the drawer's button or not; True when the toolbar's is not the one. A drawer that only stands there
        pinned, with nothing in its form, leaves it to the toolbar.
        """
        is_idle = (
            not drawer.is_open() and walk_in.stage is Stage.FORM and walk_in.form.is_empty and not walk_in.form.sku
        )
        is_drawers = drawer.is_shown() and not is_idle
        drawer.panel.primary.set_primary(is_drawers and not self.is_asking)
        return is_drawers or self.is_asking

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            asking = self.is_asking
            if asking is not self._was_asking:
                self._was_asking = asking
                self.changed.emit()
        return super().eventFilter(watched, event)
