"""What a screen is to the main window: the base class of all screens, and what the window offers to them."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from app.desktop.theme import BannerKind
from app.desktop.viewmodel import ViewModel


class ScreenKey(StrEnum):
    """The places of the rail, in its order (Ctrl+1 to Ctrl+9, then settings at the bottom with Ctrl+,).

    Behind them the screens that a key opens and the rail does not show (`OFF_RAIL`).
    """

    CALENDAR = "calendar"
    BOOKINGS = "bookings"
    INSPECTION = "inspection"
    INVOICES = "invoices"
    WAITLIST = "waitlist"
    MAINTENANCE = "maintenance"
    EXTENSIONS = "extensions"
    SHIFT = "shift"
    REPORTS = "reports"
    SETTINGS = "settings"
    CUSTOMERS = "customers"


OFF_RAIL = frozenset({ScreenKey.CUSTOMERS})
RAIL = tuple(key for key in ScreenKey if key not in OFF_RAIL)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyHint:
    """One line of the F1 overlay: a key that works right now and what it does."""

    key: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BannerContent:
    """A message across the window: a bold fact, its consequence, the time at the right, at most two buttons.

    `title` and `text` are plain text. `tall` makes the 56 px form with the text below the title. The last button is the
    one that helps; with `primary` it is filled and takes the focus. `figure` is a second bold part, between `text` and
    `rest`; it is never cut. `standing` is what the status bar says of the connection while the banner is there.
    """

    kind: BannerKind
    title: str
    text: str = ""
    figure: str = ""
    rest: str = ""
    stamp: str = ""
    standing: str = ""
    icon: str = ""
    tall: bool = False
    primary: bool = False
    actions: tuple["BannerAction", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BannerAction:
    text: str
    run: Callable[[], object]
    key: str = ""
    icon: str = ""


Words = str | Callable[[], str]
"""A text, or what says it in the language in use."""


class Shell(Protocol):
    """What the main window does for a screen."""

    def go(self, key: ScreenKey, argument: object = None) -> None:
        """Show another screen; the one shown is asked first (`leave`)."""
        ...

    def show_banner(self, name: str, content: BannerContent) -> None:
        """Show or replace the banner of that name; it pushes the content down, never covers it."""
        ...

    def hide_banner(self, name: str) -> None: ...

    def toast(
        self, text: Words, *, undo: Callable[[], object] | None = None, seconds: int = 0, detail: str = ""
    ) -> None:
        """A short message above the footer, gone when another screen comes; with `undo` a button and Ctrl+Z, which a
        later message without one does not end.

        It waits while pointed at or focused. Words that are called follow a change of language; others go with it.
        `seconds` 0 is 5 s for a plain note and 10 s with `undo`. `detail` is
        what a tooltip adds, such as a folder.
        """
        ...

    def withdraw(self, undo: Callable[[], object]) -> None:
        """There is nothing left that this could take back: its message goes, any other one stays."""
        ...

    def set_badge(self, key: ScreenKey, count: int) -> None:
        """The small count on a rail item; 0 removes it."""
        ...

    def is_online(self) -> bool:
        """False while the database does not answer; screens refuse before typing starts then."""
        ...

    def refresh_shift(self) -> None:
        """Read again which cash shift is open, for the status bar."""
        ...

    def set_fact(self, name: str, text: str) -> None:
        """A fact in the status bar, only while it is true; an empty text removes it."""
        ...


class Finder(Protocol):
    """The search of the window, when somebody answers it."""

    def enter(self) -> bool:
        """Enter in the field; False leaves it to what the screens show."""
        ...

    def leave(self) -> bool:
        """Esc in the field; False when there is no place to go back to."""
        ...


class Screen(QWidget):
    """A page of the main window. Subclasses override what they need; the defaults are safe.

    Life: created once when first shown, `activate(argument)` each time it comes to the front, `refresh()` on F5 (never
    discards a form), `leave()` before another screen is shown. Keys are made by `add_key`; the F1 overlay shows those
    that are enabled at that moment, so disable the QAction while it does not apply.
    """

    ready_to_leave = Signal()
    stayed = Signal()

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shell = shell
        self.idle_keys: Callable[[], frozenset[str]] = frozenset
        """Keys, as on caps, that would only say no now; F1 and the palette leave them out."""
        self.plain_keys: Callable[[], tuple[str, tuple[KeyHint, ...]]] = lambda: ("", ())
        """Keys that the part with the focus takes by itself, such as arrows: F1 lists them first under this heading."""
        # A screen whose focused part goes away can take the focus itself: its keys work only while it has it.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def title(self) -> str:
        """The translated name of the screen, for the window title and screen readers."""
        return ""

    def activate(self, argument: object = None) -> None:
        """The screen was brought to the front; set the focus where typing should start."""

    def home(self) -> QWidget | None:
        """What takes the focus when whatever had it goes away; None where that needs no place."""
        return None

    def refresh(self) -> None:
        """Read again what is shown."""

    def leave(self) -> bool:
        """May another screen be shown now? False keeps this one.

        A screen that must finish something first (give a lock back) starts it, answers False and emits `ready_to_leave`
        when done: the window then goes where the person wanted, without asking again. One that asks the person says so
        with `is_asking`, and emits `stayed` when the answer is to stay: nobody goes anywhere then.
        """
        return True

    def is_asking(self) -> bool:
        """`leave` waits for a person's answer, however long that takes."""
        return False

    def shut(self) -> None:
        """Log-out or the end: every view model below is closed, late answers go nowhere."""
        for model in self.findChildren(ViewModel):
            model.close()

    def connection_changed(self, online: bool) -> None:
        """The database stopped or started to answer. What was typed stays; only what needs the server is disabled."""

    def find_text(self, text: str) -> bool:
        """Show what was typed or scanned into the search field of the window (F2); False when it is not found here."""
        return False

    def escape(self) -> bool:
        """Close one level (a popover, a drawer, a search text). False when there was nothing to close."""
        return False

    def panes(self) -> tuple[QWidget, ...]:
        """The widgets F6 and Shift+F6 step through, in reading order."""
        return (self,)

    def toast_inset(self) -> int:
        """Pixels at the left that a short message leaves free."""
        return 0

    def add_key(self, key: str, text: str, run: Callable[[], object], owner: QObject | None = None) -> QAction:
        """A key of this screen, for example `add_key("F9", self.tr("Bayar"), self._pay)`.

        It works while the focus is in the screen, fires once per press and is listed by F1 while it is enabled.
        Set `text` again on a LanguageChange. What `run` calls must check for itself whether it may run now.
        """
        action = QAction(text, owner or self)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.setAutoRepeat(False)
        action.triggered.connect(lambda *_: run())
        self.addAction(action)
        return action

    def keys(self) -> tuple[KeyHint, ...]:
        """The keys that work now, from the actions of the screen and of its visible children."""
        found: dict[str, KeyHint] = {}
        for widget in (self, *self.findChildren(QWidget)):
            if widget is not self and not widget.isVisibleTo(self):
                continue
            for action in widget.actions():
                key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
                if key and action.isEnabled() and action.text():
                    found.setdefault(key, KeyHint(key=key, text=action.text()))
        return tuple(found.values())
