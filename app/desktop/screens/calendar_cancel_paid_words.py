"""What the end of a paid booking does to its money, in words: rows, the step of the ladder, the way back. Pure."""

from PySide6.QtCore import QCoreApplication

from app.desktop.formats import Zone, day_count, moment, money
from app.desktop.language import language
from app.desktop.screens.calendar_cancel_viewmodel import Ended, Ending
from app.domain.cancellation import CancellationEffect
from app.domain.invoice import TenderKind
from app.usecases.rows_cancellations import EndingFacts

_DAYS_FROM = 96
"""So many hours before pick-up are told in days."""


def question(ending: Ending) -> str:
    """The title."""
    if ending.is_no_show:
        return QCoreApplication.translate("EndPaid", "{0} tidak datang?").format(ending.number)
    return QCoreApplication.translate("EndPaid", "Batalkan {0}?").format(ending.number)


def verb(ending: Ending) -> str:
    """The word on the button that does it."""
    if ending.is_no_show:
        return QCoreApplication.translate("EndPaid", "Catat tidak datang")
    return QCoreApplication.translate("EndPaid", "Batalkan booking")


def effect_rows(effect: CancellationEffect) -> tuple[tuple[str, str], ...]:
    """Label and amount: what was paid, and what becomes of it."""
    paid = effect.back + effect.fee
    rent = QCoreApplication.translate("EndPaid", "Sewa kembali")
    if effect.percent is not None:
        rent = QCoreApplication.translate("EndPaid", "Sewa kembali ({0} %)").format(effect.percent)
    kept = QCoreApplication.translate("EndPaid", "Tidak kembali")
    if effect.percent is None:
        kept = QCoreApplication.translate("EndPaid", "Biaya tidak datang (hari pertama)")
    return (
        (QCoreApplication.translate("EndPaid", "Sudah dibayar"), money(paid, language())),
        (rent, money(effect.rent_back, language())),
        (QCoreApplication.translate("EndPaid", "Deposit kembali"), money(effect.deposit_back, language())),
        (kept, money(effect.fee, language())),
    )


def why_words(effect: CancellationEffect, facts: EndingFacts, zone: Zone) -> str:
    """Which step of the ladder this is, and why; then how the money goes back."""
    at = moment(facts.pickup_at, zone, language())
    return " ".join(part for part in (_step(effect, at), way_words(effect, facts), _others(facts)) if part)


def _step(effect: CancellationEffect, at: str) -> str:
    hours = effect.hours_before
    if effect.percent is None:
        text = QCoreApplication.translate("EndPaid", "Waktu ambil {0} sudah lewat: sewa hari pertama tidak kembali.")
        return text.format(at)
    if hours < 0:
        text = QCoreApplication.translate("EndPaid", "Waktu ambil {0} sudah lewat: {1} % sewa kembali.")
        return text.format(at, effect.percent)
    if hours == 0:
        text = QCoreApplication.translate("EndPaid", "Kurang dari 1 jam sebelum ambil ({0}): {1} % sewa kembali.")
        return text.format(at, effect.percent)
    length = day_count(hours // 24, language()) if hours >= _DAYS_FROM else _hours(hours)
    text = QCoreApplication.translate("EndPaid", "{0} sebelum ambil ({1}): {2} % sewa kembali.")
    return text.format(length, at, effect.percent)


def _hours(hours: int) -> str:
    return QCoreApplication.translate("EndPaid", "{0} jam").format(hours)


def way_words(effect: CancellationEffect, facts: EndingFacts) -> str:
    """How what is given back goes back."""
    if effect.back == 0:
        return QCoreApplication.translate("EndPaid", "Tidak ada uang yang kembali.")
    ways = ways_back(facts)
    if not ways:
        return QCoreApplication.translate("EndPaid", "Dikembalikan di kasir.")
    return QCoreApplication.translate("EndPaid", "Dikembalikan di kasir seperti dibayar: {0}.").format(ways)


def ways_back(facts: EndingFacts) -> str:
    """The ways in which it was paid, in words."""
    return ", ".join(_WAYS[kind]() for kind in facts.paid_by)


def _others(facts: EndingFacts) -> str:
    """Of an order of several units only this one ends."""
    if facts.unit_count < 2:
        return ""
    text = QCoreApplication.translate("EndPaid", "Pesanan ini {0} unit: uang ini milik unit ini saja, yang lain tetap.")
    return text.format(facts.unit_count)


def done_words(ended: Ended) -> str:
    """What was done, for the short message afterwards."""
    ending, back = ended.ending, ended.effect.back
    if not ended.is_own:
        text = QCoreApplication.translate(
            "EndPaid", "{0} sudah diakhiri oleh orang lain. Uang kembalinya ada di Tagihan."
        )
        return text.format(ending.number)
    if ending.is_no_show:
        text = QCoreApplication.translate("EndPaid", "{0} dicatat tidak datang, {1} kosong lagi.")
    else:
        text = QCoreApplication.translate("EndPaid", "{0} dibatalkan, {1} kosong lagi.")
    said = text.format(ending.number, ending.plate)
    if back == 0:
        return f"{said} {way_words(ended.effect, ended.facts)}"
    ways = ways_back(ended.facts)
    due = QCoreApplication.translate("EndPaid", "{0} menunggu dikembalikan di kasir.").format(money(back, language()))
    if ways:
        due = QCoreApplication.translate("EndPaid", "{0} menunggu dikembalikan di kasir ({1}).")
        due = due.format(money(back, language()), ways)
    return f"{said} {due}"


_WAYS = {
    TenderKind.CASH: lambda: QCoreApplication.translate("EndPaid", "tunai"),
    TenderKind.EDC: lambda: QCoreApplication.translate("EndPaid", "kartu (EDC)"),
    TenderKind.QRIS: lambda: QCoreApplication.translate("EndPaid", "QRIS"),
    TenderKind.TRANSFER: lambda: QCoreApplication.translate("EndPaid", "transfer bank"),
    TenderKind.GATEWAY: lambda: QCoreApplication.translate("EndPaid", "pembayaran daring"),
    TenderKind.CREDIT: lambda: QCoreApplication.translate("EndPaid", "saldo pelanggan"),
    TenderKind.PPH23: lambda: QCoreApplication.translate("EndPaid", "bukti potong PPh 23"),
    TenderKind.RECEIVABLE: lambda: QCoreApplication.translate("EndPaid", "piutang perusahaan"),
    TenderKind.DEPOSIT: lambda: QCoreApplication.translate("EndPaid", "deposit"),
}
