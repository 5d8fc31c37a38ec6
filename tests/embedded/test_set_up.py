"""A data folder whose database is prepared: nobody reaches the rest of its cluster."""

from pathlib import Path

import psycopg
import pytest

from app.adapters.postgres.connection import person_url
from app.embedded import demo, set_up
from app.embedded.join import Joined


def test_a_login_reaches_no_database_of_the_cluster_but_its_own(joined: Joined, tmp_path: Path) -> None:
    owner_url, redis_url = joined.database_url, joined.redis_url
    assert owner_url is not None
    set_up.prepare(owner_url=owner_url, redis_url=redis_url, data_dir=str(tmp_path), driven_clock=False)

    login = demo.STAFF[0][0]
    own = person_url(owner_url, f"sentra_{login}", demo.demo_password(login))
    psycopg.connect(own).close()
    for database in ("postgres", "template1"):
        with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
            psycopg.connect(own, dbname=database)
