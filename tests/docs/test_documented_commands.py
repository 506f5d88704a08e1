"""What README and docs show is what works: every command is run and every Python block is executed."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fork_server import ForkServer
from ostrom.testing.provider import Provider

ROOT = Path(__file__).parents[2]
SERVER = "http://127.0.0.1:8080/v1"
"""Where pages have their models served."""
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def chosen(pages: list[Path]) -> list[Any]:
    """Pages by name, of which README is quick."""
    return [pytest.param(one, id=one.name, marks=() if one == PAGES[0] else pytest.mark.slow) for one in pages]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def commands(page: Path) -> list[str]:
    lines = "\n".join(blocks(page, "console")).splitlines()
    return [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]


def files(page: Path) -> list[tuple[str, str]]:
    """The files that a page shows in blocks which bear their path, as in ```json bots/frugal.json."""
    shown = r"^```(?:json|toml) (\S+)\n(.*?)^```"
    return re.findall(shown, page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


@pytest.fixture
def model_server() -> Iterator[str]:
    """A server with the models that pages name, in place of the one that a reader would have."""
    told = "\n".join(text for page in PAGES for _name, text in files(page))
    with Provider(models=tuple(set(re.findall(r'"?model"?\s*[:=]\s*"([^"]+)"', told)))) as provider:
        yield provider.base_url


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as a reader would have it: the examples, and the files that pages tell to write."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for block in blocks(ROOT / "docs" / "tutorials" / "plugin-author.md", "python"):
        if (named := re.match(r"# (\w+\.py)\n", block)) is not None:
            (tmp_path / named[1]).write_text(block, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("page", chosen([page for page in PAGES if commands(page)]))
def test_every_command_of_a_page_runs_in_the_order_shown(
    page: Path, folder: Path, model_server: str, fork_server: ForkServer
) -> None:
    for name, text in files(page):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text.replace(SERVER, model_server), encoding="utf-8")
    for command in commands(page):
        program, *arguments = shlex.split(command)
        assert program == "ostrom", f"{page.name} shows a command that this test cannot run: {command}"
        # The pictures of reports are drawn where the demo is tried, and by the tests of charts.
        status, out, err = fork_server.run(arguments, folder, os.environ, pictures=arguments[0] != "report")
        assert status == 0, f"{command}\n{err}"
        assert out.strip(), command


@pytest.mark.parametrize("page", chosen([page for page in PAGES if blocks(page, "python")]))
def test_every_python_block_of_a_page_runs(page: Path, folder: Path) -> None:
    run = "import sys\nfor block in sys.stdin.read().split(chr(0)): exec(block, {'__name__': '__main__'})"
    for told in in_processes(blocks(page, "python")):
        program = [sys.executable, "-c", run]
        done = subprocess.run(program, input=told, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def in_processes(every: list[str]) -> list[str]:
    """Blocks that run in one process, one after the other: to import takes longer than to run. One that registers
    something has a process to itself."""
    alone = [block for block in every if re.search(r"^@|register", block, flags=re.MULTILINE)]
    together = "\0".join(block for block in every if block not in alone)
    return [one for one in (*alone, together) if one]


def test_no_page_links_to_a_file_that_is_not_there() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert target.startswith("http") or (page.parent / target).exists(), f"{page.name} → {target}"
