"""The pages of the drawer, one of them shown: each scrolls by itself where a small screen is too low for it."""

from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from app.desktop.screens.walk_in_approval import ApprovalPage
from app.desktop.screens.walk_in_choice import DraftChoice
from app.desktop.screens.walk_in_form_view import FormPage
from app.desktop.screens.walk_in_hold import HoldPage
from app.desktop.screens.walk_in_parked import ParkedList
from app.desktop.screens.walk_in_scroll import FormScroll, HoldScroll, SeenScroll
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel


class DrawerPages(QStackedWidget):
    """The form, what is held, and the questions: which draft, one of those parked, a manager's word."""

    def __init__(self, model: WalkInViewModel) -> None:
        super().__init__()
        self.form, self.hold = FormPage(model), HoldPage(model)
        self.choice, self.parked, self.approval = DraftChoice(), ParkedList(), ApprovalPage(model)
        self._areas: dict[QWidget, SeenScroll] = {
            self.form: FormScroll(self.form),
            self.hold: HoldScroll(self.hold),
            self.choice: SeenScroll(self.choice),
            self.parked: SeenScroll(self.parked),
            self.approval: SeenScroll(self.approval),
        }
        for area in self._areas.values():
            self.addWidget(area)

    def page(self) -> QWidget:
        """What is shown."""
        return next(page for page, area in self._areas.items() if area is self.currentWidget())

    def area(self, page: QWidget) -> SeenScroll:
        """Where a page scrolls."""
        return self._areas[page]

    def show_page(self, page: QWidget) -> None:
        """Show one of them; the others must not take the room of the price."""
        for each, area in self._areas.items():
            rule = QSizePolicy.Policy.Preferred if each is page else QSizePolicy.Policy.Ignored
            area.setSizePolicy(QSizePolicy.Policy.Preferred, rule)
        self.setCurrentWidget(self._areas[page])
