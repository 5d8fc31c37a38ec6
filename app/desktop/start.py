"""What happens behind the login window while it is already painted: settings, servers, the heavy libraries. No Qt."""

import importlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from app.bootstrap import Counter, connect
from app.settings import Settings, load_settings

DEMO_STAFF = "SENTRA_DEMO_STAFF"


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoLogin:
    """A login of the demo branch; its password is published on purpose."""

    login: str
    name: str
    roles: tuple[str, ...]
    password: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """Everything the login needs. `leave` gives the private servers back; it does nothing for configured ones."""

    settings: Settings
    demo: tuple[DemoLogin, ...]
    is_private: bool
    leave: Callable[[], None]

    @property
    def server(self) -> tuple[str, int | None]:
        """Host and port of the database, for the eyes of a person."""
        parts = urlsplit(self.settings.database_url or "")
        return parts.hostname or "", parts.port

    def sign_in(self, login: str, password: str) -> Counter:
        """Log in; raises Refusal NOT_ALLOWED or UNREACHABLE."""
        return connect(self.settings, login, password)


def prepare() -> Prepared:
    """Read the settings and make sure there are servers: the configured ones, else the data folder's private ones.

    Raises SettingsInvalid or EmbeddedServersFailed with the reason.
    """
    settings = load_settings()
    if settings.database_url is not None:
        _warm_up()
        return Prepared(
            settings=settings,
            demo=demo_logins(json.loads(os.environ.get(DEMO_STAFF) or "[]")),
            is_private=False,
            leave=lambda: None,
        )
    from app.embedded.options import SupervisorOptions
    from app.embedded.staying import Staying

    staying = Staying(settings.data_dir, SupervisorOptions(redis_url=settings.redis_url))
    joined = staying.joined
    found = load_settings(
        database_url=joined.database_url,
        redis_url=joined.redis_url,
        redlock_urls=None,
        service_url=joined.service_url,
        data_dir=Path(joined.data_dir),
    )
    _warm_up()
    staff = joined.answer.get("staff")
    return Prepared(
        settings=found,
        demo=demo_logins(staff if isinstance(staff, list) else []),
        is_private=True,
        leave=staying.close,
    )


def demo_logins(staff: Sequence[Mapping[str, object]]) -> tuple[DemoLogin, ...]:
    """The demo branch's people from the list the private servers answer with; without passwords there are none."""
    found = []
    for person in staff:
        login, password, roles = person.get("login"), person.get("password"), person.get("roles")
        if isinstance(login, str) and isinstance(password, str):
            name = str(person.get("name") or login.capitalize())
            listed = tuple(map(str, roles)) if isinstance(roles, list | tuple) else ()
            found.append(DemoLogin(login=login, name=name, roles=listed, password=password))
    return tuple(found)


def _warm_up() -> None:
    """Import what logging in needs, so that the first press of Masuk does not wait for it."""
    for module in ("sqlalchemy", "psycopg", "redis", "numpy"):
        importlib.import_module(module)
