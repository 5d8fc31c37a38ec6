"""The booking machine: the seed's arrows, who may go along them, and that nothing else is possible."""

import itertools

import pytest

from app.domain.booking import FINAL_STATES, TRANSITIONS, Action, BookingState, allowed_actions, transition
from app.domain.errors import Refusal, RefusalCode
from app.domain.staff import Role

EVERYONE = frozenset(Role)

SEED = {
    (None, "PENDING_PAYMENT"),
    ("PENDING_PAYMENT", "CANCELLED"),
    ("PENDING_PAYMENT", "PAID_APPROVED"),
    ("PAID_APPROVED", "DISPATCHED"),
    ("DISPATCHED", "ACTIVE_RENTAL"),
    ("ACTIVE_RENTAL", "EXTENSION_PENDING"),
    ("EXTENSION_PENDING", "ACTIVE_RENTAL"),
    ("ACTIVE_RENTAL", "RETURNED_PENDING_CHECK"),
    ("RETURNED_PENDING_CHECK", "DISPUTED"),
    ("RETURNED_PENDING_CHECK", "COMPLETED"),
    ("DISPUTED", "COMPLETED"),
}


def test_the_arrows_of_the_seed_are_exactly_those_marked_so() -> None:
    drawn = {(s.value if s else None, t.to.value) for (s, _), t in TRANSITIONS.items() if t.from_seed}
    assert drawn == SEED


@pytest.mark.parametrize("action", list(Action))
@pytest.mark.parametrize("state", sorted(FINAL_STATES))
def test_final_states_have_no_way_out(state: BookingState, action: Action) -> None:
    with pytest.raises(Refusal) as no:
        transition(state, action, EVERYONE)
    assert no.value.code is RefusalCode.BOOKING_STATE


@pytest.mark.parametrize(("state", "action"), list(itertools.product([None, *BookingState], Action)))
def test_only_the_roles_of_the_table_may_act(state: BookingState | None, action: Action) -> None:
    known = TRANSITIONS.get((state, action))
    for role in Role:
        if known is not None and role in known.roles:
            assert transition(state, action, frozenset({role})) is known
        else:
            with pytest.raises(Refusal) as no:
                transition(state, action, frozenset({role}))
            assert no.value.code is (RefusalCode.NOT_ALLOWED if known else RefusalCode.BOOKING_STATE)


def test_buttons_come_from_the_same_table() -> None:
    found = allowed_actions(BookingState.PENDING_PAYMENT, frozenset({Role.CASHIER}))
    assert found == {Action.PAY, Action.CANCEL}


def test_every_state_can_be_reached() -> None:
    assert {t.to for t in TRANSITIONS.values()} == set(BookingState)
