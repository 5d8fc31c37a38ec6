"""`sentra-admin`: set up, import, examine, and run any use case from a script."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from app import admin_do
from app.bootstrap import MIN_PASSWORD, Counter, Installation, connect, open_doctor
from app.domain.errors import Refusal, RefusalCode
from app.domain.staff import Role
from app.index_parts import redis_counter_rule
from app.json_values import plain, refusal_json
from app.settings import Settings, SettingsInvalid, load_settings

FINDING, USAGE, UNREACHABLE = 1, 2, 4
MAX_INPUT = 64 * 1024 * 1024

cli = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)
staff_cli = typer.Typer(no_args_is_help=True, help="Staff logins.")
cli.add_typer(staff_cli, name="staff")

AsJson = Annotated[bool, typer.Option("--json", help="one JSON line on standard output")]
AsLogin = Annotated[str, typer.Option("--as", help="login; its password comes from SENTRA_PASSWORD")]


def _say(value: object) -> None:
    """One JSON line in UTF-8, whatever the terminal's encoding is; half a sign of the input is escaped."""
    line = json.dumps(plain(value), ensure_ascii=False) + "\n"
    sys.stdout.buffer.write(line.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def _end(code: int, words: str) -> NoReturn:
    sys.stderr.write(words + "\n")
    raise typer.Exit(code)


@contextmanager
def _settings() -> Iterator[Settings]:
    """Settings of configured servers, or of this data folder's private ones, which run while we do."""
    try:
        settings = load_settings()
    except SettingsInvalid as no:
        _end(USAGE, f"bad setting: {no}")
    if settings.database_url is not None:
        yield settings
        return
    from app.embedded.errors import EmbeddedServersFailed
    from app.embedded.join import join

    try:
        joined = join(settings.data_dir)
    except EmbeddedServersFailed as no:
        _end(UNREACHABLE, f"the private servers did not start: {no}")
    with joined:
        yield settings.model_copy(
            update={
                "database_url": joined.database_url,
                "redis_url": joined.redis_url,
                "service_url": joined.service_url,
            }
        )


@contextmanager
def _logged_in(login: str) -> Iterator[Counter]:
    password = os.environ.get("SENTRA_PASSWORD", "")
    with _settings() as settings:
        counter = connect(settings, login, password)
        try:
            yield counter
        finally:
            counter.close()


def _exit_code(no: Refusal) -> int:
    return UNREACHABLE if no.code is RefusalCode.UNREACHABLE else FINDING


def _answering(work: Callable[[], object]) -> None:
    """Print a use case's answer in the contract's shape; exit 1 on a refusal, 4 when no server answers."""
    try:
        _say({"ok": True, "result": work()})
    except Refusal as no:
        _say({"ok": False, "refusal": refusal_json(no)})
        raise typer.Exit(_exit_code(no)) from None


@cli.command()
def do(use_case: str, login: AsLogin, json_output: AsJson = False) -> None:
    """Run USE_CASE as LOGIN: a JSON object on standard input, one JSON line on standard output."""
    if use_case not in admin_do.USE_CASES:
        _end(USAGE, f"no use case is named {use_case!r}; there are: {', '.join(sorted(admin_do.USE_CASES))}")
    raw = sys.stdin.buffer.read(MAX_INPUT + 1)
    if len(raw) > MAX_INPUT:
        _end(USAGE, f"standard input is longer than {MAX_INPUT} bytes")
    try:
        given = json.loads(raw or b"{}")
    except (ValueError, RecursionError) as no:
        _end(USAGE, f"standard input is no JSON: {no}")

    def work() -> object:
        with _logged_in(login) as counter:
            return admin_do.do(counter, use_case, given)

    _answering(work)


@cli.command("use-cases")
def use_cases(json_output: AsJson = False) -> None:
    """List what `do` can run, with the fields each one knows."""
    known = {name: sorted(case.fields) for name, case in sorted(admin_do.USE_CASES.items())}
    if json_output:
        _say(known)
    else:
        for name, fields in known.items():
            typer.echo(f"{name}: {', '.join(fields) or 'no fields'}")


@cli.command()
def doctor(
    json_output: AsJson = False,
    repair: Annotated[bool, typer.Option("--repair", help="mend what is Redis'; PostgreSQL is never changed")] = False,
) -> None:
    """Compare every bit and invariant. Exit 0 when all is well, 1 with findings, 4 when the database is away."""
    with _settings() as settings:
        examiner, close = open_doctor(settings)
        try:
            report = examiner.examine(repair)
        except Refusal as no:
            _end(_exit_code(no), f"the database does not answer: {no}")
        finally:
            close()
    if json_output:
        _say(report.as_json())
    else:
        for item in report.breaks:
            parts = {key: value for key, value in plain_fields(item).items() if value}
            typer.echo(" ".join(f"{key}={value}" for key, value in parts.items()))
        counts = ", ".join(f"{count} {name}" for name, count in report.checked.items())
        typer.echo(f"checked {counts}; {len(report.breaks)} findings, {report.repaired} repaired")
    raise typer.Exit(0 if report.ok else FINDING)


def plain_fields(item: object) -> dict[str, object]:
    """A finding as its named fields."""
    found = plain(item)
    return found if isinstance(found, dict) else {}


@cli.command()
def init(
    branch: Annotated[str, typer.Option(help="code of the first branch, e.g. JKT")],
    name: Annotated[str, typer.Option(help="its name")],
    manager: Annotated[str, typer.Option(help="login of its first manager; password from SENTRA_PASSWORD")],
    zone: Annotated[str, typer.Option(help="Asia/Jakarta, Asia/Makassar or Asia/Jayapura")] = "Asia/Jakarta",
    json_output: AsJson = False,
) -> None:
    """Make the schema, the roles, the first branch and its manager. DATABASE_URL is a superuser's here."""
    with _settings() as settings:

        def work() -> object:
            place = Installation(settings)
            place.migrate()
            place.add_branch(branch, name, zone)
            place.add_staff(
                manager, manager.capitalize(), branch, [Role.MANAGER], os.environ.get("SENTRA_PASSWORD", "")
            )
            return {"branch": branch, "manager": manager, "revision": place.revision()}

        _answering(work)


@cli.command()
def migrate(json_output: AsJson = False) -> None:
    """Bring the schema to this program's version. DATABASE_URL is the owner's or a superuser's."""
    with _settings() as settings:

        def work() -> object:
            place = Installation(settings)
            before = place.revision()
            place.migrate()
            return {"before": before, "now": place.revision()}

        _answering(work)


@staff_cli.command("add")
def staff_add(
    login: str,
    name: Annotated[str, typer.Option()],
    branch: Annotated[str, typer.Option(help="branch code")],
    role: Annotated[list[Role], typer.Option(help="may be given several times")],
    json_output: AsJson = False,
) -> None:
    """Add a login at a branch; its first password is read from SENTRA_NEW_PASSWORD."""
    with _settings() as settings:

        def work() -> object:
            Installation(settings).add_staff(login, name, branch, role, os.environ.get("SENTRA_NEW_PASSWORD", ""))
            return {"login": login, "branch": branch, "roles": sorted(role)}

        _answering(work)


@cli.command("import")
def import_(file: Path, login: AsLogin, json_output: AsJson = False) -> None:
    """Import a fleet CSV as a manager: good rows go in, each bad one is named by line, column and reason."""
    if not file.is_file():
        _end(USAGE, f"there is no file {file}")
    content = file.read_bytes()
    try:
        with _logged_in(login) as counter:
            report = counter.fleet.import_fleet(content)
    except Refusal as no:
        _say({"ok": False, "refusal": refusal_json(no)})
        raise typer.Exit(_exit_code(no)) from None
    if json_output:
        _say({"ok": True, "result": report})
    else:
        for item in report.refusals:
            typer.echo(f"line {item.line}, {item.column}: {item.reason} {item.given}".rstrip())
        typer.echo(
            f"{report.added} added, {report.changed} changed, {report.same} same, {len(report.refusals)} refused"
        )
    raise typer.Exit(FINDING if report.refusals else 0)


@cli.command()
def status(json_output: AsJson = False) -> None:
    """Which servers are configured, whether they answer, and which version the schema has."""
    with _settings() as settings:
        found = Installation(settings).status()
    if json_output:
        _say(found)
    else:
        for key, value in found.items():
            typer.echo(f"{key}: {value}")
    raise typer.Exit(0 if found["database"] == "ok" else UNREACHABLE)


@cli.command()
def outbox(
    again: Annotated[bool, typer.Option("--again", help="try once more what was given up")] = False,
    json_output: AsJson = False,
) -> None:
    """Outside effects that wait or were given up, by kind. Exit 1 while any is given up."""
    with _settings() as settings:
        place = Installation(settings)
        retried = 0
        try:
            retried = place.retry_given_up() if again else 0
            found = place.status()["outbox"]
        except Refusal as no:
            _end(_exit_code(no), f"the database does not answer: {no}")
    rows = [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []
    if json_output:
        _say({"outbox": rows, "retried": retried})
    else:
        for row in rows:
            typer.echo(" ".join(f"{key}={value}" for key, value in row.items() if value != ""))
        typer.echo(f"{retried} due again" if again else f"{len(rows)} kinds are not done")
    raise typer.Exit(FINDING if any(row["given_up"] for row in rows) else 0)


@cli.command("redis-acl")
def redis_acl() -> None:
    """Print the line of a Redis ACL file for the counters' user; its password is read from SENTRA_NEW_PASSWORD."""
    password = os.environ.get("SENTRA_NEW_PASSWORD", "")
    if len(password) < MIN_PASSWORD:
        _end(USAGE, f"SENTRA_NEW_PASSWORD must have at least {MIN_PASSWORD} characters")
    typer.echo(redis_counter_rule(password))


def main() -> None:
    """The entry point; usage errors exit 2."""
    cli()


if __name__ == "__main__":
    main()
