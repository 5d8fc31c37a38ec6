"""The search of the window: asks a moment after the last key, drops old answers, remembers an Enter that came early."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from app.desktop.commands import call, reload_command
from app.desktop.viewmodel import ViewModel
from app.usecases.rows import CustomerHit
from app.usecases.rows_search import SearchHit

WAIT_MS = 150
LEAST_SIGNS = 2

FindHits = Callable[[str], tuple[SearchHit, ...]]
FindCustomers = Callable[[str], tuple[CustomerHit, ...]]


class SearchViewModel(ViewModel):
    """`hits` are the answer for `hits_for`. `chosen` carries the hit to go to, `nothing_found` the text that found
    none, `unsure` a scanned one that is nothing's whole name, `customer_found` a customer for the booking form.
    """

    hits_changed = Signal()
    chosen = Signal(object)
    nothing_found = Signal(str)
    unsure = Signal(str)
    customer_found = Signal(object)

    def __init__(self, search: FindHits, find_customers: FindCustomers, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._search, self._find_customers = search, find_customers
        self.text = ""
        self.hits: tuple[SearchHit, ...] = ()
        self.hits_for = ""
        self._enter_for = ""
        self._is_scan = False
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._wait.timeout.connect(self.ask_now)

    @property
    def is_answered(self) -> bool:
        """The hits are those of the text as it stands."""
        return bool(self.text) and self.hits_for == self.text

    def type(self, text: str) -> None:
        """Every change of the field."""
        self.text = " ".join(text.split())
        self._enter_for, self._is_scan = "", False
        if len(self.text) < LEAST_SIGNS:
            self._wait.stop()
            self._take("", ())
        elif not self.is_answered:
            self._wait.start()

    def ask_now(self) -> None:
        """Without waiting for another key."""
        self._wait.stop()
        if len(self.text) >= LEAST_SIGNS and not self.is_answered:
            self.read(self.text)

    def enter(self, hit: SearchHit | None) -> None:
        """Enter: go to this hit, or to the first one as soon as the answer is there."""
        if not self.text:
            return
        if not self.is_answered:
            self._enter_for = self.text
            self.ask_now()
        elif hit is not None:
            self.chosen.emit(hit)
        else:
            self.nothing_found.emit(self.text)

    def find(self, text: str) -> None:
        """A scanned code: asked at once, gone to only when it is the whole number or plate of something."""
        self.type(text)
        self._wait.stop()
        self._enter_for, self._is_scan = self.text, True
        if len(self.text) < LEAST_SIGNS:
            self.nothing_found.emit(text)
        else:
            self.read(self.text)

    def forget(self) -> None:
        """The field is empty again."""
        self.type("")

    @reload_command
    async def read(self, text: str) -> None:
        """Ask for this text; an answer for an older one changes nothing."""
        hits = await call(self._search, text)
        if text == self.text:
            self._take(text, hits)
            is_wanted, is_scan = self._enter_for == text, self._is_scan
            self._enter_for, self._is_scan = "", False
            if is_wanted and is_scan and hits and not hits[0].is_exact:
                self.unsure.emit(text)
            elif is_wanted:
                self.enter(hits[0] if hits else None)

    @reload_command
    async def find_customer(self, hit: SearchHit) -> None:
        """What the booking form needs to know of a customer."""
        for found in await call(self._find_customers, hit.phone):
            if found.customer.id == hit.id:
                self.customer_found.emit(found)

    def _take(self, text: str, hits: tuple[SearchHit, ...]) -> None:
        self.hits_for, self.hits = text, hits
        self.hits_changed.emit()
