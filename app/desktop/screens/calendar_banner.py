"""The calendar's banners: the availability index is away; a unit is claimed twice."""

from PySide6.QtCore import QCoreApplication

from app.desktop.formats import clock, period_short
from app.desktop.language import language
from app.desktop.screen import BannerAction, BannerContent
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.theme import BannerKind
from app.desktop.widgets.month_grid_conflicts import Conflict
from app.usecases.rows import Bar, FleetUnit


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


def conflict_banner(model: CalendarViewModel) -> BannerContent | None:
    """The first unit of the window that two rows claim on the same days, with a way there; None while there is none."""
    found = model.content.first_conflict() if model.content is not None and not model.is_elsewhere else None
    if found is None:
        return None
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
        text=QCoreApplication.translate("CalendarBanner", "Lihat"), run=lambda: _see(model, unit, conflict)
    )
    return BannerContent(kind=BannerKind.ERROR, title=title, text=text, actions=(see,))


def _claim(bar: Bar) -> str:
    maintenance = QCoreApplication.translate("CalendarBanner", "perawatan")
    return " ".join(part for part in (bar.number or "", bar.customer_name or bar.note) if part) or maintenance


def _see(model: CalendarViewModel, unit: FleetUnit, conflict: Conflict) -> None:
    model.show_day(conflict.days.first)
    model.cell_wanted.emit(unit.unit.id, conflict.days.first)
