"""Customers, companies and identity numbers: calls of the database's functions and their answers."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from app.adapters.postgres.tx_call import Call, Told, as_json
from app.domain.company import Company
from app.domain.identity import IdentityKind
from app.usecases.rows_customers import (
    CheckedCustomer,
    GivenIdentity,
    IdentityQuestion,
    PublishedKey,
    SealedIdentity,
)


class CustomerCalls:
    """The part `CustomerTx` of a transaction."""

    _call: Call

    def save_customer(self, customer: CheckedCustomer) -> None:
        self._call.ask(
            "SELECT sentra.save_customer(%s)",
            as_json(
                {
                    "id": customer.id,
                    "version": customer.version,
                    "name": customer.name,
                    "phone": customer.phone,
                    "birth_on": customer.birth_on,
                    "nationality": customer.nationality,
                    "licence_class": customer.licence_class,
                    "licence_expires_on": customer.licence_expires_on,
                    "address": customer.address,
                    "email": customer.email,
                    "tier": customer.tier.value,
                    "company_id": customer.company_id,
                    "consent": customer.consent,
                    "consent_text": customer.consent_text,
                    "note": customer.note,
                    "blacklist_code": customer.blacklist_code,
                    "identities": [_given(item) for item in customer.identities],
                    "counter": customer.counter,
                }
            ),
        )

    def save_company(self, company: Company, version: int | None, counter: str) -> None:
        self._call.ask(
            "SELECT sentra.save_company(%s)",
            as_json(
                {
                    "id": company.id,
                    "version": version,
                    "name": company.name,
                    "npwp": company.npwp,
                    "address": company.address,
                    "email": company.email,
                    "phone": company.phone,
                    "credit_limit": company.credit_limit,
                    "due_days": company.due_days,
                    "counter": counter,
                }
            ),
        )

    def ask_identity(self, question: IdentityQuestion, counter: str) -> None:
        self._call.ask(
            "SELECT sentra.ask_identity(%s)",
            as_json(
                {
                    "ticket": question.ticket_hash,
                    "purpose": "FIND" if question.customer_id is None else "REVEAL",
                    "customer_id": question.customer_id,
                    "kind": question.kind,
                    "reason": question.reason,
                    "counter": counter,
                }
            ),
        )

    def use_ticket(self, ticket_hash: str) -> SealedIdentity:
        return _sealed(self._call.ask("SELECT sentra.use_identity_ticket(%s, 'REVEAL', NULL)", ticket_hash))

    def find_by_lookup(self, ticket_hash: str, lookups: Sequence[bytes]) -> tuple[str, ...]:
        wanted = [lookup.hex() for lookup in lookups]
        told = self._call.ask("SELECT sentra.use_identity_ticket(%s, 'FIND', %s)", ticket_hash, wanted)
        return tuple(told["customer_ids"])

    def publish_identity_key(self, key: PublishedKey) -> PublishedKey:
        told = self._call.ask("SELECT sentra.publish_identity_key(%s, %s)", key.key_id, key.public_key)
        return PublishedKey(key_id=told["key_id"], public_key=told["public_key"])

    def unread_identities(self, most: int) -> tuple[SealedIdentity, ...]:
        return tuple(_sealed(item) for item in self._call.ask("SELECT sentra.unread_identities(%s)", most))

    def note_identity(self, identity: SealedIdentity, lookup: bytes | None) -> bool:
        told = self._call.ask(
            "SELECT sentra.note_identity(%s)",
            as_json(
                {
                    "customer_id": identity.customer_id,
                    "kind": identity.kind,
                    "sealed": _base64(identity.sealed),
                    "lookup": None if lookup is None else lookup.hex(),
                }
            ),
        )
        return bool(told)


def _given(item: GivenIdentity) -> dict[str, object]:
    if item.masked is None:
        return {"kind": item.kind}
    return {"kind": item.kind, "masked": item.masked, "sealed": _base64(item.sealed), "key_id": item.key_id}


def _base64(sealed: bytes) -> str:
    return base64.b64encode(sealed).decode("ascii")


def _sealed(told: Told) -> SealedIdentity:
    return SealedIdentity(
        customer_id=told["customer_id"],
        kind=IdentityKind(told["kind"]),
        sealed=base64.b64decode(told["sealed"]),
    )
