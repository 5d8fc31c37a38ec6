"""URLs: every password fits, and a server elsewhere is spoken to by TLS with its name checked."""

import pytest
from psycopg.conninfo import conninfo_to_dict

from app.adapters.postgres.connection import driver_url, person_url, plain_url


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://a:b@localhost/sentra",
        "postgresql://a:b@127.0.0.1:5433/sentra",
        "postgresql://a:b@[::1]:5433/sentra",
        "postgresql://a:b@/sentra?host=%2Frun%2Fx&port=5432",
        "postgresql:///sentra",
    ],
)
def test_a_server_on_this_machine_needs_no_tls(url: str) -> None:
    assert plain_url(url) == url


@pytest.mark.parametrize(
    ("url", "mode", "root"),
    [
        ("postgresql://a:b@db.kantor.lan/sentra", "verify-full", "system"),
        ("postgresql://a:b@10.0.0.5/sentra?application_name=x", "verify-full", "system"),
        ("postgresql://a:b@localhost,10.0.0.5/sentra", "verify-full", "system"),
        ("postgresql://a:b@/sentra?host=10.0.0.5", "verify-full", "system"),
        ("postgresql:///sentra?host=10.0.0.5", "verify-full", "system"),
        ("postgresql://a:b@10.0.0.5/sentra?sslrootcert=/etc/ca.pem", "verify-full", "/etc/ca.pem"),
        ("postgresql://a:b@10.0.0.5/sentra?sslmode=require", "require", None),
        ("postgresql+psycopg://a:b@10.0.0.5/sentra", "verify-full", "system"),
        ("postgres://a:b@10.0.0.5/sentra", "verify-full", "system"),
    ],
)
def test_a_server_elsewhere_is_checked_unless_the_url_says_otherwise(url: str, mode: str, root: str | None) -> None:
    read = conninfo_to_dict(plain_url(url))

    assert (read["sslmode"], read.get("sslrootcert")) == (mode, root)


@pytest.mark.parametrize("password", ["rahasia", "kata sandi", "a@b:c/d?e#f%g+h", "密码", "🔑"])
def test_a_persons_url_carries_any_password_to_the_same_database(password: str) -> None:
    base = "postgresql://postgres:x@/sentra?host=%2Frun%2Fx&port=5433"

    read = conninfo_to_dict(person_url(base, "sentra_budi", password))

    assert (read["user"], read["password"]) == ("sentra_budi", password)
    assert (read["dbname"], read["host"], read["port"]) == ("sentra", "/run/x", "5433")


def test_sqlalchemy_gets_its_driver_in_the_same_url() -> None:
    assert driver_url("postgres://a:b@localhost/x") == "postgresql+psycopg://a:b@localhost/x"
