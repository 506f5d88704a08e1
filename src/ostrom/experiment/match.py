"""Plays one game, or many one after another: the plain driver, for players that answer at once."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ostrom.core import Answer, Chance, Driver, Event, GameChance, InputError, Provenance, Question, Seat, Table, seats
from ostrom.core.game import Game
from ostrom.experiment.schedule import Fixture
from ostrom.players.base import Contestant, Player, ask, is_remote


@dataclass(frozen=True)
class Decision:
    """A question and the answer it got."""

    question: Question
    answer: Answer


@dataclass(frozen=True)
class Match:
    """One game from beginning to end: everything that was decided, and everything that happened."""

    game: Game
    rules: Any
    chance: Chance
    names: tuple[str, ...]
    """Who sat at each seat."""
    decisions: tuple[Decision, ...]
    events: tuple[Event, ...]

    @property
    def seed(self) -> int | None:
        """The seed of its chance; a game that was played elsewhere has none."""
        return self.chance.seed if isinstance(self.chance, GameChance) else None

    @property
    def number(self) -> int:
        """Its number under that seed."""
        return self.chance.game if isinstance(self.chance, GameChance) else 0


def play_match(
    game: Game,
    rules: Any,
    contestants: Sequence[Contestant],
    chance: Chance,
    *,
    provenance: Provenance = Provenance.ANSWERED,
) -> Match:
    """Seat the contestants and play. A contestant may sit at several seats; it plays each for itself."""
    game.check_seats(len(contestants))
    table = Table(seats(len(contestants)), chance)
    players = [_seated(contestant, seat, chance) for seat, contestant in zip(table.seats, contestants, strict=True)]
    decisions: list[Decision] = []

    def decide(question: Question) -> Answer:
        index = question.seat.index
        answer = ask(contestants[index].name, players[index], question, provenance)
        decisions.append(Decision(question, answer))
        return answer

    Driver(game.play(rules, table)).play_on(decide)
    return Match(
        game=game,
        rules=rules,
        chance=chance,
        names=tuple(contestant.name for contestant in contestants),
        decisions=tuple(decisions),
        events=tuple(table.events),
    )


def _seated(contestant: Contestant, seat: Seat, chance: Chance) -> Player:
    player = contestant.sit(seat, chance)
    if is_remote(player):
        raise InputError(
            f"{contestant.name} is asked over a network: play it with ostrom run --include or ostrom bench"
        )
    return player


def play_games(fixtures: Iterable[Fixture], done: Container[str] = ()) -> Iterator[tuple[str, Match]]:
    """Play every game; those whose key is in `done` were played before and are left out."""
    for fixture in fixtures:
        if fixture.key not in done:
            yield fixture.key, play_match(fixture.game, fixture.rules, fixture.contestants, fixture.chance)
