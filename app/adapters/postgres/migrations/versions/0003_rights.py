"""What each role may read, and row-level security per branch."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0003_rights"
down_revision = "0002_guards"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0003_rights.sql")
