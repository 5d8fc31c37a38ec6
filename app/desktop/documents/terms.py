"""The terms of a branch as small print: each line one paragraph, a clause with its number beside it."""

import re
from collections.abc import Iterator

from app.desktop.documents.markup import bold, gap, safe, small

WITH_SIGNATURES = 2
"""So many clauses stand on the page of the signatures: names on a page without a word of the contract sign nothing."""
_CLAUSE = re.compile(r"\s*(\d{1,3}(?:\.\d{1,2})*[.)]|[a-z][.)]|[-•*])\s+(.*)")
_TITLE = re.compile(r"([^.:!?]{2,60})([.:])\s+(\S.*)")


def terms_markup(said: str, points: float = 8) -> str:
    """Text from outside is escaped. `1. Deposit. …` shows its first words as a title."""
    return "".join(_pieces(said, points))


def _pieces(said: str, points: float) -> Iterator[str]:
    """Clauses that follow each other are one table, whose rows may go on on the next page. The last ones are a table of
    their own, so that they can go with the signatures.
    """
    rows: list[str] = []
    for line in said.splitlines():
        found = _CLAUSE.fullmatch(line)
        if found is not None:
            rows.append(_row(found[1], found[2], points))
            continue
        if rows:
            yield _table(rows)
            rows = []
        yield f"<p style='margin:0'>{small(safe(line.strip()), points)}</p>" if line.strip() else gap(3)
    if len(rows) > WITH_SIGNATURES:
        yield _table(rows[:-WITH_SIGNATURES])
        rows = rows[-WITH_SIGNATURES:]
    if rows:
        yield _table(rows)


def _table(rows: list[str]) -> str:
    return f"<table width='100%' cellspacing='0' cellpadding='1'>{''.join(rows)}</table>"


def _row(sign: str, body: str, points: float) -> str:
    title = _TITLE.fullmatch(body) if sign[0].isdigit() else None
    words = safe(body) if title is None else f"{bold(title[1] + title[2], points)} {safe(title[3])}"
    return f"<tr><td width='4%'>{small(safe(sign), points)}</td><td width='96%'>{small(words, points)}</td></tr>"
