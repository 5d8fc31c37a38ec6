"""The main window: rail, keys that are real, banners that push, leaving a screen, offline, search, toast and lock."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.announce import announcer
from app.desktop.connection import ConnectionViewModel, Reach
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.main_window import MainWindow
from app.desktop.screen import BannerContent, Screen, ScreenKey, Shell
from app.desktop.shell_facts import OpenShift, SignedIn
from app.desktop.theme import BannerKind, theme
from app.desktop.viewmodel import ViewModel
from app.desktop.widgets.field import Field
from app.desktop.widgets.key_overlay import KeyOverlay
from app.desktop.widgets.overlays import CommandPalette
from tests.desktop.runners import HeldRunner

NOW = dt.datetime(2026, 11, 30, 7, 5, 10, tzinfo=dt.UTC)


class Server:
    """Answers its time, or fails while it is down."""

    def __init__(self) -> None:
        self.is_down = False

    def now(self) -> dt.datetime:
        if self.is_down:
            raise ConnectionError("down")
        return NOW


class Stopwatch:
    """Moves only when told."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class Page(Screen):
    """A screen with one field, one key and a lock it may hold."""

    def __init__(self, shell: Shell, name: str) -> None:
        super().__init__(shell)
        self.name = name
        self.did: list[str] = []
        self.arguments: list[object] = []
        self.holds = False
        self.asks = False
        self.field = Field("Nama")
        QVBoxLayout(self).addWidget(self.field)
        self.pay = self.add_key("F9", "Bayar", lambda: self.did.append("pay"))
        self.setFocusProxy(self.field)

    def title(self) -> str:
        return self.name

    def activate(self, argument: object = None) -> None:
        self.arguments.append(argument)
        self.field.setFocus()

    def refresh(self) -> None:
        self.did.append("refresh")

    def leave(self) -> bool:
        return not self.holds

    def is_asking(self) -> bool:
        return self.asks

    def escape(self) -> bool:
        self.did.append("escape")
        return True

    def connection_changed(self, online: bool) -> None:
        self.did.append("online" if online else "offline")

    def find_text(self, text: str) -> bool:
        return text == self.name


class Desk:
    """The window with two screens, its server and its stopwatch."""

    def __init__(self, qtbot: QtBot) -> None:
        self.server, self.watch = Server(), Stopwatch()
        who = SignedIn(
            person="Siti", roles=("cashier",), branch="Cabang Jakarta", counter="Kasir 1", zone=ZoneInfo("Asia/Jakarta")
        )
        self.window = MainWindow(who, ConnectionViewModel(self.server.now, stopwatch=self.watch))
        self.window.add_screen(ScreenKey.CALENDAR, lambda: Page(self.window, "Kalender"))
        self.window.add_screen(ScreenKey.INVOICES, lambda: Page(self.window, "Tagihan"))
        self.window.resize(1366, 656)
        qtbot.addWidget(self.window)
        with qtbot.waitExposed(self.window):
            self.window.show()
        self.window.activateWindow()
        self.window.go(ScreenKey.CALENDAR)

    @property
    def page(self) -> Page:
        page = self.window.current()
        assert isinstance(page, Page)
        return page

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        target = QApplication.focusWidget() or self.window
        QTest.keyClick(target, key, modifier)


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    return Desk(qtbot)


CTRL = Qt.KeyboardModifier.ControlModifier


def test_control_and_a_digit_show_a_screen(desk: Desk) -> None:
    desk.press(Qt.Key.Key_4, CTRL)
    assert desk.page.name == "Tagihan"
    assert desk.window.rail[ScreenKey.INVOICES].isChecked()
    assert not desk.window.rail[ScreenKey.CALENDAR].isChecked()
    assert desk.window.windowTitle() == "Sentra Rental Counter · Cabang Jakarta · Tagihan"


def test_a_screen_is_made_once_and_told_each_time_it_comes(desk: Desk) -> None:
    first = desk.page
    desk.window.go(ScreenKey.INVOICES)
    desk.window.go(ScreenKey.CALENDAR, "BK-1")
    assert desk.page is first
    assert first.arguments == [None, "BK-1"]


def test_places_without_a_screen_are_shown_disabled_with_the_reason(desk: Desk) -> None:
    item = desk.window.rail[ScreenKey.WAITLIST]
    assert item.isVisible()
    assert not item.isEnabled()
    assert "belum ada di versi ini" in item.toolTip()
    desk.press(Qt.Key.Key_5, CTRL)
    assert desk.page.name == "Kalender"
    toast = desk.window.shown_toast()
    assert toast is not None
    assert toast.text() == "Antrean: belum ada di versi ini."


def test_the_screens_keys_work_while_the_focus_is_in_the_windows_own_bars(desk: Desk) -> None:
    places: tuple[QWidget, ...] = (desk.window.top.search.edit, desk.window.rail[ScreenKey.CALENDAR])
    for place in places:
        place.setFocus()
        assert place.hasFocus()
        desk.press(Qt.Key.Key_F9)
    assert desk.page.did.count("pay") == len(places)
    desk.page.pay.setEnabled(False)
    desk.press(Qt.Key.Key_F9)
    assert desk.page.did.count("pay") == len(places)


def test_a_note_stands_above_the_footer_for_five_seconds_and_undo_for_ten(desk: Desk) -> None:
    window = desk.window
    window.toast("Draf disimpan")
    note = window.shown_toast()
    assert note is not None
    assert 4_000 < note.remaining_ms() <= 5_300
    footer_top = window.height() - window.status.height() - theme().sizes.footer_totals
    assert note.geometry().bottom() < footer_top
    assert note.geometry().right() < window.width() - 320
    window.toast("Tahan dilepas", undo=lambda: None)
    undo = window.shown_toast()
    assert undo is not None
    assert 9_000 < undo.remaining_ms() <= 10_600


def test_a_long_path_in_a_note_wraps_and_stays_in_its_corner(desk: Desk) -> None:
    desk.window.toast("Kwitansi tersimpan: INV-JKT-202611-00017.pdf di " + "/folder-panjang" * 12)
    note = desk.window.shown_toast()
    assert note is not None
    assert note.width() <= 448
    assert note.height() > 60
    assert desk.window.rect().contains(note.geometry())


def test_a_note_goes_when_another_screen_comes(desk: Desk) -> None:
    desk.window.toast("Draf disimpan")
    desk.window.go(ScreenKey.INVOICES)
    assert desk.window.shown_toast() is None


def test_the_palette_puts_a_commands_own_words_before_key_names(desk: Desk) -> None:
    desk.window.add_screen(ScreenKey.SHIFT, lambda: Page(desk.window, "Shift"))
    desk.press(Qt.Key.Key_K, CTRL)
    palette = desk.window.overlay()
    assert isinstance(palette, CommandPalette)
    QTest.keyClicks(palette.field.edit, "shift")
    assert [entry.text for entry in palette.shown()] == ["Shift", "Panel sebelum"]
    palette.field.edit.clear()
    QTest.keyClicks(palette.field.edit, "sebel")
    assert [entry.text for entry in palette.shown()] == ["Panel sebelum"]


def test_a_screen_that_holds_something_is_left_when_it_is_ready(desk: Desk) -> None:
    page = desk.page
    page.holds = True
    QTest.mouseClick(desk.window.rail[ScreenKey.INVOICES], Qt.MouseButton.LeftButton)
    assert desk.page is page
    assert desk.window.rail[ScreenKey.CALENDAR].isChecked()
    page.ready_to_leave.emit()
    assert desk.page.name == "Tagihan"


def test_staying_forgets_where_somebody_wanted_to_go(desk: Desk) -> None:
    page = desk.page
    page.holds = page.asks = True
    QTest.mouseClick(desk.window.rail[ScreenKey.INVOICES], Qt.MouseButton.LeftButton)
    page.stayed.emit()
    page.ready_to_leave.emit()
    assert desk.page is page


def test_a_screens_key_runs_once_from_inside_a_field(desk: Desk) -> None:
    desk.page.field.setFocus()
    desk.press(Qt.Key.Key_F9)
    assert desk.page.did.count("pay") == 1


def test_f5_refreshes_and_escape_closes_one_level(desk: Desk) -> None:
    desk.press(Qt.Key.Key_F5)
    desk.press(Qt.Key.Key_Escape)
    assert desk.page.did[-2:] == ["refresh", "escape"]


def test_f1_lists_only_the_keys_that_work_now(desk: Desk) -> None:
    desk.press(Qt.Key.Key_F1)
    overlay = desk.window.overlay()
    assert isinstance(overlay, KeyOverlay)
    keys = {hint.key: hint.text for hint in overlay.hints}
    assert keys["F9"] == "Bayar"
    assert keys["Ctrl+4"] == "Tagihan"
    assert "Ctrl+5" not in keys
    assert "Ctrl+Z" not in keys
    desk.press(Qt.Key.Key_Escape)
    assert desk.window.overlay() is None
    desk.page.pay.setEnabled(False)
    desk.press(Qt.Key.Key_F1)
    overlay = desk.window.overlay()
    assert isinstance(overlay, KeyOverlay)
    assert "F9" not in {hint.key for hint in overlay.hints}


def test_the_palette_runs_a_command_by_its_name(desk: Desk) -> None:
    desk.press(Qt.Key.Key_K, CTRL)
    palette = desk.window.overlay()
    assert isinstance(palette, CommandPalette)
    QTest.keyClicks(palette.field.edit, "tagih")
    assert [entry.text for entry in palette.shown()] == ["Tagihan"]
    QTest.keyClick(palette.field.edit, Qt.Key.Key_Return)
    assert desk.page.name == "Tagihan"
    assert desk.window.overlay() is None


def test_an_overlay_gives_the_focus_back(desk: Desk) -> None:
    desk.page.field.setFocus()
    desk.press(Qt.Key.Key_F1)
    desk.press(Qt.Key.Key_Escape)
    assert desk.page.field.edit.hasFocus()


def test_f2_is_ready_to_search_from_inside_a_field(desk: Desk) -> None:
    desk.page.field.setFocus()
    desk.press(Qt.Key.Key_F2)
    assert desk.window.top.search.edit.hasFocus()


def test_search_asks_the_screen_in_front_and_then_the_others(desk: Desk) -> None:
    desk.window.go(ScreenKey.INVOICES)
    desk.press(Qt.Key.Key_F2)
    QTest.keyClicks(desk.window.top.search.edit, "Kalender")
    desk.press(Qt.Key.Key_Return)
    assert desk.page.name == "Kalender"


def test_a_search_without_result_says_so(desk: Desk) -> None:
    heard: list[str] = []
    announcer().announced.connect(lambda text, _: heard.append(text))
    desk.press(Qt.Key.Key_F2)
    QTest.keyClicks(desk.window.top.search.edit, "zzz")
    desk.press(Qt.Key.Key_Return)
    assert heard == ["Tidak ditemukan: zzz"]


def test_f6_steps_through_the_panes(desk: Desk) -> None:
    desk.page.field.setFocus()
    seen = []
    for _ in range(3):
        desk.press(Qt.Key.Key_F6)
        seen.append(QApplication.focusWidget())
    assert seen[1] is desk.window.top.search.edit
    assert seen[2] is desk.page.field.edit


def test_a_banner_pushes_the_screen_down_and_gives_the_room_back(desk: Desk) -> None:
    before = desk.page.height()
    desk.window.show_banner("x", BannerContent(kind=BannerKind.INFO, title="Kalender dari basis data."))
    QApplication.processEvents()
    assert desk.page.height() == before - 36
    desk.window.show_banner("x", BannerContent(kind=BannerKind.ERROR, title="Kunci hilang.", tall=True))
    QApplication.processEvents()
    assert desk.page.height() == before - 56
    desk.window.hide_banner("x")
    QApplication.processEvents()
    assert desk.page.height() == before


def test_an_error_banner_is_read_at_once(desk: Desk) -> None:
    heard: list[tuple[str, bool]] = []
    announcer().announced.connect(lambda text, assertive: heard.append((text, assertive)))
    desk.window.show_banner("x", BannerContent(kind=BannerKind.ERROR, title="Kunci hilang."))
    assert heard == [("Kunci hilang.", True)]


def test_two_lost_probes_are_offline_and_one_good_one_is_back(desk: Desk) -> None:
    connection = desk.window.connection
    connection.tick()
    assert connection.reach is Reach.ONLINE
    desk.server.is_down = True
    connection.tick()
    assert connection.reach is Reach.SLOW
    assert desk.window.is_online()
    desk.watch.seconds += 50
    connection.tick()
    assert not desk.window.is_online()
    banner = desk.window.banners.shown("offline")
    assert banner is not None
    assert banner.accessibleName().startswith("Koneksi terputus 14.06. Data dari 14.05.10, umur 50 dtk. Menahan unit")
    assert banner.content().stamp == "Mencoba sekarang…", "nothing asks by itself here"
    connection._timer.start()
    desk.window._outage.show_now()
    assert banner.content().stamp == "Mencoba lagi 3 dtk"
    connection._timer.stop()
    assert desk.page.did[-1] == "offline"
    assert desk.window.status.reach.text() == "Terputus 14.06"
    desk.server.is_down = False
    banner.buttons[0].click()
    assert desk.window.is_online()
    assert desk.window.banners.shown("offline") is None
    assert desk.page.did[-1] == "online"


def test_the_age_of_the_data_counts_on_in_the_same_banner(desk: Desk) -> None:
    connection = desk.window.connection
    connection.tick()
    desk.server.is_down = True
    connection.tick()
    connection.tick()
    banner = desk.window.banners.shown("offline")
    assert banner is not None
    banner.buttons[0].setFocus()
    desk.watch.seconds += 126
    desk.window._outage._timer.timeout.emit()
    assert desk.window.banners.shown("offline") is banner
    assert banner.content().figure == "2 mnt 06 dtk"
    assert banner.buttons[0].hasFocus(), "whoever is about to try again is not interrupted"


def test_an_outage_is_told_in_the_language_that_is_chosen_during_it(desk: Desk) -> None:
    connection = desk.window.connection
    connection.tick()
    desk.server.is_down = True
    connection.tick()
    connection.tick()
    use_language(Language.EN)
    QApplication.processEvents()
    assert desk.window.status.reach.text() == "Offline 14:05"
    banner = desk.window.banners.shown("offline")
    assert banner is not None
    assert "14:05" in banner.content().title


def test_a_banner_about_the_connection_makes_the_status_bar_amber_for_as_long_as_it_stands(desk: Desk) -> None:
    desk.window.connection.tick()
    reach = desk.window.status.reach
    desk.window.show_banner("index", BannerContent(kind=BannerKind.INFO, title="A", standing="dari basis data"))
    assert (reach._reach, reach.text()) == (Reach.SLOW, "Lambat · dari basis data")
    desk.window.hide_banner("index")
    assert reach._reach is Reach.ONLINE


def test_a_probe_that_hangs_counts_as_lost(held_runner: HeldRunner, qtbot: QtBot) -> None:
    desk = Desk(qtbot)
    connection = desk.window.connection
    for _ in range(3):
        connection.tick()
    assert held_runner.waiting == 1
    assert connection.reach is Reach.OFFLINE
    held_runner.go_on()
    assert connection.reach is Reach.ONLINE


def test_a_slow_server_is_said_so(desk: Desk) -> None:
    class Slow:
        def __init__(self) -> None:
            self.at = 0.0

        def __call__(self) -> float:
            self.at += 1.7
            return self.at

    connection = ConnectionViewModel(desk.server.now, stopwatch=Slow())
    connection.tick()
    assert connection.reach is Reach.SLOW
    assert connection.now() == NOW + dt.timedelta(seconds=1.7)


def test_the_status_bar_shows_only_facts_that_are_true(desk: Desk) -> None:
    desk.window.show_shift(OpenShift(number=214, opened_at=dt.datetime(2026, 11, 30, 1, 2, tzinfo=dt.UTC)))
    desk.window.set_fact("drafts", "2 draf")
    assert desk.window.status.facts() == ("Shift #214 buka 08.02", "2 draf")
    desk.window.show_shift(None)
    desk.window.set_fact("drafts", "")
    assert desk.window.status.facts() == ()


def test_undo_works_by_key_while_its_toast_is_there(desk: Desk) -> None:
    undone: list[int] = []
    desk.window.toast("Tahan B 1207 dilepas", undo=lambda: undone.append(1))
    desk.press(Qt.Key.Key_Z, CTRL)
    desk.press(Qt.Key.Key_Z, CTRL)
    assert undone == [1]


def test_locking_lets_the_screen_give_back_what_it_holds(desk: Desk) -> None:
    locked: list[int] = []
    desk.window.lock_wanted.connect(lambda: locked.append(1))
    left: list[int] = []
    desk.page.leave = lambda: bool(left.append(1)) or True  # type: ignore[method-assign]
    desk.press(Qt.Key.Key_L, CTRL)
    assert locked == [1]
    assert left == [1]


def test_at_the_end_every_view_model_is_closed(desk: Desk) -> None:
    model = ViewModel(desk.page)
    desk.window.close_screens()
    assert model.is_closed
    assert desk.window.connection.is_closed


def test_every_text_changes_with_the_language(desk: Desk) -> None:
    desk.window.connection.tick()
    use_language(Language.EN)
    QApplication.processEvents()
    assert desk.window.rail[ScreenKey.CALENDAR].text() == "Calendar"
    assert desk.window.top.search.edit.placeholderText() == "Search / scan booking, customer, plate"
    assert "not in this version" in desk.window.rail[ScreenKey.WAITLIST].toolTip()
    assert desk.window.keys.find("F5") is not None
    assert {hint.text for _, hints in desk.window.keys_now() for hint in hints} >= {"Refresh", "Lock screen"}


@pytest.mark.parametrize("language", list(Language))
def test_every_focusable_widget_has_a_name(desk: Desk, language: Language) -> None:
    use_language(language)
    QApplication.processEvents()
    nameless = [
        widget
        for widget in desk.window.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and widget.isVisible()
        and widget.focusProxy() is None
        and not widget.accessibleName()
        and widget is not desk.page
    ]
    assert nameless == []


def test_f3_finds_customers_except_where_a_screen_has_its_own_f3(desk: Desk) -> None:
    """The register has no place on the rail: a key opens it."""
    window = desk.window
    window.add_screen(ScreenKey.CUSTOMERS, lambda: Page(window, "Pelanggan"))
    assert ScreenKey.CUSTOMERS not in window.rail
    window.go(ScreenKey.INVOICES)
    desk.press(Qt.Key.Key_F3)
    assert window.current_key() is ScreenKey.CUSTOMERS
    window.go(ScreenKey.CALENDAR)
    own = window.current()
    assert own is not None
    found: list[str] = []
    own.add_key("F3", "Pelanggan booking", lambda: found.append("own"))
    window.go(ScreenKey.INVOICES)
    window.go(ScreenKey.CALENDAR)
    desk.press(Qt.Key.Key_F3)
    assert (found, window.current_key()) == (["own"], ScreenKey.CALENDAR)
    desk.press(Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert window.current_key() is ScreenKey.CUSTOMERS
