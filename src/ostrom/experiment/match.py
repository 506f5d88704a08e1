"""Play one game between algorithms, write the record of a match, and replay a record by the rules."""

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from ostrom.core import Answer, Driver, Event, Provenance, Question, Seat, Table, seats
from ostrom.core.chance import Chance, GameChance, LoggedChance
from ostrom.core.errors import Disagreement, InputError, PlayerFault, RecordError
from ostrom.core.game import Game, make_rules
from ostrom.core.listing import brief
from ostrom.core.plugins import DEFAULT_GAME, GAMES, find_game
from ostrom.core.text import number_of
from ostrom.journal.record import GameRecord, RecordedAnswer, RecordedOrder, RecordedSeat, missing
from ostrom.players.base import Contestant, Player, ReplayContestant, ask, is_remote
from ostrom.players.roster import Seated, contestants_of
from ostrom.version import VERSION


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game to be played."""

    key: str
    """The name of the game within the experiment. It stays the same if the game is resumed."""
    game: Game
    rules: Any
    contestants: Sequence[Contestant]
    """The players, in the order of the seats."""
    chance: Chance


@dataclass(frozen=True, repr=False)
class Decision:
    """A question and its answer."""

    question: Question
    answer: Answer

    def __repr__(self) -> str:
        turn, phase, seat = self.question.key
        return f"<Decision {turn} {phase} {Seat(seat).label}: {brief([self.answer.value])}, {self.answer.provenance}>"


@dataclass(frozen=True, repr=False)
class Match:
    """One finished game with all decisions and events."""

    game: Game
    rules: Any
    chance: Chance
    names: tuple[str, ...]
    """The players by seat."""
    decisions: tuple[Decision, ...]
    events: tuple[Event, ...]

    @property
    def seed(self) -> int | None:
        """The seed of the game's random draws; None for a game that was played elsewhere."""
        return self.chance.seed if isinstance(self.chance, GameChance) else None

    @property
    def number(self) -> int:
        """The number of the game under its seed; 0 without a seed."""
        return self.chance.game if isinstance(self.chance, GameChance) else 0

    def __repr__(self) -> str:
        return f"<Match of {self.game.command}: {brief(self.names)}; {number_of(len(self.events), 'event')}>"


def play_match(
    game: Game,
    rules: Any,
    contestants: Sequence[Contestant],
    chance: Chance,
    *,
    provenance: Provenance = Provenance.ANSWERED,
) -> Match:
    """Seat the contestants, play the game and return the match. A contestant that has several seats plays each of them
    independently."""
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
    names = tuple(contestant.name for contestant in contestants)
    return Match(game, rules, chance, names, tuple(decisions), tuple(table.events))


def _seated(contestant: Contestant, seat: Seat, chance: Chance) -> Player:
    player = contestant.sit(seat, chance)
    if is_remote(player):
        raise InputError(f"{contestant.name} is not an algorithm; only runs and benchmarks can ask it")
    return player


def play_games(fixtures: Iterable[Fixture], done: Container[str] = ()) -> Iterator[tuple[str, Match]]:
    """Play all games except those whose key is in `done`, and yield each with its key."""
    for fixture in fixtures:
        if fixture.key not in done:
            yield fixture.key, play_match(fixture.game, fixture.rules, fixture.contestants, fixture.chance)


def play(
    players: Sequence[Seated] | None = None,
    *,
    game: str | Game = DEFAULT_GAME,
    rules: Mapping[str, Any] | BaseModel | None = None,
    seed: int = 0,
    number: int = 0,
) -> Match:
    """Play one game and return the match. Players are names ("Pavlov", "Pavlov:3"), strategies of your own (classes or
    functions), or other players; by default the built-in ones. The game is named as on the command line or as in a
    record."""
    game = find_game(game)
    return play_match(game, make_rules(game, rules), contestants_of(game, players), GameChance(seed, number))


TOLERANCE = 1e-9
"""The relative tolerance for differences between a record and the rules. It is needed because the last bit of powers
differs between machines."""


def record_of(match: Match) -> GameRecord:
    """Return the complete record of a match."""
    answers = [
        RecordedAnswer(
            **dict(zip(("turn", "phase", "seat"), decision.question.key, strict=True)),
            **{name: getattr(decision.answer, name) for name in ("value", "provenance", "cut", "fault")},
        )
        for decision in match.decisions
    ]
    events = [event.as_record() for event in match.events]
    return _record(match.game, match.rules, match.chance, match.names, answers=answers, events=events)


def head_of(fixture: Fixture) -> GameRecord:
    """Return the record of a game before its first event."""
    names = [contestant.name for contestant in fixture.contestants]
    return _record(fixture.game, fixture.rules, fixture.chance, names, answers=[], events=[])


def _record(game: Game, rules: BaseModel, chance: Chance, names: Sequence[str], **content: Any) -> GameRecord:
    recorded_seats = [
        RecordedSeat(seat=index, label=Seat(index).label, player=name) for index, name in enumerate(names)
    ]
    head = {"ostrom": VERSION, "game": game.name, "rules": rules.model_dump(mode="json"), "seats": recorded_seats}
    return GameRecord(**head, **_chance_record(chance), **content)


def _chance_record(chance: Chance) -> dict[str, Any]:
    if isinstance(chance, GameChance):
        return {"seed": chance.seed, "number": chance.game}
    assert isinstance(chance, LoggedChance)
    orders = [
        RecordedOrder(purpose=purpose, turn=turn, seats=list(seats)) for (purpose, turn), seats in chance.orders.items()
    ]
    return {"seed": None, "number": 0, "orders": orders}


def chance_of(record: GameRecord) -> Chance:
    """Return the source of random draws of a recorded game: its seed or, without a seed, the orders in its log and the
    facts that the log dealt."""
    if record.seed is not None:
        return GameChance(record.seed, record.number)
    orders = {(order.purpose, order.turn): tuple(order.seats) for order in record.orders}
    game = GAMES[record.game]
    if game.dealt is None:
        return LoggedChance(orders)
    return LoggedChance(orders, game.dealt([game.events.decode(data) for data in record.events]))


def replay(record: GameRecord) -> Match:
    """Replay a record from its answers by the rules, and return the match. Raise `Disagreement` at the first difference
    between its events and those of the rules."""
    if record.game not in GAMES:
        raise RecordError(missing(record.game, record.package))
    if record.seed is None and record.source is None:
        # Other games of the experiment were still under way when the game was played, and their secrets depend on the
        # same seed.
        raise RecordError("the record has no seed, since its experiment was not over: export the game again when it is")
    game = GAMES[record.game]
    answers = {(answer.turn, answer.phase, answer.seat): answer.value for answer in record.answers}
    if len(answers) < len(record.answers):
        raise Disagreement("the record has two answers to one question")
    if [(seat.seat, seat.label) for seat in record.seats] != [(i, Seat(i).label) for i in range(len(record.seats))]:
        raise Disagreement("the record's seats are not numbered from 0 and labelled from P1")
    defaulted = {
        (answer.turn, answer.phase, answer.seat): answer.fault
        for answer in record.answers
        if answer.provenance is Provenance.DEFAULTED
    }
    contestants = [ReplayContestant(seat.player, answers, defaulted) for seat in record.seats]
    rules = make_rules(game, record.rules)
    try:
        match = play_match(game, rules, contestants, chance_of(record), provenance=Provenance.REPLAYED)
    except PlayerFault as fault:
        raise Disagreement(f"the rules reject an answer in the record: {fault}") from None
    unused = len(record.answers) - len(match.decisions)
    if unused:
        raise Disagreement(f"the record has {unused} more answers than the game asks for")
    _compare_events(record, match)
    return match


def _compare_events(record: GameRecord, match: Match) -> None:
    for number, (recorded, event) in enumerate(zip(record.events, match.events, strict=False), 1):
        replayed = event.as_record()
        turn = replayed.get("turn", replayed.get("round"))
        place = f"event {number} (turn {turn}, {replayed['event']})"
        if (difference := _difference(recorded, replayed, place)) is not None:
            raise Disagreement(difference)
    if len(record.events) != len(match.events):
        raise Disagreement(f"the record has {len(record.events)} events, the rules give {len(match.events)}")


def _difference(recorded: Any, replayed: Any, place: str) -> str | None:
    """Return a description of the first difference between a record and the rules, or None if they agree."""
    if isinstance(recorded, dict) and isinstance(replayed, dict):
        for key in {**recorded, **replayed}:
            if key not in recorded or key not in replayed:
                return f"{place}: {key!r} is in {'the record' if key in recorded else 'the rules'} only"
            if (difference := _difference(recorded[key], replayed[key], f"{place}, {key}")) is not None:
                return difference
        return None
    if isinstance(recorded, list) and isinstance(replayed, list):
        if len(recorded) != len(replayed):
            return f"{place}: the record has {len(recorded)} entries, the rules give {len(replayed)}"
        for index, pair in enumerate(zip(recorded, replayed, strict=True)):
            if (difference := _difference(*pair, f"{place}[{index}]")) is not None:
                return difference
        return None
    pair = (recorded, replayed)
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in pair):
        same = math.isclose(recorded, replayed, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    else:
        same = recorded == replayed
    return None if same else f"{place}: the record says {recorded!r}, the rules give {replayed!r}"
