"""What a narrow toolbar has no room for, as a menu under its three dots."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, QPoint, QRect
from PySide6.QtWidgets import QApplication, QWidget

from app.desktop.announce import announce
from app.desktop.screens.calendar_menu import MenuLine, VerbMenu
from app.desktop.screens.calendar_toolbar import CalendarToolbar, Part
from app.desktop.screens.calendar_window import Zoom

_BLOCK, _STATE = "block", "state"
_KEYS = {Zoom.WEEK: "7", Zoom.FORTNIGHT: "1", Zoom.ROLLING: "3", Zoom.TWO_MONTHS: "6", Zoom.MONTH: "B"}
"""The first digit of each length, the calendar's own B for a month."""


class MoreMenu(QObject):
    """Offers each part that is left out, with its key; goes with Esc, a choice, or when the focus goes elsewhere."""

    def __init__(
        self,
        toolbar: CalendarToolbar,
        host: QWidget,
        *,
        fits: Callable[[Zoom], bool],
        choose_zoom: Callable[[str], object],
        block: Callable[[], object],
        choose_state: Callable[[], object],
        done: Callable[[], object],
    ) -> None:
        super().__init__(host)
        self._toolbar, self._host = toolbar, host
        self._choose_zoom, self._block, self._choose_state = choose_zoom, block, choose_state
        self._fits, self._done = fits, done
        self.menu = VerbMenu(host)
        self.menu.chosen.connect(self._run)
        self.menu.closed.connect(done)
        toolbar.more_wanted.connect(self.open)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._focus_moved)

    def open(self) -> None:
        """Under the dots; a second press closes it."""
        if self.menu.close_menu():
            return
        toolbar = self._toolbar
        title = QCoreApplication.translate("MoreMenu", "Lainnya")
        free = toolbar.free.sentence() if Part.FREE in toolbar.left_out() else ""
        self.menu.show_lines(title, free, self.lines())
        button = QRect(toolbar.more.mapTo(self._host, QPoint(0, 0)), toolbar.more.size())
        row = QRect(toolbar.mapTo(self._host, QPoint(0, 0)), toolbar.size())
        self.menu.place(button, [row], within=self._host.rect())
        self.menu.take_focus()
        announce(toolbar, self.menu.accessibleName())

    def close_menu(self) -> bool:
        """Close it; False when it was not open."""
        return self.menu.close_menu()

    def retranslate(self) -> None:
        """The language changed: it goes."""
        self.menu.hide()

    def lines(self) -> list[MenuLine]:
        """One for each part without a place."""
        out = self._toolbar.left_out()
        found = []
        if Part.MAINTENANCE in out:
            text = QCoreApplication.translate("CalendarKeys", "Perawatan")
            found.append(MenuLine(name=_BLOCK, text=text, key="M", reason=self._toolbar.maintenance.reason()))
        if Part.STATE in out:
            text = QCoreApplication.translate("CalendarKeys", "Tampilkan satu status")
            found.append(MenuLine(name=_STATE, text=text, key="L"))
        if Part.ALL_ZOOMS in out:
            found += [self._length(zoom) for zoom in Zoom]
        elif Part.LONG_ZOOMS in out:
            found += [self._length(zoom) for zoom in (Zoom.TWO_MONTHS, Zoom.MONTH)]
        return found

    def _length(self, zoom: Zoom) -> MenuLine:
        if zoom is Zoom.MONTH:
            text = QCoreApplication.translate("CalendarKeys", "Satu bulan penuh")
        else:
            text = QCoreApplication.translate("MoreMenu", "{0} hari").format(zoom.value)
        if zoom is self._toolbar.chosen_zoom():
            text = QCoreApplication.translate("MoreMenu", "{0} (sedang tampil)").format(text)
        narrow = QCoreApplication.translate("MoreMenu", "Tidak muat di lebar layar ini.")
        reason = "" if self._fits(zoom) else narrow
        return MenuLine(name=zoom.value, text=text, key=_KEYS[zoom], reason=reason)

    def _run(self, name: str) -> None:
        if name == _STATE:
            self._choose_state()
            return
        self._done()
        if name == _BLOCK:
            self._block()
        else:
            self._choose_zoom(name)

    def _focus_moved(self, _before: object, now: object) -> None:
        inside = isinstance(now, QWidget) and (now is self.menu or self.menu.isAncestorOf(now))
        if self.menu.isVisible() and isinstance(now, QWidget) and not inside:
            self.menu.hide()
