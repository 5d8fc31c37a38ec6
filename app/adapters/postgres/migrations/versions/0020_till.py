"""The till: every way of paying, refunds paid out and voids, credit, companies' debts, shifts, closed months, papers."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0020_till"
down_revision = "0019_gateway"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0020_till_tables.sql")
    run_sql("0020_till_settle.sql")
    run_sql("0020_till_refunds.sql")
    run_sql("0020_till_shifts.sql")
