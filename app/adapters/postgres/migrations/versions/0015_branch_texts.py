"""What a branch prints in its own words, and how often a contract was printed."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0015_branch_texts"
down_revision = "0014_customers"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0015_branch_texts.sql")
