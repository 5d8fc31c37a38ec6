"""What an invoice line says: its kind in the language in use, the thing's name where several are on one invoice."""

from typing import Protocol

from PySide6.QtCore import QCoreApplication

from app.desktop.formats import Language, day_count, money
from app.domain.invoice import InvoiceLine, LineKind


class Speaks(Protocol):
    """Texts in the language of the screens (the program itself), or of one document."""

    def translate(self, context: str, text: str, /) -> str: ...


def line_words(
    line: InvoiceLine, language: Language, *, alone: bool, speaker: Speaks | type[QCoreApplication] = QCoreApplication
) -> str:
    """`Sewa 3 hari × Rp 350.000`; with other rentals beside it (`alone` False) `Sewa Avanza G 3 hari × Rp 350.000`."""
    what = "" if alone else f"{line.text} "
    match line.kind:
        case LineKind.RENT:
            text = speaker.translate("InvoiceLine", "Sewa {what}{days} × {rate}")
            days = day_count(line.quantity, language)
            return text.format(what=what, days=days, rate=money(line.unit_price, language))
        case LineKind.DEPOSIT:
            deposit = speaker.translate("InvoiceLine", "Deposit")
            return deposit if alone else f"{deposit} {line.text}"
        case LineKind.DOWN_PAYMENT:
            paid = speaker.translate("InvoiceLine", "Uang muka")
            return paid if alone else f"{paid} {line.text}"
        case LineKind.ROUNDING:
            return speaker.translate("InvoiceLine", "Pembulatan tunai")
        case LineKind.PPN:
            return speaker.translate("InvoiceLine", "PPN")
        case _:
            return line.text if line.quantity == 1 else f"{line.text} × {line.quantity}"
