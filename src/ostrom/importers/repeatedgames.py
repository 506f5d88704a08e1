"""Imports the games of Akata and others, "Playing repeated games with large language models" (2025): two models play
one of the 144 ordinal 2×2 games for ten rounds. A file has the games of all pairs of models in one 2×2 game, with one
row per round. The file 144_games_info.csv has the payoffs of each 2×2 game. Every game is replayed by Ostrom's rules,
and stored only if all points agree."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ostrom.core import InputError, LoggedChance, Provenance, RecordError
from ostrom.core.files import read_bounded
from ostrom.experiment import Match, make_rules, play_match
from ostrom.experiment.store import keep
from ostrom.games.repeated import REPEATED
from ostrom.games.repeated.events import rounds_of
from ostrom.games.repeated.matrices import PayoffMatrix, ordinal
from ostrom.games.repeated.play import CHOICE
from ostrom.importers import (
    LoggedGame,
    Name,
    RoundsReport,
    check_names,
    experiment_of,
    files_in,
    print_report,
    replay_games,
)
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.players.base import ReplayContestant
from ostrom.terminal import options as opt
from ostrom.terminal.progress import games_bar

EXPERIMENT: Final = "repeatedgames"
INFO: Final = "144_games_info.csv"
_REQUIRED_COLUMNS: Final = (
    *("game_number", "round", "player1", "player2", "answer1", "answer2", "points1", "points2"),
    *("total1", "total2", "choice_option1", "choice_option2"),
)
Rows = Sequence[Mapping[str, str]]


@dataclass(frozen=True)
class PairLog:
    """The rounds of one pair of players in one game."""

    file: str
    number: int
    players: tuple[str, str]
    rows: Rows

    @property
    def id(self) -> str:
        return f"{self.number}-{self.players[0]}-{self.players[1]}"


def matrices_in(folder: Path) -> dict[int, PayoffMatrix]:
    """Return the payoffs of each game by its number. A few games have ties in the file although the ordinal game with
    that number has none. These games were played with the payoffs in the file."""
    matrices: dict[int, PayoffMatrix] = {}
    for row in _table(folder / INFO, ";"):
        try:
            cells = [(float(row[f"{cell}_p1"]), float(row[f"{cell}_p2"])) for cell in _CELLS]
            number = int(row["game_number"])
        except (KeyError, ValueError, TypeError):
            raise RecordError(f"{INFO}: a row lacks the payoffs of its game") from None
        actions = ("first", "second")
        matrices[number] = PayoffMatrix(actions, actions, (tuple(cells[:2]), tuple(cells[2:])))
    return matrices


_CELLS: Final = ("r1_c1", "r1_c2", "r2_c1", "r2_c2")


def _table(path: Path, delimiter: str = ",") -> list[dict[str, str]]:
    try:
        text = read_bounded(path).decode("utf-8-sig")
        return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        what = "it is not text" if isinstance(error, ValueError) else getattr(error, "strerror", error)
        raise RecordError(f"{path.name}: cannot be read: {what}") from error


def games_in(path: Path) -> Iterator[PairLog]:
    """Yield the games of a file, each with its rounds in order."""
    pairs: dict[tuple[int, str, str], list[dict[str, str]]] = {}
    for line, row in enumerate(_table(path), start=2):
        missing = [name for name in _REQUIRED_COLUMNS if not row.get(name)]
        if missing:
            raise RecordError(f"{path.name}: line {line}: it lacks {', '.join(missing)}")
        try:
            key = (int(row["game_number"]), row["player1"], row["player2"])
        except ValueError:
            raise RecordError(f"{path.name}: line {line}: {row['game_number']!r} is not the number of a game") from None
        check_names(path, *key[1:])
        pairs.setdefault(key, []).append(row)
    for (number, first, second), rows in pairs.items():
        yield PairLog(path.name, number, (first, second), rows)


def check_log(log: PairLog, matrices: Mapping[int, PayoffMatrix]) -> Match:
    """Replay a game; raise `RecordError` if its points or totals differ."""
    where = f"{log.file}, {log.players[0]} and {log.players[1]}"
    if log.number not in matrices:
        raise RecordError(f"{where}: {INFO} has no game {log.number}")
    matrix = matrices[log.number]
    text = f"rg:{log.number}" if matrix == ordinal(log.number) else matrix.text()
    rules = make_rules(REPEATED, {"matrix": text, "rounds": len(log.rows)})
    if [row["round"] for row in log.rows] != [str(number) for number in range(1, len(log.rows) + 1)]:
        raise RecordError(f"{where}: its rounds are not numbered from 1 upward")
    contestants = [ReplayContestant(player, _answers(log, where)) for player in log.players]
    match = play_match(REPEATED, rules, contestants, LoggedChance({}), provenance=Provenance.IMPORTED)
    for row, round_ in zip(log.rows, rounds_of(match.events), strict=True):
        for column, ours in (("points", round_.points), ("total", round_.totals)):
            try:
                logged = [float(row[f"{column}{seat}"]) for seat in (1, 2)]
            except ValueError:
                raise RecordError(f"{where}, round {row['round']}: {column} are not numbers") from None
            if logged != ours:
                raise RecordError(
                    f"{where}, round {row['round']}: {column}: the log says {logged}, the rules give {ours}"
                )
    return match


def _answers(log: PairLog, where: str) -> dict[tuple[int, str, int], Any]:
    answers: dict[tuple[int, str, int], Any] = {}
    for number, row in enumerate(log.rows, start=1):
        options = [row["choice_option1"], row["choice_option2"]]
        for seat, name in enumerate(("answer1", "answer2")):
            if row[name] not in options:
                raise RecordError(f"{where}, round {number}: {row[name]!r} is neither of the two options")
            answers[number, CHOICE, seat] = options.index(row[name])
    return answers


def import_logs(
    folder: Path, journal: Journal, progress: Callable[[], None] = lambda: None, *, name: str = EXPERIMENT
) -> RoundsReport:
    """Import the games of a folder into the experiment of this name; games that it already has are not changed."""
    report = RoundsReport()
    files = logs_in(folder)
    matrices = matrices_in(files[0].parent)
    experiment = experiment_of(journal, name, {"source": "games of Akata and others"})

    def read(path: Path) -> Iterator[LoggedGame]:
        for log in games_in(path):
            yield LoggedGame(log.id, partial(check_log, log, matrices))

    for path, game, match in replay_games(report, files, read, progress):
        report.rows += match.rules.rounds
        report.new += keep(journal, experiment, match, game.key, source=path.name)
    return report


def logs_in(folder: Path) -> list[Path]:
    """Return the files of games, sorted by name. Raise `InputError` if these files or the file of payoffs are
    missing."""
    files = [path for path in files_in(folder, ".csv", f"the game_….csv files and {INFO}") if path.name != INFO]
    if not files or not (files[0].parent / INFO).is_file():
        raise InputError(f"{folder} must have the game_….csv files and {INFO}")
    return files


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=f"The folder with the game_….csv files and {INFO}.")],
    name: Name = EXPERIMENT,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Import the repeated games of Akata and others; importing again changes nothing."""
    files = logs_in(folder)
    with open_journal(store, create=True) as journal, games_bar("files", len(files)) as advance:
        report = import_logs(folder, journal, progress=advance, name=name)
    print_report(report, json)
