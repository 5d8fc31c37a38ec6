"""The booking machine: one table of (state, action) → (state, roles). Seed 10.2 and the product's additions.

Buttons are enabled from it, use cases refuse from it, and the database trigger holds a copy that a test compares.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.domain.errors import Refusal, RefusalCode
from app.domain.staff import Role


class BookingState(StrEnum):
    PENDING_PAYMENT = "PENDING_PAYMENT"
    PAID_APPROVED = "PAID_APPROVED"
    DISPATCHED = "DISPATCHED"
    ACTIVE_RENTAL = "ACTIVE_RENTAL"
    EXTENSION_PENDING = "EXTENSION_PENDING"
    RETURNED_PENDING_CHECK = "RETURNED_PENDING_CHECK"
    DISPUTED = "DISPUTED"
    COMPLETED = "COMPLETED"
    CANCELLED = "CANCELLED"


class Action(StrEnum):
    CREATE = "create"
    PAY = "pay"
    EXPIRE = "expire"
    CANCEL = "cancel"
    CHECK_OUT = "check_out"
    HAND_OVER = "hand_over"
    REQUEST_EXTENSION = "request_extension"
    APPROVE_EXTENSION = "approve_extension"
    REJECT_EXTENSION = "reject_extension"
    CHECK_IN = "check_in"
    CLEAR = "clear"
    DISPUTE = "dispute"
    SETTLE_CHARGES = "settle_charges"
    CANCEL_PAID = "cancel_paid"
    NO_SHOW = "no_show"
    RECALL = "recall"
    NOT_RETURNED = "not_returned"
    RESCHEDULE = "reschedule"
    SWAP_UNIT = "swap_unit"
    SHORTEN = "shorten"
    RELEASE_UNIT = "release_unit"
    HOLD_LONGER = "hold_longer"


class Source(StrEnum):
    COUNTER = "COUNTER"
    WAITLIST = "WAITLIST"
    REINSTATED = "REINSTATED"
    IMPORT = "IMPORT"


@dataclass(frozen=True, slots=True)
class Transition:
    """Where an action leads and who may do it. `from_seed` is False for what the seed's diagram does not draw."""

    to: BookingState
    roles: frozenset[Role]
    from_seed: bool = True


_S, _A, _R = BookingState, Action, Role


def _to(state: BookingState, *roles: Role, from_seed: bool = True) -> Transition:
    return Transition(state, frozenset(roles), from_seed)


TRANSITIONS: Mapping[tuple[BookingState | None, Action], Transition] = {
    (None, _A.CREATE): _to(_S.PENDING_PAYMENT, _R.AGENT, _R.CASHIER, _R.SERVICE),
    (_S.PENDING_PAYMENT, _A.PAY): _to(_S.PAID_APPROVED, _R.CASHIER, _R.SERVICE),
    (_S.PENDING_PAYMENT, _A.EXPIRE): _to(_S.CANCELLED, _R.SERVICE),
    (_S.PENDING_PAYMENT, _A.CANCEL): _to(_S.CANCELLED, _R.AGENT, _R.CASHIER),
    (_S.PAID_APPROVED, _A.CHECK_OUT): _to(_S.DISPATCHED, _R.INSPECTOR),
    (_S.DISPATCHED, _A.HAND_OVER): _to(_S.ACTIVE_RENTAL, _R.INSPECTOR),
    (_S.ACTIVE_RENTAL, _A.REQUEST_EXTENSION): _to(_S.EXTENSION_PENDING, _R.AGENT),
    (_S.EXTENSION_PENDING, _A.APPROVE_EXTENSION): _to(_S.ACTIVE_RENTAL, _R.CASHIER, _R.SERVICE),
    (_S.EXTENSION_PENDING, _A.REJECT_EXTENSION): _to(_S.ACTIVE_RENTAL, _R.AGENT, _R.SERVICE),
    (_S.ACTIVE_RENTAL, _A.CHECK_IN): _to(_S.RETURNED_PENDING_CHECK, _R.INSPECTOR),
    (_S.RETURNED_PENDING_CHECK, _A.CLEAR): _to(_S.COMPLETED, _R.INSPECTOR),
    (_S.RETURNED_PENDING_CHECK, _A.DISPUTE): _to(_S.DISPUTED, _R.INSPECTOR),
    (_S.DISPUTED, _A.SETTLE_CHARGES): _to(_S.COMPLETED, _R.CASHIER, _R.MANAGER),
    (_S.PAID_APPROVED, _A.CANCEL_PAID): _to(_S.CANCELLED, _R.AGENT, from_seed=False),
    (_S.PAID_APPROVED, _A.NO_SHOW): _to(_S.CANCELLED, _R.AGENT, from_seed=False),
    (_S.DISPATCHED, _A.RECALL): _to(_S.PAID_APPROVED, _R.INSPECTOR, from_seed=False),
    (_S.EXTENSION_PENDING, _A.CHECK_IN): _to(_S.RETURNED_PENDING_CHECK, _R.INSPECTOR, from_seed=False),
    (_S.ACTIVE_RENTAL, _A.NOT_RETURNED): _to(_S.DISPUTED, _R.MANAGER, from_seed=False),
    # Changes that keep the state.
    (_S.PENDING_PAYMENT, _A.RESCHEDULE): _to(_S.PENDING_PAYMENT, _R.AGENT, from_seed=False),
    (_S.PAID_APPROVED, _A.RESCHEDULE): _to(_S.PAID_APPROVED, _R.AGENT, from_seed=False),
    (_S.PENDING_PAYMENT, _A.SWAP_UNIT): _to(_S.PENDING_PAYMENT, _R.AGENT, from_seed=False),
    (_S.PAID_APPROVED, _A.SWAP_UNIT): _to(_S.PAID_APPROVED, _R.AGENT, from_seed=False),
    (_S.ACTIVE_RENTAL, _A.SWAP_UNIT): _to(_S.ACTIVE_RENTAL, _R.INSPECTOR, from_seed=False),
    (_S.ACTIVE_RENTAL, _A.SHORTEN): _to(_S.ACTIVE_RENTAL, _R.AGENT, from_seed=False),
    (_S.DISPUTED, _A.RELEASE_UNIT): _to(_S.DISPUTED, _R.INSPECTOR, from_seed=False),
    (_S.PENDING_PAYMENT, _A.HOLD_LONGER): _to(_S.PENDING_PAYMENT, _R.MANAGER, from_seed=False),
}

FINAL_STATES = frozenset({BookingState.COMPLETED, BookingState.CANCELLED})


def allowed_actions(state: BookingState, roles: frozenset[Role]) -> frozenset[Action]:
    """What a person with these roles may do to a booking in this state."""
    return frozenset(a for (s, a), t in TRANSITIONS.items() if s is state and t.roles & roles)


def transition(state: BookingState | None, action: Action, roles: frozenset[Role]) -> Transition:
    """The transition, or a refusal: BOOKING_STATE when the table has none, NOT_ALLOWED when the roles miss."""
    found = TRANSITIONS.get((state, action))
    if found is None:
        raise Refusal(RefusalCode.BOOKING_STATE, next=(), state=state.value if state else None, action=action.value)
    if not found.roles & roles:
        raise Refusal(RefusalCode.NOT_ALLOWED, next=(), action=action.value, roles=sorted(found.roles))
    return found
