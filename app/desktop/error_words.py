"""The words inside refusal sentences: names of fields, roles and states (why an input is wrong: reason_words)."""

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
    "attempt_id": QT_TRANSLATE_NOOP("Field", "Nomor pembayaran"),
    "login": QT_TRANSLATE_NOOP("Field", "Nama masuk"),
    "password": QT_TRANSLATE_NOOP("Field", "Kata sandi"),
    "text": QT_TRANSLATE_NOOP("Field", "Kata pencarian"),
    "file": QT_TRANSLATE_NOOP("Field", "Berkas"),
    "entry_id": QT_TRANSLATE_NOOP("Field", "Tempat di antrean"),
    "block_id": QT_TRANSLATE_NOOP("Field", "Perawatan"),
    "category": QT_TRANSLATE_NOOP("Field", "Kategori"),
    "counter": QT_TRANSLATE_NOOP("Field", "Nama kasir"),
    "verifier": QT_TRANSLATE_NOOP("Field", "Sandi tersimpan"),
    "roles": QT_TRANSLATE_NOOP("Field", "Peran"),
    "branch": QT_TRANSLATE_NOOP("Field", "Cabang"),
    "zone": QT_TRANSLATE_NOOP("Field", "Zona waktu"),
    "language": QT_TRANSLATE_NOOP("Field", "Bahasa"),
    "terms": QT_TRANSLATE_NOOP("Field", "Syarat sewa"),
    "letterhead": QT_TRANSLATE_NOOP("Field", "Kepala surat"),
    "day": QT_TRANSLATE_NOOP("Field", "Tanggal"),
    "days": QT_TRANSLATE_NOOP("Field", "Tanggal"),
    "status": QT_TRANSLATE_NOOP("Field", "Status"),
    "states": QT_TRANSLATE_NOOP("Field", "Status"),
    "action": QT_TRANSLATE_NOOP("Field", "Tindakan"),
    "source": QT_TRANSLATE_NOOP("Field", "Asal pesanan"),
    "prices": QT_TRANSLATE_NOOP("Field", "Rincian harga"),
    "total": QT_TRANSLATE_NOOP("Field", "Total"),
    "limit": QT_TRANSLATE_NOOP("Field", "Jumlah baris"),
    "most": QT_TRANSLATE_NOOP("Field", "Jumlah baris"),
    "rows": QT_TRANSLATE_NOOP("Field", "Baris berkas"),
    "csv_base64": QT_TRANSLATE_NOOP("Field", "Berkas"),
    "code": QT_TRANSLATE_NOOP("Field", "Kode penolakan"),
    "token": QT_TRANSLATE_NOOP("Field", "Kunci tagihan"),
    "epoch": QT_TRANSLATE_NOOP("Field", "Kunci tagihan"),
    "idle_ms": QT_TRANSLATE_NOOP("Field", "Waktu diam"),
    "instance": QT_TRANSLATE_NOOP("Field", "Nama layanan"),
    "kinds": QT_TRANSLATE_NOOP("Field", "Jenis pekerjaan"),
    "lease_seconds": QT_TRANSLATE_NOOP("Field", "Lama pinjam pekerjaan"),
    "sku_id": QT_TRANSLATE_NOOP("Field", "Barang"),
    "approval_id": QT_TRANSLATE_NOOP("Field", "Persetujuan"),
    "object": QT_TRANSLATE_NOOP("Field", "Hal yang disetujui"),
    "down_payment": QT_TRANSLATE_NOOP("Field", "Uang muka"),
    "balance_id": QT_TRANSLATE_NOOP("Field", "Tagihan"),
    "until_hours": QT_TRANSLATE_NOOP("Field", "Lama menunggu (jam)"),
    "expected_back": QT_TRANSLATE_NOOP("Field", "Uang yang dikembalikan"),
    "id": QT_TRANSLATE_NOOP("Field", "Nomor catatan"),
    "version": QT_TRANSLATE_NOOP("Field", "Data ini"),
    "customer_id": QT_TRANSLATE_NOOP("Field", "Pelanggan"),
    "company_id": QT_TRANSLATE_NOOP("Field", "Perusahaan"),
    "birth_on": QT_TRANSLATE_NOOP("Field", "Tanggal lahir"),
    "nik": QT_TRANSLATE_NOOP("Field", "NIK"),
    "passport": QT_TRANSLATE_NOOP("Field", "Nomor paspor"),
    "nationality": QT_TRANSLATE_NOOP("Field", "Kewarganegaraan"),
    "licence_number": QT_TRANSLATE_NOOP("Field", "Nomor SIM"),
    "licence_class": QT_TRANSLATE_NOOP("Field", "Golongan SIM"),
    "licence_expires_on": QT_TRANSLATE_NOOP("Field", "Masa berlaku SIM"),
    "address": QT_TRANSLATE_NOOP("Field", "Alamat"),
    "email": QT_TRANSLATE_NOOP("Field", "E-mail"),
    "tier": QT_TRANSLATE_NOOP("Field", "Tingkat pelanggan"),
    "consent_text": QT_TRANSLATE_NOOP("Field", "Persetujuan"),
    "blacklist_code": QT_TRANSLATE_NOOP("Field", "Kode catatan"),
    "identities": QT_TRANSLATE_NOOP("Field", "Nomor identitas"),
    "identities.kind": QT_TRANSLATE_NOOP("Field", "Jenis identitas"),
    "identities.masked": QT_TRANSLATE_NOOP("Field", "Nomor identitas"),
    "identities.sealed": QT_TRANSLATE_NOOP("Field", "Nomor identitas"),
    "number": QT_TRANSLATE_NOOP("Field", "Nomor identitas"),
    "ticket": QT_TRANSLATE_NOOP("Field", "Izin lihat"),
    "purpose": QT_TRANSLATE_NOOP("Field", "Tujuan"),
    "npwp": QT_TRANSLATE_NOOP("Field", "NPWP"),
    "folder": QT_TRANSLATE_NOOP("Field", "Folder ekspor"),
    "credit_limit": QT_TRANSLATE_NOOP("Field", "Batas kredit"),
    "due_days": QT_TRANSLATE_NOOP("Field", "Jatuh tempo"),
    "key_id": QT_TRANSLATE_NOOP("Field", "Kunci identitas"),
    "public_key": QT_TRANSLATE_NOOP("Field", "Kunci identitas"),
    "pickup_at": QT_TRANSLATE_NOOP("Field", "Waktu ambil"),
    "due_at": QT_TRANSLATE_NOOP("Field", "Waktu kembali"),
    "discount_percent": QT_TRANSLATE_NOOP("Field", "Diskon"),
    "taxable": QT_TRANSLATE_NOOP("Field", "Kena pajak"),
    "odometer": QT_TRANSLATE_NOOP("Field", "Odometer"),
    "fuel": QT_TRANSLATE_NOOP("Field", "BBM"),
    "hours": QT_TRANSLATE_NOOP("Field", "Jam pakai"),
    "accessories": QT_TRANSLATE_NOOP("Field", "Aksesori"),
    "checks": QT_TRANSLATE_NOOP("Field", "Daftar periksa"),
    "damages": QT_TRANSLATE_NOOP("Field", "Kerusakan"),
    "damage_id": QT_TRANSLATE_NOOP("Field", "Kerusakan"),
    "photos": QT_TRANSLATE_NOOP("Field", "Foto"),
    "photo": QT_TRANSLATE_NOOP("Field", "Foto"),
    "photo_id": QT_TRANSLATE_NOOP("Field", "Foto"),
    "content_base64": QT_TRANSLATE_NOOP("Field", "Foto"),
    "signature": QT_TRANSLATE_NOOP("Field", "Tanda tangan"),
    "signature.witness": QT_TRANSLATE_NOOP("Field", "Saksi"),
    "signature.reason": QT_TRANSLATE_NOOP("Field", "Alasan menolak tanda tangan"),
    "done_at": QT_TRANSLATE_NOOP("Field", "Waktu sebenarnya"),
    "at": QT_TRANSLATE_NOOP("Field", "Waktu sebenarnya"),
    "place": QT_TRANSLATE_NOOP("Field", "Tempat simpan"),
    "what": QT_TRANSLATE_NOOP("Field", "Jaminan"),
    "charges": QT_TRANSLATE_NOOP("Field", "Denda"),
    "charge_id": QT_TRANSLATE_NOOP("Field", "Denda"),
    "outcome": QT_TRANSLATE_NOOP("Field", "Keputusan"),
    "template": QT_TRANSLATE_NOOP("Field", "Jenis barang"),
    "charge_terms": QT_TRANSLATE_NOOP("Field", "Aturan denda"),
    "reference": QT_TRANSLATE_NOOP("Field", "Nomor bukti"),
    "bank": QT_TRANSLATE_NOOP("Field", "Bank"),
    "way": QT_TRANSLATE_NOOP("Field", "Cara bayar"),
    "last4": QT_TRANSLATE_NOOP("Field", "Empat angka kartu"),
    "approval_code": QT_TRANSLATE_NOOP("Field", "Kode persetujuan"),
    "sender": QT_TRANSLATE_NOOP("Field", "Pengirim"),
    "verified": QT_TRANSLATE_NOOP("Field", "Transfer"),
    "to_credit": QT_TRANSLATE_NOOP("Field", "Saldo pelanggan"),
    "pieces": QT_TRANSLATE_NOOP("Field", "Hitungan uang"),
    "edc_slips": QT_TRANSLATE_NOOP("Field", "Jumlah slip EDC"),
    "edc_total": QT_TRANSLATE_NOOP("Field", "Total EDC"),
    "drafts": QT_TRANSLATE_NOOP("Field", "Draf"),
    "shift_id": QT_TRANSLATE_NOOP("Field", "Shift"),
    "refund_id": QT_TRANSLATE_NOOP("Field", "Pengembalian"),
    "late_id": QT_TRANSLATE_NOOP("Field", "Uang terlambat"),
    "answer": QT_TRANSLATE_NOOP("Field", "Jawaban"),
    "subject_id": QT_TRANSLATE_NOOP("Field", "Dokumen"),
    "withheld": QT_TRANSLATE_NOOP("Field", "PPh 23"),
    "withholding_id": QT_TRANSLATE_NOOP("Field", "Bukti potong"),
    "slip_number": QT_TRANSLATE_NOOP("Field", "Nomor bukti potong"),
    "slip_on": QT_TRANSLATE_NOOP("Field", "Tanggal bukti potong"),
    "idtku": QT_TRANSLATE_NOOP("Field", "IDTKU"),
    "tax_identity": QT_TRANSLATE_NOOP("Field", "NPWP cabang"),
    "key": QT_TRANSLATE_NOOP("Field", "Pengaturan"),
    "value": QT_TRANSLATE_NOOP("Field", "Nilai pengaturan"),
    "mode": QT_TRANSLATE_NOOP("Field", "Mode pembayaran daring"),
    "DATABASE_URL": QT_TRANSLATE_NOOP("Field", "Alamat database"),
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
