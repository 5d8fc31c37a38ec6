"""Reads of the customer register: cards, hits by id, companies, the key that counters seal with."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from sqlalchemy import text

from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.reads_customers import HIT_COLUMNS, HIT_TABLES, LAST_SIGN, OVERDUE, hit_of, is_uuid
from app.adapters.postgres.rows import Columns, moment, moment_or_none, rupiah
from app.domain.company import Company
from app.domain.customer import folded
from app.domain.customer_texts import ARREARS_CODE
from app.domain.identity import IdentityKind, LicenceClass
from app.domain.waitlist import Tier
from app.usecases.rows_customers import CustomerCard, CustomerHit, MaskedIdentity, PublishedKey

_COMPANY_COLUMNS = """
    f.id AS company_id, f.version AS company_version, f.name AS company_name, f.npwp, f.address AS company_address,
    f.email AS company_email, f.phone AS company_phone, f.credit_limit, f.due_days"""

_CARD = text(f"""
    SELECT c.id, c.version, c.name, c.phone, c.birth_on, c.nationality, c.licence_class, c.licence_expires_on,
           c.address, c.email, c.tier, c.consent_at, c.consent_text, c.note, c.blacklist_code, c.changed_at,
           {_COMPANY_COLUMNS},
           CAST((SELECT coalesce(json_agg(json_build_object('kind', x.kind, 'masked', x.masked, 'at', x.written_at)
                                          ORDER BY x.kind), '[]')
                 FROM sentra.customer_identity x WHERE x.customer_id = c.id) AS text) AS identities,
           (SELECT count(*) FROM sentra.booking b WHERE b.customer_id = c.id AND b.state <> 'CANCELLED') AS rentals,
           (SELECT count(*) FROM sentra.invoice i WHERE i.customer_id = c.id AND i.state = 'OPEN') AS open_invoices,
           (SELECT coalesce(sum(i.total - i.paid), 0) FROM sentra.invoice i WHERE {OVERDUE}) AS arrears
    FROM sentra.customer c
    LEFT JOIN sentra.company f ON f.id = c.company_id
    WHERE c.id = CAST(:customer_id AS uuid)""")

_BY_ID = text(f"""
    SELECT {HIT_COLUMNS} FROM {HIT_TABLES}
    WHERE c.id = ANY (CAST(:customer_ids AS uuid[])) ORDER BY c.folded_name, c.phone""")

_RECENT = text(f"""
    SELECT {HIT_COLUMNS}
    FROM (SELECT r.id FROM sentra.customer r ORDER BY r.changed_at DESC, r.id LIMIT :limit) latest
    JOIN {HIT_TABLES} ON c.id = latest.id
    ORDER BY c.changed_at DESC, c.id""")

_COMPANIES = text(f"""
    SELECT {_COMPANY_COLUMNS} FROM sentra.company f
    WHERE position(' ' || :folded IN ' ' || f.folded_name) > 0
       OR (:npwp <> '' AND f.npwp >= :npwp AND f.npwp < :npwp_end)
    ORDER BY f.folded_name, f.id LIMIT :limit""")

_COMPANY = text(f"SELECT {_COMPANY_COLUMNS} FROM sentra.company f WHERE f.id = CAST(:company_id AS uuid)")

_KEY = text("""
    SELECT s.value->>'key_id' AS key_id, s.value->>'public_key' AS public_key FROM sentra.setting s
    WHERE s.key = 'identity_key' AND s.branch_id IS NULL""")


class CustomerReads:
    """The part `CustomerReads` of the reads."""

    _ask: Ask

    def customer_card(self, customer_id: str) -> CustomerCard | None:
        """One customer in one snapshot; counts and arrears of the person's own branch."""
        row = self._ask.row(_CARD, customer_id=customer_id) if is_uuid(customer_id) else None
        return None if row is None else _card_of(row)

    def customers_by_id(self, customer_ids: Sequence[str]) -> tuple[CustomerHit, ...]:
        """Hits by name; ids that do not exist are left out."""
        wanted = [item for item in customer_ids if is_uuid(item)]
        return tuple(hit_of(row) for row in self._ask.rows(_BY_ID, customer_ids=wanted))

    def recent_customers(self, limit: int) -> tuple[CustomerHit, ...]:
        """Those that were changed last, the latest first."""
        return tuple(hit_of(row) for row in self._ask.rows(_RECENT, limit=limit))

    def companies(self, text: str, limit: int) -> tuple[Company, ...]:
        """By the beginning of a word of the name, or of the NPWP's digits; every one, by name, without a text."""
        plain = folded("".join(sign for sign in text if sign.isprintable()))
        digits = re.sub(r"[\s.\-/]", "", plain)
        npwp = digits if re.fullmatch("[0-9]{2,16}", digits) else ""
        found = self._ask.rows(
            _COMPANIES,
            folded=plain,
            npwp=npwp,
            npwp_end=npwp + LAST_SIGN,
            limit=limit,
        )
        return tuple(_company_of(row) for row in found)

    def company(self, company_id: str) -> Company | None:
        row = self._ask.row(_COMPANY, company_id=company_id) if is_uuid(company_id) else None
        return None if row is None else _company_of(row)

    def identity_key(self) -> PublishedKey | None:
        """The published key; None until the service ran for the first time."""
        row = self._ask.row(_KEY)
        return None if row is None else PublishedKey(key_id=row["key_id"], public_key=row["public_key"])


def _company_of(row: Columns) -> Company:
    return Company(
        id=str(row["company_id"]),
        version=row["company_version"],
        name=row["company_name"],
        npwp=row["npwp"],
        address=row["company_address"],
        email=row["company_email"],
        phone=row["company_phone"],
        credit_limit=rupiah(row["credit_limit"]),
        due_days=row["due_days"],
    )


def _card_of(row: Columns) -> CustomerCard:
    arrears = rupiah(row["arrears"])
    licence_class = row["licence_class"]
    return CustomerCard(
        id=str(row["id"]),
        version=row["version"],
        name=row["name"],
        phone=row["phone"],
        birth_on=row["birth_on"],
        nationality=row["nationality"],
        licence_class=None if licence_class is None else LicenceClass(licence_class),
        licence_expires_on=row["licence_expires_on"],
        address=row["address"],
        email=row["email"],
        tier=Tier(row["tier"]),
        company=None if row["company_id"] is None else _company_of(row),
        consent_at=moment_or_none(row["consent_at"]),
        consent_text=row["consent_text"],
        note=row["note"],
        blacklist_code=row["blacklist_code"],
        identities=tuple(
            MaskedIdentity(kind=IdentityKind(item["kind"]), masked=item["masked"], written_at=moment(item["at"]))
            for item in json.loads(row["identities"])
        ),
        rentals=row["rentals"],
        open_invoices=row["open_invoices"],
        arrears=arrears,
        changed_at=moment(row["changed_at"]),
        blocked=row["blacklist_code"] or (ARREARS_CODE if arrears > 0 else None),
    )
