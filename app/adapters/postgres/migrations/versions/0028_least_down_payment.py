"""Counters may know the least down payment of their branch."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0028_least_down_payment"
down_revision = "0023_order_mends"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0028_least_down_payment.sql")
