"""The lower end of the drawer: the price and what can be pressed."""

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.screens.walk_in_price import PriceLines
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Surface


class DrawerFoot(Surface):
    """Price lines, the total, and a row of buttons: the filled one acts as `action` does.

    While a question is asked its own page has what can be pressed: only what the question is about is shown here.
    """

    def __init__(self, action: QAction) -> None:
        super().__init__("sunken", top_line=True)
        self._column = QVBoxLayout(self)
        self.price = PriceLines()
        self.price.setContentsMargins(0, 0, 3, 0)
        self._column.addWidget(self.price)
        self._buttons = QWidget()
        row = QHBoxLayout(self._buttons)
        row.setSpacing(2)
        row.setContentsMargins(0, 0, 0, 0)
        self.park_button = Button("", size=ButtonSize.TIGHT)
        self.release_button = Button("", size=ButtonSize.TIGHT)
        self.waitlist_button = Button("", key="W", size=ButtonSize.TIGHT)
        self.waitlist_button.hide()
        self.primary = Button("", primary=True, size=ButtonSize.TIGHT)
        self.primary.follow(action)
        row.addWidget(self.park_button)
        row.addWidget(self.release_button)
        row.addWidget(self.waitlist_button)
        row.addWidget(self.primary, 1)
        self._column.addWidget(self._buttons)
        self._is_low = True
        self.set_low(False)

    def set_low(self, low: bool) -> None:
        """On a small screen lines stand closer and say less one by one, so that there is room for the page."""
        if low is not self._is_low:
            self._is_low = low
            self._column.setContentsMargins(16, 6 if low else 10, 13, 3 if low else 9)
            self._column.setSpacing(2 if low else 6)
            self.price.set_low(low)

    def show_for(self, *, is_asking: bool, is_priced: bool) -> None:
        """`is_asking`: a page asks something; `is_priced`: the question is about this price."""
        self._buttons.setVisible(not is_asking)
        self.setVisible(not is_asking or (is_priced and not self._is_low))
