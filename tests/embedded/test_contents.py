"""The supervisor has the database filled before anyone gets an answer, and keeps the service running."""

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from app.embedded import binaries
from app.embedded.account import servers_account
from app.embedded.errors import EmbeddedServersFailed
from app.embedded.folders import cluster_home, open_data_folder
from app.embedded.join import join
from tests.embedded.conftest import BARE, is_free
from tests.support.processes import are_gone
from tests.support.waiting import eventually

FILLED = replace(BARE, prepare="tests.embedded.hooks:fill")
SERVED = replace(BARE, service="tests.embedded.hooks", prepare="tests.embedded.hooks:fill", redis=False)


def test_what_the_preparation_returns_is_part_of_every_answer(data_dir: Path) -> None:
    with join(data_dir, FILLED) as first, join(data_dir, FILLED) as second:
        assert first.answer["branch"] == "JKT"
        assert first.answer["heard"] == {
            "owner_url": first.database_url,
            "redis_url": first.redis_url,
            "driven_clock": False,
        }
        assert second.answer == first.answer
        assert (data_dir / "filled").read_text() == "x"


def test_a_clock_once_driven_stays_driven(new_data_dir: Path) -> None:
    with join(new_data_dir, replace(BARE, driven_clock=True)) as first:
        assert first.answer["driven_clock"] is True
        os.kill(first.supervisor_pid, signal.SIGTERM)
        first.wait_for_end()
    with join(new_data_dir, FILLED) as second:
        assert second.answer["driven_clock"] is True


def test_the_clock_of_real_data_is_never_driven(data_dir: Path) -> None:
    with pytest.raises(EmbeddedServersFailed, match="holds real data"):
        join(data_dir, replace(BARE, driven_clock=True))
    with join(data_dir, BARE), pytest.raises(EmbeddedServersFailed, match="holds real data"):
        join(data_dir, replace(BARE, driven_clock=True))


def test_a_preparation_that_fails_is_told_with_its_reason_and_ends_the_servers(data_dir: Path) -> None:
    with pytest.raises(EmbeddedServersFailed, match="revision 0042 is newer than this program"):
        join(data_dir, replace(BARE, prepare="tests.embedded.hooks:fail"))
    eventually(lambda: is_free(data_dir))
    with join(data_dir, BARE) as joined:
        assert joined.database_url


def test_a_program_without_a_preparation_says_so(data_dir: Path) -> None:
    with pytest.raises(EmbeddedServersFailed, match=r"cannot fill a new database: .*no_such_hook"):
        join(data_dir, replace(BARE, prepare="tests.embedded.hooks:no_such_hook"))


def test_the_service_runs_under_its_own_role_and_comes_back_when_killed(data_dir: Path) -> None:
    with join(data_dir, SERVED) as joined:
        pid, database_url, redis_url, service_url = eventually(lambda: _services(data_dir))[0]
        assert database_url == f"{joined.database_url}&application_name=service"
        assert redis_url == ""
        assert service_url == joined.service_url
        os.kill(int(pid), signal.SIGKILL)
        again = eventually(lambda: _services(data_dir)[1:])[0]
        assert again[1:] == [database_url, redis_url, service_url]
    eventually(lambda: are_gone([int(again[0])]))


def test_the_service_dies_with_a_killed_supervisor(data_dir: Path) -> None:
    with join(data_dir, SERVED) as joined:
        pid = int(eventually(lambda: _services(data_dir))[0][0])
        os.kill(joined.supervisor_pid, signal.SIGKILL)
        eventually(lambda: are_gone([pid]))


def test_without_a_service_to_import_the_servers_go_on(data_dir: Path) -> None:
    with join(data_dir, replace(BARE, service="tests.embedded.no_such_service")) as joined:
        assert joined.service_url is None
        assert joined.database_url


def test_without_redis_the_answer_says_so(data_dir: Path) -> None:
    with join(data_dir, replace(BARE, redis=False)) as joined:
        assert joined.redis_url is None
    assert "no Redis" in (data_dir / "log" / "supervisor.log").read_text("utf-8")


def test_a_configured_redis_is_used_instead_of_a_private_one(data_dir: Path, redis_url: str) -> None:
    with join(data_dir, replace(FILLED, redis_url=redis_url)) as joined:
        assert joined.redis_url == redis_url
        heard = joined.answer["heard"]
        assert isinstance(heard, dict)
        assert heard["redis_url"] == redis_url


def test_an_installed_redis_wins_if_it_is_new_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    program = tmp_path / "redis-server"
    for version, wins in (("6.2.0", True), ("6.0.16", False), ("7.4.1", True), ("nonsense", False)):
        program.write_text(f"#!/bin/sh\necho 'Redis server v={version} sha=00000000:0 malloc=libc bits=64'\n", "utf-8")
        program.chmod(0o755)
        assert (binaries.redis_program(servers_account()) == program) is wins, version


def test_no_redis_anywhere_means_the_degraded_mode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.path", [path for path in __import__("sys").path if "site-packages" not in path])
    assert binaries.redis_program(None) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's servers run as another user, who may be locked out")
def test_a_data_folder_the_servers_user_cannot_reach_keeps_its_cluster_in_a_system_folder(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.embedded.folders.CLUSTERS_OF_ROOT", data_dir.parent / "clusters")
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    folder = open_data_folder(private)
    home = cluster_home(folder, servers_account())
    assert home.parent == data_dir.parent / "clusters"
    assert cluster_home(folder, servers_account()) == home
    assert (home / "belongs-to").read_text("utf-8").strip() == str(private)


def _services(data_dir: Path) -> list[list[str]]:
    noted = data_dir / "services"
    return [line.split("|") for line in noted.read_text().splitlines()] if noted.exists() else []
