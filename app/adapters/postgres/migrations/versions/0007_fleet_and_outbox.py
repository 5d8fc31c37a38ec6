"""Fleet import, and the outbox's leases."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0007_fleet_and_outbox"
down_revision = "0006_staff"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0007_fleet_and_outbox.sql")
