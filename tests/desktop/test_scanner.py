"""A scanner's burst is a code and never typing; typing is typing and never a code, down to the last key."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.scan_burst import Burst, Code, CodeKind, Repeats, Verdict, code_of
from app.desktop.scanner import Scanner
from app.desktop.widgets.field import Field
from tests.desktop.scanned_keys import send_keys


def fed(burst: Burst, text: str, gap: int, start: int = 1000) -> int:
    """Signs with this time between them; the time of the last one."""
    at = start
    for place, sign in enumerate(text):
        at = start + place * gap
        burst.sign(sign, at)
    return at


@pytest.mark.parametrize(("gap", "is_scan"), [(1, True), (35, True), (36, False), (120, False)])
def test_the_time_between_the_keys_decides(gap: int, is_scan: bool) -> None:
    burst = Burst()
    at = fed(burst, "U-avanza-1", gap)
    assert burst.is_scan(at + 5) is is_scan


def test_five_signs_are_no_scan_and_six_are() -> None:
    for text, is_scan in (("12345", False), ("123456", True)):
        burst = Burst()
        assert burst.is_scan(fed(burst, text, 10) + 10) is is_scan


def test_enter_long_after_a_fast_word_is_a_persons() -> None:
    burst = Burst()
    assert not burst.is_scan(fed(burst, "avanza", 10) + 200)


def test_a_burst_never_begins_in_the_middle_of_fast_signs() -> None:
    burst = Burst()
    at = fed(burst, "U-ava", 10)
    burst.release()
    assert burst.sign("n", at + 10) is Verdict.PASS
    assert burst.sign("z", at + 20) is Verdict.PASS
    assert burst.sign("1", at + 400) is Verdict.HOLD


def test_a_configured_prefix_makes_a_short_code_a_scan_and_is_taken_off() -> None:
    burst = Burst(prefix="~")
    assert burst.is_scan(fed(burst, "~77", 10) + 10)
    assert burst.take() == "77"


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=6, max_size=60), st.integers(0, 35))
def test_every_fast_text_is_read_whole(text: str, gap: int) -> None:
    burst = Burst()
    assert burst.is_scan(fed(burst, text, gap) + gap)
    assert burst.take() == text


@given(st.lists(st.integers(36, 400), min_size=1, max_size=40))
def test_no_typing_slower_than_the_gap_is_ever_a_scan(gaps: list[int]) -> None:
    burst, at = Burst(), 0
    for gap in gaps:
        at += gap
        burst.sign("x", at)
        assert not burst.is_scan(at + 1)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("U-uuid-avanza-001", CodeKind.UNIT, "uuid-avanza-001"),
        ("u-UUID-AVANZA-001", CodeKind.UNIT, "UUID-AVANZA-001"),
        ("B-BK-10240", CodeKind.BOOKING, "BK-10240"),
        ("I-INV/JKT/202611/00017", CodeKind.INVOICE, "INV/JKT/202611/00017"),
        ("C-081234567890", CodeKind.CUSTOMER, "081234567890"),
        ("8991234567890", CodeKind.UNKNOWN, "8991234567890"),
        ("U-", CodeKind.UNKNOWN, "U-"),
    ],
)
def test_codes_are_told_by_their_first_signs(text: str, kind: CodeKind, value: str) -> None:
    assert code_of(text) == Code(kind=kind, value=value)


def test_the_same_code_within_three_seconds_is_one_scan() -> None:
    repeats = Repeats()
    assert [
        repeats.is_repeat(code, at) for code, at in (("a", 0), ("a", 900), ("b", 1000), ("a", 1100), ("a", 9000))
    ] == [
        False,
        True,
        False,
        False,
        False,
    ]


def test_a_code_that_is_scanned_on_and_on_is_answered_every_three_seconds() -> None:
    repeats = Repeats()
    assert [repeats.is_repeat("a", at) for at in range(0, 9000, 1500)] == [False, True, False, True, False, True]


class Counter:
    """A window with a field and a list with a letter of its own, and the scanner before them."""

    def __init__(self, app: QApplication, qtbot: QtBot) -> None:
        self.page, self.field, self.list = QWidget(), Field("Nama"), QListWidget()
        column = QVBoxLayout(self.page)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.ran: list[str] = []
        today = QAction("Hari ini", self.list)
        today.setShortcut(QKeySequence("T"))
        today.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        today.triggered.connect(lambda: self.ran.append("T"))
        self.list.addAction(today)
        self.entered: list[str] = []
        self.field.edit.returnPressed.connect(lambda: self.entered.append(self.field.text()))
        self.is_wanted = True
        self.scanner = Scanner(app, lambda: self.is_wanted, Burst())
        self.codes: list[str] = []
        self.scanner.scanned.connect(self.codes.append)
        qtbot.addWidget(self.page)
        with qtbot.waitExposed(self.page):
            self.page.show()
        self.page.activateWindow()

    def keys(self, text: str) -> None:
        """As the window system brings them, without a pause."""
        send_keys(self.page.windowHandle(), text)


@pytest.fixture
def counter(qapp: QApplication, qtbot: QtBot) -> Iterator[Counter]:
    made = Counter(qapp, qtbot)
    yield made
    made.scanner.close()


def test_a_scan_is_taken_out_whatever_has_the_focus_and_runs_no_key(counter: Counter) -> None:
    for place in (counter.field.edit, counter.list):
        place.setFocus()
        counter.keys(f"u-test-{len(counter.codes)}1\n")
    assert counter.codes == ["u-test-01", "u-test-11"]
    assert (counter.field.text(), counter.entered, counter.ran) == ("", [], [])


def test_typing_arrives_in_order_with_its_enter(counter: Counter) -> None:
    counter.field.setFocus()
    counter.keys("ab")
    assert counter.field.text() == "", "held for a moment"
    counter.scanner.release()
    assert counter.field.text() == "ab"
    counter.keys("cd\n")
    assert (counter.field.text(), counter.entered, counter.codes) == ("abcd", ["abcd"], [])


def test_a_letter_of_the_focused_widget_still_works_and_not_in_a_field(counter: Counter) -> None:
    counter.list.setFocus()
    counter.keys("t")
    counter.scanner.release()
    assert counter.ran == ["T"]
    counter.field.setFocus()
    QTest.keyClick(counter.field.edit, Qt.Key.Key_Left)
    counter.keys("t")
    counter.scanner.release()
    assert (counter.ran, counter.field.text()) == (["T"], "t")


def test_another_key_lets_go_of_what_is_held_before_it_acts(counter: Counter) -> None:
    counter.field.setFocus()
    counter.keys("abc")
    QTest.keyClick(counter.page.windowHandle(), Qt.Key.Key_Backspace)
    assert counter.field.text() == "ab"


def test_what_nothing_follows_is_let_go_by_itself(counter: Counter, qtbot: QtBot) -> None:
    counter.field.setFocus()
    counter.keys("x")
    assert counter.scanner.is_holding()
    qtbot.waitUntil(lambda: counter.field.text() == "x")
    assert not counter.scanner.is_holding()


def test_at_the_login_a_burst_is_typing(counter: Counter) -> None:
    counter.is_wanted = False
    counter.field.setFocus()
    counter.keys("rahasia1\n")
    assert (counter.field.text(), counter.codes) == ("rahasia1", [])
