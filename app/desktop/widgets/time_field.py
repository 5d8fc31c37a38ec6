"""The field for a time of day: understands `1405`, `14.05`, `14:05`, `9`, and writes it as the language does."""

import datetime as dt

from PySide6.QtCore import QEvent

from app.desktop.formats import Language
from app.desktop.language import language
from app.desktop.typed import typed_time
from app.desktop.widgets.field import Field


class TimeField(Field):
    """`typed` with each change; on leaving it what was understood stands there as it is written."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.committed.connect(self._normalise)

    def time(self) -> dt.time | None:
        """The time as typed so far; None when empty or not understood."""
        return typed_time(self.text())

    def show_text(self, text: str) -> None:
        """Show what was typed; the field that is being typed in is left alone."""
        if not self.edit.hasFocus():
            at = typed_time(text)
            shown = text if at is None else written_time(at)
            if shown != self.text():
                self.set_text(shown)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._normalise()
        super().changeEvent(event)

    def _normalise(self) -> None:
        at = self.time()
        if at is not None:
            self.set_text(written_time(at))
        self.set_wrong(at is None and bool(self.text().strip()))


def written_time(at: dt.time) -> str:
    """`14.05`; in English `14:05`."""
    return f"{at.hour:02d}{'.' if language() is Language.ID else ':'}{at.minute:02d}"
