"""What a supervisor is told when it is started; it keeps to it until it ends, whoever joins later."""

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PREPARE_HOOK = "app.bootstrap:prepare_embedded"
REDIS_VARIABLE = "SENTRA_EMBEDDED_REDIS_URL"
SERVICE_MODULE = "app.service.main"
GATEWAY_MODULE = "app.embedded.simulated_gateway"


@dataclass(frozen=True, slots=True, kw_only=True)
class SupervisorOptions:
    """`grace` is in seconds after the last member left; `prepare` names `module:function` that fills the database.

    The simulated `gateway` runs beside a service. A `redis_url` is a configured Redis, used instead of a private one.
    """

    grace: float = 10.0
    prepare: str | None = PREPARE_HOOK
    service: str | None = SERVICE_MODULE
    gateway: str | None = GATEWAY_MODULE
    redis: bool = True
    redis_url: str | None = None
    driven_clock: bool = False
    settings: Mapping[str, str] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        """What must not stand on a command line, where everyone on the machine could read the password in it."""
        return {} if self.redis_url is None else {REDIS_VARIABLE: self.redis_url}

    def arguments(self) -> list[str]:
        """The command line that `parse` reads back to an equal value, given our `environment` as well."""
        return [
            f"--grace={self.grace}",
            f"--prepare={self.prepare or ''}",
            f"--service={self.service or ''}",
            f"--gateway={self.gateway or ''}",
            *([] if self.redis else ["--no-redis"]),
            *(["--driven-clock"] if self.driven_clock else []),
            *(f"--set={name}={value}" for name, value in self.settings.items()),
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class SupervisorCommand:
    """The parsed command line of the supervisor."""

    data_dir: Path
    detach: bool
    options: SupervisorOptions


def parse(arguments: Sequence[str] | None = None) -> SupervisorCommand:
    """Read the supervisor's command line; usage errors end the program with status 2."""
    parser = argparse.ArgumentParser(prog="python -m app.embedded.supervisor", description=__doc__)
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--detach", action="store_true", help="go on in the background")
    parser.add_argument("--grace", type=float, default=10.0, help="seconds to stay after the last member left")
    parser.add_argument("--prepare", default=PREPARE_HOOK, help="module:function that fills the database; empty: none")
    parser.add_argument("--service", default=SERVICE_MODULE, help="module to run as the service; empty: none")
    parser.add_argument("--gateway", default=GATEWAY_MODULE, help="module of the simulated gateway; empty: none")
    parser.add_argument("--no-redis", action="store_true", help="run in the degraded mode, without Redis")
    parser.add_argument("--driven-clock", action="store_true", help="a row drives sentra.now() (kept with the data)")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a PostgreSQL setting")
    given = parser.parse_args(arguments)
    return SupervisorCommand(
        data_dir=given.data_dir,
        detach=given.detach,
        options=SupervisorOptions(
            grace=given.grace,
            prepare=given.prepare or None,
            service=given.service or None,
            gateway=given.gateway or None,
            redis=not given.no_redis,
            redis_url=os.environ.get(REDIS_VARIABLE) or None,
            driven_clock=given.driven_clock,
            settings=dict(pair.split("=", 1) for pair in given.set),
        ),
    )
