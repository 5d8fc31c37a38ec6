"""Orders and holds: whose name they are on, what a manager's word covers, and how long they may last."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0023_order_mends"
down_revision = "0022_customer_mends"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0023_order_mends.sql")
