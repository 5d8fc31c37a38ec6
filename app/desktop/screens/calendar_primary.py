"""Who has the one filled button of the calendar: a card that is open, else the drawer, else the toolbar."""

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget


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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            asking = self.is_asking
            if asking is not self._was_asking:
                self._was_asking = asking
                self.changed.emit()
        return super().eventFilter(watched, event)
