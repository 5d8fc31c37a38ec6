"""The bar at the top of the window: branch, search (F2), command palette (Ctrl+K), counter, the person's menu."""

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from app.desktop.error_words import role_list
from app.desktop.theme import TextRole, theme
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Surface
from app.desktop.widgets.field import Field, FieldSize
from app.desktop.widgets.label import KeyCap, Label, Tone

SEARCH_WIDTH = 426


class TopBar(Surface):
    """Emits `searched` with the text on Enter in the search field."""

    searched = Signal(str)
    palette_wanted = Signal()

    def __init__(
        self, branch: str, counter: str, person: str, roles: tuple[str, ...], parent: QWidget | None = None
    ) -> None:
        super().__init__("surface", bottom_line=True, parent=parent)
        self.setFixedHeight(theme().sizes.top_bar)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 12, 1)
        row.setSpacing(8)
        row.addWidget(Label("Sentra", TextRole.SECTION, weight=700))
        row.addSpacing(12)
        self._branch = Label(branch, TextRole.BASE, weight=500)
        row.addWidget(self._branch)
        row.addStretch(1)
        self._counter = Label(counter, TextRole.SECONDARY, Tone.MUTED)
        row.addWidget(self._counter)
        row.addSpacing(6)
        self.person = PersonButton(person, roles, self)
        row.addWidget(self.person)
        self.search = Field("", key="F2", icon="search", size=FieldSize.SMALL, parent=self)
        self.search.edit.returnPressed.connect(self._search)
        self._hint = QWidget(self)
        hint = QHBoxLayout(self._hint)
        hint.setContentsMargins(0, 0, 0, 0)
        hint.setSpacing(4)
        self.palette_button = Button("", flat=True, size=ButtonSize.SMALL, key="Ctrl+K", parent=self._hint)
        self.palette_button.set_quiet(True)
        self.palette_button.clicked.connect(self.palette_wanted)
        hint.addWidget(self.palette_button)
        self.setTabOrder(self.search.edit, self.palette_button)
        self.setTabOrder(self.palette_button, self.person)
        self._retranslate()

    def focus_search(self) -> None:
        """F2: ready to type or scan from anywhere."""
        self.search.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.edit.selectAll()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_search()

    def _place_search(self) -> None:
        """Search in the middle of the window, the palette hint right of it, neither over branch nor counter."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
        hint, height = self._hint.sizeHint(), self.search.sizeHint().height()
        first = self._branch.geometry().right() + 12
        room = self._counter.geometry().left() - 8 - first
        width = max(120, min(SEARCH_WIDTH, room - hint.width()))
        middle = (self.width() - width) // 2 - 48
        left = max(first, min(middle, first + room - hint.width() - width))
        self.search.setGeometry(left, (self.height() - height) // 2, width, height)
        self._hint.setGeometry(left + width, (self.height() - hint.height()) // 2, hint.width(), hint.height())

    def _search(self) -> None:
        text = self.search.text().strip()
        if text:
            self.searched.emit(text)

    def _retranslate(self) -> None:
        self.search.set_name(self.tr("Cari / pindai"))
        self.search.set_placeholder(self.tr("Cari / pindai booking, pelanggan, pelat"))
        self.palette_button.setText(self.tr("Perintah"))
        self.person.retranslate()
        self._hint.adjustSize()
        self._place_search()


class PersonButton(Button):
    """The person's name and role; a press opens the menu of language, theme, lock and log-out."""

    language_chosen = Signal(str)
    theme_chosen = Signal(str)
    lock_wanted = Signal()
    log_out_wanted = Signal()

    def __init__(self, person: str, roles: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(person, icon="user", flat=True, trailing_icon="chevron_down", parent=parent)
        self._roles = roles
        self._menu = QMenu(self)
        self._actions: dict[str, QAction] = {}
        for name, signal, value in (
            ("id", self.language_chosen, "id"),
            ("en", self.language_chosen, "en"),
            ("light", self.theme_chosen, "light"),
            ("dark", self.theme_chosen, "dark"),
        ):
            action = self._menu.addAction(name)
            action.setCheckable(True)
            action.triggered.connect(lambda *_, signal=signal, value=value: signal.emit(value))
            self._actions[name] = action
            if name in ("en", "dark"):
                self._menu.addSeparator()
        for name, signal in (("lock", self.lock_wanted), ("out", self.log_out_wanted)):
            action = self._menu.addAction(name)
            action.triggered.connect(lambda *_, signal=signal: signal.emit())
            self._actions[name] = action
        self.clicked.connect(self.open_menu)
        self.retranslate()

    def menu_actions(self) -> dict[str, QAction]:
        """The menu's entries by name: id, en, light, dark, lock, out."""
        return dict(self._actions)

    def show_choice(self, language: str, look: str) -> None:
        """Tick the language and the theme in use."""
        for name in ("id", "en"):
            self._actions[name].setChecked(name == language)
        for name in ("light", "dark"):
            self._actions[name].setChecked(name == look)

    def open_menu(self) -> None:
        self._menu.popup(self.mapToGlobal(QPoint(self.width() - self._menu.sizeHint().width() - 3, self.height())))

    def _restyle(self) -> None:
        super()._restyle()
        self.setFont(theme().font(TextRole.BASE, 600))

    def retranslate(self) -> None:
        words = {
            "id": "Bahasa Indonesia",
            "en": "English",
            "light": self.tr("Tampilan terang"),
            "dark": self.tr("Tampilan gelap"),
            "lock": self.tr("Kunci layar") + "\tCtrl+L",
            "out": self.tr("Keluar"),
        }
        for name, word in words.items():
            self._actions[name].setText(word)
        role = role_list(self._roles)
        self.set_second(role)
        self.set_hint(self.tr("Menu {person}, {role}").format(person=self.text(), role=role))


def key_and_word(key: str, word: Label) -> QWidget:
    """A key cap with the word it stands for, as under a list."""
    pair = QWidget()
    row = QHBoxLayout(pair)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    row.addWidget(KeyCap(key))
    row.addWidget(word)
    return pair
