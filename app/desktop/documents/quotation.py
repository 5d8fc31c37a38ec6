"""A quotation: what a rental would cost and until when that price holds. No booking, no invoice, nothing is held."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QTextDocument

from app.desktop.documents.markup import bold, gap, heading, muted, named_rows, rule, safe, small
from app.desktop.documents.order_parts import PaperLines, PaperUnit, costs_markup, units_markup
from app.desktop.documents.pages import A4, Running, paged_pdf
from app.desktop.documents.paper import make_document
from app.desktop.documents.spoken import Spoken
from app.desktop.formats import Language, day_long, money, phone, time_of_day
from app.domain.invoice import LineKind
from app.domain.pricing import Quote
from app.domain.staff import Branch
from app.usecases.booking_input import BookLine

VALID_DAYS = 3
LEAST_VALID = dt.timedelta(minutes=15)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedUnit:
    """One line of the asked order: what is known of it before anything is booked. `plate` empty: any free unit."""

    name: str
    line: BookLine
    plate: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """A price on paper. `reference` names it and its file: the id that the order would be booked under."""

    reference: str
    branch: Branch
    language: Language
    customer_name: str
    customer_phone: str
    units: tuple[QuotedUnit, ...]
    quote: Quote
    valid_until: dt.datetime
    made_at: dt.datetime
    made_by: str
    counter: str
    letterhead: str = ""

    @property
    def number(self) -> str:
        """Short enough to be read out on the phone."""
        return self.reference.replace("-", "")[:8].upper()


def price_holds_until(made_at: dt.datetime, branch: Branch, first_day: dt.date, days: int = VALID_DAYS) -> dt.datetime:
    """Closing time of the branch so many days on, or on the first rental day when that is earlier; a quarter of an hour
    at least."""
    last = min(made_at.astimezone(branch.zone).date() + dt.timedelta(days=days), first_day)
    closing = dt.datetime.combine(last, dt.time.fromisoformat(branch.closes_at), branch.zone)
    return max(closing, made_at.astimezone(branch.zone) + LEAST_VALID)


def quotation_pdf(quotation: Quotation) -> bytes:
    """All pages. Safe outside the GUI thread."""
    running = quotation_running(quotation)
    return paged_pdf(lambda: quotation_document(quotation), A4, quotation_title(quotation), running)


def quotation_title(quotation: Quotation) -> str:
    """For the PDF's own title."""
    title = Spoken(quotation.language).translate("Quotation", "Penawaran harga")
    return f"{title} {quotation.number}"


def quotation_running(quotation: Quotation) -> Running:
    """What is repeated on every page."""
    words = Spoken(quotation.language)
    title = quotation_title(quotation)
    return Running(
        above=" · ".join(part for part in (title, quotation.branch.name, quotation.customer_name) if part),
        below=f"{title} · {quotation.made_by}, {quotation.counter}",
        between="",
        pages=words.translate("Contract", "Halaman {page} dari {pages}"),
    )


def quotation_document(quotation: Quotation) -> QTextDocument:
    """The text for A4 paper."""
    words = Spoken(quotation.language)
    parts = (
        _head(quotation, words),
        heading(words.translate("Quotation", "Untuk")),
        _customer(quotation, words),
        heading(words.translate("Contract", "Unit dan masa sewa")),
        units_markup(_units(quotation), quotation.branch, words),
        heading(words.translate("Contract", "Biaya")),
        _costs(quotation, words),
        gap(4),
        _notes(quotation, words),
    )
    return make_document("".join(parts), 9)


def _moment(at: dt.datetime, quotation: Quotation, words: Spoken) -> str:
    local = at.astimezone(quotation.branch.zone)
    return f"{day_long(local.date(), words.language)}, {time_of_day(at, quotation.branch.zone, words.language)}"


def _head(quotation: Quotation, words: Spoken) -> str:
    branch = words.translate("Kwitansi", "Cabang {name} ({code})")
    branch = branch.format(name=quotation.branch.name, code=quotation.branch.code)
    letterhead = f"<br/>{muted(quotation.letterhead)}" if quotation.letterhead else ""
    until = words.translate("Quotation", "Berlaku sampai {moment}")
    title = words.translate("Quotation", "Penawaran harga").upper()
    return (
        "<table width='100%' cellspacing='0' cellpadding='0'><tr>"
        f"<td width='48%'>{bold('Sentra Rental', 15)}<br/>{safe(branch)}{letterhead}</td>"
        f"<td width='52%' align='right'>{bold(title, 15)}<br/>{bold(quotation.number)}"
        f"<br/>{muted(_moment(quotation.made_at, quotation, words))}"
        f"<br/>{bold(until.format(moment=_moment(quotation.valid_until, quotation, words)))}</td></tr></table>{rule()}"
    )


def _customer(quotation: Quotation, words: Spoken) -> str:
    rows = []
    if quotation.customer_name:
        rows.append((words.translate("Contract", "Nama"), bold(quotation.customer_name)))
    if quotation.customer_phone:
        rows.append((words.translate("Contract", "Telepon"), safe(phone(quotation.customer_phone))))
    if rows:
        return named_rows(rows, 15)
    nobody = words.translate("Quotation", "Calon penyewa")
    return f"<p style='margin:0'>{muted(nobody)}</p>"


def _units(quotation: Quotation) -> Sequence[PaperUnit]:
    """The lines of a quote carry their place in the order as their booking."""
    any_unit = Spoken(quotation.language).translate("Quotation", "unit dipilih saat booking")
    return tuple(
        PaperUnit(
            id=str(place),
            name=unit.name,
            sku=unit.line.sku,
            plate=unit.plate,
            colour="" if unit.plate else any_unit,
            number="",
            period=unit.line.period,
            days=quotation.quote.days[place],
            pickup_at=_at(unit.line.period.first, unit.line.pickup_time, quotation.branch),
            due_at=_at(unit.line.period.last, unit.line.due_time, quotation.branch),
            odometer=None,
        )
        for place, unit in enumerate(quotation.units)
    )


def _at(day: dt.date, time: dt.time | None, branch: Branch) -> dt.datetime | None:
    return None if time is None else dt.datetime.combine(day, time, branch.zone)


def _costs(quotation: Quotation, words: Spoken) -> str:
    quote = quotation.quote
    sums = [(words.translate("Contract", "Jumlah dengan deposit"), _whole(quote))]
    if quote.balance:
        sums.append((words.translate("Quotation", "Uang muka saat booking"), int(quote.total)))
        sums.append((words.translate("Quotation", "Sisa sampai waktu ambil"), int(quote.balance)))
    if quote.deposit:
        sums.append((words.translate("Quotation", "di antaranya deposit, dikembalikan"), int(quote.deposit)))
    notes: list[tuple[str, int]] = []
    if quote.ppn is not None:
        notes.append((words.translate("Kwitansi", "DPP (11/12 dari harga tanpa PPN)"), int(quote.ppn.dpp)))
        if all(line.kind is not LineKind.PPN for line in quote.lines):
            notes.append((words.translate("Kwitansi", "termasuk PPN 12 % × DPP"), int(quote.ppn.tax)))
    papers = (PaperLines(title="", lines=quote.lines),)
    return costs_markup(_units(quotation), papers, sums, notes, words)


def _whole(quote: Quote) -> int:
    """What the rental costs in all, however many invoices ask for it."""
    return quote.total + quote.balance


def _notes(quotation: Quotation, words: Spoken) -> str:
    free = words.translate(
        "Quotation", "Ini penawaran, bukan booking dan bukan tagihan: unit belum ditahan dan bisa dipesan orang lain."
    )
    holds = words.translate(
        "Quotation", "Harga {total} berlaku sampai batas waktu di atas selama tarif cabang tidak berubah."
    )
    said = f"{free} {holds.format(total=money(_whole(quotation.quote), words.language))}"
    return f"<p style='margin:0'>{small(muted(said), 8.5)}</p>"
