"""Fixtures of the write side."""

from collections.abc import Iterator

import psycopg
import pytest

from tests.adapters.postgres.write_rig import WriteRig
from tests.support.databases import ScratchDatabase


@pytest.fixture
def rig(database: ScratchDatabase) -> Iterator[WriteRig]:
    """Two branches with people and a small fleet; it is 1 March 2027, 09.00 in Jakarta."""
    with psycopg.connect(database.owner_url, autocommit=True) as owner:
        made = WriteRig(database, owner)
        made.furnish()
        yield made
        made.close()
