"""Stand-ins for what fills the database and for the service, for tests of who calls them and when."""

import os
import time
from pathlib import Path


def fill(*, owner_url: str, redis_url: str | None, data_dir: str, driven_clock: bool) -> dict[str, object]:
    """Say what it was called with, as a preparation would name a branch."""
    with (Path(data_dir) / "filled").open("a") as sink:
        sink.write("x")
    return {
        "branch": "JKT",
        "service_database_url": owner_url + "&application_name=service",
        "heard": {"owner_url": owner_url, "redis_url": redis_url, "driven_clock": driven_clock},
    }


def fail(**_arguments: object) -> dict[str, object]:
    """Fail like a migration that cannot be done."""
    raise RuntimeError("revision 0042 is newer than this program")


def serve() -> None:
    """Note our number and environment, then stay."""
    folder = Path(os.environ["SENTRA_DATA_DIR"])
    names = ("DATABASE_URL", "REDIS_URL", "SENTRA_SERVICE_URL")
    with (folder / "services").open("a") as sink:
        sink.write("|".join([str(os.getpid()), *(os.environ[name] for name in names)]) + "\n")
    while True:
        time.sleep(60)


if __name__ == "__main__":
    serve()
