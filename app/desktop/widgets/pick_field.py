"""A field that picks one of a list: by typing part of a name, by the arrows, or from its menu."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QMenu, QWidget

from app.desktop.icons import paint_icon
from app.desktop.theme import theme
from app.desktop.widgets.field import Field, FieldSize


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """`key` names the choice in code; `text` is shown; `also` are further words that find it.

    `hint` stands muted behind it in the menu, `lead` muted before it in the field.
    """

    key: str
    text: str
    also: str = ""
    hint: str = ""
    lead: str = ""


class PickField(Field):
    """Shows the chosen text; typing finds another one, Enter takes it. `picked` carries the key of a new choice.

    `entered` follows Enter, also when nothing changed, so that a form can go on to its next field.
    """

    picked = Signal(str)
    entered = Signal()

    def __init__(
        self,
        name: str,
        *,
        prefix: str = "",
        key: str = "",
        size: FieldSize = FieldSize.NORMAL,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(name, prefix=prefix, key=key, size=size, parent=parent)
        self._picks: tuple[Pick, ...] = ()
        self._own_prefix = prefix
        self._current = ""
        self._found: Pick | None = None
        self.menu: QMenu | None = None
        self._chevron = _Chevron(self)
        self._chevron.clicked.connect(self.open_menu)
        self.add_widget(self._chevron)
        self.typed.connect(self._search)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.edit.setCursor(Qt.CursorShape.ArrowCursor)

    def set_label(self, text: str) -> None:
        """The muted word inside the field, before every choice."""
        self._own_prefix = text
        self._show()

    def set_picks(self, picks: Sequence[Pick]) -> None:
        """The list; a current key that is not in it any more is shown empty."""
        self._picks = tuple(picks)
        self._show()

    def picks(self) -> tuple[Pick, ...]:
        return self._picks

    def current(self) -> str:
        return self._current

    def choose(self, key: str) -> None:
        """Show a choice without emitting `picked`."""
        self._current = key
        self._show()

    def open_menu(self) -> None:
        """The whole list under the field; arrows and Enter choose."""
        menu = QMenu(self)
        group = QActionGroup(menu)
        for pick in self._picks:
            text = f"{pick.lead} {pick.text}".strip()
            action = menu.addAction(f"{text}\t{pick.hint}" if pick.hint else text)
            action.setCheckable(True)
            action.setChecked(pick.key == self._current)
            action.triggered.connect(lambda _checked=False, key=pick.key: self._take(key))
            group.addAction(action)
        menu.setMinimumWidth(self.width() - 6)
        self.menu = menu
        menu.popup(self.mapToGlobal(QPoint(3, self.height() - 2)))

    def key_pressed(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._accept()
            self.entered.emit()
            return True
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            if event.modifiers() & Qt.KeyboardModifier.AltModifier:
                self.open_menu()
            else:
                self._step(1 if key == Qt.Key.Key_Down else -1)
            return True
        if key == Qt.Key.Key_Escape and self._found is not None:
            self._show()
            return True
        if key == Qt.Key.Key_Tab:
            self._accept()
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.edit.setFocus(Qt.FocusReason.MouseFocusReason)
        self.open_menu()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._select_all()

    def _search(self, text: str) -> None:
        self._found = self._best(text)
        shown = self._found.text if self._found is not None else ""
        begins = shown.casefold().startswith(text.casefold())
        self.set_suffix("" if begins and shown.casefold() == text.casefold() else shown)
        self.set_wrong(bool(text.strip()) and self._found is None)

    def _best(self, text: str) -> Pick | None:
        wanted = " ".join(text.casefold().split())
        if not wanted:
            return None
        starts = [p for p in self._picks if p.text.casefold().startswith(wanted)]
        words = [p for p in self._picks if any(w.startswith(wanted) for w in f"{p.text} {p.also}".casefold().split())]
        inside = [p for p in self._picks if wanted in f"{p.text} {p.also}".casefold()]
        return next(iter([*starts, *words, *inside]), None)

    def _accept(self) -> None:
        if self._found is not None:
            self._take(self._found.key)
        else:
            self._show()

    def _step(self, step: int) -> None:
        keys = [pick.key for pick in self._picks]
        if not keys:
            return
        at = keys.index(self._current) + step if self._current in keys else 0
        self._take(keys[max(0, min(len(keys) - 1, at))])
        self._select_all()

    def _take(self, key: str) -> None:
        changed = key != self._current
        self._current = key
        self._show()
        if changed:
            self.picked.emit(key)

    def _show(self) -> None:
        self._found = None
        pick = next((p for p in self._picks if p.key == self._current), None)
        self.set_prefix((pick.lead if pick is not None else "") or self._own_prefix)
        self.set_text(pick.text if pick is not None else "")
        self.edit.setCursorPosition(0)
        self.set_suffix("")
        self.set_wrong(False)
        self.set_description(pick.hint if pick is not None else "")
        if self.edit.hasFocus():
            self._select_all()

    def _select_all(self) -> None:
        """From the end to the beginning: a text wider than the box shows its beginning."""
        self.edit.end(False)
        self.edit.home(True)


class _Chevron(QAbstractButton):
    """The small arrow at the right end; the field itself has the focus."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedSize(QSize(16, 24))
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            paint_icon(painter, QRectF(0, 5, 14, 14), "chevron_down", theme().muted)
        finally:
            painter.end()
