"""No text is cut in login, shell and shift, in both languages and at the sizes of 100, 125 and 150 %."""

from zoneinfo import ZoneInfo

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screen import ScreenKey
from app.desktop.screens.login_view import LoginView
from app.desktop.screens.login_viewmodel import LoginPerson, LoginViewModel
from app.desktop.screens.shift_view import ShiftScreen
from app.desktop.screens.shift_viewmodel import ShiftViewModel
from app.desktop.shell_texts import rail_word
from app.desktop.theme import TextRole, theme
from app.desktop.widgets.label import ElidedLabel
from app.desktop.widgets.rail import RailItem
from app.domain.money import Rupiah
from tests.desktop.shells import QuietShell
from tests.desktop.test_shell import Desk
from tests.desktop.test_shift import Till

PEOPLE = tuple(LoginPerson(login=name, name=name.capitalize(), roles=("agent", "cashier")) for name in ("siti", "ayu"))


def cut_texts(window: QWidget) -> list[str]:
    """The texts of visible labels and buttons that need more room than they have."""
    found = []
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or isinstance(widget, ElidedLabel | RailItem):
            continue
        if isinstance(widget, QLabel) and widget.text():
            width = widget.contentsRect().width()
            if widget.wordWrap():
                box = widget.fontMetrics().boundingRect(0, 0, width, 10_000, 0x1000, widget.text())
                if box.height() > widget.contentsRect().height():
                    found.append(widget.text())
            elif widget.fontMetrics().horizontalAdvance(widget.text()) > width:
                found.append(widget.text())
        elif isinstance(widget, QAbstractButton) and widget.sizeHint().width() > widget.width():
            found.append(widget.text())
    return found


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("size", [(1366, 656), (1093, 550), (911, 455)])
def test_login_texts_fit(qtbot: QtBot, language: Language, size: tuple[int, int]) -> None:
    use_language(language)
    view = LoginView(LoginViewModel(lambda *_: None, PEOPLE), branch="Cabang Jakarta", counter="Kasir 1")
    view.resize(*size)
    qtbot.addWidget(view)
    with qtbot.waitExposed(view):
        view.show()
    view.password.caps_lock_changed.emit(True)
    view.submit()
    QApplication.processEvents()
    assert cut_texts(view) == []


@pytest.mark.parametrize("language", list(Language))
def test_shell_texts_fit(qtbot: QtBot, language: Language) -> None:
    use_language(language)
    desk = Desk(qtbot)
    QApplication.processEvents()
    assert cut_texts(desk.window) == []


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("key", list(ScreenKey))
def test_rail_words_fit_their_56_pixels(language: Language, key: ScreenKey) -> None:
    use_language(language)
    metrics = QFontMetrics(theme().font(TextRole.RAIL, 600))
    assert metrics.horizontalAdvance(rail_word(key)) <= theme().sizes.rail


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("is_open", [False, True])
def test_shift_texts_fit(qtbot: QtBot, language: Language, is_open: bool) -> None:
    use_language(language)
    till = Till()
    if is_open:
        till.open("Kasir 1", Rupiah(1_250_000))
    model = ShiftViewModel(
        current_shift=till.current,
        open_shift=till.open,
        zone=ZoneInfo("Asia/Jakarta"),
        drawer="Kasir 1",
        roles=frozenset({"agent"}),
    )
    screen = ShiftScreen(model, QuietShell())
    screen.resize(1310, 592)
    qtbot.addWidget(screen)
    with qtbot.waitExposed(screen):
        screen.show()
    screen.activate()
    screen.float_field.set_amount(999_999_999_999)
    QApplication.processEvents()
    assert cut_texts(screen) == []
