"""The service's HTTP face: health and metrics for whoever watches it. Loopback by default."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from app.service.gateway import GatewayDoor
from app.service.identity import identity_routes
from app.service.jobs import JobRecord
from app.usecases.gateway import GatewayDesk
from app.usecases.identity_desk import IdentityDesk


def make_app(
    records: Mapping[str, JobRecord],
    database_answers: Callable[[], bool],
    identity: IdentityDesk | None = None,
    gateway: GatewayDesk | None = None,
) -> Starlette:
    """`GET /healthz`: 200 when the database answers, else 503. `GET /metrics`: one line a figure, text format.

    With its desks also questions about identity numbers, and the payment gateway's door.
    """
    door = None if gateway is None else GatewayDoor(gateway)

    def healthz(_request: Request) -> Response:
        answers = database_answers()
        waiting = {name: record.last_error for name, record in records.items() if record.last_error}
        return JSONResponse(
            {"ok": answers, "database": answers, "waiting": waiting}, status_code=200 if answers else 503
        )

    def metrics(_request: Request) -> Response:
        lines = []
        for name, record in records.items():
            for figure, value in (("passes", record.passes), ("done", record.done), ("failures", record.failures)):
                lines.append(f'sentra_job_{figure}_total{{job="{name}"}} {value}')
        lines += [] if door is None else door.figures()
        return PlainTextResponse("\n".join(lines) + "\n")

    asked = [] if identity is None else identity_routes(identity)
    asked += [] if door is None else door.routes()
    return Starlette(routes=[Route("/healthz", healthz), Route("/metrics", metrics), *asked])


class HttpServer:
    """Runs the application in a thread until `stop()`."""

    def __init__(self, app: Starlette, host: str, port: int) -> None:
        config = uvicorn.Config(app, host=host, port=port, log_level="warning", access_log=False, lifespan="off")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name="http", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, within: float = 5.0) -> None:
        self._server.should_exit = True
        self._thread.join(within)

    def _run(self) -> None:
        # Signals belong to the main thread's own orderly stop.
        self._server.run()
