"""The words of the customer register: tiers, licence, discreet notices, warnings about a NIK, the consent."""

from __future__ import annotations

import datetime as dt

from PySide6.QtCore import QCoreApplication

from app.desktop.formats import day_short, money
from app.desktop.language import language
from app.desktop.widgets.label import Tone
from app.domain.customer_texts import ARREARS_CODE
from app.domain.identity import IdentityKind, NikWarning
from app.domain.waitlist import Tier
from app.usecases.rows_customers import CustomerCard

SOON_DAYS = 30


def tier_word(tier: Tier) -> str:
    match tier:
        case Tier.PLATINUM:
            return QCoreApplication.translate("Customers", "Platinum")
        case Tier.GOLD:
            return QCoreApplication.translate("Customers", "Gold")
        case Tier.SILVER:
            return QCoreApplication.translate("Customers", "Silver")
        case Tier.BASIC:
            return QCoreApplication.translate("Customers", "Biasa")


def licence_words(expires_on: dt.date | None, today: dt.date) -> tuple[str, Tone]:
    """Until when a licence is good, in words that need no colour."""
    if expires_on is None:
        return QCoreApplication.translate("Customers", "SIM belum dicatat"), Tone.MUTED
    day = day_short(expires_on, language())
    if expires_on < today:
        return QCoreApplication.translate("Customers", "SIM habis sejak {day}").format(day=day), Tone.ERROR
    if (expires_on - today).days <= SOON_DAYS:
        return QCoreApplication.translate("Customers", "SIM segera habis: {day}").format(day=day), Tone.WARNING
    return QCoreApplication.translate("Customers", "SIM berlaku sampai {day}").format(day=day), Tone.SUCCESS


def blocked_words(code: str | None) -> str:
    """What the customer may read as well: a code, never the reason."""
    if code is None:
        return ""
    return QCoreApplication.translate("Customers", "Perlu persetujuan manajer (kode {code})").format(code=code)


def blocked_detail(card: CustomerCard) -> str:
    """For the tooltip, which only the clerk opens."""
    if card.blocked != ARREARS_CODE:
        return ""
    text = QCoreApplication.translate("Customers", "Tagihan lewat jatuh tempo {amount}")
    return text.format(amount=money(card.arrears, language()))


def warning_words(warning: NikWarning) -> str:
    match warning:
        case NikWarning.ODD_DATE:
            return QCoreApplication.translate("Customers", "Tanggal pada NIK tidak lazim, periksa kartunya.")
        case NikWarning.OTHER_BIRTH:
            return QCoreApplication.translate("Customers", "NIK memuat tanggal lahir lain, periksa kartunya.")
        case NikWarning.ODD_PROVINCE:
            return QCoreApplication.translate("Customers", "Kode wilayah pada NIK tidak lazim, periksa kartunya.")


def kind_word(kind: IdentityKind) -> str:
    match kind:
        case IdentityKind.NIK:
            return QCoreApplication.translate("Customers", "NIK (KTP)")
        case IdentityKind.PASSPORT:
            return QCoreApplication.translate("Customers", "Nomor paspor")
        case IdentityKind.LICENCE:
            return QCoreApplication.translate("Customers", "Nomor SIM")


def consent_text() -> str:
    """What the customer agrees to; recorded with the moment."""
    return QCoreApplication.translate(
        "Customers", "Data saya dipakai untuk sewa kendaraan dan disimpan menurut kebijakan Sentra."
    )


def field_word(name: str, *, company: bool = False) -> str:
    """The label over an input of the register."""
    if company and name == "name":
        return QCoreApplication.translate("Customers", "Nama perusahaan")
    words = {
        "name": QCoreApplication.translate("Customers", "Nama sesuai KTP"),
        "phone": QCoreApplication.translate("Customers", "Telepon"),
        "email": QCoreApplication.translate("Customers", "E-mail"),
        "address": QCoreApplication.translate("Customers", "Alamat"),
        "birth_on": QCoreApplication.translate("Customers", "Tanggal lahir"),
        "nik": QCoreApplication.translate("Customers", "NIK (KTP)"),
        "passport": QCoreApplication.translate("Customers", "Nomor paspor"),
        "nationality": QCoreApplication.translate("Customers", "Kewarganegaraan"),
        "licence_number": QCoreApplication.translate("Customers", "Nomor SIM"),
        "licence_class": QCoreApplication.translate("Customers", "Golongan SIM"),
        "licence_expires_on": QCoreApplication.translate("Customers", "SIM berlaku sampai"),
        "tier": QCoreApplication.translate("Customers", "Tingkat"),
        "company_id": QCoreApplication.translate("Customers", "Perusahaan"),
        "blacklist_code": QCoreApplication.translate("Customers", "Kode catatan"),
        "note": QCoreApplication.translate("Customers", "Catatan"),
        "npwp": QCoreApplication.translate("Customers", "NPWP"),
        "credit_limit": QCoreApplication.translate("Customers", "Batas kredit"),
        "due_days": QCoreApplication.translate("Customers", "Jatuh tempo (hari)"),
    }
    return words.get(name, name)
