"""The barcode scanner: its bursts of keys are taken out before any field, shortcut or button sees them.

It listens where the window system delivers keys (QWindow). A sign is held back until it is clear what it is; what turns
out to be typing goes to the widget that has the focus, in order and with its shortcuts. The times in the events decide;
the timer only lets go of what nothing followed.
"""

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QWindow
from PySide6.QtWidgets import QApplication, QWidget

from app.desktop.scan_burst import Burst, Repeats, Verdict
from app.desktop.shell_keys import actions_now, matches

RELEASE_MS = 60
STALL_MS = 40
_ENDS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
_COMMANDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
_KEYS = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.KeyRelease)
_BREAKS = (QEvent.Type.MouseButtonPress, QEvent.Type.FocusOut, QEvent.Type.Close)


class Scanner(QObject):
    """`scanned` carries a code as printed. `is_wanted` says whether codes mean anything now: not at the login."""

    scanned = Signal(str)

    def __init__(
        self, app: QApplication, is_wanted: Callable[[], bool], burst: Burst, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._is_wanted = is_wanted
        self._burst = burst
        self._repeats = Repeats()
        self._held: list[QKeyEvent] = []
        self._swallowed: set[int] = set()
        self._since = QElapsedTimer()
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(max(RELEASE_MS, burst.gap_ms))
        self._wait.timeout.connect(self._waited)
        self._app = app
        app.installEventFilter(self)

    def close(self) -> None:
        """Log-out: keys go where they went before."""
        self._app.removeEventFilter(self)
        self.release()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind not in _KEYS and kind not in _BREAKS:
            return False
        if not isinstance(watched, QWindow):
            return False
        if kind in _BREAKS:
            self.release()
            return False
        return isinstance(event, QKeyEvent) and self._take(event)

    def release(self) -> None:
        """What is held is typing: it goes to whatever has the focus now, in order."""
        self._wait.stop()
        self._burst.release()
        held, self._held = self._held, []
        for event in held:
            deliver(event)

    def is_holding(self) -> bool:
        return bool(self._held)

    def _take(self, event: QKeyEvent) -> bool:
        if event.type() == QEvent.Type.KeyRelease:
            return self._take_release(event)
        is_press = event.type() == QEvent.Type.KeyPress
        if _is_sign(event) and self._is_wanted():
            return self._take_sign(event) if is_press else self._is_ours(event)
        if event.key() in _ENDS and self._held and not event.isAutoRepeat() and self._burst.is_scan(event.timestamp()):
            if is_press:
                self._end(event)
            else:
                event.accept()
            return True
        if event.key() != Qt.Key.Key_Shift:
            self.release()
        return False

    def _is_ours(self, event: QKeyEvent) -> bool:
        """Before the key itself: a letter that is held is nobody's shortcut yet."""
        if self._burst.judge(event.timestamp()) is Verdict.PASS:
            return False
        event.accept()
        return True

    def _take_sign(self, event: QKeyEvent) -> bool:
        verdict = self._burst.judge(event.timestamp())
        if verdict is Verdict.BREAK:
            self.release()
        if self._burst.sign(event.text(), event.timestamp()) is Verdict.PASS:
            return False
        self._held.append(event.clone())
        self._since.start()
        self._wait.start()
        return True

    def _take_release(self, event: QKeyEvent) -> bool:
        if event.key() in self._swallowed:
            self._swallowed.discard(event.key())
            return True
        if self._held and any(held.key() == event.key() for held in self._held):
            self._held.append(event.clone())
            return True
        return False

    def _end(self, event: QKeyEvent) -> None:
        self._swallowed = {held.key() for held in self._held} | {event.key()}
        self._swallowed -= {held.key() for held in self._held if held.type() == QEvent.Type.KeyRelease}
        self._tell(event.timestamp())

    def _tell(self, at: int) -> None:
        self._wait.stop()
        self._held = []
        code = self._burst.take()
        if code and not self._repeats.is_repeat(code, at):
            self.scanned.emit(code)

    def _waited(self) -> None:
        if self._since.elapsed() > self._wait.interval() + STALL_MS:
            # The program stood still: what came meanwhile is read first.
            self._since.start()
            self._wait.start()
        elif self._burst.is_prefixed():
            self._tell(self._held[-1].timestamp())
        else:
            self.release()


def _is_sign(event: QKeyEvent) -> bool:
    text = event.text()
    return len(text) == 1 and text.isprintable() and not event.modifiers() & _COMMANDS and not event.isAutoRepeat()


def deliver(event: QKeyEvent) -> None:
    """A key as the window system would bring it: the focused widget may claim it, then shortcuts, then the widget."""
    popup = QApplication.activePopupWidget()
    target = (popup.focusWidget() or popup) if popup is not None else QApplication.focusWidget()
    target = target or QApplication.activeWindow()
    if target is None:
        return
    if event.type() == QEvent.Type.KeyPress:
        claim = QKeyEvent(QEvent.Type.ShortcutOverride, event.key(), event.modifiers(), event.text())
        claim.ignore()
        QApplication.sendEvent(target, claim)
        if not claim.isAccepted() and popup is None and _run_shortcut(target, event):
            return
    QApplication.sendEvent(target, event)


def _run_shortcut(target: QWidget, event: QKeyEvent) -> bool:
    """The nearest enabled action with this key, by the rules of its context."""
    widget: QWidget | None = target
    while widget is not None:
        for action in actions_now(widget.actions()):
            own = action.shortcutContext() == Qt.ShortcutContext.WidgetShortcut
            if (widget is target or not own) and matches(event, action.shortcut().toString()):
                action.trigger()
                return True
        widget = None if widget.isWindow() else widget.parentWidget()
    return False
