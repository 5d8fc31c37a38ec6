"""The whole booking machine by use cases: every edge as each role that may, refused for every other role and edge."""

import pytest

from app.domain.booking import TRANSITIONS, Action, BookingState
from app.domain.errors import Refusal, RefusalCode
from tests.support.world import World
from tests.usecases.edge_rig import ACTS, LOGINS, PATHS, EdgeRig

pytest_plugins = ("tests.support.world_fixtures",)

EDGES = {edge: to for edge, to in TRANSITIONS.items() if edge[0] is not None}
BY_THE_CLOCK = {Action.EXPIRE, Action.NO_SHOW}
PAYMENTS = {Action.PAY, Action.APPROVE_EXTENSION, Action.SETTLE_CHARGES}
"""At the till the invoice says which of them it is."""
SENT_AGAIN = {
    (BookingState.EXTENSION_PENDING, Action.REQUEST_EXTENSION),
    (BookingState.DISPUTED, Action.DISPUTE),
}
"""The very step that led here, sent once more: answered, and nothing is written."""
WITHOUT_AN_EDGE = {RefusalCode.BOOKING_STATE, RefusalCode.NOT_FOUND, RefusalCode.PERIOD_INVALID}
"""PERIOD_INVALID: a change of days of a booking that is over or out is refused by what it would change."""


def test_every_edge_of_the_table_is_walked_by_a_use_case_as_its_role(world: World) -> None:
    rig = EdgeRig(world=world, units=len(EDGES))
    walked = []
    for (state, action), edge in EDGES.items():
        if action in BY_THE_CLOCK:
            continue
        assert state is not None
        booking_id = rig.led_to(state)
        rig.act(next(login for login, roles in LOGINS.items() if roles & edge.roles), action, booking_id)
        walked.append((state, action, BookingState(str(world.state(booking_id)))))
    unpaid, missed = (rig.led_to(state) for state in (BookingState.PENDING_PAYMENT, BookingState.PAID_APPROVED))
    world.after(minutes=16)
    world.service().sweeps.expire()
    walked.append((BookingState.PENDING_PAYMENT, Action.EXPIRE, BookingState(str(world.state(unpaid)))))
    world.after(hours=2)
    rig.act("ayu", Action.NO_SHOW, missed)
    walked.append((BookingState.PAID_APPROVED, Action.NO_SHOW, BookingState(str(world.state(missed)))))
    world.service().sweeps.expire()
    assert sorted(walked) == sorted((state, action, edge.to) for (state, action), edge in EDGES.items())
    world.catch_up()
    world.assert_sound()


def test_every_other_role_is_refused_at_every_edge(world: World) -> None:
    rig = EdgeRig(world=world, units=len(PATHS))
    standing = {state: rig.led_to(state) for state in PATHS}
    passed = []
    for (state, action), edge in EDGES.items():
        assert state is not None
        booking_id = standing[state]
        before = rig.standing(booking_id)
        for login, roles in LOGINS.items():
            if roles & edge.roles:
                continue
            with pytest.raises(Refusal) as no:
                rig.act(login, action, booking_id)
            if no.value.code not in {RefusalCode.NOT_ALLOWED, RefusalCode.APPROVAL_NEEDED}:
                passed.append((state, action, login, str(no.value)))
        assert rig.standing(booking_id) == before, (state, action)
    assert passed == []


def test_every_action_without_an_edge_is_refused_even_to_a_manager(world: World) -> None:
    rig = EdgeRig(world=world, units=len(PATHS))
    standing = {state: rig.led_to(state) for state in PATHS}
    passed = []
    for state, booking_id in standing.items():
        before = rig.standing(booking_id)
        for action in ACTS:
            if (state, action) in EDGES or (action in PAYMENTS and any((state, other) in EDGES for other in PAYMENTS)):
                continue
            if action is Action.EXPIRE:
                rig.act_of_the_service(action, booking_id)
                assert rig.standing(booking_id) == before, (state, action)
                continue
            try:
                rig.act("maya", action, booking_id)
            except Refusal as no:
                if no.code not in WITHOUT_AN_EDGE:
                    passed.append((state, action, str(no)))
            else:
                if (state, action) not in SENT_AGAIN:
                    passed.append((state, action, "done"))
            assert rig.standing(booking_id) == before, (state, action)
    assert passed == []
