"""An X or Z report on the screen: the same rows as on paper."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.documents.shift_rows import report_parts, report_title
from app.desktop.documents.spoken import Spoken
from app.desktop.language import language
from app.desktop.theme import TextRole
from app.desktop.widgets.card import Card, Hairline
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.scrolling import scrolling_column
from app.domain.staff import Branch
from app.usecases.rows_till import ShiftReport


class ReportCard(Card):
    """Made anew for each report."""

    def __init__(self, branch: Branch, parent: QWidget | None = None) -> None:
        super().__init__(" ", parent=parent)
        self._branch = branch
        self.report: ShiftReport | None = None
        area, self._column = scrolling_column()
        self.body.addWidget(area, 1)
        self._rows: QWidget | None = None

    def show_report(self, report: ShiftReport) -> None:
        """Fill it with this report in the language of the screens."""
        self.report = report
        words = Spoken(language())
        self.set_title(report_title(report, words))
        if self._rows is not None:
            self._rows.hide()
            self._rows.deleteLater()
        self._rows = QWidget()
        column = QVBoxLayout(self._rows)
        column.setContentsMargins(0, 0, 12, 0)
        column.setSpacing(3)
        for part in report_parts(report, self._branch, words):
            title = Label(part.title, weight=600)
            title.setContentsMargins(0, 8, 0, 0)
            column.addWidget(title)
            column.addWidget(Hairline())
            for row in part.rows:
                line = QHBoxLayout()
                name = Label(row.name, TextRole.BASE, Tone.TEXT if row.strong else Tone.MUTED)
                name.setWordWrap(True)
                line.addWidget(name, 1)
                line.addWidget(Label(row.value, weight=600 if row.strong else None))
                column.addLayout(line)
        column.addStretch(1)
        self._column.addWidget(self._rows)

    def texts(self) -> tuple[tuple[str, str], ...]:
        """Names and values as shown."""
        if self.report is None:
            return ()
        parts = report_parts(self.report, self._branch, Spoken(language()))
        return tuple((row.name, row.value) for part in parts for row in part.rows)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and self.report is not None:
            self.show_report(self.report)
        super().changeEvent(event)
