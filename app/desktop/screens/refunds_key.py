"""Ctrl+Shift+R in the invoices: the refunds that are due; how many they are stands in the list's footer."""

from PySide6.QtCore import QEvent, QObject

from app.desktop.formats import money
from app.desktop.language import language
from app.desktop.money_printing import MoneyPrinting
from app.desktop.screen import ScreenKey, Shell
from app.desktop.screens.invoices_view import InvoicesScreen
from app.desktop.screens.refunds_page import RefundsPage


class RefundsKey(QObject):
    """Belongs to its screen, and ends with it."""

    def __init__(self, screen: InvoicesScreen, page: RefundsPage, printing: MoneyPrinting, shell: Shell) -> None:
        super().__init__(screen)
        self._screen, self.page = screen, page
        screen.add_aside(page)
        self.action = screen.add_key("Ctrl+Shift+R", "", screen.show_aside)
        self._footer = screen.list_page.footer
        self._footer.refunds_button.follow(self.action)
        page.slip_wanted.connect(printing.print_refund)
        page.shift_wanted.connect(lambda: shell.go(ScreenKey.SHIFT))
        page.model.changed.connect(self._show)
        screen.invoices.changed.connect(self._look)
        screen.installEventFilter(self)
        self._seen: object = None
        self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LanguageChange:
            self._show()
        return super().eventFilter(watched, event)

    def _look(self) -> None:
        """The list was read again: refunds come with what happens to invoices."""
        rows = self._screen.invoices.rows
        if rows is not self._seen:
            self._seen = rows
            self.page.model.load()

    def _show(self) -> None:
        model = self.page.model
        self.action.setText(self.tr("Dana kembali"))
        words = self.tr("Dana kembali: {amount}").format(amount=money(model.total(), language()))
        self._footer.show_refunds(words if model.due else "")
