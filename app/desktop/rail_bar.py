"""The rail at the left of the window: one item for each place, settings at the bottom."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.desktop.screen import RAIL, ScreenKey
from app.desktop.shell_texts import RAIL_ICONS, rail_key, rail_word
from app.desktop.theme import theme
from app.desktop.widgets.card import Surface
from app.desktop.widgets.rail import RailItem


class RailBar(Surface):
    """`pressed` carries the ScreenKey. Which place is marked is told by whoever goes there."""

    pressed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", right_line=True, parent=parent)
        self.items: dict[ScreenKey, RailItem] = {}
        self.setFixedWidth(theme().sizes.rail)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 1, 4)
        column.setSpacing(0)
        for key in RAIL:
            if key is ScreenKey.SETTINGS:
                column.addStretch(1)
            item = RailItem(RAIL_ICONS[key], rail_word(key), rail_key(key))
            item.clicked.connect(lambda _checked=False, key=key: self.pressed.emit(key))
            column.addWidget(item)
            self.items[key] = item

    def mark(self, current: ScreenKey | None) -> None:
        """Show which place is in front."""
        for key, item in self.items.items():
            item.setChecked(key is current)
