"""pytest plugin with the fixture `world`, for test modules that name it in `pytest_plugins`."""

from collections.abc import Iterator

import pytest

from tests.support.databases import Template
from tests.support.world import World, open_world, world_template


@pytest.fixture(scope="session")
def filled_template(template: Template) -> Iterator[Template]:
    """This worker's template with two branches, their staff and a small fleet."""
    with world_template(template) as filled:
        yield filled


@pytest.fixture
def world(filled_template: Template, redis_url: str) -> Iterator[World]:
    """An installation of this test alone, its index built."""
    with open_world(filled_template, redis_url) as opened:
        opened.make_index_whole()
        yield opened


@pytest.fixture(scope="module")
def shared_world(filled_template: Template) -> Iterator[World]:
    """One installation for many small tests of a module that change nothing in it; without Redis."""
    with open_world(filled_template, None) as opened:
        yield opened
