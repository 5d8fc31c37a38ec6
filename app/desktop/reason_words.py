"""Why an input was refused, to follow its name, and the next step that goes with it."""

import datetime as dt

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from app.desktop.formats import day_short, number
from app.desktop.language import language

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
    "missing": QT_TRANSLATE_NOOP("Reason", "belum diisi"),
    "too_short": QT_TRANSLATE_NOOP("Reason", "terlalu pendek"),
    "too_large": QT_TRANSLATE_NOOP("Reason", "terlalu besar"),
    "too_much": QT_TRANSLATE_NOOP("Reason", "terlalu besar untuk dikembalikan"),
    "too_late_for_a_link": QT_TRANSLATE_NOOP("Reason", "terlambat untuk tautan: sisa waktunya kurang dari 5 menit"),
    "unknown": QT_TRANSLATE_NOOP("Reason", "tidak dikenal"),
    "taken": QT_TRANSLATE_NOOP("Reason", "sudah dipakai"),
    "not_a_note": QT_TRANSLATE_NOOP("Reason", "harus berisi catatan yang bisa dibaca"),
    "not_a_reason": QT_TRANSLATE_NOOP("Reason", "harus berisi kata-kata"),
    "not_a_reference": QT_TRANSLATE_NOOP("Reason", "bukan nomor bukti bayar"),
    "not_a_drawer": QT_TRANSLATE_NOOP("Reason", "harus berisi nama laci, paling banyak 40 huruf"),
    "not_a_counter": QT_TRANSLATE_NOOP("Reason", "harus berisi huruf atau angka"),
    "not_a_role": QT_TRANSLATE_NOOP("Reason", "bukan peran yang ada"),
    "not_a_verifier": QT_TRANSLATE_NOOP("Reason", "tidak bisa dibaca"),
    "too_few_iterations": QT_TRANSLATE_NOOP("Reason", "terlalu lemah, paling sedikit {least} putaran"),
    "not_a_status": QT_TRANSLATE_NOOP("Reason", "bukan status unit: IN_SERVICE, MAINTENANCE atau RETIRED"),
    "not_a_state": QT_TRANSLATE_NOOP("Reason", "bukan status booking"),
    "not_a_source": QT_TRANSLATE_NOOP("Reason", "bukan asal pesanan yang ada"),
    "not_a_tender": QT_TRANSLATE_NOOP("Reason", "bukan cara bayar"),
    "not_a_language": QT_TRANSLATE_NOOP("Reason", "bukan bahasa yang ada: id atau en"),
    "not_a_zone": QT_TRANSLATE_NOOP("Reason", "bukan zona waktu Indonesia, contoh Asia/Jakarta"),
    "not_a_branch_code": QT_TRANSLATE_NOOP("Reason", "bukan kode cabang, contoh JKT"),
    "not_a_token": QT_TRANSLATE_NOOP("Reason", "bukan kunci yang sah"),
    "not_an_epoch": QT_TRANSLATE_NOOP("Reason", "bukan nomor kunci"),
    "not_an_instance": QT_TRANSLATE_NOOP("Reason", "bukan nama layanan"),
    "not_a_number": QT_TRANSLATE_NOOP("Reason", "harus angka"),
    "not_a_rupiah": QT_TRANSLATE_NOOP("Reason", "harus jumlah rupiah"),
    "not_a_moment": QT_TRANSLATE_NOOP("Reason", "bukan tanggal dan jam"),
    "not_a_boolean": QT_TRANSLATE_NOOP("Reason", "harus ya atau tidak"),
    "not_a_text": QT_TRANSLATE_NOOP("Reason", "harus berisi teks"),
    "not_an_array": QT_TRANSLATE_NOOP("Reason", "harus berupa daftar"),
    "not_an_object": QT_TRANSLATE_NOOP("Reason", "harus berupa kelompok isian"),
    "not_bool": QT_TRANSLATE_NOOP("Reason", "harus ya atau tidak"),
    "not_int": QT_TRANSLATE_NOOP("Reason", "harus angka bulat"),
    "not_str": QT_TRANSLATE_NOOP("Reason", "harus berisi teks"),
    "not_text": QT_TRANSLATE_NOOP("Reason", "harus berisi teks"),
    "not_texts": QT_TRANSLATE_NOOP("Reason", "harus berupa daftar teks"),
    "not_list": QT_TRANSLATE_NOOP("Reason", "harus berupa daftar"),
    "not_dict": QT_TRANSLATE_NOOP("Reason", "harus berupa kelompok isian"),
    "not_base64": QT_TRANSLATE_NOOP("Reason", "bukan base64"),
    "unknown_field": QT_TRANSLATE_NOOP("Reason", "bukan isian yang dikenal"),
    "not_valid": QT_TRANSLATE_NOOP("Reason", "tidak sah"),
    "not_recorded": QT_TRANSLATE_NOOP("Reason", "tidak dicatat"),
    "not_waiting": QT_TRANSLATE_NOOP("Reason", "tidak menunggu lagi"),
    "has_bookings": QT_TRANSLATE_NOOP("Reason", "tidak bisa dihentikan selama unitnya masih dipesan"),
    "incomplete": QT_TRANSLATE_NOOP("Reason", "tidak lengkap"),
    "not_of_the_period": QT_TRANSLATE_NOOP("Reason", "tidak sesuai tanggal sewanya"),
    "not_the_price": QT_TRANSLATE_NOOP("Reason", "tidak sama dengan daftar harga"),
    "not_the_sum": QT_TRANSLATE_NOOP("Reason", "tidak sama dengan jumlah barisnya"),
    "not_the_unit": QT_TRANSLATE_NOOP("Reason", "bukan unit yang diberikan"),
    "other_branch": QT_TRANSLATE_NOOP("Reason", "milik cabang lain"),
    "sku_change": QT_TRANSLATE_NOOP("Reason", "tidak bisa diganti pada unit yang sudah ada"),
    "differs_by_case": QT_TRANSLATE_NOOP("Reason", "sudah ada dengan huruf besar kecil yang lain"),
    "differs_in_file": QT_TRANSLATE_NOOP("Reason", "berbeda dari baris sebelumnya di berkas"),
    "twice_in_file": QT_TRANSLATE_NOOP("Reason", "ada dua kali di berkas"),
    "cell_count": QT_TRANSLATE_NOOP("Reason", "punya kolom terlalu banyak atau terlalu sedikit"),
    "columns_missing": QT_TRANSLATE_NOOP("Reason", "tidak punya semua kolom"),
    "columns_doubled": QT_TRANSLATE_NOOP("Reason", "punya kolom yang sama dua kali"),
    "not_csv": QT_TRANSLATE_NOOP("Reason", "bukan CSV"),
    "not_utf8": QT_TRANSLATE_NOOP("Reason", "bukan teks UTF-8"),
    "quote_not_closed": QT_TRANSLATE_NOOP("Reason", "punya tanda kutip yang tidak ditutup"),
    "stray_quote": QT_TRANSLATE_NOOP("Reason", "punya tanda kutip di tempat yang salah"),
    "not_digits": QT_TRANSLATE_NOOP("Reason", "hanya boleh berisi angka"),
    "digits": QT_TRANSLATE_NOOP("Reason", "harus {exactly} angka, baru {length}"),
    "not_a_passport": QT_TRANSLATE_NOOP("Reason", "harus 6-9 huruf dan angka"),
    "not_a_licence": QT_TRANSLATE_NOOP("Reason", "harus 5-20 huruf dan angka"),
    "not_an_identity": QT_TRANSLATE_NOOP("Reason", "bukan nomor KTP, paspor atau SIM"),
    "not_an_npwp": QT_TRANSLATE_NOOP("Reason", "harus 15 atau 16 angka"),
    "not_an_email": QT_TRANSLATE_NOOP("Reason", "harus seperti nama@contoh.id"),
    "not_a_country": QT_TRANSLATE_NOOP("Reason", "harus dua huruf negara, contoh ID"),
    "not_a_birth": QT_TRANSLATE_NOOP("Reason", "bukan tanggal lahir yang mungkin"),
    "not_a_licence_class": QT_TRANSLATE_NOOP("Reason", "bukan golongan SIM, contoh A atau B1 UMUM"),
    "not_a_tier": QT_TRANSLATE_NOOP("Reason", "bukan tingkat pelanggan yang ada"),
    "not_a_code": QT_TRANSLATE_NOOP("Reason", "harus dua angka, selain 01"),
    "changed_meanwhile": QT_TRANSLATE_NOOP("Reason", "baru saja diubah orang lain"),
    "not_masked": QT_TRANSLATE_NOOP("Reason", "tidak tersamar"),
    "not_sealed": QT_TRANSLATE_NOOP("Reason", "tidak tersegel"),
    "not_a_key": QT_TRANSLATE_NOOP("Reason", "bukan kunci yang sah"),
    "not_a_card": QT_TRANSLATE_NOOP("Reason", "bukan daftar harga yang bisa dibaca"),
    "not_a_time": QT_TRANSLATE_NOOP("Reason", "bukan jam, contoh 14.05"),
    "not_a_unit": QT_TRANSLATE_NOOP("Reason", "bukan kode unit yang bisa dibaca"),
    "per_day": QT_TRANSLATE_NOOP("Reason", "harus ya untuk tambahan per hari"),
    "too_low": QT_TRANSLATE_NOOP("Reason", "kurang dari yang ditentukan untuk barang ini"),
    "in_the_future": QT_TRANSLATE_NOOP("Reason", "belum terjadi menurut jam server"),
    "before_the_last_step": QT_TRANSLATE_NOOP("Reason", "lebih awal dari langkah sebelumnya"),
    "below_the_last": QT_TRANSLATE_NOOP("Reason", "lebih kecil dari saat serah, paling sedikit {least}"),
    "not_needed_here": QT_TRANSLATE_NOOP("Reason", "tidak ada pada barang ini"),
    "by_rule": QT_TRANSLATE_NOOP("Reason", "dihitung sendiri oleh aturan denda"),
    "not_last4": QT_TRANSLATE_NOOP("Reason", "harus empat angka terakhir kartu"),
    "not_an_approval_code": QT_TRANSLATE_NOOP("Reason", "harus kode persetujuan 6 angka dari struk EDC"),
    "not_verified": QT_TRANSLATE_NOOP("Reason", "belum terlihat di rekening"),
    "no_company": QT_TRANSLATE_NOOP("Reason", "hanya untuk penyewa dari perusahaan"),
    "no_open_debt": QT_TRANSLATE_NOOP("Reason", "tidak bisa mengurangi utang yang sudah ditagih atau dibayar"),
    "not_the_tax": QT_TRANSLATE_NOOP("Reason", "tidak sama dengan PPh 23 yang dihitung"),
    "given_back": QT_TRANSLATE_NOOP("Reason", "sudah dikembalikan gateway ke pembayarnya"),
    "over_credit": QT_TRANSLATE_NOOP("Reason", "melebihi saldo pelanggan"),
    "over_limit": QT_TRANSLATE_NOOP("Reason", "melebihi batas kredit perusahaan"),
    "over_deposit": QT_TRANSLATE_NOOP("Reason", "melebihi sisa deposit"),
    "over_drawer": QT_TRANSLATE_NOOP("Reason", "melebihi isi laci"),
    "not_pieces": QT_TRANSLATE_NOOP("Reason", "bukan jumlah lembar uang yang ada"),
    "counted_before": QT_TRANSLATE_NOOP("Reason", "dihitung sebelum uang di laci berubah"),
    "nothing_owed": QT_TRANSLATE_NOOP("Reason", "tidak punya piutang yang belum ditagih"),
    "not_a_setting": QT_TRANSLATE_NOOP("Reason", "bukan nilai yang bisa dipakai"),
    "not_an_idtku": QT_TRANSLATE_NOOP("Reason", "harus 22 angka"),
    "paid_out": QT_TRANSLATE_NOOP("Reason", "sudah dibayarkan"),
    "paid_before": QT_TRANSLATE_NOOP("Reason", "sudah dibayar"),
    "not_a_mode": QT_TRANSLATE_NOOP("Reason", "bukan mode pembayaran daring yang ada"),
    "too_far": QT_TRANSLATE_NOOP("Reason", "belum dimulai"),
    "past": QT_TRANSLATE_NOOP("Reason", "sudah lewat"),
    "expires": QT_TRANSLATE_NOOP("Reason", "habis {expires_on}, padahal unit baru {last_day} kembali"),
    "after_due": QT_TRANSLATE_NOOP("Reason", "melewati jam unit harus kembali, paling lama {most}"),
    "turnaround": QT_TRANSLATE_NOOP("Reason", "masih disiapkan sampai {last_day}, jadi baru {possible} bisa diambil"),
}
_RELOAD = QT_TRANSLATE_NOOP("Refusal", "Muat ulang (F5) untuk keadaan terbaru.")
_FILE = QT_TRANSLATE_NOOP("Refusal", "Perbaiki berkasnya, lalu impor lagi.")
_SETTINGS = QT_TRANSLATE_NOOP("Refusal", "Perbaiki nama kasir di pengaturan, lalu coba lagi.")
_ADMIN = QT_TRANSLATE_NOOP("Refusal", "Simpan kata sandinya lagi dengan sentra-admin.")
_NEXT_STEPS: dict[str, object] = {
    **dict.fromkeys(("not_waiting", "not_of_the_period", "not_the_price", "not_the_sum", "not_the_unit"), _RELOAD),
    **dict.fromkeys(("incomplete", "not_a_token", "not_an_epoch"), _RELOAD),
    **dict.fromkeys(("changed_meanwhile", "not_masked", "not_sealed", "not_a_key", "not_a_card"), _RELOAD),
    **dict.fromkeys(("other_branch", "sku_change", "differs_by_case", "differs_in_file", "twice_in_file"), _FILE),
    **dict.fromkeys(("cell_count", "columns_missing", "columns_doubled", "not_csv", "not_utf8"), _FILE),
    **dict.fromkeys(("quote_not_closed", "stray_quote", "not_a_status", "has_bookings", "taken", "unknown"), _FILE),
    "too_much": QT_TRANSLATE_NOOP("Refusal", "Periksa jumlah yang diterima."),
    "too_late_for_a_link": QT_TRANSLATE_NOOP("Refusal", "Terima dengan QRIS atau tunai."),
    "not_a_counter": _SETTINGS,
    "not_a_verifier": _ADMIN,
    "too_few_iterations": _ADMIN,
}


def reason_words(reason: str, params: dict[str, object]) -> str:
    """Why an input is wrong, to follow its name; an unknown reason reads "tidak bisa dipakai"."""
    text = _REASONS.get(reason)
    if text is None:
        return QCoreApplication.translate("Reason", "tidak bisa dipakai")
    words = QCoreApplication.translate("Reason", str(text))
    given = {name: _number(params.get(name)) for name in ("least", "most", "exactly", "length")}
    given |= {name: _day(params.get(name)) for name in ("expires_on", "last_day", "possible")}
    return words.format(**given)


def _number(value: object) -> str:
    """A number with the language's separators; what is none as it is."""
    if isinstance(value, int):
        return number(value, language())
    return "" if value is None else str(value)


def _day(value: object) -> str:
    """A day as a person reads it; the database's own refusals carry its ISO text."""
    try:
        day = dt.date.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        return ""
    return day_short(day, language()) if isinstance(day, dt.date) else ""


def next_step(reason: str) -> str:
    """What to do about it, as a sentence."""
    text = _NEXT_STEPS.get(reason)
    if text is None:
        return QCoreApplication.translate("Refusal", "Perbaiki, lalu coba lagi.")
    return QCoreApplication.translate("Refusal", str(text))
