"""The steps of the self-check: each presses keys in the window and waits until the screens show what came of it."""

import datetime as dt
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.bootstrap import Installation, connect
from app.desktop.application import CounterApplication
from app.desktop.main_window import MainWindow
from app.desktop.screen import Screen
from app.desktop.screens.calendar_view import CalendarScreen
from app.desktop.screens.invoices_view import InvoicesScreen
from app.desktop.screens.settlement_phase import Phase
from app.desktop.screens.shift_desk_view import ShiftDeskScreen
from app.desktop.screens.walk_in_form import Stage
from app.desktop.screens.walk_in_held import Hold
from app.domain.booking import BookingState
from app.domain.invoice import InvoiceState
from app.settings import Settings

LOGIN, SKU, PHONE, NAME = "siti", "TOY-AVNZ-G", "081298765432", "Pemeriksaan Mandiri"
FLOAT = "500000"
HOLD_RUNS_OUT = dt.timedelta(minutes=16)
REFRESH_EVERY = 0.5
BETWEEN_KEYS = 0.05
READ_THE_CHANGE = 0.8
CONTROL, NONE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier

S = TypeVar("S", bound=Screen)
T = TypeVar("T")
Waits = Generator[Callable[[], bool], None, T]
"""A step: it yields what must become true before it goes on. Keys are pressed outside every task of the loop."""


class Steps:
    """Holds what one step hands to the next. `ids` is what the self-check's line prints."""

    def __init__(self, counter: CounterApplication, settings: Settings) -> None:
        self._counter = counter
        self._settings = settings
        self._password = ""
        self.ids: dict[str, str | None] = {}

    def in_order(self) -> tuple[tuple[str, Callable[[], Waits[None]]], ...]:
        """Name and step, in the order they are taken."""
        return (
            ("login", self.log_in),
            ("open_shift", self.open_shift),
            ("grid", self.see_the_grid),
            ("book", self.book),
            ("settle", self.settle),
            ("book_unpaid", self.book_unpaid),
            ("expire", self.expire),
            ("verify", self.verify),
        )

    def log_in(self) -> Waits[None]:
        model = self._counter.login_model
        yield lambda: model.is_ready and bool(model.people)
        # On a screen without a window manager nobody else gives the window the keyboard.
        self._counter.window.activateWindow()
        yield lambda: QApplication.focusWidget() is not None
        if self._counter.login.tiles.has_focus():
            yield from self._type(LOGIN)
            self._press(Qt.Key.Key_Return)
        if model.chosen is None or model.chosen.login != LOGIN:
            raise LookupError(f"the login shows no tile for {LOGIN}")
        self._password = model.chosen.demo_password
        yield from self._type(self._password)
        self._press(Qt.Key.Key_Return)
        yield lambda: self._counter.session is not None and self._shell().current() is not None

    def open_shift(self) -> Waits[None]:
        self._press(Qt.Key.Key_8, CONTROL)
        screen = yield from self._screen(ShiftDeskScreen)
        yield lambda: screen.model.is_loaded
        if screen.model.report is None:
            yield screen.opening.float_field.edit.hasFocus
            yield from self._type(FLOAT)
            self._press(Qt.Key.Key_Return)
        yield lambda: screen.model.report is not None

    def see_the_grid(self) -> Waits[None]:
        self._press(Qt.Key.Key_1, CONTROL)
        screen = yield from self._screen(CalendarScreen)
        yield lambda: screen.grid.content is not None and screen.grid.isVisible()
        if not any(unit.sku.code == SKU for unit in screen.model.fleet):
            raise LookupError(f"the grid shows no {SKU}")

    def book(self) -> Waits[None]:
        hold = yield from self._hold_one(is_known=False)
        self.ids["booking_id"], self.ids["invoice_id"] = hold.booking_id, hold.invoice_id

    def settle(self) -> Waits[None]:
        self._press(Qt.Key.Key_F9)
        screen = yield from self._screen(InvoicesScreen)
        model = screen.settlement
        yield lambda: model.phase is Phase.OPEN
        if model.invoice_id != self.ids["invoice_id"]:
            raise LookupError("another invoice was opened than the one booked")
        self._press(Qt.Key.Key_Plus)
        yield model.may_pay
        self._press(Qt.Key.Key_F9)
        yield lambda: model.phase is Phase.PAID and model.receipt is not None
        receipt = model.receipt
        self.ids["payment_id"] = receipt.payment_id if receipt is not None else None
        yield lambda: any(Path(screen.printing.folder).glob("*.pdf"))
        yield _passed(READ_THE_CHANGE)
        self._press(Qt.Key.Key_Space)
        yield lambda: not screen.is_settling()

    def book_unpaid(self) -> Waits[None]:
        self._press(Qt.Key.Key_1, CONTROL)
        yield from self._screen(CalendarScreen)
        hold = yield from self._hold_one(is_known=True)
        self.ids["expired_booking_id"] = hold.booking_id

    def expire(self) -> Waits[None]:
        """The database's clock goes on by 16 minutes; the service that runs beside us cancels what nobody paid."""
        screen = yield from self._screen(CalendarScreen)
        with Installation(self._settings).history(keep_clock=True) as clock:
            clock.set(clock.now() + HOLD_RUNS_OUT)
            while screen.walk_in.stage is not Stage.EXPIRED:
                self._press(Qt.Key.Key_F5)
                yield _passed(REFRESH_EVERY)

    def verify(self) -> Waits[None]:
        """Read the rows again through a connection of its own."""
        found: list[tuple[BookingState | None, InvoiceState | None, BookingState | None]] = []
        threading.Thread(target=lambda: found.append(self._read_states()), daemon=True).start()
        yield lambda: bool(found)
        (states,) = found
        wanted = (BookingState.PAID_APPROVED, InvoiceState.PAID, BookingState.CANCELLED)
        if states != wanted:
            raise LookupError(f"the database holds {states}, not {wanted}")

    # --- steps within steps ------------------------------------------------------------------------------------------

    def _hold_one(self, *, is_known: bool) -> Waits[Hold]:
        """Ctrl+N, the customer's phone, the SKU, any unit, one day, F9."""
        screen = yield from self._screen(CalendarScreen)
        walk_in, panel = screen.walk_in, screen.panel
        before = walk_in.hold.booking_id if walk_in.hold is not None else ""
        self._press(Qt.Key.Key_N, CONTROL)
        yield lambda: panel.isVisible() and walk_in.stage is Stage.FORM and panel.form.customer.edit.hasFocus()
        yield from self._type(PHONE)
        yield panel.form.hits.isVisible
        self._press(Qt.Key.Key_Return)
        if is_known:
            yield lambda: walk_in.form.customer_id is not None
        else:
            yield panel.form.new_name.edit.hasFocus
            yield from self._type(NAME)
            for _ in panel.form.new_person.fields():
                # The papers may stay empty: Enter goes on.
                if not panel.form.sku.edit.hasFocus():
                    self._press(Qt.Key.Key_Return)
        yield panel.form.sku.edit.hasFocus
        yield from self._type(SKU)
        self._press(Qt.Key.Key_Return)
        yield lambda: walk_in.form.sku == SKU and walk_in.quote is not None
        self._press(Qt.Key.Key_F9)
        yield lambda: walk_in.hold is not None and walk_in.hold.booking_id != before
        hold = walk_in.hold
        if hold is None:
            raise LookupError("nothing is held")
        return hold

    def _read_states(self) -> tuple[BookingState | None, InvoiceState | None, BookingState | None]:
        counter = connect(self._settings, LOGIN, self._password)
        try:
            read = counter.store.read
            paid = read.booking(str(self.ids["booking_id"]))
            invoice = read.invoice(str(self.ids["invoice_id"]))
            expired = read.booking(str(self.ids["expired_booking_id"]))
        finally:
            counter.close()
        return (
            paid.state if paid else None,
            invoice.row.state if invoice else None,
            expired.state if expired else None,
        )

    # --- keys and waiting --------------------------------------------------------------------------------------------

    def _shell(self) -> MainWindow:
        session = self._counter.session
        if session is None:
            raise LookupError("nobody is logged in")
        return session.window

    def _window(self) -> QWindow:
        return self._counter.window.windowHandle()

    def _press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> None:
        """A key as the window system sends it: shortcuts, focus and all."""
        QTest.keyClick(self._window(), key, modifier)

    def _type(self, text: str) -> Waits[None]:
        """As fast as a person: faster is a scanner, whose text never reaches a field."""
        for sign in text:
            QTest.keyClick(self._window(), sign)  # type: ignore[call-overload]  # the stub knows the char as int only
            yield _passed(BETWEEN_KEYS)

    def _screen(self, kind: type[S]) -> Waits[S]:
        """Wait until a screen of that kind stands in front."""
        yield lambda: isinstance(self._shell().current(), kind)
        screen = self._shell().current()
        if not isinstance(screen, kind):
            raise LookupError(f"{kind.__name__} went away")
        return screen


def _passed(seconds: float) -> Callable[[], bool]:
    """True once that much time has passed."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end
