"""Ports of contracts and the words a branch prints: parts of `Tx` and `Reads`, with the same guarantees."""

from __future__ import annotations

from typing import Protocol

from app.usecases.rows_contracts import BranchText, BranchTextKind, NewPrinting, OrderPapers, Printed


class ContractTx(Protocol):
    """Writes."""

    def set_branch_text(self, kind: BranchTextKind, language: str, said: str | None, counter: str) -> int:
        """The next version of the branch's text (None: the program's own again); the version that stands then."""

    def count_printing(self, printing: NewPrinting) -> Printed:
        """Count it before it goes on paper. Refuses NOT_FOUND for an order that the person's branch has not."""


class ContractReads(Protocol):
    """Plain SELECTs, each one statement and so one snapshot."""

    def branch_text(self, branch_id: str, kind: BranchTextKind, language: str) -> BranchText:
        """The one that stands now, in the language or else Indonesian; `said` None where the branch has none."""

    def order_papers(self, wanted: str, language: str) -> OrderPapers | None:
        """Of an order, or of the order a booking belongs to, by the id of either."""
