"""No command, and no process that it starts, imports a module from the current folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ostrom.web.runs import PROGRAM as CHILD

OURS = (
    *("ostrom", "numpy", "polars", "pydantic", "pydantic_core", "typer", "rich", "click", "sqlalchemy", "scipy"),
    *("altair", "vl_convert", "numba", "jax", "jinja2", "fastapi", "starlette", "uvicorn", "anyio", "httpx"),
    *("pydantic_ai", "distributed", "dask", "PIL", "narwhals", "sitecustomize", "usercustomize", "psycopg"),
)
PROGRAM = Path(sys.executable).parent / "ostrom"
QUICK = ("sweep --vary alpha=0.1,0.2 --include Pavlov --include Parasite --games 40 --workers 2 --seed 1 -o swept",)
ALL = (
    "--help", "run --seed 1 -o game.json", "bench punish --games 6 --seed 7 --name study --include Cooperator",
    "resume", "status", "list games", "list bots", "list journal", "ratings", "payoffs", "show game.json",
    "export study -o tables", "report -o report", "publish study -o site", "power --games 6", "label",
    "journal check", "journal repair", "doctor", "keys list", "new game sampling", "experiment rename study other",
    "evolve --matrix m.csv --seed 1", "solve --matrix m.csv", "respond Pavlov --games 20 --seed 1",
    "design --vary alpha=0:0.2 --maximise welfare --games 8 --candidates 4 --seed 1", "import records game.json",
    "scores", "quotes", "audit", "serve --help", "animate game.json -o film.gif --rounds 1-1", "demo --help",
    "collusion",
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a module of every name that a program imports; each leaves a trace and fails."""
    folder = tmp_path_factory.mktemp("modules")
    (folder / "traces").mkdir()
    for name in (*sys.stdlib_module_names, *OURS):
        trace = folder / "traces" / name
        (folder / f"{name}.py").write_text(f"open({str(trace)!r}, 'w').close()\nraise SystemExit('hijacked: {name}')\n")
    (folder / "m.csv").write_text("a,b\n3,0\n5,1\n")
    return folder


def traces(folder: Path, program: list[str]) -> list[str]:
    """Run a program in the folder; return the modules that were imported from there."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "OSTROM"))}
    done = subprocess.run(
        program, cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )
    assert "hijacked" not in done.stdout + done.stderr, done.stdout + done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return sorted(path.name for path in (folder / "traces").iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("command", QUICK)
def test_workers_import_nothing_from_the_current_folder(folder: Path, command: str) -> None:
    assert traces(folder, [str(PROGRAM), *command.split()]) == []
    assert (folder / "swept" / "tables" / "points.csv").is_file()


@pytest.mark.slow
@pytest.mark.parametrize("command", ALL)
def test_commands_import_nothing_from_the_current_folder(folder: Path, command: str) -> None:
    assert traces(folder, [str(PROGRAM), *command.split()]) == []


def test_a_run_that_a_page_starts_imports_nothing_from_the_current_folder(folder: Path) -> None:
    assert traces(folder, [*CHILD, "list", "games"]) == []
