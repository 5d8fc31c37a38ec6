"""Finds every reason that a refusal of ours can carry, in the program's Python and SQL.

A reason that is put together in a way this file does not know is an error: nothing is passed over.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

APP = Path(__file__).resolve().parents[1] / "app"
SQL = APP / "adapters" / "postgres" / "migrations" / "sql"
EXPLAINED = frozenset({"FIELD_INVALID", "PERIOD_INVALID", "UNIT_NOT_RENTABLE", "DUPLICATE"})
"""Codes whose reason tells a person what to correct; the others' is a detail for scripts and the log."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Carried:
    """One reason that a refusal with this code can carry."""

    code: str
    reason: str


def reasons() -> frozenset[Carried]:
    """All of them."""
    found = {item for path in APP.rglob("*.py") for item in in_python(path.read_text(encoding="utf-8"))}
    sql = "\n".join(path.read_text(encoding="utf-8") for path in sorted(SQL.glob("*.sql")))
    return frozenset(item for item in found | set(in_sql(sql)) if item.code in EXPLAINED)


def fields() -> frozenset[str]:
    """Every input that a FIELD_INVALID or NOT_FOUND names as a plain word."""
    found: set[str] = set()
    for path in APP.rglob("*.py"):
        for call in _calls(ast.parse(path.read_text(encoding="utf-8"))):
            if _name(call.func) == "invalid":
                found |= _texts(call.args[0])
            if _name(call.func) == "Refusal":
                found |= {text for key in call.keywords if key.arg == "field" for text in _texts(key.value)}
    for path in SQL.glob("*.sql"):
        code = _without_comments(path.read_text(encoding="utf-8"))
        for _, arguments in _sql_calls(code, "sentra.invalid"):
            found |= set(_values(arguments[0]) or re.findall(r"^'(\w+)'$", arguments[0]))
        found |= set(re.findall(r"'field', '([\w.]+)'", code))
    return frozenset(re.sub(r"\[\d*\]", "", text).strip(".") for text in found) - {"", "*"}


# --- Python -----------------------------------------------------------------------------------------------------------


def in_python(text: str) -> Iterator[Carried]:
    """The reasons in one file."""
    tree = ast.parse(text)
    owners = {
        id(inner): outer for outer in ast.walk(tree) if isinstance(outer, ast.FunctionDef) for inner in _calls(outer)
    }
    for call in _calls(tree):
        code, node = _reason_of(call)
        if node is not None and code in EXPLAINED:
            yield from (Carried(code=code, reason=text) for text in _resolved(tree, owners.get(id(call)), node))


def _reason_of(call: ast.Call) -> tuple[str, ast.expr | None]:
    if _name(call.func) == "invalid":
        return "FIELD_INVALID", call.args[1]
    if _name(call.func) == "Refusal" and isinstance(call.args[0], ast.Attribute):
        node = next((key.value for key in call.keywords if key.arg == "reason"), None)
        return call.args[0].attr, node
    return "", None


def _resolved(tree: ast.Module, owner: ast.FunctionDef | None, node: ast.expr) -> set[str]:
    """The texts that this expression can be."""
    if isinstance(node, ast.JoinedStr) and ast.unparse(node) == "f'not_{kind.__name__}'":
        kinds = {ast.unparse(call.args[1]) for call in _calls(tree) if _name(call.func) == "_of"}
        return {f"not_{kind}" for kind in kinds}
    if texts := _texts(node):
        return texts
    if isinstance(node, ast.Name) and owner is not None:
        names = [argument.arg for argument in owner.args.args if argument.arg != "self"]
        if owner.name == "invalid" and node.id in names:
            return set()  # the one place that every other reason comes through
        if node.id in names:
            at = names.index(node.id)
            uses = [call.args[at] for call in _calls(tree) if _name(call.func) == owner.name and len(call.args) > at]
            assert uses, f"nobody calls {owner.name}"
            return {text for use in uses for text in _resolved(tree, None, use)}
        for named in ast.walk(owner):
            if isinstance(named, ast.NamedExpr) and named.target.id == node.id and isinstance(named.value, ast.Call):
                return _answers(tree, _name(named.value.func))
    raise AssertionError(f"line {node.lineno}: what can the reason {ast.unparse(node)} be?")


def _answers(tree: ast.Module, name: str) -> set[str]:
    function = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name)
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value is not None]
    return {text for value in returned for text in _texts(value)}


def _texts(node: ast.expr) -> set[str]:
    """A text, or those of the two sides of a condition."""
    if isinstance(node, ast.IfExp):
        return _texts(node.body) | _texts(node.orelse)
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def _calls(tree: ast.AST) -> list[ast.Call]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


# --- SQL --------------------------------------------------------------------------------------------------------------


def in_sql(text: str) -> Iterator[Carried]:
    """The reasons in the functions of the database."""
    code = _without_comments(text)
    for name, its_code in (("sentra.invalid", "FIELD_INVALID"), ("sentra.refuse_period", "PERIOD_INVALID")):
        for at, arguments in _sql_calls(code, name):
            yield from (Carried(code=its_code, reason=found) for found in _sql_reasons(code, at, arguments[1]))
    for at, arguments in _sql_calls(code, "sentra.refuse"):
        its_code = arguments[0].strip("'")
        if its_code in EXPLAINED and len(arguments) > 1:
            yield from (Carried(code=its_code, reason=found) for found in _said_along(code, at, arguments[1]))
    # A row of a fleet file that is left out says why in the same words.
    for line in re.findall(r'"outcome": "refused"[^}]*"reason": "(\w+)"', code):
        yield Carried(code="FIELD_INVALID", reason=line)


def _said_along(code: str, place: int, detail: str) -> set[str]:
    """The reason inside a refusal's JSON, written out or built."""
    written = set(re.findall(r'"reason": "(\w+)"', detail))
    for _, arguments in _sql_calls(detail, "jsonb_build_object"):
        keys = arguments[::2]
        if "'reason'" in keys:
            written |= _sql_reasons(code, place, arguments[keys.index("'reason'") * 2 + 1])
    return written


def _sql_reasons(code: str, place: int, value: str) -> set[str]:
    if value == "reason":
        return set()  # the argument of `invalid` and `refuse_period` themselves
    if re.fullmatch(r"'\w+'", value):
        return {value.strip("'")}
    if value.startswith("'not_a' ||"):
        kinds = set(re.findall(r"'\w+ (text|uuid|number|rupiah|epoch|day|moment|boolean|object|array)\b", code))
        return {f"not_an_{kind}" if kind[0] in "aeo" else f"not_a_{kind}" for kind in kinds}
    if value.startswith("sentra.name_fault("):
        body = code[code.index("CREATE FUNCTION sentra.name_fault") :]
        return set(_values(body[: body.index("$$;")]))
    if value == "wrong":
        return set(_values(re.findall(r"\bwrong(?: text)? := (CASE.*?END);", code[:place], re.S)[-1]))
    found = set(_values(value))
    assert found, f"what can the reason {value} be?"
    return found


def _values(expression: str) -> list[str]:
    """The literals that a CASE can answer."""
    return re.findall(r"\b(?:THEN|ELSE)\s+'(\w+)'", expression)


def _sql_calls(code: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Where each call stands and its arguments, split at the commas outside brackets and texts."""
    for call in re.finditer(re.escape(name) + r"\((?!\w+ text)", code):
        arguments: list[str] = []
        depth, quoted, begun = 1, False, call.end()
        for at in range(call.end(), len(code)):
            sign = code[at]
            if sign == "'":
                quoted = not quoted
            if quoted:
                continue
            depth += (sign in "([") - (sign in ")]")
            if depth == 0 or (depth == 1 and sign == ","):
                arguments.append(" ".join(code[begun:at].split()))
                begun = at + 1
            if depth == 0:
                break
        yield call.start(), arguments


def _without_comments(text: str) -> str:
    return re.sub(r"--[^\n]*", "", text)
