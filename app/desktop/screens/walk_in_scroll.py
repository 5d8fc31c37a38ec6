"""Scroll areas of the drawer: for a form, or an order of many units, that is higher than a small screen."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea

from app.desktop.screens.walk_in_form_view import FormPage
from app.desktop.screens.walk_in_hold import HoldPage
from app.desktop.widgets.slim_scroll import SlimScrollBar


class FormScroll(QScrollArea):
    """Lets a form that is higher than a small screen scroll; the field with the focus is always in sight."""

    def __init__(self, form: FormPage) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBar(SlimScrollBar(self))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(form)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(lambda _, most: form.make_room(bar.sizeHint().width() if most else 0))
        form.focused.connect(lambda field: self.ensureWidgetVisible(field, 0, 24))


class HoldScroll(QScrollArea):
    """Lets what is held scroll, by keys too, where it names more units than a small screen has room for."""

    def __init__(self, page: HoldPage) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBar(SlimScrollBar(self))
        self.setWidget(page)
        self.viewport().setAutoFillBackground(False)
        page.setAutoFillBackground(False)
        self.verticalScrollBar().rangeChanged.connect(self._take_keys)
        self._take_keys(0, 0)

    def _take_keys(self, _least: int, most: int) -> None:
        """A place for the focus only while there is something to scroll."""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if most else Qt.FocusPolicy.NoFocus)
