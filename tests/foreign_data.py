"""Where data of other projects lies: OSTROM_DATA, by default beside the project. It is never part of the project."""

import os
from pathlib import Path

from services import missing

ROOT = Path(__file__).parents[1]


def foreign(name: str) -> Path:
    """A folder of foreign data. Where it is absent the test is skipped with a line that says how to get at it, unless
    everything is required, as it is where changes are judged: these tests are the last word."""
    folder = Path(os.environ.get("OSTROM_DATA", ROOT.parent / "shared" / "data")) / name
    if not folder.is_dir():
        missing(f"there is no foreign data in {folder}: set OSTROM_DATA to the folder that holds {name}")
    return folder
