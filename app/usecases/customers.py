"""The customer register at a counter: find while typing, cards, new and changed customers and companies, identities."""

from __future__ import annotations

import collections
import dataclasses
import datetime as dt
import hashlib
import secrets
import threading

from app.domain.company import Company, checked_credit_limit, checked_due_days, checked_npwp
from app.domain.customer import MIN_DIGITS, MIN_LETTERS, checked_name, normalised_phone
from app.domain.customer_texts import (
    checked_address,
    checked_birth,
    checked_code,
    checked_email,
    checked_expiry,
    checked_licence_class,
    checked_nationality,
    checked_tier,
)
from app.domain.errors import NextAction, Refusal, RefusalCode, invalid
from app.domain.identity import (
    IdentityKind,
    NikWarning,
    checked_licence,
    checked_nik,
    checked_passport,
    masked,
    nik_warnings,
    wanted_number,
)
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.booking_input import checked_note, checked_uuid
from app.usecases.maintenance import checked_reason
from app.usecases.ports import Ids, Store
from app.usecases.ports_customers import IdentityService, Sealing
from app.usecases.rows_customers import (
    CheckedCustomer,
    CompanyForm,
    CustomerCard,
    CustomerForm,
    CustomerHit,
    GivenIdentity,
    IdentityQuestion,
    PublishedKey,
)

MOST_HITS = 50
MOST_COMPANIES = 1_000
"""So many stand in the list that a customer's company is picked from."""
MOST_BOXES = 64
"""So many sealed numbers are remembered for a form that is sent again."""
WRITERS = frozenset({Role.AGENT, Role.CASHIER})
REVEALERS = frozenset({Role.MANAGER, Role.INSPECTOR})
NEXT_OF_DUPLICATE = {"customer_id": "use_customer", "company_id": "use_company"}


class Customers:
    """Customer use cases of one logged-in person."""

    def __init__(
        self, store: Store, who: StaffMember, counter: str, ids: Ids, seals: Sealing, service: IdentityService
    ) -> None:
        self._store = store
        self._who = who
        self._counter = counter
        self._ids = ids
        self._service = service
        self._boxes = _SealedBoxes(seals)

    def find_customers(self, text: str, limit: int = 8) -> tuple[CustomerHit, ...]:
        """At most `limit` hits, best first: by phone digits from the 4th, beginnings of name words, the plate of a unit
        somebody has or had, or a booking's number. Empty below four digits or two letters; every sign is itself."""
        _check_limit(limit)
        if len(text) > 80:
            raise invalid("text", "too_long", length=len(text), most=80)
        wanted = " ".join(text.split())
        digits = sum(sign.isdigit() for sign in wanted)
        letters = sum(sign.isalpha() for sign in wanted)
        if letters < MIN_LETTERS and digits < MIN_DIGITS:
            return ()
        return self._store.read.find_customers(wanted, limit)

    def recent_customers(self, limit: int = 20) -> tuple[CustomerHit, ...]:
        """Those that were changed last."""
        _check_limit(limit)
        return self._store.read.recent_customers(limit)

    def get_customer(self, customer_id: str) -> CustomerCard:
        """Everything a counter may know of a customer; NOT_FOUND when there is none."""
        found = self._store.read.customer_card(checked_uuid(customer_id, "customer_id"))
        if found is None:
            raise Refusal(RefusalCode.NOT_FOUND, field="customer_id", next=(), customer_id=customer_id)
        return found

    def save_customer(self, form: CustomerForm) -> CustomerCard:
        """Write a new customer, or the change of the version that was read; the card as it stands then.

        Identity numbers are sealed here: in clear they leave this counter for nobody. The first wrong field is refused
        by its name; a phone that somebody has is DUPLICATE naming them (`next`: use_customer). Tier and blacklist are a
        manager's. Sent again after a lost answer, the same form is the same customer; another form under a known id is
        DUPLICATE `id` with the `version` that stands there (`next`: `take_version`).
        """
        require_role(self._who, WRITERS, "save_customer")
        checked, warnings = self._checked(form)
        try:
            self._store.transact(lambda tx: tx.save_customer(checked), one_call=True)
        except Refusal as no:
            raise _with_next(no) from None
        return dataclasses.replace(self.get_customer(checked.id), warnings=warnings)

    def find_by_identity(self, number: str) -> tuple[CustomerHit, ...]:
        """Customers with exactly this number of KTP, passport or licence. Asked of the service under a ticket of one
        use, recorded without the number. UNREACHABLE when the service does not answer."""
        wanted = wanted_number(number)
        found = self._service.find(self._ticket(IdentityQuestion(ticket_hash="")), wanted)
        return self._store.read.customers_by_id(found) if found else ()

    def reveal_identity(self, customer_id: str, kind: IdentityKind, reason: str) -> str:
        """The number in clear, for a manager or an inspector who says why. Recorded before it is answered, with the
        reason and never the number."""
        require_role(self._who, REVEALERS, "reveal_identity")
        return self._service.reveal(
            self._ticket(
                IdentityQuestion(
                    ticket_hash="",
                    customer_id=checked_uuid(customer_id, "customer_id"),
                    kind=kind,
                    reason=checked_reason(reason),
                )
            )
        )

    def companies(self, text: str = "", limit: int = MOST_HITS) -> tuple[Company, ...]:
        """By the beginning of a word of the name or of the NPWP; every one, by name, without a text."""
        _check_limit(limit, MOST_COMPANIES)
        if len(text) > 80:
            raise invalid("text", "too_long", length=len(text), most=80)
        return self._store.read.companies(text, limit)

    def get_company(self, company_id: str) -> Company:
        """NOT_FOUND when there is none."""
        found = self._store.read.company(checked_uuid(company_id, "company_id"))
        if found is None:
            raise Refusal(RefusalCode.NOT_FOUND, field="company_id", next=(), company_id=company_id)
        return found

    def save_company(self, form: CompanyForm) -> Company:
        """Write a new company, or the change of the version that was read. An NPWP that is known is DUPLICATE naming
        its company; credit limit and due days are a manager's."""
        require_role(self._who, WRITERS, "save_company")
        checked = Company(
            id=checked_uuid(form.id, "id"),
            version=form.version or 0,
            name=checked_name(form.name, "name"),
            npwp=checked_npwp(form.npwp),
            address=checked_address(form.address),
            email=checked_email(form.email),
            phone=normalised_phone(form.phone, "phone") if form.phone.strip() else "",
            credit_limit=checked_credit_limit(form.credit_limit),
            due_days=checked_due_days(form.due_days),
        )
        try:
            self._store.transact(lambda tx: tx.save_company(checked, form.version, self._counter), one_call=True)
        except Refusal as no:
            raise _with_next(no) from None
        return self.get_company(checked.id)

    def _ticket(self, question: IdentityQuestion) -> str:
        ticket = self._ids.token()
        asked = dataclasses.replace(question, ticket_hash=ticket_hash(ticket))
        self._store.transact(lambda tx: tx.ask_identity(asked, self._counter), one_call=True)
        return ticket

    def _checked(self, form: CustomerForm) -> tuple[CheckedCustomer, tuple[NikWarning, ...]]:
        customer_id = checked_uuid(form.id, "id")
        name = checked_name(form.name, "name")
        phone = normalised_phone(form.phone, "phone")
        birth_on = checked_birth(form.birth_on, self._today())
        numbers = {
            IdentityKind.NIK: form.nik and checked_nik(form.nik)[0],
            IdentityKind.PASSPORT: form.passport and checked_passport(form.passport),
            IdentityKind.LICENCE: form.licence_number and checked_licence(form.licence_number),
        }
        nik = numbers[IdentityKind.NIK]
        checked = CheckedCustomer(
            id=customer_id,
            version=form.version,
            name=name,
            phone=phone,
            birth_on=birth_on,
            nationality=checked_nationality(form.nationality),
            licence_class=checked_licence_class(form.licence_class),
            licence_expires_on=checked_expiry(form.licence_expires_on),
            address=checked_address(form.address),
            email=checked_email(form.email),
            tier=checked_tier(form.tier),
            company_id=None if form.company_id is None else checked_uuid(form.company_id, "company_id"),
            consent=form.consent_at is not None,
            consent_text=checked_note(form.consent_text, "consent_text"),
            note=checked_note(form.note),
            blacklist_code=checked_code(form.blacklist_code),
            identities=(),
            counter=self._counter,
        )
        given = self._sealed(customer_id, numbers)
        return dataclasses.replace(checked, identities=given), nik_warnings(nik, birth_on) if nik else ()

    def _sealed(self, customer_id: str, numbers: dict[IdentityKind, str | None]) -> tuple[GivenIdentity, ...]:
        given = {kind: number for kind, number in numbers.items() if number is not None}
        if not any(given.values()):
            return tuple(GivenIdentity(kind=kind) for kind in given)
        key = self._store.read.identity_key()
        if key is None:  # the service never ran here
            raise Refusal(RefusalCode.UNREACHABLE, field="identities", next=(), reason="identity_key")
        return tuple(
            GivenIdentity(
                kind=kind,
                masked=masked(kind, number),
                sealed=self._boxes.seal(key, customer_id, kind, number),
                key_id=key.key_id,
            )
            if number
            else GivenIdentity(kind=kind)
            for kind, number in given.items()
        )

    def _today(self) -> dt.date:
        return self._store.read.now().astimezone(self._who.branch.zone).date()


class _SealedBoxes:
    """Seals a number once: no two boxes of a number are alike, and the same form sent again has to be the same.

    The last few are kept under a digest that another process cannot make.
    """

    def __init__(self, seals: Sealing) -> None:
        self._seals = seals
        self._salt = secrets.token_bytes(16)
        self._lock = threading.Lock()
        self._kept: collections.OrderedDict[bytes, bytes] = collections.OrderedDict()

    def seal(self, key: PublishedKey, customer_id: str, kind: IdentityKind, number: str) -> bytes:
        said = "\0".join((key.key_id, key.public_key, customer_id, kind.value, number))
        name = hashlib.blake2b(said.encode(), key=self._salt).digest()
        with self._lock:  # two answers awaited at once are one form as well
            box = self._kept.pop(name, None) or self._seals.seal(key, customer_id, kind, number)
            self._kept[name] = box
            while len(self._kept) > MOST_BOXES:
                self._kept.popitem(last=False)
        return box


def ticket_hash(ticket: str) -> str:
    """What the database keeps of a ticket."""
    return hashlib.sha256(ticket.encode()).hexdigest()


def checked_kind(text: str) -> IdentityKind:
    """The paper of this name; FIELD_INVALID `kind`."""
    try:
        return IdentityKind(text)
    except ValueError:
        raise invalid("kind", "not_an_identity") from None


def _check_limit(limit: int, most: int = MOST_HITS) -> None:
    if not 1 <= limit <= most:
        raise invalid("limit", "count", least=1, most=most, given=limit)


def _with_next(no: Refusal) -> Refusal:
    """A duplicate offers the one that is there."""
    if no.code is RefusalCode.DUPLICATE:
        for key, action in NEXT_OF_DUPLICATE.items():
            if key in no.params:
                no.next = (NextAction(action, {key: no.params[key]}),)
        if no.field == "id" and no.params.get("is_own"):
            no.next = (NextAction("take_version", {"version": no.params["version"]}),)
    return no
