"""The words inside refusal sentences: names of fields, why an input is wrong, roles, actions, states."""

import re

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from app.desktop.states import ShownState, state_label

_FIELDS: dict[str, object] = {
    "customer": QT_TRANSLATE_NOOP("Field", "Pelanggan"),
    "customer.id": QT_TRANSLATE_NOOP("Field", "Pelanggan"),
    "customer.name": QT_TRANSLATE_NOOP("Field", "Nama pelanggan"),
    "customer.phone": QT_TRANSLATE_NOOP("Field", "Nomor telepon"),
    "name": QT_TRANSLATE_NOOP("Field", "Nama"),
    "phone": QT_TRANSLATE_NOOP("Field", "Nomor telepon"),
    "note": QT_TRANSLATE_NOOP("Field", "Catatan"),
    "reason": QT_TRANSLATE_NOOP("Field", "Alasan"),
    "first_day": QT_TRANSLATE_NOOP("Field", "Tanggal ambil"),
    "last_day": QT_TRANSLATE_NOOP("Field", "Tanggal kembali"),
    "month": QT_TRANSLATE_NOOP("Field", "Bulan"),
    "sku": QT_TRANSLATE_NOOP("Field", "Barang"),
    "unit_id": QT_TRANSLATE_NOOP("Field", "Unit"),
    "plate": QT_TRANSLATE_NOOP("Field", "Pelat"),
    "lines": QT_TRANSLATE_NOOP("Field", "Barang"),
    "drawer": QT_TRANSLATE_NOOP("Field", "Nama laci"),
    "float": QT_TRANSLATE_NOOP("Field", "Modal awal"),
    "tenders": QT_TRANSLATE_NOOP("Field", "Pembayaran"),
    "amount": QT_TRANSLATE_NOOP("Field", "Jumlah uang"),
    "kind": QT_TRANSLATE_NOOP("Field", "Cara bayar"),
    "invoice_id": QT_TRANSLATE_NOOP("Field", "Tagihan"),
    "booking_id": QT_TRANSLATE_NOOP("Field", "Booking"),
    "order_id": QT_TRANSLATE_NOOP("Field", "Pesanan"),
    "login": QT_TRANSLATE_NOOP("Field", "Nama masuk"),
    "password": QT_TRANSLATE_NOOP("Field", "Kata sandi"),
    "text": QT_TRANSLATE_NOOP("Field", "Kata pencarian"),
    "file": QT_TRANSLATE_NOOP("Field", "Berkas"),
}
_REASONS: dict[str, object] = {
    "empty": QT_TRANSLATE_NOOP("Reason", "belum diisi"),
    "too_long": QT_TRANSLATE_NOOP("Reason", "terlalu panjang"),
    "control_characters": QT_TRANSLATE_NOOP("Reason", "berisi tanda yang tidak terlihat"),
    "not_a_name": QT_TRANSLATE_NOOP("Reason", "harus berisi huruf, sesuai KTP"),
    "not_a_phone": QT_TRANSLATE_NOOP("Reason", "harus 9-13 angka, contoh 0812-3456-7890"),
    "not_a_day": QT_TRANSLATE_NOOP("Reason", "bukan tanggal, contoh 30/11 atau besok"),
    "not_a_month": QT_TRANSLATE_NOOP("Reason", "bukan bulan"),
    "not_an_amount": QT_TRANSLATE_NOOP("Reason", "bukan jumlah rupiah, contoh 500.000 atau 500rb"),
    "not_a_whole_number": QT_TRANSLATE_NOOP("Reason", "harus angka bulat"),
    "not_a_duration": QT_TRANSLATE_NOOP("Reason", "bukan lama waktu"),
    "not_a_sku": QT_TRANSLATE_NOOP("Reason", "bukan kode barang"),
    "not_a_unit_id": QT_TRANSLATE_NOOP("Reason", "bukan kode unit"),
    "not_a_plate": QT_TRANSLATE_NOOP("Reason", "bukan nomor pelat, contoh B 1234 XYZ"),
    "not_a_uuid": QT_TRANSLATE_NOOP("Reason", "bukan nomor yang dikenal"),
    "not_a_login": QT_TRANSLATE_NOOP("Reason", "bukan nama masuk"),
    "not_offered": QT_TRANSLATE_NOOP("Reason", "belum bisa dipakai di kasir ini"),
    "not_needed": QT_TRANSLATE_NOOP("Reason", "melebihi tagihan"),
    "twice": QT_TRANSLATE_NOOP("Reason", "dipilih dua kali"),
    "length": QT_TRANSLATE_NOOP("Reason", "harus {least}-{most} huruf"),
    "count": QT_TRANSLATE_NOOP("Reason", "harus {least}-{most} baris"),
    "out_of_range": QT_TRANSLATE_NOOP("Reason", "harus antara {least} dan {most}"),
}
_ROLES: dict[str, object] = {
    "agent": QT_TRANSLATE_NOOP("Role", "Agen"),
    "inspector": QT_TRANSLATE_NOOP("Role", "Inspektur"),
    "cashier": QT_TRANSLATE_NOOP("Role", "Kasir"),
    "manager": QT_TRANSLATE_NOOP("Role", "Manajer"),
    "service": QT_TRANSLATE_NOOP("Role", "Layanan"),
}
_INVOICE_STATES: dict[str, object] = {
    "OPEN": QT_TRANSLATE_NOOP("InvoiceState", "belum lunas"),
    "PAID": QT_TRANSLATE_NOOP("InvoiceState", "lunas"),
    "VOID": QT_TRANSLATE_NOOP("InvoiceState", "batal"),
}


def field_label(field: str | None) -> str:
    """The name of an input, from a refusal's field such as `lines[1].first_day`; "Isian" when it has no name."""
    plain = re.sub(r"\[\d+\]", "", field or "")
    for name in (plain, plain.rsplit(".", 1)[-1], plain.split(".", 1)[0]):
        if name in _FIELDS:
            return QCoreApplication.translate("Field", str(_FIELDS[name]))
    return QCoreApplication.translate("Field", "Isian")


def reason_words(reason: str, params: dict[str, object]) -> str:
    """Why an input is wrong, to follow its name; an unknown reason reads "tidak bisa dipakai"."""
    text = _REASONS.get(reason)
    if text is None:
        return QCoreApplication.translate("Reason", "tidak bisa dipakai")
    words = QCoreApplication.translate("Reason", str(text))
    return words.format(least=params.get("least", ""), most=params.get("most", ""))


def role_label(role: str) -> str:
    """`cashier` as "Kasir" or "Cashier"."""
    return QCoreApplication.translate("Role", str(_ROLES[role])) if role in _ROLES else role


def role_list(roles: object) -> str:
    """Several roles, joined by commas; a manager counts as all and is named only when alone."""
    names = [str(role) for role in roles] if isinstance(roles, list | tuple | set | frozenset) else []
    shown = [name for name in names if name not in ("manager", "service")] or names
    return ", ".join(role_label(name) for name in shown)


def any_state_label(state: object) -> str:
    """The word for a booking's or an invoice's state name; empty for none."""
    name = str(state or "")
    if name in _INVOICE_STATES:
        return QCoreApplication.translate("InvoiceState", str(_INVOICE_STATES[name]))
    return state_label(ShownState(name)) if name in ShownState.__members__ else name
