"""How money came in and went out, in words: one line per tender, and the names of the ways."""

from collections.abc import Iterator
from typing import Protocol

from PySide6.QtCore import QCoreApplication

from app.desktop.documents.line_words import Speaks
from app.desktop.formats import Language, money
from app.domain.tender import Tender, TenderKind, TenderRow
from app.usecases.rows import PaymentRow

Speaker = Speaks | type[QCoreApplication]


class Said(Protocol):
    """A translated name."""

    def __call__(self, words: Speaker) -> str: ...


_NAMES: dict[str, Said] = {
    "CASH": lambda words: words.translate("Tender", "Tunai"),
    "EDC": lambda words: words.translate("Tender", "Kartu (EDC)"),
    "QRIS": lambda words: words.translate("Tender", "QRIS"),
    "TRANSFER": lambda words: words.translate("Tender", "Transfer"),
    "GATEWAY": lambda words: words.translate("Tender", "Gateway"),
    "CREDIT": lambda words: words.translate("Tender", "Saldo pelanggan"),
    "PPH23": lambda words: words.translate("Tender", "PPh 23 dipotong"),
    "RECEIVABLE": lambda words: words.translate("Tender", "Piutang perusahaan"),
    "DEPOSIT": lambda words: words.translate("Tender", "Deposit"),
}


def way_name(kind: str, words: Speaker = QCoreApplication) -> str:
    """The name of a way of paying; a new one that has no name yet stands as it is stored."""
    said = _NAMES.get(kind)
    return kind if said is None else said(words)


def tender_words(tender: TenderRow | Tender, words: Speaker = QCoreApplication) -> str:
    """`Kartu (EDC) BCA •••• 1234, kode 482913`; `Transfer BCA, TRX-0012`."""
    name = way_name(tender.kind.value, words)
    facts = [tender.bank or ""]
    if tender.last4:
        facts.append(f"•••• {tender.last4}")
    head = " ".join(part for part in (name, *facts) if part)
    if tender.kind is TenderKind.EDC and tender.approval_code:
        code = words.translate("Tender", "kode {code}").format(code=tender.approval_code)
        return f"{head}, {code}"
    return f"{head}, {tender.reference}" if tender.reference else head


def payment_rows(
    payment: PaymentRow, language: Language, words: Speaker = QCoreApplication
) -> Iterator[tuple[str, str]]:
    """What was handed over by each way, what went back, and what became credit; they add up to what was paid."""
    for tender in payment.tenders:
        if tender.kind is TenderKind.CASH:
            name = words.translate("Kwitansi", "Tunai diterima")
        else:
            name = tender_words(tender, words)
        yield name, money(tender.received, language)
    if payment.change or any(tender.kind is TenderKind.CASH for tender in payment.tenders):
        yield words.translate("Kwitansi", "Kembalian"), money(payment.change, language)
    if credited := credited_of(payment):
        yield words.translate("Kwitansi", "Menjadi saldo pelanggan"), money(credited, language)


def credited_of(payment: PaymentRow) -> int:
    """What was handed over beyond the sum and did not go back."""
    return sum(tender.received for tender in payment.tenders) - payment.amount - payment.change
