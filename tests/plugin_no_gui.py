"""pytest plugin for `dev.py test --no-gui`: knows pytest-qt's settings while pytest-qt itself is left out."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Accept the settings, which otherwise are unknown and so an error under --strict-config."""
    for name in ("qt_api", "qt_log_level_fail"):
        parser.addini(name, "pytest-qt is left out by --no-gui")
