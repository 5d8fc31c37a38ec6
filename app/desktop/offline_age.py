"""The banner while the database does not answer: since when, and how old the data on the screen is by now."""

import datetime as dt
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from app.desktop.connection import ConnectionViewModel
from app.desktop.formats import Zone, clock
from app.desktop.language import language
from app.desktop.screen import BannerAction, BannerContent
from app.desktop.theme import BannerKind

STEP_MS = 1000


class OfflineAge(QObject):
    """Puts the banner when an outage begins and again every second of it, counting by the server's time carried on."""

    def __init__(
        self, connection: ConnectionViewModel, zone: Zone, put: Callable[[BannerContent], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._connection, self._zone, self._put = connection, zone, put
        self._cut_at: dt.datetime | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(STEP_MS)
        self._timer.timeout.connect(self.show_now)

    def begin(self) -> None:
        """The connection is lost now."""
        self._cut_at = self._connection.now()
        self._timer.start()
        self.show_now()

    def end(self) -> None:
        """It is back: nothing is put any more."""
        self._timer.stop()

    def is_counting(self) -> bool:
        return self._timer.isActive()

    def cut_words(self) -> str:
        """When the connection was lost, in the language in use; empty when the server was never heard."""
        return "" if self._cut_at is None else clock(self._cut_at, self._zone, language())

    def show_now(self) -> None:
        """The banner as it is true at this moment."""
        now, last = self._connection.now(), self._connection.last_answer_at()
        title = self.tr("Koneksi terputus {time}.").format(time=self.cut_words())
        retry = BannerAction(text=self.tr("Coba sekarang"), run=self._connection.tick)
        before = age = ""
        after = self.tr("Menahan unit, kunci tagihan dan pembayaran dinonaktifkan.")
        if now is not None and last is not None:
            words = self.tr("Data dari {time}, umur {age}. Menahan unit, kunci tagihan dan pembayaran dinonaktifkan.")
            before, _, after = words.replace("{time}", clock(last, self._zone, language(), seconds=True)).partition(
                "{age}"
            )
            age = self._words(now - last)
        content = BannerContent(
            kind=BannerKind.WARNING,
            title=title,
            text=before.rstrip(),
            figure=age,
            rest=after,
            stamp=self._next_try(),
            icon="offline",
            actions=(retry,),
        )
        self._put(content)

    def _next_try(self) -> str:
        """When it is tried again by itself."""
        seconds = self._connection.next_probe_in()
        if seconds is None:
            return self.tr("Mencoba sekarang…")
        return self.tr("Mencoba lagi {seconds} dtk").format(seconds=seconds)

    def _words(self, age: dt.timedelta) -> str:
        seconds = max(0, int(age.total_seconds()))
        if seconds < 60:
            return self.tr("{seconds} dtk").format(seconds=seconds)
        if seconds < 3600:
            return self.tr("{minutes} mnt {seconds} dtk").format(minutes=seconds // 60, seconds=f"{seconds % 60:02d}")
        return self.tr("{hours} jam {minutes} mnt").format(hours=seconds // 3600, minutes=seconds % 3600 // 60)
