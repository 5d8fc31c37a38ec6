"""The month grid's fixed view settings: what of QTableView it does not use, and how it scrolls."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QAbstractItemView, QTableView

from app.desktop.widgets.card import Surface
from app.desktop.widgets.month_grid_fit import SCROLL_BAR
from app.desktop.widgets.slim_scroll import SlimScrollBar


def settle_view(view: QTableView) -> None:
    """No selection model, no editing, no own lines; rows scroll by pixels, days fill the width."""
    view.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setVerticalScrollBar(SlimScrollBar(view))
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    # Two months are wider than a small screen: their days scroll sideways, the plates stand still.
    view.setHorizontalScrollBar(
        SlimScrollBar(view, orientation=Qt.Orientation.Horizontal, spare=lambda: _part_of_a_row(view))
    )
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
    view.setCornerWidget(Surface("surface"))
    view.setFrameShape(QTableView.Shape.NoFrame)
    view.setCornerButtonEnabled(False)
    view.setShowGrid(False)
    view.setTabKeyNavigation(False)
    view.setMouseTracking(True)
    view.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
    view.setMinimumSize(QSize(320, 120))


def _part_of_a_row(view: QTableView) -> int:
    """What is left of the height below the last whole row, the scroll bar's own room taken off."""
    room = view.height() - view.horizontalHeader().height() - SCROLL_BAR
    return max(0, room) % view.verticalHeader().defaultSectionSize()
