"""Live messages for screen readers: polite for what can wait, assertive for lock lost, unknown payment, offline."""

from functools import cache

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


class Announcer(QObject):
    """`announced` carries the text and whether it was assertive: a record for tests and for the message window."""

    announced = Signal(str, bool)

    def say(self, source: QWidget, text: str, *, assertive: bool = False) -> None:
        """Have `text` read aloud. Assertive interrupts what is being read."""
        event = QAccessibleAnnouncementEvent(source, text)
        event.setPoliteness(
            QAccessible.AnnouncementPoliteness.Assertive if assertive else QAccessible.AnnouncementPoliteness.Polite
        )
        QAccessible.updateAccessibility(event)
        self.announced.emit(text, assertive)


@cache
def announcer() -> Announcer:
    """The one announcer of the program."""
    return Announcer()


def announce(source: QWidget, text: str, *, assertive: bool = False) -> None:
    """Have `text` read aloud by a screen reader, if one runs."""
    announcer().say(source, text, assertive=assertive)
