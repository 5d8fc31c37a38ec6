"""A text document as PDF bytes or as a picture: the same layout on A5 paper or on an 80 mm receipt roll."""

from dataclasses import dataclass

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSizeF
from PySide6.QtGui import (
    QFont,
    QImage,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextDocument,
)

from app.desktop.theme import FONT_FAMILY

PDF_DPI = 300
MM_PER_INCH = 25.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """Sizes in millimetres. A `height` of None is a roll: as long as the text."""

    width: float
    height: float | None
    margin: float


A5 = Paper(width=148, height=210, margin=12)
ROLL_80 = Paper(width=80, height=None, margin=4)


def make_document(markup: str, size_pt: float) -> QTextDocument:
    """A document in the bundled font. `markup` must have every text from outside escaped."""
    document = QTextDocument()
    font = QFont(FONT_FAMILY)
    font.setPointSizeF(size_pt)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    document.setDefaultFont(font)  # else rules and empty lines would follow the program's own font
    document.setDocumentMargin(0)
    document.setDefaultStyleSheet(f"body {{ font-family: '{FONT_FAMILY}'; font-size: {size_pt}pt; color: #1B1F24; }}")
    document.setHtml(f"<body>{markup}</body>")
    return document


def pdf_writer(title: str) -> tuple[QBuffer, QPdfWriter]:
    """An open buffer, and what writes a PDF into it."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(PDF_DPI)
    writer.setTitle(title)
    writer.setCreator("Sentra Rental Counter")
    return buffer, writer


def pdf_bytes(document: QTextDocument, paper: Paper, title: str) -> bytes:
    """The document as PDF. Safe outside the GUI thread."""
    buffer, writer = pdf_writer(title)
    print_plain(document, paper, writer)
    buffer.close()
    return bytes(buffer.data().data())


def print_plain(document: QTextDocument, paper: Paper, device: QPagedPaintDevice) -> bool:
    """Paint the document on a PDF or a printer; False when the device does not take it."""
    dpi = device.logicalDpiY()
    height = paper.height if paper.height is not None else _roll_height(document, paper, dpi)
    size = QPageSize(QSizeF(paper.width, height), QPageSize.Unit.Millimeter)
    margins = QMarginsF(paper.margin, paper.margin, paper.margin, paper.margin)
    device.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, margins, QPageLayout.Unit.Millimeter))
    document.documentLayout().setPaintDevice(device)
    document.setPageSize(QSizeF(device.width(), device.height()))
    painter = QPainter()
    if not painter.begin(device):
        return False
    try:
        for page in range(document.pageCount()):
            if page and not device.newPage():
                return False
            painter.save()
            painter.translate(0, -page * device.height())
            document.drawContents(painter, QRectF(0, page * device.height(), device.width(), device.height()))
            painter.restore()
    finally:
        painter.end()
    return True


def picture(document: QTextDocument, paper: Paper, dpi: int = 96) -> QImage:
    """The first page as an image: what a printer would put on white paper."""
    pixels_per_mm = dpi / MM_PER_INCH
    height = paper.height if paper.height is not None else _roll_height(document, paper, dpi)
    image = QImage(round(paper.width * pixels_per_mm), round(height * pixels_per_mm), QImage.Format.Format_RGB32)
    image.setDotsPerMeterX(round(dpi / MM_PER_INCH * 1000))
    image.setDotsPerMeterY(round(dpi / MM_PER_INCH * 1000))
    image.fill(0xFFFFFFFF)
    margin = paper.margin * pixels_per_mm
    document.documentLayout().setPaintDevice(image)
    document.setPageSize(QSizeF(image.width() - 2 * margin, image.height() - 2 * margin))
    painter = QPainter(image)
    try:
        painter.translate(margin, margin)
        document.drawContents(painter)
    finally:
        painter.end()
    return image


def _roll_height(document: QTextDocument, paper: Paper, dpi: int) -> float:
    """Millimetres of paper the text needs on a device of that resolution, with its margins."""
    probe = QImage(1, 1, QImage.Format.Format_RGB32)
    dots = round(dpi / MM_PER_INCH * 1000)
    probe.setDotsPerMeterX(dots)
    probe.setDotsPerMeterY(dots)
    document.documentLayout().setPaintDevice(probe)
    document.setPageSize(QSizeF((paper.width - 2 * paper.margin) * dpi / MM_PER_INCH, -1))
    # A last line that touches the edge would move to a second page: leave 4 mm.
    return document.size().height() * MM_PER_INCH / dpi + 2 * paper.margin + 4
