"""Money through the payment gateway: attempts, what the gateway tells, booking it, and money that came too late."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0019_gateway"
down_revision = "0016_search"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0019_gateway.sql")
