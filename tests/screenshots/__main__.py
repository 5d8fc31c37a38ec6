"""`python -m tests.screenshots [--screen S] [--out D]`: every scene in every language, theme, scale and size."""

from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import sys
from pathlib import Path

SIZES = {"1366x768": (1366, 704), "1920x1080": (1920, 1016)}
"""Screen size → the window's content, without its title (32 px) and the task bar (about 32 px)."""
SCALES = ("100", "150")


def main() -> int:
    """Exit 0 when every picture was written; a scene that does not come about ends it with its error."""
    parser = argparse.ArgumentParser(prog="python -m tests.screenshots", description=__doc__)
    parser.add_argument("--screen", help="only scenes whose name begins with this, e.g. calendar or settlement-lost")
    parser.add_argument("--out", type=Path, default=Path("out/shots"))
    parser.add_argument("--scale", choices=SCALES, help="only this scale")
    parser.add_argument("--quick", action="store_true", help="Indonesian, light, 1366x768 only")
    given = parser.parse_args()
    out = given.out.absolute()
    out.mkdir(parents=True, exist_ok=True)
    if given.scale is None:
        return _each_scale(given, out)
    from tests.screenshots.shoot import shoot

    languages, themes, sizes = (
        (("id",), ("light",), ("1366x768",))
        if given.quick
        else (
            ("id", "en"),
            ("light", "dark"),
            tuple(SIZES),
        )
    )
    written = shoot(
        out,
        given.screen or "",
        given.scale,
        {name: SIZES[name] for name in sizes},
        tuple(itertools.product(languages, themes)),
    )
    sys.stderr.write(f"{written} pictures in {out}\n")
    return 0


def _each_scale(given: argparse.Namespace, out: Path) -> int:
    """A process per scale, because Qt reads its scale once; then the contact sheet of all pictures."""
    for scale in ("100",) if given.quick else SCALES:
        command = [sys.executable, "-m", "tests.screenshots", "--out", str(out), "--scale", scale]
        command += ["--screen", given.screen] if given.screen else []
        command += ["--quick"] if given.quick else []
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": str(int(scale) / 100)}
        done = subprocess.run(command, env=environment, check=False)
        if done.returncode:
            return done.returncode
    from tests.screenshots.sheet import write_sheet

    write_sheet(out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
