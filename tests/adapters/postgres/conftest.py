"""Fixtures of the write side."""

import secrets
from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest
from psycopg import sql

from tests.adapters.postgres.write_rig import WriteRig
from tests.support.clock import DrivenClock
from tests.support.databases import ScratchDatabase, Template, drop_database, url_of


@pytest.fixture(scope="session")
def furnished(template: Template) -> Iterator[Template]:
    """This worker's template once more, with two branches, people and a small fleet in it."""
    name = f"furnished_{secrets.token_hex(4)}"
    with psycopg.connect(template.owner_url, autocommit=True) as connection:
        copy = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
        connection.execute(copy.format(sql.Identifier(name), sql.Identifier(template.name)))
    url = url_of(template.owner_url, database=name)
    database = ScratchDatabase(
        owner_url=url,
        prefix=template.prefix,
        name=name,
        clock=DrivenClock(url),
        passwords=template.passwords,
    )
    with psycopg.connect(url, autocommit=True) as owner:
        rig = WriteRig(database, owner)
        rig.furnish()
        rig.close()
    yield replace(template, name=name)
    drop_database(template.owner_url, name)


@pytest.fixture
def rig(furnished: Template) -> Iterator[WriteRig]:
    """Two branches with people and a small fleet; it is 1 March 2027, 09.00 in Jakarta."""
    with furnished.copy() as database, psycopg.connect(database.owner_url, autocommit=True) as owner:
        made = WriteRig(database, owner)
        yield made
        made.close()
