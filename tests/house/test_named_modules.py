"""Modules that are named in strings keep to the layers: import-linter sees imports alone, and a path in a string is
imported all the same."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "ostrom"
ALLOWED: dict[tuple[str, str], str] = {
    ("core/entry_points.py", "games"): "the name of a group of entry points, not a module",
    ("core/entry_points.py", "players"): "the name of a group of entry points, not a module",
    ("core/entry_points.py", "importers"): "the name of a group of entry points, not a module",
    ("web/runs.py", "cli"): "the program that the server starts as a process of its own",
    ("web/session_runs.py", "cli"): "the program that the server starts as a process of its own",
    ("web/simulation_runs.py", "cli"): "the program that the server starts as a process of its own",
    ("experiment/session/rehearsal/server.py", "cli"): "the program that a rehearsal starts as a process of its own",
}
"""A file and the package that it names above its own, and why."""


def layers() -> dict[str, int]:
    """The height of each package, read from the contract of import-linter: 0 is at the bottom."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    [stack] = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    return {
        name.strip().removeprefix("ostrom."): height
        for height, layer in enumerate(reversed(stack))
        for name in layer.split(":")
    }


def named(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The packages of the modules that strings are paths of, with their lines. Prose has spaces, and what ends with a
    dot is the beginning that other paths are compared with."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            path = re.fullmatch(r"ostrom\.(\w+)(?:\.\w+)*(?::[\w.]+)?", node.value)
            if path is not None:
                yield node.lineno, path[1]


def test_no_string_names_a_module_above_its_own_layer() -> None:
    heights = layers()
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE)
        own = heights.get(place.parts[0])
        text = path.read_text(encoding="utf-8")
        if not re.search(r"[\"']ostrom\.", text):
            continue  # No string begins so; parsing is most of this test's time.
        for line, package in named(ast.parse(text)):
            above = own is not None and heights.get(package, 0) > own
            if above and (place.as_posix(), package) not in ALLOWED:
                found.append(f"{place}:{line}: ostrom.{package}")
    assert not found, "\n".join(found)


def test_every_exception_is_needed() -> None:
    unused = [
        (place, package)
        for place, package in ALLOWED
        if package not in {name for _, name in named(ast.parse((SOURCE / place).read_text(encoding="utf-8")))}
    ]
    assert not unused


def test_the_check_finds_what_it_looks_for() -> None:
    assert layers()["cli"] > layers()["experiment"] > layers()["core"]
    tree = ast.parse('call("ostrom.cli.main:app")\n"ostrom.web is a package"\nload("ostrom.core")')
    assert list(named(tree)) == [(1, "cli"), (3, "core")]
