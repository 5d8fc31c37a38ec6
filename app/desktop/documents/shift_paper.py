"""A shift's X or Z report on paper: a page of A4, and the same rows on an 80 mm roll."""

from dataclasses import dataclass

from PySide6.QtGui import QTextDocument

from app.desktop.documents.markup import bold, gap, muted, rule, safe
from app.desktop.documents.paper import make_document
from app.desktop.documents.shift_rows import ReportPart, is_z, report_parts, report_title
from app.desktop.documents.spoken import Spoken
from app.desktop.formats import Language
from app.domain.staff import Branch
from app.usecases.rows_till import ShiftReport


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftPaper:
    """One printing of a report. `copy` 0 is the original; an X report is never a copy: it tells another moment."""

    report: ShiftReport
    branch: Branch
    counter: str
    printed_by: str
    language: Language
    copy: int = 0

    @property
    def stem(self) -> str:
        """How its file is called: `Z-JKT-214`; an X report by the second it tells of."""
        name = f"{self.branch.code}-{self.report.number}"
        if is_z(self.report):
            return f"Z-{name}-{len({count.round for count in self.report.counts})}"
        return f"X-{name}-{self.report.now.astimezone(self.branch.zone):%H%M%S}"


def shift_title(paper: ShiftPaper) -> str:
    """For the PDF's own title."""
    return report_title(paper.report, Spoken(paper.language))


def shift_document(paper: ShiftPaper) -> QTextDocument:
    """The page for A4."""
    words = Spoken(paper.language)
    title = bold(report_title(paper.report, words), 15)
    head = (
        "<table width='100%' cellspacing='0' cellpadding='0'><tr>"
        f"<td>{bold('Sentra Rental', 15)}<br/>{safe(_branch(paper))}</td>"
        f"<td align='right'>{title}{_copy(paper, words)}</td></tr></table>{rule()}"
    )
    parts = report_parts(paper.report, paper.branch, words)
    body = "".join(_part(part, 9.5) for part in parts)
    return make_document(head + body + _foot(paper, words), 9)


def shift_strip(paper: ShiftPaper) -> QTextDocument:
    """The strip for an 80 mm printer."""
    words = Spoken(paper.language)
    head = (
        f"<p align='center' style='margin:0'>{bold('Sentra Rental', 12)}<br/>{safe(_branch(paper))}<br/>"
        f"{bold(report_title(paper.report, words), 11)}{_copy(paper, words)}</p><hr/>"
    )
    parts = report_parts(paper.report, paper.branch, words)
    body = "".join(_part(part, 8.5) for part in parts)
    return make_document(head + body + _foot(paper, words), 8)


def _branch(paper: ShiftPaper) -> str:
    return f"{paper.branch.name} ({paper.branch.code})"


def _copy(paper: ShiftPaper, words: Spoken) -> str:
    if not paper.copy:
        return ""
    said = words.translate("Kwitansi", "SALINAN ke-{count}").format(count=paper.copy)
    return f"<br/>{bold(said, 10)}"


def _part(part: ReportPart, size: float) -> str:
    rows = "".join(
        f"<tr><td width='52%'>{bold(row.name) if row.strong else safe(row.name)}</td>"
        f"<td align='right'>{bold(row.value) if row.strong else safe(row.value)}</td></tr>"
        for row in part.rows
    )
    return (
        f"<p style='margin-top:4pt;margin-bottom:1pt'>{bold(part.title, size)}</p>"
        f"<table width='100%' cellspacing='0' cellpadding='1'>{rows}</table>"
    )


def _foot(paper: ShiftPaper, words: Spoken) -> str:
    by = words.translate("ShiftReport", "Dicetak {name} · {counter}")
    line = by.format(name=paper.printed_by, counter=paper.counter)
    sign = ""
    if is_z(paper.report):
        names = (words.translate("ShiftReport", "Kasir"), words.translate("ShiftReport", "Manajer"))
        cells = "".join(
            f"<td align='center' width='50%'>{muted(name)}<br/><br/><br/>______________</td>" for name in names
        )
        sign = f"{gap(4)}<table width='100%' cellspacing='0' cellpadding='2'><tr>{cells}</tr></table>"
    return f"{sign}{gap(3)}<p align='center' style='margin:0'>{muted(line)}</p>"
