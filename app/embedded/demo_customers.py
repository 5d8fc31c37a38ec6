"""The demo's register: customers of the story with identity numbers that nobody can have, and a company with credit.

Every NIK here is of the province 00, which does not exist; passports begin with DEMO.
"""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass

from app.bootstrap import Counter, connect
from app.domain.days import local_day
from app.domain.errors import Refusal, RefusalCode
from app.embedded.demo import NAMESPACE, demo_password
from app.settings import Settings
from app.usecases.rows_customers import CompanyForm, CustomerCard, CustomerForm

CONSENT = "Data saya dipakai untuk sewa kendaraan dan disimpan menurut kebijakan Sentra."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Person:
    """One customer; `licence` is the number of days from today on which it expires."""

    name: str
    birth: str = "1990-01-01"
    nik: str | None = None
    passport: str | None = None
    nationality: str = "ID"
    licence: int | None = None
    licence_class: str = "A"
    tier: str = "BASIC"
    company: str | None = None
    code: str | None = None
    address: str = "Jl. Contoh 1, Jakarta"
    note: str = ""


PEOPLE = (
    _Person(name="Rina Maharani", birth="1990-08-17", nik="0000015708900001", licence=400, tier="GOLD"),
    _Person(name="Bagus Prasetyo", birth="1985-02-03", nik="0000010302850002", licence=900),
    _Person(name="Yoga Pradana", birth="1993-11-21", nik="0000012111930003", licence=20, note="Lebih suka matik"),
    _Person(name="Andi Saputra", birth="1979-06-30", nik="0000013006790004", licence=-12),
    _Person(name="Maya Lestari", birth="1988-04-09", nik="0000014904880005", licence=700, tier="SILVER"),
    _Person(name="Budi Santoso", birth="1990-12-01", nik="0000010112900012", licence=365, tier="PLATINUM"),
    _Person(name="Fajar Nugroho", birth="1996-07-14", nik="0000011407960006", licence=1200),
    _Person(name="Tono Hidayat", birth="1982-09-05", nik="0000010509820007", licence=90, code="07"),
    _Person(name="Galih Permana", birth="1999-03-28", nik="0000012803990008", licence=500, licence_class="C"),
    _Person(name="Elena Contoh", birth="1991-05-16", passport="DEMO0123", nationality="AU", licence=150),
    _Person(name="PT Arunika Persada", company="PT Arunika Persada", address="Jl. Contoh 20, Jakarta"),
    _Person(name="PT Sagara Biru", company="PT Sagara Biru", address="Jl. Contoh 8, Jakarta"),
)
COMPANIES = (
    CompanyForm(
        id=str(uuid.uuid5(NAMESPACE, "company/PT Arunika Persada")),
        name="PT Arunika Persada",
        npwp="00.000.000.0-000.001",
        address="Jl. Contoh 20, Jakarta",
        email="keuangan@arunika.example",
        credit_limit=50_000_000,
        due_days=30,
    ),
    CompanyForm(
        id=str(uuid.uuid5(NAMESPACE, "company/PT Sagara Biru")),
        name="PT Sagara Biru",
        npwp="00.000.000.0-000.002",
        address="Jl. Contoh 8, Jakarta",
        email="ap@sagara.example",
        credit_limit=20_000_000,
        due_days=14,
    ),
)


def fill(settings: Settings) -> None:
    """Complete the demo's customers, once: those that are changed since, or whose login is gone, stay as they are.

    A company of the demo that is missing says that this was not finished yet: companies are written last.
    """
    try:
        manager = connect(settings, "maya", demo_password("maya"))
    except Refusal as no:
        if no.code is not RefusalCode.NOT_ALLOWED:
            raise
        return  # an installation that kept the demo and gave its people other passwords
    try:
        missing = [company for company in COMPANIES if manager.store.read.company(company.id) is None]
        if not missing:
            return
        today = local_day(manager.store.read.now(), manager.who.branch.zone)
        for person in PEOPLE:
            if person.company is None:
                _complete(manager, person, today)
        for company in missing:
            manager.customers.save_company(company)
            for person in PEOPLE:
                if person.company == company.name:
                    _complete(manager, person, today)
    finally:
        manager.close()


def _complete(manager: Counter, person: _Person, today: dt.date) -> None:
    if (card := _card_of(manager, person.name)) is not None and card.version == 1:
        manager.customers.save_customer(_form(person, card, today))


def _card_of(manager: Counter, name: str) -> CustomerCard | None:
    hits = manager.customers.find_customers(name)
    found = next((hit.customer.id for hit in hits if hit.customer.name == name), None)
    return None if found is None else manager.customers.get_customer(found)


def _form(person: _Person, card: CustomerCard, today: dt.date) -> CustomerForm:
    company = next((item.id for item in COMPANIES if item.name == person.company), None)
    return CustomerForm(
        id=card.id,
        version=card.version,
        name=card.name,
        phone=card.phone,
        birth_on=None if company else dt.date.fromisoformat(person.birth),
        nik=person.nik,
        passport=person.passport,
        nationality=person.nationality,
        licence_class=None if person.licence is None else person.licence_class,
        licence_expires_on=None if person.licence is None else today + dt.timedelta(days=person.licence),
        address=person.address,
        tier=person.tier,
        company_id=company,
        consent_at=card.changed_at,
        consent_text=CONSENT,
        note=person.note,
        blacklist_code=person.code,
    )
