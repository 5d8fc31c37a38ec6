"""Staff accounts: LOGIN roles made by a role that can make nothing else."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0006_staff"
down_revision = "0005_settlement"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0006_staff.sql")
