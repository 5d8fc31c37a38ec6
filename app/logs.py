"""One log line per outcome, with ids; never a phone number, an identity number or a card."""

from __future__ import annotations

import logging
import sys
from typing import TextIO

FORMAT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"


def log_to(stream: TextIO = sys.stderr, level: int = logging.INFO) -> None:
    """Send this process's log lines to a stream; libraries speak from WARNING on."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter(FORMAT))
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    logging.getLogger("app").setLevel(level)
