"""Alembic's entry: runs inside the connection that migrate.py hands over."""

from __future__ import annotations

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    version_table="schema_version",
    version_table_schema="sentra",
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
