"""Tasks of late money are answered."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0029_late_money_answers"
down_revision = "0028_least_down_payment"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0029_late_money_answers.sql")
