"""A data folder whose database is prepared: nobody reaches the rest of its cluster."""

from pathlib import Path

import psycopg
import pytest

from app.adapters.postgres.connection import person_url
from app.domain.errors import Refusal, RefusalCode
from app.embedded import demo, demo_customers, set_up
from app.embedded.join import Joined
from app.settings import Settings
from tests.support.world import refused


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

    settings = Settings(
        database_url=owner_url, redis_url=redis_url, redlock_urls=None, counter_name="demo", role_prefix="sentra"
    )
    first, last = demo_customers.COMPANIES
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("UPDATE sentra.customer SET company_id = NULL WHERE company_id = %s", (last.id,))
        owner.execute("DELETE FROM sentra.company WHERE id = %s", (last.id,))
        owner.execute("UPDATE sentra.customer SET version = 1, tier = 'BASIC' WHERE name = 'Rina Maharani'")
        owner.execute("UPDATE sentra.company SET due_days = 7, version = version + 1 WHERE id = %s", (first.id,))
        demo_customers.fill(settings)
        tiers = owner.execute("SELECT tier FROM sentra.customer WHERE name = 'Rina Maharani'").fetchall()
        known = owner.execute("SELECT name, due_days FROM sentra.company ORDER BY name").fetchall()
    assert tiers == [("GOLD",)], "a preparation that was cut short is finished by the next"
    assert known == [(first.name, 7), (last.name, last.due_days)], "what people changed since stays"

    away = settings.model_copy(update={"database_url": "postgresql://nobody@127.0.0.1:9/sentra"})
    with pytest.raises(Refusal) as no:
        demo_customers.fill(away)
    refused(no.value, RefusalCode.UNREACHABLE)
