"""The page on Python: four things in at most fifteen lines each, with public names only; and every public name."""

import ast
import re
from pathlib import Path

import ostrom

PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)
MOST = 15


def test_four_things_take_a_few_lines_with_public_names() -> None:
    bench, tournament, battery, replay = BLOCKS[:4]
    for block, calls in (
        (bench, {"bench", "ratings", "chart"}),
        (tournament, {"tournament", "to_frame"}),
        (battery, {"bench", "scores"}),
        (replay, {"play", "replay"}),
    ):
        assert len([line for line in block.splitlines() if line.strip()]) <= MOST
        used = [node for node in ast.walk(ast.parse(block)) if isinstance(node, ast.Attribute)]
        assert calls <= {node.attr for node in used}


def test_no_block_uses_what_is_not_public() -> None:
    for block in BLOCKS:
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ostrom":
                assert node.attr in ostrom.__all__
            if isinstance(node, ast.ImportFrom):
                assert node.module == "ostrom.testing.provider"
            assert not (isinstance(node, ast.Attribute) and node.attr.startswith("_"))


def test_every_public_name_is_on_the_page() -> None:
    told = set(re.findall(r"^\| `(\w+)` \|", PAGE, flags=re.MULTILINE))
    assert set(ostrom.__all__) - told == set()
