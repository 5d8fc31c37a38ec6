"""Make an installation in a database: roles, schema, migrations; and the first branch and logins.

Roles belong to the whole cluster and are named `<prefix>_…`; everything else lives in the database, so that a copy made
with `CREATE DATABASE … TEMPLATE` is complete after `seal_database`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import LiteralString

import psycopg
from alembic import command
from alembic.config import Config
from psycopg import sql
from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import NullPool

from app.adapters.postgres.connection import driver_url, plain_url
from app.domain.staff import COVERED_BY_MANAGER, Role

MIGRATIONS = Path(__file__).parent / "migrations"
EXTRA_ROLES = ("owner", "staff_admin", "backup")
# What every login may do by PostgreSQL's own default and none of ours needs: fill the disk with large objects or with
# messages in the write-ahead log, and hold advisory locks, by whose numbers a set-up could be kept waiting. A superuser
# keeps them all.
_TAKE_FROM_EVERYBODY = r"""
DO $$
DECLARE
    taken regprocedure;
BEGIN
    FOR taken IN SELECT p.oid FROM pg_catalog.pg_proc AS p
                 WHERE p.pronamespace = 'pg_catalog'::regnamespace
                   AND (p.proname ~ '^(lo_|loread$|lowrite$)' OR p.proname ~ '^pg_(try_)?advisory_'
                        OR p.proname = 'pg_logical_emit_message')
                   AND has_function_privilege('public', p.oid, 'EXECUTE') LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', taken);
    END LOOP;
END $$
"""
_PREFIX = re.compile(r"[a-z][a-z0-9_]{0,20}")


def provision(owner_url: str, *, prefix: str = "sentra") -> None:
    """Bring the database of a superuser's URL to the newest schema; safe to run again and beside another one.

    Makes the group roles, the owner, the staff admin and the backup role where they are missing.
    """
    roles = role_names(prefix)
    with _superuser(owner_url) as connection:
        connection.execute("SELECT pg_advisory_lock(hashtext('sentra.provision'))")  # to the end of this connection
        _make_roles(connection, roles)
        seal(connection, roles)
        connection.execute(sql.SQL("CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public"))
        connection.execute(
            sql.SQL("CREATE SCHEMA IF NOT EXISTS sentra AUTHORIZATION {}").format(sql.Identifier(roles["owner"]))
        )
    _upgrade(owner_url, prefix, roles)


def seal_cluster(owner_url: str) -> None:
    """Nobody but a superuser reaches the databases that every cluster has.

    Only for a cluster that is ours alone: beside us, other programs may live in `postgres`.
    """
    with _superuser(owner_url) as connection:
        connection.execute("REVOKE CONNECT, TEMPORARY ON DATABASE postgres, template1 FROM PUBLIC")


def head_revision() -> str:
    """The newest migration that this program knows."""
    return max(path.stem for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def revision(url: str) -> str | None:
    """The migration a database stands at; None before the first. Any of our logins may ask."""
    with psycopg.connect(plain_url(url), autocommit=True, connect_timeout=5) as connection:
        found = connection.execute("SELECT to_regclass('sentra.schema_version') IS NOT NULL").fetchone()
        if not found or not found[0]:
            return None
        row = connection.execute("SELECT version_num FROM sentra.schema_version").fetchone()
        return str(row[0]) if row else None


def is_current(url: str) -> bool:
    """Whether the database stands exactly at this program's newest migration."""
    return revision(url) == head_revision()


def role_names(prefix: str) -> Mapping[str, str]:
    """Placeholder of the SQL files → role name: the five group roles, owner, staff admin, backup, and the prefix."""
    if not _PREFIX.fullmatch(prefix):
        raise ValueError(f"not a role prefix: {prefix!r}")
    names = {role: f"{prefix}_{role}" for role in (*(role.value for role in Role), *EXTRA_ROLES)}
    return {**names, "prefix": prefix}


def seal(connection: psycopg.Connection[tuple[object, ...]], roles: Mapping[str, str]) -> None:
    """Leave the rights on this connection's database, and on what PostgreSQL gives to everybody, to our people."""
    seal_database(connection, connection.info.dbname, roles)
    connection.execute(sql.SQL("REVOKE ALL ON SCHEMA public FROM PUBLIC"))
    connection.execute(_TAKE_FROM_EVERYBODY)


def seal_database(connection: psycopg.Connection[tuple[object, ...]], name: str, roles: Mapping[str, str]) -> None:
    """The rights on a database itself, which a copy by TEMPLATE does not inherit: our people connect, nobody TEMP."""
    database = sql.Identifier(name)
    groups = [roles[role.value] for role in Role] + [roles["backup"]]
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(database))
    connection.execute(
        sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, sql.SQL(", ").join(map(sql.Identifier, groups)))
    )


@contextmanager
def _superuser(owner_url: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    with psycopg.connect(plain_url(owner_url), autocommit=True, connect_timeout=10) as connection:
        row = connection.execute("SELECT rolsuper FROM pg_roles WHERE rolname = session_user").fetchone()
        if not row or not row[0]:
            raise PermissionError("setting up an installation needs a superuser's URL")
        yield connection


def _make_roles(connection: psycopg.Connection[tuple[object, ...]], roles: Mapping[str, str]) -> None:
    groups = [role.value for role in Role]
    for name in groups:
        _make_role(connection, roles[name], "NOLOGIN")
    _make_role(connection, roles["owner"], "NOLOGIN")
    _make_role(connection, roles["staff_admin"], "NOLOGIN CREATEROLE")
    _make_role(connection, roles["backup"], "NOLOGIN BYPASSRLS")
    for covered in sorted(COVERED_BY_MANAGER):
        _grant(connection, roles[covered.value], roles["manager"], "INHERIT TRUE, SET FALSE")
    for name in groups:
        _grant(connection, roles[name], roles["staff_admin"], "ADMIN TRUE, INHERIT FALSE, SET FALSE")
    # To end the sessions of somebody who was disabled.
    _grant(connection, "pg_signal_backend", roles["staff_admin"], "INHERIT TRUE, SET FALSE")


def _make_role(connection: psycopg.Connection[tuple[object, ...]], name: str, options: LiteralString) -> None:
    if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (name,)).fetchone():
        return
    statement = sql.SQL("CREATE ROLE {} " + options).format(sql.Identifier(name))
    try:
        connection.execute(statement)
    except (psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
        return  # another set-up in this cluster was faster; the role is there


def _grant(connection: psycopg.Connection[tuple[object, ...]], role: str, member: str, options: LiteralString) -> None:
    known = connection.execute(
        "SELECT 1 FROM pg_auth_members WHERE roleid = %s::regrole AND member = %s::regrole", (role, member)
    ).fetchone()
    if known:
        return
    statement = sql.SQL("GRANT {} TO {} WITH " + options).format(sql.Identifier(role), sql.Identifier(member))
    try:
        connection.execute(statement)
    except (psycopg.errors.UniqueViolation, psycopg.errors.InternalError_):
        return  # granted by another set-up at the same moment ("tuple concurrently updated")


def _upgrade(owner_url: str, prefix: str, roles: Mapping[str, str]) -> None:
    engine = create_engine(driver_url(owner_url), poolclass=NullPool)
    try:
        with engine.begin() as connection:
            # One migration at a time; everything it makes belongs to the owner role.
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext('sentra.migrate'))")
            connection.exec_driver_sql(f'SET LOCAL ROLE "{roles["owner"]}"')
            config = Config()
            config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
            config.attributes["connection"] = connection
            config.attributes["roles"] = dict(roles)
            before = _version(connection)
            command.upgrade(config, "head")
            if _version(connection) != before:
                # Only then: a second set-up must not take what somebody changed by hand for the migrations' work.
                connection.exec_driver_sql("SELECT sentra.note_guards()")
    finally:
        engine.dispose()


def _version(connection: Connection) -> str | None:
    if connection.exec_driver_sql("SELECT to_regclass('sentra.schema_version')").scalar() is None:
        return None
    version: str | None = connection.exec_driver_sql("SELECT version_num FROM sentra.schema_version").scalar()
    return version
