"""Pieces of markup that several documents are made of. Every text from outside is escaped here."""

import html
from collections.abc import Iterable, Sequence

MUTED = "#57606A"
LINE = "#C6CDD6"
SUNKEN = "#F3F5F8"
BLANK = "_" * 28
LINE_ROW = f"<tr><td colspan='2' bgcolor='{LINE}' style='font-size:0.4pt;padding:0'>&nbsp;</td></tr>"
"""A thin rule inside a table of two columns."""


def safe(text: str) -> str:
    """Text as it is typed, with its lines."""
    return html.escape(text).replace("\n", "<br/>")


def muted(text: str) -> str:
    return grey(safe(text))


def grey(markup: str) -> str:
    return f"<span style='color:{MUTED}'>{markup}</span>"


def bold(text: str, points: float | None = None) -> str:
    size = f"font-size:{points}pt;" if points else ""
    return f"<span style='{size}font-weight:600'>{safe(text)}</span>"


def small(markup: str, points: float = 8) -> str:
    return f"<span style='font-size:{points}pt'>{markup}</span>"


def gap(points: float = 5) -> str:
    return f"<p style='font-size:{points}pt;margin:0'>&nbsp;</p>"


def heading(text: str) -> str:
    """Stays with what follows it when the page ends."""
    return f"<h3 style='font-size:10pt;font-weight:600;margin-top:10px;margin-bottom:3px'>{safe(text)}</h3>"


def rule() -> str:
    """A thin line over the whole width."""
    bar = f"<table width='100%' cellspacing='0' cellpadding='0' bgcolor='{LINE}'><tr><td style='font-size:0.4pt'>"
    return f"{gap(3)}{bar}&nbsp;</td></tr></table>{gap(2)}"


def named_rows(rows: Iterable[tuple[str, str]], width: int = 30) -> str:
    """Names on the left, markup on the right."""
    cells = "".join(f"<tr><td width='{width}%'>{muted(name)}</td><td>{value}</td></tr>" for name, value in rows)
    return f"<table width='100%' cellspacing='0' cellpadding='1.5'>{cells}</table>"


def side_by_side(left: str, right: str) -> str:
    return (
        "<table width='100%' cellspacing='0' cellpadding='0'><tr>"
        f"<td width='48%'>{left}</td><td width='4%'></td><td width='48%'>{right}</td></tr></table>"
    )


def table(heads: Sequence[tuple[str, str, int]], rows: Iterable[str]) -> str:
    """`heads` are text, alignment and width in percent; they are repeated on each page the rows (markup) reach."""
    cells = "".join(f"<td align='{align}' width='{width}%'>{muted(text)}</td>" for text, align, width in heads)
    return (
        "<table width='100%' cellspacing='0' cellpadding='3'>"
        f"<thead><tr bgcolor='{SUNKEN}'>{cells}</tr></thead>{''.join(rows)}</table>"
    )
