"""The till beside settling and shifts: refunds, credit, companies' bills, months and papers, as one part."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.staff import StaffMember
from app.usecases.company_bills import CompanyBills
from app.usecases.credits import Credits
from app.usecases.index_work import IndexWork
from app.usecases.money_papers import MoneyPapers
from app.usecases.ports import Store
from app.usecases.refunds import Refunds
from app.usecases.tax_months import TaxMonths


@dataclass(frozen=True, slots=True, kw_only=True)
class Till:
    """What a counter's till can do besides settling invoices and running a shift."""

    refunds: Refunds
    credits: Credits
    company_bills: CompanyBills
    tax_months: TaxMonths
    papers: MoneyPapers


def till_of(store: Store, work: IndexWork, who: StaffMember, counter: str) -> Till:
    """The till of a logged-in person at a counter."""
    return Till(
        refunds=Refunds(store, work, who, counter),
        credits=Credits(store, who, counter),
        company_bills=CompanyBills(store, who, counter),
        tax_months=TaxMonths(store, who, counter),
        papers=MoneyPapers(store, who, counter),
    )
