"""What stays the same over all lives of a data folder's servers: passwords, ports, whether a row drives the clock."""

import json
from dataclasses import asdict, dataclass, replace

from app.embedded.errors import EmbeddedServersFailed
from app.embedded.folders import DataFolder, write_private
from app.embedded.redis_server import free_port, new_password


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Written mode 0600 before the servers first start; URLs built from it stay good after a restart."""

    postgres_password: str
    postgres_port: int
    redis_password: str
    redis_port: int
    service_port: int
    driven_clock: bool
    redis_counter_password: str = ""
    """Empty only in the file of a folder that was made before counters had a user of their own."""
    gateway_port: int = 0
    gateway_server_key: str = ""
    """Not there only in the file of a folder that was made before there was a simulated gateway."""


def load_or_make(folder: DataFolder, *, driven_clock: bool) -> Kept:
    """The values of this data folder; made on its first start. A clock once driven stays driven, others never are."""
    try:
        known = Kept(**json.loads(folder.servers.read_text("utf-8")))
        if driven_clock and not known.driven_clock:
            raise EmbeddedServersFailed(clock_refusal(folder))
        return known if known.redis_counter_password and known.gateway_server_key else _completed(folder, known)
    except FileNotFoundError:
        pass
    except (ValueError, TypeError) as error:
        raise EmbeddedServersFailed(
            f"{folder.servers}, which holds the data's password, is damaged: {error}"
        ) from error
    fresh = Kept(
        postgres_password=new_password(),
        postgres_port=free_port(),
        redis_password=new_password(),
        redis_port=free_port(),
        service_port=free_port(),
        driven_clock=driven_clock,
        redis_counter_password=new_password(),
        gateway_port=free_port(),
        gateway_server_key=_new_server_key(),
    )
    keep(folder, fresh)
    return fresh


def _completed(folder: DataFolder, known: Kept) -> Kept:
    completed = replace(
        known,
        redis_counter_password=known.redis_counter_password or new_password(),
        gateway_port=known.gateway_port or free_port(),
        gateway_server_key=known.gateway_server_key or _new_server_key(),
    )
    keep(folder, completed)
    return completed


def _new_server_key() -> str:
    return f"SIMULASI-{new_password()}"


def clock_refusal(folder: DataFolder) -> str:
    """Why a folder that was not made for it gets no driven clock."""
    return f"{folder.path} holds real data, whose clock must not be driven: choose another folder, or none"


def keep(folder: DataFolder, values: Kept) -> None:
    """Replace what is kept, whole or not at all."""
    write_private(folder.servers, json.dumps(asdict(values), indent=1) + "\n")
