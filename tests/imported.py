"""The 580 games of PGG-Bench in a journal, imported once for all tests that look at them. A plugin of pytest."""

import os
from pathlib import Path

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
    if not shared.exists():
        own = Path(tmp_path_factory.mktemp("import")) / "imported.db"
        with Journal.open(f"sqlite:///{own}", create=True) as journal:
            import_logs(logs, journal)
        own.replace(shared)
    return f"sqlite:///{shared}"
