"""The counter's entry point: checks that Qt can be loaded, then the window, or the self-check without one."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

DONE, USAGE, MISSING_PACKAGE = 0, 2, 3

QT_LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
}
WINDOW_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-shape.so.0": "libxcb-shape0",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the counter until its window is closed. 0: done, 2: usage, 3: a system package is missing (line printed)."""
    given = list(sys.argv[1:] if argv is None else argv)
    checks_itself, rest = _read(given) if given else (False, [])
    line = missing_line(loads, offscreen=os.environ.get("QT_QPA_PLATFORM") in ("offscreen", "minimal"))
    if line:
        sys.stderr.write(f"{line}\n")
        return MISSING_PACKAGE
    if checks_itself:
        from app.desktop import self_check

        status: int = self_check.main(rest)
        return status
    if rest:
        sys.stderr.write(f"usage: sentra-counter [--data-dir FOLDER] [--self-check]\nunknown: {' '.join(rest)}\n")
        return USAGE
    from app.desktop.opening import run

    return run()


def _read(given: list[str]) -> tuple[bool, list[str]]:
    """Whether the self-check is wanted, and what is not understood; a data folder goes to the environment."""
    import argparse  # not before the first picture of a plain start

    parser = argparse.ArgumentParser(prog="sentra-counter", description=__doc__)
    parser.add_argument("--data-dir", type=Path, help="where this counter keeps drafts and private servers")
    parser.add_argument("--self-check", action="store_true", help="drive the real screens through one booking")
    known, rest = parser.parse_known_args(given)
    if known.data_dir is not None:
        os.environ["SENTRA_DATA_DIR"] = str(known.data_dir.absolute())
    return bool(known.self_check), rest


def missing_line(can_load: Callable[[str], bool], *, offscreen: bool, platform: str = sys.platform) -> str:
    """The one line that installs the system packages Qt needs and this machine lacks; empty when all are there."""
    if not platform.startswith("linux"):
        return ""
    needed = QT_LIBRARIES if offscreen else QT_LIBRARIES | WINDOW_LIBRARIES
    packages = [package for library, package in needed.items() if not can_load(library)]
    return f"sudo apt-get install -y --no-install-recommends {' '.join(packages)}" if packages else ""


def loads(library: str) -> bool:
    """Whether the system's loader finds a shared library."""
    import ctypes

    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
