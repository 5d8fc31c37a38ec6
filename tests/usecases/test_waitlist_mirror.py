"""The waitlist's sorted sets: each member has the score of the place that PostgreSQL says, whatever came in between."""

from collections.abc import Callable, Sequence
from typing import Any, cast

from app.bootstrap import Counter
from app.domain.waitlist import score
from app.usecases.ports import Reads, Store
from app.usecases.rows_waitlist import MirroredPlace
from app.usecases.waitlist import WaitlistWish
from app.usecases.waitlist_mirror import rebuild_mirror
from tests.support.world import SKU, World, days

pytest_plugins = ("tests.support.world_fixtures",)

APRIL = days("2027-04-01")
KEY = f"waitlist:{SKU}:20270401"
RINA, BAGUS = ("Rina Maharani", "0812 0000 1234"), ("Bagus Prasetyo", "0812 7777 0001")


def join(who: Counter, customer: tuple[str, str] = RINA) -> str:
    """The entry's id."""
    name, phone = customer
    wish = WaitlistWish(sku=SKU, period=APRIL, customer_name=name, customer_phone=phone)
    return who.waitlist.join_waitlist(wish).entry.id


def mirrored(world: World) -> list[tuple[str, float]]:
    """Names and scores in the sorted set, lowest first."""
    with world.redis() as client:
        found: Sequence[tuple[bytes, float]] = cast(Any, client.zrange(KEY, 0, -1, withscores=True))
    names = {str(key): str(name) for key, name in world.rows("SELECT id::text, name FROM sentra.customer")}
    return [(names[member.decode()], value) for member, value in found]


def recorded(world: World) -> list[tuple[str, float]]:
    """The same as the rows say: of a customer in two branches the better place."""
    rows: list[tuple[Any, ...]] = world.rows(
        "SELECT DISTINCT ON (c.id) c.name, w.tier_weight, w.joined_at FROM sentra.waitlist_entry AS w"
        " JOIN sentra.customer AS c ON c.id = w.customer_id WHERE w.state = 'WAITING'"
        " ORDER BY c.id, w.tier_weight, w.joined_at"
    )
    return sorted(((str(name), score(weight, at)) for name, weight, at in rows), key=lambda item: item[1])


def test_a_new_place_after_a_withdrawal_that_redis_never_heard_of_is_a_place_at_the_end(world: World) -> None:
    siti = world.counter("siti")
    first = join(siti)
    world.after(minutes=5)
    join(siti, BAGUS)
    world.counter("siti", "Kasir 2", redis_url=None).waitlist.withdraw_waitlist(first)
    world.after(minutes=5)
    join(siti)
    assert [name for name, _ in mirrored(world)] == ["Bagus Prasetyo", "Rina Maharani"]
    assert mirrored(world) == recorded(world)


def test_a_place_joined_again_keeps_the_first_score(world: World) -> None:
    siti = world.counter("siti")
    first = join(siti)
    before = mirrored(world)
    world.after(minutes=5)
    assert join(siti) == first
    assert mirrored(world) == before


def test_of_two_branches_the_better_place_counts_and_the_other_one_when_that_is_gone(world: World) -> None:
    siti, rahmat = world.counter("siti"), world.counter("rahmat")
    here = join(siti)
    world.after(hours=1)
    join(siti, BAGUS)
    world.after(hours=1)
    join(rahmat)
    assert [name for name, _ in mirrored(world)] == ["Rina Maharani", "Bagus Prasetyo"]
    assert mirrored(world) == recorded(world)
    siti.waitlist.withdraw_waitlist(here)
    assert [name for name, _ in mirrored(world)] == ["Bagus Prasetyo", "Rina Maharani"]
    assert mirrored(world) == recorded(world)


def test_a_wrong_score_is_mended_by_the_comparison(world: World) -> None:
    service = world.service()
    siti = world.counter("siti")
    join(siti)
    world.after(minutes=5)
    join(siti, BAGUS)
    with world.redis() as client:
        for member, value in cast(Any, client.zrange(KEY, 0, -1, withscores=True)):
            client.zadd(KEY, {member: -value})
    assert [name for name, _ in mirrored(world)] == ["Bagus Prasetyo", "Rina Maharani"]
    assert rebuild_mirror(service.store, service.waitlist) == 2
    assert mirrored(world) == recorded(world)
    assert rebuild_mirror(service.store, service.waitlist) == 0


class _Meanwhile:
    """A store whose first reading of the places happens between two steps of somebody else."""

    def __init__(self, store: Store, before: Callable[[], object], after: Callable[[], object]) -> None:
        self._store = store
        self._steps = [before, after]

    @property
    def read(self) -> Reads:
        return cast(Reads, self)

    def waiting_places(self) -> tuple[MirroredPlace, ...]:
        steps, self._steps = self._steps, []
        for step in steps[:1]:
            step()
        found = self._store.read.waiting_places()
        for step in steps[1:]:
            step()
        return found


def test_a_customer_who_leaves_and_comes_back_while_the_sets_are_compared_keeps_the_new_place(world: World) -> None:
    service, siti = world.service(), world.counter("siti")
    first = join(siti)
    between = _Meanwhile(service.store, lambda: siti.waitlist.withdraw_waitlist(first), lambda: join(siti))
    rebuild_mirror(cast(Store, between), service.waitlist)
    assert [name for name, _ in mirrored(world)] == ["Rina Maharani"]
    assert mirrored(world) == recorded(world)


def test_a_customer_who_leaves_while_the_sets_are_compared_is_gone(world: World) -> None:
    service, siti = world.service(), world.counter("siti")
    first = join(siti)
    with world.redis() as client:
        client.delete(KEY)
    between = _Meanwhile(service.store, lambda: None, lambda: siti.waitlist.withdraw_waitlist(first))
    rebuild_mirror(cast(Store, between), service.waitlist)
    assert mirrored(world) == recorded(world) == []
