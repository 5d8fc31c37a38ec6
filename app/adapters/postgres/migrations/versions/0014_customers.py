"""The customer register: more of a customer, companies, identity numbers that only the service can read."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0014_customers"
down_revision = "0013_approvals_and_cancellations"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0014_customers.sql")
