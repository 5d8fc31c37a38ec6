"""The palette's line that fills the booking drawer."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.desktop.formats import day_count, day_with_weekday, phone
from app.desktop.language import language
from app.desktop.main_window import MainWindow
from app.desktop.screen import ScreenKey
from app.desktop.screens.calendar_view import CalendarScreen
from app.desktop.screens.palette_wish import BookingWish, typed_wish
from app.desktop.typed import typed_phone
from app.desktop.widgets.overlays import PaletteEntry


class PaletteBooking:
    """Offers a booking while the typed text is one. Somebody else's draft is put aside, never changed."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def offers(self, text: str) -> Sequence[PaletteEntry]:
        """One line, or none. The calendar knows the fleet and the branch's day."""
        screen = self._window.made(ScreenKey.CALENDAR)
        if not isinstance(screen, CalendarScreen) or not screen.model.clock.is_set():
            return ()
        skus = {unit.sku.code: unit.sku for unit in screen.model.fleet}
        wish = typed_wish(text, tuple(skus.values()), screen.walk_in.today())
        if wish is None:
            return ()
        return (PaletteEntry(text=wish_words(wish), key="Return", run=lambda: self._book(wish)),)

    def _book(self, wish: BookingWish) -> None:
        self._window.go(ScreenKey.CALENDAR)
        screen = self._window.current()
        if not isinstance(screen, CalendarScreen) or screen.walk_in.is_sending:
            return
        walk_in = screen.walk_in
        screen.escape()
        if walk_in.has_draft and not walk_in.form.is_empty and not walk_in.put_aside():
            return
        walk_in.start(wish.sku.code, wish.first_day)
        walk_in.set_sku(wish.sku.code)
        if wish.days is not None:
            walk_in.set_days(wish.days)
        if wish.customer:
            walk_in.type_customer(wish.customer)
        screen.drawer.open_panel()


def wish_words(wish: BookingWish) -> str:
    """`Booking baru: Avanza G · Sen 30 Nov · 3 hari · 0812-3456-7890`."""
    parts = [wish.sku.name]
    if wish.first_day is not None:
        parts.append(day_with_weekday(wish.first_day, language()))
    if wish.days is not None:
        parts.append(day_count(wish.days, language()))
    if wish.customer:
        number = typed_phone(wish.customer)
        parts.append(wish.customer if number is None else phone(number))
    return QCoreApplication.translate("Palette", "Booking baru: {0}").format(" · ".join(parts))
