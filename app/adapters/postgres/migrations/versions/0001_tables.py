"""Every table, constraint and index of schema sentra, and the booking machine's transition table."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0001_tables"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0001_tables.sql")
