"""The one place where a refusal's code becomes a sentence: what happened, what is safe, what to do now."""

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.desktop.error_words import any_state_label, field_label, role_list
from app.desktop.formats import Zone, clock, lock_countdown, money, period_short
from app.desktop.identity_words import identity_words
from app.desktop.language import language
from app.desktop.reason_words import next_step, reason_words
from app.desktop.viewmodel import Failure
from app.domain.errors import Refusal, RefusalCode

DEFAULT_ZONE = "Asia/Jakarta"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """`title` is the fact, in bold; `text` says what is safe and what to do."""

    title: str
    text: str

    @property
    def whole(self) -> str:
        return f"{self.title} {self.text}".strip()


def refusal_sentence(refusal: Refusal, zone: Zone = DEFAULT_ZONE) -> Sentence:
    """The sentence for a refusal in the language in use; times are on the branch's clock (`zone`)."""
    return _SENTENCES[refusal.code](refusal, zone)


def failure_sentence(failure: Failure) -> Sentence:
    """The sentence for something unexpected. It shows the code that stands in the log, nothing of the error itself."""
    title = QCoreApplication.translate("Failure", "Ada yang tidak beres. Isian Anda tetap ada di layar ini.")
    text = QCoreApplication.translate("Failure", "Coba lagi (F5). Bila terulang, sebutkan kode {code}.")
    return Sentence(title=title, text=text.format(code=failure.code))


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _moment(value: object) -> dt.datetime | None:
    """A moment as the database's own answers carry it: a datetime, or its ISO text."""
    if not isinstance(value, str):
        return value if isinstance(value, dt.datetime) else None
    try:
        return dt.datetime.fromisoformat(value)
    except ValueError:
        return None


def _days(params: Mapping[str, object]) -> str:
    first, last = params.get("first_day"), params.get("last_day")
    if isinstance(first, dt.date) and isinstance(last, dt.date):
        return period_short(first, last, language())
    return ""


def _days_taken(refusal: Refusal, zone: Zone) -> Sentence:
    days = _days(refusal.params)
    what = _text(refusal.params.get("plate")) or _text(refusal.params.get("sku"))
    if what and days and refusal.params.get("plate"):
        title = QCoreApplication.translate("Refusal", "{what} tidak bisa dipesan {days}.").format(what=what, days=days)
    elif what and days:
        title = QCoreApplication.translate("Refusal", "Tidak ada {what} kosong pada {days}.").format(
            what=what, days=days
        )
    else:
        title = QCoreApplication.translate("Refusal", "Tanggal itu sudah terpakai.")
    blockers = refusal.params.get("blockers")
    first = blockers[0] if isinstance(blockers, list) and blockers else None
    text = _blocker(first) if isinstance(first, dict) else ""
    hint = QCoreApplication.translate("Refusal", "Pilih unit atau tanggal lain.")
    return Sentence(title=title, text=f"{text} {hint}".strip())


def _blocker(blocker: Mapping[str, object]) -> str:
    days = _days(blocker)
    number = _text(blocker.get("number"))
    if blocker.get("kind") == "MAINTENANCE":
        return QCoreApplication.translate("Refusal", "{days} dalam perawatan.").format(days=days)
    if not number:
        return QCoreApplication.translate("Refusal", "{days} terpakai.").format(days=days)
    customer = _text(blocker.get("customer"))
    state = any_state_label(blocker.get("state"))
    inside = ", ".join(part for part in (customer, state.lower()) if part)
    text = QCoreApplication.translate("Refusal", "{days} dipakai {number} ({who}).")
    return text.format(days=days, number=number, who=inside or "-")


def _unit_not_rentable(refusal: Refusal, zone: Zone) -> Sentence:
    what = _text(refusal.params.get("plate")) or _text(refusal.params.get("unit_id"))
    if refusal.params.get("reason") == "lower_class":
        title = QCoreApplication.translate("Refusal", "Kelas unit {what} lebih rendah dari yang dipesan.")
        fix = QCoreApplication.translate("Refusal", "Pilih unit yang sekelas atau lebih baik; harganya tetap.")
        return Sentence(title=title.format(what=what or "-"), text=fix)
    if refusal.params.get("reason") == "status":
        title = QCoreApplication.translate("Refusal", "Unit {what} sudah tidak disewakan lagi.")
        if refusal.params.get("status") == "MAINTENANCE":
            title = QCoreApplication.translate("Refusal", "Unit {what} sedang dalam perawatan.")
        return Sentence(
            title=title.format(what=what or "-"), text=QCoreApplication.translate("Refusal", "Pilih unit lain.")
        )
    if refusal.params.get("reason") == "other_branch":
        title = QCoreApplication.translate("Refusal", "Unit {what} milik cabang lain.")
        return Sentence(
            title=title.format(what=what or "-"), text=QCoreApplication.translate("Refusal", "Pilih unit cabang ini.")
        )
    title = QCoreApplication.translate("Refusal", "Unit ini sedang tidak disewakan.")
    if what:
        title = QCoreApplication.translate("Refusal", "Unit {what} sedang tidak disewakan.").format(what=what)
    return Sentence(title=title, text=QCoreApplication.translate("Refusal", "Pilih unit lain."))


def _period_invalid(refusal: Refusal, zone: Zone) -> Sentence:
    limit = _text(refusal.params.get("limit"))
    match refusal.params.get("reason"):
        case "reversed":
            title = QCoreApplication.translate("Refusal", "Tanggal kembali harus pada atau setelah tanggal ambil.")
        case "past" if refusal.field == "last_day":
            title = QCoreApplication.translate("Refusal", "Tanggal kembali sudah lewat.")
        case "past":
            title = QCoreApplication.translate("Refusal", "Tanggal ambil sudah lewat.")
        case "too_far":
            title = QCoreApplication.translate("Refusal", "Tanggal ambil paling jauh {limit} hari dari hari ini.")
        case "begun":
            title = QCoreApplication.translate("Refusal", "Sewa sudah berjalan: tanggal ambilnya tetap.")
        case "one_change":
            title = QCoreApplication.translate("Refusal", "Sewa sudah berjalan: ganti unit dan tanggal satu per satu.")
        case "not_longer":
            title = QCoreApplication.translate("Refusal", "Perpanjangan harus melewati tanggal kembali yang sekarang.")
        case "paid":
            title = QCoreApplication.translate("Refusal", "Hari itu sudah dibayar: tarik kembali tanpa tagihan baru.")
        case "not_paid":
            title = QCoreApplication.translate("Refusal", "Hari itu belum dibayar: minta perpanjangan.")
        case "down_payment":
            title = QCoreApplication.translate("Refusal", "Sewa tidak bisa lebih murah dari uang muka yang terbuka.")
        case "too_late":
            title = QCoreApplication.translate("Refusal", "Hari terakhir harus sebelum akhir yang sekarang.")
        case "out_of_range":
            title = QCoreApplication.translate("Refusal", "Tanggal itu di luar tahun {least}-{most}.")
        case "too_long":
            title = QCoreApplication.translate("Refusal", "Lama sewa 1-{limit} hari.")
        case _:
            title = QCoreApplication.translate("Refusal", "Tanggal itu tidak bisa dipakai.")
    fix = QCoreApplication.translate("Refusal", "Perbaiki {field}.")
    least, most = _text(refusal.params.get("least")), _text(refusal.params.get("most"))
    title = title.format(limit=limit or "365", least=least, most=most)
    return Sentence(title=title, text=fix.format(field=field_label(refusal.field).lower()))


def _changed_meanwhile(refusal: Refusal) -> Sentence:
    number, who = _text(refusal.params.get("number")), _text(refusal.params.get("by"))
    counter = _text(refusal.params.get("counter"))
    if who:
        title = QCoreApplication.translate("Refusal", "{number} baru saja diubah {who}.")
        title = title.format(number=number, who=f"{who} ({counter})" if counter else who)
    else:
        title = QCoreApplication.translate("Refusal", "{number} baru saja diubah.").format(number=number)
    text = QCoreApplication.translate("Refusal", "Tidak ada yang diubah dari sini. Lihat dulu keadaannya sekarang.")
    return Sentence(title=title, text=text)


def _booking_state(refusal: Refusal, zone: Zone) -> Sentence:
    if refusal.params.get("reason") == "changed_meanwhile":
        return _changed_meanwhile(refusal)
    state = any_state_label(refusal.params.get("state"))
    if state:
        title = QCoreApplication.translate("Refusal", "Tidak bisa lagi: statusnya sekarang {state}.")
        title = title.format(state=state.lower())
    else:
        title = QCoreApplication.translate("Refusal", "Statusnya sudah berubah.")
    return Sentence(title=title, text=QCoreApplication.translate("Refusal", "Muat ulang (F5) untuk keadaan terbaru."))


def _booking_expired(refusal: Refusal, zone: Zone) -> Sentence:
    return Sentence(
        title=QCoreApplication.translate("Refusal", "Batas bayar sudah lewat, unit dilepas."),
        text=QCoreApplication.translate("Refusal", "Tidak ada yang dibayar. Buat booking baru bila unit masih kosong."),
    )


def _lock_held(refusal: Refusal, zone: Zone) -> Sentence:
    params = refusal.params
    who, since = _text(params.get("holder_name") or params.get("holder")), params.get("since")
    if who and isinstance(since, dt.datetime):
        title = QCoreApplication.translate("Refusal", "Tagihan {number} sedang diproses {who} sejak {since}.")
        counter = _text(params.get("counter"))
        title = title.format(
            number=_text(params.get("number")),
            who=f"{who} ({counter})" if counter else who,
            since=clock(since, zone, language()),
        )
    else:
        title = QCoreApplication.translate("Refusal", "Tagihan ini sedang diproses di kasir lain.")
    remaining = params.get("remaining_ms")
    if isinstance(remaining, int):
        left = QCoreApplication.translate("Refusal", "Paling lama {left} lagi.")
        return Sentence(title=" ".join(title.split()), text=left.format(left=lock_countdown(remaining / 1000)))
    return Sentence(title=title, text=QCoreApplication.translate("Refusal", "Coba lagi setelah selesai."))


def _lock_mine_elsewhere(refusal: Refusal, zone: Zone) -> Sentence:
    counter = _text(refusal.params.get("counter"))
    title = QCoreApplication.translate("Refusal", "Anda membukanya di jendela lain.")
    if counter:
        title = QCoreApplication.translate("Refusal", "Anda membukanya di {counter}.").format(counter=counter)
    return Sentence(
        title=title,
        text=QCoreApplication.translate("Refusal", "Pindahkan ke sini bila Anda ingin melanjutkan di layar ini."),
    )


def _lock_lost(refusal: Refusal, zone: Zone) -> Sentence:
    return Sentence(
        title=QCoreApplication.translate("Refusal", "Kunci hilang. Pembayaran belum disimpan."),
        text=QCoreApplication.translate("Refusal", "Yang Anda isi tetap ada. Jangan menagih ulang sebelum terkunci."),
    )


def _invoice_locked(refusal: Refusal, zone: Zone) -> Sentence:
    who = _text(refusal.params.get("holder_name") or refusal.params.get("holder"))
    counter = _text(refusal.params.get("counter"))
    title = QCoreApplication.translate("Refusal", "Tagihannya sedang diproses di kasir lain.")
    if who:
        title = QCoreApplication.translate("Refusal", "Tagihannya sedang diproses {who}.")
        title = title.format(who=f"{who} ({counter})" if counter else who)
    return Sentence(
        title=title, text=QCoreApplication.translate("Refusal", "Tidak ada yang berubah. Coba lagi setelah selesai.")
    )


def _not_allowed(refusal: Refusal, zone: Zone) -> Sentence:
    if refusal.field in ("login", "password") or refusal.params.get("action") in ("sign_in", "log_in", "connect"):
        return Sentence(
            title=QCoreApplication.translate("Refusal", "Nama masuk atau kata sandi tidak cocok."),
            text=QCoreApplication.translate("Refusal", "Periksa Caps Lock, lalu ketik kata sandi lagi."),
        )
    roles = role_list(refusal.params.get("roles"))
    title = QCoreApplication.translate("Refusal", "Peran Anda tidak boleh melakukan ini.")
    if roles:
        text = QCoreApplication.translate("Refusal", "Perlu peran {roles}. Minta rekan atau manajer.").format(
            roles=roles
        )
    else:
        text = QCoreApplication.translate("Refusal", "Minta rekan dengan peran yang sesuai atau manajer.")
    return Sentence(title=title, text=text)


def _approval_needed(refusal: Refusal, zone: Zone) -> Sentence:
    return Sentence(
        title=QCoreApplication.translate("Refusal", "Perlu persetujuan manajer."),
        text=QCoreApplication.translate("Refusal", "Manajer bisa menyetujui di layar ini. Isian Anda tetap ada."),
    )


def _field_invalid(refusal: Refusal, zone: Zone) -> Sentence:
    reason = _text(refusal.params.get("reason"))
    title = QCoreApplication.translate("Refusal", "{field} {reason}.")
    title = title.format(field=field_label(refusal.field), reason=reason_words(reason, refusal.params))
    return Sentence(title=title, text=next_step(reason))


def _amount_mismatch(refusal: Refusal, zone: Zone) -> Sentence:
    missing, due, shown = (refusal.params.get(name) for name in ("missing", "due", "shown"))
    if isinstance(missing, int):
        title = QCoreApplication.translate("Refusal", "Kurang {amount}.").format(amount=money(missing, language()))
        text = QCoreApplication.translate("Refusal", "Isi jumlah yang diterima.")
    elif isinstance(due, int) and isinstance(shown, int):
        title = QCoreApplication.translate("Refusal", "Total berubah {shown} menjadi {due}.")
        title = title.format(shown=money(shown, language()), due=money(due, language()))
        text = QCoreApplication.translate("Refusal", "Belum ada yang dibayar. Muat ulang (F5), lalu periksa lagi.")
    else:
        title = QCoreApplication.translate("Refusal", "Jumlah uang tidak sama dengan tagihan.")
        text = QCoreApplication.translate("Refusal", "Belum ada yang dibayar. Periksa jumlahnya.")
    return Sentence(title=title, text=text)


def _shift_needed(refusal: Refusal, zone: Zone) -> Sentence:
    return Sentence(
        title=QCoreApplication.translate("Refusal", "Tunai perlu shift yang terbuka."),
        text=QCoreApplication.translate(
            "Refusal", "Buka shift dengan modal awal, lalu bayar lagi. Isian Anda tetap ada."
        ),
    )


def _duplicate(refusal: Refusal, zone: Zone) -> Sentence:
    if refusal.params.get("reason") == "my_shift":
        return Sentence(
            title=QCoreApplication.translate("Refusal", "Anda sudah punya shift yang terbuka."),
            text=QCoreApplication.translate("Refusal", "Muat ulang (F5) untuk melihatnya."),
        )
    if owner := _text(refusal.params.get("customer_name") or refusal.params.get("company_name")):
        title = QCoreApplication.translate("Refusal", "{field} ini sudah milik {owner}.")
        return Sentence(
            title=title.format(field=field_label(refusal.field), owner=owner),
            text=QCoreApplication.translate("Refusal", "Pakai yang sudah ada atau isi yang lain."),
        )
    if refusal.field == "drawer" and _text(refusal.params.get("holder_name") or refusal.params.get("holder")):
        return _drawer_taken(refusal, zone)
    title = QCoreApplication.translate("Refusal", "{field} sudah ada.").format(field=field_label(refusal.field))
    return Sentence(title=title, text=QCoreApplication.translate("Refusal", "Pakai yang sudah ada atau isi yang lain."))


def _drawer_taken(refusal: Refusal, zone: Zone) -> Sentence:
    params = refusal.params
    title = QCoreApplication.translate("Refusal", "Laci {drawer} dipakai {holder}{shift}.")
    number, at = _text(params.get("number")), _moment(params.get("opened_at") or params.get("since"))
    shift = ""
    if number and at is not None:
        shift = QCoreApplication.translate("Refusal", ", shift #{number} sejak {since}")
        shift = shift.format(number=number, since=clock(at, zone, language()))
    elif number:
        shift = QCoreApplication.translate("Refusal", ", shift #{number}").format(number=number)
    holder = _text(params.get("holder_name") or params.get("holder"))
    drawer = _text(params.get("drawer"))
    return Sentence(
        title=" ".join(title.format(drawer=drawer, holder=holder, shift=shift).split()),
        text=QCoreApplication.translate("Refusal", "Isi nama laci lain."),
    )


def _price_changed(refusal: Refusal, zone: Zone) -> Sentence:
    old = refusal.params.get("old", refusal.params.get("shown"))
    new = refusal.params.get("new", refusal.params.get("total"))
    title = QCoreApplication.translate("Refusal", "Harga berubah sejak ditampilkan.")
    if isinstance(old, int) and isinstance(new, int):
        title = QCoreApplication.translate("Refusal", "Harga berubah dari {old} menjadi {new}.")
        title = title.format(old=money(old, language()), new=money(new, language()))
    return Sentence(
        title=title,
        text=QCoreApplication.translate("Refusal", "Belum ada yang dipesan. Tekan sekali lagi bila setuju."),
    )


def _gate_open(refusal: Refusal, zone: Zone) -> Sentence:
    return Sentence(
        title=QCoreApplication.translate("Refusal", "Syarat serah belum lengkap, kunci jangan diserahkan."),
        text=QCoreApplication.translate("Refusal", "Lengkapi baris yang masih terbuka di Gerbang."),
    )


def _unreachable(refusal: Refusal, zone: Zone) -> Sentence:
    if said := identity_words(refusal.params.get("reason")):
        return Sentence(title=said[0], text=said[1])
    return Sentence(
        title=QCoreApplication.translate("Refusal", "Server tidak terjangkau."),
        text=QCoreApplication.translate("Refusal", "Isian Anda tetap ada. Periksa jaringan, lalu coba lagi (F5)."),
    )


def _not_found(refusal: Refusal, zone: Zone) -> Sentence:
    if said := identity_words(refusal.params.get("reason")):
        return Sentence(title=said[0], text=said[1])
    title = QCoreApplication.translate("Refusal", "{field} tidak ditemukan.").format(field=field_label(refusal.field))
    return Sentence(
        title=title, text=QCoreApplication.translate("Refusal", "Muat ulang (F5) atau periksa yang diketik.")
    )


_SENTENCES: dict[RefusalCode, Callable[[Refusal, Zone], Sentence]] = {
    RefusalCode.DAYS_TAKEN: _days_taken,
    RefusalCode.UNIT_NOT_RENTABLE: _unit_not_rentable,
    RefusalCode.PERIOD_INVALID: _period_invalid,
    RefusalCode.BOOKING_STATE: _booking_state,
    RefusalCode.BOOKING_EXPIRED: _booking_expired,
    RefusalCode.LOCK_HELD: _lock_held,
    RefusalCode.LOCK_MINE_ELSEWHERE: _lock_mine_elsewhere,
    RefusalCode.LOCK_LOST: _lock_lost,
    RefusalCode.INVOICE_LOCKED: _invoice_locked,
    RefusalCode.NOT_ALLOWED: _not_allowed,
    RefusalCode.APPROVAL_NEEDED: _approval_needed,
    RefusalCode.FIELD_INVALID: _field_invalid,
    RefusalCode.AMOUNT_MISMATCH: _amount_mismatch,
    RefusalCode.SHIFT_NEEDED: _shift_needed,
    RefusalCode.DUPLICATE: _duplicate,
    RefusalCode.PRICE_CHANGED: _price_changed,
    RefusalCode.GATE_OPEN: _gate_open,
    RefusalCode.UNREACHABLE: _unreachable,
    RefusalCode.NOT_FOUND: _not_found,
}
