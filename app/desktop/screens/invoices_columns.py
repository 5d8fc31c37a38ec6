"""How wide the columns of the invoice list are: those of what is owed, and those of what was paid today."""

from app.desktop.screens.invoices_table import AMOUNT, CUSTOMER, DUE, KIND, LEFT, LOCK, NUMBER, STATE, UNIT
from app.desktop.widgets.table import ListTable

WIDTHS = (112, 120, 170, 130, 134, 154, 130, 170, 190)
"""Of a 1310 px wide list; wider and narrower ones share the difference."""
PAID_WIDTHS = (204, 120, 200, 150, 0, 180, 160, 296, 0)
"""Of paid invoices: their whole number and the time they were paid; no deadline, no lock."""
LOW_WIDTHS = (106, 0, 114, 102, 126, 92, 134, 66, 123)
"""Of a list of 863 px, 150 % on a small screen: the kind goes, the state keeps its code."""
LOW = 1100


def fit_columns(table: ListTable, width: int, *, paid: bool) -> None:
    """Share `width` among the columns; those with nothing to say are hidden."""
    low = is_low(width) and not paid
    table.setColumnHidden(DUE, paid)
    table.setColumnHidden(LOCK, paid)
    table.setColumnHidden(KIND, low)
    widths = PAID_WIDTHS if paid else LOW_WIDTHS if low else WIDTHS
    extra = width - sum(widths)
    if paid and extra < 0:
        shares = {KIND: 0.08, CUSTOMER: 0.2, UNIT: 0.1, LEFT: 0.15, AMOUNT: 0.07, STATE: 0.4}
    elif paid:
        shares = {CUSTOMER: 0.5, UNIT: 0.2, STATE: 0.3}
    elif low:
        shares = {CUSTOMER: 0.5, LOCK: 0.5}
    elif extra > 0:
        shares = {CUSTOMER: 0.3, UNIT: 0.2, DUE: 0.15, LEFT: 0.15, AMOUNT: 0.1}
    else:
        shares = {CUSTOMER: 0.4, UNIT: 0.2, LEFT: 0.4}
    table.set_widths(*(round(wide + extra * shares.get(at, 0.0)) for at, wide in enumerate(widths)))


def is_low(width: int) -> bool:
    """Too narrow for every column and word."""
    return width < LOW


def column_count() -> int:
    """How many columns there are, hidden or not."""
    return LOCK - NUMBER + 1
