"""Judges: players that read the games of a journal. A reading is a game with one seat, stored in an experiment of the
judge under the id of the game that was read. A judge is asked about each game once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

from ostrom.core import GameChance, InputError
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import GAMES
from ostrom.core.spoken import MESSAGE, lines_of
from ostrom.experiment.limits import Limits
from ostrom.experiment.match import Fixture
from ostrom.experiment.store import PlanRunner, check_models
from ostrom.journal.overview import GameRow
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.players.models.bots import bot_files, bot_of_model, load_bot
from ostrom.players.roster import ModelContestant, description
from ostrom.terminal.console import budget_word, confirm_keys


def judge_of(name: str, game: Game) -> Contestant:
    """Return the judge with this name: a bot, given by its name or file, or a model. Raise InputError if the bot sets a
    grammar for answers."""
    known = name in bot_files() or name.endswith(".json") or ":" not in name
    bot = load_bot(name) if known else bot_of_model(name)
    if bot.grammar:
        raise InputError(
            f"{name} cannot judge: its bot file sets a grammar, and there is no grammar for a judge's answers"
        )
    return ModelContestant(bot, game.name)


@dataclass(frozen=True)
class Judging:
    """A judge and its settings. A judge with a different description or different rules counts as another judge. A
    judge that reads more games remains the same judge."""

    kind: Game
    """The kind of reading: the game of quotes or of promises."""
    judge: Contestant
    rules: Any
    """The settings of a reading except those that differ for each game: `source`, `lines` and those of `of_game`."""
    of_game: Mapping[str, Callable[[GameRow], Any]] = field(default_factory=dict)
    """Further rules of a reading, each a function of the game that is read."""

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that identify the judge, as plain data."""
        rules = self.rules.model_dump(mode="json", exclude={"source", "lines", *self.of_game})
        return {"game": self.kind.name, "judge": description(self.judge), "rules": rules}

    def experiment(self, journal: Journal, *, create: bool = True) -> str | None:
        """Return the experiment of the judge's readings. It is created if there is none."""
        for row in journal.experiments():
            if row.kind == self.kind.command and row.settings == self.settings:
                return row.id
        name = f"{self.kind.command} by {self.judge.name}"
        return journal.new_experiment(name, kind=self.kind.command, settings=self.settings) if create else None

    def unread(self, journal: Journal, experiment: str | None, sources: Sequence[GameRow]) -> list[GameRow]:
        """Return the games in `sources` that the judge has not finished reading."""
        read = {row.key for row in journal.games(experiment) if row.state != "playing"} if experiment else set()
        return [row for row in sources if row.id not in read]

    def fixtures(self, journal: Journal, sources: Sequence[GameRow]) -> Iterator[Fixture]:
        """Yield a reading for each of these games that has messages."""
        for row in sources:
            if lines := lines_of(journal.record(row.id).events):
                facts = {name: fact(row) for name, fact in self.of_game.items()}
                rules = make_rules(self.kind, {**self.settings["rules"], **facts, "source": row.id, "lines": lines})
                # A reading draws no random numbers.
                yield Fixture(row.id, self.kind, rules, [self.judge], GameChance(0, 0))


def judging_of(kind: Game, judge: Contestant, **rules: Any) -> Judging:
    """Return the judge with these rules. Missing rules have their default values."""
    return Judging(kind, judge, make_rules(kind, rules))


def speaking_games(journal: Journal, experiment: str | None = None) -> list[GameRow]:
    """Return the finished games in which seats can send messages, of one experiment or of the whole journal."""
    finished = (row for row in journal.games(experiment) if row.state == "finished")
    return [row for row in finished if row.game in GAMES and MESSAGE in GAMES[row.game].events]


def read(
    journal: Journal,
    judging: Judging,
    sources: Sequence[GameRow],
    runner: PlanRunner,
    limits: Limits,
    games: int | None = None,
) -> None:
    """Let the judge read those of these games that it has not read yet, at most `games` of them. If the judge stops
    before the end, report this to the runner."""
    unread = judging.unread(journal, judging.experiment(journal, create=False), sources)
    readings = judging.fixtures(journal, unread)
    first = next(readings, None)
    if first is None:
        if len(unread) == len(sources):
            raise InputError(f"no player said anything in {len(sources):,} games, so there is nothing to read")
        return
    confirm_keys([judging.judge])
    check_models([judging.judge], limits)
    experiment = judging.experiment(journal)
    assert experiment is not None
    count = min(games or len(unread), len(unread))
    planned = len(journal.games(experiment)) + count
    outcome = runner.conduct(islice(chain([first], readings), count), journal, experiment, limits, planned)
    for problem in outcome.problems("the reading of"):
        runner.warn(problem)
    if outcome.pausing is not None:
        runner.warn(outcome.pausing)
    if outcome.stopped or outcome.unfinished:
        spent = outcome.stopped == "budget"
        reason = budget_word(journal, experiment, limits) if spent else "not everything was read"
        condition = " with a larger budget" if spent else ""
        read = sum(row.state != "playing" for row in journal.games(experiment))
        runner.stop(f"{reason}; {read:,} readings are finished. Run the same again{condition} to continue")
