"""Counters join one set of private servers per data folder, which ends when the last one is gone."""

import json
import shutil
import stat
import subprocess
from dataclasses import asdict
from pathlib import Path

import psycopg
import pytest
import redis

from app.embedded.errors import EmbeddedServersFailed
from app.embedded.folders import open_data_folder, write_private
from app.embedded.join import Joined, join
from app.embedded.kept import load_or_make
from app.embedded.options import SupervisorOptions, parse
from tests.embedded.conftest import BARE, JOINER, Joiner, is_free
from tests.support.processes import Processes, are_gone, descendants_of, state_of
from tests.support.waiting import eventually, stays


def test_a_second_member_gets_the_same_servers(joined: Joined, data_dir: Path) -> None:
    with join(data_dir, BARE) as second:
        assert second.answer == joined.answer


def test_the_servers_are_ours_and_work(joined: Joined) -> None:
    with psycopg.connect(joined.database_url) as connection:
        shown = {
            name: connection.execute(f"SHOW {name}".encode()).fetchone()
            for name in ("password_encryption", "data_checksums", "jit", "listen_addresses", "timezone")
        }
        assert shown == {
            "password_encryption": ("scram-sha-256",),
            "data_checksums": ("on",),
            "jit": ("off",),
            "listen_addresses": ("",),
            "timezone": ("UTC",),
        }
        assert connection.execute("SELECT current_database()::text, upper('é')").fetchone() == ("sentra", "É")
    assert joined.redis_url is not None
    with redis.Redis.from_url(joined.redis_url) as client:
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        assert client.config_get("save") == {"save": ""}
        assert client.config_get("appendonly") == {"appendonly": "no"}


def test_a_wrong_password_is_refused_by_both_servers(joined: Joined) -> None:
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(_with_password(joined.database_url, "wrong"))
    assert joined.redis_url is not None
    with redis.Redis.from_url(_with_password(joined.redis_url, "wrong"), retry=None) as client:
        with pytest.raises(redis.AuthenticationError):
            client.ping()


def test_psql_and_redis_cli_connect_with_the_urls_as_they_are(joined: Joined) -> None:
    psql, redis_cli = shutil.which("psql"), shutil.which("redis-cli")
    if psql is None or redis_cli is None:
        pytest.skip("psql and redis-cli are not installed here")
    asked = subprocess.run([psql, joined.database_url, "-Atc", "SELECT 6 * 7"], capture_output=True, text=True)
    assert asked.stdout == "42\n", asked.stderr
    assert joined.redis_url is not None
    asked = subprocess.run([redis_cli, "-u", joined.redis_url, "PING"], capture_output=True, text=True)
    assert asked.stdout == "PONG\n", asked.stderr


def test_secrets_are_readable_by_their_owner_only(joined: Joined, data_dir: Path) -> None:
    for name in ("servers.json", "supervisor.json"):
        assert stat.S_IMODE((data_dir / name).stat().st_mode) == 0o600
    assert joined.database_url.split(":")[2].split("@")[0] in (data_dir / "servers.json").read_text("utf-8")
    seen = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert "supervisor" in seen
    for url in (joined.database_url, str(joined.redis_url)):
        assert url.split("@")[0].rsplit(":", 1)[1] not in seen


def test_the_first_start_of_all_makes_a_cluster_and_the_next_keeps_it(new_data_dir: Path) -> None:
    with join(new_data_dir, BARE) as first:
        with psycopg.connect(first.database_url, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept (word text)")
    eventually(lambda: is_free(new_data_dir))
    with join(new_data_dir, BARE) as second:
        with psycopg.connect(second.database_url) as connection:
            assert connection.execute("SELECT count(*) FROM kept").fetchone() == (0,)


def test_five_first_joins_at_once_make_one_cluster(new_data_dir: Path, processes: Processes) -> None:
    joiners = [processes.script(JOINER, str(new_data_dir), *BARE.arguments()) for _ in range(5)]
    answers = [started.json_line(within=60) for started in joiners]
    assert all(answer == answers[0] for answer in answers)


def test_five_joins_at_once_make_one_supervisor(joiner: Joiner) -> None:
    joiners = [joiner() for _ in range(5)]
    answers = [started.json_line(within=60) for started in joiners]
    assert all(answer == answers[0] for answer in answers)


def test_the_servers_end_in_order_when_the_last_member_is_gone(data_dir: Path) -> None:
    first, second = join(data_dir, BARE), join(data_dir, BARE)
    pids = {first.supervisor_pid} | descendants_of(first.supervisor_pid)
    assert len(pids) > 3
    first.close()
    stays(lambda: state_of(second.supervisor_pid), during=0.5)
    second.close()
    eventually(lambda: are_gone(pids))
    assert "database system is shut down" in (data_dir / "log" / "postgres.log").read_text("utf-8")
    assert not (data_dir / "supervisor.json").exists()


def test_who_comes_back_within_the_grace_time_finds_the_same_servers(data_dir: Path) -> None:
    patient = SupervisorOptions(grace=30, prepare=None, service=None, redis=False, settings={"fsync": "off"})
    with join(data_dir, patient) as first:
        pid = first.supervisor_pid
    with join(data_dir, BARE) as second:
        assert second.supervisor_pid == pid
    _terminate(pid)


def test_who_joins_while_the_servers_are_ending_gets_new_ones_with_the_same_data(data_dir: Path) -> None:
    with join(data_dir, BARE) as first:
        with psycopg.connect(first.database_url, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept (word text)")
        _terminate(first.supervisor_pid)
        with join(data_dir, BARE) as second:
            assert second.supervisor_pid != first.supervisor_pid
            assert second.database_url == first.database_url
            assert second.redis_url == first.redis_url
            with psycopg.connect(second.database_url) as connection:
                assert connection.execute("SELECT count(*) FROM kept").fetchone() == (0,)


def test_a_path_longer_than_a_socket_name_works(new_data_dir: Path) -> None:
    deep = new_data_dir / ("cabang jakarta selatan " * 3).strip() / ("ruang kasir " * 8).strip()
    assert len(str(deep)) > 150
    with join(deep, BARE) as joined:
        with psycopg.connect(joined.database_url) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
    eventually(lambda: is_free(deep))


def test_joining_running_servers_starts_none_the_tenth_time_as_the_first(joined: Joined, data_dir: Path) -> None:
    def started_at() -> object:
        with psycopg.connect(joined.database_url) as connection:
            return connection.execute("SELECT pg_postmaster_start_time()").fetchone()

    before = started_at()
    for _ in range(10):
        with join(data_dir) as again:
            assert again.database_url == joined.database_url
    assert started_at() == before


def test_a_data_folder_that_is_a_file_is_refused_with_its_name(new_data_dir: Path) -> None:
    new_data_dir.write_text("not a folder", "utf-8")
    with pytest.raises(EmbeddedServersFailed, match="kasir satu"):
        join(new_data_dir, BARE)
    new_data_dir.unlink()


def test_the_supervisors_options_survive_its_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    options = SupervisorOptions(
        grace=1.5, prepare="a.b:c", service=None, redis=False, redis_url="redis://x/0", driven_clock=True,
        settings={"fsync": "off", "work_mem": "8MB"},
    )  # fmt: skip
    for name, value in options.environment().items():
        monkeypatch.setenv(name, value)
    assert parse(["--data-dir", "/d", *options.arguments()]).options == options


def _with_password(url: str, password: str) -> str:
    head, tail = url.split("@")
    return f"{head.rsplit(':', 1)[0]}:{password}@{tail}"


def _terminate(pid: int) -> None:
    subprocess.run(["kill", str(pid)], check=True)


def test_a_counter_reaches_the_private_redis_as_a_user_of_its_own(joined: Joined) -> None:
    assert joined.counter_redis_url is not None
    with redis.Redis.from_url(joined.counter_redis_url) as counter:
        counter.set("avail:S:u:202703", b"\x00\x00\x00\x00")
        with pytest.raises(redis.exceptions.NoPermissionError):
            counter.flushall()
        assert counter.get("avail:S:u:202703") == b"\x00\x00\x00\x00"


def test_a_folder_made_before_counters_had_a_user_gets_one_and_keeps_everything_else(data_dir: Path) -> None:
    folder = open_data_folder(data_dir)
    made = asdict(load_or_make(folder, driven_clock=False))
    old = {name: value for name, value in made.items() if name != "redis_counter_password"}
    write_private(folder.servers, json.dumps(old))

    first = load_or_make(folder, driven_clock=False)
    again = load_or_make(folder, driven_clock=False)

    assert first == again
    assert len(first.redis_counter_password) >= 32
    assert {**asdict(first), "redis_counter_password": ""} == {**old, "redis_counter_password": ""}
