"""What the counter says of the engine behind it: a banner while nobody sweeps, the last drift on hover."""

import datetime as dt

from PySide6.QtCore import QEvent, QObject

from app.desktop.connection import Reach
from app.desktop.formats import clock, day_short
from app.desktop.language import language
from app.desktop.main_window import MainWindow
from app.desktop.screen import BannerContent
from app.desktop.theme import BannerKind
from app.usecases.engine_rows import DriftRecord

SERVICE_BANNER = "service"


class EngineNotes(QObject):
    """Follows the window's connection. While the database is away nothing is known of the service, and nothing said."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._connection = window.connection
        self._connection.engine_changed.connect(self.show_all)
        self._connection.reach_changed.connect(self.show_all)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LanguageChange:
            self.show_all()
        return super().eventFilter(watched, event)

    def show_all(self) -> None:
        """Banner and hover text as they are true now."""
        if self._connection.nobody_sweeps and self._connection.reach is not Reach.OFFLINE:
            self._window.show_banner(SERVICE_BANNER, self._service_stopped())
        else:
            self._window.hide_banner(SERVICE_BANNER)
        mark = self._window.status.reach
        mark.setToolTip(self._drift())
        mark.setAccessibleDescription(self._drift())

    def _service_stopped(self) -> BannerContent:
        engine = self._connection.engine
        beat = engine.service_beat_at if engine else None
        if engine is not None and engine.service_runs:
            title = self.tr("Layanan latar bermasalah.")
        elif beat is None:
            title = self.tr("Layanan latar tidak berjalan.")
        else:
            title = self.tr("Layanan latar berhenti {time}.").format(time=self._clock(beat))
        text = self.tr("Batas bayar terlambat diproses. Menahan unit dan pembayaran tetap jalan.")
        standing = self.tr("layanan latar tidak bekerja")
        return BannerContent(kind=BannerKind.WARNING, title=title, text=text, standing=standing)

    def _drift(self) -> str:
        drift = self._connection.engine.drift if self._connection.engine else None
        return "" if drift is None else self._drift_words(drift)

    def _drift_words(self, drift: DriftRecord) -> str:
        if drift.repaired < drift.findings:
            words = self.tr("Indeks berbeda {day} {time}: %n unit, belum dibetulkan.", "", drift.units)
        else:
            words = self.tr("Indeks berbeda {day} {time}: %n unit, sudah dibetulkan.", "", drift.units)
        day = day_short(drift.found_at.astimezone(self._window.who.zone).date(), language())
        return words.format(day=day, time=self._clock(drift.found_at))

    def _clock(self, at: dt.datetime) -> str:
        return clock(at, self._window.who.zone, language())
