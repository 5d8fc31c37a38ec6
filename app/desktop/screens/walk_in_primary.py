"""The drawer's one filled button: its word, and why it cannot be pressed now."""

from PySide6.QtCore import QCoreApplication

from app.desktop.screens.calendar_verbs import booking_reason
from app.desktop.screens.walk_in_form import Stage
from app.desktop.screens.walk_in_texts import offline_reason
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel


def primary_step(model: WalkInViewModel, *, is_asking: bool, is_listing: bool) -> tuple[str, str]:
    """The next money step, and a reason that is empty when it can be taken."""
    match model.stage:
        case Stage.FORM:
            if model.is_busy("book", "cancel_hold"):
                text = QCoreApplication.translate("WalkInPanel", "Menahan…")
            else:
                text = QCoreApplication.translate("WalkInPanel", "Tahan 15 mnt & tagih")
            return text, _form_reason(model, is_asking=is_asking, is_listing=is_listing)
        case Stage.HELD | Stage.CHECKING:
            reason = ""
            if not model.may_pay:
                reason = QCoreApplication.translate("WalkInPanel", "Menerima pembayaran perlu peran Kasir.")
            elif not model.is_online:
                reason = QCoreApplication.translate("WalkInPanel", "Belum bisa membayar: koneksi terputus.")
            return QCoreApplication.translate("WalkInPanel", "Bayar"), reason
        case Stage.EXPIRED:
            return QCoreApplication.translate("WalkInPanel", "Tahan lagi 15 mnt"), offline_reason(model)
        case Stage.PAID:
            return QCoreApplication.translate("WalkInPanel", "Booking berikutnya"), ""


def _form_reason(model: WalkInViewModel, *, is_asking: bool, is_listing: bool) -> str:
    if model.wanted_approval is not None:
        return QCoreApplication.translate("WalkInPanel", "Menunggu persetujuan manajer, atau Esc.")
    if is_listing:
        return QCoreApplication.translate("WalkInPanel", "Pilih dulu satu draf, atau Esc.")
    if is_asking:
        return QCoreApplication.translate("WalkInPanel", "Pilih dulu: lanjutkan draf atau mulai baru.")
    return booking_reason(model.who.roles) or offline_reason(model)
