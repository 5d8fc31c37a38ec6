"""Where the files that ship with the program lie, in the source tree and in a frozen bundle."""

import sys
from pathlib import Path


def resource(*parts: str) -> Path:
    """The path of a shipped file, for example `resource("theme", "sentra.json")`."""
    bundle = getattr(sys, "_MEIPASS", None)
    root = Path(bundle) if bundle else Path(__file__).resolve().parents[2]
    return root.joinpath("resources", *parts)
