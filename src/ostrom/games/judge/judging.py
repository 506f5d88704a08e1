"""Let a judge read what was said in the games of a journal. A reading is a game with one seat, kept in an experiment of
its own under the id of the game that was read: whoever judges again asks only about games that were not read yet."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ostrom.core import GameChance
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.core.spoken import MESSAGE, lines_of
from ostrom.experiment.playing import make_rules
from ostrom.experiment.runner import Outcome
from ostrom.experiment.schedule import Fixture
from ostrom.experiment.store import Conduct, conduct
from ostrom.journal.overview import GameRow
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.players.roster import description

if TYPE_CHECKING:
    from ostrom.experiment.runner import Outcome
    from ostrom.experiment.store import Conduct

_FINISHED, _PLAYING = "finished", "playing"


@dataclass(frozen=True)
class Judging:
    """One judge and what it is to read. A judge that is described otherwise, or reads by other rules, is another one;
    what there is to read may grow."""

    kind: Game
    """What it reads for: quotes or promises."""
    judge: Contestant
    rules: Any
    """Without source and lines, which each game brings."""

    @property
    def settings(self) -> dict[str, Any]:
        """All that decides how it reads, as plain data."""
        rules = self.rules.model_dump(mode="json", exclude={"source", "lines"})
        return {"game": self.kind.name, "judge": description(self.judge), "rules": rules}

    def experiment(self, journal: Journal, *, create: bool = True) -> str | None:
        """The experiment that holds its readings: the one that is there, or a new one."""
        for row in journal.experiments():
            if row.kind == self.kind.command and row.settings == self.settings:
                return row.id
        name = f"{self.kind.command} by {self.judge.name}"
        return journal.new_experiment(name, kind=self.kind.command, settings=self.settings) if create else None

    def unread(self, journal: Journal, experiment: str | None, sources: Sequence[GameRow]) -> list[GameRow]:
        """Those of the games that it has not read to the end."""
        read = {row.key for row in journal.games(experiment) if row.state != _PLAYING} if experiment else set()
        return [row for row in sources if row.id not in read]

    def fixtures(self, journal: Journal, sources: Sequence[GameRow]) -> Iterator[Fixture]:
        """A reading of each game in which something was said, made when it is its turn."""
        for row in sources:
            if lines := lines_of(journal.record(row.id).events):
                rules = make_rules(self.kind, {**self.settings["rules"], "source": row.id, "lines": lines})
                # A reading draws no chance.
                yield Fixture(row.id, self.kind, rules, [self.judge], GameChance(0, 0))


def judging_of(kind: Game, judge: Contestant, **rules: Any) -> Judging:
    """How a judge reads, with these rules or the usual ones."""
    return Judging(kind, judge, make_rules(kind, rules))


def speaking_games(journal: Journal, experiment: str | None = None) -> list[GameRow]:
    """The finished games of an experiment, or all, of those kinds in which seats speak."""
    return [row for row in journal.games(experiment) if row.state == _FINISHED and _speaks(row.game)]


def _speaks(game: str) -> bool:
    return game in GAMES and MESSAGE in GAMES[game].events


async def run_judging(journal: Journal, judging: Judging, sources: Sequence[GameRow], how: "Conduct") -> "Outcome":
    """Let the judge read those of the games that it has not read yet, and go on with readings that are unfinished."""

    experiment = judging.experiment(journal)
    assert experiment is not None
    unread = judging.unread(journal, experiment, sources)
    return await conduct(judging.fixtures(journal, unread), journal, experiment, how)
