"""The undo of what was done on the grid: offered for a while, and kept while nothing can be sent."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from app.desktop.screen import Shell, Words
from app.desktop.screens.calendar_viewmodel import CalendarViewModel


def offer_undo(shell: Shell, model: CalendarViewModel, words: Words, undo: Callable[[], object]) -> None:
    """Say what was done, with its undo; wanted back while the server is away, it is offered again and nothing is
    sent.
    """

    def take_back() -> None:
        if model.is_online:
            undo()
        else:
            shell.toast(_not_yet, undo=take_back)

    shell.toast(words, undo=take_back)


def _not_yet() -> str:
    return QCoreApplication.translate("CalendarScreen", "Koneksi terputus, jadi belum diurungkan.")
