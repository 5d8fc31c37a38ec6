"""Run one file of SQL statements inside a migration, with the installation's role names filled in."""

from __future__ import annotations

from pathlib import Path

from alembic import op

_FOLDER = Path(__file__).parent / "sql"


def run_sql(name: str) -> None:
    """Run `sql/<name>` in the migration's transaction; `{{agent}}` becomes this installation's role name."""
    context = op.get_context()
    roles: dict[str, str] = context.config.attributes["roles"] if context.config else {}
    text = (_FOLDER / name).read_text("utf-8")
    for placeholder, role in roles.items():
        text = text.replace("{{" + placeholder + "}}", role)
    if "{{" in text:
        raise ValueError(f"{name} names a role that does not exist: {text[text.index('{{') :][:40]}")
    # The driver's own cursor without parameters takes many statements at once; `%` needs no doubling there.
    driver = op.get_bind().connection.cursor()
    try:
        driver.execute(text.encode())
    finally:
        driver.close()
