"""The invoice lock, settling under it, and cash shifts."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0005_settlement"
down_revision = "0004_booking"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0005_settlement.sql")
