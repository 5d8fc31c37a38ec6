"""Reads of what companies owe, of withheld tax, and of a month for the tax office."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import text

from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.reads_customers import is_uuid
from app.adapters.postgres.rows import day, moment, moment_or_none, rupiah
from app.domain.efaktur import TaxInvoice
from app.domain.money import ppn_rate
from app.domain.withholding import pph23
from app.usecases.rows_companies import CollectiveInvoice, Receivable, TaxRows, WithholdingSlip

Columns = Mapping[str, Any]

_RECEIVABLES = text("""
    SELECT r.id, r.company_id, f.name AS company_name, r.invoice_id, i.number AS invoice_number, i.base,
           c.name AS customer_name, r.amount, r.reduced, r.due_on, r.state, k.number AS collective_number,
           EXISTS (SELECT FROM sentra.withholding w WHERE w.invoice_id = i.id) AS withheld
    FROM sentra.receivable r
    JOIN sentra.company f ON f.id = r.company_id
    JOIN sentra.invoice i ON i.id = r.invoice_id
    JOIN sentra.customer c ON c.id = i.customer_id
    LEFT JOIN sentra.collective_invoice k ON k.id = r.collective_id
    WHERE r.branch_id = (SELECT sentra.my_branch()) AND r.state = ANY(CAST(:states AS text[]))
      AND (CAST(:company_id AS uuid) IS NULL OR r.company_id = CAST(:company_id AS uuid))
    ORDER BY f.name, r.due_on, r.created_at, r.id""")

_COLLECTIVES = text("""
    SELECT k.id, k.number, k.company_id, k.month, k.total, k.withheld, k.state, k.issued_on, k.due_on, k.paid_at,
           (SELECT coalesce(json_agg(r.invoice_id ORDER BY r.created_at, r.id), '[]') FROM sentra.receivable r
            WHERE r.collective_id = k.id) AS invoices
    FROM sentra.collective_invoice k
    WHERE k.branch_id = (SELECT sentra.my_branch())
      AND (CAST(:company_id AS uuid) IS NULL OR k.company_id = CAST(:company_id AS uuid))
    ORDER BY k.created_at DESC, k.id""")

_WITHHOLDINGS = text("""
    SELECT w.id, w.company_id, f.name AS company_name, coalesce(i.number, k.number) AS of_number, w.amount,
           w.slip_number, w.slip_on, w.created_at
    FROM sentra.withholding w
    JOIN sentra.company f ON f.id = w.company_id
    LEFT JOIN sentra.invoice i ON i.id = w.invoice_id
    LEFT JOIN sentra.collective_invoice k ON k.id = w.collective_id
    WHERE w.branch_id = (SELECT sentra.my_branch()) AND (NOT :missing_only OR w.slip_number IS NULL)
    ORDER BY w.created_at, of_number, w.id""")

# A company's invoice goes to the company; its renter is only the driver.
_TAX = text("""
    SELECT i.number, i.state, i.issued_on, i.base, i.dpp, i.ppn,
           coalesce(f.name, c.name) AS buyer_name, coalesce(f.npwp, '') AS buyer_npwp,
           coalesce(f.address, c.address) AS buyer_address, coalesce(f.email, c.email) AS buyer_email,
           CAST(i.created_at AT TIME ZONE b.zone AS date) AS taxed_on,
           (SELECT string_agg(l.text, ', ' ORDER BY l.line_no) FROM sentra.invoice_line l
            WHERE l.invoice_id = i.id AND l.active AND l.taxable) AS said,
           EXISTS (SELECT FROM sentra.refund r WHERE r.invoice_id = i.id AND r.state = 'DONE' AND r.taxable > 0)
               AS corrected
    FROM sentra.invoice i
    JOIN sentra.branch b ON b.id = i.branch_id
    JOIN sentra.customer c ON c.id = i.customer_id
    LEFT JOIN sentra.company f ON f.id = c.company_id
    WHERE i.branch_id = (SELECT sentra.my_branch()) AND i.number IS NOT NULL AND i.dpp > 0
      AND i.issued_on >= CAST(:first AS date) AND i.issued_on < CAST(:past AS date)
    ORDER BY i.number""")

_SELLER = text("""
    SELECT s.value->>'npwp' AS npwp, s.value->>'idtku' AS idtku, s.value->>'name' AS name
    FROM sentra.setting s WHERE s.key = 'tax_identity' AND s.branch_id = (SELECT sentra.my_branch())""")


class CompanyReads:
    """The part of the reads that companies and the tax office need."""

    _ask: Ask

    def receivables(self, company_id: str | None, states: Sequence[str]) -> tuple[Receivable, ...]:
        """What companies owe the branch, by company and due date."""
        if company_id is not None and not is_uuid(company_id):
            return ()
        rows = self._ask.rows(_RECEIVABLES, company_id=company_id, states=list(states))
        return tuple(map(_receivable, rows))

    def collectives(self, company_id: str | None) -> tuple[CollectiveInvoice, ...]:
        """Collective invoices of the branch, the newest first."""
        if company_id is not None and not is_uuid(company_id):
            return ()
        return tuple(map(_collective, self._ask.rows(_COLLECTIVES, company_id=company_id)))

    def withholdings(self, missing_only: bool) -> tuple[WithholdingSlip, ...]:
        """Withheld tax with its slips, the oldest first."""
        return tuple(
            WithholdingSlip(
                id=str(row["id"]),
                company_id=str(row["company_id"]),
                company_name=row["company_name"],
                of_number=row["of_number"],
                amount=rupiah(row["amount"]),
                slip_number=row["slip_number"],
                slip_on=row["slip_on"],
                created_at=moment(row["created_at"]),
            )
            for row in self._ask.rows(_WITHHOLDINGS, missing_only=missing_only)
        )

    def tax_rows(self, month: str) -> TaxRows:
        """Numbered invoices with PPN that are dated in a month `YYYYMM`."""
        first = dt.date(int(month[:4]), int(month[4:]), 1)
        past = (first + dt.timedelta(days=32)).replace(day=1)
        rows = self._ask.rows(_TAX, first=first, past=past)
        seller = self._ask.row(_SELLER)
        return TaxRows(
            npwp=seller["npwp"] if seller else None,
            idtku=seller["idtku"] if seller else None,
            seller_name=seller["name"] if seller else None,
            invoices=tuple(_taxed(row) for row in rows if row["state"] == "PAID"),
            voided=tuple(row["number"] for row in rows if row["state"] == "VOID"),
            corrected=tuple(row["number"] for row in rows if row["state"] == "PAID" and row["corrected"]),
        )


def _receivable(row: Columns) -> Receivable:
    return Receivable(
        id=str(row["id"]),
        company_id=str(row["company_id"]),
        company_name=row["company_name"],
        invoice_id=str(row["invoice_id"]),
        invoice_number=row["invoice_number"],
        customer_name=row["customer_name"],
        amount=rupiah(row["amount"]),
        reduced=rupiah(row["reduced"]),
        due_on=day(row["due_on"]),
        state=row["state"],
        collective_number=row["collective_number"],
        withholdable=rupiah(0) if row["withheld"] else pph23(rupiah(row["base"])),
    )


def _collective(row: Columns) -> CollectiveInvoice:
    return CollectiveInvoice(
        id=str(row["id"]),
        number=row["number"],
        company_id=str(row["company_id"]),
        month=row["month"],
        total=rupiah(row["total"]),
        withheld=rupiah(row["withheld"]),
        state=row["state"],
        issued_on=day(row["issued_on"]),
        due_on=day(row["due_on"]),
        paid_at=moment_or_none(row["paid_at"]),
        invoices=tuple(map(str, row["invoices"])),
    )


def _taxed(row: Columns) -> TaxInvoice:
    return TaxInvoice(
        number=row["number"],
        issued_on=day(row["issued_on"]),
        buyer_name=row["buyer_name"],
        buyer_npwp=row["buyer_npwp"],
        buyer_address=row["buyer_address"],
        buyer_email=row["buyer_email"],
        said=row["said"] or "",
        base=rupiah(row["base"]),
        dpp=rupiah(row["dpp"]),
        ppn=rupiah(row["ppn"]),
        percent=ppn_rate(day(row["taxed_on"])).percent,
    )
