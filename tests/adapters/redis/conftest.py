"""The index over this worker's Redis, emptied for each test, and a plain client beside it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from app.adapters.redis.availability import RedisAvailability
from app.adapters.redis.connection import Link, open_link


@pytest.fixture
def raw(redis_url: str) -> Iterator[redis.Redis]:
    """A plain client, as `redis-cli` or another part of Sentra would use the same server."""
    with redis.Redis.from_url(redis_url, protocol=2) as client:
        yield client


@pytest.fixture
def link(redis_url: str) -> Iterator[Link]:
    found = open_link(redis_url)
    yield found
    found.close()


@pytest.fixture
def index(link: Link) -> RedisAvailability:
    return RedisAvailability(link)
