"""A long document on numbered pages: a line above from the second page on, one below on each, nothing torn apart."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QEventLoop, QMarginsF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPaintDevice,
    QPainter,
    QPen,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextTable,
)

from app.desktop.documents.paper import MM_PER_INCH, Paper, pdf_writer
from app.desktop.theme import FONT_FAMILY

A4 = Paper(width=210, height=297, margin=14)
BAND = 8.0
"""Millimetres kept above and below the text for the running lines."""
_MUTED, _LINE = QColor("#57606A"), QColor("#C6CDD6")
_MOST_CUTS = 40
_PUSHED = 0.02
"""Part of a page: a row with more room above it was pushed down already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """What stands on every page. `above` begins on the second one; `pages` has the places `{page}` and `{pages}`."""

    above: str
    below: str
    between: str
    pages: str


def paged_pdf(make: Callable[[], QTextDocument], paper: Paper, title: str, running: Running) -> bytes:
    """The document as PDF, made and laid out in this thread. Safe outside the GUI thread."""
    buffer, writer = pdf_writer(title)
    print_pages(make, paper, running, writer)
    buffer.close()
    return bytes(buffer.data().data())


def print_pages(make: Callable[[], QTextDocument], paper: Paper, running: Running, device: QPagedPaintDevice) -> bool:
    """Paint all pages on a PDF or a printer; False when the device does not take them."""
    assert paper.height is not None
    size = QPageSize(QSizeF(paper.width, paper.height), QPageSize.Unit.Millimeter)
    none = QMarginsF(0, 0, 0, 0)
    device.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, none, QPageLayout.Unit.Millimeter))
    # A long text is laid out in steps that a timer goes on with: a thread needs something that timers belong to.
    timers = QEventLoop()
    sheet = _Sheet(make(), paper, device)
    painter = QPainter()
    if not painter.begin(device):
        return False
    try:
        for page in range(sheet.count):
            if page and not device.newPage():
                return False
            sheet.paint(painter, page, running)
    finally:
        painter.end()
    del sheet, timers
    return True


def page_pictures(document: QTextDocument, paper: Paper, running: Running, dpi: int = 96) -> Iterator[QImage]:
    """Each page as an image: what a printer would put on white paper."""
    assert paper.height is not None
    dots = dpi / MM_PER_INCH
    blank = QImage(round(paper.width * dots), round(paper.height * dots), QImage.Format.Format_RGB32)
    blank.setDotsPerMeterX(round(dots * 1000))
    blank.setDotsPerMeterY(round(dots * 1000))
    blank.fill(0xFFFFFFFF)
    sheet = _Sheet(document, paper, blank)
    for page in range(sheet.count):
        image = blank.copy()
        painter = QPainter(image)
        try:
            sheet.paint(painter, page, running)
        finally:
            painter.end()
        yield image


class _Sheet:
    """The document laid out for a device; sizes in its pixels."""

    def __init__(self, document: QTextDocument, paper: Paper, device: QPaintDevice) -> None:
        assert paper.height is not None
        self._document = document
        dots = device.logicalDpiY() / MM_PER_INCH
        self._dots = dots
        self._margin = paper.margin * dots
        self._width = (paper.width - 2 * paper.margin) * dots
        self._height = (paper.height - 2 * paper.margin - 2 * BAND) * dots
        document.documentLayout().setPaintDevice(device)
        document.setPageSize(QSizeF(self._width, self._height))
        _keep_whole(document, self._height)

    @property
    def count(self) -> int:
        return self._document.pageCount()

    def paint(self, painter: QPainter, page: int, running: Running) -> None:
        painter.save()
        painter.translate(self._margin, self._margin + BAND * self._dots - page * self._height)
        self._document.drawContents(painter, QRectF(0, page * self._height, self._width, self._height))
        painter.restore()
        painter.save()
        painter.translate(self._margin, self._margin)
        font = QFont(FONT_FAMILY)
        font.setPointSizeF(7.5)
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        painter.setFont(font)
        band = QRectF(0, 0, self._width, BAND * self._dots)
        if page:
            self._line(painter, band.adjusted(0, 0, 0, -0.4 * band.height()), running.above, "", "", below=True)
        band.translate(0, BAND * self._dots + self._height)
        count = running.pages.format(page=page + 1, pages=self.count)
        self._line(painter, band.adjusted(0, 0.4 * band.height(), 0, 0), running.below, running.between, count)
        painter.restore()

    def _line(
        self, painter: QPainter, place: QRectF, left: str, middle: str, right: str, *, below: bool = False
    ) -> None:
        pen = QPen(_LINE)
        pen.setWidthF(0.15 * self._dots)
        painter.setPen(pen)
        edge = place.bottom() if below else place.top()
        painter.drawLine(int(place.left()), int(edge), int(place.right()), int(edge))
        painter.setPen(_MUTED)
        centre = Qt.AlignmentFlag.AlignVCenter
        end = painter.fontMetrics().horizontalAdvance(right)
        middle_end = painter.fontMetrics().horizontalAdvance(middle)
        room = place.width() - end - middle_end - 8 * self._dots
        short = painter.fontMetrics().elidedText(left, Qt.TextElideMode.ElideRight, int(room))
        painter.drawText(place, centre | Qt.AlignmentFlag.AlignLeft, short)
        painter.drawText(place, centre | Qt.AlignmentFlag.AlignRight, right)
        painter.drawText(place.adjusted(0, 0, -end - 4 * self._dots, 0), centre | Qt.AlignmentFlag.AlignRight, middle)


def _keep_whole(document: QTextDocument, height: float) -> None:
    """Begin a new page before a heading that would stand alone, and before the last table (the signatures) when it does
    not fit whole; the table that stands right above it goes with it where both fit on one page."""
    for _ in range(_MOST_CUTS):
        if not _cut_once(document, height):
            return


def _cut_once(document: QTextDocument, height: float) -> bool:
    layout = document.documentLayout()
    block = document.begin()
    while block.isValid():
        if block.blockFormat().headingLevel() and not _breaks_before(block):
            after = block.next()
            if after.isValid() and _page(layout.blockBoundingRect(block).top(), height) != _page(
                layout.blockBoundingRect(after).top() + 0.02 * height, height
            ):
                _break_before(block)
                return True
        block = block.next()
    tables = [frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable)]
    if not tables:
        return False
    if any(_move_torn_row(document, table, height) for table in tables[:-1]):
        return True
    place = layout.frameBoundingRect(tables[-1])
    if place.height() >= height or _page(place.top(), height) == _page(place.bottom() - 1, height):
        return False
    first = tables[-1]
    if len(tables) > 1 and _stands_on(document, tables[-2], first):
        above = layout.frameBoundingRect(tables[-2])
        if place.bottom() - above.top() < height:
            first = tables[-2]
    wanted = first.format()
    if wanted.pageBreakPolicy() == QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore:
        return False
    wanted.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
    first.setFormat(wanted)
    return True


def _move_torn_row(document: QTextDocument, table: QTextTable, height: float) -> bool:
    """Push the first row that would be torn between two pages down to the second one."""
    layout = document.documentLayout()
    for row in range(table.rows()):
        cells = [table.cellAt(row, column) for column in range(table.columns())]
        places = [layout.blockBoundingRect(cell.firstCursorPosition().block()) for cell in cells]
        top, bottom = min(place.top() for place in places), max(place.bottom() for place in places)
        is_torn = _page(top, height) != _page(bottom - 1, height)
        if is_torn and bottom - top < height and cells[0].format().toTableCellFormat().topPadding() < _PUSHED * height:
            for cell in cells:
                wanted = cell.format().toTableCellFormat()
                wanted.setTopPadding(wanted.topPadding() + (_page(top, height) + 1) * height - top)
                cell.setFormat(wanted)
            return True
    return False


def _stands_on(document: QTextDocument, above: QTextTable, below: QTextTable) -> bool:
    """Nothing is written between the two."""
    block = document.findBlock(above.lastPosition() + 1)
    while block.isValid() and block.position() < below.firstPosition():
        if block.text().strip("\u00a0 "):
            return False
        block = block.next()
    return True


def _page(place: float, height: float) -> int:
    return int(place // height)


def _breaks_before(block: QTextBlock) -> bool:
    return block.blockFormat().pageBreakPolicy() == QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore


def _break_before(block: QTextBlock) -> None:
    wanted = block.blockFormat()
    wanted.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
    QTextCursor(block).setBlockFormat(wanted)
