"""One game as an episode: which questions are open, what an answer brings each seat, and the match that is left when it
is over. Environments of every interface are made of it."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from ostrom.core import Answer, Driver, Event, GameChance, InputError, Provenance, Question, Table, seats
from ostrom.core.errors import IllegalAnswer
from ostrom.core.game import Game, final_standings
from ostrom.core.questions import Fault
from ostrom.core.telling import BoardState, presentation_of, transcript_lines
from ostrom.environments.spaces import parts_of
from ostrom.experiment.match import Decision, Match
from ostrom.sim.rewards import Reward


class Episode:
    """A game under way. Questions for a text are answered by the declared fallback, which is silence."""

    def __init__(self, game: Game, rules: Any, count: int, chance: GameChance, reward: Reward) -> None:
        self.game, self.rules, self.chance = game, rules, chance
        self._reward: Reward = reward
        self._table = Table(seats(count), chance)
        presentation = presentation_of(game)
        self._final = presentation.scene(rules, count).final
        self._teller, self._board, self._told = presentation.teller(rules, count), BoardState(count), 0
        self._board.apply(self._teller.opening())
        self._held = self._standing()
        self._sign = 1.0 if game.better == "higher" else -1.0
        self.decisions: list[Decision] = []
        self._driver = Driver(game.play(rules, self._table))
        self._answers: dict[int, Answer] = {}
        self.open: dict[int, deque[tuple[int, Question]]] = {}
        """The open questions of each seat that is asked, with their places in the step."""
        self._begin_step()

    @property
    def over(self) -> bool:
        return self._driver.step is None

    @property
    def events(self) -> Sequence[Event]:
        return self._table.events

    def question(self, seat: int) -> Question | None:
        """The question that a seat has to answer next; None where it is not asked in this step."""
        return self.open[seat][0][1] if self.open.get(seat) else None

    def answer(self, seat: int, value: Any) -> bool:
        """Answer a seat's question. An illegal answer becomes the declared fallback, marked as defaulted; whether it
        was legal is returned. The game goes on when all questions of the step are answered."""
        question = self.open[seat][0][1]
        try:
            answer = Answer(question.spec.validate(value))
        except IllegalAnswer:
            answer = Answer(question.fallback, Provenance.DEFAULTED, fault=Fault.ILLEGAL)
        self.take(seat, answer)
        return answer.provenance is Provenance.ANSWERED

    def take(self, seat: int, answer: Answer) -> None:
        """Take an answer that was found legal already."""
        place, _ = self.open[seat].popleft()
        self._answers[place] = answer
        assert self._driver.step is not None
        if len(self._answers) == len(self._driver.step):
            self._advance()
            self._begin_step()

    def _advance(self) -> None:
        assert self._driver.step is not None
        given = [self._answers[place] for place in range(len(self._driver.step))]
        self.decisions += map(Decision, self._driver.step, given)
        self._driver.advance(given)

    def _begin_step(self) -> None:
        while self._driver.step is not None:
            self._answers, self.open = {}, {}
            for place, question in enumerate(self._driver.step):
                if parts_of(question.spec):
                    self.open.setdefault(question.seat.index, deque()).append((place, question))
                else:
                    self._answers[place] = Answer(question.fallback)
            if self.open:
                return
            self._advance()
        self.open = {}

    def rewards(self) -> list[float]:
        """What each seat is rewarded with since this was asked last."""
        count = len(self._table.seats)
        if self.game.finals is None:
            return [0.0] * count
        if self._reward == "gain":
            before, self._held = self._held, self._standing()
            return [self._sign * (after - was) for after, was in zip(self._held, before, strict=True)]
        if not self.over:
            return [0.0] * count
        if self._reward == "final":
            return [self._sign * (final or 0.0) for final in self.game.finals(self.events)]
        return self._by_rank()

    def _standing(self) -> list[float]:
        for event in self._table.events[self._told :]:
            self._board.apply(self._teller.tell(event))
        self._told = len(self._table.events)
        count = len(self._table.seats)
        held = self._board.of_seats.get(self._final or "", [None] * count)
        return [0.0 if value is None else float(value) for value in held]

    def _by_rank(self) -> list[float]:
        rows = final_standings(self.game, self.rules, [""] * len(self._table.seats), self.events)
        ranks = {row["seat"]: row["rank"] for row in rows if row["rank"] is not None}
        found = [0.0] * len(self._table.seats)
        for seat, rank in ranks.items():
            ties = sum(other == rank for other in ranks.values())
            mean = rank + (ties - 1) / 2
            found[seat] = (len(ranks) - mean) / (len(ranks) - 1) if len(ranks) > 1 else 1.0
        return found

    def match(self, names: Sequence[str]) -> Match:
        """The game that was played, as `ostrom.play` returns it."""
        if not self.over:
            raise InputError("the game is not over; its match is there when it is")
        return Match(self.game, self.rules, self.chance, tuple(names), tuple(self.decisions), tuple(self.events))

    def lines(self, names: Sequence[str]) -> str:
        """What has happened so far, as a terminal shows it."""
        told = transcript_lines(self.game, self.rules, self.events, names)
        return "\n".join(line for lines in told for line in lines)


class Seeds:
    """The chance of one episode after the other: a reset with a seed begins with game 0 of it, and each further reset
    takes the next game of the same seed."""

    def __init__(self, draw: Callable[[], int]) -> None:
        self._draw = draw
        self._seed: int | None = None
        self._number = 0

    def next(self, seed: int | None) -> GameChance:
        """The chance of the next episode."""
        if seed is None and self._seed is not None:
            self._number += 1
        else:
            self._seed, self._number = self._draw() if seed is None else int(seed), 0
        return GameChance(self._seed, self._number)
