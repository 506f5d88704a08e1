"""Tables fit a terminal of 80 columns without cutting what matters, and the help comes before the laboratory."""

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import click
import pytest
from commandline import answer, ostrom, seats
from typer.main import get_command

from ostrom.cli.main import app
from ostrom.version import VERSION
from support import BUILT_IN

MAX_MODULES_FOR_A_MATRIX = 100
LARGE = ["tournament", "--group-size", "4", "--games", "2", "--seed", "42"]


def shown(*arguments, folder=None):
    result = ostrom(*arguments, folder=folder)
    # A command that takes long tells how far it is, a line now and then where there is no terminal.
    said = [line for line in result.stderr.splitlines() if not re.fullmatch(r"\w+: [\d,]+ of [\d,]+(, .* left)?", line)]
    assert (result.returncode, said) == (0, [])
    return result.stdout


@pytest.fixture(scope="module")
def demo_folder(tmp_path_factory):
    return tmp_path_factory.mktemp("demo")


ARGUMENTS = {
    "run": ["run", "--seed", 1],
    "run with exclusions": ["run", "--include", "Justicier:2", *seats(*BUILT_IN), "--seed", 1],
    "run without end": ["run", "--seed", 1, "--turns", 250, "--endowment", 40000],
    "tournament": ["tournament", "--seed", 1, "--games", 20],
    "tournament of one game": ["tournament", "--seed", 1, "--games", 1],
    "tournament of tables": LARGE,
    "list": ["list"],
    "demo": ["demo"],
    "doctor": ["doctor"],
}
DEMO = pytest.param("demo", marks=pytest.mark.slow)
NAMES = [DEMO if name == "demo" else name for name in ARGUMENTS]


@pytest.fixture(scope="module")
def texts(demo_folder):
    """The output of each command, which runs when its text is first read."""

    class Texts(dict):
        def __missing__(self, name):
            self[name] = shown(*ARGUMENTS[name], folder=demo_folder if name == "demo" else None)
            return self[name]

    return Texts()


@pytest.mark.parametrize("name", NAMES)
def test_no_line_is_longer_than_80_columns(texts, name):
    # A command to copy stands on a line of its own and is never broken.
    assert [line for line in texts[name].splitlines() if len(line) > 80 and not line.startswith("   ostrom ")] == []


@pytest.mark.parametrize("name", NAMES)
def test_nothing_in_a_table_is_cut(texts, name):
    cut = re.compile(r"[^\s,]…|^ *…")
    assert [line for line in texts[name].splitlines() if cut.search(line)] == []


@pytest.mark.parametrize("name", [name for name in NAMES if name != "doctor"])
def test_every_players_name_stands_in_full(texts, name):
    missing = [player for player in BUILT_IN if not re.search(rf"\b{player}\b", texts[name])]
    assert missing == []


@pytest.mark.slow
def test_the_demo_draws_its_report(texts, demo_folder):
    assert texts["demo"]
    assert "vegaEmbed" in (demo_folder / "ostrom-demo" / "report.html").read_text(encoding="utf-8")
    assert (demo_folder / "ostrom-demo" / "charts" / "mean_final.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("name", ["tournament", "tournament of tables", DEMO])
def test_a_tournament_shows_ranks_and_headings_in_full(texts, name):
    for heading in ("#", "player", "wins", "mean capital", "median", "contribution"):
        assert heading in texts[name]
    assert re.search(r"^ *1 +AlwaysBetray ", texts[name], re.MULTILINE)


@pytest.mark.parametrize("name", ["tournament", "tournament of tables"])
def test_a_tournament_shows_the_intervals_of_wins_capital_and_contribution(texts, name):
    rows = [line for line in texts[name].splitlines() if re.match(rf" *\d+ +({'|'.join(BUILT_IN)}) ", line)]
    assert len(rows) == len(BUILT_IN)
    for row in rows:
        # The share of wins from–to, and ± behind the means.
        assert re.search(r"\d+\.\d+–\d+\.\d+", row)
        assert row.count("±") == 2


def test_a_wide_terminal_shows_the_interval_of_the_median_too():
    text = ostrom("tournament", "--seed", 1, "--games", 20, COLUMNS="140").stdout
    assert "median, 95 %" in text
    assert len(re.findall(r"[\d,]+–[\d,]+ ", text)) >= len(BUILT_IN)


def test_the_help_of_every_command_names_its_options():
    assert "tournament" in answer("--help")
    text = answer("run", "commons", "--help") + answer("tournament", "commons", "--help")
    for option in (
        *("--duration", "--endowment", "--alpha", "--no-lobbying", "--no-erosion", "--erosion-intensity"),
        *("--no-voting", "--include", "--exclude", "--seed", "--output", "--replay", "--from-tournament", "--players"),
        *("--games", "--group-size", "--backend", "--json", "--verbose"),
    ):
        assert option in text


def test_without_a_command_the_help_is_shown():
    assert "tournament" in answer()


def test_the_version_is_told():
    assert answer("--version") == f"ostrom {VERSION}\n"


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], []])
def test_the_help_comes_without_the_laboratory(arguments):
    # What is heavy to import must not stand between a person and the help. Typer itself brings pydantic for defaults.
    heavy = {"numpy", "jax", "scipy", "rich.markdown", "sqlalchemy", "ostrom.experiment", "ostrom.games"}
    heavy |= {"pydantic"} if arguments == ["--help"] else set()
    script = (
        "import sys\n"
        "from ostrom.cli.main import main\n"
        f"sys.argv = ['ostrom', *{arguments!r}]\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as end:\n"
        "    assert not end.code, end.code\n"
        f"heavy = sorted({heavy!r} & set(sys.modules))\n"
        "sys.stderr.write(' '.join(heavy))\n"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    assert result.stdout
    assert result.stderr == ""


def test_a_matrix_is_evolved_without_the_rest_of_the_laboratory(tmp_path):
    (tmp_path / "hawks.json").write_text('{"players": ["hawk", "dove"], "payoffs": [[-0.5, 2], [0, 0]]}')
    arguments = ["evolve", "--matrix", "hawks.json", "--seed", "1"]
    script = (
        "import sys\n"
        "from ostrom.cli.main import main\n"
        f"sys.argv = ['ostrom', *{arguments!r}]\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as end:\n"
        "    assert not end.code, end.code\n"
        "sys.stderr.write(str(sum(name.partition('.')[0] == 'ostrom' for name in sys.modules)))\n"
    )
    command = [sys.executable, "-c", script]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, cwd=tmp_path)
    assert "hawk" in result.stdout
    assert int(result.stderr.splitlines()[-1]) <= MAX_MODULES_FOR_A_MATRIX


def test_help_is_plain_text_in_groups_at_80_columns():
    text = ostrom("--help", COLUMNS="80").stdout
    titles = [line for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert titles == ["Play:", "Analyse:", "Theory:", "Show:", "Keep:", "Options:"]
    analyse = text.partition("Analyse:")[2].partition("Theory:")[0]
    assert all(f"  {name} " in analyse for name in ("ratings", "scores", "quotes", "audit"))
    for command in ("bench", "run", "animate", "import", "experiment"):
        text = ostrom(command, "--help", COLUMNS="80").stdout
        assert not set(text) & set("╭│╰<") - set("<" if command == "bench" else ""), text
        assert max(map(len, text.splitlines())) <= 80


def usages(command: Any, path: tuple[str, ...] = ("ostrom",)) -> Iterator[tuple[str, list[str]]]:
    """The arguments in the usage of every command, without those of single games."""
    context = click.Context(command, info_name=path[-1])
    pieces = [piece for piece in command.collect_usage_pieces(context) if piece != "[OPTIONS]"]
    yield " ".join(path), pieces
    if hasattr(command, "list_commands") and not any("GAME" in piece for piece in pieces):
        for name in command.list_commands(context):
            yield from usages(command.get_command(context, name), (*path, name))


@pytest.mark.slow
def test_arguments_are_named_in_capitals_in_every_command():
    typed = {"[list|allow|forget]", "game", "COMMAND [ARGS]...", "[COMMAND] [ARGS]..."}
    pieces = dict(usages(get_command(app)))
    assert len(pieces) > 40
    name = re.compile(r"[A-Z]+(\.[a-z]+)?(\|[A-Z]+(\.[a-z]+)?)*")
    for path, names in pieces.items():
        for piece in names:
            assert piece in typed or name.fullmatch(piece.removesuffix("...").strip("[]{}")), f"{path} {piece}"
