"""Samples of the till's papers: a split payment, a down payment, a closed shift, a refund, a company's month."""

import datetime as dt
from dataclasses import replace

from app.desktop.documents.collective_paper import CollectivePaper
from app.desktop.documents.invoice_paper import InvoicePaper
from app.desktop.documents.kwitansi import Kwitansi
from app.desktop.documents.money_files import MoneyDocument
from app.desktop.documents.refund_paper import RefundPaper
from app.desktop.documents.shift_paper import ShiftPaper
from app.desktop.formats import Language
from app.domain.invoice import InvoiceKind
from app.domain.money import Rupiah
from app.domain.refund import RefundState, RefundWay
from app.domain.tender import TenderKind, TenderRow
from app.usecases.rows_companies import CollectiveInvoice, Receivable
from app.usecases.rows_till import CashMovement, CountedOnce, RefundRow, ShiftReport, WaySum
from tests.desktop.calendar_samples import BRANCH
from tests.desktop.test_documents import paid

OPENED = dt.datetime(2026, 11, 30, 1, 2, tzinfo=dt.UTC)
CLOSED = dt.datetime(2026, 11, 30, 13, 5, tzinfo=dt.UTC)
LETTERHEAD = "Jl. Contoh 12, Bandung\n022-555-0100"


def a_shift(**fields: object) -> ShiftReport:
    """Shift #214, closed with Rp 12.500 too little; an X report with `closed_at=None`."""
    pieces = {100_000: 12, 50_000: 7, 20_000: 9, 10_000: 8, 5_000: 6, 2_000: 12, 1_000: 7, 500: 5, 200: 3, 100: 4}
    report = ShiftReport(
        id="00000000-0000-4000-8000-000000000214",
        number=214,
        drawer="Kasir 1",
        counter="Kasir 1",
        cashier_name="Dewi",
        opening_float=Rupiah(500_000),
        opened_at=OPENED,
        belongs_to=dt.date(2026, 11, 30),
        closed_at=CLOSED,
        closed_by_name="Dewi",
        close_reason="salah kembalian",
        expected=Rupiah(1_887_000),
        counted=Rupiah(1_874_500),
        payments=6,
        change=Rupiah(52_500),
        credited=Rupiah(0),
        first_number="INV/BDG/202611/00012",
        last_number="INV/BDG/202611/00017",
        tenders=(
            WaySum(kind="CASH", count=3, amount=Rupiah(1_687_000)),
            WaySum(kind="EDC", count=4, amount=Rupiah(2_950_000)),
            WaySum(kind="QRIS", count=1, amount=Rupiah(997_500)),
        ),
        refunds=(WaySum(kind="CASH", count=1, amount=Rupiah(100_000)),),
        credits=(),
        movements=(
            CashMovement(id="m", amount=Rupiah(-200_000), reason="setor ke brankas", made_at=OPENED.replace(hour=7)),
        ),
        counts=(
            CountedOnce(
                round=1,
                n=1,
                pieces=pieces,
                counted=Rupiah(1_874_500),
                expected=Rupiah(1_887_000),
                edc_slips=4,
                edc_total=Rupiah(2_950_000),
                counted_at=CLOSED.replace(minute=1),
            ),
        ),
        drafts=("walk_in-dewi-1",),
        open_locks=(),
        now=CLOSED,
    )
    return replace(report, **fields)  # type: ignore[arg-type]


def running_shift(**fields: object) -> ShiftReport:
    """The same shift while it runs, its drawer not counted yet."""
    running = {"closed_at": None, "closed_by_name": None, "close_reason": "", "expected": None, "counted": None}
    return a_shift(**{**running, "counts": (), "drafts": (), **fields})


def split_kwitansi(language: Language = Language.ID) -> Kwitansi:
    """A down payment, paid by card and in cash; Rp 2.000.000 remain."""
    receipt = paid(language=language)
    rows = (
        TenderRow(
            kind=TenderKind.EDC,
            amount=Rupiah(997_500),
            received=Rupiah(997_500),
            bank="BCA",
            last4="1234",
            approval_code="482913",
        ),
        TenderRow(kind=TenderKind.CASH, amount=Rupiah(500_000), received=Rupiah(550_000)),
    )
    payment = replace(receipt.payment, tenders=rows, change=Rupiah(50_000))
    row = replace(receipt.detail.row, kind=InvoiceKind.DOWN_PAYMENT)
    detail = replace(receipt.detail, row=row, payments=(payment,))
    return replace(receipt, detail=detail, payment=payment, remains=2_000_000)


def a_refund() -> RefundRow:
    return RefundRow(
        id="00000000-0000-4000-8000-000000000501",
        invoice_id="00000000-0000-4000-8000-000000010240",
        invoice_number="INV/BDG/202611/00017",
        booking_id=None,
        booking_number="BK-10240",
        customer_id="c",
        customer_name="Budi Santoso",
        kind="DEPOSIT",
        state=RefundState.DONE,
        amount=Rupiah(500_000),
        reason="",
        created_at=OPENED,
        came_by={RefundWay.CASH: Rupiah(500_000)},
        edc_limit=Rupiah(2_000_000),
        number="RF/BDG/202611/00003",
        way=RefundWay.CASH,
        reference=None,
        done_at=CLOSED,
        done_by_name="Dewi",
    )


def owed(number: int, amount: int) -> Receivable:
    return Receivable(
        id=f"r{number}",
        company_id="f",
        company_name="PT Contoh Maju",
        invoice_id=f"i{number}",
        invoice_number=f"INV/BDG/202611/{number:05}",
        customer_name="Rina Maharani",
        amount=Rupiah(amount),
        reduced=Rupiah(0),
        due_on=dt.date(2026, 12, 30),
        state="BILLED",
        collective_number="TG/BDG/202611/00001",
        withholdable=Rupiah(amount * 2 // 100),
    )


def a_bill() -> tuple[CollectiveInvoice, tuple[Receivable, ...]]:
    debts = (owed(12, 1_500_000), owed(15, 2_250_500))
    bill = CollectiveInvoice(
        id="b",
        number="TG/BDG/202611/00001",
        company_id="f",
        month="202611",
        total=Rupiah(3_750_500),
        withheld=Rupiah(0),
        state="OPEN",
        issued_on=dt.date(2026, 11, 30),
        due_on=dt.date(2026, 12, 30),
        paid_at=None,
        invoices=("INV/BDG/202611/00012", "INV/BDG/202611/00015"),
    )
    return bill, debts


def money_papers(language: Language) -> dict[str, MoneyDocument]:
    """Every paper beside the kwitansi and its receipt."""
    receipt = split_kwitansi(language)
    bill, debts = a_bill()
    return {
        "invoice": InvoicePaper(
            detail=receipt.detail,
            branch=BRANCH,
            letterhead=LETTERHEAD,
            counter="Kasir 1",
            language=language,
            remains=2_000_000,
        ),
        "refund": RefundPaper(refund=a_refund(), branch=BRANCH, counter="Kasir 1", language=language),
        "z": ShiftPaper(report=a_shift(), branch=BRANCH, counter="Kasir 1", printed_by="Dewi", language=language),
        "x": ShiftPaper(report=running_shift(), branch=BRANCH, counter="Kasir 1", printed_by="Dewi", language=language),
        "collective": CollectivePaper(
            bill=bill, company="PT Contoh Maju", owed=debts, branch=BRANCH, letterhead=LETTERHEAD, language=language
        ),
    }
