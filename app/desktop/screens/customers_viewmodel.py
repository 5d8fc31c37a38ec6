"""The customer register: who was found, which card is open, what was typed over it, and what became of saving it.

Every form that was begun is kept on this PC, 150 ms after a change at the latest: nobody is asked before another one is
opened, and all of them are back after a crash. Numbers that were shown in clear are kept nowhere.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol
from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject, QTimer, Signal

from app.desktop.commands import call, command, reload_command
from app.desktop.screens.customers_begun import BegunForms
from app.desktop.screens.customers_form import (
    Typed,
    company_form,
    company_problems,
    customer_form,
    customer_problems,
    new_company,
    new_customer,
    of_card,
    of_company,
    over_fresh,
    warnings_of,
)
from app.desktop.viewmodel import ViewModel
from app.domain.company import Company
from app.domain.errors import Refusal
from app.domain.identity import IdentityKind, NikWarning
from app.domain.staff import Role, StaffMember
from app.usecases.customers import MOST_COMPANIES, REVEALERS, WRITERS
from app.usecases.rows_customers import CompanyForm, CustomerCard, CustomerForm, CustomerHit

SHOWN = 50
SAVE_MS = 150


class Register(Protocol):
    """The customer use cases this screen needs."""

    def find_customers(self, text: str, limit: int = 8) -> tuple[CustomerHit, ...]: ...
    def recent_customers(self, limit: int = 20) -> tuple[CustomerHit, ...]: ...
    def find_by_identity(self, number: str) -> tuple[CustomerHit, ...]: ...
    def get_customer(self, customer_id: str) -> CustomerCard: ...
    def save_customer(self, form: CustomerForm) -> CustomerCard: ...
    def reveal_identity(self, customer_id: str, kind: IdentityKind, reason: str) -> str: ...
    def companies(self, text: str = "", limit: int = SHOWN) -> tuple[Company, ...]: ...
    def get_company(self, company_id: str) -> Company: ...
    def save_company(self, form: CompanyForm) -> Company: ...


class CustomersViewModel(ViewModel):
    """`opened` when another form stands in front, `saved` after a save, `shown` with kind and number of a reveal.

    A save that was refused tells of somebody who is known already (`duplicate_found`), or `refused_at` which input.

    `hits` and `companies` are the answer for `text` once `is_answered`: an answer for what stood there before changes
    nothing.
    """

    opened = Signal()
    saved = Signal()
    shown = Signal(object, str)
    duplicate_found = Signal()
    refused_at = Signal(str)

    def __init__(
        self,
        register: Register,
        who: StaffMember,
        now: Callable[[], dt.datetime],
        new_id: Callable[[], str],
        drafts: Path,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._register = register
        self._now = now
        self._new_id = new_id
        self._begun = BegunForms(drafts, who.login)
        self.zone: ZoneInfo = who.branch.zone
        self.may_write = bool(who.roles & WRITERS)
        self.may_reveal = bool(who.roles & REVEALERS)
        self.is_manager = Role.MANAGER in who.roles
        self.is_companies = False
        self.text = ""
        self.hits: tuple[CustomerHit, ...] = ()
        self.companies: tuple[Company, ...] = ()
        self.all_companies: tuple[Company, ...] = ()
        self._answered: tuple[str, bool] | None = None
        self._failed: tuple[str, bool] | None = None
        self._turn = 0
        self.today = dt.date.min
        self.card: CustomerCard | None = None
        self.company: Company | None = None
        self.typed: Typed | None = None
        self.refusal: Refusal | None = None
        self.asked_to_save = False
        self._clean: Typed | None = None
        self._save_wait = QTimer(self)
        self._save_wait.setSingleShot(True)
        self._save_wait.setInterval(SAVE_MS)
        self._save_wait.timeout.connect(self._write_draft)

    # --- finding ------------------------------------------------------------------------------------------------------

    @reload_command
    async def load(self) -> None:
        """Read the day, the companies and whom to show first; a form that was being typed is open again."""
        now = await call(self._now)
        self.today = now.astimezone(self.zone).date()
        self.all_companies = await call(self._register.companies, "", MOST_COMPANIES)
        newest = self._begun.newest()
        if self.typed is None and newest is not None and not self._turn:
            await self._open(newest.id, newest.is_company)
        await self._find()

    def look_for(self, text: str) -> None:
        """Show who fits what was typed; those who changed last while nothing is. Sixteen digits ask for a NIK."""
        self.text = text
        self.find()
        self.changed.emit()

    def show_companies(self, companies: bool) -> None:
        """People or companies in the list."""
        self.is_companies = companies
        self.find()
        self.changed.emit()

    @reload_command
    async def find(self) -> None:
        """Ask for the text as it stands."""
        await self._find()

    @property
    def is_answered(self) -> bool:
        """The rows are those of the text as it stands."""
        return self._answered == self._question()

    @property
    def is_searching(self) -> bool:
        """An answer for the text is on its way."""
        return not self.is_answered and self.is_busy("find", "load", "save")

    @property
    def has_failed(self) -> bool:
        """Nobody answered for the text as it stands."""
        return not self.is_answered and self._failed == self._question()

    # --- the form -----------------------------------------------------------------------------------------------------

    def open(self, id_: str, *, is_company: bool) -> None:
        """Open a card; what was begun over it is there again."""
        self._turn += 1
        self.read_card(id_, is_company)

    @reload_command
    async def read_card(self, id_: str, is_company: bool) -> None:
        """Ask for a card; one that comes after another form was wanted stays closed."""
        await self._open(id_, is_company)

    def start_new(self, name: str = "", phone: str = "") -> None:
        """An empty form for somebody new (or a company, while companies are shown)."""
        self._turn += 1
        self.card = self.company = None
        make = new_company(self._new_id(), name) if self.is_companies else new_customer(self._new_id(), name, phone)
        self._show(make, make if not (name or phone) else None)
        self.opened.emit()

    def put(self, name: str, text: str) -> None:
        """One input changed."""
        if self.typed is None or self.typed.texts.get(name) == text:
            return
        self.typed = replace(self.typed, texts={**self.typed.texts, name: text})
        if self.refusal is not None and self.refusal.field in (name, None):
            self.refusal = None
        self._keep()
        self.changed.emit()

    def drop(self) -> None:
        """Forget what was typed over the open card; a new one is closed."""
        if self.typed is None:
            return
        self._begun.drop(self.typed.id)
        self._write_draft()
        self.refusal = None
        if self.typed.version is None:
            self.typed = self._clean = None
        else:
            self.typed = self._clean
        self.asked_to_save = False
        self.opened.emit()
        self.changed.emit()

    def is_dirty(self) -> bool:
        """Whether something is typed that is not saved."""
        return self.typed is not None and self.typed != self._clean

    def is_company(self) -> bool:
        """Whether the open form is a company's."""
        return self.typed is not None and self.typed.is_company

    def problems(self) -> dict[str, Refusal]:
        """Every input that would be refused now."""
        if self.typed is None:
            return {}
        return company_problems(self.typed) if self.is_company() else customer_problems(self.typed, self.today)

    def warnings(self) -> tuple[NikWarning, ...]:
        return () if self.typed is None or self.is_company() else warnings_of(self.typed, self.today)

    @command
    async def save(self, consent: str) -> None:
        """Save the open form; `consent` is the text that was agreed to."""
        typed = self.typed
        if typed is None:
            return
        self.asked_to_save = True
        problem = next(iter(self.problems().values()), None)
        if problem is not None:
            self._refuse(problem)
            return
        self.refusal = None
        self.changed.emit()
        try:
            written = await self._written(typed, consent)
        except Refusal as no:
            if self.typed is None or self.typed.id != typed.id:
                raise  # another form stands there: it is no word about that one
            self._refuse(no)
            return
        self._put_written(typed, written)
        self.saved.emit()
        await self._find()

    @command
    async def reveal(self, kind: IdentityKind, reason: str) -> None:
        """Show a number in clear, on the card it was asked for or nowhere; the reason is recorded first."""
        asked = self.card
        if asked is not None:
            number = await call(self._register.reveal_identity, asked.id, kind, reason)
            if self.card is not None and self.card.id == asked.id:
                self.shown.emit(kind, number)

    def known_one(self) -> tuple[str, str] | None:
        """Id and name of the customer or company that a save met; None while there is none."""
        params = self.refusal.params if self.refusal is not None else {}
        for kind in ("customer", "company"):
            if f"{kind}_id" in params and f"{kind}_name" in params:
                return str(params[f"{kind}_id"]), str(params[f"{kind}_name"])
        return None

    def keep_now(self) -> None:
        """Write to the disk what still waits for its moment."""
        if self._save_wait.isActive():
            self._write_draft()

    def close(self) -> None:
        self.keep_now()
        self._begun.release()
        super().close()

    # --- inside -------------------------------------------------------------------------------------------------------

    def _refuse(self, no: Refusal) -> None:
        self.refusal = no
        self.changed.emit()
        if self.known_one() is not None:
            self.duplicate_found.emit()
        elif no.field is not None:
            self.refused_at.emit(no.field)

    async def _written(self, typed: Typed, consent: str) -> CustomerCard | Company:
        """Save it. Where a try of a new form was written and its answer lost, this one changes what is there."""
        try:
            return await self._write(typed, consent)
        except Refusal as no:
            known = no.params.get("version")
            if typed.version is not None or no.field != "id" or not no.params.get("is_own"):
                raise
            return await self._write(replace(typed, version=known if isinstance(known, int) else None), consent)

    async def _write(self, typed: Typed, consent: str) -> CustomerCard | Company:
        if not typed.is_company:
            return await call(self._register.save_customer, customer_form(typed, self.today, consent))
        company = await call(self._register.save_company, company_form(typed))
        self.all_companies = await call(self._register.companies, "", MOST_COMPANIES)
        return company

    def _put_written(self, sent: Typed, written: CustomerCard | Company) -> None:
        """The form as it was saved; what was typed while the answer was awaited stays typed over it."""
        fresh = of_company(written) if isinstance(written, Company) else of_card(written)
        now = self._begun.find(sent.id) or sent
        still = over_fresh(now, sent, fresh)
        self._begun.drop(sent.id)
        if still != fresh:
            self._begun.put(still)
        self._write_draft()
        if self.typed is not None and self.typed.id == sent.id:
            if isinstance(written, Company):
                self.company = written
            else:
                self.card = written
            self._show(still, fresh)
            self.opened.emit()

    def _question(self) -> tuple[str, bool]:
        return self.text, self.is_companies

    async def _find(self) -> None:
        asked = self._question()
        self._failed = None
        try:
            companies, hits = await self._answer_to(*asked)
        except Exception:
            self._failed = asked
            raise
        if asked == self._question():
            self.companies, self.hits, self._answered = companies, hits, asked
            self.changed.emit()

    async def _answer_to(self, text: str, is_companies: bool) -> tuple[tuple[Company, ...], tuple[CustomerHit, ...]]:
        plain = "".join(text.split())
        if is_companies:
            return await call(self._register.companies, text), self.hits
        if len(plain) == 16 and plain.isascii() and plain.isdigit():
            return self.companies, await call(self._register.find_by_identity, plain)
        if text.strip():
            return self.companies, await call(self._register.find_customers, text, SHOWN)
        return self.companies, await call(self._register.recent_customers, SHOWN)

    async def _open(self, id_: str, is_company: bool) -> None:
        """Nothing is opened when another form was wanted meanwhile."""
        turn, begun = self._turn, self._begun.find(id_)
        card: CustomerCard | None = None
        company: Company | None = None
        clean: Typed | None = None
        if begun is not None and begun.version is None:
            pass  # somebody new, whom the register does not know yet
        elif is_company:
            company = await call(self._register.get_company, id_)
            clean = of_company(company)
        else:
            card = await call(self._register.get_customer, id_)
            clean = of_card(card)
        if turn == self._turn:
            self.card, self.company = card, company
            self._show(begun or clean, clean)
            self.opened.emit()

    def _show(self, typed: Typed | None, clean: Typed | None) -> None:
        self.typed, self._clean = typed, clean
        self.refusal = None
        self.asked_to_save = False
        self.changed.emit()

    def _keep(self) -> None:
        if self.typed is None:
            return
        if self.is_dirty():
            self._begun.put(self.typed)
        else:
            self._begun.drop(self.typed.id)
        if not self._save_wait.isActive():
            self._save_wait.start()

    def _write_draft(self) -> None:
        self._save_wait.stop()
        self._begun.write(self.today)
