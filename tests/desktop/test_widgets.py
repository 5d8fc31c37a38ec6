"""The base widgets behave: keys on buttons, fields that understand, chips, toasts that wait, lists that can be read."""

import datetime as dt
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QAction, QEnterEvent, QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.icons import IconRole, icon, icon_pixmap
from app.desktop.language import use_language
from app.desktop.resources import resource
from app.desktop.screen import BannerAction, BannerContent
from app.desktop.states import ShownState, state_label
from app.desktop.theme import BannerKind, Theme, theme, use_theme
from app.desktop.widgets.banner import Banner
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.countdown import CountdownBar, ProgressLine
from app.desktop.widgets.date_field import DateField
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import StateChip
from app.desktop.widgets.money_field import MoneyField
from app.desktop.widgets.paint import key_text
from app.desktop.widgets.rail import RailItem
from app.desktop.widgets.segment import Choice, Segment
from app.desktop.widgets.toast import Toast

TODAY = dt.date(2026, 11, 30)


Show = Callable[[QWidget], None]


@pytest.fixture
def show(qtbot: QtBot) -> Iterator[Show]:
    """Puts a widget into an active window that lives as long as the test."""
    hosts: list[QWidget] = []

    def put(widget: QWidget) -> None:
        host = QWidget()
        hosts.append(host)
        QHBoxLayout(host).addWidget(widget)
        qtbot.addWidget(host)
        with qtbot.waitExposed(host):
            host.show()
        host.activateWindow()

    yield put
    hosts.clear()


def test_a_buttons_name_carries_its_key() -> None:
    button = Button("Bayar", key="F9")
    assert button.accessibleName() == "Bayar, F9"
    button.setText("Bayar Rp 1.000")
    assert button.accessibleName() == "Bayar Rp 1.000, F9"


def test_a_button_follows_its_action(qtbot: QtBot) -> None:
    action = QAction("Bayar")
    action.setShortcut(QKeySequence("F9"))
    action.setEnabled(False)
    button = Button("Bayar")
    qtbot.addWidget(button)
    button.follow(action)
    assert not button.isEnabled()
    assert button.accessibleName() == "Bayar, F9"
    runs: list[int] = []
    action.triggered.connect(lambda: runs.append(1))
    button.click()
    action.setEnabled(True)
    button.click()
    assert runs == [1]


def test_a_disabled_button_says_why() -> None:
    button = Button("Bayar")
    button.set_reason("Shift belum dibuka.")
    assert not button.isEnabled()
    assert button.toolTip() == button.accessibleDescription() == "Shift belum dibuka."
    button.set_reason("")
    assert button.isEnabled()
    assert button.toolTip() == ""


def test_enter_presses_the_focused_button_once_and_not_while_held(show: Show) -> None:
    button = Button("Simpan")
    show(button)
    presses: list[int] = []
    button.clicked.connect(lambda: presses.append(1))
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Return)
    held = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", True)
    QApplication.sendEvent(button, held)
    assert presses == [1]


@pytest.mark.parametrize("size", list(ButtonSize))
def test_buttons_have_the_heights_of_the_style(size: ButtonSize) -> None:
    assert Button("X", size=size).sizeHint().height() == size.height + 6
    assert min(Button("X", size=size).sizeHint().width(), size.height) >= 24


def test_money_is_grouped_while_typed_and_echoed_in_words(show: Show) -> None:
    field = MoneyField("Diterima")
    show(field)
    heard: list[object] = []
    field.amount_changed.connect(heard.append)
    field.setFocus()
    QTest.keyClicks(field.edit, "1500000")
    assert field.text() == "1.500.000"
    assert field.amount() == 1_500_000
    assert heard[-1] == 1_500_000
    assert field.echo() == "satu juta lima ratus ribu rupiah"


@pytest.mark.parametrize(
    ("typed", "shown", "amount"),
    [
        ("1250", "1.250", 1250),
        ("1.250.000", "1.250.000", 1_250_000),
        ("1.25jt", "1.25jt", 1_250_000),
        ("1250rb", "1.250rb", 1_250_000),
        ("999999999999", "999.999.999.999", 999_999_999_999),
        ("007", "7", 7),
    ],
)
def test_amounts_may_be_typed_key_by_key_in_every_form(show: Show, typed: str, shown: str, amount: int) -> None:
    field = MoneyField("Diterima")
    show(field)
    field.setFocus()
    QTest.keyClicks(field.edit, typed)
    assert (field.text(), field.amount()) == (shown, amount)


def test_a_thirteenth_digit_is_no_amount(show: Show) -> None:
    field = MoneyField("Diterima")
    show(field)
    field.setFocus()
    QTest.keyClicks(field.edit, "9999999999999")
    assert field.amount() is None


def test_deleting_and_inserting_keep_the_cursor_among_the_digits(show: Show) -> None:
    field = MoneyField("Diterima")
    show(field)
    field.setFocus()
    field.set_amount(1_500_000)
    QTest.keyClick(field.edit, Qt.Key.Key_Backspace)
    assert (field.text(), field.amount()) == ("150.000", 150_000)
    field.edit.setCursorPosition(1)
    QTest.keyClick(field.edit, Qt.Key.Key_2)
    assert (field.text(), field.edit.cursorPosition()) == ("1.250.000", 3)


def test_short_forms_become_the_amount_on_enter(show: Show) -> None:
    field = MoneyField("Diterima")
    show(field)
    field.setFocus()
    QTest.keyClicks(field.edit, "1,25jt")
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert field.text() == "1.250.000"
    assert not field.is_wrong()


def test_what_is_no_amount_is_marked_on_leaving_and_not_while_typing(show: Show) -> None:
    field = MoneyField("Diterima")
    show(field)
    field.setFocus()
    QTest.keyClicks(field.edit, "5x")
    assert not field.is_wrong()
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert field.is_wrong()
    assert field.amount() is None
    assert field.text() == "5x"


def test_a_money_field_regroups_when_the_language_changes(show: Show) -> None:
    field = MoneyField("Diterima")
    show(field)
    field.set_amount(1_250_000)
    use_language(Language.EN)
    QApplication.processEvents()
    assert field.text() == "1,250,000"


def test_the_weekday_is_shown_at_once_and_the_date_written_out_on_enter(show: Show) -> None:
    field = DateField("Tanggal ambil", lambda: TODAY)
    show(field)
    field.setFocus()
    QTest.keyClicks(field.edit, "3/12")
    assert field.suffix() == "Kam 3 Des"
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert field.text() == "3 Des 2026"
    assert field.day() == dt.date(2026, 12, 3)


def test_a_day_that_does_not_exist_is_marked(show: Show) -> None:
    field = DateField("Tanggal ambil", lambda: TODAY)
    show(field)
    field.setFocus()
    QTest.keyClicks(field.edit, "31/2")
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert field.is_wrong()
    assert field.day() is None


def test_a_field_gives_its_name_to_the_edit_and_its_focus_too(show: Show) -> None:
    field = Field("Telepon")
    show(field)
    field.setFocus()
    assert field.edit.hasFocus()
    assert field.edit.accessibleName() == "Telepon"


def test_a_read_only_field_keeps_what_was_typed() -> None:
    field = Field("Telepon")
    field.set_text("0812")
    field.set_reason("Kunci hilang.")
    assert field.edit.isReadOnly()
    assert field.text() == "0812"
    assert field.edit.isEnabled()


def test_a_segment_is_one_tab_stop_and_steps_with_arrows(show: Show) -> None:
    segment = Segment("Hari", [Choice(key="7", text="7"), Choice(key="14", text="14"), Choice(key="31", text="31")])
    show(segment)
    heard: list[str] = []
    segment.chosen.connect(heard.append)
    QTest.keyClick(segment, Qt.Key.Key_Right)
    QTest.keyClick(segment, Qt.Key.Key_Right)
    QTest.keyClick(segment, Qt.Key.Key_Right)
    assert heard == ["14", "31"]
    assert segment.current() == "31"


def test_choosing_a_cell_moves_nothing() -> None:
    segment = Segment("F", [Choice(key="a", text="Belum lunas", count=14), Choice(key="b", text="Denda", count=1)])
    before = segment.sizeHint()
    segment.choose("b")
    assert segment.sizeHint() == before


@pytest.mark.parametrize("state", list(ShownState))
def test_chips_hold_their_code_and_word_in_both_languages(state: ShownState) -> None:
    widths = []
    for language in Language:
        use_language(language)
        chip = StateChip(state)
        assert chip.accessibleName() == state_label(state)
        widths.append(chip.sizeHint().width())
    assert all(width > 40 for width in widths)


def test_a_toast_waits_while_pointed_at(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(600, 200)
    host.show()
    undone: list[int] = []
    toast = Toast("Tahan B 1207 dilepas", "Urungkan", lambda: undone.append(1), 10, host)
    toast.show()
    assert not toast.is_waiting()
    QApplication.sendEvent(toast, QEnterEvent(QPointF(1, 1), QPointF(1, 1), QPointF(1, 1)))
    assert toast.is_waiting()
    QApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))
    assert not toast.is_waiting()
    assert toast.remaining_ms() > 9000


def test_a_toast_undoes_once(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    undone: list[int] = []
    toast = Toast("x", "Urungkan", lambda: undone.append(1), 10, host)
    toast.take_back()
    toast.take_back()
    assert undone == [1]


def test_a_banner_is_read_as_its_words_and_its_last_button_helps(qtbot: QtBot) -> None:
    tried: list[int] = []
    action = BannerAction(text="Coba sekarang", run=lambda: tried.append(1))
    content = BannerContent(
        kind=BannerKind.WARNING, title="Koneksi terputus 14.05.", text="Data dari 14.03.", actions=(action,)
    )
    banner = Banner(content)
    qtbot.addWidget(banner)
    assert banner.accessibleName() == "Koneksi terputus 14.05. Data dari 14.03."
    assert banner.height() == theme().sizes.banner
    banner.buttons[0].click()
    assert tried == [1]


def test_the_progress_line_is_not_seen_before_300_ms() -> None:
    line = ProgressLine()
    line.set_running(True)
    assert not line.is_moving()
    line.set_running(False)
    assert ProgressLine.DELAY_MS == 300


def test_a_countdown_bar_stays_between_empty_and_full() -> None:
    bar = CountdownBar()
    bar.set_share(1.7)
    assert bar.share() == 1.0
    bar.set_share(-1)
    assert bar.share() == 0.0


def test_a_rail_item_reads_its_count_and_key() -> None:
    item = RailItem("invoice", "Tagihan", "Ctrl+4")
    item.set_count(3)
    assert item.accessibleName() == "Tagihan, 3, Ctrl+4"
    item.set_reason("Belum ada.")
    assert "Belum ada." in item.toolTip()
    assert not item.isEnabled()


@pytest.mark.parametrize("name", sorted(path.stem for path in resource("icons").glob("*.svg") if path.stem != "app"))
def test_every_icon_is_drawn_and_takes_the_themes_colour(qapp: QApplication, name: str) -> None:
    def near_accent() -> bool:
        accent, image = theme().accent, icon(name, IconRole.ACCENT).pixmap(60, 60).toImage()
        pixels = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
        solid = [c for c in pixels if c.alpha() > 200]
        return bool(solid) and all(
            abs(c.red() - accent.red()) + abs(c.green() - accent.green()) + abs(c.blue() - accent.blue()) < 12
            for c in solid
        )

    assert near_accent()
    use_theme(Theme.dark(), qapp)
    assert near_accent()


def test_icons_are_sharp_on_dense_screens() -> None:
    picture = icon_pixmap("lock", theme().text, 20, 1.5)
    assert picture.width() == 30
    assert picture.devicePixelRatio() == 1.5


def test_an_icon_without_a_drawing_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        icon("no such icon")


def test_keys_are_written_as_people_say_them() -> None:
    assert key_text("Ctrl+Return") == "Ctrl+Enter"
    assert key_text("Left") == "←"
    assert key_text("Space") == "Spasi"
    use_language(Language.EN)
    assert key_text("Space") == "Space"
