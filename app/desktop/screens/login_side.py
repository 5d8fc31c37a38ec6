"""The quiet side of the login: which PC and server this is, language and colours, and what to do when it fails."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.formats import Language
from app.desktop.language import language
from app.desktop.theme import TextRole, theme
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Card, Surface
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.segment import Choice, Segment

CARD_WIDTH = 420


class LoginSide(Surface):
    """`language_chosen` and `theme_chosen` carry the value; the application applies and remembers it."""

    language_chosen = Signal(str)
    theme_chosen = Signal(str)
    retry_wanted = Signal()

    def __init__(self, counter: str, parent: QWidget | None = None) -> None:
        super().__init__("app", parent=parent)
        self._counter = counter
        self._server: tuple[str, int | None, bool] | None = None
        self._start_problem = ""
        column = QVBoxLayout(self)
        column.setContentsMargins(32, 24, 32, 24)
        column.setSpacing(12)
        column.addWidget(self._make_place())
        column.addWidget(self._make_look())
        column.addStretch(1)
        self._retranslate()

    def set_server(self, host: str, port: int | None, *, is_private: bool) -> None:
        """Where the database is."""
        self._server = (host, port, is_private)
        self._start_problem = ""
        self._show()

    def show_start_problem(self, code: str) -> None:
        """The servers could not be prepared: the code for the log, and a button to try again. Empty: being prepared."""
        self._start_problem = code
        self._show()

    def has_start_problem(self) -> bool:
        return bool(self._start_problem)

    def show_choice(self, language_value: str, look: str) -> None:
        """Mark the language and the theme in use."""
        self.languages.choose(language_value)
        self.themes.choose(look)

    def server_words(self) -> str:
        return self._rows[1][1].text()

    def wait_words(self) -> str:
        """How long preparing takes; empty once it is done or failed."""
        return self._wait.text() if self._wait.isVisibleTo(self) else ""

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _make_place(self) -> Card:
        self._place = Card(" ", dense=True)
        self._place.setMaximumWidth(CARD_WIDTH)
        self._rows: list[tuple[Label, Label]] = []
        for _ in range(2):
            name, value = Label("", TextRole.BASE, Tone.MUTED), Label("", TextRole.BASE)
            name.setFixedWidth(84)
            row = QHBoxLayout()
            row.setSpacing(8)
            row.addWidget(name)
            row.addWidget(value, 1)
            self._place.body.addLayout(row)
            self._rows.append((name, value))
        self._wait = Label("", TextRole.SECONDARY, Tone.MUTED)
        self._wait.setWordWrap(True)
        self._wait.setContentsMargins(92, 0, 0, 0)
        self._place.body.addWidget(self._wait)
        self._retry = Button("", icon="refresh", size=ButtonSize.SMALL)
        self._retry.clicked.connect(self.retry_wanted)
        self._retry.hide()
        self._place.body.addWidget(self._retry, 0, Qt.AlignmentFlag.AlignLeft)
        return self._place

    def _make_look(self) -> Card:
        self._look = Card(" ", dense=True)
        self._look.setMaximumWidth(CARD_WIDTH)
        self._look.body.setSpacing(2)
        self.languages = Segment("", [Choice(key="id", text="Indonesia"), Choice(key="en", text="English")], small=True)
        self.languages.chosen.connect(self.language_chosen)
        self.themes = Segment("", [Choice(key="light", text=" "), Choice(key="dark", text=" ")], small=True)
        self.themes.chosen.connect(self.theme_chosen)
        self._choice_labels: list[Label] = []
        for segment in (self.languages, self.themes):
            label = Label("", TextRole.BASE, Tone.MUTED)
            label.setFixedWidth(89)
            row = QHBoxLayout()
            row.setSpacing(0)
            row.addWidget(label)
            row.addWidget(segment)
            row.addStretch(1)
            self._look.body.addLayout(row)
            self._choice_labels.append(label)
        return self._look

    def _show(self) -> None:
        self._rows[1][1].setText(self._words())
        self._retry.setVisible(bool(self._start_problem))
        self._wait.setVisible(self._server is None and not self._start_problem)

    def _words(self) -> str:
        if self._start_problem:
            return self.tr("Tidak bisa disiapkan (kode {code}).").format(code=self._start_problem)
        if self._server is None:
            return self.tr("Menyiapkan server…")
        host, port, is_private = self._server
        if is_private or not host:
            return self.tr("di PC ini, siap")
        return f"{host}:{port}" if port else host

    def _retranslate(self) -> None:
        self._place.set_title(self.tr("PC ini"))
        self._rows[0][0].setText(self.tr("Kasir"))
        self._rows[0][1].setText(self._counter)
        self._rows[1][0].setText(self.tr("Server"))
        self._wait.setText(
            self.tr("PostgreSQL, Redis dan cabang contoh dinyalakan. Kira-kira 15 detik pada pemakaian pertama.")
        )
        self._retry.setText(self.tr("Coba lagi"))
        self._look.set_title(self.tr("Tampilan"))
        self._choice_labels[0].setText(self.tr("Bahasa"))
        self._choice_labels[1].setText(self.tr("Warna"))
        self.languages.set_name(self.tr("Bahasa"))
        self.themes.set_name(self.tr("Warna"))
        self.themes.set_text("light", self.tr("Terang"))
        self.themes.set_text("dark", self.tr("Gelap"))
        self.show_choice("en" if language() is Language.EN else "id", "dark" if theme().is_dark else "light")
        self._show()
