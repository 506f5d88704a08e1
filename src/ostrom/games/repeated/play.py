"""The generator that plays one repeated game, and the view of a seat. A round is a step in which both players send a
message, if the rules have messages, and a step in which both choose."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from typing_extensions import override

from ostrom.core import Answer, Chance, Choice, Play, Question, Table, Text
from ostrom.core.arrays import Array
from ostrom.core.step import Draws
from ostrom.core.table import Past
from ostrom.games.repeated.disguise import Disguise, telling_of
from ostrom.games.repeated.events import RepeatedEnded, RepeatedMessageSaid, RoundPlayed
from ostrom.games.repeated.rules import RepeatedRules, RepeatedState, opening, over, play_round

MESSAGE, CHOICE = "message", "choice"
"""The phases of a round."""


@dataclass(frozen=True)
class PairRound:
    """A round that is over. Pairs are indexed by seat."""

    actions: tuple[int, int]
    """The actions of both, after the noise."""
    points: tuple[float, float]
    said: tuple[str, ...]
    """The messages of both; empty if the rules have none."""


@dataclass(frozen=True)
class RepeatedView:
    """The game as one seat sees it. Pairs are indexed by seat; the first seat chooses the row."""

    rules: RepeatedRules
    round: int
    """Counted from 1."""
    seat: int
    """The seat that is asked."""
    totals: tuple[float, float]
    said: tuple[str, ...]
    """The messages of this round."""
    history: Past[PairRound]
    telling: Disguise = field(compare=False)
    """The presentation of the game to models and people."""

    @property
    def other(self) -> int:
        return 1 - self.seat

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions of this seat, by the matrix's own names."""
        return self.rules.game.actions[self.seat]


def play(rules: RepeatedRules, table: Table) -> Play:
    """Play to the last round."""
    match = _Match(rules, table)
    while True:
        match.round += 1
        if rules.messages:
            messages = yield match.ask_for_messages()
            match.hear(messages)
        choices = yield match.ask_for_choices()
        if match.settle(choices):
            break
    totals = match.totals
    best = round(max(totals), 9)
    winners = [seat for seat, points in enumerate(totals) if round(points, 9) == best]
    table.record(RepeatedEnded(round=match.round, totals=list(totals), winners=winners))


class _Match:
    """The state and the history of the game, for views."""

    def __init__(self, rules: RepeatedRules, table: Table) -> None:
        self.rules, self.table = rules, table
        self.telling = telling_of(rules, table.chance)
        self.state: RepeatedState = opening(np.zeros(1))
        self.draws = SingleGameDraws(np.zeros(1, dtype=np.uint64), (0, 0), table.chance)
        self.specs = [Choice(tuple(range(len(actions)))) for actions in rules.game.actions]
        self.round = 0
        self.said: tuple[str, ...] = ()
        self.history: list[PairRound] = []

    @property
    def totals(self) -> tuple[float, float]:
        first, second = self.state.totals[:, 0].tolist()
        return first, second

    def ask_for_messages(self) -> list[Question]:
        self.said = ()
        spec = Text(self.rules.message_words)
        return [
            self.table.ask(seat, MESSAGE, self.round, spec, self.view(seat.index), fallback="")
            for seat in self.table.seats
        ]

    def ask_for_choices(self) -> list[Question]:
        # The fallback is the first action, which is the cooperative one: a missing answer must not look like an attack.
        return [
            self.table.ask(seat, CHOICE, self.round, spec, self.view(seat.index), fallback=0)
            for seat, spec in zip(self.table.seats, self.specs, strict=True)
        ]

    def view(self, seat: int) -> RepeatedView:
        past = Past(self.history)
        return RepeatedView(self.rules, self.round, seat, self.totals, self.said, past, self.telling)

    def hear(self, answers: Sequence[Answer]) -> None:
        self.said = tuple(str(answer.value) for answer in answers)
        for seat, text in enumerate(self.said):
            self.table.record(RepeatedMessageSaid(round=self.round, seat=seat, text=text))

    def settle(self, answers: Sequence[Answer]) -> bool:
        """Settle a round, and return whether it was the last."""
        chosen = [int(answer.value) for answer in answers]
        column = np.asarray(chosen, dtype=np.int16)[:, None]
        self.state = play_round(self.state, column, self.round, self.draws, self.rules)
        first, second = self.state.actions[:, 0].tolist()
        points = [float(self.rules.game.points[seat, first, second]) for seat in (0, 1)]
        self.table.record(
            RoundPlayed(
                round=self.round,
                chosen=chosen,
                actions=[first, second],
                points=points,
                totals=list(self.totals),
            )
        )
        self.history.append(PairRound((first, second), (points[0], points[1]), self.said))
        return bool(over(self.round, self.draws, self.rules)[0])


@dataclass(frozen=True)
class SingleGameDraws(Draws):
    """The draws of one game in the shape of a batch's. The chance of an imported game raises an error when it is
    drawn from."""

    chance: Chance

    @override
    def uniform(self, purpose: str, turn: Any, seat: Any = 0, draw: int = 0, *, single: bool = False) -> Array:
        return np.asarray([self.chance.uniform(purpose, turn, seat, draw)])
