"""Rental contracts: what one says, counted when it is printed, and the words a branch prints of its own."""

from __future__ import annotations

import hashlib
import json
import unicodedata

from app.domain.errors import Refusal, RefusalCode, invalid
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.booking_input import checked_uuid
from app.usecases.contract_terms import EDITION, LANGUAGES, own_terms
from app.usecases.ports import Store
from app.usecases.rows_contracts import (
    BranchText,
    BranchTextKind,
    ContractFacts,
    NewPrinting,
    OrderPapers,
    Printed,
    Terms,
)

MAX_TERMS = 20_000
MAX_LETTERHEAD = 400
MAX_LETTERHEAD_LINES = 4
AT_THE_COUNTER = frozenset({Role.AGENT, Role.INSPECTOR, Role.CASHIER})
MANAGER = frozenset({Role.MANAGER})


class Contracts:
    """Contract use cases of one logged-in person at one counter."""

    def __init__(self, store: Store, who: StaffMember, counter: str) -> None:
        self._store = store
        self._who = who
        self._counter = counter

    def contract(self, order_id: str, language: str = "id") -> ContractFacts:
        """What the contract of an order says (`order_id` may be a booking's id too); nothing is counted yet.

        One that was printed before keeps the terms it was first printed with in that language. Refuses NOT_FOUND, and
        BOOKING_STATE for an order whose bookings are all cancelled.
        """
        require_role(self._who, AT_THE_COUNTER, "print_contract")
        wanted, spoken = checked_uuid(order_id, "order_id"), checked_language(language)
        papers = self._store.read.order_papers(wanted, spoken)
        if papers is None:
            raise Refusal(RefusalCode.NOT_FOUND, field="order_id", next=(), order_id=order_id)
        if not papers.units:
            raise Refusal(RefusalCode.BOOKING_STATE, field="order_id", next=(), state="CANCELLED")
        return ContractFacts(
            order_id=papers.order_id,
            language=spoken,
            branch=papers.branch,
            letterhead=papers.letterhead or "",
            customer=papers.customer,
            units=papers.units,
            invoices=papers.invoices,
            given_back=papers.given_back,
            terms=_terms_of(papers, spoken),
            made_at=papers.made_at,
            made_by_name=papers.made_by_name,
            now=papers.now,
        )

    def count_printing(self, facts: ContractFacts, printing_id: str) -> Printed:
        """Count this printing, before it goes on paper: original, SALINAN, or the original of a new revision.

        The same `printing_id` again answers the same and counts once.
        """
        require_role(self._who, AT_THE_COUNTER, "print_contract")
        printing = NewPrinting(
            id=checked_uuid(printing_id, "printing_id"),
            order_id=checked_uuid(facts.order_id, "order_id"),
            language=checked_language(facts.language),
            fingerprint=fingerprint(facts),
            terms_language=facts.terms.language,
            terms_version=facts.terms.version,
            terms_edition=facts.terms.edition,
            counter=self._counter,
        )
        return self._store.transact(lambda tx: tx.count_printing(printing), one_call=True)

    def terms(self, language: str = "id") -> Terms:
        """The terms that the branch's next contract is made under."""
        spoken = checked_language(language)
        return _standing(self._text(BranchTextKind.TERMS, spoken), spoken)

    def set_terms(self, text: str | None, language: str = "id") -> Terms:
        """Write the branch's terms, or None for the program's own again. Managers only; old contracts keep theirs."""
        self._set(BranchTextKind.TERMS, text, language, "terms", MAX_TERMS)
        return self.terms(language)

    def letterhead(self, language: str = "id") -> str:
        """The lines under the branch's name: address, phone; the Indonesian ones where it wrote no others."""
        return self._text(BranchTextKind.LETTERHEAD, checked_language(language)).said or ""

    def set_letterhead(self, text: str | None, language: str = "id") -> str:
        """At most four lines; None for none. Managers only."""
        if text is not None and len(text.strip().splitlines()) > MAX_LETTERHEAD_LINES:
            raise invalid("letterhead", "count", least=1, most=MAX_LETTERHEAD_LINES, given=len(text.splitlines()))
        self._set(BranchTextKind.LETTERHEAD, text, language, "letterhead", MAX_LETTERHEAD)
        return self.letterhead(language)

    def _text(self, kind: BranchTextKind, language: str) -> BranchText:
        return self._store.read.branch_text(self._who.branch.id, kind, language)

    def _set(self, kind: BranchTextKind, text: str | None, language: str, field: str, most: int) -> None:
        require_role(self._who, MANAGER, "set_branch_text")
        spoken = checked_language(language)
        said = None if text is None else checked_long_text(text, field, most=most)
        self._store.transact(lambda tx: tx.set_branch_text(kind, spoken, said, self._counter), one_call=True)


def fingerprint(facts: ContractFacts) -> str:
    """Stands for what is agreed: the customer, each unit with its period and deposit, each line, the terms.

    What is paid, who prints, and readings that change by themselves are no part of it.
    """
    agreed = {
        "customer": facts.customer.name,
        "units": [
            [
                unit.booking.id,
                unit.booking.unit.unit.id,
                unit.booking.pickup_at.isoformat(),
                unit.booking.due_at.isoformat(),
                unit.booking.period.first.isoformat(),
                unit.booking.period.last.isoformat(),
                unit.deposit,
            ]
            for unit in facts.units
        ],
        "given_back": facts.given_back,
        "lines": [[line.kind.value, line.text, line.quantity, line.unit_price, line.amount] for line in facts.lines],
        "terms": [
            facts.terms.language,
            facts.terms.version,
            facts.terms.edition if facts.terms.version == 0 else 0,
        ],
    }
    return hashlib.sha256(json.dumps(agreed, sort_keys=True).encode()).hexdigest()


def checked_language(language: str) -> str:
    """`id` or `en`."""
    if language not in LANGUAGES:
        raise invalid("language", "not_a_language", given=language[:20], known=list(LANGUAGES))
    return language


def checked_long_text(text: str, field: str = "terms", *, most: int = MAX_TERMS) -> str:
    """Lines without trailing spaces and without empty ones around, tabs as spaces, with something to read in them."""
    if len(text) > 4 * most:
        raise invalid(field, "too_long", length=len(text), most=most)
    said = "\n".join(line.rstrip() for line in text.expandtabs(4).splitlines()).strip("\n")
    if not any(sign.isalnum() for sign in said):
        raise invalid(field, "empty")
    if len(said) > most:
        raise invalid(field, "too_long", length=len(said), most=most)
    if any(unicodedata.category(sign) in {"Cc", "Cf", "Cs", "Co", "Cn"} and sign != "\n" for sign in said):
        raise invalid(field, "control_characters")
    return said


def _terms_of(papers: OrderPapers, language: str) -> Terms:
    first = papers.first
    if first is None:
        return _standing(papers.terms, language)
    said = first.said if first.terms_version else own_terms(first.terms_language, first.terms_edition)
    return Terms(
        said=said or "",
        language=first.terms_language,
        version=first.terms_version,
        edition=first.terms_edition,
    )


def _standing(text: BranchText, language: str) -> Terms:
    if text.said is None:
        return Terms(said=own_terms(language, EDITION), language=language, version=0, edition=EDITION)
    return Terms(said=text.said, language=text.language, version=text.version, edition=EDITION)
