"""The OpenAPI document, printed: `python -m ostrom.web.openapi`. The pages' types are generated from it."""

import json
import tempfile
from pathlib import Path

from ostrom.experiment.hosting import Host
from ostrom.journal.sql import Journal
from ostrom.web.app import create_app
from ostrom.web.service import Service


def document() -> str:
    """The whole document; it is the same whatever a journal holds."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal.open(f"sqlite:///{Path(folder) / 'empty.db'}", create=True) as journal,
    ):
        return json.dumps(create_app(Service(journal, Host(journal))).openapi(), indent=1)


if __name__ == "__main__":
    print(document())
