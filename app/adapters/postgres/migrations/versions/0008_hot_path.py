"""Booking and the invoice lock in fewer, cheaper statements."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0008_hot_path"
down_revision = "0007_fleet_and_outbox"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0008_hot_path.sql")
