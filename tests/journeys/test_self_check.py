"""The self-check on private servers: the real screens book, settle and expire, and a separate look finds the rows."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.support.processes import Processes

ALONE = {"QT_QPA_PLATFORM": "offscreen", "DATABASE_URL": "", "REDIS_URL": ""}
"""A self-check never touches configured servers; empty counts as not configured."""
STEPS = ["login", "open_shift", "grid", "book", "settle", "book_unpaid", "expire", "verify"]


@pytest.fixture
def folder(short_tmp: Path) -> Iterator[Path]:
    """A data folder of its own that the servers' user can reach."""
    made = short_tmp / "check"
    made.mkdir(mode=0o711)
    yield made
    shutil.rmtree(made, ignore_errors=True)


def test_the_self_check_makes_exactly_the_rows_it_names(folder: Path, processes: Processes) -> None:
    check = processes.module("app.embedded.launch", "--self-check", "--data-dir", str(folder), env=ALONE)
    line = check.line(within=240)
    assert check.wait(within=60) == 0, check.errors
    answer = json.loads(line)
    assert list(answer) == [
        "ok",
        "steps",
        "data_dir",
        "booking_id",
        "invoice_id",
        "payment_id",
        "expired_booking_id",
    ]
    assert answer["ok"] is True
    assert [step["name"] for step in answer["steps"]] == STEPS
    assert all(set(step) == {"name", "ok", "ms"} and step["ok"] for step in answer["steps"])
    assert answer["data_dir"] == str(folder)
    assert [path.name[:4] for path in folder.glob("documents/*.pdf")]
    served = processes.module("app.embedded.launch", "--serve", "--data-dir", str(folder), env=ALONE).json_line(
        within=120
    )
    with psycopg.connect(served["database_url"]) as connection:
        paid = connection.execute(
            "SELECT b.state, i.state, p.amount = i.total, i.locked_by, i.lock_token, i.locked_until"
            " FROM sentra.booking b JOIN sentra.invoice i ON i.order_id = b.order_id"
            " JOIN sentra.payment p ON p.invoice_id = i.id"
            " WHERE b.id = %s AND i.id = %s AND p.id = %s",
            (answer["booking_id"], answer["invoice_id"], answer["payment_id"]),
        ).fetchall()
        expired = connection.execute(
            "SELECT b.state, i.state, count(p.id) FROM sentra.booking b"
            " JOIN sentra.invoice i ON i.order_id = b.order_id"
            " LEFT JOIN sentra.payment p ON p.invoice_id = i.id WHERE b.id = %s GROUP BY 1, 2",
            (answer["expired_booking_id"],),
        ).fetchall()
    assert paid == [("PAID_APPROVED", "PAID", True, None, None, None)]
    assert expired == [("CANCELLED", "VOID", 0)]
