"""Out and back: inspections, hand-overs, charges of a return, deposits, collateral, overdue units."""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = "0021_handovers"
down_revision = "0020_till"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("0021_handovers.sql")
    run_sql("0021_charges.sql")
