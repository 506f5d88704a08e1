"""Where data of other projects lies: OSTROM_DATA, by default beside the project. It is never part of the project."""

import os
from pathlib import Path


def foreign(name: str) -> Path:
    """A folder of foreign data; its absence is a failure, because these tests are the last word."""
    root = Path(os.environ.get("OSTROM_DATA", Path(__file__).parents[3] / "shared" / "data"))
    folder = root / name
    assert folder.is_dir(), f"{folder} is not there; set OSTROM_DATA to the folder that holds {name}"
    return folder
