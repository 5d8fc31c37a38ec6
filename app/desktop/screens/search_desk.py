"""The search of the window (F2): field, hits and where each of them leads."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.desktop.announce import announce
from app.desktop.errors import failure_sentence, refusal_sentence
from app.desktop.main_window import MainWindow
from app.desktop.screen import ScreenKey
from app.desktop.screens.calendar_view import CalendarScreen
from app.desktop.screens.invoices_view import InvoicesScreen
from app.desktop.screens.search_arrival import GridArrival
from app.desktop.screens.search_panel import SearchPanel
from app.desktop.screens.search_viewmodel import SearchViewModel
from app.desktop.screens.search_words import nothing_found
from app.desktop.screens.walk_in_form import Stage
from app.desktop.viewmodel import Failure
from app.domain.errors import Refusal
from app.domain.invoice import InvoiceState
from app.usecases.rows import CustomerHit
from app.usecases.rows_search import SearchHit, SearchKind

SLOW_MS = 300
"""From then on the panel says that it is searching."""


class SearchDesk(QObject):
    """F2 from inside any field: that field keeps its text and gets the focus back on Esc. While the server is away the
    screens look among what they show (`MainWindow`).
    """

    def __init__(self, window: MainWindow, model: SearchViewModel, own_branch: str | None) -> None:
        super().__init__(window)
        self._window, self.model = window, model
        self._field = window.top.search
        self._before: QWidget | None = None
        self._arrivals: dict[CalendarScreen, GridArrival] = {}
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(SLOW_MS)
        self._slow.timeout.connect(self._show_waiting)
        model.setParent(self)
        self.panel = SearchPanel(own_branch, window)
        self.panel.taken.connect(self.go_to)
        self._field.typed.connect(model.type)
        self._field.edit.installEventFilter(self)
        window.installEventFilter(self)
        model.hits_changed.connect(self._show)
        model.changed.connect(self._wait_for_answer)
        model.chosen.connect(self.go_to)
        model.nothing_found.connect(self._tell_nothing)
        model.unsure.connect(self._show_unsure)
        model.customer_found.connect(self._attach)
        model.refused.connect(self._tell_refusal)
        model.failed.connect(self._tell_failure)
        QApplication.instance().focusChanged.connect(self._focus_moved)  # type: ignore[union-attr]
        window.finder = self

    # --- what the window asks -----------------------------------------------------------------------------------------

    def enter(self) -> bool:
        """Enter in the field; False leaves it to the screens."""
        if not self._window.is_online():
            return False
        self.model.type(self._field.text())
        self.model.enter(self.panel.hit())
        return True

    def leave(self) -> bool:
        """Esc in the field: empty it, back to where the person was; False when that is gone."""
        self._clear()
        before, self._before = self._before, None
        if before is None or not _is_there(before, self._window):
            return False
        before.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    # --- going there --------------------------------------------------------------------------------------------------

    def go_to(self, found: object) -> None:
        """A unit and a booking on the grid, an invoice in its list, a customer in the booking form or the register."""
        if not isinstance(found, SearchHit):
            return
        self._clear()
        self._before = None
        match found.kind:
            case SearchKind.UNIT | SearchKind.BOOKING:
                self._window.go(ScreenKey.CALENDAR)
                screen = self._window.current()
                if isinstance(screen, CalendarScreen):
                    self.arrival(screen).show(found)
            case SearchKind.INVOICE:
                self._show_invoice(found)
            case SearchKind.CUSTOMER:
                if self._asking_form() is not None:
                    self.model.find_customer(found)
                else:
                    self._window.go(ScreenKey.CUSTOMERS, found.id)

    def look_up(self, text: str) -> None:
        """A scanned code: straight to the one thing it names, else into the field with what comes near."""
        self.model.find(text)

    def _show_unsure(self, text: str) -> None:
        self._field.set_text(text)
        self._window.top.focus_search()
        self._show()

    def arrival(self, screen: CalendarScreen) -> GridArrival:
        """Made when somebody first goes there."""
        if screen not in self._arrivals:
            self._arrivals[screen] = GridArrival(screen)
        return self._arrivals[screen]

    def _show_invoice(self, hit: SearchHit) -> None:
        self._window.go(ScreenKey.INVOICES)
        screen = self._window.current()
        if not isinstance(screen, InvoicesScreen):
            return
        if hit.invoice_state is InvoiceState.OPEN:
            screen.find_text(hit.number or hit.title)
        else:
            screen.view_invoice(hit.id)

    def _asking_form(self) -> CalendarScreen | None:
        """The calendar in front, when its open form still wants a customer."""
        screen = self._window.current()
        if not isinstance(screen, CalendarScreen) or not screen.drawer.is_shown():
            return None
        walk_in = screen.walk_in
        wants = walk_in.stage is Stage.FORM and walk_in.form.customer_id is None and not walk_in.is_sending
        return screen if wants and (screen.drawer.is_open() or not walk_in.form.is_empty) else None

    def _attach(self, customer: object) -> None:
        screen = self._asking_form()
        if screen is not None and isinstance(customer, CustomerHit):
            screen.walk_in.pick(customer)
            screen.drawer.open_panel()

    # --- field and panel ----------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrows choose while the focus stays in the field."""
        if watched is self._field.edit and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 5, Qt.Key.Key_PageUp: -5}
            by = steps.get(Qt.Key(event.key()))
            if by is not None and self.panel.isVisible():
                self.panel.step(by)
                announce(self._field.edit, self.panel.spoken())
                return True
        elif watched is self._window and event.type() == QEvent.Type.Resize and self.panel.isVisible():
            self.panel.stand_below(self._field)
        return super().eventFilter(watched, event)

    def _show(self) -> None:
        model = self.model
        if not model.is_answered or not self._field.edit.hasFocus() or not self._field.text().strip():
            self.panel.hide()
            return
        self.panel.show_hits(model.text, model.hits)
        self.panel.stand_below(self._field)
        announce(self._field.edit, self.panel.spoken())

    def _wait_for_answer(self) -> None:
        is_waiting = self.model.is_busy("read") and not self.model.is_answered
        if not is_waiting:
            self._slow.stop()
        elif not self._slow.isActive():
            self._slow.start()

    def _show_waiting(self) -> None:
        """Rows of an older text are taken away once their place is waited for so long."""
        if self._field.edit.hasFocus() and self._field.text().strip():
            self.panel.show_waiting()
            self.panel.stand_below(self._field)

    def _focus_moved(self, old: QWidget | None, new: QWidget | None) -> None:
        edit = self._field.edit
        if new is edit and old is not None and old is not edit and self._window.isAncestorOf(old):
            self._before = old
        if new is edit:
            self._show()
        elif old is edit:
            self.panel.hide()

    def _clear(self) -> None:
        self.panel.hide()
        self._field.set_text("")
        self.model.forget()

    def _tell_nothing(self, text: str) -> None:
        if not self.panel.isVisible():
            self._window.toast(lambda: nothing_found(text))
        announce(self._field.edit, nothing_found(text))

    def _tell_refusal(self, no: object) -> None:
        self._hide_unanswered()
        if isinstance(no, Refusal):
            self._window.toast(refusal_sentence(no, self._window.who.zone).whole, seconds=6)

    def _hide_unanswered(self) -> None:
        if not self.model.is_answered:
            self.panel.hide()

    def _tell_failure(self, failure: object) -> None:
        self._hide_unanswered()
        if isinstance(failure, Failure):
            self._window.toast(failure_sentence(failure).whole, seconds=6)


def _is_there(widget: QWidget, window: QWidget) -> bool:
    return window.isAncestorOf(widget) and widget.isVisible() and widget.isEnabled()
