"""Dated rates, extras, discounts and agreed deposits; rentals counted by 24 hours."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0012_rates"
down_revision = "0011_engine"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0012_rates.sql")
