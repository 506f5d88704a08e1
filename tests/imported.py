"""The 580 games of PGG-Bench in a journal, imported once for all tests that look at them. A plugin of pytest."""

import fcntl
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from foreign_data import foreign
from ostrom.importers.pgg_bench import import_logs, logs_in
from ostrom.journal.sql import Journal


@pytest.fixture(scope="session")
def imported_games(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a journal with nothing but the imported games; to be read alone, since others read it too."""
    logs = logs_in(foreign("pgg_bench"))
    # With pytest-xdist each worker has a folder of its own, all of them in the folder of the run.
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "imported.db"
    with shared.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # whoever comes second waits, which is quicker than to import them again
        if not shared.exists():
            own = Path(tmp_path_factory.mktemp("import")) / "imported.db"
            with Journal.open(f"sqlite:///{own}", create=True) as journal:
                report = import_logs(logs, journal)
            _report_of(shared).write_text(json.dumps(asdict(report)))
            own.replace(shared)
    return f"sqlite:///{shared}"


@pytest.fixture(scope="session")
def import_report(imported_games: str) -> dict[str, Any]:
    """What was said of that import."""
    found: dict[str, Any] = json.loads(_report_of(Path(imported_games.removeprefix("sqlite:///"))).read_text())
    return found


def _report_of(shared: Path) -> Path:
    return shared.with_suffix(".json")
