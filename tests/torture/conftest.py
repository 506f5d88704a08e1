"""What the tests of endurance share: a disk with faults, and an experiment over it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from disk import Disk
from faulty_disk import HOW_TO_GET_IT, build

from fork_server import ForkServer
from services import missing


@pytest.fixture(scope="session")
def faulty_disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that stands between a program and its files."""
    library = build(tmp_path_factory.mktemp("faulty"))
    if library is None:
        missing(HOW_TO_GET_IT)
    return library


@pytest.fixture(scope="module")
def workloads(faulty_disk: Path) -> Iterator[ForkServer]:
    """Runs the workload in copies of a program that stands on a disk with faults."""
    program = str(Path(__file__).with_name("workload.py"))
    before = os.environ.get("LD_PRELOAD")
    loaded = f"{faulty_disk}:{before}" if before else str(faulty_disk)
    with ForkServer(program=program, more={"LD_PRELOAD": loaded}) as server:
        yield server


@pytest.fixture
def disk(workloads: ForkServer, tmp_path: Path) -> Disk:
    """A disk of its own, with nothing on it."""
    return Disk(workloads, tmp_path)
