"""The printer of this PC: takes pages, or says why not. Called in worker threads; a jam holds up nothing else."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from PySide6.QtGui import QTextDocument

from app.desktop.documents.pages import A4, Running, print_pages
from app.desktop.documents.paper import Paper, print_plain

_MAKES_FILES = re.compile(r"pdf|xps|onenote|fax", re.IGNORECASE)
"""Printers that ask for a file name instead of printing: the PDF is written anyway."""


class Sent(Enum):
    """What became of the pages."""

    PRINTED = auto()
    NO_PRINTER = auto()
    REFUSED = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """What to print; the document is laid out in the thread that prints it. Without `running` nothing stands on every
    page."""

    title: str
    document: Callable[[], QTextDocument]
    running: Running | None
    paper: Paper = A4


class Printers(Protocol):
    """A place that pages can be sent to."""

    def send(self, pages: Pages) -> Sent:
        """Hand the pages to the printer. Never raises for a printer's own trouble."""
        ...


class SystemPrinters:
    """The default printer of the operating system."""

    def send(self, pages: Pages) -> Sent:
        from PySide6.QtPrintSupport import (
            QPrinter,
            QPrinterInfo,
        )  # here: looking for printers is slow, and rarely needed

        default = QPrinterInfo.defaultPrinter()
        if default.isNull() or _MAKES_FILES.search(f"{default.printerName()} {default.makeAndModel()}"):
            return Sent.NO_PRINTER
        if default.state() in (QPrinter.PrinterState.Error, QPrinter.PrinterState.Aborted):
            return Sent.REFUSED
        printer = QPrinter(default, QPrinter.PrinterMode.HighResolution)
        printer.setDocName(pages.title)
        if pages.running is None:
            taken = print_plain(pages.document(), pages.paper, printer)
        else:
            taken = print_pages(pages.document, pages.paper, pages.running, printer)
        return Sent.PRINTED if taken else Sent.REFUSED
