"""`ostrom demo`: the lab in a minute, no key needed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ostrom.cli import options as opt

if TYPE_CHECKING:
    from ostrom.experiment import Match
    from ostrom.sim.tournament import TournamentResult

Report = Annotated[Path, typer.Option("--report", metavar="DIR", help="The folder that the report is written to.")]


def demo(seed: opt.Seed = 42, report: Report = Path("ostrom-demo"), json: opt.Json = False) -> None:
    """Play the Commons and Contribute & Punish, rate the players, draw a report, and ask subjects the battery."""
    chosen_seed = opt.seed_or_random(seed)
    document: dict[str, Any] = {}
    _commons(chosen_seed, document, json)
    _tournament(chosen_seed, document, json)
    _punish(chosen_seed, report, document, json)
    _battery(chosen_seed, report, document, json)
    if json:
        from ostrom.cli.output import print_json

        print_json({"demo": document})
        return
    _go_on(chosen_seed, report)


def _commons(seed: int, document: dict[str, Any], json: bool) -> None:
    from ostrom.cli.game_views import game_document, game_sheet
    from ostrom.cli.output import out
    from ostrom.core.telling import lines_told
    from ostrom.experiment import play
    from ostrom.games.commons.events import TurnPlayed

    match: Match = play(seed=seed)
    document["run"] = game_document(match)
    if json:
        return
    out.print("[bold]1. One game of the Commons.[/bold] Sixteen champions share a pot that grows with cooperation.\n")
    told = zip(match.events, lines_told(match.game, match.rules, match.events, match.names), strict=True)
    turns = [lines[0] for event, lines in told if isinstance(event, TurnPlayed)]
    for turn in (turns[0], turns[len(turns) // 2], turns[-1]):
        out.print(f"   {turn}", markup=False)
    out.print()
    out.print(game_sheet(match))


def _tournament(seed: int, document: dict[str, Any], json: bool) -> None:
    from ostrom.cli.output import games_bar, out
    from ostrom.games.commons.terminal import tournament_sheet
    from ostrom.players.roster import choose
    from ostrom.sim.schedule import Schedule
    from ostrom.sim.tournament import tournament

    entries, repetitions, group_size = choose(), 5, 4
    with games_bar("tournament", Schedule(tuple(entries), repetitions, group_size).games) as (progress, task):
        result: TournamentResult = tournament(
            entries,
            games=repetitions,
            seed=seed,
            group_size=group_size,
            progress=lambda done: progress.advance(task, done),
        )
    document["tournament"] = result.as_record()
    if not json:
        out.print("\n[bold]2. A tournament.[/bold] Every four of them meet, five times each.\n")
        out.print(tournament_sheet(result))


def _punish(seed: int, folder: Path, document: dict[str, Any], json: bool) -> None:
    """Forty games between the nine built-in players, kept in a journal of their own beside the report."""
    from ostrom.analysis.standing import rate_players
    from ostrom.cli.output import games_bar, out
    from ostrom.cli.ratings import ratings_sheet
    from ostrom.cli.report import check_folder, draw_report
    from ostrom.cli.studied import tables_of_store
    from ostrom.experiment.plan import Experiment, Part
    from ostrom.experiment.store import run_experiment
    from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
    from ostrom.journal.sql import Journal
    from ostrom.players.roster import seat_players

    check_folder(folder)
    games, passes, draw = 40, 200, 0.1
    contestants = seat_players(CONTRIBUTE_PUNISH.name)
    part = Part(CONTRIBUTE_PUNISH, CONTRIBUTE_PUNISH.rules(), contestants, seats=5, games=games, seed=seed)
    store = f"sqlite:///{folder}/demo.db"
    with Journal.open(store, create=True) as journal, games_bar("games", games) as (progress, task):
        experiment = run_experiment(Experiment((part,)), journal, progress=lambda: progress.advance(task))
    tables = tables_of_store(store, experiment, without_defaulted=False)
    rated = rate_players(tables, passes=passes, draw_probability=draw)
    written = draw_report(folder, tables, rated, experiment=None, passes=passes, draw_probability=draw)
    document["ratings"] = [one.as_record() for one in rated]
    document["report"] = str(written.page)
    if json:
        return
    out.print("\n[bold]3. Contribute & Punish.[/bold] Nine built-in players, forty games at tables of five.\n")
    out.print(ratings_sheet(rated, games, passes, draw))
    out.print(f"\n   The report, with {written.charts} charts:\n      {written.page}", markup=False, soft_wrap=True)


_SUBJECTS = ("exponential:delta=0.9,noise=0.03", "quasi-hyperbolic", "fehr-schmidt", "random")
"""Three whose preferences are known, and one without any, who must get no score of rationality."""


def _battery(seed: int, folder: Path, document: dict[str, Any], json: bool) -> None:
    """Four simulated subjects answer the quick protocol, into the same journal."""
    from ostrom.cli.output import games_bar, out
    from ostrom.cli.scores import subjects_of_store
    from ostrom.experiment.store import run_experiment
    from ostrom.games.battery.plan import battery
    from ostrom.games.battery.score_sheets import score_sheets
    from ostrom.games.battery.scores.table import human_record
    from ostrom.journal.sql import Journal

    planned = battery(_SUBJECTS, protocol="quick", seed=seed)
    store = f"sqlite:///{folder}/demo.db"
    with Journal.open(store, create=True) as journal, games_bar("tasks", planned.games) as (progress, task):
        experiment = run_experiment(planned, journal, progress=lambda: progress.advance(task))
    found = subjects_of_store(store, experiment)
    document["scores"] = [*(one.as_record() for one in found), human_record()]
    if json:
        return
    out.print("\n[bold]4. The economic battery.[/bold] Four simulated subjects, beside what is known of people.")
    for sheet, notes in score_sheets(found):
        out.print()
        out.print(sheet)
        for note in notes:
            out.print(note, markup=False, style="dim")


def _go_on(seed: int, folder: Path) -> None:
    from ostrom.cli.output import out

    out.print("\n[bold]Go on with[/bold]")
    for command, what in (
        (f"ostrom serve --store sqlite:///{folder}/demo.db", "all of it in the browser, and a seat for you"),
        (f"ostrom run --seed {seed} -v", "every turn of that game"),
        (f"ostrom tournament --seed {seed}", "all sixteen at one table, 50 times"),
        (f"ostrom status --store sqlite:///{folder}/demo.db", "what the journal of the forty games holds"),
        (f"ostrom scores --store sqlite:///{folder}/demo.db --json", "every score of the battery"),
        ("ostrom list", "who can play, and what"),
    ):
        out.print(f"   {what}:\n      {command}", markup=False, soft_wrap=True)
