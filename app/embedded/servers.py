"""The processes of one data folder, in their order: PostgreSQL, Redis, the simulated gateway, the service on top."""

import importlib
import importlib.util
import json
import logging
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.embedded import postgres_server, redis_server
from app.embedded.account import Account, servers_account
from app.embedded.binaries import postgres_programs, redis_program
from app.embedded.children import Child, start_child
from app.embedded.errors import EmbeddedServersFailed
from app.embedded.folder_lock import FolderLock, try_lock
from app.embedded.folders import DataFolder, cluster_home
from app.embedded.kept import keep, load_or_make
from app.embedded.options import SupervisorOptions
from app.embedded.pauses import Pauses
from app.embedded.postgres_server import PostgresServer
from app.embedded.python import module_command, module_environment
from app.embedded.redis_server import RedisServer

log = logging.getLogger("sentra.embedded")


class Servers:
    """Starts, watches, restarts and stops the servers of one data folder. Used by its supervisor's main thread only."""

    def __init__(self, folder: DataFolder, sockets: Path, options: SupervisorOptions) -> None:
        self._folder = folder
        self._sockets = sockets
        self._options = options
        self._kept = load_or_make(folder, driven_clock=options.driven_clock)
        self._cluster_lock: FolderLock | None = None
        self._postgres: tuple[PostgresServer, Child] | None = None
        self._redis: tuple[RedisServer, Child | None] | None = None
        self._service: Child | None = None
        self._gateway: Child | None = None
        self._prepared: dict[str, object] = {}
        self._redis_pauses = Pauses()
        self._service_pauses = Pauses()
        self._gateway_pauses = Pauses()

    def start(self) -> None:
        """All servers, ready to be used, the database filled. Raises EmbeddedServersFailed with the reason."""
        account = servers_account()
        server = self._planned_postgres(account)
        if postgres_server.initialise(server):
            log.info("made a new cluster in %s", server.cluster)
        self._postgres = (server, postgres_server.start(server))
        program = redis_program(account) if self._options.redis and not self._options.redis_url else None
        if self._options.redis_url is not None:
            log.info("a configured Redis is used")
        elif program is None:
            log.warning("no Redis: the calendar comes from PostgreSQL; install redis-server 6.2 or newer to have it")
        else:
            planned = RedisServer(
                program=program,
                port=self._kept.redis_port,
                password=self._kept.redis_password,
                counter_password=self._kept.redis_counter_password,
                folder=self._sockets / "redis",
                log=self._folder.log("redis"),
                account=account,
            )
            self._start_redis(planned)
        if self._options.prepare is not None:
            self._prepared = self._prepare(self._options.prepare)
        self._start_gateway()
        self._start_service()

    def answer(self) -> dict[str, object]:
        """What a member is told: the URLs of the servers and what the preparation of the database returned."""
        return {
            **self._prepared,
            "database_url": self._database_url,
            "redis_url": self._redis_url,
            "counter_redis_url": self._options.redis_url if self._redis is None else self._redis[0].counter_url,
            "service_url": None if self._service is None else self._service_url,
            "data_dir": str(self._folder.path),
            "driven_clock": self._kept.driven_clock,
            **self._gateway_answer,
        }

    @property
    def _gateway_answer(self) -> dict[str, object]:
        if not self._has_gateway:
            return {}
        return {"gateway_url": self._gateway_url, "gateway_server_key": self._kept.gateway_server_key}

    def revive(self) -> float:
        """Start again what has ended; gives the seconds until this should be called again at the latest.

        Raises EmbeddedServersFailed when PostgreSQL cannot be started again.
        """
        if self._postgres is not None and (status := self._postgres[1].ended_with()) is not None:
            log.warning("postgres ended with %s; starting it again", status)
            server = self._postgres[0]
            self._postgres = (server, postgres_server.start(server))
        now = time.monotonic()
        if self._redis is not None:
            server_of_redis, child = self._redis
            if child is not None and (status := child.ended_with()) is not None:
                log.warning("redis ended with %s", status)
                self._redis = (server_of_redis, None)
                self._redis_pauses.ended(now)
            if self._redis[1] is None and self._redis_pauses.due_at <= now:
                self._start_redis(server_of_redis)
        if self._service is not None and (status := self._service.ended_with()) is not None:
            log.warning("service ended with %s", status)
            self._service = None
            self._service_pauses.ended(now)
        if self._service is None and self._service_pauses.due_at <= now:
            self._start_service()
        if self._gateway is not None and (status := self._gateway.ended_with()) is not None:
            log.warning("the simulated gateway ended with %s", status)
            self._gateway = None
            self._gateway_pauses.ended(now)
        if self._gateway is None and self._gateway_pauses.due_at <= now:
            self._start_gateway()
        due = [60.0]
        if self._redis is not None and self._redis[1] is None:
            due.append(self._redis_pauses.due_at - now)
        if self._service is None and self._options.service is not None:
            due.append(self._service_pauses.due_at - now)
        if self._gateway is None and self._has_gateway:
            due.append(self._gateway_pauses.due_at - now)
        return max(0.01, min(due))

    def stop(self) -> None:
        """In order: the service finishes what it does, then Redis, then PostgreSQL with a checkpoint."""
        if self._service is not None:
            self._service.stop(signal.SIGTERM, within=10)
        if self._gateway is not None:
            self._gateway.stop(signal.SIGTERM, within=10)
        if self._redis is not None and self._redis[1] is not None:
            redis_server.stop(self._redis[1])
        if self._postgres is not None:
            postgres_server.stop(*self._postgres)
        if self._cluster_lock is not None:
            self._cluster_lock.release()
        self._service = self._gateway = self._redis = self._postgres = self._cluster_lock = None

    @property
    def _database_url(self) -> str | None:
        return None if self._postgres is None else self._postgres[0].url()

    @property
    def _redis_url(self) -> str | None:
        return self._options.redis_url if self._redis is None else self._redis[0].url

    @property
    def _service_url(self) -> str:
        return f"http://127.0.0.1:{self._kept.service_port}"

    @property
    def _has_gateway(self) -> bool:
        """The simulation serves a service; without one nobody would hear it."""
        return self._options.gateway is not None and self._options.service is not None

    @property
    def _gateway_url(self) -> str:
        return f"http://127.0.0.1:{self._kept.gateway_port}"

    def _planned_postgres(self, account: Account | None) -> PostgresServer:
        home = cluster_home(self._folder, account)
        if home != self._folder.path:  # a copied data folder points to the same cluster as its original
            self._cluster_lock = try_lock(home / "supervisor.lock")
            if self._cluster_lock is None:
                raise EmbeddedServersFailed(f"the database in {home} is in use through another data folder")
        on_windows = sys.platform == "win32"
        return PostgresServer(
            programs=postgres_programs(account),
            cluster=home / "postgres",
            sockets=None if on_windows else self._sockets / "pg",
            port=self._kept.postgres_port if on_windows else postgres_server.SOCKET_PORT,
            password=self._kept.postgres_password,
            log=self._folder.log("postgres"),
            account=account,
            settings=self._options.settings,
        )

    def _start_redis(self, planned: RedisServer) -> None:
        """Redis, or without it for now: a Redis that does not start costs speed, never the counter."""
        now = time.monotonic()
        try:
            server, child = redis_server.start(planned)
        except EmbeddedServersFailed as error:
            log.error("%s", error)
            self._redis = (planned, None)
            self._redis_pauses.ended(now)
            return
        self._redis = (server, child)
        self._redis_pauses.started(now)
        if server.port != self._kept.redis_port:
            self._kept = replace(self._kept, redis_port=server.port)
            keep(self._folder, self._kept)

    def _prepare(self, hook: str) -> dict[str, object]:
        arguments = {
            "owner_url": self._database_url,
            "redis_url": self._redis_url,
            "data_dir": str(self._folder.path),
            "driven_clock": self._kept.driven_clock,
        }
        child = start_child(
            "prepare",
            module_command("app.embedded.prepare"),
            log=self._folder.log("prepare"),
            env=module_environment(),
            feed=json.dumps({"hook": hook, "arguments": arguments}).encode(),
            collect=True,
        )
        said = b"" if child.output is None else child.output.read()
        child.stop(within=10)
        answer: dict[str, Any] = json.loads(said or b'{"error": "it ended without an answer"}')
        prepared: dict[str, object] = answer.get("prepared", {})
        if "error" in answer:
            raise EmbeddedServersFailed(
                f"the database could not be prepared: {answer['error']} (log: {self._folder.log('prepare')})"
            )
        return prepared

    def _start_service(self) -> None:
        """The service under its own database role, if the preparation named one; later, when it is not there yet."""
        module = self._options.service
        now = time.monotonic()
        if module is None:
            return
        importlib.invalidate_caches()
        if importlib.util.find_spec(module) is None:
            self._service_pauses.ended(now)
            return
        url = self._prepared.get("service_database_url") or self._database_url
        environment = {
            "DATABASE_URL": str(url),
            "REDIS_URL": self._redis_url or "",
            "SENTRA_SERVICE_URL": self._service_url,
            "SENTRA_DATA_DIR": str(self._folder.path),
            # Real money never moves in the embedded mode, whatever this machine is configured for.
            "SENTRA_GATEWAY_MODE": "simulated",
            "SENTRA_GATEWAY_URL": self._gateway_url if self._has_gateway else "",
            "SENTRA_GATEWAY_SERVER_KEY": self._kept.gateway_server_key if self._has_gateway else "",
        }
        self._service = start_child(
            "service", module_command(module), log=self._folder.log("service"), env=module_environment(environment)
        )
        self._service_pauses.started(now)

    def _start_gateway(self) -> None:
        """The simulated payment gateway. What it remembers is in the data folder, so that it may be killed."""
        if not self._has_gateway:
            return
        command = module_command(
            str(self._options.gateway),
            *("--data-dir", str(self._folder.path)),
            *("--port", str(self._kept.gateway_port)),
            *("--notify", f"{self._service_url}/webhooks/midtrans"),
        )
        self._gateway = start_child(
            "gateway",
            command,
            log=self._folder.log("gateway"),
            env=module_environment({"SENTRA_SIMULATED_GATEWAY_KEY": self._kept.gateway_server_key}),
        )
        self._gateway_pauses.started(time.monotonic())
