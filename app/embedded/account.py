"""The system user that runs the private servers when the counter itself was started by root.

PostgreSQL refuses to run as root; Redis has no reason to. An ordinary user runs both as itself.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from app.embedded.errors import EmbeddedServersFailed

ACCOUNT_NAME = "sentra-db"


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A system user by number: what a child process is switched to before it runs a server."""

    uid: int
    gid: int


def servers_account() -> Account | None:
    """The user the servers must run as, or None when they run as whoever we are.

    When we are root the user `sentra-db` is made once and found again later.
    """
    if sys.platform == "win32" or os.geteuid() != 0:
        return None
    found = _find_account()
    if found is None:
        _make_account()
        found = _find_account()
    if found is None:
        raise EmbeddedServersFailed(
            f"PostgreSQL does not run as root and the system user {ACCOUNT_NAME} could not be made; "
            f"make it with: useradd --system --user-group --no-create-home {ACCOUNT_NAME}"
        )
    return found


def may_enter(account: Account, folder: Path) -> bool:
    """Whether this user can reach into the folder: the kernel is asked as that user, so that ACLs count as well."""
    probe = subprocess.run(
        ["test", "-x", str(folder)], user=account.uid, group=account.gid, extra_groups=[], cwd="/", check=False
    )
    return probe.returncode == 0


def give(path: Path, account: Account | None) -> None:
    """Make the account the owner of this one path; without an account it stays ours."""
    if account is not None:
        os.chown(path, account.uid, account.gid)


def _find_account() -> Account | None:
    if sys.platform == "win32":
        return None
    import pwd  # not on Windows

    try:
        entry = pwd.getpwnam(ACCOUNT_NAME)
    except KeyError:
        return None
    return Account(uid=entry.pw_uid, gid=entry.pw_gid)


def _make_account() -> None:
    useradd = shutil.which("useradd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if useradd is None:
        return
    options = ["--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent"]
    # Two supervisors may do this at once; the loser's error is answered by looking the user up again.
    subprocess.run(
        [useradd, *options, "--shell", "/usr/sbin/nologin", ACCOUNT_NAME], check=False, capture_output=True, cwd="/"
    )
