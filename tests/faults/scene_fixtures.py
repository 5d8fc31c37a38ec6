"""pytest plugin with the fixture `scene`."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.faults.scene import Scene
from tests.support.world import World


@pytest.fixture
def scene(world: World) -> Iterator[Scene]:
    siti, budi = world.counter("siti"), world.counter("budi", "Kasir 2")
    world.open_shift(siti, budi)
    siti.close()
    budi.close()
    with psycopg.connect(world.database.owner_url, autocommit=True) as owner:
        made = Scene(world=world, owner=owner)
        deadlocks = made.value("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        try:
            yield made
        finally:
            made.close()
        assert made.value("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()") == deadlocks
