"""Who is asking; the booking machine, I3, versions, append-only tables and the payment guard."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0002_guards"
down_revision = "0001_tables"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0002_guards.sql")
