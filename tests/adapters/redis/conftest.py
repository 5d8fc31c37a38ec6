"""Real Redis servers for the adapter tests: one shared and emptied for each test, more on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import redis

from app.adapters.redis.availability import RedisAvailability
from app.adapters.redis.connection import Link, open_link
from tests.adapters.redis.private_redis import PrivateRedis


@pytest.fixture(scope="session")
def shared_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateRedis]:
    with PrivateRedis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def emptied_redis(shared_redis: PrivateRedis) -> PrivateRedis:
    with shared_redis.client() as client:
        client.flushall()
    return shared_redis


@pytest.fixture
def raw(emptied_redis: PrivateRedis) -> Iterator[redis.Redis]:
    """A plain client, as `redis-cli` or another part of Sentra would use the same server."""
    with emptied_redis.client() as client:
        yield client


@pytest.fixture
def link(emptied_redis: PrivateRedis) -> Iterator[Link]:
    found = open_link(emptied_redis.url)
    yield found
    found.close()


@pytest.fixture
def index(link: Link) -> RedisAvailability:
    return RedisAvailability(link)


@pytest.fixture
def new_redis(tmp_path: Path) -> Iterator[Callable[[], PrivateRedis]]:
    """Servers that a test may kill or freeze."""
    with ExitStack() as servers:

        def start() -> PrivateRedis:
            return servers.enter_context(PrivateRedis(tmp_path))

        yield start
