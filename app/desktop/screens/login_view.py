"""The login screen: who are you, your password, in. No rail, one focus ring, errors in one fixed place."""

import datetime as dt
import itertools

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.desktop.announce import announce
from app.desktop.error_words import role_list
from app.desktop.errors import failure_sentence, refusal_sentence
from app.desktop.screens.login_heading import ArrowHint, LoginHeading, LoginTop
from app.desktop.screens.login_side import LoginSide
from app.desktop.screens.login_viewmodel import MOST_TRIES, LoginPerson, LoginViewModel
from app.desktop.theme import TextRole, theme
from app.desktop.viewmodel import Failure
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Surface
from app.desktop.widgets.countdown import ProgressLine
from app.desktop.widgets.field import Field, FieldSize
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.notice import Notice
from app.desktop.widgets.password_field import PasswordField
from app.desktop.widgets.slim_scroll import SlimScrollBar
from app.desktop.widgets.staff_tiles import StaffTiles, TileContent
from app.domain.errors import Refusal

PANEL_WIDTH = 520
LOW = 560


class LoginView(QWidget):
    """`language_chosen` and `theme_chosen` carry the value; the application applies and remembers it."""

    language_chosen = Signal(str)
    theme_chosen = Signal(str)
    retry_wanted = Signal()

    def __init__(self, model: LoginViewModel, *, branch: str, counter: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        model.setParent(self)
        self._branch, self._counter = branch, counter
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(LoginTop(self._branch, self._counter))
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self._make_panel())
        self.side = LoginSide(self._counter)
        self.side.language_chosen.connect(self.language_chosen)
        self.side.theme_chosen.connect(self.theme_chosen)
        self.side.retry_wanted.connect(self.retry_wanted)
        middle.addWidget(self.side, 1)
        page.addLayout(middle, 1)
        model.changed.connect(self._show)
        model.refused.connect(self._show_refusal)
        model.failed.connect(self._show_failure)
        self._progress = ProgressLine(self)
        self._refusal: Refusal | None = None
        self._shown_people: tuple[LoginPerson, ...] | None = None
        self._order_tabs()
        self._retranslate()
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._show_hint)

    def start_over(self, login: str = "") -> None:
        """Empty the password, choose a person (screen lock, log-out), ready to type."""
        self.password.set_text("")
        self._say("", Tone.MUTED)
        person = next((p for p in self.model.people if p.login == login), None)
        if person is not None:
            self.model.choose(person)
        elif login:
            self.model.choose(None)
            self.login_field.set_text(login)
        self.focus_first()

    def focus_first(self) -> None:
        """Ready to type: a login nobody has a tile for, the password of who was here before, else the tiles."""
        chosen = self.model.chosen
        if chosen is None:
            (self.password if self.login_field.text() else self.login_field).setFocus()
        elif chosen.was_here:
            self.password.setFocus()
        else:
            self.tiles.focus_marked()

    def is_typing(self) -> bool:
        """Whether something was typed that must not be lost."""
        return bool(self.password.text() or (self.model.chosen is None and self.login_field.text()))

    def show_people(self, people: tuple[LoginPerson, ...]) -> None:
        """Other tiles. What is being typed keeps its text and the focus; a first start begins on the tiles."""
        was_empty = not self.model.people
        typing = self.is_typing()
        self.model.set_people(people, keep_other=typing)
        if was_empty and people and not typing:
            self.focus_first()

    def show_start_problem(self, code: str) -> None:
        """The servers could not be prepared; empty: they are being prepared."""
        self.side.show_start_problem(code)
        self._show()

    def show_day(self, today: dt.date | None) -> None:
        """The branch's day by the server's clock, for the heading; None while no server has told it."""
        self._heading.show_day(today)

    def hint(self) -> str:
        """How another person is chosen from where the focus is."""
        return self._tile_hint.words.text()

    def subtitle(self) -> str:
        return self._heading.subtitle()

    def submit(self) -> None:
        """Enter in either field, or the button."""
        self._say("", Tone.MUTED)
        login = self.model.chosen.login if self.model.chosen else self.login_field.text()
        self.model.sign_in(login, self.password.text())

    def message(self) -> str:
        """What stands in the message area."""
        return self._message.text()

    def tries(self) -> str:
        return self._tries.text()

    def caps_warning(self) -> str:
        return self._caps.text()

    def demo_note(self) -> str:
        """The published password of a demo person; empty for everybody else."""
        return self._demo.text() if self._demo.isVisibleTo(self) else ""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.focus_first()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little height (150 % on a small screen) the tiles are lower and their hint is gone."""
        super().resizeEvent(event)
        low = self._is_low()
        self.tiles.set_compact(low)
        self._column.setContentsMargins(29, 0 if low else 20, 29, 0 if low else 4)
        self._message.setContentsMargins(3, 2 if low else 4, 3, 0)
        self._message.setFixedHeight(38 if low else 44)
        self._tile_hint.setVisible(bool(self.model.people) and not self._is_low())
        self._progress.setGeometry(0, theme().sizes.top_bar - 2, self.width(), 2)
        self._progress.raise_()

    def _is_low(self) -> bool:
        return self.height() < LOW

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    # --- building ---

    def _make_panel(self) -> QWidget:
        panel = Surface("surface", right_line=True, strong=True)
        panel.setFixedWidth(PANEL_WIDTH)
        outside = QVBoxLayout(panel)
        outside.setContentsMargins(0, 0, 1, 17)
        outside.setSpacing(0)
        outside.addWidget(self._make_form(), 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(29, 4, 29, 0)
        self._tries = Label("", TextRole.SECONDARY, Tone.MUTED)
        self._tries.setContentsMargins(3, 0, 0, 0)
        foot.addWidget(self._tries)
        foot.addStretch(1)
        self.enter = Button("", key="Return", primary=True, size=ButtonSize.PRIMARY)
        self.enter.setMinimumWidth(146)
        self.enter.clicked.connect(self.submit)
        foot.addWidget(self.enter)
        outside.addLayout(foot)
        return panel

    def _make_form(self) -> QScrollArea:
        """Scrolls where the window is too low, at 150 % on a small screen; the button below stays in sight."""
        form = QWidget()
        column = self._column = QVBoxLayout(form)
        column.setContentsMargins(29, 20, 29, 4)
        column.setSpacing(0)
        self._heading = LoginHeading(self._branch, self._counter)
        column.addWidget(self._heading)
        column.addSpacing(13)
        self.tiles = StaffTiles()
        self.tiles.chosen.connect(self._tile_chosen)
        self.tiles.entered.connect(self._go_on_from_tiles)
        self.tiles.unknown.connect(self._name_unknown)
        column.addWidget(self.tiles)
        self._tile_hint = ArrowHint()
        column.addWidget(self._tile_hint)
        column.addSpacing(14)
        self._login_label = Label("", TextRole.SECONDARY, Tone.MUTED)
        self._login_label.setContentsMargins(3, 0, 0, 2)
        self.login_field = Field("", size=FieldSize.TALL)
        self.login_field.edit.setMaxLength(64)
        self.login_field.edit.returnPressed.connect(self._login_entered)
        column.addWidget(self._login_label)
        column.addWidget(self.login_field)
        column.addLayout(self._make_password())
        self._message = Label("")
        self._message.setWordWrap(True)
        self._message.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._message.setContentsMargins(3, 4, 3, 0)
        self._message.setFixedHeight(44)
        column.addWidget(self._message)
        self._demo = Notice("document")
        column.addWidget(self._demo)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setVerticalScrollBar(SlimScrollBar(area))
        area.setWidget(form)
        area.viewport().setAutoFillBackground(False)
        form.setAutoFillBackground(False)
        return area

    def _make_password(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(0)
        line = QHBoxLayout()
        line.setContentsMargins(3, 0, 3, 0)
        self._password_label = Label("", TextRole.SECONDARY, Tone.MUTED)
        self._caps = Notice("warning", warning=True, small=True)
        self._caps.set_text("")
        line.addWidget(self._password_label)
        line.addStretch(1)
        line.addWidget(self._caps)
        head = QWidget()
        head.setFixedHeight(21)
        head.setLayout(line)
        self.password = PasswordField("")
        self.password.edit.setMaxLength(256)
        self.password.edit.returnPressed.connect(self.submit)
        self.password.caps_lock_changed.connect(self._show)
        self.password.stepped.connect(self.tiles.step)
        self.password.typed.connect(lambda _text: self.password.set_wrong(False))
        column.addWidget(head)
        column.addWidget(self.password)
        return column

    def _order_tabs(self) -> None:
        order: list[QWidget] = [self.login_field.edit, self.password.edit, self.password.eye, self.enter]
        order += [self.side.languages, self.side.themes]
        for before, after in itertools.pairwise(order):
            self.setTabOrder(before, after)

    # --- showing ---

    def _tile_chosen(self, index: int) -> None:
        people = self.model.people
        self.model.choose(people[index] if index < len(people) else None)
        self.password.set_text("")
        self._say("", Tone.MUTED)
        self._go_on_from_tiles()

    def _go_on_from_tiles(self) -> None:
        """A press or Enter on a tile: its password, or the login of somebody else. Keys on the tiles stay there."""
        (self.login_field if self.model.chosen is None else self.password).setFocus()

    def _name_unknown(self) -> None:
        """A letter that begins no name: it may be of a password, so it is not shown anywhere."""
        self._say(self.tr("Tidak ada nama seperti itu di sini. Enter ke kata sandi, atau pilih Orang lain."), Tone.TEXT)

    def _show_hint(self, *_focus: QWidget | None) -> None:
        """Also called when the focus moves."""
        if self.tiles.has_focus():
            self._tile_hint.words.setText(self.tr("pilih orang, atau ketik namanya; Enter ke kata sandi"))
        else:
            self._tile_hint.words.setText(self.tr("ganti orang selagi kata sandi kosong, atau Shift+Tab"))

    def _login_entered(self) -> None:
        if self.login_field.text().strip():
            self.password.setFocus()

    def _show(self) -> None:
        model = self.model
        on_tiles = self.tiles.has_focus()
        is_new = model.people != self._shown_people
        if is_new:
            self._show_tiles()
        chosen = (
            model.people.index(model.chosen) if model.chosen in model.people and model.chosen else len(model.people)
        )
        self.tiles.mark(chosen)
        if is_new and on_tiles:
            self.tiles.focus_marked()
        other = model.chosen is None
        self.tiles.setVisible(bool(model.people))
        self._tile_hint.setVisible(bool(model.people) and not self._is_low())
        self._login_label.setVisible(other)
        self.login_field.setVisible(other)
        name = model.chosen.name.split()[0] if model.chosen else ""
        label = self.tr("Kata sandi {name}").format(name=name).strip() if name else self.tr("Kata sandi")
        self._password_label.setText(label)
        self.password.set_name(label)
        self._caps.set_text(self.tr("Caps Lock menyala") if self.password.caps_lock else "")
        self._show_button()
        self._show_demo()
        self._progress.set_running(not model.is_ready and not self.side.has_start_problem())

    def _show_button(self) -> None:
        model = self.model
        if model.is_busy("sign_in"):
            self.enter.setText(self.tr("Memeriksa…"))
        elif not model.is_ready:
            self.enter.setText(self.tr("Menyiapkan…"))
        else:
            self.enter.setText(self.tr("Masuk"))
        if not model.is_ready:
            self.enter.set_reason(self.tr("Server sedang disiapkan."))
        elif model.pause_left:
            self.enter.set_reason(self.tr("Tunggu {seconds} detik.").format(seconds=model.pause_left))
        else:
            self.enter.set_reason("")
            self.enter.setEnabled(model.may_sign_in())
        if model.pause_left:
            text = self.tr("Terlalu banyak percobaan. Coba lagi dalam {seconds} dtk.").format(seconds=model.pause_left)
        elif model.wrong_tries:
            text = self.tr("Percobaan {number} dari {most}").format(number=model.wrong_tries + 1, most=MOST_TRIES)
        else:
            text = ""
        self._tries.setText(text)
        self._tries.set_tone(Tone.ERROR if model.pause_left else Tone.MUTED)

    def _show_demo(self) -> None:
        person = self.model.chosen
        has_demo = person is not None and bool(person.demo_password)
        self._demo.setVisible(has_demo)
        if person is not None and has_demo:
            title = self.tr("Cabang contoh: kata sandi {name} adalah {password}")
            self._demo.set_text(
                title.format(name=person.name, password=person.demo_password),
                self.tr("Semua orang dan booking di sini rekaan"),
            )

    def _show_tiles(self) -> None:
        self._shown_people = self.model.people
        tiles = [TileContent(name=p.name, detail=role_list(p.roles), login=p.login) for p in self.model.people]
        tiles.append(TileContent(name=self.tr("Orang lain"), detail=self.tr("ketik nama masuk"), icon="plus"))
        self.tiles.show_tiles(tiles)
        for tile in self.tiles.tiles:
            self.setTabOrder(tile, self.login_field.edit)

    def _show_refusal(self, refusal: Refusal) -> None:
        self._say_refusal(refusal)
        if refusal.field == "login" and self.model.chosen is None:
            self.login_field.set_wrong(True)
            self.login_field.setFocus()
            return
        if refusal.field == "password":
            self.password.set_wrong(True)
        self.password.setFocus()
        self.password.edit.selectAll()

    def _say_refusal(self, refusal: Refusal) -> None:
        text = refusal_sentence(refusal).whole
        if self.model.pause_left:
            text = self.tr("Lima kali tidak cocok. Tunggu sebentar, atau minta manajer mengatur ulang kata sandi.")
        self._say(text, Tone.ERROR)
        self._refusal = refusal

    def _show_failure(self, failure: Failure) -> None:
        self._say(failure_sentence(failure).whole, Tone.ERROR)

    def _say(self, text: str, tone: Tone) -> None:
        self._refusal = None
        if text:
            announce(self, text, assertive=tone is Tone.ERROR)
        else:
            self.login_field.set_wrong(False)
            self.password.set_wrong(False)
        self._message.setText(text or self.tr("Kata sandi membedakan huruf besar dan kecil."))
        self._message.set_tone(tone if text else Tone.MUTED)

    def _retranslate(self) -> None:
        self._heading.retranslate()
        self._show_hint()
        self._login_label.setText(self.tr("Nama masuk"))
        self.login_field.set_name(self.tr("Nama masuk"))
        self.password.set_eye_name(self.tr("Lihat kata sandi"))
        if self._refusal is not None:
            self._say_refusal(self._refusal)
        else:
            self._say("", Tone.MUTED)
        self._shown_people = None
        self._show()
