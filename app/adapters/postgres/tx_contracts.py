"""Contracts and the words a branch prints: calls of the database's functions and their answers."""

from __future__ import annotations

from app.adapters.postgres.tx_call import Call, as_json
from app.usecases.rows_contracts import BranchTextKind, NewPrinting, Printed


class ContractCalls:
    """The part `ContractTx` of a transaction."""

    _call: Call

    def set_branch_text(self, kind: BranchTextKind, language: str, said: str | None, counter: str) -> int:
        version = self._call.ask("SELECT sentra.set_branch_text(%s, %s, %s, %s)", kind.value, language, said, counter)
        return int(version)

    def count_printing(self, printing: NewPrinting) -> Printed:
        told = self._call.ask(
            "SELECT sentra.count_printing(%s)",
            as_json(
                {
                    "id": printing.id,
                    "order_id": printing.order_id,
                    "language": printing.language,
                    "fingerprint": printing.fingerprint,
                    "terms_language": printing.terms_language,
                    "terms_version": printing.terms_version,
                    "terms_edition": printing.terms_edition,
                    "counter": printing.counter,
                }
            ),
        )
        return Printed(revision=told["revision"], copy=told["copy"])
