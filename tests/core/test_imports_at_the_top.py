"""First-party imports are at the top of modules, with listed exceptions."""

import ast
import re
from pathlib import Path

import ostrom

SOURCES = Path(ostrom.__file__).parent
LISTED = {
    "analysis/ratings/methods/multipass.py": "compiling needs the extra compiled; rating does not",
    "cli/__init__.py": "an interrupt is to end the command quietly while it is imported",
    "cli/session_rehearse.py": "a rehearsal in browsers needs the extra browsers",
    "cli/session.py": "a server is needed only to run or rehearse a session; lists and checks start at once",
    "players/roster.py": "asking a model needs the extra models; describing one does not",
    "players/models/connection.py": "sending needs the extra models",
    "players/models/providers.py": "sending needs the extra models",
    "players/people/__init__.py": "a person's prompts need the extra models or web; naming one does not",
    "testing/conformance/__init__.py": "environments are checked where the extra rl is installed",
}
"""Modules that import one of ours inside a function, and the reason."""
MAX_INNER_IMPORTS = 12


def inside_functions(path: Path) -> list[str]:
    found = []
    text = path.read_text(encoding="utf-8")
    if not re.search(r"^[ \t]+(?:from|import)[ \t]+ostrom\b", text, re.MULTILINE):
        return found  # Parsing all files would take seconds.
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                found += [name for name in names if name.partition(".")[0] == "ostrom"]
    return found


def test_first_party_imports_are_at_the_top():
    imports = {str(path.relative_to(SOURCES)): inside_functions(path) for path in SOURCES.rglob("*.py")}
    found = {path for path, names in imports.items() if names}
    assert found - set(LISTED) == set()
    assert set(LISTED) - found == set(), "remove modules from the list that no longer need it"
    assert sum(map(len, imports.values())) <= MAX_INNER_IMPORTS
