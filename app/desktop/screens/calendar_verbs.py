"""What may be done with a bar, with free days, and why not: one table for keys, context menu and dragging."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QCoreApplication

from app.desktop.error_words import role_label
from app.desktop.states import ShownState, state_label
from app.desktop.widgets.month_grid_ghost import Grip
from app.desktop.widgets.month_grid_spans import Span
from app.domain.booking import TRANSITIONS, Action, BookingState, allowed_actions
from app.domain.staff import Role
from app.usecases.cancellations import HOLDERS

_RESCHEDULED = frozenset({Grip.BODY, Grip.ROW, Grip.START, Grip.END})


class VerbKind(StrEnum):
    """Everything the grid can do, in the order of the context menu."""

    OPEN = "open"
    PAY = "pay"
    CHECK_OUT = "check_out"
    CHECK_IN = "check_in"
    EXTEND = "extend"
    START = "start"
    MOVE = "move"
    PARK = "park"
    HOLD_LONGER = "hold_longer"
    CANCEL = "cancel"
    NO_SHOW = "no_show"
    REJECT = "reject"
    END_BLOCK = "end_block"
    BOOK = "book"
    BLOCK = "block"
    WAITLIST = "waitlist"


KEYS = {
    VerbKind.OPEN: "Return",
    VerbKind.PAY: "F9",
    VerbKind.CHECK_OUT: "F7",
    VerbKind.CHECK_IN: "F8",
    VerbKind.EXTEND: "X",
    VerbKind.START: "Shift+X",
    VerbKind.MOVE: "P",
    VerbKind.PARK: "Shift+P",
    VerbKind.HOLD_LONGER: "Ctrl+H",
    VerbKind.CANCEL: "Del",
    VerbKind.NO_SHOW: "Shift+Del",
    VerbKind.REJECT: "Del",
    VerbKind.END_BLOCK: "Del",
    VerbKind.BOOK: "Return",
    VerbKind.BLOCK: "M",
    VerbKind.WAITLIST: "W",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One line of the menu. A `reason` says why it does not work now; empty when it does."""

    kind: VerbKind
    text: str
    reason: str = ""

    @property
    def key(self) -> str:
        return KEYS[self.kind]


def grips_of(span: Span, roles: frozenset[Role]) -> frozenset[Grip]:
    """Where whoever has these roles may hold a bar; nowhere for days without a booking."""
    bar = span.bar
    if bar is None or bar.state is None or bar.booking_id is None or span.turnaround or span.tail:
        return frozenset()
    allowed = allowed_actions(bar.state, roles)
    if Action.RESCHEDULE in allowed:
        return _RESCHEDULED
    found: set[Grip] = set()
    if allowed & {Action.REQUEST_EXTENSION, Action.SHORTEN}:
        found.add(Grip.END)
    if Action.SWAP_UNIT in allowed:
        found.add(Grip.ROW)
    return frozenset(found)


def stuck_reason(span: Span, grip: Grip, roles: frozenset[Role]) -> str:
    """Why a bar cannot be held there; empty when it can."""
    bar = span.bar
    allowed = grips_of(span, roles)
    if grip in allowed or (grip is Grip.BODY and Grip.ROW in allowed):
        return ""
    if bar is None or bar.state is None:
        if span.state is ShownState.MAINTENANCE:
            return QCoreApplication.translate("GridVerbs", "Perawatan diubah dengan Del dan M, bukan dengan seret.")
        return QCoreApplication.translate("GridVerbs", "Namanya belum terbaca.")
    if bar.state is BookingState.EXTENSION_PENDING:
        return QCoreApplication.translate(
            "GridVerbs", "Perpanjangannya belum dibayar: bayar (F9) atau tolak (Del) dulu."
        )
    wanted = (
        (Action.REQUEST_EXTENSION, Action.RESCHEDULE)
        if grip is Grip.END
        else (Action.RESCHEDULE,)
        if grip is Grip.START
        else (Action.RESCHEDULE, Action.SWAP_UNIT)
    )
    needed = _roles_for(bar.state, wanted)
    if needed and bar.state is BookingState.ACTIVE_RENTAL and grip is not Grip.END:
        text = QCoreApplication.translate("GridVerbs", "Unitnya sedang disewa: menggantinya perlu peran {0}.")
        return text.format(" / ".join(role_label(role.value) for role in sorted(needed)))
    if needed:
        return _needs(*sorted(needed))
    word = state_label(ShownState(bar.state.value)).lower()
    if grip is Grip.START and bar.state is BookingState.ACTIVE_RENTAL:
        return QCoreApplication.translate("GridVerbs", "Tanggal ambil tidak bisa diubah: unit sudah diserahkan.")
    return QCoreApplication.translate("GridVerbs", "Tidak bisa diubah lagi: {0}.").format(word)


def _needs(*roles: Role) -> str:
    """Whose work this is: any one of these roles."""
    either = QCoreApplication.translate("GridVerbs", " atau ")
    text = QCoreApplication.translate("GridVerbs", "Perlu peran {0}.")
    return text.format(either.join(role_label(role.value) for role in roles))


def _roles_for(state: BookingState, actions: Collection[Action]) -> frozenset[Role]:
    found = [TRANSITIONS[state, action].roles for action in actions if (state, action) in TRANSITIONS]
    return frozenset().union(*found)


def bar_verbs(
    span: Span,
    roles: frozenset[Role],
    *,
    away: str,
    pay_reason: str | None,
    is_parked: bool,
    no_show: str | None = None,
) -> tuple[Verb, ...]:
    """The verbs of a bar; `away` says why nothing can be written now, `pay_reason` None leaves paying out, `no_show`
    why it is no no-show yet (None: nothing can be one here).
    """
    bar = span.bar
    if bar is None:
        return ()
    if span.state is ShownState.MAINTENANCE:
        needed = away or block_reason(roles)
        return (
            Verb(kind=VerbKind.OPEN, text=QCoreApplication.translate("GridVerbs", "Lihat kartu")),
            Verb(
                kind=VerbKind.END_BLOCK,
                text=QCoreApplication.translate("GridVerbs", "Akhiri perawatan"),
                reason=needed,
            ),
        )
    found = [Verb(kind=VerbKind.OPEN, text=QCoreApplication.translate("GridVerbs", "Buka kartu booking"))]
    nothing_due = QCoreApplication.translate("GridVerbs", "Tidak ada yang perlu dibayar.")
    pay = QCoreApplication.translate("GridVerbs", "Bayar")
    found.append(Verb(kind=VerbKind.PAY, text=pay, reason=nothing_due if pay_reason is None else pay_reason))
    found.append(_handover(bar.state))
    is_out = bar.state in (BookingState.ACTIVE_RENTAL, BookingState.EXTENSION_PENDING)
    extend = (
        QCoreApplication.translate("GridVerbs", "Perpanjang atau persingkat")
        if is_out
        else QCoreApplication.translate("GridVerbs", "Ubah hari terakhir")
    )
    found.append(Verb(kind=VerbKind.EXTEND, text=extend, reason=away or stuck_reason(span, Grip.END, roles)))
    if not is_out:
        text = QCoreApplication.translate("GridVerbs", "Ubah hari pertama")
        found.append(Verb(kind=VerbKind.START, text=text, reason=away or stuck_reason(span, Grip.START, roles)))
    move = stuck_reason(span, Grip.BODY, roles)
    found.append(
        Verb(
            kind=VerbKind.MOVE,
            text=QCoreApplication.translate("GridVerbs", "Pindah unit atau tanggal"),
            reason=away or move,
        )
    )
    park = (
        QCoreApplication.translate("GridVerbs", "Kembalikan dari parkir")
        if is_parked
        else QCoreApplication.translate("GridVerbs", "Parkir sementara")
    )
    found.append(Verb(kind=VerbKind.PARK, text=park, reason="" if is_parked else away or move))
    if bar.state is BookingState.PENDING_PAYMENT:
        text = QCoreApplication.translate("GridVerbs", "Tahan lebih lama")
        found.append(Verb(kind=VerbKind.HOLD_LONGER, text=text, reason=away or longer_reason(roles)))
    found.append(_ending(span, roles, away))
    if no_show is not None:
        text = QCoreApplication.translate("GridVerbs", "Tidak datang")
        found.append(Verb(kind=VerbKind.NO_SHOW, text=text, reason=away or no_show))
    found.append(
        Verb(
            kind=VerbKind.BLOCK,
            text=QCoreApplication.translate("GridVerbs", "Perawatan"),
            reason=away
            or block_reason(roles)
            or QCoreApplication.translate("GridVerbs", "Harinya terpakai booking ini."),
        )
    )
    return tuple(found)


def _handover(state: BookingState | None) -> Verb:
    """Handing the unit out, or taking it back once it is out; both have their place here and no screen yet."""
    before = (BookingState.PENDING_PAYMENT, BookingState.PAID_APPROVED, BookingState.DISPATCHED)
    reason = QCoreApplication.translate("GridVerbs", "Layarnya belum ada di versi ini.")
    if state in before:
        text = QCoreApplication.translate("GridVerbs", "Serah unit")
        return Verb(kind=VerbKind.CHECK_OUT, text=text, reason=reason)
    text = QCoreApplication.translate("GridVerbs", "Terima unit")
    return Verb(kind=VerbKind.CHECK_IN, text=text, reason=reason)


def _ending(span: Span, roles: frozenset[Role], away: str) -> Verb:
    """Cancelling the booking, or refusing its extension."""
    bar = span.bar
    state = bar.state if bar is not None else None
    if state is BookingState.EXTENSION_PENDING:
        allowed = Action.REJECT_EXTENSION in allowed_actions(state, roles)
        reason = _needs(Role.AGENT)
        return Verb(
            kind=VerbKind.REJECT,
            text=QCoreApplication.translate("GridVerbs", "Tolak perpanjangan"),
            reason=away or ("" if allowed else reason),
        )
    text = QCoreApplication.translate("GridVerbs", "Batalkan booking")
    if state is BookingState.PAID_APPROVED:
        allowed = Action.CANCEL_PAID in allowed_actions(state, roles)
        return Verb(kind=VerbKind.CANCEL, text=text, reason=away or ("" if allowed else _needs(Role.AGENT)))
    if state is not BookingState.PENDING_PAYMENT:
        only = QCoreApplication.translate("GridVerbs", "Hanya sebelum unitnya diserahkan.")
        return Verb(kind=VerbKind.CANCEL, text=text, reason=only)
    allowed = Action.CANCEL in allowed_actions(state, roles)
    reason = _needs(Role.AGENT, Role.CASHIER)
    return Verb(kind=VerbKind.CANCEL, text=text, reason=away or ("" if allowed else reason))


def day_verbs(roles: frozenset[Role], *, is_free: bool, away: str, blocked: str) -> tuple[Verb, ...]:
    """The verbs of free days, or of a day that is taken (then only waiting is left); `blocked` says why not to book."""
    found: list[Verb] = []
    if is_free or blocked:
        found.append(
            Verb(
                kind=VerbKind.BOOK,
                text=QCoreApplication.translate("GridVerbs", "Booking baru"),
                reason=away or blocked or booking_reason(roles),
            )
        )
        found.append(
            Verb(
                kind=VerbKind.BLOCK,
                text=QCoreApplication.translate("GridVerbs", "Perawatan"),
                reason=away or blocked or block_reason(roles),
            )
        )
    found.append(
        Verb(
            kind=VerbKind.WAITLIST,
            text=QCoreApplication.translate("GridVerbs", "Masukkan antrean"),
            reason=away or waitlist_reason(roles),
        )
    )
    return tuple(found)


def booking_reason(roles: frozenset[Role]) -> str:
    """Why whoever has these roles may not book; empty when they may."""
    if roles & TRANSITIONS[None, Action.CREATE].roles:
        return ""
    return _needs(Role.AGENT, Role.CASHIER)


def longer_reason(roles: frozenset[Role]) -> str:
    """Why whoever has these roles may not let an unpaid booking wait; empty when they may, with a manager's word."""
    return "" if roles & HOLDERS else _needs(Role.AGENT, Role.CASHIER)


def block_reason(roles: frozenset[Role]) -> str:
    """Why whoever has these roles may not take a unit out of rent; empty when they may."""
    if roles & {Role.AGENT, Role.INSPECTOR}:
        return ""
    return _needs(Role.AGENT, Role.INSPECTOR)


def waitlist_reason(roles: frozenset[Role]) -> str:
    """Why whoever has these roles may not put a customer on the waitlist; empty when they may."""
    if roles & {Role.AGENT, Role.CASHIER}:
        return ""
    return _needs(Role.AGENT, Role.CASHIER)
