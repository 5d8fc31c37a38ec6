"""Rules that hold for the whole project, each shown to catch a bad sample before it is applied to the tree."""

import os
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests import project_rules as rules
from tests.project_rules import Source

ROOT = Path(__file__).resolve().parents[1]
LOCKS = ("requirements-build.lock", "requirements.lock", "requirements-dev.lock")
# Written in two pieces, so that this file may be searched like any other.
FORBIDDEN = (
    "/" + "work/",
    "/" + "root/",
    "pypi" + ".org",
    "files.python" + "hosted",
    "registry.npm" + "js",
    "deb.debian" + ".org",
)


def _tracked_paths() -> list[str]:
    # The checkout may belong to another user than the one who runs the tests: say that it is meant to be read.
    git = ("git", "-c", "safe.directory=*", "ls-files", "-z")
    listing = subprocess.run(git, cwd=ROOT, capture_output=True, check=True, encoding="utf-8").stdout
    return sorted(path for path in listing.split("\0") if path and (ROOT / path).is_file())


def _sources(prefix: str = "", suffix: str = "") -> list[Source]:
    """Read the tracked text files below a folder; pictures, fonts and other bytes are not text."""
    found = []
    for path in _tracked_paths():
        content = (ROOT / path).read_bytes()
        if path.startswith(prefix) and path.endswith(suffix) and b"\0" not in content:
            found.append(Source(path=path, text=content.decode("utf-8", errors="replace")))
    assert found, f"there is no tracked file {prefix}*{suffix}"
    return found


def _app_outside(*allowed: str) -> list[Source]:
    return [source for source in _sources("app/", ".py") if not source.path.startswith(allowed)]


def _found(findings: list[list[str]]) -> str:
    return "\n".join(line for lines in findings for line in lines)


def test_a_file_of_the_program_holds_at_most_400_lines() -> None:
    assert rules.overlong(Source(path="app/long.py", text="x = 1\n" * 401)) == ["app/long.py: 401 lines"]
    assert rules.overlong(Source(path="app/fits.py", text="x = 1\n" * 400)) == []

    assert not _found([rules.overlong(source) for source in _app_outside("app/adapters/postgres/migrations/")])


@pytest.mark.parametrize(
    ("packages", "homes"),
    [
        (("PySide6", "shiboken6", "qasync"), ("app/desktop/",)),
        (("sqlalchemy", "alembic"), ("app/adapters/postgres/",)),
        (("redis",), ("app/adapters/redis/", "app/adapters/queue.py")),
    ],
    ids=["Qt", "SQLAlchemy", "Redis"],
)
def test_a_library_is_imported_in_its_own_ring_only(packages: tuple[str, ...], homes: tuple[str, ...]) -> None:
    late = f"def start():\n    from {packages[0]}.part import thing\n"
    assert rules.imports_of(Source(path="bad.py", text=late), packages) == [f"bad.py:2: imports {packages[0]}.part"]
    hidden = f"import importlib\nimportlib.import_module('{packages[0]}')\n"
    assert rules.imports_of(Source(path="bad.py", text=hidden), packages) == [f"bad.py:2: imports {packages[0]}"]
    near_miss = f"import {packages[0]}lite\nfrom .{packages[0]} import thing\n"
    assert rules.imports_of(Source(path="good.py", text=near_miss), packages) == []

    assert not _found([rules.imports_of(source, packages) for source in _app_outside(*homes)])


@pytest.mark.parametrize(
    "read",
    [
        "dt.datetime.now(dt.UTC)",
        "datetime.now()",
        "datetime.utcnow()",
        "datetime.date.today()",
        "time.time()",
        "clock = time.time_ns",
        "from time import time",
    ],
)
def test_a_read_of_the_machines_clock_is_found(read: str) -> None:
    assert len(rules.clock_reads(Source(path="bad.py", text=read))) == 1


def test_the_time_comes_from_the_clock_adapter_alone() -> None:
    assert rules.clock_reads(Source(path="good.py", text="clock.now(); time.monotonic(); read.now()")) == []

    assert not _found([rules.clock_reads(source) for source in _app_outside("app/adapters/clock.py")])


@pytest.mark.parametrize(
    "body",
    [
        "try:\n    pay()\nexcept Exception:\n    pass\n",
        "try:\n    pay()\nexcept:\n    ...\n",
        "for x in y:\n    try:\n        pay()\n    except (OSError, BaseException):\n        continue\n",
        "def f():\n    try:\n        pay()\n    except Exception as error:\n        return None\n",
        "with contextlib.suppress(Exception):\n    pay()\n",
    ],
)
def test_a_failure_that_is_swallowed_is_found(body: str) -> None:
    assert len(rules.silent_handlers(Source(path="bad.py", text=body))) == 1


def test_no_failure_is_swallowed() -> None:
    told = "try:\n    pay()\nexcept Exception:\n    log.exception('pay')\n"
    narrow = "try:\n    pay()\nexcept KeyError:\n    pass\n"
    assert rules.silent_handlers(Source(path="good.py", text=told + narrow)) == []

    assert not _found([rules.silent_handlers(source) for source in _sources(suffix=".py")])


def test_no_text_to_translate_hides_in_an_f_string() -> None:
    hidden = Source(path="app/desktop/hidden.py", text="def say(self):\n    return f\"{self.tr('Kembali')} 1\"\n")
    lifted = Source(
        path="app/desktop/lifted.py", text="def say(self):\n    back = self.tr('Kembali')\n    return f'{back} 1'\n"
    )
    assert rules.hidden_texts(hidden) == ["app/desktop/hidden.py:2: translates inside an f-string"]
    assert rules.hidden_texts(lifted) == []

    assert not _found([rules.hidden_texts(source) for source in _sources("app/desktop/", ".py")])


def test_no_file_names_a_machine_or_a_registry() -> None:
    sample = Source(path="bad.txt", text=f"fine\nsee https://{FORBIDDEN[2]}/simple and {FORBIDDEN[1]}x\n")
    assert rules.forbidden_words(sample, FORBIDDEN) == [
        f"bad.txt:2: says {FORBIDDEN[1]}",
        f"bad.txt:2: says {FORBIDDEN[2]}",
    ]

    assert not _found([rules.forbidden_words(source, FORBIDDEN) for source in _sources()])


def test_every_test_can_fail() -> None:
    empty = "def test_pays():\n    pay()\n"
    by_a_step = "def settled(x):\n    assert x.paid\n\n\ndef test_pays():\n    settled(pay())\n"
    by_an_action = "def test_hands_over():\n    check_out(booking)\n"
    by_refusal = "def test_refuses():\n    with pytest.raises(Refusal):\n        pay()\n"
    assert rules.tests_without_verdict(Source(path="bad.py", text=empty)) == ["bad.py:1: test_pays verifies nothing"]
    assert rules.tests_without_verdict(Source(path="bad.py", text=by_an_action)) == [
        "bad.py:1: test_hands_over verifies nothing"
    ]
    assert rules.tests_without_verdict(Source(path="good.py", text=by_a_step)) == []
    assert rules.tests_without_verdict(Source(path="good.py", text=by_refusal)) == []

    assert not _found([rules.tests_without_verdict(source) for source in _sources("tests/", ".py")])


def test_the_lock_files_hold_versions_and_hashes_and_no_address() -> None:
    good_hash = "--hash=sha256:" + "0" * 64
    assert rules.lock_faults("l", f"a==1 \\\n    {good_hash}\nb==2 ; x < '3' \\\n    {good_hash} {good_hash}\n") == []
    assert rules.lock_faults("l", "a==1\n") == ["l: a has no hash"]
    assert rules.lock_faults("l", f"a>1 {good_hash}\n") == ["l: a>1 has no version"]
    assert rules.lock_faults("l", f"--find-links wheels\na==1 {good_hash}\n")[-1] == "l: option --find-links"
    assert rules.lock_faults("l", f"a==1 @ file:///x/a.whl {good_hash}\n") == ["l: an address in a==1"]

    for name in LOCKS:
        text = (ROOT / "packaging" / name).read_text(encoding="utf-8")
        assert rules.locked(text)
        assert rules.lock_faults(name, text) == []


def test_the_lock_files_hold_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = {
        "requirements-build.lock": project["build-system"]["requires"],
        "requirements.lock": project["project"]["dependencies"],
        "requirements-dev.lock": project["project"]["optional-dependencies"]["dev"],
    }
    for lock, requirements in asked.items():
        entries = rules.locked((ROOT / "packaging" / lock).read_text(encoding="utf-8"))
        for requirement in map(Requirement, requirements):
            versions = [entry.version for entry in entries if entry.name == rules.normal_name(requirement.name)]
            assert versions, f"{lock} lacks {requirement.name}"
            assert all(map(requirement.specifier.contains, versions)), f"{lock}: {requirement} but {versions}"


def test_the_tests_run_on_the_versions_that_the_program_runs_on() -> None:
    build, run, dev = (set(_pinned(name)) for name in LOCKS)
    assert run <= dev
    shared = {name for name, _ in build} & {name for name, _ in dev}
    assert {(name, version) for name, version in build if name in shared} <= dev


def _pinned(lock: str) -> list[tuple[str, str]]:
    entries = rules.locked((ROOT / "packaging" / lock).read_text(encoding="utf-8"))
    return [(entry.name, entry.version) for entry in entries]


def test_the_changelog_has_a_place_for_what_comes_next() -> None:
    lines = (ROOT / "packaging" / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    sections = [line for line in lines if line.startswith("## ")]
    assert sections[0] == "## Unreleased"


def test_the_folder_packaging_does_not_hide_the_library_of_that_name() -> None:
    # A regular package wins over a plain folder; with an __init__.py the folder would win.
    assert not (ROOT / "packaging" / "__init__.py").exists()
    assert "site-packages" in Path(__import__("packaging").__file__ or "").parts


@pytest.mark.skipif(os.name == "nt", reason="Windows has no executable bit; CI runs on Linux")
def test_ci_runs_the_test_command_and_nothing_else() -> None:
    script = ROOT / ".ci" / "run"
    lines = [line for line in script.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert lines[-1] == "exec python3 packaging/dev.py test"
    assert os.access(script, os.X_OK)
