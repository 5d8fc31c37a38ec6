"""What the engine keeps about claims, drift and outside effects."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0011_engine"
down_revision = "0010_waitlist_and_blocks"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0011_engine.sql")
