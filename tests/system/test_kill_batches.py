"""A killed run loses no result of its batches and pays for none twice."""

from pathlib import Path

import pytest
from kill_batches import BatchKilling, installed, provider_options

from provider_process import provider_process

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kills", [20, pytest.param(200, marks=pytest.mark.long)])
def test_an_experiment_in_batches_ends_as_one_of_single_calls(tmp_path: Path, kills: int) -> None:
    with provider_process(*provider_options(3)) as provider:
        killing = BatchKilling(provider, f"sqlite:///{tmp_path}/batches.db", kills, installed())
        assert killing.run(kills).total() >= kills


@pytest.mark.long
def test_so_it_does_in_postgresql(new_database, tmp_path: Path) -> None:
    with provider_process(*provider_options(4)) as provider:
        assert BatchKilling(provider, new_database(), 4, installed()).run(40).total() >= 40
