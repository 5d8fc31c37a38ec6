"""The states a screen can show for a booking, their words in both languages."""

from enum import StrEnum

from PySide6.QtCore import QCoreApplication


class ShownState(StrEnum):
    """The domain's booking states and those only a screen derives: overdue, expired, maintenance, waitlist hold."""

    PENDING_PAYMENT = "PENDING_PAYMENT"
    PAID_APPROVED = "PAID_APPROVED"
    DISPATCHED = "DISPATCHED"
    ACTIVE_RENTAL = "ACTIVE_RENTAL"
    EXTENSION_PENDING = "EXTENSION_PENDING"
    OVERDUE = "OVERDUE"
    RETURNED_PENDING_CHECK = "RETURNED_PENDING_CHECK"
    DISPUTED = "DISPUTED"
    COMPLETED = "COMPLETED"
    CANCELLED = "CANCELLED"
    EXPIRED = "EXPIRED"
    MAINTENANCE = "MAINTENANCE"
    WAITLIST_HOLD = "WAITLIST_HOLD"


GRID_STATES = tuple(state for state in ShownState if state not in (ShownState.CANCELLED, ShownState.EXPIRED))


def state_label(state: ShownState) -> str:
    """The state's word in the language in use, for example "Menunggu bayar" or "Awaiting payment"."""
    match state:
        case ShownState.PENDING_PAYMENT:
            return QCoreApplication.translate("State", "Menunggu bayar")
        case ShownState.PAID_APPROVED:
            return QCoreApplication.translate("State", "Dibayar")
        case ShownState.DISPATCHED:
            return QCoreApplication.translate("State", "Siap/diantar")
        case ShownState.ACTIVE_RENTAL:
            return QCoreApplication.translate("State", "Disewa")
        case ShownState.EXTENSION_PENDING:
            return QCoreApplication.translate("State", "Perpanjangan")
        case ShownState.OVERDUE:
            return QCoreApplication.translate("State", "Terlambat")
        case ShownState.RETURNED_PENDING_CHECK:
            return QCoreApplication.translate("State", "Pemeriksaan")
        case ShownState.DISPUTED:
            return QCoreApplication.translate("State", "Ada denda")
        case ShownState.COMPLETED:
            return QCoreApplication.translate("State", "Selesai")
        case ShownState.CANCELLED:
            return QCoreApplication.translate("State", "Dibatalkan")
        case ShownState.EXPIRED:
            return QCoreApplication.translate("State", "Kedaluwarsa")
        case ShownState.MAINTENANCE:
            return QCoreApplication.translate("State", "Perawatan")
        case ShownState.WAITLIST_HOLD:
            return QCoreApplication.translate("State", "Tahan antrean")
