"""The keys that work on every screen: one list of actions that F1, the palette and the menu read."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from app.desktop.widgets.paint import key_text

IDLE = "idle"
"""A property of actions: pressing the key now only says that there is nothing to do."""


class ShellKeys:
    """Actions of a window, each with a text that is asked for again when the language changes."""

    def __init__(self, owner: QWidget) -> None:
        self._owner = owner
        self._keys: list[tuple[QAction, Callable[[], str]]] = []

    def add(self, sequence: str, text: Callable[[], str], run: Callable[[], object]) -> QAction:
        """A key that works while the focus is anywhere in the window; once per press."""
        action = QAction(self._owner)
        action.setShortcut(QKeySequence(sequence))
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.setAutoRepeat(False)
        action.triggered.connect(lambda *_: run())
        self._owner.addAction(action)
        self._keys.append((action, text))
        return action

    def actions(self) -> tuple[QAction, ...]:
        return tuple(action for action, _ in self._keys)

    def find(self, sequence: str) -> QAction | None:
        return next((action for action in self.actions() if action_key(action) == key_text(sequence)), None)

    def retranslate(self) -> None:
        for action, text in self._keys:
            action.setText(text())


def action_key(action: QAction) -> str:
    """An action's key as it is written on caps."""
    return key_text(action.shortcut().toString(QKeySequence.SequenceFormat.PortableText))


def actions_now(actions: Iterable[QAction]) -> list[QAction]:
    """Those that have a key and a name, are enabled, and would do more than say that there is nothing to do (IDLE)."""
    return [
        action
        for action in actions
        if action.isEnabled() and action.text() and not action.shortcut().isEmpty() and not action.property(IDLE)
    ]


def is_command(event: QKeyEvent) -> bool:
    """A function key or one with Ctrl or Alt; plain letters and digits belong to whatever has the focus."""
    held = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    return bool(event.modifiers() & held) or Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F12


def matches(event: QKeyEvent, sequence: str) -> bool:
    """Whether this press is that key; the keypad's digits count as digits."""
    plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    pressed = QKeySequence(QKeyCombination(plain, Qt.Key(event.key())))
    return pressed == QKeySequence(sequence)


def run_action(widget: QWidget, event: QKeyEvent) -> bool:
    """Run the enabled action with this key of a widget or of a visible part of it; once per press."""
    for part in (widget, *widget.findChildren(QWidget)):
        if part is not widget and not part.isVisibleTo(widget):
            continue
        for action in actions_now(part.actions()):
            if matches(event, action.shortcut().toString(QKeySequence.SequenceFormat.PortableText)):
                if not event.isAutoRepeat():
                    action.trigger()
                return True
    return False
