"""pytest plugin: shows how the other stages of `dev.py test` ended, right above pytest's closing line."""

import os

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write one line per stage; nothing when pytest was started on its own."""
    outcomes = os.environ.get("DEV_STAGE_OUTCOMES", "").splitlines()
    if outcomes:
        terminalreporter.section("stages before pytest")
        for outcome in outcomes:
            terminalreporter.write_line(outcome, red="FAILED" in outcome)
