"""`ostrom demo`: a tour of the lab in a minute, without keys."""

from contextlib import redirect_stdout
from importlib.util import find_spec
from io import StringIO
from json import loads
from pathlib import Path
from typing import Annotated, Any

import typer

from ostrom.analysis.rating_settings import USUAL
from ostrom.analysis.selection import Selection
from ostrom.core.chance import seed_or_random
from ostrom.core.command import at_store
from ostrom.core.files import check_folder
from ostrom.core.plugins import DEFAULT_GAME, GAMES
from ostrom.core.telling import transcript_lines
from ostrom.experiment import Match, play
from ostrom.experiment.plan import Experiment, Part
from ostrom.experiment.store import run_experiment
from ostrom.findings.games import describe_match
from ostrom.findings.ratings import rate_games
from ostrom.findings.report import report_games
from ostrom.findings.tournament import TournamentSettings, tournament
from ostrom.journal.engine import printable_url
from ostrom.journal.sql import Journal
from ostrom.players.roster import choose, seat_players
from ostrom.terminal import options as opt
from ostrom.terminal.progress import games_bar
from ostrom.terminal.render import TerminalReporter, sheet_of, show
from ostrom.terminal.sheets import out, print_json

Report = Annotated[Path, typer.Option("--report", metavar="DIR", help="The folder that the report is written to.")]


def demo(
    context: typer.Context, seed: opt.Seed = 42, report: Report = Path("ostrom-demo"), json: opt.Json = False
) -> None:
    """Play the Commons and Contribute & Punish, rate the players, draw a report, and ask subjects the battery."""
    chosen_seed = seed_or_random(seed)
    document: dict[str, Any] = {}
    _commons(chosen_seed, document, json)
    _tournament(chosen_seed, document, json)
    _punish(chosen_seed, report, document, json)
    _battery(context, chosen_seed, report, document, json)
    if json:
        print_json({"demo": document})
        return
    _print_suggestions(chosen_seed, report)


def _commons(seed: int, document: dict[str, Any], json: bool) -> None:
    match: Match = play(seed=seed)
    finding = describe_match(match)
    document["run"] = finding.as_record()
    if json:
        return
    out.print(
        "[bold]1. One game of the Commons.[/bold] Sixteen champions share a pot that grows with cooperation.\n",
        markup=True,
    )
    transcript = transcript_lines(match.game, match.rules, match.events, match.names)
    turns = [lines[0] for event, lines in zip(match.events, transcript, strict=True) if event.tag == "turn_played"]
    for turn in (turns[0], turns[len(turns) // 2], turns[-1]):
        out.print(f"   {turn}")
    out.print()
    show(finding)


def _tournament(seed: int, document: dict[str, Any], json: bool) -> None:
    game = GAMES[DEFAULT_GAME]
    settings = TournamentSettings(games=5, seed=seed, group_size=4)
    finding = tournament.run(game, game.rules(), choose(), settings, TerminalReporter())
    document["tournament"] = finding.as_record()
    if not json:
        out.print("\n[bold]2. A tournament.[/bold] Every four of them meet, five times each.\n", markup=True)
        out.print(sheet_of(finding.parts[0]))


def _punish(seed: int, folder: Path, document: dict[str, Any], json: bool) -> None:
    """Play forty games between the nine built-in players, in a separate journal beside the report."""
    check_folder(folder)
    games = 40
    game = GAMES.of_command("punish")
    part = Part(game, game.rules(), seat_players(game.name), seats=5, games=games, seed=seed)
    store = f"sqlite:///{folder}/demo.db"
    with Journal.open(store, create=True) as journal:
        with games_bar("games", games) as advance:
            experiment = run_experiment(Experiment((part,)), journal, progress=advance)
        selection = Selection.select(experiment)
        written = report_games(journal, selection, folder, reporter=TerminalReporter()).result
        board = rate_games(journal, selection, USUAL).parts[0]
    document["ratings"] = board.records()
    document["report"] = str(written.page)
    if json:
        return
    out.print(
        "\n[bold]3. Contribute & Punish.[/bold] Nine built-in players, forty games at tables of five.\n", markup=True
    )
    out.print(sheet_of(board))
    out.print(f"\n   The report, with {written.charts} charts:\n      {written.page}", soft_wrap=True)


_SUBJECTS = ("exponential:delta=0.9,noise=0.03", "quasi-hyperbolic", "fehr-schmidt", "random")
"""Three subjects with known preferences, and one without preferences. The last one must not get a score of
rationality."""


def _battery(context: typer.Context, seed: int, folder: Path, document: dict[str, Any], json: bool) -> None:
    """Run the quick protocol of the battery with four simulated subjects, by the commands that users type, in the same
    journal."""
    store = ["--store", f"sqlite:///{folder}/demo.db"]
    subjects = [word for subject in _SUBJECTS for word in ("--subject", subject)]
    benchmark = _output_of(
        context, "bench", "battery", *subjects, "--protocol", "quick", "--seed", str(seed), *store, "--json"
    )
    scores = ["--experiment", loads(benchmark)["bench"]["experiment"], *store]
    if json:
        document["scores"] = loads(_output_of(context, "scores", *scores, "--json"))["scores"]
        return
    out.print(
        "\n[bold]4. The economic battery.[/bold] Four simulated subjects, compared with human results.\n", markup=True
    )
    _run_command(context, "scores", *scores)


def _run_command(context: typer.Context, name: str, *arguments: str) -> None:
    """Run a command of Ostrom in this process."""
    root = context.find_root()
    root.command.get_command(root, name).main([*arguments], prog_name=name, standalone_mode=False)  # type: ignore[attr-defined]


def _output_of(context: typer.Context, name: str, *arguments: str) -> str:
    """Run a command in this process, and return its output."""
    with redirect_stdout(StringIO()) as output:
        _run_command(context, name, *arguments)
    return output.getvalue()


def _print_suggestions(seed: int, folder: Path) -> None:
    out.print("\n[bold]What to try next[/bold]", markup=True)
    at = at_store(printable_url(f"sqlite:///{folder}/demo.db"))
    pages = (f"ostrom serve{at}", "all of it in the browser, and a seat for you")
    if find_spec("fastapi") is None:
        # A command that is suggested must work in this installation.
        pages = (f"ostrom ratings punish{at}", "the ratings again; the extra 'web' shows all of it in the browser")
    for command, description in (
        pages,
        (f"ostrom run --seed {seed} -v", "every turn of that game"),
        (f"ostrom tournament --seed {seed}", "all sixteen at one table, 50 times"),
        (f"ostrom status{at}", "the journal with the forty games"),
        (f"ostrom scores{at} --json", "every score of the battery"),
        ("ostrom list", "all games and players"),
    ):
        out.print(f"   {description}:\n      {command}", soft_wrap=True)
