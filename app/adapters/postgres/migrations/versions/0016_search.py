"""Plates are found as they are typed, through an index."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0016_search"
down_revision = "0015_branch_texts"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0016_search.sql")
