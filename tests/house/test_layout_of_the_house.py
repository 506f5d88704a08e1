"""What the layout promises and no linter sees: parts that are named by import paths, and long functions."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ostrom.core.game import Game, imported
from ostrom.core.plugins import GAMES

SOURCE = Path(__file__).resolve().parents[2] / "src" / "ostrom"
PARTS = ("players", "briefing", "measures", "charts", "scene", "step", "samples")
LONGEST = 60


@pytest.mark.parametrize("game", list(GAMES.values()), ids=lambda game: game.name)
def test_the_parts_of_a_game_are_its_own(game: Game) -> None:
    own = game.play.__module__.split(".")[:3]
    for part in PARTS:
        path: str | None = getattr(game, part)
        if path is None:
            continue
        imported(path)
        inside = path.partition(":")[0].split(".")[:3]
        assert inside == own or inside[:2] != ["ostrom", "games"], f"{game.name}: {part} lies in another game: {path}"


def functions() -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every function of the source."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path.relative_to(SOURCE), node


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of its body: the options of a command are its signature, and are not counted."""
    return (function.end_lineno or 0) - function.body[0].lineno + 1


def test_no_function_is_long() -> None:
    long = [f"{path}:{node.lineno} {node.name}: {length(node)} lines" for path, node in functions()]
    long = [line for line in long if int(line.split()[-2]) > LONGEST]
    assert not long, "\n".join(long)


def test_no_two_test_files_share_a_name() -> None:
    """Each is imported by its bare name: of two that share one, a process that runs both can load only the first."""
    names = [path.name for path in (SOURCE.parents[1] / "tests").rglob("test_*.py")]
    assert sorted({name for name in names if names.count(name) > 1}) == []


def test_no_file_of_the_benchmarks_stands_in_for_a_package_that_numba_asks_for() -> None:
    """Python looks beside the file that is run first, and Numba asks whether lines are counted."""
    folder = str(SOURCE.parents[1] / "benchmarks")
    found = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {folder!r}); import numba"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
