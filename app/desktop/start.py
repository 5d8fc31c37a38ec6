"""What happens behind the login window while it is already painted: settings, servers, the heavy libraries. No Qt."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from app.bootstrap import Counter, connect
from app.embedded import control
from app.embedded.folders import open_data_folder
from app.embedded.options import SupervisorOptions
from app.embedded.staying import Staying
from app.settings import Settings, load_settings

ANSWER_WITHIN = 5.0


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
        demo = _demo_of_private_servers(settings)
        _warm_up()
        return Prepared(settings=settings, demo=demo or (), is_private=demo is not None, leave=lambda: None)
    staying = Staying(settings.data_dir, SupervisorOptions(redis_url=settings.redis_url))
    joined = staying.joined
    found = load_settings(
        database_url=joined.database_url,
        redis_url=joined.counter_redis_url,
        redlock_urls=None,
        service_url=joined.service_url,
        data_dir=joined.data_dir,
    )
    _warm_up()
    return Prepared(settings=found, demo=demo_logins(joined.answer.get("staff")), is_private=True, leave=staying.close)


def _demo_of_private_servers(settings: Settings) -> tuple[DemoLogin, ...] | None:
    """The demo people when the configured database is the one this data folder's own servers run; else None."""
    if not settings.data_dir.is_dir():
        return None
    address = control.find_address(open_data_folder(settings.data_dir))
    connection = None if address is None else control.connect(address)
    if connection is None:
        return None
    with connection:
        answer = control.read_answer(connection, within=ANSWER_WITHIN)
    if answer is None or answer.get("database_url") != settings.database_url:
        return None
    return demo_logins(answer.get("staff"))


def demo_logins(staff: object) -> tuple[DemoLogin, ...]:
    """The demo branch's people from the list the private servers answer with; without passwords there are none."""
    found = []
    for person in staff if isinstance(staff, list) else ():
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
