"""The generator that plays a repeated game, the view of a seat, and the presentation of the game. A round has a step in
which both players choose. If the rules have messages, it is preceded by a step in which both send a message, or by two
steps in which one does."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from typing_extensions import override

from ostrom.core import Answer, Chance, Choice, Play, Question, Seat, Table, Text
from ostrom.core.arrays import Array
from ostrom.core.step import Draws
from ostrom.core.table import Past
from ostrom.games.repeated.events import RepeatedEnded, RepeatedMessageSaid, RoundPlayed
from ostrom.games.repeated.rules import AT_ONCE, RepeatedRules, RepeatedState, opening, over, play_round

MESSAGE, CHOICE = "message", "choice"
"""The phases of a round."""
SPEAKING: Final = "speaking"
"""The purpose of the draw that determines who writes first."""


# The presentation of a game to its players is plain or in disguise. A disguised game is equivalent, but a player cannot
# recognise it from the literature. It has another story, and other labels for the actions in another order. Points x
# are shown as a·x + b. Both players get the same story and the same labels.

DRAWS: Final = "disguise"
"""The purpose of the random draws that choose the presentation."""
_LABELS: Final = (
    *("Lumo", "Pask", "Tiro", "Venn", "Dorma", "Quill", "Sefa", "Brint"),
    *("Kello", "Marb", "Nuvo", "Ostra", "Ruvin", "Zeph", "Halda", "Jorim"),
    *("Fenga", "Wisp", "Ilvar", "Corda", "Ymber", "Galt", "Etch", "Aldo"),
)
"""Meaningless words that serve as labels of actions. There are twice as many as the largest number of actions of a
player."""
STORIES: Final = (
    "Two bakeries in one street decide each morning, without asking each other, what to put in their window.",
    "Two research teams work on the same telescope, and each night both must say beforehand which mode they will use.",
    "Two gardeners share a well, and each evening both set their own valve before they can see the other's.",
    "Two radio stations broadcast in the same valley, and each hour both choose a programme at the same moment.",
    "Two ferries serve the same island, and each day both captains choose a course before leaving the harbour.",
    "Two museums lend to each other, and each season both name their next exhibition in a sealed letter.",
    "Two villages mend the same dike, and each spring both vote on the same day on what to do with their half.",
    "Two workshops make parts of one clock, and each week both choose a method before they see the other's part.",
)
_SCALES: Final = (2, 3, 4, 5, 6, 7, 8, 9)
_SHIFTS: Final = tuple(range(1, 41))


@dataclass(frozen=True)
class Disguise:
    """The presentation of a matrix to the players of a game. It has the labels and the order of actions, the scale and
    the shift of points, and a story."""

    labels: tuple[tuple[str, ...], tuple[str, ...]]
    """The label of each action, by seat and action."""
    order: tuple[tuple[int, ...], tuple[int, ...]]
    """The actions in the order in which they are listed, by seat."""
    scale: float = 1.0
    shift: float = 0.0
    story: str = ""

    def points(self, points: float, rounds: int = 1) -> float:
        """Return points as they are presented to players. The shift is added once for each of the rounds in which they
        were earned."""
        return self.scale * points + self.shift * rounds


def telling_of(rules: RepeatedRules, chance: Chance) -> Disguise:
    """Return the presentation of one game. If the rules ask for a disguise, it is drawn at random."""
    matrix = rules.game
    if not rules.disguise:
        return Disguise(matrix.actions, (tuple(range(len(matrix.rows))), tuple(range(len(matrix.columns)))))

    def pick(number: int, count: int) -> int:
        return int(chance.uniform(DRAWS, 0, 3, number) * count)

    def shuffle(purpose: int, count: int) -> list[int]:
        return sorted(range(count), key=lambda place: chance.uniform(DRAWS, 0, purpose, place))

    words = [_LABELS[place] for place in shuffle(0, len(_LABELS))]
    alike = matrix.rows == matrix.columns
    rows = tuple(words[: len(matrix.rows)])
    columns = rows if alike else tuple(words[len(rows) : len(rows) + len(matrix.columns)])
    order = tuple(shuffle(1, len(rows)))
    other = order if alike else tuple(shuffle(2, len(columns)))
    scale = _SCALES[pick(0, len(_SCALES))]
    shift = _SHIFTS[pick(1, len(_SHIFTS))]
    return Disguise((rows, columns), (order, other), scale, shift, STORIES[pick(2, len(STORIES))])


@dataclass(frozen=True)
class PairRound:
    """A round that is over. Pairs are indexed by seat."""

    actions: tuple[int, int]
    """The actions of both players, after the noise."""
    points: tuple[float, float]
    said: tuple[str, ...]
    """The messages of both players. Empty if the rules have no messages."""
    first: int = 0
    """The seat whose message is listed first. If the players wrote one after the other, it wrote first."""


@dataclass(frozen=True)
class RepeatedView:
    """The game as one seat sees it. Pairs are indexed by seat. The first seat chooses the row."""

    rules: RepeatedRules
    round: int
    """The number of the round, counted from 1."""
    seat: int
    """The seat that is asked."""
    totals: tuple[float, float]
    said: tuple[str | None, ...]
    """The messages of this round. None stands for a player that has not written yet. Empty before the first message,
    and if the rules have no messages."""
    history: Past[PairRound]
    telling: Disguise = field(compare=False)
    """The presentation of the game to models and people."""
    first: int = 0
    """The seat whose message of this round is listed first. If the players write one after the other, it writes
    first."""

    @property
    def other(self) -> int:
        return 1 - self.seat

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions of this seat, by their names in the matrix."""
        return self.rules.game.actions[self.seat]


def play(rules: RepeatedRules, table: Table) -> Play:
    """Play to the last round."""
    match = _Match(rules, table)
    while True:
        match.round += 1
        if rules.messages:
            yield from match.talk()
        choices = yield match.ask_for_choices()
        if match.settle(choices):
            break
    totals = match.totals
    best = round(max(totals), 9)
    winners = [seat for seat, points in enumerate(totals) if round(points, 9) == best]
    table.record(RepeatedEnded(round=match.round, totals=list(totals), winners=winners))


class _Match:
    """The state and the history of the game, from which the views of seats are created."""

    def __init__(self, rules: RepeatedRules, table: Table) -> None:
        self.rules, self.table = rules, table
        self.telling = telling_of(rules, table.chance)
        self.state: RepeatedState = opening(np.zeros(1))
        self.draws = SingleGameDraws(np.zeros(1, dtype=np.uint64), (0, 0), table.chance)
        self.specs = [Choice(tuple(range(len(actions)))) for actions in rules.game.actions]
        self.round = 0
        self.said: tuple[str | None, ...] = ()
        self.first = 0
        self.history: list[PairRound] = []

    @property
    def totals(self) -> tuple[float, float]:
        first, second = self.state.totals[:, 0].tolist()
        return first, second

    def talk(self) -> Play:
        """Ask both players for a message, at once or one after the other."""
        self.said = ()
        groups: list[Sequence[Seat]] = [self.table.seats]
        if self.rules.talk != AT_ONCE:
            order = self.table.chance.order(self.table.seats, SPEAKING, self.round if self.rules.redraw_order else 1)
            self.first, groups = order[0].index, [[seat] for seat in order]
        spec = Text(self.rules.message_words)
        for writers in groups:
            answers = yield [
                self.table.ask(seat, MESSAGE, self.round, spec, self.view(seat.index), fallback="") for seat in writers
            ]
            self.hear(writers, answers)

    def ask_for_choices(self) -> list[Question]:
        # The fallback is the first action, which is cooperative. Otherwise a missing answer would look like an attack.
        return [
            self.table.ask(seat, CHOICE, self.round, spec, self.view(seat.index), fallback=0)
            for seat, spec in zip(self.table.seats, self.specs, strict=True)
        ]

    def view(self, seat: int) -> RepeatedView:
        past = Past(self.history)
        return RepeatedView(self.rules, self.round, seat, self.totals, self.said, past, self.telling, self.first)

    def hear(self, writers: Sequence[Seat], answers: Sequence[Answer]) -> None:
        said = list(self.said or (None, None))
        for seat, answer in zip(writers, answers, strict=True):
            said[seat.index] = str(answer.value)
            self.table.record(RepeatedMessageSaid(round=self.round, seat=seat.index, text=str(answer.value)))
        self.said = tuple(said)

    def settle(self, answers: Sequence[Answer]) -> bool:
        """Settle a round. Return whether it was the last round."""
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
        said = tuple(text or "" for text in self.said)
        self.history.append(PairRound((first, second), (points[0], points[1]), said, self.first))
        return bool(over(self.round, self.draws, self.rules)[0])


@dataclass(frozen=True)
class SingleGameDraws(Draws):
    """The random draws of a single game in the form that a batch uses: arrays of length 1. They raise an error for an
    imported game, which has no draws."""

    chance: Chance

    @override
    def uniform(self, purpose: str, turn: Any, seat: Any = 0, draw: int = 0, *, single: bool = False) -> Array:
        return np.asarray([self.chance.uniform(purpose, turn, seat, draw)])
