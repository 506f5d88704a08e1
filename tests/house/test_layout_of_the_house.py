"""What the layout promises and no linter sees: parts that are named by import paths, and long functions."""

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from ostrom.core.game import Game, imported
from ostrom.core.plugins import GAMES

SOURCE = Path(__file__).resolve().parents[2] / "src" / "ostrom"
PARTS = ("players", "briefing", "measures", "charts", "scene", "step", "samples")
LONGEST = 60
MAX_SHARED_CLASS_NAMES = 30


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


@cache
def trees() -> dict[Path, ast.Module]:
    """The syntax tree of every file of the source."""
    return {path.relative_to(SOURCE): ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py")}


def functions() -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every function of the source."""
    for path, tree in sorted(trees().items()):
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path, node


def imports_of(tree: ast.Module) -> Iterator[str]:
    """The modules of ours that a module names at its top, also those that only annotations need. The import of a module
    from its own package names the module alone."""
    for node in tree.body:
        for part in node.body if isinstance(node, ast.If) else [node]:
            if isinstance(part, ast.ImportFrom) and part.module:
                yield from (f"{part.module}.{name.name}" for name in part.names)
            elif isinstance(part, ast.Import):
                yield from (f"{name.name}." for name in part.names)


def circle(trees: dict[Path, ast.Module]) -> list[str]:
    """The modules of a circle of imports; empty if there is none."""
    modules = {".".join(("ostrom", *path.with_suffix("").parts)).removesuffix(".__init__"): path for path in trees}
    graph = {
        module: {name if name in modules else name.rpartition(".")[0] for name in imports_of(trees[path])}
        & set(modules)
        for module, path in modules.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        names: list[str] = error.args[1]
        return names
    return []


def test_no_modules_import_each_other() -> None:
    assert circle(trees()) == []


def test_the_check_finds_a_circle_that_only_annotations_make() -> None:
    first = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ostrom.second import Second\n"
    parsed = {Path("first.py"): ast.parse(first), Path("second.py"): ast.parse("from ostrom import first\n")}
    assert sorted(set(circle(parsed))) == ["ostrom.first", "ostrom.second"]


def test_few_public_classes_share_a_name() -> None:
    names = Counter(
        node.name
        for tree in trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    shared = sorted(name for name, count in names.items() if count > 1)
    assert len(shared) <= MAX_SHARED_CLASS_NAMES, shared


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
