"""The calendar's banners: the availability index is away; a unit is claimed twice."""

from PySide6.QtCore import QCoreApplication

from app.desktop.formats import clock, period_short
from app.desktop.language import language
from app.desktop.screen import BannerAction, BannerContent
from app.desktop.screens.calendar_doubled import DoubledClaims
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.theme import BannerKind
from app.usecases.rows import Bar


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


def conflict_banner(model: CalendarViewModel, claims: DoubledClaims) -> BannerContent | None:
    """The first unit that two rows claim on the same days, of the window or of days far from it, with a way there;
    None while there is none.
    """
    if model.is_elsewhere:
        return None
    found = model.content.first_conflict() if model.content is not None else None
    if found is None:
        if claims.found is None:
            return None
        found = (*claims.found, 0)
    unit, conflict, others = found
    title = QCoreApplication.translate("CalendarBanner", "{0} dipesan dua kali {1}:").format(
        unit.unit.plate, period_short(conflict.days.first, conflict.days.last, language())
    )
    text = QCoreApplication.translate("CalendarBanner", "{0} dan {1}.").format(
        _claim(conflict.one), _claim(conflict.other)
    )
    if others:
        text += " " + QCoreApplication.translate("CalendarBanner", "Bentrok lain: {0}.").format(others)
    see = BannerAction(
        text=QCoreApplication.translate("CalendarBanner", "Lihat"), run=lambda: claims.go_to(unit, conflict)
    )
    return BannerContent(kind=BannerKind.ERROR, title=title, text=text, actions=(see,))


def _claim(bar: Bar) -> str:
    maintenance = QCoreApplication.translate("CalendarBanner", "perawatan")
    return " ".join(part for part in (bar.number or "", bar.customer_name or bar.note) if part) or maintenance
