"""Book, end and expire: definer functions that decide who has a unit."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0004_booking"
down_revision = "0003_rights"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0004_booking.sql")
