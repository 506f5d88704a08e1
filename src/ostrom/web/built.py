"""Where the built pages lie. It knows no framework: a game becomes a page where no server is installed."""

import os
from pathlib import Path
from typing import Final

from ostrom.core import InputError

VARIABLE: Final = "OSTROM_PAGES"
"""The environment variable that names another folder of built pages."""
NOT_BUILT: Final = "the pages are not built; in a checkout, run: make pages"


def pages_folder() -> Path:
    """The folder of the built pages; refused where there are none."""
    return built("index.html").parent


def built(page: str) -> Path:
    """One of the pages; refused where it is not built."""
    file = Path(os.environ.get(VARIABLE) or Path(__file__).parent / "pages") / page
    if not file.is_file():
        raise InputError(NOT_BUILT)
    return file
