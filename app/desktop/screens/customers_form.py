"""What is typed of a customer or company on the register's screen: plain texts, what is wrong with them, the form."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from app.desktop.typed import typed_date, typed_money
from app.domain.company import Company, checked_credit_limit, checked_due_days, checked_npwp
from app.domain.customer import checked_name, normalised_phone
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
from app.domain.errors import Refusal, invalid
from app.domain.identity import IdentityKind, NikWarning, checked_licence, checked_nik, checked_passport, nik_warnings
from app.usecases.booking_input import checked_note
from app.usecases.rows_customers import CompanyForm, CustomerCard, CustomerForm

NUMBERS = {"nik": IdentityKind.NIK, "passport": IdentityKind.PASSPORT, "licence_number": IdentityKind.LICENCE}
"""Inputs of numbers that are sealed: what stands in them is always a new number, never the one on record."""
CUSTOMER_FIELDS = (
    *("name", "phone", "email", "address", "nik", "birth_on", "nationality", "passport", "licence_number"),
    *("licence_class", "licence_expires_on", "tier", "company_id", "blacklist_code", "note", "consent"),
)
COMPANY_FIELDS = ("name", "npwp", "phone", "email", "address", "credit_limit", "due_days")
Texts = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """One open form: whose it is, which version it was read in (None: new), and every input as typed."""

    id: str
    is_company: bool
    version: int | None
    texts: Texts

    def plain(self) -> dict[str, object]:
        return {"id": self.id, "is_company": self.is_company, "version": self.version, "texts": dict(self.texts)}


def over_fresh(now: Typed, sent: Typed, fresh: Typed) -> Typed:
    """What was typed after `sent` was sent, over the form as it was saved."""
    later = {name: text for name, text in now.texts.items() if sent.texts.get(name) != text}
    return replace(fresh, texts={**fresh.texts, **later})


def typed_of(value: object) -> Typed | None:
    """A form out of a draft; None when it is damaged."""
    if not isinstance(value, dict):
        return None
    id_, version, texts = value.get("id"), value.get("version"), value.get("texts")
    if not isinstance(id_, str) or not (version is None or isinstance(version, int)) or not isinstance(texts, dict):
        return None
    is_company = value.get("is_company", "npwp" in texts) is True  # drafts of before told it by their inputs
    names = COMPANY_FIELDS if is_company else CUSTOMER_FIELDS
    return Typed(
        id=id_, is_company=is_company, version=version, texts={name: str(texts.get(name, "")) for name in names}
    )


def new_customer(id_: str, name: str = "", phone: str = "") -> Typed:
    empty = dict.fromkeys(CUSTOMER_FIELDS, "")
    given = {"nationality": "ID", "tier": "BASIC", "name": name, "phone": phone}
    return Typed(id=id_, is_company=False, version=None, texts={**empty, **given})


def of_card(card: CustomerCard) -> Typed:
    """The form that changes nothing of this customer."""
    texts = dict.fromkeys(CUSTOMER_FIELDS, "")
    texts |= {
        "name": card.name,
        "phone": card.phone,
        "email": card.email,
        "address": card.address,
        "birth_on": card.birth_on.isoformat() if card.birth_on else "",
        "nationality": card.nationality,
        "licence_class": card.licence_class.value if card.licence_class else "",
        "licence_expires_on": card.licence_expires_on.isoformat() if card.licence_expires_on else "",
        "tier": card.tier.value,
        "company_id": card.company.id if card.company else "",
        "blacklist_code": card.blacklist_code or "",
        "note": card.note,
        "consent": "yes" if card.consent_at else "",
    }
    return Typed(id=card.id, is_company=False, version=card.version, texts=texts)


def new_company(id_: str, name: str = "") -> Typed:
    empty = dict.fromkeys(COMPANY_FIELDS, "")
    given = {"credit_limit": "0", "due_days": "0", "name": name}
    return Typed(id=id_, is_company=True, version=None, texts={**empty, **given})


def of_company(company: Company) -> Typed:
    return Typed(
        id=company.id,
        is_company=True,
        version=company.version,
        texts={
            "name": company.name,
            "npwp": company.npwp,
            "phone": company.phone,
            "email": company.email,
            "address": company.address,
            "credit_limit": str(company.credit_limit),
            "due_days": str(company.due_days),
        },
    )


def birth_of(text: str, today: dt.date) -> dt.date | None:
    """A day of birth, always with its year; two figures of it mean the last such year that is past."""
    parts = re.split(r"[/\-. ]+", text.strip())
    day = typed_date(text, today) if len(parts) == 3 else None
    if day is None or day < today or len(parts[-1]) == 4 or len(parts[0]) == 4:
        return day
    try:
        return day.replace(year=day.year - 100)
    except ValueError:  # 29 February of a year that had none
        return None


def customer_form(typed: Typed, today: dt.date, consent_text: str) -> CustomerForm:
    """The form to send. Refuses the first input that is not understood, by its name."""
    texts = typed.texts
    return CustomerForm(
        id=typed.id,
        version=typed.version,
        name=texts["name"],
        phone=texts["phone"],
        birth_on=_birth(texts, today),
        nik=texts["nik"].strip() or None,
        passport=texts["passport"].strip() or None,
        nationality=texts["nationality"],
        licence_number=texts["licence_number"].strip() or None,
        licence_class=texts["licence_class"],
        licence_expires_on=_expiry(texts, today),
        address=texts["address"],
        email=texts["email"],
        tier=texts["tier"],
        company_id=texts["company_id"] or None,
        consent_at=dt.datetime.combine(today, dt.time(12), dt.UTC) if texts["consent"] else None,
        consent_text=consent_text,
        note=texts["note"],
        blacklist_code=texts["blacklist_code"],
    )


def company_form(typed: Typed) -> CompanyForm:
    """The form to send. Refuses the first input that is not understood, by its name."""
    texts = typed.texts
    return CompanyForm(
        id=typed.id,
        version=typed.version,
        name=texts["name"],
        npwp=texts["npwp"],
        address=texts["address"],
        email=texts["email"],
        phone=texts["phone"],
        credit_limit=_amount(texts),
        due_days=_days(texts),
    )


def customer_problems(typed: Typed, today: dt.date) -> dict[str, Refusal]:
    """Every input that would be refused, by its name."""
    texts = typed.texts
    checks: dict[str, Callable[[], object]] = {
        "name": lambda: checked_name(texts["name"], "name"),
        "phone": lambda: normalised_phone(texts["phone"], "phone"),
        "email": lambda: checked_email(texts["email"]),
        "address": lambda: checked_address(texts["address"]),
        "nik": lambda: checked_nik(texts["nik"]) if texts["nik"].strip() else None,
        "birth_on": lambda: checked_birth(_birth(texts, today), today),
        "nationality": lambda: checked_nationality(texts["nationality"]),
        "passport": lambda: checked_passport(texts["passport"]) if texts["passport"].strip() else None,
        "licence_number": lambda: checked_licence(texts["licence_number"]) if texts["licence_number"].strip() else None,
        "licence_class": lambda: checked_licence_class(texts["licence_class"]),
        "licence_expires_on": lambda: checked_expiry(_expiry(texts, today)),
        "tier": lambda: checked_tier(texts["tier"]),
        "blacklist_code": lambda: checked_code(texts["blacklist_code"]),
        "note": lambda: checked_note(texts["note"]),
    }
    return _problems(checks)


def company_problems(typed: Typed) -> dict[str, Refusal]:
    """Every input that would be refused, by its name."""
    texts = typed.texts
    checks: dict[str, Callable[[], object]] = {
        "name": lambda: checked_name(texts["name"], "name"),
        "npwp": lambda: checked_npwp(texts["npwp"]),
        "phone": lambda: normalised_phone(texts["phone"], "phone") if texts["phone"].strip() else None,
        "email": lambda: checked_email(texts["email"]),
        "address": lambda: checked_address(texts["address"]),
        "credit_limit": lambda: checked_credit_limit(_amount(texts)),
        "due_days": lambda: checked_due_days(_days(texts)),
    }
    return _problems(checks)


def warnings_of(typed: Typed, today: dt.date) -> tuple[NikWarning, ...]:
    """What looks odd in a NIK that is typed whole."""
    try:
        number, _ = checked_nik(typed.texts["nik"])
        return nik_warnings(number, _birth(typed.texts, today))
    except Refusal:
        return ()


def _problems(checks: Mapping[str, Callable[[], object]]) -> dict[str, Refusal]:
    found = {}
    for name, check in checks.items():
        try:
            check()
        except Refusal as no:
            found[name] = no
    return found


def _birth(texts: Texts, today: dt.date) -> dt.date | None:
    text = texts["birth_on"].strip()
    day = birth_of(text, today)
    if text and day is None:
        raise invalid("birth_on", "not_a_birth")
    return day


def _expiry(texts: Texts, today: dt.date) -> dt.date | None:
    text = texts["licence_expires_on"].strip()
    day = typed_date(text, today)
    if text and day is None:
        raise invalid("licence_expires_on", "not_a_day")
    return day


def _amount(texts: Texts) -> int:
    amount = typed_money(texts["credit_limit"] or "0")
    if amount is None:
        raise invalid("credit_limit", "not_an_amount")
    return amount


def _days(texts: Texts) -> int:
    text = texts["due_days"].strip() or "0"
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise invalid("due_days", "not_a_whole_number")
    return int(text)
