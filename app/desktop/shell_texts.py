"""The words of the main window: names of the rail's places, states of the connection."""

from PySide6.QtCore import QCoreApplication

from app.desktop.connection import Reach
from app.desktop.formats import milliseconds
from app.desktop.language import language
from app.desktop.screen import RAIL, ScreenKey

RAIL_ICONS = {
    ScreenKey.CALENDAR: "calendar",
    ScreenKey.BOOKINGS: "booking",
    ScreenKey.INSPECTION: "inspection",
    ScreenKey.INVOICES: "invoice",
    ScreenKey.WAITLIST: "bell",
    ScreenKey.MAINTENANCE: "wrench",
    ScreenKey.EXTENSIONS: "extend",
    ScreenKey.SHIFT: "clock",
    ScreenKey.REPORTS: "chart",
    ScreenKey.SETTINGS: "settings",
}


def rail_word(key: ScreenKey) -> str:
    """The word under a rail icon; it must fit 56 px at 10 px."""
    match key:
        case ScreenKey.CALENDAR:
            return QCoreApplication.translate("Rail", "Kalender")
        case ScreenKey.BOOKINGS:
            return QCoreApplication.translate("Rail", "Booking")
        case ScreenKey.INSPECTION:
            return QCoreApplication.translate("Rail", "Inspeksi")
        case ScreenKey.INVOICES:
            return QCoreApplication.translate("Rail", "Tagihan")
        case ScreenKey.WAITLIST:
            return QCoreApplication.translate("Rail", "Antrean")
        case ScreenKey.MAINTENANCE:
            return QCoreApplication.translate("Rail", "Perawatan")
        case ScreenKey.EXTENSIONS:
            return QCoreApplication.translate("Rail", "Perpanjang")
        case ScreenKey.SHIFT:
            return QCoreApplication.translate("Rail", "Shift")
        case ScreenKey.REPORTS:
            return QCoreApplication.translate("Rail", "Laporan")
        case ScreenKey.SETTINGS:
            return QCoreApplication.translate("Rail", "Setelan")
        case ScreenKey.CUSTOMERS:
            return QCoreApplication.translate("Rail", "Pelanggan")


def rail_key(key: ScreenKey) -> str:
    """`Ctrl+1` to `Ctrl+9`, settings `Ctrl+,`; what is not on the rail has a key of its own."""
    if key is ScreenKey.CUSTOMERS:
        return "Shift+F3"
    return "Ctrl+," if key is ScreenKey.SETTINGS else f"Ctrl+{RAIL.index(key) + 1}"


def reach_word(reach: Reach, latency_ms: float, cut_at: str, standing: str = "") -> str:
    """The status bar's word for the connection, with its figure; `standing` is what does not work as it should."""
    if standing and reach in (Reach.ONLINE, Reach.SLOW):
        return QCoreApplication.translate("Reach", "Lambat · {standing}").format(standing=standing)
    match reach:
        case Reach.UNKNOWN:
            return QCoreApplication.translate("Reach", "Menghubungi server…")
        case Reach.ONLINE:
            word = QCoreApplication.translate("Reach", "Online {latency}")
        case Reach.SLOW:
            word = QCoreApplication.translate("Reach", "Lambat {latency}")
        case Reach.OFFLINE:
            return QCoreApplication.translate("Reach", "Terputus {time}").format(time=cut_at).strip()
    return word.format(latency=milliseconds(latency_ms, language()))
