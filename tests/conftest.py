"""Fixtures for everyone: real PostgreSQL and Redis servers of the session, and a clean database and index per test."""

import gc
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.desktop.garbage_due import collect_what_is_due
from tests.support import cluster
from tests.support.databases import ScratchDatabase, Template, build_template, drop_database
from tests.support.processes import Processes
from tests.support.redis_nodes import RedisNode


def pytest_configure(config: pytest.Config) -> None:
    """Agree on the folder of the session's servers before any worker starts."""
    if hasattr(config, "workerinput"):
        cluster.end_with_main_process()
    else:
        cluster.choose_folder()


def pytest_sessionstart() -> None:
    """Cycles are looked for between tests, in the main thread: one with a widget in it must not be taken apart by a
    test's own threads, which crashes the tests after it."""
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    collect_what_is_due()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave no server and no folder behind."""
    if not hasattr(config, "workerinput") and cluster.FOLDER_VARIABLE in os.environ:
        cluster.remove_folder()


@pytest.fixture(scope="session")
def owner_url() -> Iterator[str]:
    """The superuser's URL of the session's PostgreSQL cluster (its own `sentra` database; tests use `database`)."""
    with cluster.join_cluster() as joined:
        cluster.quicken_logins(joined.database_url)
        yield joined.database_url


@pytest.fixture(scope="session")
def template(owner_url: str) -> Iterator[Template]:
    """This worker's provisioned template database, with a role prefix of its own."""
    made = build_template(owner_url)
    yield made
    drop_database(owner_url, made.name)


@pytest.fixture
def database(template: Template) -> Iterator[ScratchDatabase]:
    """A provisioned database of this test alone, with the clock in the test's hand."""
    with template.copy() as copied:
        yield copied


@pytest.fixture(scope="session")
def short_tmp() -> Iterator[Path]:
    """A folder with a short path that the servers' own user can reach, removed at the end of the session."""
    folder = Path(tempfile.mkdtemp(prefix="w-", dir=cluster.session_folder()))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def worker_redis(short_tmp: Path) -> Iterator[RedisNode]:
    """This worker's Redis; tests use `redis_url` or `redis_node`, which empty it."""
    node = RedisNode(short_tmp / "redis")
    node.start()
    yield node
    node.stop()


@pytest.fixture
def redis_node(worker_redis: RedisNode) -> Iterator[RedisNode]:
    """An empty Redis of this test alone. A test that kills it need not start it again."""
    worker_redis.flush()
    yield worker_redis
    worker_redis.stop()
    worker_redis.start()


@pytest.fixture
def redis_url(worker_redis: RedisNode) -> str:
    """The URL of an empty Redis that no other test uses meanwhile."""
    worker_redis.flush()
    return worker_redis.url


@pytest.fixture
def redis_factory(short_tmp: Path) -> Iterator[Callable[[], RedisNode]]:
    """Makes further independent Redis servers (Redlock nodes), started and empty; they end with the test."""
    home = Path(tempfile.mkdtemp(prefix="nodes-", dir=short_tmp))
    home.chmod(0o711)
    nodes: list[RedisNode] = []

    def make() -> RedisNode:
        node = RedisNode(home / f"node{len(nodes)}")
        nodes.append(node)
        node.start()
        return node

    yield make
    for node in nodes:
        node.stop()


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    """Starts real child processes of the product; none survives the test."""
    with Processes(tmp_path) as started:
        yield started
