"""The fixtures everyone builds on do what they promise."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import psycopg
import redis

from tests.support.databases import ScratchDatabase
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


def test_each_test_gets_a_provisioned_database_with_the_clock_in_its_hand(database: ScratchDatabase) -> None:
    moment = datetime(2030, 1, 31, 23, 59, tzinfo=UTC)
    assert database.clock.stand(moment) == moment
    assert database.clock.advance(timedelta(minutes=15)) == moment + timedelta(minutes=15)
    with psycopg.connect(database.owner_url) as connection:
        assert connection.execute("SELECT sentra.now(), count(*) FROM sentra.booking").fetchone() == (
            moment + timedelta(minutes=15),
            0,
        )
        connection.execute("CREATE TABLE sentra.left_behind ()")


def test_what_one_test_does_to_its_database_no_other_test_sees(database: ScratchDatabase) -> None:
    with psycopg.connect(database.owner_url) as connection:
        assert connection.execute("SELECT to_regclass('sentra.left_behind')").fetchone() == (None,)
    before = datetime.now(UTC)
    assert abs(database.clock.now() - before) < timedelta(minutes=1)


def test_a_login_role_gets_a_url_it_can_log_in_with(database: ScratchDatabase) -> None:
    with psycopg.connect(database.owner_url, autocommit=True) as connection:
        connection.execute(f'CREATE ROLE "{database.prefix}_rina" LOGIN IN ROLE "{database.prefix}_cashier"'.encode())
    with psycopg.connect(database.url_for("rina")) as connection:
        assert connection.execute("SELECT session_user::text").fetchone() == (f"{database.prefix}_rina",)
