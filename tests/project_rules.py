"""The project-wide rules as functions from source text to findings; test_project.py applies them to the tree."""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

LONGEST_FILE = 400
_CLOCK_CALLS = {
    ("datetime", "now"),
    ("datetime", "utcnow"),
    ("datetime", "today"),
    ("date", "today"),
    ("time", "time"),
    ("time", "time_ns"),
}
_BROAD = {"Exception", "BaseException"}
_VERIFYING_NAME = re.compile(
    r"(assert|verify|expect)(_\w+)?|raises|warns|fail|wait(Signal|Signals|Until)|eventually|stays"
)
_TEXT_OPERATIONS = (ast.Pass, ast.Continue, ast.Break)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One text file of the project: its path from the root, with forward slashes, and what it says."""

    path: str
    text: str

    def tree(self) -> ast.Module:
        """Parse it as Python."""
        return ast.parse(self.text, filename=self.path)


def overlong(source: Source) -> list[str]:
    """Find a file that is longer than one idea may be."""
    count = len(source.text.splitlines())
    return [f"{source.path}: {count} lines"] if count > LONGEST_FILE else []


def imports_of(source: Source, packages: Iterable[str]) -> list[str]:
    """Find the imports of these packages or of anything inside them, wherever in the file they stand."""
    wanted = frozenset(packages)
    return [
        f"{source.path}:{line}: imports {name}"
        for line, name in _imported_modules(source.tree())
        if name.partition(".")[0] in wanted
    ]


def clock_reads(source: Source) -> list[str]:
    """Find where the machine's clock is asked for the time or the day. Durations (`monotonic`) are not time."""
    found = []
    for node in ast.walk(source.tree()):
        if isinstance(node, ast.Attribute) and (_last_name(node.value), node.attr) in _CLOCK_CALLS:
            found.append(f"{source.path}:{node.lineno}: reads {_last_name(node.value)}.{node.attr}")
        if isinstance(node, ast.ImportFrom) and node.module == "time":
            found += [
                f"{source.path}:{node.lineno}: imports time.{name.name}"
                for name in node.names
                if ("time", name.name) in _CLOCK_CALLS
            ]
    return found


def silent_handlers(source: Source) -> list[str]:
    """Find where any failure at all is caught and nothing is done about it."""
    found = []
    for node in ast.walk(source.tree()):
        if isinstance(node, ast.ExceptHandler) and _is_broad(node.type) and _does_nothing(node.body):
            found.append(f"{source.path}:{node.lineno}: catches everything and stays silent")
        if isinstance(node, ast.Call) and _last_name(node.func) == "suppress" and any(map(_is_broad, node.args)):
            found.append(f"{source.path}:{node.lineno}: suppresses everything")
    return found


def hidden_texts(source: Source) -> list[str]:
    """Find texts to translate inside an f-string: the collector of texts does not look there."""
    strings = [node for node in ast.walk(source.tree()) if isinstance(node, ast.JoinedStr)]
    calls = {node for string in strings for node in ast.walk(string) if isinstance(node, ast.Call)}
    found = sorted(
        (node for node in calls if _last_name(node.func) in ("tr", "translate")), key=lambda node: node.lineno
    )
    return [f"{source.path}:{node.lineno}: translates inside an f-string" for node in found]


def forbidden_words(source: Source, words: Iterable[str]) -> list[str]:
    """Find words that must not stand in any file of the project."""
    return [
        f"{source.path}:{number}: says {word}"
        for number, line in enumerate(source.text.splitlines(), start=1)
        for word in words
        if word in line
    ]


def tests_without_verdict(source: Source) -> list[str]:
    """Find test functions that can only fail by accident: nothing in them, or in what they call here, verifies."""
    functions = [node for node in ast.walk(source.tree()) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    steps = [node for node in functions if not node.name.startswith("test_")]
    verifying: set[str] = set()
    grew = True
    while grew:
        found = {node.name for node in steps if _verifies(node, verifying)}
        grew = found != verifying
        verifying = found
    return [
        f"{source.path}:{node.lineno}: {node.name} verifies nothing"
        for node in functions
        if node.name.startswith("test_") and not _verifies(node, verifying)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Locked:
    """One entry of a lock file."""

    name: str
    version: str
    hashes: tuple[str, ...]


def locked(text: str) -> list[Locked]:
    """Read a lock file's entries, each with its hashes."""
    entries = []
    for entry in _lock_entries(text):
        requirement, *options = entry.split("--hash=")
        name, _, version = requirement.partition(";")[0].strip().partition("==")
        entries.append(
            Locked(name=normal_name(name), version=version.strip(), hashes=tuple(option.strip() for option in options))
        )
    return entries


def lock_faults(path: str, text: str) -> list[str]:
    """Find entries of a lock file without version or hash, and anything that says where a package comes from."""
    found = [f"{path}: {entry.name} has no version" for entry in locked(text) if not entry.version]
    found += [
        f"{path}: {entry.name} has no hash"
        for entry in locked(text)
        if not entry.hashes or not all(re.fullmatch(r"sha256:[0-9a-f]{64}", value) for value in entry.hashes)
    ]
    for entry in _lock_entries(text):
        for option in re.findall(r"(?:^|\s)(--?[a-z-]+)", entry):
            if option != "--hash":
                found.append(f"{path}: option {option}")
        if "/" in entry or " @ " in entry:
            found.append(f"{path}: an address in {entry.split()[0]}")
    return found


def normal_name(name: str) -> str:
    """Give a package's name in the one spelling in which names are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _lock_entries(text: str) -> list[str]:
    joined = text.replace("\\\n", " ")
    return [line.strip() for line in joined.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def _imported_modules(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module
        elif isinstance(node, ast.Call) and _last_name(node.func) in ("import_module", "__import__") and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield node.lineno, first.value


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _is_broad(caught: ast.expr | None) -> bool:
    if isinstance(caught, ast.Tuple):
        return any(map(_is_broad, caught.elts))
    return caught is None or _last_name(caught) in _BROAD


def _does_nothing(body: list[ast.stmt]) -> bool:
    return all(
        isinstance(statement, _TEXT_OPERATIONS)
        or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        or (isinstance(statement, ast.Return) and isinstance(statement.value, ast.Constant | None))
        for statement in body
    )


def _called_names(node: ast.AST) -> set[str]:
    return {_last_name(inner.func) for inner in ast.walk(node) if isinstance(inner, ast.Call)}


def _verifies(node: ast.AST, steps: set[str]) -> bool:
    """Tell whether it asserts, or calls something that is made to verify or one of these steps that do."""
    return any(isinstance(inner, ast.Assert) for inner in ast.walk(node)) or any(
        name in steps or _VERIFYING_NAME.fullmatch(name) for name in _called_names(node)
    )
