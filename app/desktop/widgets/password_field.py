"""The password box: dots, an eye to look, and whether Caps Lock is on, learnt from the keys that are pressed."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from app.desktop.icons import IconRole, icon
from app.desktop.widgets.field import Field, FieldSize


class PasswordField(Field):
    """`caps_lock_changed` tells when Caps Lock is seen to be on or off. `stepped` is Left or Right in an empty box.

    A wiped box hides again what will be typed. `by_tab=False` keeps the eye out of the Tab order: where somebody types
    a password at another person's counter, the next key must never open it.
    """

    caps_lock_changed = Signal(bool)
    stepped = Signal(int)

    def __init__(self, name: str, parent: QWidget | None = None, *, by_tab: bool = True) -> None:
        super().__init__(name, size=FieldSize.TALL, parent=parent)
        self.caps_lock = False
        self.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.edit.setInputMethodHints(Qt.InputMethodHint.ImhSensitiveData | Qt.InputMethodHint.ImhNoPredictiveText)
        self.eye = QToolButton(self)
        self.eye.setAutoRaise(True)
        self.eye.setCheckable(True)
        self.eye.setFixedSize(28, 28)
        self.eye.setFocusPolicy(Qt.FocusPolicy.TabFocus if by_tab else Qt.FocusPolicy.NoFocus)
        self.eye.setCursor(Qt.CursorShape.ArrowCursor)
        self.eye.toggled.connect(self._look)
        self.add_widget(self.eye)
        self._look(False)

    def set_text(self, text: str) -> None:
        super().set_text(text)
        if not text:
            self.eye.setChecked(False)

    def set_eye_name(self, text: str) -> None:
        self.eye.setAccessibleName(text)
        self.eye.setToolTip(text)

    def key_pressed(self, event: QKeyEvent) -> bool:
        """A capital without Shift, or a small letter with it, means Caps Lock is on."""
        text = event.text()
        if event.key() == Qt.Key.Key_CapsLock:
            self._learn(not self.caps_lock)
        elif len(text) == 1 and text.isalpha() and text.upper() != text.lower():
            shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._learn(text.isupper() != shift)
        if not self.text() and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.stepped.emit(-1 if event.key() == Qt.Key.Key_Left else 1)
            return True
        return False

    def _learn(self, caps_lock: bool) -> None:
        if caps_lock != self.caps_lock:
            self.caps_lock = caps_lock
            self.caps_lock_changed.emit(caps_lock)

    def _look(self, plain: bool) -> None:
        self.edit.setEchoMode(QLineEdit.EchoMode.Normal if plain else QLineEdit.EchoMode.Password)
        self.eye.setIcon(icon("eye_off" if plain else "eye", IconRole.MUTED))
