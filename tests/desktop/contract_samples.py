"""Contracts as a branch prints them: one unit or many, every zone, the program's terms or a branch's long ones."""

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

from app.desktop.documents.quotation import Quotation, QuotedUnit
from app.desktop.formats import Language
from app.domain.booking import BookingState, Source
from app.domain.catalogue import Sku, Unit, UnitStatus
from app.domain.customer import Customer
from app.domain.days import RentalPeriod
from app.domain.invoice import InvoiceKind, InvoiceLine, InvoiceState, LineKind
from app.domain.money import Rupiah, ppn_inside, ppn_rate
from app.domain.pricing import QuoteLine, quote
from app.domain.staff import Branch
from app.usecases.booking_input import BookLine
from app.usecases.contract_terms import EDITION, own_terms
from app.usecases.rows import BookingRow, FleetUnit
from app.usecases.rows_contracts import ContractFacts, ContractInvoice, ContractParty, ContractUnit, Terms
from tests.desktop.calendar_samples import BRANCH

JAYAPURA = replace(BRANCH, id="b-9", code="DJJ", name="Jayapura", zone=ZoneInfo("Asia/Jayapura"))
NOW = dt.datetime(2026, 11, 30, 7, 5, tzinfo=dt.UTC)
PERIOD = RentalPeriod(dt.date(2026, 12, 1), dt.date(2026, 12, 3))
LONG_NAME = "Raden Ajeng Siti Nurhaliza Kusumawardhani Prawirodirdjo binti Haji Abdurrachman"
_KINDS = (
    ("TOY-AVNZ-G", "Avanza G", 350_000, 500_000, "putih"),
    ("TOY-HIAC-C", "HiAce Commuter", 1_150_000, 1_500_000, "abu-abu"),
    ("HON-BRIO-S", "Brio Satya", 300_000, 500_000, "merah"),
    ("MIT-XPND-U", "Xpander Ultimate", 450_000, 750_000, "hitam"),
    ("TOY-INNV-V", "Innova Zenix V", 650_000, 1_000_000, "perak"),
)


def facts(
    count: int = 1, *, branch: Branch = BRANCH, language: str = "id", name: str = "Budi Santoso"
) -> ContractFacts:
    """A contract of so many units, nothing paid yet."""
    assert len(name) <= 80
    units = tuple(_unit(place, branch, name) for place in range(count))
    return ContractFacts(
        order_id="00000000-0000-4000-8000-000000000001",
        language=language,
        branch=branch,
        letterhead="",
        customer=ContractParty(name=name, phone="+6281234567890"),
        units=units,
        invoices=(_invoice(units),),
        given_back=Rupiah(0),
        terms=Terms(said=own_terms(language, EDITION), language=language, version=0, edition=EDITION),
        made_at=NOW,
        made_by_name="Siti",
        now=NOW,
    )


def long_terms(lines: int = 150) -> Terms:
    """A branch's own terms, over several pages."""
    clauses = (
        f"{n}. Pasal {n}. Penyewa menjaga unit, kelengkapan, dan surat-suratnya seperti milik sendiri selama masa sewa."
        for n in range(1, lines + 1)
    )
    return Terms(said="\n".join(clauses), language="id", version=3, edition=EDITION)


def _unit(place: int, branch: Branch, name: str) -> ContractUnit:
    code, sku_name, rate, deposit, colour = _KINDS[place % len(_KINDS)]
    sku = Sku(
        code=code,
        name=sku_name,
        category="Mobil",
        daily_rate=Rupiah(rate),
        deposit=Rupiah(deposit),
        turnaround_days=0,
    )
    unit = Unit(
        id=f"u-{place}",
        sku=code,
        slot=place,
        plate=f"B {1207 + place} XYZ",
        colour=colour,
        status=UnitStatus.IN_SERVICE,
    )
    start = dt.datetime.combine(PERIOD.first, dt.time(9), branch.zone)
    end = dt.datetime.combine(PERIOD.last, dt.time(20), branch.zone)
    booking = BookingRow(
        id=f"b-{place}",
        number=f"BK-{10240 + place}",
        order_id="o",
        unit=FleetUnit(unit=unit, sku=sku, branch_id=branch.id),
        customer=Customer(id="c", name=name, phone="+6281234567890"),
        period=PERIOD,
        pickup_at=start,
        due_at=end,
        state=BookingState.PENDING_PAYMENT,
        version=1,
        payment_deadline=None,
        source=Source.COUNTER,
        note="",
    )
    return ContractUnit(booking=booking, days=PERIOD.count, odometer=45_210 + place, deposit=Rupiah(deposit))


def _invoice(units: tuple[ContractUnit, ...]) -> ContractInvoice:
    lines = [_line(unit, LineKind.RENT) for unit in units] + [_line(unit, LineKind.DEPOSIT) for unit in units]
    rent = Rupiah(sum(line.amount for line in lines if line.taxable))
    ppn = ppn_inside(rent, ppn_rate(NOW.date()))
    return ContractInvoice(
        id="i-1",
        kind=InvoiceKind.RENTAL,
        state=InvoiceState.OPEN,
        number=None,
        lines=tuple(lines),
        dpp=ppn.dpp,
        ppn=ppn.tax,
        total=Rupiah(sum(line.amount for line in lines)),
        paid=Rupiah(0),
    )


def _line(unit: ContractUnit, kind: LineKind) -> InvoiceLine:
    sku, is_rent = unit.booking.unit.sku, kind is LineKind.RENT
    price, days = (sku.daily_rate, PERIOD.count) if is_rent else (sku.deposit, 1)
    return InvoiceLine(
        kind=kind,
        text=sku.name,
        quantity=days,
        unit_price=price,
        amount=Rupiah(price * days),
        taxable=is_rent,
        booking_id=unit.booking.id,
    )


def quotation(count: int = 1, *, language: str = "id", name: str = "Budi Santoso") -> Quotation:
    """A price for so many units; the first one was asked for by its plate."""
    units = facts(count).units
    asked = tuple(
        QuotedUnit(
            name=unit.booking.unit.sku.name,
            line=BookLine(sku=unit.booking.unit.sku.code, period=PERIOD),
            plate="" if place else unit.booking.unit.unit.plate,
        )
        for place, unit in enumerate(units)
    )
    lines = [
        QuoteLine(booking_id=str(place), sku=unit.booking.unit.sku, period=PERIOD) for place, unit in enumerate(units)
    ]
    return Quotation(
        reference="3f2a9c1e-0000-4000-8000-000000000001",
        branch=BRANCH,
        language=Language(language),
        customer_name=name,
        customer_phone="+6281234567890" if name else "",
        units=asked,
        quote=quote(BRANCH, lines, NOW.date()),
        valid_until=NOW + dt.timedelta(days=3),
        made_at=NOW,
        made_by="Siti",
        counter="Kasir 1",
    )
