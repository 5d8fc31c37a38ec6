"""`kill -9` of anything leaves no orphan and no locked folder, and loses no data."""

import os
import signal
import subprocess
from pathlib import Path

import psycopg
import pytest
import redis

from app.embedded.join import Joined, join
from tests.embedded.conftest import BARE, Joiner, is_free
from tests.support.processes import Processes, are_gone, descendants_of, state_of
from tests.support.waiting import eventually


def test_kill_9_of_the_supervisor_leaves_no_orphan_and_keeps_the_data(data_dir: Path) -> None:
    with join(data_dir, BARE) as first:
        with psycopg.connect(first.database_url, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
        children = descendants_of(first.supervisor_pid)
        os.kill(first.supervisor_pid, signal.SIGKILL)
        eventually(lambda: are_gone(children), what="every child of the supervisor ends")
    with join(data_dir, BARE) as second:
        assert second.database_url == first.database_url
        with psycopg.connect(second.database_url) as connection:
            assert connection.execute("SELECT number FROM kept").fetchone() == (7,)


def test_kill_9_of_the_supervisor_and_a_join_in_the_same_moment(data_dir: Path) -> None:
    with join(data_dir, BARE) as first:
        os.kill(first.supervisor_pid, signal.SIGKILL)
        with join(data_dir, BARE) as second:
            assert second.supervisor_pid != first.supervisor_pid
            with psycopg.connect(second.database_url) as connection:
                assert connection.execute("SELECT 1").fetchone() == (1,)


def test_kill_9_of_the_only_member_ends_the_servers_after_the_grace_time(joiner: Joiner, data_dir: Path) -> None:
    member = joiner()
    supervisor = member.json_line(within=60)["supervisor_pid"]
    pids = {supervisor} | descendants_of(supervisor)
    member.kill()
    eventually(lambda: are_gone(pids))
    assert is_free(data_dir)


def test_kill_9_of_one_member_leaves_the_servers_to_the_others(joiner: Joiner, joined: Joined) -> None:
    member = joiner()
    assert member.json_line(within=60)["supervisor_pid"] == joined.supervisor_pid
    member.kill()
    with psycopg.connect(joined.database_url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert state_of(joined.supervisor_pid) is not None


def test_kill_9_of_postgres_brings_it_back_with_its_data(joined: Joined, data_dir: Path) -> None:
    with psycopg.connect(joined.database_url, autocommit=True) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    os.kill(_postmaster(data_dir), signal.SIGKILL)
    assert eventually(lambda: _number_in(joined.database_url), within=30) == 7
    with join(data_dir, BARE) as next_one:
        assert next_one.supervisor_pid == joined.supervisor_pid


def test_kill_9_of_a_postgres_backend_brings_the_cluster_back(joined: Joined) -> None:
    with psycopg.connect(joined.database_url, autocommit=True) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
        os.kill(connection.info.backend_pid, signal.SIGKILL)
    assert eventually(lambda: _number_in(joined.database_url), within=30) == 7


def test_kill_9_of_redis_brings_it_back_empty_at_the_same_url(joined: Joined) -> None:
    assert joined.redis_url is not None
    with redis.Redis.from_url(joined.redis_url) as client:
        client.set("left", "behind")
        os.kill(int(client.info("server")["process_id"]), signal.SIGKILL)

    def size() -> bool:
        assert joined.redis_url is not None
        try:
            with redis.Redis.from_url(joined.redis_url, retry=None) as client:
                return bool(client.dbsize() == 0)
        except redis.ConnectionError:
            return False

    eventually(size)


@pytest.mark.parametrize("stranger", ["living", "dead"])
def test_a_pid_file_that_names_a_stranger_stops_nobody(stranger: str, data_dir: Path, processes: Processes) -> None:
    with join(data_dir, BARE) as first:
        pids = {first.supervisor_pid} | descendants_of(first.supervisor_pid)
        lines = _pid_file(data_dir).read_text("utf-8").splitlines()
    eventually(lambda: are_gone(pids))
    other = processes.script("import sys; print('up', flush=True); sys.stdin.read()")
    assert other.line() == "up"
    if stranger == "dead":
        other.kill()
    _pid_file(data_dir).write_text("\n".join([str(other.pid), *lines[1:]]) + "\n", "utf-8")
    with join(data_dir, BARE) as second:
        assert second.database_url == first.database_url
        assert stranger == "dead" or other.returncode is None


def test_a_postmaster_that_outlived_its_supervisor_is_ended_before_the_next_start(data_dir: Path) -> None:
    with join(data_dir, BARE) as first:
        with psycopg.connect(first.database_url, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
        orphan = _postmaster(data_dir)
        os.kill(orphan, signal.SIGSTOP)  # it cannot follow its supervisor: the next one finds it
        os.kill(first.supervisor_pid, signal.SIGKILL)
        eventually(lambda: is_free(data_dir))
        assert state_of(orphan) == "T"
    with join(data_dir, BARE) as second:
        assert _postmaster(data_dir) != orphan
        assert _number_in(second.database_url) == 7
    eventually(lambda: are_gone({orphan}))


def test_a_first_start_that_was_cut_off_is_begun_again(new_data_dir: Path) -> None:
    (new_data_dir / "postgres.new-0badcafe").mkdir(parents=True)
    new_data_dir.chmod(0o711)
    (new_data_dir / "postgres.new-0badcafe" / "PG_VERSION").write_text("18\n", "utf-8")
    with join(new_data_dir, BARE) as joined:
        with psycopg.connect(joined.database_url) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        assert not (new_data_dir / "postgres.new-0badcafe").exists()


def test_a_child_on_a_tether_ends_with_whoever_holds_it(processes: Processes) -> None:
    holder = processes.script(
        """
import subprocess, sys
inner = "import sys, os; print(os.getpid(), sys.stdin.read(), flush=True); import time; time.sleep(600)"
tether = [sys.executable, "-m", "app.embedded.tether", "9", sys.executable, "-c", inner]
child = subprocess.Popen(tether, stdin=subprocess.PIPE)
child.stdin.write((4).to_bytes(8, "big") + b"feed")
child.stdin.flush()
child.wait()
"""
    )
    pid, fed = holder.line().split()
    assert fed == "feed"
    holder.kill()
    eventually(lambda: are_gone({int(pid)}))


def test_servers_of_root_run_as_a_user_of_their_own(joined: Joined, data_dir: Path) -> None:
    owners = {
        subprocess.run(["ps", "-o", "user:20=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
        for pid in descendants_of(joined.supervisor_pid)
    }
    ourselves = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
    assert owners == {"sentra-db" if os.geteuid() == 0 else ourselves}
    assert _pid_file(data_dir).exists()


def _pid_file(data_dir: Path) -> Path:
    return data_dir / "postgres" / "postmaster.pid"


def _postmaster(data_dir: Path) -> int:
    return int(_pid_file(data_dir).read_text("utf-8").split("\n", 1)[0])


def _number_in(url: str) -> int | None:
    try:
        with psycopg.connect(url) as connection:
            row = connection.execute("SELECT number FROM kept").fetchone()
    except psycopg.OperationalError:
        return None
    assert row is not None
    return int(row[0])
