"""What an invoice line says: its kind in the language in use, the thing's name where several are on one invoice."""

import re
from typing import Protocol

from PySide6.QtCore import QCoreApplication

from app.desktop.formats import Language, day_count, money
from app.domain.invoice import InvoiceLine, LineKind
from app.domain.rates import RENT_WORDS, RentKind

_DISCOUNT = re.compile(r"Diskon (\d{1,3}) %")


class Speaks(Protocol):
    """Texts in the language of the screens (the program itself), or of one document."""

    def translate(self, context: str, text: str, /) -> str: ...


def line_words(
    line: InvoiceLine, language: Language, *, alone: bool, speaker: Speaks | type[QCoreApplication] = QCoreApplication
) -> str:
    """`Sewa 3 hari × Rp 350.000`; with other rentals beside it (`alone` False) `Sewa Avanza G 3 hari × Rp 350.000`.

    Names (of SKUs and extras) stay as they are frozen on the line, everything else is in the language.
    """
    match line.kind:
        case LineKind.RENT:
            name, kind = _rent_of(line.text)
            return _rent_words(kind, speaker).format(
                what="" if alone else f"{name} ",
                days=day_count(line.quantity, language),
                count=line.quantity,
                rate=money(line.unit_price, language),
            )
        case LineKind.EXTRA if line.quantity > 1:
            return f"{line.text} {line.quantity} × {money(line.unit_price, language)}"
        case LineKind.DISCOUNT if found := _DISCOUNT.fullmatch(line.text):
            return speaker.translate("InvoiceLine", "Diskon {percent} %").format(percent=found[1])
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


def _rent_of(text: str) -> tuple[str, RentKind]:
    """The SKU's name and the kind of days, out of the text that is frozen on the line."""
    for kind, word in RENT_WORDS.items():
        if word and text.endswith(f" · {word}"):
            return text.removesuffix(f" · {word}"), kind
    return text, RentKind.WEEKDAY


def _rent_words(kind: RentKind, speaker: Speaks | type[QCoreApplication]) -> str:
    match kind:
        case RentKind.MONTH:
            return speaker.translate("InvoiceLine", "Sewa bulanan (30 hari) {what}{count} × {rate}")
        case RentKind.WEEK:
            return speaker.translate("InvoiceLine", "Sewa mingguan (7 hari) {what}{count} × {rate}")
        case RentKind.WEEKEND:
            return speaker.translate("InvoiceLine", "Sewa akhir pekan {what}{days} × {rate}")
        case RentKind.HOLIDAY:
            return speaker.translate("InvoiceLine", "Sewa hari libur {what}{days} × {rate}")
        case RentKind.WEEKDAY:
            return speaker.translate("InvoiceLine", "Sewa {what}{days} × {rate}")
