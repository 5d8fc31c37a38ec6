"""Reschedule, swap, extend, shorten: changes of a booking that stands."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0009_booking_changes"
down_revision = "0007_fleet_and_outbox"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0009_booking_changes.sql")
