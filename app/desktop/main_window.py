"""The shell around the screens: top bar, rail, banners, the screen in front, status bar and the keys of all screens."""

import datetime as dt
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.desktop.connection import ConnectionViewModel, Reach
from app.desktop.focus_home import FocusHome
from app.desktop.formats import clock
from app.desktop.language import language
from app.desktop.offline_age import OfflineAge
from app.desktop.panes import focus_next
from app.desktop.rail_bar import RailBar
from app.desktop.screen import BannerContent, Finder, KeyHint, Screen, ScreenKey, Words
from app.desktop.shell_facts import OpenShift, SignedIn
from app.desktop.shell_keys import ShellKeys, is_command, matches, run_action
from app.desktop.shell_overlays import ShellOverlays
from app.desktop.shell_texts import rail_key, rail_word, reach_word
from app.desktop.toast_place import ToastPlace
from app.desktop.widgets.banner_area import BannerArea
from app.desktop.widgets.overlays import Overlay
from app.desktop.widgets.rail import RailItem
from app.desktop.widgets.status_bar import StatusBar
from app.desktop.widgets.toast import Toast
from app.desktop.widgets.top_bar import TopBar


class MainWindow(QWidget):
    """Implements Shell for the screens. Screens are made when first shown, by the factories given with `add_screen`."""

    lock_wanted = Signal()
    log_out_wanted = Signal()
    language_chosen = Signal(str)
    theme_chosen = Signal(str)
    shift_wanted = Signal()

    def __init__(self, who: SignedIn, connection: ConnectionViewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.who = who
        self.connection = connection
        connection.setParent(self)
        self._factories: dict[ScreenKey, Callable[[], Screen]] = {}
        self._screens: dict[ScreenKey, Screen] = {}
        self._wanted: tuple[ScreenKey, object] | None = None
        self.banners = BannerArea(self)
        self.finder: Finder | None = None
        self._shift: OpenShift | None = None
        self._outage = OfflineAge(connection, who.zone, partial(self.show_banner, "offline"), self)
        self.top = TopBar(who.branch, who.counter, who.person, who.roles, self)
        self._rail = RailBar(self)
        self.rail = self._rail.items
        self.status = StatusBar(self)
        self.stack = QStackedWidget(self)
        self._lay_out()
        self.focus_home = FocusHome(self, (self.top, self._rail, self.status), self._home)
        self.keys = ShellKeys(self)
        self.overlays = ShellOverlays(self, self.current, self.keys.actions)
        self._places: dict[ScreenKey, QAction] = {}
        self._make_keys()
        self._connect()
        self._retranslate()
        self._show_reach()

    # --- what the application calls ---

    def add_screen(self, key: ScreenKey, factory: Callable[[], Screen]) -> None:
        """Make a place of the rail usable."""
        self._factories[key] = factory
        if key in self.rail:
            self.rail[key].set_reason("")
        self._places[key].setEnabled(True)
        if key is ScreenKey.CUSTOMERS:
            self._find_customer.setEnabled(True)

    def current(self) -> Screen | None:
        """The screen in front."""
        widget = self.stack.currentWidget()
        return widget if isinstance(widget, Screen) else None

    def _home(self) -> QWidget | None:
        screen = self.current()
        return screen.home() if screen is not None else None

    def made(self, key: ScreenKey) -> Screen | None:
        """A screen that was shown before, in front or not."""
        return self._screens.get(key)

    def has_screen(self, key: ScreenKey) -> bool:
        return key in self._factories

    def retitle(self) -> None:
        """The window's title: product, branch, screen."""
        screen = self.current()
        parts = ("Sentra Rental Counter", self.who.branch, screen.title() if screen is not None else "")
        self.window().setWindowTitle(" · ".join(part for part in parts if part))

    def current_key(self) -> ScreenKey | None:
        return next((key for key, screen in self._screens.items() if screen is self.stack.currentWidget()), None)

    def today(self) -> dt.date | None:
        """The branch's day by the server's clock; None before the server's first answer."""
        now = self.connection.now()
        return None if now is None else now.astimezone(self.who.zone).date()

    def show_shift(self, shift: OpenShift | None) -> None:
        """The open shift in the status bar, or none."""
        self._shift = shift
        text = ""
        if shift is not None:
            text = self.tr("Shift #{number} buka {time}")
            text = text.format(number=shift.number, time=clock(shift.opened_at, self.who.zone, language()))
        self.status.set_fact("shift", text)

    def close_screens(self) -> None:
        """Log-out: nothing starts any more."""
        self.connection.close()
        for screen in self._screens.values():
            screen.shut()

    # --- Shell: what screens call ---

    def go(self, key: ScreenKey, argument: object = None) -> None:
        """Show a screen; the one in front is asked first."""
        if key not in self._factories:
            self.toast(self.tr("{place}: belum ada di versi ini.").format(place=rail_word(key)))
            return
        before = self.current()
        self._wanted = (key, argument)
        if before is not self._screens.get(key):
            self._toasts.clear()
        if before is not None and self._screens.get(key) is not before and not before.leave():
            self._mark_rail()
            return
        self._arrive()

    def show_banner(self, name: str, content: BannerContent) -> None:
        """Show or replace a banner; the newest is lowest."""
        self.banners.put(name, content)
        self._show_reach()

    def hide_banner(self, name: str) -> None:
        self.banners.remove(name)
        self._show_reach()

    def toast(
        self, text: Words, *, undo: Callable[[], object] | None = None, seconds: int = 0, detail: str = ""
    ) -> None:
        """A note, or what can be undone for a while (ToastPlace)."""
        self._toasts.show(text, self.tr("Urungkan"), undo, seconds, detail)

    def withdraw(self, undo: Callable[[], object]) -> None:
        self._toasts.withdraw(undo)

    def shown_toast(self) -> Toast | None:
        """The note that is on the screen."""
        return self._toasts.shown()

    def set_badge(self, key: ScreenKey, count: int) -> None:
        if key in self.rail:
            self.rail[key].set_count(count)

    def set_fact(self, name: str, text: str) -> None:
        self.status.set_fact(name, text)

    def is_online(self) -> bool:
        return self.connection.is_online

    def refresh_shift(self) -> None:
        self.shift_wanted.emit()

    # --- Qt ---

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            # Once the screens have their new words.
            QTimer.singleShot(0, self, partial(self.overlays.retranslate, self.show_keys, self.show_palette))
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys nobody took while the focus is in the window's own bars: the current screen's, then the rail's."""
        focus, screen = self.window().focusWidget(), self.current()
        outside = screen is not None and focus is not None and focus is not screen and not screen.isAncestorOf(focus)
        if is_command(event):
            place = next((key for key in ScreenKey if matches(event, rail_key(key))), None)
            if screen is not None and outside and run_action(screen, event):
                return
            if place is not None and place not in self._factories:
                self.go(place)
                return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._toasts.place()

    # --- inside ---

    def _lay_out(self) -> None:
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(self.top)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self._rail)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self.banners)
        right.addWidget(self.stack, 1)
        middle.addLayout(right, 1)
        page.addLayout(middle, 1)
        page.addWidget(self.status)

    def _make_keys(self) -> None:
        keys = self.keys
        keys.add("F1", lambda: self.tr("Daftar tombol"), self.show_keys)
        keys.add("F2", lambda: self.tr("Cari / pindai"), self.top.focus_search)
        keys.add("F5", lambda: self.tr("Muat ulang"), self._refresh)
        keys.add("F6", lambda: self.tr("Panel berikut"), partial(self._next_pane, 1))
        keys.add("Shift+F6", lambda: self.tr("Panel sebelum"), partial(self._next_pane, -1))
        keys.add("Ctrl+K", lambda: self.tr("Perintah"), self.show_palette)
        keys.add("Ctrl+L", lambda: self.tr("Kunci layar"), self._lock)
        keys.add("Esc", lambda: self.tr("Tutup satu tingkat"), self._escape)
        undo = keys.add("Ctrl+Z", lambda: self.tr("Urungkan"), lambda: self._toasts.take_back())
        self._toasts = ToastPlace(self, undo, self._toast_inset)
        self._find_customer = keys.add(
            "F3", partial(rail_word, ScreenKey.CUSTOMERS), partial(self.go, ScreenKey.CUSTOMERS)
        )
        self._find_customer.setEnabled(False)
        for key in ScreenKey:
            self._places[key] = keys.add(rail_key(key), partial(rail_word, key), partial(self.go, key))
            self._places[key].setEnabled(False)
        self.overlays.places = tuple(self._places.values())

    def _toast_inset(self) -> int:
        screen = self.current()
        return screen.toast_inset() if screen is not None else 0

    def keys_now(self) -> tuple[tuple[str, tuple[KeyHint, ...]], ...]:
        """The keys that work where the focus is, by group: the screen's own first."""
        return self.overlays.keys_now()

    def show_keys(self) -> None:
        """F1 opens the list of keys, and closes it again."""
        self.overlays.show_keys(self.tr("Tombol yang berlaku sekarang"))

    def show_palette(self) -> None:
        """Every command that can run now, by name: the screen's, then the window's."""
        words = self.tr("Ketik perintah, atau booking: ava 30/11 3h 0812…")
        self.overlays.show_palette(self.tr("Perintah"), words, self.keys.find("Ctrl+K"))

    def _connect(self) -> None:
        self.connection.changed.connect(self._show_reach)
        self.connection.reach_changed.connect(self._reach_changed)
        self.top.searched.connect(self._search)
        self._rail.pressed.connect(self._rail_pressed)
        self.top.palette_wanted.connect(self.show_palette)
        self.top.person.lock_wanted.connect(self._lock)
        self.top.person.log_out_wanted.connect(self.log_out_wanted)
        self.top.person.language_chosen.connect(self.language_chosen)
        self.top.person.theme_chosen.connect(self.theme_chosen)
        self.status.keys_wanted.connect(self.show_keys)

    def _rail_pressed(self, key: ScreenKey) -> None:
        self._mark_rail()
        self.go(key)

    def _arrive(self) -> None:
        if self._wanted is None:
            return
        key, argument = self._wanted
        self._wanted = None
        screen = self._screens.get(key)
        if screen is None:
            screen = self._factories[key]()
            screen.ready_to_leave.connect(self._arrive)
            screen.stayed.connect(self._stay)
            screen.connection_changed(self.is_online())
            self._screens[key] = screen
            self.stack.addWidget(screen)
        self.stack.setCurrentWidget(screen)
        # A screen that has an F3 of its own keeps it: two actions with one key would both rest.
        hints = screen.keys()
        own = any(hint.key == "F3" for hint in hints)
        self._find_customer.setEnabled(ScreenKey.CUSTOMERS in self._factories and not own)
        self._mark_rail()
        screen.activate(argument)
        focus = self.window().focusWidget()
        if focus is None or not (focus is screen or screen.isAncestorOf(focus)):
            screen.setFocus()
        self.retitle()

    def _stay(self) -> None:
        """The person chose to stay: nobody goes there when the screen is left another time."""
        self._wanted = None

    def _mark_rail(self) -> None:
        self._rail.mark(self.current_key())

    def _refresh(self) -> None:
        self.connection.tick()
        screen = self.current()
        if screen is not None:
            screen.refresh()

    def _escape(self) -> None:
        """One level: an open panel, the search field, then whatever the screen has open."""
        screen = self.current()
        if self.overlays.close() or (
            self.top.search.edit.hasFocus() and self.finder is not None and self.finder.leave()
        ):
            return
        if self.top.search.edit.hasFocus():
            self.top.search.set_text("")
            if screen is not None:
                screen.setFocus()
                screen.activate()
        elif screen is not None:
            screen.escape()

    def _next_pane(self, step: int) -> None:
        screen = self.current()
        panes: list[QWidget] = [
            self.top.search.edit,
            *(screen.panes() if screen is not None else ()),
            self._rail_focus(),
        ]
        focus_next(panes, self.window().focusWidget(), step)

    def _rail_focus(self) -> RailItem:
        key = self.current_key()
        return self.rail[key if key in self.rail else ScreenKey.SHIFT]

    def _lock(self) -> None:
        """Lock the screen; a screen that holds something gives it back first, what was typed stays."""
        screen = self.current()
        if screen is not None:
            screen.leave()
            if screen.is_asking():
                screen.escape()  # what waits for an answer waits behind the lock
        self._toasts.clear()
        self.lock_wanted.emit()

    def _search(self, text: str) -> None:
        if self.finder is not None and self.finder.enter():
            return
        screen = self.current()
        order = [key for key in (ScreenKey.CALENDAR, ScreenKey.INVOICES) if key in self._factories]
        if screen is not None and screen.find_text(text):
            return
        for key in order:
            other = self._screens.get(key)
            if other is None or other is screen:
                continue
            if other.find_text(text):
                self.go(key)
                return
        self.toast(self.tr("Tidak ditemukan: {text}").format(text=text))

    def overlay(self) -> Overlay | None:
        """The panel that is open over the window."""
        return self.overlays.shown()

    def _show_reach(self) -> None:
        reach, standing = self.connection.reach, self.banners.standing()
        word = reach_word(reach, self.connection.latency_ms, self._outage.cut_words(), standing)
        self.status.reach.show_reach(Reach.SLOW if standing and reach is Reach.ONLINE else reach, word)

    def _reach_changed(self) -> None:
        offline = self.connection.reach is Reach.OFFLINE
        if offline:
            self._outage.begin()
        else:
            self._outage.end()
            self.hide_banner("offline")
        self._show_reach()
        for screen in self._screens.values():
            screen.connection_changed(not offline)

    def _retranslate(self) -> None:
        missing = self.tr("Layar ini belum ada di versi ini.")
        for key, item in self.rail.items():
            item.set_word(rail_word(key))
            item.set_reason("" if key in self._factories else missing)
        self.keys.retranslate()
        self._toasts.retranslate(self.tr("Urungkan"))
        self.status.set_hint(self.tr("F1 Tombol yang berlaku sekarang"))
        self._show_reach()
        self.show_shift(self._shift)
        if self._outage.is_counting():
            self._outage.show_now()
