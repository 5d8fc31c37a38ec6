"""${message}"""

from app.adapters.postgres.migrations.run_sql import run_sql

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_sql("${up_revision}.sql")
