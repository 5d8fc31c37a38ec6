"""`sentra-admin do`: the customer register, by its names, from JSON to JSON."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping

from app.bootstrap import Counter
from app.domain.days import parse_day
from app.domain.waitlist import Tier
from app.json_values import Fields, plain
from app.usecases.customers import checked_kind
from app.usecases.rows_customers import CompanyForm, CustomerForm

_CUSTOMER = (
    *("id", "version", "name", "phone", "birth_on", "nik", "passport", "nationality", "licence_number"),
    *("licence_class", "licence_expires_on", "address", "email", "tier", "company_id", "consent", "consent_text"),
    *("note", "blacklist_code"),
)
_COMPANY = ("id", "version", "name", "npwp", "address", "email", "phone", "credit_limit", "due_days")


def _day(given: Fields, name: str) -> dt.date | None:
    return parse_day(given.text(name), given.name(name)) if given.text_or_none(name) else None


def _save_customer(counter: Counter, given: Fields) -> object:
    """Without `id` and `version` a new customer. `nik`, `passport`, `licence_number` left out stay as they are."""
    form = CustomerForm(
        id=given.text_or_none("id") or counter.new_id(),
        version=given.whole("version") if given.has("version") else None,
        name=given.text("name"),
        phone=given.text("phone"),
        birth_on=_day(given, "birth_on"),
        nik=given.text_or_none("nik"),
        passport=given.text_or_none("passport"),
        nationality=given.text_or_none("nationality") or "ID",
        licence_number=given.text_or_none("licence_number"),
        licence_class=given.text_or_none("licence_class"),
        licence_expires_on=_day(given, "licence_expires_on"),
        address=given.text_or_none("address") or "",
        email=given.text_or_none("email") or "",
        tier=given.text_or_none("tier") or Tier.BASIC,
        company_id=given.text_or_none("company_id"),
        consent_at=counter.store.read.now() if given.flag("consent") else None,
        consent_text=given.text_or_none("consent_text") or "",
        note=given.text_or_none("note") or "",
        blacklist_code=given.text_or_none("blacklist_code"),
    )
    return plain(counter.customers.save_customer(form))


def _save_company(counter: Counter, given: Fields) -> object:
    form = CompanyForm(
        id=given.text_or_none("id") or counter.new_id(),
        version=given.whole("version") if given.has("version") else None,
        name=given.text("name"),
        npwp=given.text_or_none("npwp") or "",
        address=given.text_or_none("address") or "",
        email=given.text_or_none("email") or "",
        phone=given.text_or_none("phone") or "",
        credit_limit=given.whole("credit_limit") if given.has("credit_limit") else 0,
        due_days=given.whole("due_days") if given.has("due_days") else 0,
    )
    return plain(counter.customers.save_company(form))


def _reveal_identity(counter: Counter, given: Fields) -> object:
    kind = checked_kind(given.text("kind"))
    return {"number": counter.customers.reveal_identity(given.text("customer_id"), kind, given.text("reason"))}


CUSTOMERS: Mapping[str, tuple[Callable[[Counter, Fields], object], tuple[str, ...]]] = {
    "customer": (
        lambda counter, given: plain(counter.customers.get_customer(given.text("customer_id"))),
        ("customer_id",),
    ),
    "save_customer": (_save_customer, _CUSTOMER),
    "find_by_identity": (
        lambda counter, given: plain(counter.customers.find_by_identity(given.text("number"))),
        ("number",),
    ),
    "reveal_identity": (_reveal_identity, ("customer_id", "kind", "reason")),
    "companies": (
        lambda counter, given: plain(counter.customers.companies(given.text_or_none("text") or "")),
        ("text",),
    ),
    "save_company": (_save_company, _COMPANY),
}
"""By name: what runs it and the fields it takes."""
