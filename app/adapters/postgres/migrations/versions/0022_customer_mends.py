"""Customers and approvals: an answer that is sent again is compared whole, wrong passwords are counted in turn."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0022_customer_mends"
down_revision = "0021_handovers"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0022_customer_mends.sql")
