"""`run --serve` prints one line and stays; who runs what on which servers is decided in one place."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from app.embedded import launch
from app.embedded.errors import EmbeddedServersFailed
from app.embedded.join import join
from app.embedded.options import SupervisorOptions
from app.embedded.staying import Staying
from tests.embedded.conftest import BARE, is_free
from tests.support.processes import ROOT, Processes, RunningProcess, are_gone, descendants_of
from tests.support.waiting import eventually, stays

UNCONFIGURED = {"DATABASE_URL": "", "REDIS_URL": "", "SENTRA_SERVICE_URL": ""}


def test_serve_prints_one_line_and_stays_until_a_signal_ends_it(data_dir: Path, processes: Processes) -> None:
    with join(data_dir, BARE):  # it joins these servers, so that nothing needs to be filled here
        served = _serve(processes, data_dir)
        line = served.json_line(within=60)
        assert set(line) == {"database_url", "redis_url", "service_url", "data_dir"}
        assert line["data_dir"] == str(data_dir)
        with psycopg.connect(line["database_url"]) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
    served.end_input()
    stays(lambda: served.returncode is None, during=0.5)
    supervisor = json.loads((data_dir / "supervisor.json").read_text("utf-8"))["pid"]
    pids = {supervisor} | descendants_of(supervisor)
    served.terminate()
    assert served.wait() == 0
    eventually(lambda: are_gone(pids))


def test_a_configured_database_wins(processes: Processes, new_data_dir: Path) -> None:
    configured = {**UNCONFIGURED, "DATABASE_URL": "postgresql://db.example/sentra", "REDIS_URL": "redis://r.example/0"}
    served = processes.module("app.embedded.launch", "--data-dir", str(new_data_dir), "--serve", env=configured)
    assert served.json_line() == {
        "database_url": "postgresql://db.example/sentra",
        "redis_url": "redis://r.example/0",
        "service_url": None,
        "data_dir": str(new_data_dir),
    }
    assert not (new_data_dir / "supervisor.lock").exists()


def test_the_counter_starts_at_once_with_the_rest_of_the_command_line_and_joins_the_servers_itself(
    data_dir: Path, tmp_path: Path, processes: Processes
) -> None:
    (tmp_path / "screens.py").write_text(
        "import json, os, sys\n"
        "def main(argv):\n"
        "    print(json.dumps([argv, os.environ['SENTRA_DATA_DIR'], 'sqlalchemy' in sys.modules]), flush=True)\n"
        "    return 3\n",
        "utf-8",
    )
    code = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); from app.embedded import launch;"
        "launch.COUNTER = 'screens'; sys.exit(launch.main())"
    )
    counter = processes.script(
        code, str(tmp_path), "--data-dir", str(data_dir), "--lang", "en", "--fullscreen", env=UNCONFIGURED
    )
    assert counter.json_line(within=60) == [["--lang", "en", "--fullscreen"], str(data_dir), False]
    assert counter.wait() == 3


def test_the_self_check_works_in_a_folder_of_its_own_with_a_driven_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Path, SupervisorOptions]] = []

    def note(data_dir: Path, options: SupervisorOptions) -> None:
        seen.append((data_dir, options))
        raise EmbeddedServersFailed("enough seen")

    monkeypatch.setenv("DATABASE_URL", "postgresql://db.example/sentra")
    monkeypatch.setattr(launch, "Staying", note)
    assert [launch.main(["--self-check"]) for _ in range(2)] == [launch.UNREACHABLE] * 2
    (first, options), (second, _) = seen
    assert first != second
    assert options.driven_clock
    for folder in (first, second):
        folder.rmdir()


def test_serve_with_exit_with_parent_ends_with_its_parent(data_dir: Path, processes: Processes) -> None:
    with join(data_dir, BARE):
        parent = processes.script(
            "import subprocess, sys; child = subprocess.Popen([sys.executable, *sys.argv[1:]]);"
            "print(child.pid, flush=True); child.wait()",
            *("-m", "app.embedded.launch", "--data-dir", str(data_dir), "--serve", "--exit-with-parent"),
            env=UNCONFIGURED,
        )
        child = int(parent.line())
        assert parent.json_line(within=60)["data_dir"] == str(data_dir)
        parent.kill()
        eventually(lambda: are_gone([child]))


def test_servers_that_cannot_be_had_are_status_4_and_a_sentence(new_data_dir: Path, processes: Processes) -> None:
    new_data_dir.write_text("not a folder", "utf-8")
    served = _serve(processes, new_data_dir)
    assert served.wait() == launch.UNREACHABLE
    assert f"the data folder {new_data_dir} cannot be used" in served.errors
    assert "Traceback" not in served.errors
    new_data_dir.unlink()


def test_a_bad_setting_is_status_2_and_names_it(data_dir: Path, processes: Processes) -> None:
    served = processes.module(
        "app.embedded.launch", "--data-dir", str(data_dir), env={**UNCONFIGURED, "SENTRA_LANG": "fr"}
    )
    assert served.wait() == launch.USAGE
    assert "SENTRA_LANG" in served.errors


def test_a_staying_member_joins_again_when_the_supervisor_is_killed(data_dir: Path) -> None:
    staying = Staying(data_dir, BARE)
    first = staying.joined
    os.kill(first.supervisor_pid, signal.SIGKILL)
    eventually(lambda: staying.joined is not first, within=30)
    assert staying.joined.database_url == first.database_url
    with psycopg.connect(first.database_url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    pid = staying.joined.supervisor_pid
    staying.close()
    eventually(lambda: is_free(data_dir))
    eventually(lambda: are_gone([pid]))


def test_launching_loads_neither_qt_nor_a_database_driver() -> None:
    code = (
        "import sys, app.embedded.launch, app.embedded.supervisor; "
        "print(sorted({'PySide6', 'psycopg', 'sqlalchemy', 'redis', 'numpy', 'pydantic'} & set(sys.modules)))"
    )
    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert seen.stdout.strip() == "[]"


def _serve(processes: Processes, data_dir: Path) -> RunningProcess:
    return processes.module("app.embedded.launch", "--data-dir", str(data_dir), "--serve", env=UNCONFIGURED)
