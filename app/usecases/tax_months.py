"""A month of numbers: closed by a manager, and exported for the tax office to the Rupiah."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from app.domain.efaktur import coretax_csv, coretax_xml
from app.domain.errors import invalid
from app.domain.money import Rupiah
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.ports import Store
from app.usecases.rows_till import NumberedMonth
from app.usecases.till_input import checked_month

log = logging.getLogger(__name__)

CASHIER = frozenset({Role.CASHIER})
MANAGER = frozenset({Role.MANAGER})
TILL_SETTINGS = ("cash_rounding", "edc_refund_limit", "shift_difference_limit", "tax_identity")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaxMonth:
    """A month's output tax as two files with the same rows, and what a person has to look at.

    `incomplete` invoices lack the buyer's NPWP or address; `voided` ones are left out of the files; of `corrected` ones
    rent was given back (a return note is due).
    """

    month: str
    xml: bytes
    csv: bytes
    count: int
    base: Rupiah
    dpp: Rupiah
    ppn: Rupiah
    incomplete: tuple[str, ...]
    voided: tuple[str, ...]
    corrected: tuple[str, ...]


class TaxMonths:
    """Use cases of months and taxes of one logged-in person at one counter."""

    def __init__(self, store: Store, who: StaffMember, counter: str) -> None:
        self._store = store
        self._who = who
        self._counter = counter

    def months(self) -> tuple[NumberedMonth, ...]:
        """Months with their last invoice number, the newest first, and which are closed."""
        require_role(self._who, CASHIER, "months")
        return self._store.read.numbered_months()

    def close_month(self, month: str) -> NumberedMonth:
        """Close a month (`YYYYMM`) of this branch: later entries are dated in the next one. Again answers the same."""
        require_role(self._who, MANAGER, "close_month")
        wanted = checked_month(month)
        closed = self._store.transact(lambda tx: tx.close_month(wanted, self._counter), one_call=True)
        log.info("month %s closed at number %d", closed.month, closed.last)
        return closed

    def export_tax_month(self, month: str) -> TaxMonth:
        """The month's numbered invoices with PPN as Coretax XML (code 04) and CSV, without decimals.

        Refuses FIELD_INVALID `tax_identity` `missing` until a manager has set the branch's NPWP and IDTKU.
        """
        require_role(self._who, MANAGER, "export_tax_month")
        wanted = checked_month(month)
        rows = self._store.read.tax_rows(wanted)
        if rows.npwp is None or rows.idtku is None:
            raise invalid("tax_identity", "missing")
        log.info("tax month %s exported: %d invoices", wanted, len(rows.invoices))
        return TaxMonth(
            month=wanted,
            xml=coretax_xml(rows.npwp, rows.idtku, rows.invoices),
            csv=coretax_csv(rows.idtku, rows.invoices),
            count=len(rows.invoices),
            base=Rupiah(sum(one.base for one in rows.invoices)),
            dpp=Rupiah(sum(one.dpp for one in rows.invoices)),
            ppn=Rupiah(sum(one.ppn for one in rows.invoices)),
            incomplete=tuple(one.number for one in rows.invoices if not one.is_complete),
            voided=rows.voided,
            corrected=rows.corrected,
        )

    def set_till_setting(self, key: str, value: object) -> None:
        """One setting of this branch's till: `cash_rounding` (0, 50, 100, 500, 1000), `edc_refund_limit`,
        `shift_difference_limit` (whole Rupiah), `tax_identity` (`{"npwp", "idtku", "name"}`)."""
        require_role(self._who, MANAGER, "set_till_setting")
        if key not in TILL_SETTINGS:
            raise invalid("key", "unknown", given=key[:40])
        self._store.transact(lambda tx: tx.set_till_setting(key, value, self._counter), one_call=True)
        log.info("till setting %s changed", key)
