"""The line below a field: how it was understood; after leaving it, what is wrong with it, in the error colour."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QWidget

from app.desktop.announce import announce
from app.desktop.theme import TextRole
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import Label, Tone

HEIGHT = 16


class EchoLine(Label):
    """As high when empty, so that nothing moves while somebody types. A problem that is seen is read aloud once."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__("", TextRole.CAPTION, Tone.MUTED, parent=parent)
        self._field = field
        self._told = ""
        self.setFixedHeight(HEIGHT)
        self.setContentsMargins(3, 0, 3, 0)
        self.setAlignment(Qt.AlignmentFlag.AlignVCenter | field.edit.alignment())
        field.typed.connect(self._show)
        field.noted.connect(self._show)
        self._show()

    def is_problem(self) -> bool:
        return bool(self._told)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._show()
        super().changeEvent(event)

    def _show(self, _text: str = "") -> None:
        problem = self._field.problem()
        shown = problem or self._field.echo()
        self.set_tone(Tone.ERROR if problem else Tone.MUTED)
        self.setText(self.fontMetrics().elidedText(shown, Qt.TextElideMode.ElideRight, max(self.width() - 6, 120)))
        self.setToolTip(shown)
        self.setAccessibleName(shown)
        if problem and problem != self._told and self._field.isVisible():
            announce(self._field.edit, problem)
        self._told = problem
