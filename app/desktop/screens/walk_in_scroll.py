"""Scroll areas of the drawer: for a form, or an order of many units, that is higher than a small screen."""

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.desktop.screens.walk_in_form_view import FormPage
from app.desktop.screens.walk_in_hold import HoldPage
from app.desktop.widgets.slim_scroll import SlimScrollBar

_LABEL = 24
"""Room above a field in which its label stands."""


class SeenScroll(QScrollArea):
    """A page that may be higher than its place. What has the focus stays in sight, with its label where there is room
    for both: when it gets the focus, when the place shrinks (another size, more lines of the price) and when the page
    grows.
    """

    def __init__(self, page: QWidget) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBar(SlimScrollBar(self))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(page)
        self.viewport().setAutoFillBackground(False)
        page.setAutoFillBackground(False)
        self.verticalScrollBar().rangeChanged.connect(self._range_changed)

    def show_field(self, field: QWidget) -> None:
        """Scroll as little as needed to see all of this part of the page."""
        page = self.widget()
        if page is None or not page.isAncestorOf(field):
            return
        place = QRect(field.mapTo(page, QPoint(0, 0)), field.size())
        bar, room = self.verticalScrollBar(), self.viewport().height()
        above = place.top() - min(_LABEL, max(0, room - place.height()))
        if bar.value() > above:
            bar.setValue(above)
        elif bar.value() + room < place.bottom() + 1:
            bar.setValue(place.bottom() + 1 - room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_focus()

    def _range_changed(self, _least: int, _most: int) -> None:
        self._show_focus()

    def _show_focus(self) -> None:
        page = self.widget()
        found = page.window().focusWidget() if page is not None else None
        if page is None or found is None or found is page or not page.isAncestorOf(found):
            return
        # An edit inside a field: the whole box is wanted.
        owner = found.parentWidget()
        self.show_field(owner if owner is not None and owner.focusProxy() is found else found)


class FormScroll(SeenScroll):
    """The form. Its scroll bar takes its width from the form's margin."""

    def __init__(self, form: FormPage) -> None:
        super().__init__(form)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(lambda _, most: form.make_room(bar.sizeHint().width() if most else 0))
        bar.valueChanged.connect(lambda _: form.place_hits())
        form.focused.connect(self.show_field)


class HoldScroll(SeenScroll):
    """Lets what is held scroll, by keys too, where it names more units than a small screen has room for."""

    def __init__(self, page: HoldPage) -> None:
        super().__init__(page)
        self._range_changed(0, 0)

    def _range_changed(self, _least: int, most: int) -> None:
        """A place for the focus only while there is something to scroll."""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if most else Qt.FocusPolicy.NoFocus)
