"""Services that tests need for real, started by the tests themselves. A plugin of pytest.

PostgreSQL is started once a session (with pytest-xdist, once a worker).
"""

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import NoReturn

import pytest

import clusters

REQUIRED = "OSTROM_REQUIRE_SERVICES"
"""With this environment variable set to 1, a missing service is a failure."""


def missing(reason: str) -> NoReturn:
    """Skip a test that needs a service, or fail where services are required. Reported once for each reason."""
    if os.environ.get(REQUIRED) == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[clusters.Server]:
    """A running server, on which the user lab may do everything without a password."""
    programs = clusters.programs()
    if programs is None:
        missing(clusters.HOW_TO_GET_IT)
    with clusters.cluster(programs) as server:
        yield server


@pytest.fixture(scope="session")
def postgresql_port(postgresql: clusters.Server) -> int:
    """Its port."""
    return postgresql.port


@pytest.fixture(scope="session")
def new_database(postgresql_port: int) -> Callable[[], str]:
    """Makes an empty database, and gives its URL."""
    numbers = count(1)
    return lambda: clusters.new_database(postgresql_port, f"test_{next(numbers)}")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a place where no journal is yet, in either database; the tests of the journal itself are quick in
    both."""
    return new_store(request, tmp_path)


def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a place where no journal is yet, in the database that the request names."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'journal.db'}"
    make: Callable[[], str] = request.getfixturevalue("new_database")
    return make()
