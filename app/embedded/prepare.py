"""`python -m app.embedded.prepare`: fills a fresh database in a process of its own, so the supervisor stays small.

Reads one JSON object on standard input: `{"hook": "module:function", "arguments": {…}}`; the function is called with
the arguments by name. Writes one JSON line: `{"prepared": {…}}` with what it returned, or `{"error": …}`.
"""

import importlib
import json
import sys
from collections.abc import Mapping


def main() -> int:
    """Call the hook; exit 1 with the reason when it cannot be called. Its own failure ends us with its traceback."""
    asked = json.load(sys.stdin)
    module_name, _, function_name = asked["hook"].partition(":")
    answer = sys.stdout
    sys.stdout = sys.stderr  # whatever the hook prints belongs in the log
    try:
        hook = getattr(importlib.import_module(module_name), function_name)
    except (ImportError, AttributeError) as error:
        answer.write(json.dumps({"error": f"this program cannot fill a new database: {error}"}) + "\n")
        return 1
    try:
        prepared = hook(**asked["arguments"])
    except Exception as error:
        answer.write(json.dumps({"error": f"{type(error).__name__}: {error}"}) + "\n")
        answer.flush()
        raise
    if not isinstance(prepared, Mapping):
        prepared = {}
    answer.write(json.dumps({"prepared": dict(prepared)}, default=str) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
