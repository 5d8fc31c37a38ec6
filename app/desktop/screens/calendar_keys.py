"""The keys of the calendar: one table for shortcut, place and words; F1, palette and buttons read the actions."""

from collections.abc import Callable, Mapping
from enum import Enum

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QKeySequence

from app.desktop.screen import Screen
from app.desktop.widgets.month_grid import MonthGrid


class CalendarKey(Enum):
    """Shortcut, and whether it works only while the grid itself has the focus (letters are typed everywhere else)."""

    NEW = ("Ctrl+N", False)
    CUSTOMER = ("F3", False)
    COMMIT = ("Ctrl+Return", False)
    UNIT = ("Ctrl+U", False)
    MORE_UNITS = ("Ctrl+Shift+N", False)
    DISCOUNT = ("Ctrl+D", False)
    ASIDE = ("F4", False)
    DRAFTS = ("Shift+F4", False)
    GO_TO_DAY = ("Ctrl+G", False)
    PREVIOUS = ("Ctrl+Left", False)
    NEXT = ("Ctrl+Right", False)
    TODAY = ("T", True)
    FILTER = ("/", True)
    FILTERS = ("F", True)
    LEGEND = ("L", True)
    NEXT_FREE = ("N", True)
    NEXT_ACTION = ("G", True)
    PREVIEW = ("Space", True)
    CANCEL = ("Del", True)
    NO_SHOW = ("Shift+Del", True)
    LONGER = ("Ctrl+H", False)
    EXTEND = ("X", True)
    START = ("Shift+X", True)
    MOVE = ("P", True)
    PARK = ("Shift+P", True)
    BLOCK = ("M", True)
    WAITLIST = ("W", True)
    MENU = ("Shift+F10", True)
    MENU_KEY = ("Menu", True)
    MORE_DAYS = ("-", True)
    FEWER_DAYS = ("+", True)
    WHOLE_MONTH = ("B", True)


class CalendarKeys:
    """Makes the actions; `pay` is the screen's F9, made before its button."""

    def __init__(
        self, screen: Screen, grid: MonthGrid, pay: QAction, run: Mapping[CalendarKey, Callable[[], object]]
    ) -> None:
        self._pay = pay
        self._actions: dict[CalendarKey, QAction] = {}
        for key in CalendarKey:
            shortcut, on_grid = key.value
            self._actions[key] = (
                _grid_key(grid, shortcut, run[key]) if on_grid else screen.add_key(shortcut, "", run[key])
            )
        self.retranslate()

    def action(self, key: CalendarKey) -> QAction:
        return self._actions[key]

    def set_hand(self, has_bar: bool) -> None:
        """While a bar is in the hand the grid's letters rest: arrows, Enter and Esc are its keys."""
        for key, action in self._actions.items():
            if key.value[1]:
                action.setEnabled(not has_bar)

    def retranslate(self) -> None:
        self._pay.setText(QCoreApplication.translate("CalendarKeys", "Tahan / bayar"))
        for key, action in self._actions.items():
            action.setText(key_words(key))


def key_words(key: CalendarKey) -> str:
    """What a key does, in the language in use."""
    match key:
        case CalendarKey.NEW:
            return QCoreApplication.translate("CalendarKeys", "Booking baru")
        case CalendarKey.CUSTOMER:
            return QCoreApplication.translate("CalendarKeys", "Pelanggan")
        case CalendarKey.COMMIT:
            return QCoreApplication.translate("CalendarKeys", "Simpan & lanjut")
        case CalendarKey.UNIT:
            return QCoreApplication.translate("CalendarKeys", "Unit lain")
        case CalendarKey.MORE_UNITS:
            return QCoreApplication.translate("CalendarKeys", "Satu unit lagi di booking ini")
        case CalendarKey.DISCOUNT:
            return QCoreApplication.translate("CalendarKeys", "Diskon")
        case CalendarKey.ASIDE:
            return QCoreApplication.translate("CalendarKeys", "Parkir draf, pelanggan berikutnya")
        case CalendarKey.DRAFTS:
            return QCoreApplication.translate("CalendarKeys", "Draf yang diparkir")
        case CalendarKey.GO_TO_DAY:
            return QCoreApplication.translate("CalendarKeys", "Ke tanggal")
        case CalendarKey.PREVIOUS:
            return QCoreApplication.translate("CalendarKeys", "Bulan sebelumnya")
        case CalendarKey.NEXT:
            return QCoreApplication.translate("CalendarKeys", "Bulan berikutnya")
        case CalendarKey.TODAY:
            return QCoreApplication.translate("CalendarKeys", "Hari ini")
        case CalendarKey.FILTER:
            return QCoreApplication.translate("CalendarKeys", "Saring SKU")
        case CalendarKey.FILTERS:
            return QCoreApplication.translate("CalendarKeys", "Kosong untuk tanggal, kategori, cabang")
        case CalendarKey.LEGEND:
            return QCoreApplication.translate("CalendarKeys", "Tampilkan satu status")
        case CalendarKey.NEXT_FREE:
            return QCoreApplication.translate("CalendarKeys", "Hari kosong berikutnya")
        case CalendarKey.NEXT_ACTION:
            return QCoreApplication.translate("CalendarKeys", "Berikutnya yang perlu tindakan")
        case CalendarKey.PREVIEW:
            return QCoreApplication.translate("CalendarKeys", "Kartu booking")
        case CalendarKey.CANCEL:
            return QCoreApplication.translate("CalendarKeys", "Batalkan / akhiri")
        case CalendarKey.NO_SHOW:
            return QCoreApplication.translate("CalendarKeys", "Pelanggan tidak datang")
        case CalendarKey.LONGER:
            return QCoreApplication.translate("CalendarKeys", "Tahan lebih lama")
        case CalendarKey.EXTEND:
            return QCoreApplication.translate("CalendarKeys", "Perpanjang / ubah hari terakhir")
        case CalendarKey.START:
            return QCoreApplication.translate("CalendarKeys", "Ubah hari pertama")
        case CalendarKey.MOVE:
            return QCoreApplication.translate("CalendarKeys", "Pindah unit atau tanggal")
        case CalendarKey.PARK:
            return QCoreApplication.translate("CalendarKeys", "Parkir sementara")
        case CalendarKey.BLOCK:
            return QCoreApplication.translate("CalendarKeys", "Perawatan")
        case CalendarKey.WAITLIST:
            return QCoreApplication.translate("CalendarKeys", "Antrean")
        case CalendarKey.MENU | CalendarKey.MENU_KEY:
            return QCoreApplication.translate("CalendarKeys", "Menu di sel ini")
        case CalendarKey.MORE_DAYS:
            return QCoreApplication.translate("CalendarKeys", "Lebih banyak hari")
        case CalendarKey.FEWER_DAYS:
            return QCoreApplication.translate("CalendarKeys", "Lebih sedikit hari")
        case CalendarKey.WHOLE_MONTH:
            return QCoreApplication.translate("CalendarKeys", "Satu bulan penuh")


def _grid_key(grid: MonthGrid, shortcut: str, run: Callable[[], object]) -> QAction:
    action = QAction(grid)
    action.setShortcut(QKeySequence(shortcut))
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    action.setAutoRepeat(False)
    action.triggered.connect(lambda *_: run())
    grid.addAction(action)
    return action
