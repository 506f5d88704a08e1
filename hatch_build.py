"""What is built into the wheel and the source archive: the pages. They are not in version control; where they lie in
src/ostrom/web/pages/ they are taken as they are, otherwise `make pages` builds them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HOW = (
    "ostrom: a wheel holds the pages, and they are not built here; in a checkout 'make pages' builds them, with "
    "Node.js 20.19, 22.12 or later where it is at hand"
)


class Pages(BuildHookInterface):
    """Builds the pages where there are none; an editable installation does without."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Refuse what would have no pages."""
        del build_data
        root = Path(self.root)
        page = root / "src" / "ostrom" / "web" / "pages" / "index.html"
        if version == "editable" or page.is_file():
            return
        if shutil.which("make") is None or shutil.which("bash") is None:
            raise SystemExit(HOW)
        # What the isolated environment of a build says to its own Python and pip concerns no other.
        ours = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_BUILD", "MAKE"))
        }
        python = getattr(sys, "_base_executable", "") or sys.executable
        built = subprocess.run(["make", "--silent", "pages", f"PYTHON={python}"], cwd=root, env=ours, check=False)
        if built.returncode != 0 or not page.is_file():
            raise SystemExit(HOW)
