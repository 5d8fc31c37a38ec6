"""What is prepared behind the login: the demo people are read from what the private servers answer, never guessed."""

from pathlib import Path

import pytest

from app.desktop import start
from app.settings import Settings


def test_demo_people_have_names_roles_and_their_published_password() -> None:
    staff = [{"login": "siti", "password": "siti-demo", "roles": ["agent", "cashier"], "branch": "JKT"}]
    (siti,) = start.demo_logins(staff)
    assert (siti.login, siti.name, siti.roles, siti.password) == ("siti", "Siti", ("agent", "cashier"), "siti-demo")


@pytest.mark.parametrize(
    "staff", [None, {}, "x", [{"login": "siti"}], [{"password": "x"}], [{"login": 1, "password": 2}]]
)
def test_an_answer_without_published_logins_gives_no_people(staff: object) -> None:
    assert start.demo_logins(staff) == ()


def test_a_configured_server_is_named_without_its_password() -> None:
    settings = Settings(database_url="postgresql://sentra:secret@db.branch.example:5433/sentra")
    prepared = start.Prepared(settings=settings, demo=(), is_private=False, leave=lambda: None)
    assert prepared.server == ("db.branch.example", 5433)


def test_configured_servers_are_used_and_no_demo_people_are_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://db.branch.example/sentra")
    monkeypatch.setenv("SENTRA_DATA_DIR", str(tmp_path))
    prepared = start.prepare()
    assert not prepared.is_private
    assert prepared.demo == ()
    assert prepared.settings.database_url == "postgresql://db.branch.example/sentra"
