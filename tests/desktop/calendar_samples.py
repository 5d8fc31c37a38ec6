"""A branch like the one of the drawings: 26 units, every state, the days around a fixed today."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from app.domain.booking import BookingState, Source
from app.domain.catalogue import Sku, Unit, UnitStatus
from app.domain.days import Days, YearMonth, mask_of
from app.domain.money import Rupiah
from app.domain.staff import Branch, Role, StaffMember
from app.usecases.calendar import BranchRow, CalendarMasks
from app.usecases.rows import Bar, FleetUnit, OccupancyKind, PaidMark

TODAY = dt.date(2026, 11, 30)
NOW = dt.datetime(2026, 11, 30, 7, 5, 10, tzinfo=dt.UTC)
ZONE = ZoneInfo("Asia/Jakarta")
BRANCH = Branch(
    id="b-1",
    code="BDG",
    name="Bandung",
    zone=ZONE,
    has_ppn=True,
    prices_include_ppn=True,
    cash_rounding=100,
    opens_at="08:00",
    closes_at="20:00",
)
ELSEWHERE = BranchRow(id="b-2", code="MKS", name="Makassar")
HOLIDAYS = {dt.date(2026, 12, 24): "Cuti bersama Natal", dt.date(2026, 12, 25): "Hari Raya Natal"}

_S = BookingState
_FULL, _PART, _NONE = PaidMark.FULL, PaidMark.PART, PaidMark.UNPAID
_CODES = {
    "LB": _S.PAID_APPROVED,
    "MB": _S.PENDING_PAYMENT,
    "AN": _S.PENDING_PAYMENT,
    "SR": _S.DISPATCHED,
    "DS": _S.ACTIVE_RENTAL,
    "TL": _S.ACTIVE_RENTAL,
    "PP": _S.EXTENSION_PENDING,
    "PR": _S.RETURNED_PENDING_CHECK,
    "SG": _S.DISPUTED,
    "SL": _S.COMPLETED,
}
# Per SKU: name, rate, units (plate, colour, bars). A bar: code, first, last (days from 30 November), name, paid mark.
_FLEET: tuple[
    tuple[str, str, int, tuple[tuple[str, str, tuple[tuple[str, int, int, str, PaidMark], ...]], ...]], ...
] = (
    (
        "TOY-AVNZ-G",
        "Avanza G",
        350_000,
        (
            (
                "B 1200 XYZ",
                "putih",
                (
                    ("SL", -8, -3, "Hendra", _FULL),
                    ("LB", 4, 6, "Siti R.", _FULL),
                    ("LB", 12, 16, "PT Arunika", _PART),
                ),
            ),
            (
                "B 1201 XYZ",
                "hitam",
                (
                    ("DS", -2, 2, "Rina M.", _FULL),
                    ("LB", 5, 7, "Bagus P.", _FULL),
                    ("LB", 16, 20, "Kel. Wijaya", _FULL),
                ),
            ),
            (
                "B 1203 XYZ",
                "perak",
                (
                    ("TL", -4, 1, "Yoga P.", _PART),
                    ("LB", 3, 5, "Andi S.", _PART),
                    ("PW", 10, 13, "servis rutin", _NONE),
                ),
            ),
            (
                "B 1204 XYZ",
                "putih",
                (
                    ("PR", -3, 0, "Maya L.", _FULL),
                    ("AN", 2, 4, "Wulan", _NONE),
                    ("LB", 18, 23, "Fajar N.", _FULL),
                ),
            ),
            (
                "B 1207 XYZ",
                "hitam",
                (
                    ("SL", -7, -2, "Galih", _FULL),
                    ("LB", 6, 9, "Lestari D.", _FULL),
                    ("LB", 21, 26, "Tono H.", _PART),
                ),
            ),
            (
                "B 1209 XYZ",
                "abu",
                (
                    ("PP", -3, 3, "CV Mitra", _PART),
                    ("LB", 8, 11, "Ratna", _FULL),
                    ("MB", 15, 17, "Dian", _NONE),
                ),
            ),
            (
                "B 1211 XYZ",
                "putih",
                (
                    ("SL", -4, -2, "Nina K.", _FULL),
                    ("LB", 5, 8, "Budi Santoso", _FULL),
                    ("LB", 13, 14, "Ida", _FULL),
                    ("LB", 20, 24, "PT Arunika", _PART),
                ),
            ),
            (
                "B 1214 XYZ",
                "perak",
                (
                    ("PW", -1, 5, "ganti kopling", _NONE),
                    ("LB", 10, 11, "Surya", _FULL),
                    ("LB", 14, 18, "Rudi A.", _FULL),
                ),
            ),
        ),
    ),
    (
        "TOY-INVZ",
        "Innova Zenix",
        650_000,
        (
            (
                "B 2410 UZN",
                "putih",
                (
                    ("DS", -2, 5, "PT Sagara", _FULL),
                    ("LB", 9, 12, "Dian", _FULL),
                    ("LB", 23, 26, "Kel. Halim", _PART),
                ),
            ),
            (
                "B 2411 UZN",
                "hitam",
                (
                    ("SR", 0, 2, "Hotel Savana", _FULL),
                    ("LB", 4, 8, "Wahyu B.", _FULL),
                    ("LB", 17, 19, "Sari", _FULL),
                ),
            ),
            (
                "B 2415 UZN",
                "hitam",
                (
                    ("SG", -4, -1, "Joko S.", _PART),
                    ("LB", 1, 4, "CV Tirta", _FULL),
                    ("LB", 11, 15, "Yuni", _PART),
                ),
            ),
            (
                "B 2418 UZN",
                "perak",
                (
                    ("DS", -9, 3, "PT Arunika", _FULL),
                    ("LB", 4, 10, "PT Arunika", _FULL),
                    ("LB", 20, 25, "Bayu", _PART),
                ),
            ),
        ),
    ),
    (
        "HON-BRIO",
        "Brio RS",
        300_000,
        (
            (
                "B 1631 KLM",
                "merah",
                (
                    ("LB", 1, 2, "Tia", _FULL),
                    ("LB", 7, 9, "Reza", _PART),
                    ("LB", 19, 21, "Nadia", _FULL),
                ),
            ),
            (
                "B 1633 KLM",
                "putih",
                (
                    ("DS", -1, 0, "Vina", _FULL),
                    ("MB", 4, 5, "Hadi", _NONE),
                    ("LB", 13, 15, "Lina", _FULL),
                ),
            ),
            (
                "B 1634 KLM",
                "abu",
                (
                    ("SL", -5, -1, "Putra", _FULL),
                    ("MB", 0, 0, "Eko", _NONE),
                    ("LB", 5, 6, "Oki", _FULL),
                    ("LB", 24, 26, "Kel. Sinaga", _PART),
                ),
            ),
            (
                "B 1638 KLM",
                "hitam",
                (("LB", 2, 6, "Dimas", _FULL), ("PW", 16, 18, "KIR", _NONE)),
            ),
        ),
    ),
    (
        "TOY-HIACE",
        "HiAce Commuter",
        1_100_000,
        (
            ("B 7105 UAA", "putih", (("DS", -6, 2, "Biro Nusa", _FULL), ("LB", 4, 7, "SMA 3", _PART))),
            ("B 7106 UAA", "putih", (("PR", -2, 0, "Dinas P.", _FULL), ("LB", 6, 10, "Biro Nusa", _FULL))),
            ("B 7109 UAA", "perak", (("LB", 1, 3, "PT Sagara", _FULL), ("LB", 12, 15, "Panitia R.", _PART))),
        ),
    ),
    (
        "YAM-NMAX",
        "NMAX 155",
        120_000,
        (
            ("B 4402 SRT", "biru", (("SL", -6, -2, "Arif", _FULL), ("LB", 2, 4, "Mega", _FULL))),
            ("B 4403 SRT", "hitam", (("DS", -2, 0, "Niko", _FULL), ("LB", 8, 9, "Rani", _FULL))),
            ("B 4405 SRT", "abu", (("LB", 3, 5, "Tegar", _FULL), ("LB", 18, 21, "Citra", _PART))),
            ("B 4408 SRT", "biru", (("PW", -2, 2, "ban", _NONE), ("LB", 6, 8, "Yoga R.", _FULL))),
        ),
    ),
    (
        "GEN-5KVA",
        "Genset 5 kVA",
        200_000,
        (
            ("GNS-011", "2021", (("DS", -3, 4, "CV Acara", _FULL), ("LB", 11, 13, "Panitia R.", _PART))),
            ("GNS-012", "2021", (("LB", 6, 9, "Kel. Pohan", _FULL),)),
            ("GNS-015", "2023", ()),
        ),
    ),
)


def staff(*roles: Role) -> StaffMember:
    return StaffMember(login="siti", name="Siti", roles=frozenset(roles or (Role.AGENT, Role.CASHIER)), branch=BRANCH)


def days_around(first: int, last: int) -> Days:
    return Days(TODAY + dt.timedelta(days=first), TODAY + dt.timedelta(days=last))


def fleet() -> tuple[FleetUnit, ...]:
    found = []
    for code, name, rate, units in _FLEET:
        sku = Sku(
            code=code,
            name=name,
            category="CAR",
            daily_rate=Rupiah(rate),
            deposit=Rupiah(500_000),
            turnaround_days=0,
        )
        for slot, (plate, colour, _) in enumerate(units):
            unit = Unit(
                id=f"u-{plate.replace(' ', '').lower()}",
                sku=code,
                slot=slot,
                plate=plate,
                colour=colour,
                status=UnitStatus.IN_SERVICE,
            )
            found.append(FleetUnit(unit=unit, sku=sku, branch_id=BRANCH.id))
    return tuple(found)


def elsewhere_fleet() -> tuple[FleetUnit, ...]:
    """Two units of another branch: an Avanza G in a slot of the same SKU, and something this branch has not."""
    avanza = fleet()[0]
    pickup = replace(avanza.sku, code="MIT-L300", name="L300 Pikap", category="TRUCK")
    return (
        FleetUnit(
            unit=replace(avanza.unit, id="u-dd1120ab", slot=40, plate="DD 1120 AB"),
            sku=avanza.sku,
            branch_id=ELSEWHERE.id,
        ),
        FleetUnit(
            unit=replace(avanza.unit, id="u-dd8801ab", sku="MIT-L300", slot=0, plate="DD 8801 AB"),
            sku=pickup,
            branch_id=ELSEWHERE.id,
        ),
    )


def elsewhere_bars() -> tuple[Bar, ...]:
    """What another branch lets be seen: days and kind."""
    seen = bar(elsewhere_fleet()[0], "LB", 3, 5, "")
    hidden = {"booking_id": None, "number": None, "state": None, "source": None, "customer_name": None}
    return (replace(seen, rented=None, payment_deadline=None, due_at=None, paid=PaidMark.UNPAID, **hidden),)  # type: ignore[arg-type]


def bars() -> tuple[Bar, ...]:
    units = iter(fleet())
    found: list[Bar] = []
    for _, _, _, rows in _FLEET:
        for _, _, stretches in rows:
            unit = next(units)
            for code, first, last, name, paid in stretches:
                found.append(bar(unit, code, first, last, name, paid, number=f"BK-{10100 + len(found)}"))
    return tuple(found)


def bar(
    unit: FleetUnit,
    code: str,
    first: int,
    last: int,
    name: str,
    paid: PaidMark = _FULL,
    *,
    number: str = "BK-10299",
    seconds: int = 600,
) -> Bar:
    """A bar in the drawing's words: state code, days from today, name."""
    period = days_around(first, last)
    maintenance = code == "PW"
    due = dt.datetime.combine(period.last, dt.time(13), dt.UTC)
    if code == "TL":
        due = NOW - dt.timedelta(hours=2)
    deadline = NOW + dt.timedelta(seconds=seconds) if code in ("MB", "AN", "PP") else None
    rented = Days(period.first, period.last - dt.timedelta(days=2)) if code == "PP" else period
    return Bar(
        unit_id=unit.unit.id,
        kind=OccupancyKind.MAINTENANCE if maintenance else OccupancyKind.BOOKING,
        days=period,
        rented=None if maintenance else rented,
        booking_id=None if maintenance else f"id-{number}",
        number=None if maintenance else number,
        state=None if maintenance else _CODES[code],
        source=None if maintenance else Source.WAITLIST if code == "AN" else Source.COUNTER,
        customer_name=None if maintenance else name,
        payment_deadline=deadline,
        due_at=due,
        paid=paid,
        note=name if maintenance else "",
        pickup_at=None if maintenance else dt.datetime.combine(period.first, dt.time(1), dt.UTC),
    )


def masks_of(units: Sequence[FleetUnit], some_bars: Sequence[Bar], window: Days) -> CalendarMasks:
    """What the index would answer for these bars."""
    found: dict[tuple[str, YearMonth], dict[int, int]] = {}
    for unit in units:
        mine = [item.days for item in some_bars if item.unit_id == unit.unit.id and item.state is not _S.COMPLETED]
        for month in window.months():
            found.setdefault((unit.sku.code, month), {})[unit.unit.slot] = mask_of(mine, month)
    return CalendarMasks(masks=found, from_index=True, read_at=NOW)
