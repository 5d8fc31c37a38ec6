"""A manager's word at somebody else's counter, and the end of a paid booking: what is given back, what stays."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0013_approvals_and_cancellations"
down_revision = "0012_rates"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0013_approvals_and_cancellations.sql")
