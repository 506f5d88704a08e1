"""Files that the docs name are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "ostrom"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md"))]
BASES = [ROOT, SOURCE, *(path for path in (SOURCE / "games").iterdir() if path.is_dir()), ROOT / "frontend" / "src"]
"""What paths are relative to: a page that speaks of one game names the files of its folder."""


def paths(page: Path) -> list[str]:
    found: list[str] = re.findall(r"`([a-z][\w.-]*/[\w./-]*\.(?:py|ts|svelte|sh|j2|toml))`", page.read_text("utf-8"))
    return [path for path in found if inside(path)]


def inside(path: str) -> bool:
    """Whether a path begins with a folder of ours, so that it is no file of the reader's, and names a single file."""
    return "NAME" not in path and any((base / path.split("/")[0]).is_dir() for base in BASES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    missing = [path for path in paths(page) if not any((base / path).is_file() for base in BASES)]
    assert not missing, missing


def test_the_check_finds_what_it_looks_for(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("`core/game.py` and `core/gone.py`, `my_games/mine.py`, `prompts/NAME.j2`")
    assert paths(page) == ["core/game.py", "core/gone.py"]
