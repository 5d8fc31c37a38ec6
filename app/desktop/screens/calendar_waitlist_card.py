"""The small card that puts a customer on the waitlist: who, for what, and what that does and does not promise."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.formats import day_count, period_with_weekdays, phone
from app.desktop.language import language
from app.desktop.screens.calendar_menu import MenuLine, VerbRow
from app.desktop.theme import TextRole
from app.desktop.typed import typed_phone
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.close_hint import CloseHint
from app.desktop.widgets.echo_line import EchoLine
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.paint import RING_MARGIN
from app.desktop.widgets.phone_field import PhoneField
from app.desktop.widgets.popover import Popover
from app.domain.days import RentalPeriod
from app.usecases.rows import CustomerHit
from app.usecases.waitlist import WaitlistWish

LONGEST_NAME = 200
LEAST_DIGITS, LEAST_LETTERS, MOST_PEOPLE = 4, 2, 3
LOOK_MS = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Who would wait for what; without `customer_id` name and phone are typed (or come from the form)."""

    sku: str
    sku_name: str
    period: RentalPeriod
    customer_id: str | None = None
    name: str = ""
    phone: str = ""
    free: tuple[str, ...] = ()
    """Plates that are free for all of these days: nobody has to wait for those."""

    @property
    def is_known(self) -> bool:
        """Nothing has to be typed any more."""
        return self.customer_id is not None or (len(self.name.strip()) > 1 and typed_phone(self.phone) is not None)


class WaitlistCard(Popover):
    """`wanted` carries a WaitlistWish, `closed` follows Esc, `people_wanted` a number or name that is being typed. With
    a known customer Enter alone is enough; Enter behind a whole number or a name takes whoever is known by it.

    What was typed and not sent is there again when the card is opened the next time.
    """

    wanted = Signal(object)
    closed = Signal()
    people_wanted = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._waiting: Waiting | None = None
        self.setFixedWidth(352)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.pad(14, 10)
        head = QHBoxLayout()
        self._title = Label("", TextRole.SECTION)
        head.addWidget(self._title, 1)
        head.addWidget(CloseHint(), 0, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(head)
        self._days = Label("", TextRole.BASE)
        self._customer = Label("", TextRole.BASE, weight=600)
        self.phone = PhoneField("")
        self._read_back = EchoLine(self.phone)
        self.name = Field("")
        self.name.edit.setMaxLength(LONGEST_NAME)
        self._wrong = Label("", TextRole.SECONDARY, Tone.ERROR)
        self._honest = Label("", TextRole.SECONDARY, Tone.MUTED)
        self._phone_label = Label("", TextRole.SECONDARY, Tone.MUTED)
        self._name_label = Label("", TextRole.SECONDARY, Tone.MUTED)
        self._people = QVBoxLayout()
        self._people.setSpacing(0)
        self.people: list[VerbRow] = []
        self._kept = ("", "")
        self._asked = self._entered = ""
        self._is_entered = False
        self._hits: tuple[CustomerHit, ...] = ()
        self.body.addWidget(self._days)
        self.body.addWidget(self._customer)
        number = QVBoxLayout()
        number.setSpacing(0)
        number.addWidget(self.phone)
        number.addWidget(self._read_back)
        self.body.addWidget(self._phone_label)
        self.body.addLayout(number)
        self.body.addLayout(self._people)
        self.body.addWidget(self._name_label)
        self.body.addWidget(self.name)
        self.body.addWidget(self._wrong)
        self.body.addWidget(self._honest)
        texts = (
            self._title,
            self._days,
            self._customer,
            self._phone_label,
            self._name_label,
            self._wrong,
            self._honest,
        )
        for label in texts:
            label.setContentsMargins(RING_MARGIN, 0, 0, 0)  # over the fields' boxes, not over their rings
        self._honest.setWordWrap(True)
        self._wrong.setWordWrap(True)
        self.join = Button("", key="Return", size=ButtonSize.SMALL, primary=True)
        self.join.clicked.connect(self._join)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.join)
        self.body.addLayout(row)
        self.phone.edit.returnPressed.connect(self._after_phone)
        self.name.edit.returnPressed.connect(self._join)
        self._look = QTimer(self)
        self._look.setSingleShot(True)
        self._look.setInterval(LOOK_MS)
        self._look.timeout.connect(self.look_now)
        self.phone.typed.connect(self._look_soon)
        for field in (self.phone, self.name):
            field.typed.connect(lambda _text: self._keep())

    def ask(self, waiting: Waiting) -> None:
        """Fill in; place it afterwards and call `take_focus`."""
        if not waiting.is_known and not waiting.phone and not waiting.name:
            waiting = replace(waiting, phone=self._kept[0], name=self._kept[1])
            is_typed = True
        else:
            is_typed = not waiting.is_known
        self._waiting = waiting
        self._asked = self._entered = ""
        self._show_people(())
        self._title.setText(self.tr("Antrean {0}").format(waiting.sku_name))
        period = period_with_weekdays(waiting.period.first, waiting.period.last, language())
        self._days.setText(f"{period} · {day_count(waiting.period.count, language())}")
        self._customer.setText(" · ".join(part for part in (waiting.name, self._shown(waiting.phone)) if part))
        self._customer.setVisible(not is_typed)
        self._phone_label.setText(self.tr("Telepon atau nama"))
        self._name_label.setText(self.tr("Nama"))
        self.phone.set_name(self.tr("Telepon"))
        self.phone.set_placeholder(self.tr("contoh 0812-3456-7890"))
        self.name.set_name(self.tr("Nama pelanggan"))
        self.phone.set_text(waiting.phone)
        self.name.set_text(waiting.name)
        for field in (self.phone, self.name):
            field.setVisible(is_typed)
            field.set_wrong(False)
        for label in (self._phone_label, self._read_back, self._name_label):
            label.setVisible(is_typed)
        self._wrong.hide()
        self._honest.setText(self._promise(waiting))
        self.join.setText(self.tr("Masukkan antrean"))
        self.setAccessibleName(f"{self._title.text()}, {self._days.text()}. {self._honest.text()}")

    def _promise(self, waiting: Waiting) -> str:
        """What waiting is worth; where units are free, that nobody has to."""
        if waiting.free:
            return self.tr("{0} unit masih kosong, mis. {1}: booking saja.").format(len(waiting.free), waiting.free[0])
        return self.tr("Kami hubungi bila ada unit; belum menjamin.")

    def take_focus(self) -> None:
        """The button when the customer is known, else the first thing to type."""
        if self.phone.isHidden():
            self.join.setFocus(Qt.FocusReason.PopupFocusReason)
        else:
            self.phone.edit.setFocus(Qt.FocusReason.PopupFocusReason)
            self.phone.edit.selectAll()  # another customer's number is typed over

    # --- people known by the number that is typed ---------------------------------------------------------------------

    def _look_soon(self) -> None:
        self._asked = self._entered = ""
        self._look.start()

    def look_now(self) -> None:
        """Ask who has this number, as soon as it says enough."""
        self._look.stop()
        text = self.phone.text()
        if text and text == self._asked:
            return
        if sum(sign.isdigit() for sign in text) >= LEAST_DIGITS or _letters(text) >= LEAST_LETTERS:
            self._asked = text
            self.people_wanted.emit(text)
        else:
            self._show_people(())

    def show_people(self, text: str, hits: Sequence[CustomerHit]) -> None:
        """Who was found for a text; nothing when the field says another by now."""
        if self.isVisible() and not self.phone.isHidden() and text == self._asked:
            self._show_people(hits[:MOST_PEOPLE])
            self._hits = tuple(hits)
            if self._entered == text:
                self._take(text)

    def _take(self, text: str) -> None:
        """Enter, and who is known by this text: that customer; of a name nobody has, the number is asked for."""
        self._entered = ""
        number, is_name = self.phone.number(), _letters(text) >= LEAST_LETTERS
        exact = next((hit for hit in self._hits if hit.customer.phone == number), None)
        found = self._hits[0] if is_name and self._hits else exact
        if found is not None and not self.name.text().strip():
            self._choose(found)
        elif is_name and not self._hits:
            self.name.set_text(" ".join(text.split()))
            self.phone.set_text("")
            self._keep()
            self.phone.edit.setFocus(Qt.FocusReason.TabFocusReason)

    def _show_people(self, hits: Sequence[CustomerHit]) -> None:
        self._hits = ()
        for old in self.people:
            self._people.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.people = []
        for hit in hits:
            who = hit.customer
            row = VerbRow(MenuLine(name=who.id, text=f"{who.name} · {phone(who.phone)}", key="Return"), self)
            row.clicked.connect(lambda _checked=False, found=hit: self._choose(found))
            self._people.addWidget(row)
            row.setVisible(True)
            self.people.append(row)
        if self.isVisible():
            self.adjustSize()

    def _choose(self, hit: CustomerHit) -> None:
        """This customer, known already: Enter is enough now."""
        if self._waiting is not None:
            who = hit.customer
            self.ask(replace(self._waiting, customer_id=who.id, name=who.name, phone=who.phone))
            self.adjustSize()
            self.take_focus()

    def _step(self, by: int) -> None:
        """Down from the number into the people found for it, and back."""
        places: list[QWidget] = [self.phone.edit, *self.people]
        at = next((number for number, place in enumerate(places) if place.hasFocus()), None)
        if at is not None:
            places[max(0, min(len(places) - 1, at + by))].setFocus(Qt.FocusReason.TabFocusReason)

    def _keep(self) -> None:
        self._kept = (self.phone.text(), self.name.text())

    def close_card(self) -> bool:
        """Close it; False when it was not open."""
        if not self.isVisible():
            return False
        self.hide()
        self.closed.emit()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        was_entered, self._is_entered = self._is_entered, False
        if was_entered:
            pass  # the Enter behind the number, on its way up: it chose a customer, it joins nobody
        elif key == Qt.Key.Key_Escape:
            self.close_card()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.join.hasFocus():
            self._join()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            for row in self.people:
                if row.hasFocus():
                    row.click()
                    break
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._step(1 if key == Qt.Key.Key_Down else -1)
        # Nothing else reaches the grid underneath while the card asks.
        event.accept()

    def _after_phone(self) -> None:
        """On to the name; whoever turns out to be known by the number needs none. A name waits for who has it."""
        self._is_entered = True
        if _letters(self.phone.text()) < LEAST_LETTERS:
            self.name.edit.setFocus(Qt.FocusReason.TabFocusReason)
        self._entered = text = self.phone.text()  # a number is written in groups once its field is left
        if text and text == self._asked and self._hits:
            self._take(text)
        elif self.phone.number() is not None or _letters(text) >= LEAST_LETTERS:
            self.look_now()

    def _join(self) -> None:
        waiting = self._waiting
        if waiting is None or not self.isVisible():
            return
        if waiting.customer_id is not None:
            self._send(WaitlistWish(sku=waiting.sku, period=waiting.period, customer_id=waiting.customer_id))
            return
        number, name = self.phone.number(), self.name.text().strip()
        self.phone.set_wrong(number is None)
        self.name.set_wrong(len(name) < 2)
        if number is None:
            named = bool(self.phone.problem())  # below the field itself
            self._complain("" if named else self.tr("Nomor telepon 9-13 angka, contoh 0812-3456-7890."), self.phone)
        elif len(name) < 2:
            self._complain(self.tr("Isi nama pelanggan."), self.name)
        else:
            wish = WaitlistWish(sku=waiting.sku, period=waiting.period, customer_name=name, customer_phone=number)
            self._send(wish)

    def _send(self, wish: WaitlistWish) -> None:
        """What was typed is kept until the answer is there: a refused one is not typed again."""
        self.hide()
        self.wanted.emit(wish)

    def forget(self) -> None:
        """Somebody is on the list: the next one is typed anew."""
        self._kept = ("", "")

    def complain_of_phone(self, text: str) -> None:
        """Whose number it is, said below; that customer is offered right under the number."""
        self.phone.set_wrong(True)
        self._complain(text, self.phone)
        self.look_now()

    def _complain(self, text: str, field: Field) -> None:
        self._wrong.setText(text)
        self._wrong.setVisible(bool(text))
        self._fit()
        field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _shown(self, number: str) -> str:
        found = typed_phone(number)
        return phone(found) if found is not None else number


def _letters(text: str) -> int:
    return sum(sign.isalpha() for sign in text)
