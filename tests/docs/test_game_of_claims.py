"""The blocks of the page on games that belong to the file of the game of claims are a complete game."""

import re
from pathlib import Path

import pytest

from ostrom.core.plugins import GAMES, load_file
from ostrom.testing import check_game

PAGE = (Path(__file__).parents[2] / "docs" / "write-a-game.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)
PARTS = ("GUESS =", "SCENE =", "STEP =", "MEASURES =")


def test_the_page_shows_every_part_that_the_game_declares() -> None:
    whole = "".join(block for block in BLOCKS if block.startswith("# claims.py\n"))
    assert [part for part in PARTS if f"\n{part}" not in whole] == []


@pytest.mark.slow
def test_the_game_of_claims_keeps_the_contract_and_its_secrets(tmp_path: Path) -> None:
    path = tmp_path / "claims.py"
    path.write_text("\n\n".join(block for block in BLOCKS if block.startswith("# claims.py\n")), encoding="utf-8")
    load_file(str(path))
    shown: dict[str, object] = {}
    exec(next(block for block in BLOCKS if "def secrets(" in block), shown)
    check_game(GAMES["claims"], secrets=shown["secrets"], seeds=(1,))  # type: ignore[arg-type]
