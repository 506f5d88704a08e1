"""The documentation's site: every public name and every rule is documented, every page is in the navigation; and the
whole builds without a warning."""

import ast
import importlib
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import contract_page
import docs_site
import ostrom
from ostrom.core.plugins import GAMES
from ostrom.core.settings import describe_rules

ROOT = Path(__file__).parents[2]


def test_every_public_name_says_what_it_is() -> None:
    page = docs_site.api_page()
    for name in set(ostrom.__all__) - {"__version__"}:
        assert f"\n## ostrom.{name} " in page
        said = docs_site._first(name)
        assert len(said.split()) > 1, f"ostrom.{name} has no description"
        function = getattr(ostrom, name)
        if not inspect.isfunction(function):
            continue
        if hasattr(function, "__signature__"):  # made from a verb, so its signature and text are printed
            assert f"\nostrom.{name}{inspect.signature(function)}\n" in page
        else:
            assert f"\n::: {function.__module__}.{function.__qualname__}\n" in page


def test_every_name_that_an_example_game_imports_is_in_the_contract() -> None:
    listed = {
        (module, name)
        for _, modules in contract_page.CONTRACT.values()
        for module, names in modules.items()
        for name in names
    }
    by_name = {name for _, name in listed} | set(ostrom.__all__)
    examples = [file for file in (ROOT / "examples").rglob("*.py") if "tests" not in file.parts]
    files = [*examples, *(ROOT / "src/ostrom/cli/template").rglob("*.py.template")]
    assert len(files) > 15
    for file in files:
        for module, name in _imports_of_ostrom(file):
            known = name in by_name if module in ("ostrom", "ostrom.core") else (module, name) in listed
            assert known or module.startswith("ostrom.core.plugins"), f"{file.name} imports {module}.{name}"


def _imports_of_ostrom(file: Path) -> list[tuple[str, str]]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return [
        (node.module or "", alias.name)
        for node in imports
        if (node.module or "").split(".")[0] == "ostrom"
        for alias in node.names
    ]


def test_every_name_of_the_contract_says_what_it_is() -> None:
    for _, modules in contract_page.CONTRACT.values():
        for module, names in modules.items():
            for name in names:
                value = getattr(importlib.import_module(module), name)
                documented = inspect.isclass(value) or inspect.isfunction(value)
                text = inspect.getdoc(value) if documented else contract_page.text_of_value(module, name)
                assert len((text or "").split()) > 2, f"{module}.{name} has no description"


@pytest.mark.parametrize("game", sorted(GAMES), ids=str)
def test_every_rule_of_every_game_has_a_meaning(game: str) -> None:
    assert not [rule.name for rule in describe_rules(GAMES[game].rules) if len(rule.meaning.split()) < 2]


def test_every_command_is_in_the_reference() -> None:
    page = docs_site.commands_page()
    for name in ("demo", "run", "publish", "scores"):
        assert f"\n## ostrom {name}\n" in page
    options = re.findall(r"^\| `(--[^`]+)` \| (.*) \|$", page, re.MULTILINE)
    assert len(options) > 100
    assert not [option for option, meaning in options if not meaning.strip()]


def test_every_environment_variable_is_in_the_reference() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    used = set(re.findall(r'"(OSTROM_[A-Z_]+)"', source))
    assert {name for name in used if not name.startswith("OSTROM_TEST")} <= set(docs_site.VARIABLES)


def test_every_page_is_in_the_navigation() -> None:
    _, _, told = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")
    named = set(re.findall(r"[\w/-]+\.(?:md|ipynb)", told))
    written = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    notebooks = {f"notebooks/{path.name}" for path in docs_site.notebooks()}
    made = {name for name in docs_site.generated() if not name.startswith("examples/")}
    assert (written | notebooks | made) - named == set()


@pytest.mark.long
def test_the_site_builds_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(tmp_path)]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    for page in tmp_path.rglob("*.html"):
        loaded = re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]+)"', page.read_text(encoding="utf-8"))
        assert not loaded, (page.name, loaded)
