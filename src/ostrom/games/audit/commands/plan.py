"""Plan and run an audit. One player is asked the same questions in many framings, and each question is stored in the
journal as a separate game. The situations come from games between built-in players, each of which is stopped at a
question."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar, Final

from pydantic import ValidationError

from ostrom.core import Amount, Chance, GameChance, InputError, Question, Seat, Text
from ostrom.core.errors import field as marked
from ostrom.core.game import Game, PriorAnswer, Samples, Situation, make_rules
from ostrom.core.plugins import GAMES
from ostrom.core.questions import seats as all_seats
from ostrom.core.specs import Aimed, Choice, Fields, Optional, Spec, When
from ostrom.core.table import Driver, Table
from ostrom.experiment.limits import Limits
from ostrom.experiment.match import Decision, Fixture, Match, play_games, play_match, record_of
from ostrom.games.audit import AUDIT, AuditRules
from ostrom.games.audit.design import CELLS, MOST_SEATS, variants_of_question
from ostrom.games.audit.play import as_plain, aspects, reach
from ostrom.journal.record import GameRecord
from ostrom.players.base import Contestant, Player
from ostrom.players.roster import (
    built_in_players,
    check_registered,
    choose,
    contestant_of,
    default_names,
    description,
    seat_models,
    seat_players,
)
from ostrom.players.strategy import StrategyEntry

_LATEST = 8
"""The last turn from which questions are taken. The first turn is 2. So every question has past turns, but few enough
for a prompt."""
_ROOM = 10
"""The smallest number of tokens that a player must be able to give or spend at an audited question. With fewer tokens,
the question is not audited."""
_TRIES = 50


@dataclass(frozen=True, slots=True)
class TableSamples:
    """The source of situations for a game that does not define its own samples. Situations come from games between the
    game's built-in players."""

    game: Game
    alone: bool = False
    temperature: float | None = None

    @property
    def name(self) -> str:
        return self.game.command

    def phases(self, settings: Mapping[str, Any], seats: int) -> list[str]:
        """The phases in which players decide, in the order in which they are first asked. Phases for messages are left
        out."""
        cast = (default_names(self.game.name) * seats)[:seats]
        if not cast:
            raise InputError(f"{self.name} has no built-in players to create situations with, so it cannot be audited")
        match = play_match(
            self.game, make_rules(self.game, settings), seat_players(self.game.name, cast), GameChance(0)
        )
        asked = (decision.question for decision in match.decisions)
        return list(dict.fromkeys(question.phase for question in asked if not isinstance(question.spec, Text)))

    def situations(self, settings: Mapping[str, Any], seats: int, phase: str, seed: int, count: int) -> list[Situation]:
        """Return situations from games that are stopped at a question."""
        return [situation_of(self.game, settings, seats, phase, seed, number) for number in range(count)]


def situation_of(game: Game, settings: Mapping[str, Any], seats: int, phase: str, seed: int, number: int) -> Situation:
    """Return the situation with this number. The seed determines the players and the question at which their game is
    stopped."""
    rules = make_rules(game, settings)
    known = default_names(game.name)
    for attempt in range(_TRIES):
        chance = GameChance(seed, number + (attempt << 16))
        cast = [known[seat.index] for seat in chance.order(all_seats(len(known)), "cast", 0)]
        match = play_match(game, rules, seat_players(game.name, (cast * seats)[:seats]), chance)
        # Questions come from turn 2 or later, so that they have past turns. The exception is a phase that occurs only
        # in the first turn, as in games with a single turn.
        asked = [decision.question.turn for decision in match.decisions if decision.question.phase == phase]
        first_turn = 2 if any(turn >= 2 for turn in asked) else 1
        places = [place for place, decision in enumerate(match.decisions) if _fits(decision, phase, seats, first_turn)]
        if not places:
            continue
        place = places[int(chance.uniform("question", 0) * len(places))]
        question = match.decisions[place].question
        return Situation(
            seed=seed,
            number=chance.game,
            rules=dict(settings),
            seats=seats,
            answers=tuple(_before(match, question)),
            turn=question.turn,
            phase=phase,
            seat=question.seat.index,
        )
    raise InputError(
        f"no question of the phase {phase!r} that can be audited occurs in games of {game.command} between built-in "
        "players"
    )


def _fits(decision: Decision, phase: str, seats: int, first_turn: int) -> bool:
    """Return whether a question is late enough in the game and allows a wide enough range of tokens. In a narrow range,
    a difference of one token would be a large share."""
    question = decision.question
    spec = question.spec.of if isinstance(question.spec, Optional) else question.spec
    room = spec.high - spec.low if isinstance(spec, Amount) and spec.whole else _ROOM
    room = spec.most if isinstance(spec, Aimed) else room
    there = question.phase == phase and first_turn <= question.turn <= _LATEST and room >= _ROOM
    return there and bool(aspects(phase, question.spec, decision.answer.value, range(seats)))


def _before(match: Match, question: Question) -> Iterator[PriorAnswer]:
    """Yield the decisions before the question in the form that `AuditRules` stores. To find them, the game is played
    again, because turn and phase do not identify a step: if players move one after the other, several steps have the
    same turn and phase."""
    table = Table(all_seats(len(match.names)), match.chance)
    driver = Driver(match.game.play(match.rules, table))
    decisions = iter(match.decisions)
    while driver.step is not None:
        if question.key in [other.key for other in driver.step]:
            return
        step = list(islice(decisions, len(driver.step)))
        for decision in step:
            asked = decision.question
            value = as_plain(decision.answer.value)
            yield PriorAnswer(turn=asked.turn, phase=asked.phase, seat=asked.seat.index, value=value)
        driver.advance([decision.answer for decision in step])


MESSAGES: Final = "messages"
"""The rule that says whether and to whom players write."""
SITUATIONS = 8
REPEATS = 2
SEATS = 4
"""The number of seats in an audit of a game that has no usual number of seats."""


def silence(game: Game) -> dict[str, Any]:
    """Return the value of the rule `messages` with which players write nothing. Return nothing if the game has no rule
    of this name, or if none of its values means silence."""
    if MESSAGES not in game.rules.model_fields:
        return {}
    for value in (False, "none"):
        try:
            game.rules.model_validate({MESSAGES: value}, strict=True)
        except ValidationError:
            continue
        return {MESSAGES: value}
    return {}


@dataclass(frozen=True)
class AuditPlan:
    """An audit as an experiment in which every game is a single question."""

    game: Game
    """The game from which the questions come. For a task of the battery, it is the game of the task's stated
    choices."""
    contestant: Contestant
    rules: Mapping[str, Any] = field(default_factory=dict)
    """Settings of that game."""
    phase: str | None = None
    """The phase in which the audited decision is made. The default is the first phase of a turn."""
    situations: int = SITUATIONS
    repeats: int = REPEATS
    seats: int | None = None
    """Number of seats at the table of a game. It is 1 for a task of the battery."""
    vary_layout: bool = False
    """True if the layout of prompts is a factor too."""
    seed: int = 0
    name: str | None = None
    limits: Limits | None = None
    kind: ClassVar[str] = AUDIT.command
    """The name of the command."""

    @property
    def called(self) -> str:
        """The name of the audit. By default, it is composed of the names of the game and the player."""
        return self.name or f"audit of {self.contestant.name} at {self.where}, seed {self.seed}"

    @cached_property
    def samples(self) -> Samples:
        """The source of the audit's situations."""
        return samples_of(self.game)

    @property
    def where(self) -> str:
        """The name of the game or task on the command line."""
        return self.samples.name

    @property
    def table(self) -> int:
        if self.samples.alone:
            return 1
        if self.seats is not None:
            return self.seats
        return min(self.game.seats.usual or self.game.seats.largest(SEATS), max(MOST_SEATS, self.game.seats.fewest))

    @property
    def games(self) -> int:
        return self.situations * CELLS * self.repeats

    @property
    def models(self) -> dict[str, Contestant]:
        """The audited player if it is remote. Otherwise there are none."""
        return {self.contestant.name: self.contestant} if hasattr(self.contestant, "bot") else {}

    @cached_property
    def settled(self) -> dict[str, Any]:
        """The settings with which the game is played. Messages are off, because their texts would contain the labels of
        seats, which the framings change."""
        return {**silence(self.game), **self.rules}

    @cached_property
    def asked(self) -> str:
        """The phase of the game from which the questions come."""
        known = self.samples.phases(self.settled, self.table)
        if self.phase is not None and self.phase not in known:
            raise InputError(f"{self.where} has no decision {self.phase!r} to audit; it has {', '.join(known)}")
        return self.phase or known[0]

    @property
    def settings(self) -> dict[str, Any]:
        """All settings that determine the audit, as plain data."""
        planned = {
            "game": self.game.name,
            "rules": dict(self.rules),
            "phase": self.asked,
            "situations": self.situations,
            "repeats": self.repeats,
            "seats": self.table,
            "seed": self.seed,
            **({"vary_layout": True} if self.vary_layout else {}),
        }
        limits = {} if self.limits is None else {"limits": self.limits.model_dump(mode="json")}
        return {"game": AUDIT.name, "players": [description(self.contestant)], "audit": planned, **limits}

    def check(self) -> None:
        """Raise InputError if the plan is invalid, before anything is written."""
        if self.game.name != self.samples.game.name or (self.game.instrument and not self.samples.alone):
            raise InputError(f"there is no audit of {self.game.command}; 'ostrom list games' shows what can be audited")
        if min(self.situations, self.repeats) < 2:
            raise InputError("an audit needs at least 2 situations, and 2 repeats to measure noise")
        silent = silence(self.game)
        if silent and self.settled[MESSAGES] != silent[MESSAGES]:
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
        """Raise InputError if no answer to the questions has the audited part. This is checked before any question is
        asked, since answers may cost money."""
        if aspect is None:
            return
        known: dict[str, None] = {}
        # One question of each situation is enough, since its framing does not change which parts an answer has.
        for fixture in islice(self.fixtures(), 0, self.situations * CELLS, CELLS):
            known |= dict.fromkeys(_aspects_asked(fixture.rules))
        if aspect not in known:
            raise InputError(f"these decisions have no aspect {aspect!r}; they have {', '.join(known) or 'none'}")

    def fixtures(self) -> Iterator[Fixture]:
        """Yield the questions, situation by situation. Repetitions of questions come last, so that an audit that ends
        early covers all situations."""
        for repeat in range(self.repeats):
            for number in range(self.situations):
                situation, alone = self._situations[number], self.samples.alone
                varied = {"alone": alone, "layout": self.vary_layout}
                put = variants_of_question(self.game.name, self.table, situation, number, self.seed, **varied)
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
    """Return the names of the parts that an answer to a question can have, as `play` records them."""
    if rules.choices:
        return [f"choice of {rules.choices[0]}"]
    question = reach(rules)
    return _aspects_of(question.phase, question.spec)


def _aspects_of(phase: str, spec: Spec) -> list[str]:
    match spec:
        case Optional() | When():
            return _aspects_of(phase, spec.of)
        case Amount():
            return [phase] if spec.high > spec.low else []
        case Aimed():
            return [*(["spend"] if spec.most >= 1 else []), *(["target"] if len(spec.others) > 1 else [])]
        case Fields():
            return [aspect for name, part in spec.specs.items() for aspect in _aspects_of(name, part)]
        case Choice():
            named = (option for option in spec.options if option is not None)
            return [phase] if len([*named]) > 1 else []
        case _:
            return []


def samples_of(game: Game) -> Samples:
    """Return the source of situations for a game. These are the samples that the game defines. If it defines none, the
    situations come from games between its built-in players."""
    make_samples: Callable[[Game], Samples] | None = game.part("samples")
    return TableSamples(game) if make_samples is None else make_samples(game)


def audited_game(name: str) -> Game:
    """Return the game to audit, given its name on the command line or in a record. A task of the battery is audited as
    stated choices."""
    return samples_of(GAMES[name] if name in GAMES else GAMES.of_command(name)).game


def audit_of(
    name: str, settings: Mapping[str, Any], seat: Callable[[str], Contestant | None] = lambda name: None
) -> AuditPlan:
    """Return the audit with these stored settings. `seat` is a function that returns the player for a name that is not
    in the roster."""
    planned, (player,) = settings["audit"], settings["players"]
    game = GAMES[planned["game"]]
    known = seat(player) if isinstance(player, str) else contestant_of(AUDIT.name, player)
    if known is None:
        check_registered(game.name, player)
    return AuditPlan(
        game=game,
        contestant=known or audited_player(game, player),
        **{part: planned[part] for part in ("rules", "phase", "situations", "repeats", "seats", "seed")},
        vary_layout=planned.get("vary_layout", False),
        name=name,
        limits=Limits.model_validate(settings["limits"]) if "limits" in settings else None,
    )


def audited_player(game: Game, model: str) -> Contestant:
    """Return the player with this name: a built-in player of the game, a bot, or a model in the notation of
    pydantic-ai. A model is asked at the temperature that the source of situations sets."""
    samples = samples_of(game)
    if (model.partition(":")[0] if samples.alone else model) in built_in_players(game.name):
        (player,) = choose([model], game=game.name)
        return Unwrapped(player)
    if ":" in model and not model.endswith(".json"):
        return seat_models(AUDIT.name, [model], samples.temperature)[0]
    return seat_players(AUDIT.name, [model])[0]


@dataclass(frozen=True)
class Unwrapped:
    """A player of the audited game, adapted to an audit. It gets a new seat for each question, and does not see the
    framing."""

    contestant: StrategyEntry

    @property
    def name(self) -> str:
        return self.contestant.name

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """Create a new player for one question."""
        return _Unwrapping(self.contestant, chance)


@dataclass(frozen=True)
class _Unwrapping:
    contestant: StrategyEntry
    chance: Chance

    def answer(self, question: Question) -> object:
        """Ask the player at the audited seat."""
        inner: Question = question.view.question
        player = self.contestant.sit(inner.seat, self.chance)
        return player.answer(inner)


def audit(contestant: Contestant, game: str, **settings: Any) -> list[GameRecord]:
    """Audit a player without a journal, and return the records of its answers. The player must answer at once, so it
    cannot be remote. The settings are those of `AuditPlan`."""
    planned = AuditPlan(audited_game(game), contestant, **settings)
    planned.check()
    return [record_of(match) for _, match in play_games(planned.fixtures())]
