"""Frozen rows of the customer register: hits of a search, cards, forms, companies and sealed identity numbers."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from app.domain.company import Company
from app.domain.customer import Customer
from app.domain.identity import IdentityKind, LicenceClass, NikWarning
from app.domain.money import ZERO, Rupiah
from app.domain.waitlist import Tier


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerHit:
    """A customer as lists show it; numbers and arrears are those of the person's own branch.

    `masked` is the masked NIK or, without one, passport; `blocked` the discreet code of what a manager has to approve.
    """

    customer: Customer
    rentals: int
    open_invoices: int
    masked: str = ""
    tier: Tier = Tier.BASIC
    company_name: str = ""
    licence_expires_on: dt.date | None = None
    blocked: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskedIdentity:
    """A number that is on record, as far as a counter may know it."""

    kind: IdentityKind
    masked: str
    written_at: dt.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerCard:
    """Everything a counter knows of a customer. Rentals, invoices and arrears are those of the own branch.

    `blocked` is the code to show when a manager has to approve a rental: the blacklist's, else `01` for arrears.
    """

    id: str
    version: int
    name: str
    phone: str
    birth_on: dt.date | None
    nationality: str
    licence_class: LicenceClass | None
    licence_expires_on: dt.date | None
    address: str
    email: str
    tier: Tier
    company: Company | None
    consent_at: dt.datetime | None
    consent_text: str
    note: str
    blacklist_code: str | None
    identities: tuple[MaskedIdentity, ...]
    rentals: int
    open_invoices: int
    arrears: Rupiah
    changed_at: dt.datetime
    blocked: str | None
    warnings: tuple[NikWarning, ...] = ()
    """What looked odd in a NIK that was just saved; empty when a card is only read."""

    def identity(self, kind: IdentityKind) -> MaskedIdentity | None:
        """The number of this kind, if one is on record."""
        return next((item for item in self.identities if item.kind is kind), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerForm:
    """A customer as typed. `id` is made once by the screen; `version` None is a new one, else the one that was read.

    `nik`, `passport` and `licence_number`: None leaves what is on record, an empty text takes it away. `consent_at`
    None records no consent (or takes it back); any moment records one, at the database's own time.
    """

    id: str
    name: str
    phone: str
    version: int | None = None
    birth_on: dt.date | None = None
    nik: str | None = None
    passport: str | None = None
    nationality: str = "ID"
    licence_number: str | None = None
    licence_class: str | None = None
    licence_expires_on: dt.date | None = None
    address: str = ""
    email: str = ""
    tier: str = Tier.BASIC
    company_id: str | None = None
    consent_at: dt.datetime | None = None
    consent_text: str = ""
    note: str = ""
    blacklist_code: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyForm:
    """A company as typed. `version` None is a new one. Credit and due days are a manager's to change."""

    id: str
    name: str
    version: int | None = None
    npwp: str = ""
    address: str = ""
    email: str = ""
    phone: str = ""
    credit_limit: int = ZERO
    due_days: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedKey:
    """The key that counters seal identity numbers with; `public_key` is base64."""

    key_id: str
    public_key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenIdentity:
    """A number to write, sealed for the service; without `masked` the number on record is taken away."""

    kind: IdentityKind
    masked: str | None = None
    sealed: bytes = b""
    key_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedCustomer:
    """A form whose every field is in its stored form, as the database takes it."""

    id: str
    version: int | None
    name: str
    phone: str
    birth_on: dt.date | None
    nationality: str
    licence_class: LicenceClass | None
    licence_expires_on: dt.date | None
    address: str
    email: str
    tier: Tier
    company_id: str | None
    consent: bool
    consent_text: str
    note: str
    blacklist_code: str | None
    identities: tuple[GivenIdentity, ...]
    counter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityQuestion:
    """What a ticket allows to ask the service once: FIND an exact number, or REVEAL one of a customer's."""

    ticket_hash: str
    customer_id: str | None = None
    kind: IdentityKind | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedIdentity:
    """A number as the database holds it, for the service."""

    customer_id: str
    kind: IdentityKind
    sealed: bytes
