"""The customer of the walk-in form: found while typing, picked, or new with name and papers."""

import datetime as dt
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.desktop.commands import call, reload_command
from app.desktop.screens.calendar_clock import ServerClock
from app.desktop.screens.walk_in_counter import Offers, WalkInCounter
from app.desktop.screens.walk_in_draft_viewmodel import DraftViewModel
from app.desktop.screens.walk_in_form import WalkInForm
from app.desktop.typed import typed_phone
from app.domain.customer import MIN_DIGITS, MIN_LETTERS
from app.domain.errors import Refusal
from app.domain.identity import NIK_DIGITS, LicenceClass, bare_number
from app.usecases.rows import CustomerHit
from app.usecases.rows_customers import CustomerForm

SEARCH_MS = 200
USUAL_CLASS = LicenceClass.A.value
"""What the field shows until another class is picked."""
NOBODY: dict[str, Any] = {
    "customer_id": None,
    "customer_name": "",
    "customer_phone": "",
    "customer_rentals": 0,
    "customer_licence_day": None,
    "customer_masked": "",
    "customer_blocked": "",
}


def nik_of(text: str) -> str:
    """The 16 digits that somebody is looked for by; empty for anything else."""
    number = bare_number(text)
    return number if len(number) == NIK_DIGITS and number.isascii() and number.isdigit() else ""


class PeopleViewModel(DraftViewModel):
    """`hits_changed` when other customers are suggested."""

    hits_changed = Signal()

    def __init__(
        self,
        counter: WalkInCounter,
        clock: ServerClock,
        folder: Path,
        *,
        new_id: Callable[[], str] = lambda: str(uuid.uuid4()),
        offers: Offers | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(counter, clock, folder, new_id=new_id, offers=offers, parent=parent)
        self.hits: tuple[CustomerHit, ...] = ()
        self.hits_for = ""
        self._search_wait = self._single(SEARCH_MS, self._search_now)

    def put_aside(self) -> bool:
        if not super().put_aside():
            return False
        self._forget_hits()
        return True

    def _forget_hits(self) -> None:
        self.hits, self.hits_for = (), ""
        self.hits_changed.emit()

    def type_customer(self, text: str) -> None:
        """Every change of the customer field; the search follows from four digits or two letters."""
        self._set(replace(self.form, customer_text=text, **NOBODY))
        digits, letters = sum(sign.isdigit() for sign in text), sum(sign.isalpha() for sign in text)
        if digits >= MIN_DIGITS or letters >= MIN_LETTERS:
            self._search_wait.start()
        else:
            self._search_wait.stop()
            if self.hits:
                self._forget_hits()

    def pick(self, hit: CustomerHit) -> None:
        """Somebody of the suggestions."""
        customer = hit.customer
        self._search_wait.stop()
        self._set(
            replace(
                self.form,
                customer_text=customer.name,
                customer_id=customer.id,
                customer_name=customer.name,
                customer_phone=customer.phone,
                customer_rentals=hit.rentals,
                customer_licence_day=hit.licence_expires_on,
                customer_masked=hit.masked,
                customer_blocked=hit.blocked or "",
                is_new=False,
                new_name="",
            )
        )
        self._forget_hits()

    def ask_new(self) -> None:
        """Somebody who is not known yet: the name is asked, the typed text is the phone or already the name."""
        text = self.form.customer_text.strip()
        self._search_wait.stop()
        named = "" if any(sign.isdigit() for sign in text) else text
        number = nik_of(text) if self.offers.save_customer is not None else ""
        self._set(
            replace(
                self.form,
                is_new=True,
                new_name=self.form.new_name or named,
                new_nik=self.form.new_nik or number,
                customer_text="" if named or number else text,
                new_customer_id=self.form.new_customer_id or self._new_id(),
                **NOBODY,
            )
        )
        self._forget_hits()

    def give_up_new(self) -> None:
        self._set(replace(self.form, is_new=False))

    def type_new_name(self, text: str) -> None:
        self._set(replace(self.form, new_name=text))

    def type_nik(self, text: str) -> None:
        self._set(replace(self.form, new_nik=text))

    def set_licence_class(self, name: str) -> None:
        self._set(replace(self.form, licence_class=name))

    def type_licence(self, text: str, day: dt.date | None) -> None:
        """The expiry as typed, and the day it was understood as."""
        self._set(replace(self.form, licence_text=text, licence_day=day))

    def phone(self) -> str | None:
        """The typed phone in its stored form, when it is one."""
        return typed_phone(self.form.customer_text)

    @reload_command
    async def search(self, text: str) -> None:
        """Customers for what is typed, 16 digits are a NIK's; an answer for an older text is dropped."""
        find = self.offers.find_by_identity
        number = nik_of(text)
        if number and find is not None:
            hits = await call(find, number)
        else:
            hits = await call(self._customers.find_customers, text)
        if text.strip() == self.form.customer_text.strip() and self.form.customer_id is None:
            self.hits, self.hits_for = hits, text
            self.hits_changed.emit()

    def _search_now(self) -> None:
        self.search(self.form.customer_text)

    def _has_card(self, form: WalkInForm) -> bool:
        """A new customer who goes through the register: papers were typed, and there is one."""
        return form.has_papers and self.offers.save_customer is not None

    async def _save_customer(self, form: WalkInForm) -> bool:
        """Write a new customer's card before the order names it; sent again, it is the same card. False: typed on."""
        save = self.offers.save_customer
        if save is None or not form.has_papers:
            return True
        try:
            card = await call(save, self._customer_form(form))
        except Refusal as no:
            known = no.params.get("version")
            if form.new_version is not None or no.field != "id" or not no.params.get("is_own"):
                raise
            # Written by an earlier try whose answer was lost, and typed over since: this form changes what is there.
            form = replace(form, new_version=known if isinstance(known, int) else None)
            card = await call(save, self._customer_form(form))
        if self.form.order_id != form.order_id or self.form.new_customer_id != form.new_customer_id:
            return False
        self.form = replace(self.form, new_version=card.version)
        return True

    def _customer_form(self, form: WalkInForm) -> CustomerForm:
        return CustomerForm(
            id=form.new_customer_id,
            version=form.new_version,
            name=form.new_name.strip(),
            phone=typed_phone(form.customer_text) or form.customer_text,
            nik=form.nik or None,
            licence_class=(form.licence_class or USUAL_CLASS) if form.licence_day is not None else None,
            licence_expires_on=form.licence_day,
        )
