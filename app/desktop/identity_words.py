"""Why an identity number cannot be looked for, shown or saved now: title and what to do."""

from PySide6.QtCore import QCoreApplication

_REASONS = frozenset({"identity_key", "service", "no_service", "not_secured"})


def identity_words(reason: object) -> tuple[str, str] | None:
    """For the reason of a refusal; None when it is none of these."""
    if reason == "sealed_otherwise":
        return (
            QCoreApplication.translate("Refusal", "Nomor ini tidak bisa dibuka lagi."),
            QCoreApplication.translate("Refusal", "Lihat kartunya, lalu ketik nomornya sekali lagi dan simpan."),
        )
    if reason not in _REASONS:
        return None
    title = QCoreApplication.translate("Refusal", "Nomor identitas belum bisa dicari, dibuka, atau disimpan.")
    match reason:
        case "identity_key":
            text = QCoreApplication.translate(
                "Refusal", "Kunci nomor identitas di layanan Sentra hilang atau bukan yang lama: hubungi teknisi."
            )
        case "no_service" | "not_secured":
            text = QCoreApplication.translate(
                "Refusal", "Alamat layanan Sentra di PC ini kosong atau tidak aman: hubungi teknisi."
            )
        case _:
            text = QCoreApplication.translate("Refusal", "Layanan Sentra tidak menjawab, coba lagi nanti.")
    rest = QCoreApplication.translate("Refusal", "Isian lain bisa disimpan tanpa nomor.")
    return title, f"{text} {rest}"
