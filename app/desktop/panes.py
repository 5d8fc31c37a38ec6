"""F6: from one part of the window to the next, in the order in which they are given."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def focus_next(panes: Sequence[QWidget], focus: QWidget | None, step: int) -> None:
    """Give the focus to the pane `step` places after the one that has it; to what can have it inside, if it cannot."""
    at = next(
        (i for i, pane in enumerate(panes) if focus is not None and (pane is focus or pane.isAncestorOf(focus))), 0
    )
    target = panes[(at + step) % len(panes)]
    target.setFocus(Qt.FocusReason.ShortcutFocusReason)
    if not target.hasFocus():
        target.focusNextChild()
