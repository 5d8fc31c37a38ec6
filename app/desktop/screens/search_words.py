"""How a hit of the search is written: its title, the line below, what stands at the right."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.desktop.formats import day_with_weekday, money, period_short, phone
from app.desktop.language import language
from app.desktop.states import ShownState
from app.domain.booking import BookingState
from app.domain.catalogue import UnitStatus
from app.domain.invoice import InvoiceState
from app.usecases.rows_search import SearchHit, SearchKind

ICONS = {
    SearchKind.UNIT: "calendar",
    SearchKind.BOOKING: "booking",
    SearchKind.INVOICE: "invoice",
    SearchKind.CUSTOMER: "user",
}

_BACK = frozenset({BookingState.RETURNED_PENDING_CHECK, BookingState.DISPUTED})
"""The customer has given the unit back; whatever days were agreed it is not out today."""
SHOWN_UNITS, SHOWN = 6, 12
"""So many units, and so many hits of all kinds, are listed; whoever looks for more types more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HitWords:
    """`state` is drawn as a chip, `right` as a text; `spoken` is the whole line for a screen reader."""

    kind: str
    title: str
    detail: str
    right: str = ""
    state: ShownState | None = None

    @property
    def spoken(self) -> str:
        return ", ".join(part for part in (self.kind, self.title, self.detail, self.right) if part)


def hit_words(hit: SearchHit, own_branch: str | None) -> HitWords:
    """In the language in use."""
    match hit.kind:
        case SearchKind.UNIT:
            return _unit(hit, own_branch)
        case SearchKind.BOOKING:
            return HitWords(
                kind=QCoreApplication.translate("Search", "Booking"),
                title=hit.title,
                detail=_joined(hit.customer_name, hit.plate, _period(hit)),
                state=_state(hit),
            )
        case SearchKind.INVOICE:
            return _invoice(hit)
        case SearchKind.CUSTOMER:
            kind = QCoreApplication.translate("Search", "Pelanggan")
            return HitWords(kind=kind, title=hit.title, detail=phone(hit.phone))


def _unit(hit: SearchHit, own_branch: str | None) -> HitWords:
    holder = ""
    if hit.booking_id is not None and hit.days is not None and hit.is_late:
        since = QCoreApplication.translate("Search", "{0}, seharusnya kembali {1}")
        holder = since.format(hit.customer_name, day_with_weekday(hit.days.last, language()))
    elif hit.booking_id is not None and hit.state in _BACK:
        back = QCoreApplication.translate("Search", "sudah kembali dari {0}")
        holder = back.format(hit.customer_name)
    elif hit.booking_id is not None and hit.days is not None:
        until = QCoreApplication.translate("Search", "hari ini {0} s.d. {1}")
        holder = until.format(hit.customer_name, day_with_weekday(hit.days.last, language()))
    elif hit.unit_status is UnitStatus.MAINTENANCE:
        holder = QCoreApplication.translate("Search", "dalam perawatan")
    return HitWords(
        kind=QCoreApplication.translate("Search", "Unit"),
        title=hit.title,
        detail=_joined(hit.sku_name, holder),
        right="" if hit.branch_id == own_branch else hit.branch_name,
        state=_state(hit),
    )


def _invoice(hit: SearchHit) -> HitWords:
    paid = hit.invoice_state is InvoiceState.PAID
    word = (
        QCoreApplication.translate("Search", "lunas") if paid else QCoreApplication.translate("Search", "belum lunas")
    )
    return HitWords(
        kind=QCoreApplication.translate("Search", "Tagihan"),
        title=hit.title,
        detail=_joined(hit.customer_name, hit.plate, word),
        right=money(hit.total, language()) if hit.total is not None else "",
    )


def _period(hit: SearchHit) -> str:
    return period_short(hit.days.first, hit.days.last, language()) if hit.days is not None else ""


def _state(hit: SearchHit) -> ShownState | None:
    if hit.is_late:
        return ShownState.OVERDUE
    return ShownState(hit.state.value) if hit.state is not None else None


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


def nothing_found(text: str) -> str:
    return QCoreApplication.translate("Search", "Tidak ditemukan: {0}").format(text)


def searching() -> str:
    return QCoreApplication.translate("Search", "Mencari…")


def listed(hits: tuple[SearchHit, ...]) -> tuple[tuple[SearchHit, ...], bool]:
    """The hits that are shown, and whether there are or may be more."""
    units = [hit for hit in hits if hit.kind is SearchKind.UNIT]
    left_out = units[SHOWN_UNITS:]
    shown = tuple(hit for hit in hits if hit not in left_out)[:SHOWN]
    return shown, len(shown) < len(hits) or len(hits) >= SHOWN


def hits_counted(count: int, *, is_cut: bool) -> str:
    """How many are listed; of a longer list, that they are its first."""
    if is_cut:
        return QCoreApplication.translate("Search", "{0} yang pertama; ketik lebih lengkap").format(count)
    return QCoreApplication.translate("Search", "{0} hasil").format(count)
