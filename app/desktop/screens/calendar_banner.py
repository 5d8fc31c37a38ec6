"""The banner while the availability index is away: what still works, since when, how fresh."""

from PySide6.QtCore import QCoreApplication

from app.desktop.formats import clock
from app.desktop.language import language
from app.desktop.screen import BannerContent
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.theme import BannerKind


def index_banner(model: CalendarViewModel) -> BannerContent:
    """Information, not an alarm: holding and paying go on from the database."""
    zone = model.who.branch.zone
    since = clock(model.away_since, zone, language()) if model.away_since is not None else ""
    stamp = clock(model.read_at, zone, language(), seconds=True) if model.read_at is not None else ""
    text = QCoreApplication.translate(
        "CalendarBanner",
        "Menahan unit dan pembayaran tetap jalan. Indeks cepat (Redis) tidak terjangkau sejak {0}.",
    )
    return BannerContent(
        kind=BannerKind.INFO,
        title=QCoreApplication.translate("CalendarBanner", "Kalender dari basis data, diperbarui tiap 5 dtk."),
        text=text.format(since),
        standing=QCoreApplication.translate("CalendarBanner", "kalender dari basis data"),
        stamp=QCoreApplication.translate("CalendarBanner", "Terakhir {0}").format(stamp),
    )
