"""Ports of the customer register: the database's part, sealing at the counter, the service's keys and its answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from app.domain.company import Company
from app.domain.identity import IdentityKind
from app.usecases.rows_customers import (
    CheckedCustomer,
    CustomerCard,
    CustomerHit,
    IdentityQuestion,
    PublishedKey,
    SealedIdentity,
)


class CustomerTx(Protocol):
    """Writes; each locks the customer's or company's row alone."""

    def save_customer(self, customer: CheckedCustomer) -> None:
        """Refuses DUPLICATE (phone: naming who has it), NOT_FOUND, FIELD_INVALID `changed_meanwhile`, NOT_ALLOWED."""

    def save_company(self, company: Company, version: int | None, counter: str) -> None:
        """Refuses as `save_customer` does; DUPLICATE for an NPWP."""

    def ask_identity(self, question: IdentityQuestion, counter: str) -> None:
        """Write a ticket for 60 seconds and record the question. NOT_ALLOWED by role."""

    def use_ticket(self, ticket_hash: str) -> SealedIdentity:
        """The service's: the number a REVEAL ticket is for; NOT_FOUND when it is used, expired or none."""

    def find_by_lookup(self, ticket_hash: str, lookups: Sequence[bytes]) -> tuple[str, ...]:
        """The service's: ids of customers with one of these keyed hashes, for a FIND ticket."""

    def publish_identity_key(self, key: PublishedKey) -> PublishedKey:
        """The service's: the key that stands, the first that was ever published."""

    def unread_identities(self, most: int) -> tuple[SealedIdentity, ...]:
        """The service's: numbers without a keyed hash, oldest first."""

    def note_identity(self, identity: SealedIdentity, lookup: bytes | None) -> bool:
        """The service's: write the hash, or None: it cannot be opened. False when the number is another by now."""


class CustomerReads(Protocol):
    """Plain SELECTs, each one statement and so one snapshot."""

    def customer_card(self, customer_id: str) -> CustomerCard | None: ...

    def customers_by_id(self, customer_ids: Sequence[str]) -> tuple[CustomerHit, ...]:
        """Hits by name; ids that do not exist are left out."""

    def recent_customers(self, limit: int) -> tuple[CustomerHit, ...]:
        """Those that were changed last."""

    def companies(self, text: str, limit: int) -> tuple[Company, ...]:
        """By the beginning of a word of the name or of the NPWP's digits; every one, by name, without a text."""

    def company(self, company_id: str) -> Company | None: ...

    def identity_key(self) -> PublishedKey | None: ...


class Sealing(Protocol):
    """What a counter can do with the public key: seal, never open."""

    def seal(self, key: PublishedKey, customer_id: str, kind: IdentityKind, number: str) -> bytes: ...


class IdentityKeys(Protocol):
    """The service's private key and its key for lookups. Both live outside the database and its backup."""

    @property
    def published(self) -> PublishedKey: ...

    def open(self, identity: SealedIdentity) -> str | None:
        """The number; None when it does not open, or was sealed for another customer or kind."""

    def lookup(self, kind: IdentityKind, number: str) -> bytes: ...


class IdentityService(Protocol):
    """The service, as a counter asks it. UNREACHABLE when there is none or it does not answer."""

    def find(self, ticket: str, number: str) -> tuple[str, ...]: ...

    def reveal(self, ticket: str) -> str: ...
