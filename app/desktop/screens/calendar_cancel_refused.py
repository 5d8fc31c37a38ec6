"""Why a booking could not end or wait longer: what only these questions are refused for, in words of their own."""

import datetime as dt

from PySide6.QtCore import QCoreApplication

from app.desktop.errors import refusal_sentence
from app.desktop.formats import Zone, lock_countdown, moment
from app.desktop.language import language
from app.domain.errors import Refusal, RefusalCode


def refused_words(no: Refusal, zone: Zone) -> str:
    """What happened and the next step, in the language in use."""
    found = ""
    match no.code, no.params.get("reason"):
        case RefusalCode.BOOKING_STATE, "too_early":
            text = QCoreApplication.translate("EndRefused", "Belum bisa dicatat tidak datang: bisa mulai {0}.")
            found = text.format(_moment(no.params.get("possible_at"), zone))
        case RefusalCode.BOOKING_STATE, "held_longest":
            text = QCoreApplication.translate(
                "EndRefused", "Sudah ditahan paling lama, sampai {0}. Minta pembayarannya, atau batalkan (Del)."
            )
            found = text.format(_moment(no.params.get("payment_deadline"), zone))
        case RefusalCode.BOOKING_EXPIRED, _:
            found = QCoreApplication.translate(
                "EndRefused", "Batas bayar sudah lewat, unit dilepas. Buat booking baru."
            )
        case RefusalCode.PRICE_CHANGED, _:
            found = QCoreApplication.translate(
                "EndRefused", "Uangnya berubah sejak ditampilkan. Belum ada yang berubah."
            )
        case RefusalCode.NOT_ALLOWED, "paused":
            text = QCoreApplication.translate("EndRefused", "Terlalu sering salah. Kata sandi manajer lagi dalam {0}.")
            left = no.params.get("remaining_ms")
            found = text.format(lock_countdown(left / 1000 if isinstance(left, int) else 0))
        case RefusalCode.NOT_ALLOWED, "wrong":
            text = QCoreApplication.translate("EndRefused", "Login atau kata sandi manajer tidak cocok, {0} kali lagi.")
            found = text.format(no.params.get("left", 0))
        case RefusalCode.NOT_ALLOWED, "not_a_manager":
            found = QCoreApplication.translate("EndRefused", "Login ini bukan manajer cabang ini. Minta manajernya.")
        case RefusalCode.APPROVAL_NEEDED, _:
            found = QCoreApplication.translate(
                "EndRefused", "Persetujuan tadi tidak berlaku lagi. Minta manajer mengetik sandinya sekali lagi."
            )
    return found or refusal_sentence(no, zone).whole


def _moment(value: object, zone: Zone) -> str:
    """A moment as the database's own answers carry it: a datetime, or its ISO text."""
    at = dt.datetime.fromisoformat(value) if isinstance(value, str) else value
    return moment(at, zone, language()) if isinstance(at, dt.datetime) else "-"
