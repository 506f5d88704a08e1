"""A game with secrets, for tests: an auction with private values and sealed bids. Each seat knows its own value, may
pass, and bids in two rounds; all bids are public when the game is over."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from ostrom.core import Amount, Answer, Event, EventRegistry, GameChance, Optional, Question, Table
from ostrom.core.arrays import Array, namespace
from ostrom.core.game import Game, Seats
from ostrom.core.secrecy import PerSeat, Sealed
from ostrom.core.step import ArrayForm, Draws, Pick
from ostrom.core.step import Field as MoveField
from ostrom.core.table import Play
from ostrom.players.strategy import Memory, RowStrategy

EVENTS = EventRegistry()
MAX_VALUE = 100.0


class AuctionRules(BaseModel):
    """The rules."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    rounds: int = Field(2, ge=1, le=10, description="The number of objects sold.")


@EVENTS.register
class Dealt(Event, tag="dealt"):
    """Each seat learns its own value."""

    values: Annotated[list[float], PerSeat()]


@EVENTS.register
class BidsPlaced(Event, tag="bids"):
    """The bids of a round; only the number of bidders is public."""

    turn: int
    bidders: int
    bids: Annotated[list[float | None], Sealed()]


@EVENTS.register
class Reminder(Event, tag="reminder", private_to="seat"):
    """A seat that passed is reminded of its value."""

    turn: int
    seat: int
    value: float


@EVENTS.register
class AuctionOver(Event, tag="over"):
    """The end."""

    turn: int
    payoffs: list[float]


@dataclass(frozen=True)
class AuctionView:
    """What a seat knows."""

    rules: AuctionRules
    value: float
    turn: int


def play(rules: AuctionRules, table: Table) -> Play:
    """Deal values, then sell one object a round to the highest bidder, who pays the bid."""
    count = len(table.seats)
    values = [MAX_VALUE * table.chance.uniform("value", 0, seat.index) for seat in table.seats]
    table.record(Dealt(values=values))
    payoffs = [0.0] * count
    for turn in range(1, rules.rounds + 1):
        spec = Optional(Amount(0, MAX_VALUE))
        questions = [
            Question(seat, "bid", turn, spec, AuctionView(rules, values[seat.index], turn)) for seat in table.seats
        ]
        answers: Sequence[Answer] = yield questions
        bids = [answer.value for answer in answers]
        placed = [bid for bid in bids if bid is not None]
        table.record(BidsPlaced(turn=turn, bidders=len(placed), bids=bids))
        for seat, bid in enumerate(bids):
            if bid is None:
                table.record(Reminder(turn=turn, seat=seat, value=values[seat]))
        if placed:
            winner = bids.index(max(placed))
            payoffs[winner] += values[winner] - max(placed)
    table.record(AuctionOver(turn=rules.rounds, payoffs=payoffs))


def finals(events: Sequence[Event]) -> Sequence[float | None]:
    """Return the payoffs."""
    (over,) = (event for event in events if isinstance(event, AuctionOver))
    return over.payoffs


AUCTION: Game[AuctionRules, AuctionView] = Game(
    name="sealed_auction",
    title="Sealed auction",
    summary="bids on objects of private value",
    seats=Seats(2, 6, usual=3),
    rules=AuctionRules,
    view=AuctionView,
    play=play,
    events=EVENTS,
    finals=finals,
    unit="points",
    step="sealed_auction:AUCTION_ARRAYS",
    players="sealed_auction:PLAYERS",
)


def secrets(rules: Any, seats: int, seed: int) -> list[list[Any]]:
    """Return the secrets of each seat: its value."""
    return [[MAX_VALUE * GameChance(seed).uniform("value", 0, seat)] for seat in range(seats)]


# The game over arrays.


class AuctionState(NamedTuple):
    """(seats, games) each."""

    values: Array
    payoffs: Array


@dataclass(frozen=True)
class AuctionRows:
    """The rows of one strategy."""

    rules: AuctionRules
    turn: Any
    value: Array


class AuctionArrays(ArrayForm[AuctionRules, AuctionState]):
    """Passing is NaN."""

    def phases(self, rules: AuctionRules) -> Sequence[str]:
        return ("bid",)

    def fields(self, rules: AuctionRules, phase: str) -> Sequence[MoveField]:
        return (MoveField("bid", absent=float("nan")),)

    def init(self, rules: AuctionRules, seats: int, like: Array, fields: frozenset[str], draws: Draws) -> AuctionState:
        xp = namespace(like)
        values = xp.stack([MAX_VALUE * draws.uniform("value", 0, seat) for seat in range(seats)])
        return AuctionState(values, xp.zeros_like(values))

    def observe(self, rules: AuctionRules, phase: str, turn: Any, state: AuctionState, draws: Draws) -> Any:
        return rules, turn, state

    def view(self, seen: Any, pick: Pick) -> AuctionRows:
        rules, turn, state = seen
        return AuctionRows(rules, turn, pick.of_seats(state.values))

    def step(
        self,
        rules: AuctionRules,
        phase: str,
        turn: Any,
        state: AuctionState,
        moves: Mapping[str, Array],
        draws: Draws,
    ) -> AuctionState:
        xp = namespace(state.values)
        bids = xp.where(xp.isnan(moves["bid"]), -1.0, moves["bid"])
        best = xp.argmax(bids, axis=0)
        wins = (xp.arange(bids.shape[0])[:, None] == best) & (bids >= 0)
        return state._replace(payoffs=state.payoffs + xp.where(wins, state.values - bids, 0.0))

    def ends(self, rules: AuctionRules, turn: Any, draws: Draws) -> Array:
        return namespace(draws.games).zeros_like(draws.games, dtype=bool) | (turn >= rules.rounds)

    def finals(self, rules: AuctionRules, state: AuctionState) -> Array:
        return state.payoffs

    def view_of(self, question: Question, draws: Draws) -> AuctionRows:
        return AuctionRows(question.view.rules, question.turn, np.asarray([question.view.value]))

    def answer_of(self, question: Question, moves: Mapping[str, Any]) -> object:
        bid = float(moves["bid"])
        return None if np.isnan(bid) else bid

    def moves_of(self, phase: str, answer: Any) -> Mapping[str, Any]:
        return {"bid": float("nan") if answer is None else answer}


AUCTION_ARRAYS = AuctionArrays()


class Truthful(RowStrategy):
    """Bids its value."""

    step = AUCTION_ARRAYS

    def decide(
        self, phase: str, view: AuctionRows, memory: Memory, fields: Collection[str]
    ) -> tuple[Mapping[str, Array], Memory]:
        return {"bid": view.value}, memory


class Timid(Truthful):
    """Bids half its value, and passes below 40."""

    def decide(
        self, phase: str, view: AuctionRows, memory: Memory, fields: Collection[str]
    ) -> tuple[Mapping[str, Array], Memory]:
        xp = namespace(view.value)
        return {"bid": xp.where(view.value < 40, xp.nan, view.value / 2)}, memory


PLAYERS = [Truthful, Timid]
