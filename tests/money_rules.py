"""Whole Rupiah only: functions from source text to the places where a fraction could come into the money."""

import ast
import re
from collections.abc import Iterator

from tests.project_rules import Source

_MONEY = frozenset(
    [
        *("amount", "amounts", "price", "prices", "paid", "rent", "deposit", "deposits", "rupiah", "ppn", "dpp"),
        *("refund", "refunds", "discount", "tender", "tenders", "received", "payable", "owed", "subtotal"),
    ]
)
_INEXACT = re.compile(r"\b(double\s+precision|float[48]|pg_catalog\.money)\b|::\s*(float|real|money)\b", re.IGNORECASE)
_COLUMN = re.compile(r"(?:^|ADD COLUMN|[(,])\s*\w+\s+(real|float|money|numeric|decimal)\b", re.IGNORECASE)
_TABLE = re.compile(r"\b(?:CREATE TABLE|ALTER TABLE)\b.*?;", re.IGNORECASE | re.DOTALL)


def fractions(source: Source, *, seconds_too: bool = False) -> list[str]:
    """Find what makes or holds a fraction: a true division, a constant with a point, float(), round(), a float type.

    A value may be asked whether it is a float, to refuse it. With `seconds_too` there may be lengths of time.
    """
    found: list[tuple[ast.AST, str]] = []
    tree = source.tree()
    asked = {id(name) for call in _calls(tree, "isinstance") for name in ast.walk(call)}
    for node in ast.walk(tree):
        if _is_division(node):
            found.append((node, "divides"))
        elif isinstance(node, ast.Constant) and isinstance(node.value, float) and not seconds_too:
            found.append((node, f"says {node.value}"))
        elif isinstance(node, ast.Call) and _name(node.func) in ("float", "round", "fsum", "Fraction"):
            found.append((node, f"calls {_name(node.func)}"))
        elif isinstance(node, ast.Name) and node.id == "float" and not seconds_too and id(node) not in asked:
            found.append((node, "names float"))
    return _told(source, found)


def divided_money(source: Source) -> list[str]:
    """Find where something that is money by its name is divided, rounded or made a float."""
    found: list[tuple[ast.AST, str]] = []
    if not re.search(r" /=? |\bfloat\(|\bround\(", source.text):
        return []  # most files; reading them all as Python takes long
    for node in ast.walk(source.tree()):
        is_made = isinstance(node, ast.Call) and _name(node.func) in ("float", "round")
        if (is_made or _is_division(node)) and _MONEY & set(_words(node)):
            found.append((node, "makes a fraction of money"))
    return _told(source, found)


def inexact_sql(source: Source) -> list[str]:
    """Find types of SQL that hold fractions: floats anywhere, and any but whole numbers as a column of a table."""
    code = re.sub(r"--[^\n]*|'[^'\n]*'", lambda match: " " * len(match[0]), source.text)
    found = [(match.start(), " ".join(match[0].split())) for match in _INEXACT.finditer(code)]
    for table in _TABLE.finditer(code):
        found += [
            (table.start() + part.start(1), f"column {part[1]}")
            for part in re.finditer(_COLUMN.pattern, table[0], re.IGNORECASE | re.MULTILINE)
        ]
    return [f"{source.path}:{code.count(chr(10), 0, at) + 1}: {what}" for at, what in sorted(found)]


def _calls(tree: ast.Module, name: str) -> list[ast.Call]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _name(node.func) == name]


def _is_division(node: ast.AST) -> bool:
    """Of numbers: what joins a path ends in a text or begins with a folder."""
    if isinstance(node, ast.AugAssign):
        return isinstance(node.op, ast.Div)
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Div)
        and not isinstance(node.right, ast.JoinedStr)
        and not (isinstance(node.right, ast.Constant) and isinstance(node.right.value, str))
    )


def _words(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name | ast.Attribute) and not _name(inner).isupper():
            yield from _name(inner).lower().split("_")


def _name(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _told(source: Source, found: list[tuple[ast.AST, str]]) -> list[str]:
    return [f"{source.path}:{getattr(node, 'lineno', 0)}: {what}" for node, what in found]
