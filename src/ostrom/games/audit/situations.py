"""The situations of an audit: games between built-in players, each stopped at a question."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ostrom.core import Amount, GameChance, InputError, Question, Text
from ostrom.core.game import Game, Situation, Step
from ostrom.core.questions import seats as all_seats
from ostrom.core.specs import Aimed
from ostrom.experiment.match import Decision, play_match
from ostrom.experiment.playing import make_rules
from ostrom.games.audit.decision import aspects
from ostrom.players.roster import built_in_players, seat_players

_LATEST = 8
"""Questions come from the turns 2 to this one: there is a past to look at, and it is short enough to be told."""
_ROOM = 10
"""So many whole tokens must be free to give or to spend."""
_TRIES = 50


@dataclass(frozen=True, slots=True)
class TableSamples:
    """The situations of a game that says nothing of its own about them: games between its built-in players."""

    game: Game
    alone: bool = False
    temperature: float | None = None

    @property
    def name(self) -> str:
        """What the command line calls the game."""
        return self.game.command

    def phases(self, settings: Mapping[str, Any], seats: int) -> list[str]:
        """What players decide, apart from what they say, in the order in which it is asked."""
        cast = (list(built_in_players(self.game.name)) * seats)[:seats]
        if not cast:
            raise InputError(f"{self.name} has no built-in players to make situations of, so it cannot be audited")
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
    known = list(built_in_players(game.name))
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
            answers=tuple(step_of(one) for one in _before(match.decisions, question)),
            turn=question.turn,
            phase=phase,
            seat=question.seat.index,
        )
    raise InputError(f"no game of {game.command} between built-in players comes to a question for {phase!r} to audit")


def _fits(decision: Decision, phase: str, seats: int) -> bool:
    """Whether a question has a past, and leaves room to decide: of few tokens, one more is a large part."""
    question = decision.question
    spec = question.spec
    room = spec.high - spec.low if isinstance(spec, Amount) and spec.whole else _ROOM
    room = spec.most if isinstance(spec, Aimed) else room
    there = question.phase == phase and 2 <= question.turn <= _LATEST and room >= _ROOM
    return there and bool(aspects(phase, spec, decision.answer.value, range(seats)))


def _before(decisions: tuple[Decision, ...], question: Question) -> list[Decision]:
    """What was decided in earlier steps: those of one step share turn and phase."""
    step = (question.turn, question.phase)
    place = [(one.question.turn, one.question.phase) for one in decisions].index(step)
    return list(decisions[:place])


def step_of(decision: Decision) -> Step:
    """A decision as an audit's rules have it."""
    question = decision.question
    value = decision.answer.value
    plain = dict(value) if isinstance(value, Mapping) else value
    return Step(turn=question.turn, phase=question.phase, seat=question.seat.index, value=plain)
