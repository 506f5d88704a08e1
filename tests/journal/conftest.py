"""A journal in either database: here both are quick."""

from pathlib import Path

import pytest

from services import new_store


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a place where no journal is yet."""
    return new_store(request, tmp_path)
