"""Built-ins have no privileges: outside `games/` and `importers/` no source names a registered game.

Python is read by its syntax tree: strings in comparisons, subscripts, keys of dictionaries, Literals, calls' arguments
and defaults, identifiers and imports. Docstrings and prose may speak of games. Of the pages, string literals, folder
and file names and identifiers are read."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from ostrom.core.plugins import GAMES

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "ostrom"
PAGES = ROOT / "frontend" / "src"

ALLOWED: dict[str, str] = {
    "__init__.py": "names that the library shows: CommonsRules, CHAMPIONS, …",
    "cli/demo.py": "the demo shows the three games that the laboratory began with",
}
"""Files that may name games, and why."""
NAMED: dict[tuple[str, str], str] = {
    ("core/plugins.py", "'commons'"): "the game that is played where a user names none",
    ("terminal/judging.py", "'judge'"): "the key of a judge's description in the settings of its readings",
}
"""Single names that may stand where they do, and why."""


def names() -> set[str]:
    """Names and commands of all games, and of the families they come in."""
    found = {"battery", "judge", "audit"}
    for game in GAMES.values():
        if game.play.__module__.startswith("ostrom.games."):  # other tests register games of their own
            found |= {game.name, game.command}
    return found


def test_no_python_outside_games_names_one() -> None:
    known = names()
    found = [
        f"{path.relative_to(ROOT)}:{line}: {what}"
        for path in sorted(SOURCE.rglob("*.py"))
        if (place := path.relative_to(SOURCE)).parts[0] not in ("games", "importers")
        if str(place) not in ALLOWED
        for line, what in named(ast.parse(path.read_text()), known)
        if (str(place), what) not in NAMED
    ]
    assert not found, "\n".join(found)


def named(tree: ast.Module, known: set[str]) -> Iterator[tuple[int, str]]:
    """Where a game is named, by line."""
    prose = set(docstrings(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            if node.value in known or re.match(r"ostrom\.(games|importers)\.\w", node.value):
                yield node.lineno, repr(node.value)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(("ostrom.games", "ostrom.importers")):
            yield node.lineno, f"from {node.module} import …"
        elif isinstance(node, ast.Import) and any(
            each.name.startswith(("ostrom.games", "ostrom.importers")) for each in node.names
        ):
            yield node.lineno, "import " + ", ".join(each.name for each in node.names)
        elif isinstance(node, ast.Name | ast.Attribute | ast.FunctionDef | ast.ClassDef | ast.alias):
            name = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "name", "")
            if names_game(name, known):
                yield getattr(node, "lineno", 0), name


def docstrings(tree: ast.AST) -> Iterator[int]:
    """The strings that are statements by themselves."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield id(node.value)


_ORDINARY = {"contributions", "time", "trust", "risk", "loss", "judge", "audit", "quotes", "promises"}
"""Names of games that are words of the language too, and so of code."""


def names_game(identifier: str, known: set[str]) -> bool:
    """Whether an identifier is a game's name, in any case of its letters."""
    folded = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", identifier).casefold().strip("_")
    return folded in known - _ORDINARY


def test_the_check_finds_what_it_looks_for() -> None:
    planted = """
from ostrom.games.commons import COMMONS
KINDS = {"trust": 1}
def f(kind: Literal["punish"]) -> bool:
    return kind == "contribute_punish" or path("ostrom.games.commons.rules:CommonsRules")
"""
    found = [what for _, what in named(ast.parse(planted), names())]
    assert {"'trust'", "'punish'", "'contribute_punish'", "COMMONS", "from ostrom.games.commons import …"} <= set(found)
    assert "'ostrom.games.commons.rules:CommonsRules'" in found
    assert not list(named(ast.parse('"""Of the commons."""\nround = 3\nname = "seat"'), names()))


def test_no_source_of_the_pages_names_one() -> None:
    known = names()
    found = []
    for path in sorted(PAGES.rglob("*")):
        place = path.relative_to(PAGES)
        if set(place.parts) & (known - _ORDINARY):
            found.append(f"{place}: a folder named after a game")
        if path.suffix not in (".ts", ".svelte") or path.name.endswith((".test.ts", ".d.ts")):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = re.sub(r"//.*", "", line)
            quoted = re.findall(r"""["'`]([\w-]+)["'`]""", code) + re.findall(r"(?:^\s*|[{,]\s*)(\w+):\s", code)
            found += [f"{place}:{number}: {word!r}" for word in quoted if word in known - _ORDINARY]
    assert not found, "\n".join(found)
