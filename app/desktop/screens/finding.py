"""Search, scanner and palette of one person's window: made with the shell, ended with it."""

from typing import Protocol

from PySide6.QtWidgets import QApplication

from app.desktop.main_window import MainWindow
from app.desktop.scan_burst import Burst
from app.desktop.scanner import Scanner
from app.desktop.screens.palette_booking import PaletteBooking
from app.desktop.screens.scan_desk import ScanDesk, ScanUseCases, ScanViewModel
from app.desktop.screens.search_desk import SearchDesk
from app.desktop.screens.search_viewmodel import SearchViewModel
from app.domain.staff import StaffMember
from app.settings import load_settings
from app.usecases.rows import CustomerHit
from app.usecases.rows_search import SearchHit


class _Searches(Protocol):
    def search(self, text: str) -> tuple[SearchHit, ...]: ...


class _Customers(Protocol):
    def find_customers(self, text: str, limit: int = 8) -> tuple[CustomerHit, ...]: ...


class FindingCounter(Protocol):
    """The part of a counter that finds things."""

    @property
    def who(self) -> StaffMember: ...
    @property
    def search(self) -> _Searches: ...
    @property
    def customers(self) -> _Customers: ...
    @property
    def scans(self) -> ScanUseCases: ...


class Finding:
    """Codes mean something while the shell is in front: at the login and behind a dialog a burst is typing."""

    def __init__(self, window: MainWindow, counter: FindingCounter) -> None:
        self._window = window
        searching = SearchViewModel(counter.search.search, counter.customers.find_customers)
        self.search = SearchDesk(window, searching, counter.who.branch.id)
        self.scans = ScanDesk(window, self.search, ScanViewModel(counter.scans))
        window.overlays.offers = PaletteBooking(window).offers
        app = QApplication.instance()
        if not isinstance(app, QApplication):
            raise TypeError("there is no application")
        settings = load_settings()
        self.scanner = Scanner(app, self._is_wanted, Burst(settings.scanner_gap, settings.scanner_prefix), window)
        self.scanner.scanned.connect(self.scans.take)

    def close(self) -> None:
        """Log-out: keys go to their widgets again, nothing starts any more."""
        self.scanner.close()
        self.search.model.close()
        self.scans.model.close()

    def _is_wanted(self) -> bool:
        return self._window.isVisible() and QApplication.activeModalWidget() is None
