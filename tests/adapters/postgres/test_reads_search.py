"""The search is one statement, and an index serves each part of it, in a register of ten thousand."""

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from app.adapters.postgres.reads_customers import Wanted, understood
from app.adapters.postgres.reads_search import parameters, search_statement
from app.usecases.search import understood as wish_of
from tests.adapters.postgres.reads_rig import Rig, open_rig
from tests.support.databases import Template

BIG = ("unit", "customer", "customer_word", "booking", "invoice", "invoice_line", "occupancy")


@pytest.fixture(scope="module")
def crowd(template: Template) -> Iterator[Rig]:
    """Ten thousand customers and units, three thousand bookings with their days, invoices and lines."""
    with template.copy() as database, open_rig(database) as rig:
        rig.branch("JKT")
        rig.staff("sr_ayu", "JKT", "agent")
        rig.sku("TOY-AVNZ-G")
        rig.owner.execute(
            """INSERT INTO sentra.unit (id, sku_id, branch_id, slot, plate)
               SELECT 'unit-' || n, 'TOY-AVNZ-G', 'JKT', n, 'B ' || n || ' XY' || chr(65 + n % 26)
               FROM generate_series(1, 9999) AS n"""
        )
        rig.owner.execute(
            """INSERT INTO sentra.customer (id, name, phone)
               SELECT gen_random_uuid(), 'Orang ' || chr(97 + n % 26) || chr(97 + n / 26 % 26) || ' ' || n,
                      '+62812' || lpad(n::text, 8, '0')
               FROM generate_series(1, 10000) AS n"""
        )
        customer = rig.customer("Rina Maharani", "+6281300001234")
        with rig.owner.transaction():
            rig.owner.execute("SET LOCAL session_replication_role = replica")
            rig.owner.execute(
                """WITH made AS (
                     INSERT INTO sentra.booking_order (id, branch_id, source, fingerprint, counter)
                     SELECT gen_random_uuid(), 'JKT', 'IMPORT', 'x', '' FROM generate_series(1, 3000) RETURNING id)
                   INSERT INTO sentra.booking (id, number, order_id, line_no, branch_id, unit_id, sku_id, customer_id,
                       first_day, last_day, pickup_at, due_at, state, source, daily_rate, deposit, turnaround_days,
                       last_action)
                   SELECT gen_random_uuid(), 'BK-' || 20000 + row_number() OVER (), id, 1, 'JKT',
                          'unit-' || row_number() OVER (), 'TOY-AVNZ-G',
                          (SELECT id FROM sentra.customer ORDER BY phone OFFSET 1 LIMIT 1), '2026-01-01', '2026-01-02',
                          '2026-01-01', '2026-01-02', 'COMPLETED', 'IMPORT', 1, 1, 0, 'clear' FROM made"""
            )
            rig.owner.execute(
                """INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, booking_id)
                   SELECT unit_id, sku_id, branch_id, daterange(first_day, last_day, '[]'), 'BOOKING', id
                   FROM sentra.booking"""
            )
            rig.owner.execute(
                """INSERT INTO sentra.invoice (id, order_id, branch_id, customer_id, kind, base, dpp, ppn, total,
                       number, state, settled_at)
                   SELECT gen_random_uuid(), order_id, 'JKT', customer_id, 'RENTAL', 1, 1, 0, 1,
                          'INV/JKT/202601/' || right(number, 5), 'PAID', sentra.now() FROM sentra.booking"""
            )
            rig.owner.execute(
                """INSERT INTO sentra.invoice_line (invoice_id, line_no, branch_id, booking_id, kind, text, quantity,
                       unit_price, amount, taxable)
                   SELECT i.id, 1, 'JKT', b.id, 'RENT', 'Sewa', 1, 1, 1, true
                   FROM sentra.invoice i JOIN sentra.booking b ON b.order_id = i.order_id"""
            )
        rig.book("unit-9000", "2026-12-01", "2026-12-02", customer=customer)
        rig.owner.execute("ANALYZE")
        yield rig


@pytest.mark.parametrize(
    "typed", ["b 1200 xye", "9121", "unit-9121", "BK-21234", "21234", "INV/JKT/202601/21234", "rina", "0813 0000",
              "orang ab", "rina 0813 0000"]
)  # fmt: skip
def test_no_search_reads_a_whole_table(crowd: Rig, typed: str) -> None:
    wish = wish_of(typed, "JKT", 12)
    assert wish is not None
    wanted = understood(wish.customer) if wish.customer else Wanted(phones=(), words=())
    statement = search_statement(len(wanted.words), bool(wanted.phones))
    engine = crowd.engine(crowd.database.url_for("sr_ayu"))
    with engine.connect() as connection:
        lines = connection.execute(text(f"EXPLAIN (COSTS OFF) {statement.text}"), parameters(wish, wanted)).scalars()
        plan = "\n".join(lines)
    scanned = [table for table in BIG if f"Seq Scan on {table} " in plan + " "]
    assert scanned == [], plan
    assert crowd.reads("sr_ayu").search(wish) != ()


def test_a_search_of_a_common_beginning_stays_short(crowd: Rig) -> None:
    wish = wish_of("orang", "JKT", 12)
    assert wish is not None
    hits = crowd.reads("sr_ayu").search(wish)
    assert 12 <= len(hits) <= 12 + 4 * 2
