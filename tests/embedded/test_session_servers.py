"""The fixtures everyone builds on do what they promise."""

from collections.abc import Callable

import psycopg
import redis

from tests.support.processes import Processes
from tests.support.redis_nodes import RedisNode


def test_the_session_has_one_postgresql_18_with_utf_8(owner_url: str) -> None:
    with psycopg.connect(owner_url) as connection:
        assert connection.info.server_version >= 180000
        assert connection.info.parameter_status("server_encoding") == "UTF8"


def test_each_test_gets_an_empty_redis(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        assert client.dbsize() == 0
        client.set("left", "behind")


def test_each_test_gets_an_empty_redis_also_after_another(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        assert client.dbsize() == 0
        client.set("left", "behind")


def test_redis_nodes_are_independent_and_come_back_empty(redis_factory: Callable[[], RedisNode]) -> None:
    first, second = redis_factory(), redis_factory()
    with redis.Redis.from_url(first.url) as one, redis.Redis.from_url(second.url) as two:
        one.set("key", "1")
        assert two.get("key") is None
        url = first.url
        first.restart_empty()
        assert first.url == url
        assert one.get("key") is None


def test_a_child_process_is_read_line_by_line_and_killed(processes: Processes) -> None:
    child = processes.script("print('{\"ready\": true}'); input(); print('heard'); input()")
    assert child.json_line() == {"ready": True}
    child.tell("go")
    assert child.line() == "heard"
    child.kill()
    assert child.returncode == -9
