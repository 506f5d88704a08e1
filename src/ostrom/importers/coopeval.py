"""Imports CoopEval's repeated matrix games: prisoner's dilemmas and stag hunts without a mechanism or with repetition.
CoopEval's logs have points but no choices. In these games, the points of a round determine both choices, so every round
can be replayed by Ostrom's rules. All other folders are left out, and the report of the import gives the reasons."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ostrom.core import InputError, LoggedChance, Provenance, RecordError
from ostrom.core.files import parse_json, read_bounded
from ostrom.experiment import Match, make_rules, play_match
from ostrom.experiment.store import keep
from ostrom.games.repeated import REPEATED
from ostrom.games.repeated.matrices import PayoffMatrix
from ostrom.games.repeated.play import CHOICE
from ostrom.importers import (
    UNEXPECTED,
    LoggedGame,
    Name,
    RoundsReport,
    check_names,
    experiment_of,
    print_report,
    replay_games,
    unreadable,
)
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.players.base import ReplayContestant
from ostrom.terminal import options as opt
from ostrom.terminal.progress import games_bar

EXPERIMENT: Final = "coopeval"
FILE: Final = "matchup_payoffs.json"
MATRICES: Final[Mapping[str, PayoffMatrix]] = {
    "prisoners_dilemma": PayoffMatrix(
        ("cooperate", "defect"), ("cooperate", "defect"), (((2.0, 2.0), (0.0, 3.0)), ((3.0, 0.0), (1.0, 1.0)))
    ),
    "stag_hunt": PayoffMatrix(("stag", "hare"), ("stag", "hare"), (((5.0, 5.0), (0.0, 3.0)), ((3.0, 0.0), (3.0, 3.0)))),
}
"""The payoffs of the games in which the points of a round determine both choices."""
_MECHANISMS: Final = ("no_mechanism", "repetition")
"""Mechanisms under which the matrix alone determines the payoffs."""


@dataclass
class CoopEvalReport(RoundsReport):
    """The result of an import from CoopEval."""

    left_out: dict[str, str] = field(default_factory=dict)
    """Folders that were not imported, each with the reason."""


def folders_in(folder: Path) -> list[Path]:
    """Return the folders with matches, sorted by name; raise `InputError` if there are none."""
    folders = sorted(path.parent for path in folder.glob(f"*/{FILE}")) if folder.is_dir() else []
    if not folders and folder.is_dir():  # In the root of the repository, runs are in subfolders.
        runs = {path.parent.parent for path in folder.glob(f"*/*/{FILE}")} | {
            path.parent.parent for path in folder.glob(f"*/*/*/{FILE}")
        }
        latest = max(runs, default=None)
        folders = [] if latest is None else sorted(path.parent for path in latest.glob(f"*/{FILE}"))
    if not folders:
        raise InputError(f"{folder} has no folder with a {FILE}; name the folder of one run of CoopEval")
    return folders


def why_left_out(name: str) -> str | None:
    """Return the reason why the matches of a folder cannot be replayed, or None if they can."""
    if not name.endswith(tuple(MATRICES)):
        return "the points of a round do not determine the choices of both players"
    if not name.startswith(_MECHANISMS):
        return "its mechanism changes what is paid or chosen"
    return None


def matches_in(folder: Path) -> Iterator[tuple[str, tuple[str, str], list[list[float]]]]:
    """Yield each match of a folder: its id, its players and the points of its rounds."""
    try:
        content = parse_json(read_bounded(folder / FILE))
        for pair, profile in enumerate(content["profile"], start=1):
            first, second = (f"{player['llm']['model']} {player['type']}" for player in profile["players"])
            check_names(folder, first, second)
            for number, rounds in enumerate(profile["payoffs"], start=1):
                points = [[float(own), float(other)] for own, other in rounds]
                yield f"{folder.name}-{pair}.{number}", (first, second), points
    except OSError as error:
        raise RecordError(f"{folder.name}/{FILE}: cannot be read: {error.strerror}") from error
    except UNEXPECTED as error:
        raise RecordError(f"{folder.name}/{unreadable(folder / FILE, error)}") from error


def check_match(game: str, id_: str, players: tuple[str, str], rounds: list[list[float]]) -> Match:
    """Replay a match from its points; raise `RecordError` if they do not follow from the rules."""
    matrix = MATRICES[game]
    cells = {cell: (row, column) for row, cells in enumerate(matrix.payoffs) for column, cell in enumerate(cells)}
    answers: dict[tuple[int, str, int], Any] = {}
    for number, points in enumerate(rounds, start=1):
        actions = cells.get((points[0], points[1]))
        if actions is None:
            raise RecordError(f"{id_}, round {number}: no choices of the {game} pay {points}")
        answers |= {(number, CHOICE, seat): action for seat, action in enumerate(actions)}
    rules = make_rules(REPEATED, {"matrix": matrix.text(), "rounds": len(rounds)})
    contestants = [ReplayContestant(player, answers) for player in players]
    match = play_match(REPEATED, rules, contestants, LoggedChance({}), provenance=Provenance.IMPORTED)
    assert REPEATED.finals is not None
    sums = [sum(points) for points in zip(*rounds, strict=True)]
    finals = list(REPEATED.finals(match.events))
    if sums != finals:
        raise RecordError(f"{id_}: the points add up to {sums}, the rules give {finals}")
    return match


def import_logs(
    folder: Path, journal: Journal, progress: Callable[[], None] = lambda: None, *, name: str = EXPERIMENT
) -> CoopEvalReport:
    """Import the matches of a run into the experiment of this name; games that it already has are not changed."""
    report = CoopEvalReport()
    experiment = experiment_of(journal, name, {"source": "matches of CoopEval"})

    def read(run: Path) -> Iterator[LoggedGame]:
        reason = why_left_out(run.name)
        if reason is not None:
            report.left_out[run.name] = reason
            return
        name = next(name for name in MATRICES if run.name.endswith(name))
        for id_, players, rounds in matches_in(run):
            yield LoggedGame(id_, partial(check_match, name, id_, players, rounds))

    for run, game, match in replay_games(report, folders_in(folder), read, progress):
        report.rows += match.rules.rounds
        report.new += keep(journal, experiment, match, game.key, source=run.name)
    return report


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of one run, with a folder for each game.")],
    name: Name = EXPERIMENT,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Import the matches of CoopEval that are repeated matrix games; importing again changes nothing."""
    places = folders_in(folder)
    with open_journal(store, create=True) as journal, games_bar("folders", len(places)) as advance:
        report = import_logs(folder, journal, progress=advance, name=name)
    notes = [f"left out: {run}: {reason}" for run, reason in report.left_out.items()]
    print_report(report, json, notes=notes)
