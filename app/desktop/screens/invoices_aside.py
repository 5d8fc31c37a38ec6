"""What a page beside the invoice list offers, so that it may stand in the list's place."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget


class Aside(QWidget):
    """A page beside the list that is shown in its place. `left` when the person goes back to the list."""

    left = Signal()

    def activate(self) -> None: ...

    def escape(self) -> None: ...

    def pay(self) -> None: ...

    def connection_changed(self, online: bool) -> None: ...
