"""Waitlist entries, maintenance blocks, recorded refusals, holidays."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0010_waitlist_and_blocks"
down_revision = "0009_booking_changes"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0010_waitlist_and_blocks.sql")
