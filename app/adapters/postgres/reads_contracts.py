"""Reads of contracts: everything an order's contract says in one statement, and the branch's own words."""

from __future__ import annotations

from sqlalchemy import text

from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.reads_customers import is_uuid
from app.adapters.postgres.rows import (
    BOOKING_COLUMNS,
    BRANCH_COLUMNS,
    Columns,
    booking_of,
    branch_of,
    day,
    line_of,
    moment,
    rupiah,
)
from app.domain.invoice import InvoiceKind, InvoiceState
from app.usecases.rows_contracts import (
    BranchText,
    BranchTextKind,
    ContractInvoice,
    ContractParty,
    ContractUnit,
    FirstPrinting,
    OrderPapers,
)

# The branch's words that stand now: in the wanted language, else the Indonesian ones, which are the branch's own too.
_WORDS = """
    SELECT latest.language, latest.version, latest.said FROM (
        SELECT DISTINCT ON (t.language) t.language, t.version, t.said FROM sentra.branch_text t
        WHERE t.branch_id = {branch} AND t.kind = {kind} AND t.language IN (:language, 'id')
        ORDER BY t.language, t.version DESC) latest
    WHERE latest.said IS NOT NULL
    ORDER BY latest.language <> :language LIMIT 1"""
_TEXT = text(_WORDS.format(branch=":branch_id", kind=":kind"))

# What was agreed: an extension counts once it is paid, a void invoice and the lines of a cancelled booking never.
_PAPERS = text(f"""
    SELECT {BRANCH_COLUMNS}, o.id AS order_id, o.created_at AS made_at, clock.now,
        coalesce(maker.name, o.created_by) AS made_by_name,
        (SELECT row_to_json(party) FROM (
            SELECT c.name, c.phone, c.address, c.licence_class, c.licence_expires_on, y.name AS company,
                   (SELECT json_object_agg(p.kind, p.masked) FROM sentra.customer_identity p
                    WHERE p.customer_id = c.id) AS papers
            FROM sentra.booking b
            JOIN sentra.customer c ON c.id = b.customer_id
            LEFT JOIN sentra.company y ON y.id = c.company_id
            WHERE b.order_id = o.id ORDER BY b.line_no LIMIT 1) party) AS customer,
        letterhead.said AS letterhead,
        sentra.rent_given_back(o.id) AS given_back, terms.language AS terms_language,
        terms.version AS terms_version, terms.said AS terms_said,
        first.terms_language AS first_language, first.terms_version AS first_version,
        first.terms_edition AS first_edition, first.said AS first_said,
        (SELECT coalesce(json_agg(unit ORDER BY unit.line_no), '[]') FROM (
            SELECT {BOOKING_COLUMNS}, u.odometer, b.deposit AS agreed_deposit,
                greatest(b.min_days, b.last_day - b.first_day + 1 + b.day_offset) AS paid_days
            FROM sentra.booking b
            JOIN sentra.customer c ON c.id = b.customer_id
            JOIN sentra.unit u ON u.id = b.unit_id
            JOIN sentra.sku k ON k.id = u.sku_id
            WHERE b.order_id = o.id AND b.state <> 'CANCELLED') unit) AS units,
        (SELECT coalesce(json_agg(paper ORDER BY paper.created_at, array_position(
                    ARRAY['RENTAL', 'DOWN_PAYMENT', 'BALANCE', 'EXTENSION'], paper.kind), paper.id), '[]') FROM (
            SELECT i.id, i.kind, i.state, i.number, i.dpp, i.ppn, i.total, i.paid, i.created_at,
                (SELECT coalesce(json_agg(line ORDER BY line.line_no), '[]') FROM (
                    SELECT il.line_no, il.kind, il.text, il.quantity, il.unit_price, il.amount, il.taxable,
                           il.booking_id
                    FROM sentra.invoice_line il WHERE il.invoice_id = i.id AND il.active
                      AND NOT EXISTS (SELECT FROM sentra.booking gone
                                      WHERE gone.id = il.booking_id AND gone.state = 'CANCELLED')) line) AS lines
            FROM sentra.invoice i
            WHERE i.order_id = o.id AND i.state <> 'VOID'
              AND (i.kind IN ('RENTAL', 'DOWN_PAYMENT', 'BALANCE') OR (i.kind = 'EXTENSION' AND i.state = 'PAID'))
        ) paper) AS invoices
    FROM sentra.booking_order o
    JOIN sentra.branch br ON br.id = o.branch_id
    LEFT JOIN sentra.staff maker ON maker.role_name = o.created_by
    CROSS JOIN (SELECT sentra.now() AS now OFFSET 0) clock
    LEFT JOIN LATERAL ({_WORDS.format(branch="br.id", kind="'TERMS'")}) terms ON true
    LEFT JOIN LATERAL ({_WORDS.format(branch="br.id", kind="'LETTERHEAD'")}) letterhead ON true
    LEFT JOIN LATERAL (
        SELECT d.terms_language, d.terms_version, d.terms_edition, t.said FROM sentra.printed_document d
        LEFT JOIN sentra.branch_text t ON t.branch_id = d.branch_id AND t.kind = 'TERMS'
            AND t.language = d.terms_language AND t.version = d.terms_version
        WHERE d.order_id = o.id AND d.kind = 'CONTRACT' AND d.language = :language
        ORDER BY d.revision, d.copy LIMIT 1) first ON true
    WHERE o.id = coalesce(
        (SELECT b.order_id FROM sentra.booking b WHERE b.id = CAST(:wanted AS uuid)), CAST(:wanted AS uuid))""")


class ContractReads:
    """The part `ContractReads` of a person's reads."""

    _ask: Ask

    def branch_text(self, branch_id: str, kind: BranchTextKind, language: str) -> BranchText:
        """The one that stands now, in the language or else Indonesian; `said` None where the branch has none."""
        row = self._ask.row(_TEXT, branch_id=branch_id, kind=kind.value, language=language)
        if row is None:
            return BranchText(language=language, version=0, said=None)
        return BranchText(language=row["language"], version=row["version"], said=row["said"])

    def order_papers(self, wanted: str, language: str) -> OrderPapers | None:
        """Of an order, or of the order a booking belongs to, by the id of either; None in another branch."""
        row = self._ask.row(_PAPERS, wanted=wanted, language=language) if is_uuid(wanted) else None
        return None if row is None else _papers_of(row)


def _papers_of(row: Columns) -> OrderPapers:
    first = None
    if row["first_edition"] is not None:
        first = FirstPrinting(
            terms_language=row["first_language"],
            terms_version=row["first_version"],
            terms_edition=row["first_edition"],
            said=row["first_said"],
        )
    return OrderPapers(
        order_id=str(row["order_id"]),
        branch=branch_of(row),
        customer=_party_of(row["customer"]),
        units=tuple(
            ContractUnit(
                booking=booking_of(unit),
                days=int(unit["paid_days"]),
                odometer=int(unit["odometer"]),
                deposit=rupiah(unit["agreed_deposit"]),
            )
            for unit in row["units"]
        ),
        invoices=tuple(map(_invoice_of, row["invoices"])),
        given_back=rupiah(row["given_back"]),
        made_at=moment(row["made_at"]),
        made_by_name=row["made_by_name"],
        letterhead=row["letterhead"],
        terms=BranchText(
            language=row["terms_language"] or "id", version=row["terms_version"] or 0, said=row["terms_said"]
        ),
        first=first,
        now=moment(row["now"]),
    )


def _party_of(told: Columns) -> ContractParty:
    papers = told["papers"] or {}
    expires = told["licence_expires_on"]
    return ContractParty(
        name=told["name"],
        phone=told["phone"],
        address=told["address"],
        company=told["company"] or "",
        nik=papers.get("NIK", ""),
        passport=papers.get("PASSPORT", ""),
        licence=papers.get("LICENCE", ""),
        licence_class=told["licence_class"] or "",
        licence_expires_on=None if expires is None else day(expires),
    )


def _invoice_of(told: Columns) -> ContractInvoice:
    return ContractInvoice(
        id=told["id"],
        kind=InvoiceKind(told["kind"]),
        state=InvoiceState(told["state"]),
        number=told["number"],
        lines=tuple(map(line_of, told["lines"])),
        dpp=rupiah(told["dpp"]),
        ppn=rupiah(told["ppn"]),
        total=rupiah(told["total"]),
        paid=rupiah(told["paid"]),
    )
