"""The rental contract: who rents what, when, for how much, under which terms; signed by both."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtGui import QTextDocument

from app.desktop.documents.kwitansi import needs_meterai
from app.desktop.documents.markup import (
    BLANK,
    LINE,
    bold,
    gap,
    heading,
    muted,
    named_rows,
    rule,
    safe,
    side_by_side,
    small,
)
from app.desktop.documents.order_parts import PaperLines, PaperUnit, costs_markup, units_markup
from app.desktop.documents.pages import A4, Running, paged_pdf
from app.desktop.documents.paper import make_document
from app.desktop.documents.spoken import Spoken
from app.desktop.documents.terms import terms_markup
from app.desktop.formats import NBSP, Language, day_long, day_short, money, phone, time_of_day
from app.domain.invoice import InvoiceKind, LineKind
from app.usecases.rows_contracts import ContractFacts, ContractInvoice, ContractParty, Printed

MOST_NUMBERS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """One printing of a contract, in the language of its facts."""

    facts: ContractFacts
    printed: Printed
    printed_by: str
    counter: str

    @property
    def language(self) -> Language:
        return Language(self.facts.language)

    @property
    def number(self) -> str:
        """The first booking's number stands for the order."""
        return self.facts.units[0].booking.number


def contract_pdf(contract: Contract) -> bytes:
    """All pages. Safe outside the GUI thread."""
    return paged_pdf(lambda: contract_document(contract), A4, contract_title(contract), contract_running(contract))


def contract_title(contract: Contract) -> str:
    """For the PDF's own title: `Kontrak sewa BK-10240`."""
    title = Spoken(contract.language).translate("Contract", "Kontrak sewa")
    return f"{title} {contract.number}"


def contract_running(contract: Contract) -> Running:
    """What is repeated on every page: whose contract, when and where it was printed, both initials."""
    words, facts = Spoken(contract.language), contract.facts
    printed = words.translate("Contract", "dicetak {day} {time} oleh {name}, {counter}").format(
        day=day_short(facts.now.astimezone(facts.branch.zone).date(), words.language),
        time=time_of_day(facts.now, facts.branch.zone, words.language),
        name=contract.printed_by,
        counter=contract.counter,
    )
    title = words.translate("Contract", "Kontrak sewa")
    mark = _marks(contract, words)
    return Running(
        above=" · ".join((f"{title} {contract.number}", *mark, facts.branch.name, facts.customer.name)),
        below=f"{contract.number} · {printed}",
        between=words.translate("Contract", "Paraf: ______ / ______"),
        pages=words.translate("Contract", "Halaman {page} dari {pages}"),
    )


def contract_document(contract: Contract) -> QTextDocument:
    """The text for A4 paper."""
    words = Spoken(contract.language)
    parts = (
        _head(contract, words),
        _parties(contract, words),
        heading(words.translate("Contract", "Unit dan masa sewa")),
        units_markup(_units(contract), contract.facts.branch, words),
        heading(words.translate("Contract", "Biaya")),
        _costs(contract, words),
        _deposit(contract, words),
        heading(words.translate("Contract", "Syarat sewa")),
        terms_markup(contract.facts.terms.said),
        gap(4),
        _signatures(contract, words),
    )
    return make_document("".join(parts), 9)


def _marks(contract: Contract, words: Spoken) -> tuple[str, ...]:
    """`Perubahan ke-1`, `SALINAN ke-2`; none on the first original."""
    printed, marks = contract.printed, []
    if printed.revision:
        marks.append(words.translate("Contract", "Perubahan ke-{count}").format(count=printed.revision))
    if printed.copy:
        marks.append(words.translate("Kwitansi", "SALINAN ke-{count}").format(count=printed.copy))
    return tuple(marks)


def _head(contract: Contract, words: Spoken) -> str:
    facts = contract.facts
    branch = words.translate("Kwitansi", "Cabang {name} ({code})")
    branch = branch.format(name=facts.branch.name, code=facts.branch.code)
    letterhead = f"<br/>{muted(facts.letterhead)}" if facts.letterhead else ""
    marks = "".join(f"<br/>{bold(mark, 11)}" for mark in _marks(contract, words))
    title = words.translate("Contract", "Kontrak sewa").upper()
    made = facts.made_at.astimezone(facts.branch.zone)
    when = words.translate("Contract", "Dibuat {day}, {time}").format(
        day=day_long(made.date(), words.language), time=time_of_day(made, facts.branch.zone, words.language)
    )
    return (
        "<table width='100%' cellspacing='0' cellpadding='0'><tr>"
        f"<td width='55%'>{bold('Sentra Rental', 15)}<br/>{safe(branch)}{letterhead}</td>"
        f"<td width='45%' align='right'>{bold(title, 15)}{marks}"
        f"<br/>{bold(_numbers(contract, words))}<br/>{muted(when)}</td></tr></table>{rule()}"
    )


def _numbers(contract: Contract, words: Spoken) -> str:
    """All booking numbers, or the first ones and how many more."""
    numbers = [unit.booking.number for unit in contract.facts.units]
    if len(numbers) <= MOST_NUMBERS:
        return ", ".join(numbers)
    more = words.translate("Contract", "{numbers} dan {count} lainnya")
    return more.format(numbers=", ".join(numbers[: MOST_NUMBERS - 1]), count=len(numbers) - MOST_NUMBERS + 1)


def _parties(contract: Contract, words: Spoken) -> str:
    facts, customer = contract.facts, contract.facts.customer
    blank = muted(BLANK)
    rows = [
        (words.translate("Contract", "Nama"), bold(customer.name)),
        (words.translate("Contract", "Telepon"), safe(phone(customer.phone))),
        (words.translate("Contract", "Alamat"), safe(customer.address) or blank),
    ]
    if customer.company:
        rows.insert(1, (words.translate("Contract", "Perusahaan"), safe(customer.company)))
    rows.append((words.translate("Contract", "KTP/paspor"), safe(_identity(customer, words)) or blank))
    rows.append((words.translate("Contract", "SIM"), safe(_licence(customer, words)) or blank))
    check = words.translate("Contract", "Cocok dengan kartu asli, diperiksa oleh: {blank}").format(blank="_" * 16)
    lessor = named_rows(
        (
            (words.translate("Contract", "Nama"), bold("Sentra Rental")),
            (words.translate("Contract", "Cabang"), safe(facts.branch.name)),
            (words.translate("Contract", "Dibuat oleh"), safe(facts.made_by_name)),
        )
    )
    return side_by_side(
        heading(words.translate("Contract", "Penyewa")) + named_rows(rows) + small(muted(check)),
        heading(words.translate("Contract", "Pemberi sewa")) + lessor,
    )


def _identity(customer: ContractParty, words: Spoken) -> str:
    """`KTP 3275 01 •••••• 0012`: as much as is stored in clear, to compare with the card."""
    card = words.translate("Contract", "KTP {number}").format(number=customer.nik) if customer.nik else ""
    passport = words.translate("Contract", "Paspor {number}").format(number=customer.passport)
    return "\n".join(_unbroken(part) for part in (card, passport if customer.passport else "") if part)


def _licence(customer: ContractParty, words: Spoken) -> str:
    """`A · •••••• 0012 · sampai 3 Mei 2029`."""
    until = ""
    if customer.licence_expires_on is not None:
        until = words.translate("Contract", "sampai {day}")
        until = until.format(day=day_short(customer.licence_expires_on, words.language))
    return " · ".join(_unbroken(part) for part in (customer.licence_class, customer.licence, until) if part)


def _unbroken(text: str) -> str:
    """A number or a day that stays on one line."""
    return text.replace(" ", NBSP)


def _units(contract: Contract) -> tuple[PaperUnit, ...]:
    return tuple(
        PaperUnit(
            id=unit.booking.id,
            name=unit.booking.unit.sku.name,
            sku=unit.booking.unit.sku.code,
            plate=unit.booking.unit.unit.plate,
            colour=unit.booking.unit.unit.colour,
            number=unit.booking.number,
            period=unit.booking.period,
            days=unit.days,
            pickup_at=unit.booking.pickup_at,
            due_at=unit.booking.due_at,
            odometer=unit.odometer,
        )
        for unit in contract.facts.units
    )


def _costs(contract: Contract, words: Spoken) -> str:
    facts = contract.facts
    several = len(facts.invoices) > 1
    papers = [
        PaperLines(title=bold(_invoice_title(invoice, words)) if several else "", lines=invoice.lines)
        for invoice in facts.invoices
    ]
    sums = [
        (words.translate("Contract", "Jumlah dengan deposit"), facts.total),
        (words.translate("Contract", "Sudah dibayar"), facts.paid),
        (words.translate("Contract", "Belum dibayar"), facts.total - facts.paid),
    ]
    if facts.given_back:
        given = words.translate("Contract", "Dikembalikan karena perubahan sewa")
        sums.insert(2, (given, facts.given_back))
    return costs_markup(_units(contract), papers, sums, tuple(_tax(facts, words)), words)


def _invoice_title(invoice: ContractInvoice, words: Spoken) -> str:
    match invoice.kind:
        case InvoiceKind.DOWN_PAYMENT:
            name = words.translate("Contract", "Uang muka")
        case InvoiceKind.BALANCE:
            name = words.translate("Contract", "Pelunasan")
        case InvoiceKind.EXTENSION:
            name = words.translate("Contract", "Perpanjangan")
        case _:
            name = words.translate("Contract", "Sewa")
    return f"{name} · {invoice.number}" if invoice.number else name


def _tax(facts: ContractFacts, words: Spoken) -> Iterator[tuple[str, int]]:
    """DPP and PPN that are inside the prices; nothing for a branch that charges none."""
    inside = [invoice for invoice in facts.invoices if all(line.kind is not LineKind.PPN for line in invoice.lines)]
    if any(invoice.ppn for invoice in facts.invoices):
        dpp = sum(invoice.dpp for invoice in facts.invoices)
        yield words.translate("Kwitansi", "DPP (11/12 dari harga tanpa PPN)"), dpp
        if inside:
            ppn = sum(invoice.ppn for invoice in inside)
            yield words.translate("Kwitansi", "termasuk PPN 12 % × DPP"), ppn


def _deposit(contract: Contract, words: Spoken) -> str:
    deposit = contract.facts.deposit
    parts = [heading(words.translate("Contract", "Deposit dan jaminan"))]
    if deposit:
        text = words.translate(
            "Contract", "Deposit {amount} dikembalikan setelah unit diperiksa saat kembali, dikurangi biaya bila ada."
        )
        parts.append(f"<p style='margin:0 0 3pt 0'>{safe(text.format(amount=money(deposit, words.language)))}</p>")
    blank = muted(BLANK)
    left = (words.translate("Contract", "Jaminan"), blank), (words.translate("Contract", "Disimpan di"), blank)
    right = (words.translate("Contract", "Nomor"), blank), (words.translate("Contract", "Diterima oleh"), blank)
    return "".join((*parts, side_by_side(named_rows(left), named_rows(right))))


def _signatures(contract: Contract, words: Spoken) -> str:
    """Place and day, both names, and where the duty stamp goes."""
    facts = contract.facts
    place = words.translate("Contract", "{place}, tanggal {blank}").format(place=facts.branch.name, blank="_" * 18)
    read = words.translate("Contract", "Penyewa telah membaca dan menyetujui seluruh isi kontrak ini.")
    stamp = ""
    if needs_meterai(facts.total):
        note = words.translate("Contract", "Meterai Rp 10.000 (jumlah di atas Rp 5.000.000)")
        frame = f"border-style:solid;border-width:1px;border-color:{LINE};border-collapse:collapse"
        stamp = f"<table style='{frame}' cellpadding='8'><tr><td>{small(muted(note), 7)}</td></tr></table>"
    space, line = "<br/>" * 5, f"{muted(BLANK)}<br/>"
    lessor, lessee = words.translate("Contract", "Pemberi sewa"), words.translate("Contract", "Penyewa")
    return (
        "<table width='100%' cellspacing='0' cellpadding='2'>"
        f"<tr><td colspan='3'>{safe(read)}<br/>{safe(place)}<br/></td></tr>"
        f"<tr><td width='36%' align='center'>{muted(lessor)}{space}{line}{safe(contract.printed_by)}</td>"
        f"<td width='26%' align='center'>{stamp}</td>"
        f"<td width='38%' align='center'>{muted(lessee)}{space}{line}{safe(facts.customer.name)}</td></tr></table>"
    )
