"""Plan and run an audit: the same questions put to one player in many ways, each a game of one question in the journal.
The situations come from games between built-in players, each stopped at a question."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar

from ostrom.core import Amount, Chance, GameChance, InputError, Question, Seat, Text
from ostrom.core.errors import field as marked
from ostrom.core.game import Game, PriorAnswer, Samples, Situation, make_rules
from ostrom.core.plugins import GAMES
from ostrom.core.questions import seats as all_seats
from ostrom.core.specs import Aimed, Choice, Fields, Spec
from ostrom.experiment.limits import Limits
from ostrom.experiment.match import Decision, Fixture, play_games, play_match, record_of
from ostrom.games.audit import AUDIT, AuditRules
from ostrom.games.audit.design import CELLS, MOST_SEATS, variants_of_question
from ostrom.games.audit.play import as_plain, aspects, reach
from ostrom.journal.record import GameRecord
from ostrom.players.base import Contestant, Player
from ostrom.players.roster import (
    built_in_names,
    built_in_players,
    check_registered,
    choose,
    contestant_of,
    description,
    seat_models,
    seat_players,
)
from ostrom.players.strategy import StrategyEntry

_LATEST = 8
"""Questions come from the turns 2 to this one: there is a past to look at, and it is short enough to be told."""
_ROOM = 10
"""Whole tokens that must be free to give or to spend."""
_TRIES = 50


@dataclass(frozen=True, slots=True)
class TableSamples:
    """The situations of a game that says nothing of its own about them: games between its built-in players."""

    game: Game
    alone: bool = False
    temperature: float | None = None

    @property
    def name(self) -> str:
        return self.game.command

    def phases(self, settings: Mapping[str, Any], seats: int) -> list[str]:
        """What players decide, apart from what they say, in the order in which it is asked."""
        cast = (built_in_names(self.game.name) * seats)[:seats]
        if not cast:
            raise InputError(f"{self.name} has no built-in players to create situations with, so it cannot be audited")
        match = play_match(
            self.game, make_rules(self.game, settings), seat_players(self.game.name, cast), GameChance(0)
        )
        asked = (decision.question for decision in match.decisions)
        return list(dict.fromkeys(question.phase for question in asked if not isinstance(question.spec, Text)))

    def situations(self, settings: Mapping[str, Any], seats: int, phase: str, seed: int, count: int) -> list[Situation]:
        """Games that are stopped at a question."""
        return [situation_of(self.game, settings, seats, phase, seed, number) for number in range(count)]


def situation_of(game: Game, settings: Mapping[str, Any], seats: int, phase: str, seed: int, number: int) -> Situation:
    """The situation with this number: who plays, and at which question they are stopped, is drawn from the seed."""
    rules = make_rules(game, settings)
    known = built_in_names(game.name)
    for attempt in range(_TRIES):
        chance = GameChance(seed, number + (attempt << 16))
        cast = [known[one.index] for one in chance.order(all_seats(len(known)), "cast", 0)]
        match = play_match(game, rules, seat_players(game.name, (cast * seats)[:seats]), chance)
        found = [place for place, decision in enumerate(match.decisions) if _fits(decision, phase, seats)]
        if not found:
            continue
        place = found[int(chance.uniform("question", 0) * len(found))]
        question = match.decisions[place].question
        return Situation(
            seed=seed,
            number=chance.game,
            rules=dict(settings),
            seats=seats,
            answers=tuple(_before(match.decisions, question)),
            turn=question.turn,
            phase=phase,
            seat=question.seat.index,
        )
    raise InputError(f"no game of {game.command} between built-in players reaches a question for {phase!r} to audit")


def _fits(decision: Decision, phase: str, seats: int) -> bool:
    """Whether a question has a past, and leaves room to decide: of few tokens, one more is a large part."""
    question = decision.question
    spec = question.spec
    room = spec.high - spec.low if isinstance(spec, Amount) and spec.whole else _ROOM
    room = spec.most if isinstance(spec, Aimed) else room
    there = question.phase == phase and 2 <= question.turn <= _LATEST and room >= _ROOM
    return there and bool(aspects(phase, spec, decision.answer.value, range(seats)))


def _before(decisions: Sequence[Decision], question: Question) -> Iterator[PriorAnswer]:
    """What was decided in earlier steps, as an audit's rules have it: questions of one step share turn and phase."""
    for decision in decisions:
        asked = decision.question
        if (asked.turn, asked.phase) == (question.turn, question.phase):
            return
        yield PriorAnswer(
            turn=asked.turn, phase=asked.phase, seat=asked.seat.index, value=as_plain(decision.answer.value)
        )


SITUATIONS = 8
REPEATS = 2
SEATS = 4


@dataclass(frozen=True)
class AuditPlan:
    """An audit as an experiment: its games are single questions."""

    game: Game
    """The game that the questions come from; of a task of the battery, its stated choices."""
    contestant: Contestant
    rules: Mapping[str, Any] = field(default_factory=dict)
    """Settings of that game."""
    phase: str | None = None
    """Which decision; the first one of a turn where none is named."""
    situations: int = SITUATIONS
    repeats: int = REPEATS
    seats: int | None = None
    """How many sit at the table of a game; a task of the battery is put to one."""
    seed: int = 0
    name: str | None = None
    limits: Limits | None = None
    kind: ClassVar[str] = AUDIT.command
    """The command."""

    @property
    def called(self) -> str:
        """Its name, or one made of the game and the player."""
        return self.name or f"audit of {self.contestant.name} at {self.where}, seed {self.seed}"

    @cached_property
    def samples(self) -> Samples:
        """Where its situations come from."""
        return samples_of(self.game)

    @property
    def where(self) -> str:
        """The game or task, as it is named on the command line."""
        return self.samples.name

    @property
    def table(self) -> int:
        if self.samples.alone:
            return 1
        return max(SEATS, self.game.seats.fewest) if self.seats is None else self.seats

    @property
    def games(self) -> int:
        return self.situations * CELLS * self.repeats

    @property
    def models(self) -> dict[str, Contestant]:
        """The player, where it is asked over a network."""
        return {self.contestant.name: self.contestant} if hasattr(self.contestant, "bot") else {}

    @cached_property
    def settled(self) -> dict[str, Any]:
        """The settings of the game that are played: what is said at the table would name seats by their labels, so
        no player speaks."""
        silent = {"messages": False} if "messages" in self.game.rules.model_fields else {}
        return {**silent, **self.rules}

    @cached_property
    def asked(self) -> str:
        """The phase of the game from which the audit takes its questions."""
        known = self.samples.phases(self.settled, self.table)
        if self.phase is not None and self.phase not in known:
            raise InputError(f"{self.where} has no decision {self.phase!r} to audit; it has {', '.join(known)}")
        return self.phase or known[0]

    @property
    def settings(self) -> dict[str, Any]:
        """All that decides it, as plain data."""
        planned = {
            "game": self.game.name,
            "rules": dict(self.rules),
            "phase": self.asked,
            "situations": self.situations,
            "repeats": self.repeats,
            "seats": self.table,
            "seed": self.seed,
        }
        limits = {} if self.limits is None else {"limits": self.limits.model_dump(mode="json")}
        return {"game": AUDIT.name, "players": [description(self.contestant)], "audit": planned, **limits}

    def check(self) -> None:
        """Refuse what cannot be asked, before anything is written."""
        if self.game.name != self.samples.game.name or (self.game.instrument and not self.samples.alone):
            raise InputError(f"there is no audit of {self.game.command}; 'ostrom list games' shows what can be audited")
        if min(self.situations, self.repeats) < 2:
            raise InputError("an audit needs at least 2 situations, and 2 repeats to measure noise")
        if self.settled.get("messages"):
            raise InputError(
                "an audit cannot use messages, because messages name seats by their labels; leave out messages"
            )
        if self.samples.alone and self.seats not in (None, 1):
            raise InputError(
                f"{marked('seats')} must be 1 or left out, as {self.where} is for one player; got {self.seats}"
            )
        self.game.check_seats(self.table)
        if self.table > MOST_SEATS:
            raise InputError(f"an audit seats at most {MOST_SEATS} players; the table has {self.table}")
        make_rules(self.game, self.settled)
        _ = self.asked

    def check_aspect(self, aspect: str | None) -> None:
        """Refuse a part that no answer to its questions can have, before any is asked: an answer may cost money."""
        if aspect is None:
            return
        known: dict[str, None] = {}
        # One question of each situation: the ways to put it change no part of the answer.
        for fixture in islice(self.fixtures(), 0, self.situations * CELLS, CELLS):
            known |= dict.fromkeys(_aspects_asked(fixture.rules))
        if aspect not in known:
            raise InputError(f"these decisions have no aspect {aspect!r}; they have {', '.join(known) or 'none'}")

    def fixtures(self) -> Iterator[Fixture]:
        """Its questions, made one situation at a time. Repeats of a question come last, so that an audit that ends
        early has met all situations."""
        for repeat in range(self.repeats):
            for number in range(self.situations):
                situation, alone = self._situations[number], self.samples.alone
                put = variants_of_question(self.game.name, self.table, situation, number, self.seed, alone=alone)
                for cell, way in enumerate(put):
                    rules = AuditRules(
                        game=self.game.name,
                        **situation._asdict(),
                        places=way.places,
                        framing=way.framing,
                        situation=number,
                        cell=cell,
                        repeat=repeat,
                        levels=way.levels,
                    )
                    place = (repeat * self.situations + number) * CELLS + cell
                    chance = GameChance(self.seed, place)
                    yield Fixture(f"{number}-{cell}-{repeat}", AUDIT, rules, [self.contestant], chance)

    @cached_property
    def _situations(self) -> Sequence[Situation]:
        return self.samples.situations(self.settled, self.table, self.asked, self.seed, self.situations)


def _aspects_asked(rules: AuditRules) -> list[str]:
    """The parts that an answer to a question can have, by the names under which `play` records them."""
    if rules.choices:
        return [f"choice of {rules.choices[0]}"]
    question = reach(rules)
    return _aspects_of(question.phase, question.spec)


def _aspects_of(phase: str, spec: Spec) -> list[str]:
    match spec:
        case Amount():
            return [phase] if spec.high > spec.low else []
        case Aimed():
            return [*(["spend"] if spec.most >= 1 else []), *(["target"] if len(spec.others) > 1 else [])]
        case Fields():
            return [found for name, part in spec.specs.items() for found in _aspects_of(name, part)]
        case Choice():
            named = (option for option in spec.options if option is not None)
            return [phase] if len([*named]) > 1 else []
        case _:
            return []


def samples_of(game: Game) -> Samples:
    """Where situations of a game come from: its own samples, else games between its built-in players."""
    made: Callable[[Game], Samples] | None = game.part("samples")
    return TableSamples(game) if made is None else made(game)


def audited_game(name: str) -> Game:
    """The game that a user means by a name on the command line or in records, in the form in which it is audited."""
    return samples_of(GAMES[name] if name in GAMES else GAMES.of_command(name)).game


def audit_of(
    name: str, settings: Mapping[str, Any], seat: Callable[[str], Contestant | None] = lambda name: None
) -> AuditPlan:
    """The audit that these settings, as a journal keeps them, describe; `seat` knows players that the roster does
    not."""
    planned, (player,) = settings["audit"], settings["players"]
    game = GAMES[planned["game"]]
    known = seat(player) if isinstance(player, str) else contestant_of(AUDIT.name, player)
    if known is None:
        check_registered(game.name, player)
    return AuditPlan(
        game=game,
        contestant=known or audited_player(game, player),
        **{part: planned[part] for part in ("rules", "phase", "situations", "repeats", "seats", "seed")},
        name=name,
        limits=Limits.model_validate(settings["limits"]) if "limits" in settings else None,
    )


def audited_player(game: Game, model: str) -> Contestant:
    """Who is meant: a built-in player of the game, a bot, or a model as pydantic-ai names it. A model
    is asked at the temperature that the game's samples say."""
    samples = samples_of(game)
    if (model.partition(":")[0] if samples.alone else model) in built_in_players(game.name):
        (found,) = choose([model], game=game.name)
        return Unwrapped(found)
    if ":" in model and not model.endswith(".json"):
        return seat_models(AUDIT.name, [model], samples.temperature)[0]
    return seat_players(AUDIT.name, [model])[0]


@dataclass(frozen=True)
class Unwrapped:
    """A player of another game who is asked that game's question, as if it had sat down just now; how it is put it
    does not see."""

    contestant: StrategyEntry

    @property
    def name(self) -> str:
        return self.contestant.name

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """A new player for one question."""
        return _Unwrapping(self.contestant, chance)


@dataclass(frozen=True)
class _Unwrapping:
    contestant: StrategyEntry
    chance: Chance

    def answer(self, question: Question) -> object:
        """Ask the player at the seat that is meant."""
        inner: Question = question.view.question
        player = self.contestant.sit(inner.seat, self.chance)
        return player.answer(inner)


def audit(contestant: Contestant, game: str, **settings: Any) -> list[GameRecord]:
    """Audit a player that answers at once, and keep nothing: the records of its answers. The settings are those of
    `AuditPlan`."""
    planned = AuditPlan(audited_game(game), contestant, **settings)
    planned.check()
    return [record_of(match) for _, match in play_games(planned.fixtures())]
