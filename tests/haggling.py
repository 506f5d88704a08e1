"""Haggling, a game from outside for tests: alternating offers over a pie, with private discounts, measures of games
and by player and good, an array form, and players that do not give in. Load it with `load_file`, as users do."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
import polars as pl
from pydantic import BaseModel, ConfigDict
from pydantic import Field as Setting

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import GAME, Measure, Resampling, enter, ratio_of
from ostrom.analysis.study import GameMeasures
from ostrom.analysis.tables import GameTables, Row, StoredRecords, common_tables, events_of, extended, frame
from ostrom.core import Amount, Choice, Event, EventRegistry, Play, Question, Registry, Table
from ostrom.core.arrays import Array, namespace
from ostrom.core.game import Game, Seats
from ostrom.core.step import ArrayForm, Draws, Field, Moves, OneSeat, Pick, each_array
from ostrom.journal.record import GameRecord
from ostrom.players.strategy import Memory, RowStrategy, parameter

PATIENCE = "patience"
"""The purpose of the draws of private discounts."""
GOODS = ("apples", "pears", "quinces")


class HagglingRules(BaseModel):
    """What can be set."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rounds: int = Setting(4, ge=1, le=50, description="Offers until there is nothing left to share.")
    pie: float = Setting(100.0, gt=0, le=1e6, description="What there is to share, in points.")
    impatience: float = Setting(0.2, ge=0, le=0.9, description="The largest part that a seat loses in a round.")


@dataclass(frozen=True)
class HagglingView:
    """What a seat may know when it is asked."""

    rules: HagglingRules
    round: int
    seat: int
    role: str
    """Whether the seat makes the offer or answers it: proposer or responder."""
    good: str
    """What is shared."""
    discount: float
    """The part of its points that this seat keeps from one round to the next; the other does not know it."""
    offer: float | None
    """What the offer gives to this seat; None before an offer."""
    offers: tuple[float, ...] = ()
    """What each proposer kept, round by round."""


EVENTS = EventRegistry()


@EVENTS.register
class Offered(Event):
    """An offer, and the answer to it."""

    tag: ClassVar[str] = "offered"
    round: int
    proposer: int
    kept: float
    accepted: bool


@EVENTS.register
class GameEnded(Event):
    """The pie is shared, or there is nothing left of it."""

    tag: ClassVar[str] = "game_ended"
    round: int
    good: str
    agreed: bool
    shares: list[float]
    points: list[float]


def discount_of(draw: Any, rules: HagglingRules) -> Any:
    """What a seat keeps of its points from one round to the next."""
    return 1.0 - rules.impatience * draw


def play(rules: HagglingRules, table: Table) -> Play:
    """Offer and answer in turn, until an offer is accepted."""
    discounts = [discount_of(table.chance.uniform(PATIENCE, 0, seat.index), rules) for seat in table.seats]
    good = GOODS[int(table.chance.uniform("good", 0) * len(GOODS))]
    kept: tuple[float, ...] = ()
    accepted = False
    round_, shares = 0, [0.0, 0.0]
    while round_ < rules.rounds and not accepted:
        round_ += 1
        first = (round_ - 1) % 2
        proposer, responder = table.seats[first], table.seats[1 - first]
        view = HagglingView(rules, round_, first, "proposer", good, discounts[first], None, kept)
        (answer,) = yield [table.ask(proposer, "offer", round_, Amount(0.0, rules.pie), view, fallback=rules.pie)]
        rest = rules.pie - answer.value
        other = HagglingView(rules, round_, 1 - first, "responder", good, discounts[1 - first], rest, kept)
        (reply,) = yield [table.ask(responder, "reply", round_, Choice(("reject", "accept")), other, fallback="reject")]
        accepted = reply.value == "accept"
        kept += (answer.value,)
        table.record(Offered(round=round_, proposer=first, kept=answer.value, accepted=accepted))
        if accepted:
            shares[first], shares[1 - first] = answer.value, rest
    points = [share * discount ** (round_ - 1) for share, discount in zip(shares, discounts, strict=True)]
    table.record(GameEnded(round=round_, good=good, agreed=accepted, shares=shares, points=points))


def finals(events: Sequence[Event]) -> list[float | None]:
    """The points of each seat."""
    end = events[-1]
    assert isinstance(end, GameEnded)
    return [*end.points]


# Measures.

DEALS = {
    "game": pl.String,
    "good": pl.String,
    "seat": pl.Int64,
    "player": pl.String,
    "agreed": pl.Boolean,
    "share": pl.Float64,
    "part": pl.Float64,
}


@dataclass(frozen=True, slots=True)
class HagglingTables(GameTables):
    """The tables of some games."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {"deals": "seat", **GameTables.ACTORS}

    deals: pl.DataFrame


def tables_of(records: StoredRecords) -> HagglingTables:
    """The tables of some records."""
    deals: list[Row] = []

    def add(game: str, record: GameRecord) -> None:
        pie = float(record.rules.get("pie", 100.0))
        for tag, event in events_of(record, EVENTS):
            if tag == "game_ended":
                for seat, player in enumerate(record.seats):
                    part = event["points"][seat] / pie
                    row = (game, event["good"], seat, player.player, event["agreed"], event["shares"][seat], part)
                    deals.append(row)

    return extended(common_tables(HAGGLING, records, add), HagglingTables, deals=frame(deals, DEALS))


@Resampling
def efficiency(tables: HagglingTables) -> Ratio:
    """Efficiency: the points of both seats together, as a part of the pie; the mean over games."""
    rows = tables.context.deals.group_by("game", maintain_order=True).agg(pl.col("part").sum())
    return ratio_of(tables, rows, GAME, "part", share=True)


@Resampling
def agreement(tables: HagglingTables) -> Ratio:
    """Agreement: the share of games that end with an accepted offer."""
    rows = tables.context.deals.group_by("game", maintain_order=True).agg(pl.col("agreed").first().cast(pl.Int64))
    return ratio_of(tables, rows, GAME, "agreed", share=True)


@Resampling
def share_by_good(tables: HagglingTables) -> Ratio:
    """Share by good: what the player keeps of the good, as a mean over its games."""
    return ratio_of(tables, tables.deals, ("player", "good"), "share")


@Resampling
def efficiency_by_good(tables: HagglingTables) -> Ratio:
    """Efficiency by good: the points of both seats together, as a part of the pie, by what is shared."""
    rows = tables.context.deals.group_by("game", "good", maintain_order=True).agg(pl.col("part").sum())
    return ratio_of(tables, rows, ("good",), "part", share=True)


@Resampling
def share_by_seat_and_good(tables: HagglingTables) -> Ratio:
    """Share by seat and good: what the player keeps of the good in a seat, as a mean over its games."""
    return ratio_of(tables, tables.deals, ("player", "seat", "good"), "share")


_OWN: Registry[Measure[HagglingTables]] = Registry("measure of Haggling")
enter(_OWN, efficiency, "Efficiency", "share", GAME)
enter(_OWN, agreement, "Agreement", "share", GAME)
enter(_OWN, share_by_good, "Share by good", "points", ("player", "good"))
enter(_OWN, efficiency_by_good, "Efficiency by good", "share", ("good",))
enter(_OWN, share_by_seat_and_good, "Share by seat and good", "points", ("player", "seat", "good"))
MEASURES = GameMeasures(_OWN, tables_of, {"deals": "A row for each seat's share."})


# Arrays.


class State(NamedTuple):
    """A batch of games."""

    kept: Array
    """(games,) What the proposer keeps by the last offer."""
    closed: Array
    """(games,) The round of the agreement; 0 before it."""
    shares: Array
    """(seats, games)"""
    discounts: Array
    """(seats, games); 0 before the first step."""
    proposes: Array
    """(seats, games) Whether the seat makes the offer."""


@dataclass(frozen=True)
class HagglingTable:
    """A batch of games when seats are asked."""

    rules: HagglingRules
    phase: str
    round: Any
    state: State
    discounts: Array


@dataclass(frozen=True)
class HagglingRows:
    """The rows of one strategy."""

    table: HagglingTable
    pick: Pick

    @cached_property
    def rules(self) -> HagglingRules:
        """The rules of each row's game."""
        return each_array(self.table.rules, self.pick.of_games)

    @property
    def round(self) -> Any:
        """Counted from 1."""
        return self.table.round

    @cached_property
    def like(self) -> Array:
        """A zero for each row."""
        return 0.0 * self.pick.of_games(self.table.state.kept)

    @cached_property
    def offer(self) -> Array:
        """What the last offer gives to this seat."""
        return self.rules.pie - self.pick.of_games(self.table.state.kept)

    @cached_property
    def discount(self) -> Array:
        """What the seat keeps of its points from one round to the next."""
        return self.pick.of_seats(self.table.discounts)


class HagglingForm(ArrayForm[HagglingRules, State]):
    """Two phases a round: an offer, and the reply to it."""

    arguments = ("rounds", "pie", "impatience")
    in_turns = True
    of_games = ("efficiency", "agreement")
    shares = ("efficiency", "agreement")

    def phases(self, rules: HagglingRules) -> Sequence[str]:
        return "offer", "reply"

    def fields(self, rules: HagglingRules, phase: str) -> Sequence[Field]:
        return (Field("offer"),) if phase == "offer" else (Field("reply", dtype="int16"),)

    def init(self, rules: HagglingRules, seats: int, like: Array, fields: frozenset[str], draws: Draws) -> State:
        xp = namespace(like)
        nothing = xp.zeros_like(like)
        both = xp.stack([nothing] * seats)
        return State(nothing, nothing, both, both, xp.stack([nothing == seat for seat in range(seats)]))

    def observe(self, rules: HagglingRules, phase: str, turn: Any, state: State, draws: Draws) -> HagglingTable:
        return HagglingTable(rules, phase, turn, state, self._discounts(rules, state, draws))

    def _discounts(self, rules: HagglingRules, state: State, draws: Draws) -> Array:
        xp, seats = namespace(state.kept), state.shares.shape[0]
        drawn = xp.stack([draws.uniform(PATIENCE, 0, seat) for seat in range(seats)])
        return xp.astype(discount_of(drawn, rules), state.kept.dtype)

    def view(self, seen: HagglingTable, pick: Pick) -> HagglingRows:
        return HagglingRows(seen, pick)

    def movers(self, rules: HagglingRules, phase: str, state: State) -> Array:
        return state.proposes if phase == "offer" else ~state.proposes

    def legal(self, rules: HagglingRules, phase: str, state: State) -> Mapping[str, tuple[Array, Array]]:
        nothing = 0.0 * state.shares
        if phase == "offer":
            return {"offer": (nothing, nothing + rules.pie)}
        xp = namespace(state.kept)
        none = xp.astype(nothing, xp.int16)
        return {"reply": (none, none + 1)}

    def step(self, rules: HagglingRules, phase: str, turn: Any, state: State, moves: Moves, draws: Draws) -> State:
        xp, proposes = namespace(state.kept), state.proposes
        if phase == "offer":
            kept = xp.sum(xp.where(proposes, moves["offer"], 0.0), axis=0)
            return state._replace(kept=kept, discounts=self._discounts(rules, state, draws))
        accepted = xp.sum(xp.where(proposes, 0, moves["reply"]), axis=0) > 0
        shares = xp.where(proposes, state.kept, rules.pie - state.kept)
        return state._replace(
            closed=xp.where(accepted, 0.0 * state.kept + turn, state.closed),
            shares=xp.where(accepted, shares, state.shares),
            proposes=~proposes,
        )

    def done(self, rules: HagglingRules, turn: Any, state: State) -> Array:
        return (state.closed > 0) | (turn >= rules.rounds)

    def finals(self, rules: HagglingRules, state: State) -> Array:
        xp = namespace(state.kept)
        return state.shares * state.discounts ** xp.maximum(state.closed - 1.0, 0.0 * state.closed)

    def figures(self, rules: HagglingRules, turn: Any, state: State) -> Mapping[str, Array]:
        xp = namespace(state.kept)
        efficiency = xp.sum(self.finals(rules, state), axis=0) / rules.pie
        agreement = 0.0 * state.kept + (state.closed > 0)
        return {"zeal": 0.0 * state.shares + turn, "efficiency": efficiency, "agreement": agreement}

    def bounds(self, view: HagglingRows, field: str) -> tuple[Array, Array] | None:
        if field == "offer" and view.table.phase == "offer":
            return view.like, view.like + view.rules.pie
        return None

    def features(self, view: HagglingRows) -> Sequence[Array]:
        return view.offer / view.rules.pie, view.discount, view.like + view.table.round / view.rules.rounds

    def view_of(self, question: Question[HagglingView], draws: Draws) -> HagglingRows:
        seen = question.view
        kept = np.asarray([0.0 if seen.offer is None else seen.rules.pie - seen.offer])
        state = self.init(seen.rules, 2, np.zeros(1), frozenset(), draws)._replace(kept=kept)
        discounts = np.full((2, 1), seen.discount)
        table = HagglingTable(seen.rules, question.phase, seen.round, state, discounts)
        return HagglingRows(table, OneSeat(seen.seat))

    def answer_of(self, question: Question[HagglingView], moves: Mapping[str, Any]) -> object:
        if question.phase == "offer":
            return float(moves["offer"])
        return "accept" if moves["reply"] else "reject"

    def moves_of(self, phase: str, answer: Any) -> Mapping[str, Any]:
        return {"offer": answer} if phase == "offer" else {"reply": int(answer == "accept")}


STEP = HagglingForm()


@dataclass(frozen=True)
class Haggler(RowStrategy):
    """A strategy that asks for a part of the pie, and accepts another part."""

    step = STEP
    demand: float = parameter(0.5, 0.0, 1.0, "the part of the pie that it asks for")
    least: float = parameter(0.5, 0.0, 1.0, "the least part that it accepts")

    def decide(self, phase: str, view: HagglingRows, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        xp = namespace(view.like)
        if phase == "offer":
            return {"offer": view.like + self.demand * view.rules.pie}, memory
        enough = view.offer >= view.like + self.least * view.rules.pie - 1e-9
        return {"reply": xp.astype(enough, xp.int16)}, memory


@dataclass(frozen=True)
class Fair(Haggler):
    """Asks for half and accepts half."""


@dataclass(frozen=True)
class Stubborn(Haggler):
    """Asks for four fifths in every round, and accepts nothing less."""

    demand: float = parameter(0.8, 0.0, 1.0, "the part of the pie that it asks for")
    least: float = parameter(0.8, 0.0, 1.0, "the least part that it accepts")


@dataclass(frozen=True)
class Patient(Haggler):
    """Asks for what its own discount makes worth waiting for, and accepts two fifths."""

    least: float = parameter(0.4, 0.0, 1.0, "the least part that it accepts")

    def decide(self, phase: str, view: HagglingRows, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        if phase == "offer":
            return {"offer": view.rules.pie / (1.0 + view.discount)}, memory
        return super().decide(phase, view, memory, fields)


@dataclass(frozen=True)
class Meek(Haggler):
    """Asks for a fifth, and accepts anything."""

    demand: float = parameter(0.2, 0.0, 1.0, "the part of the pie that it asks for")
    least: float = parameter(0.0, 0.0, 1.0, "the least part that it accepts")


PLAYERS = [Fair, Stubborn, Patient, Meek]

HAGGLING = Game(
    name="haggling",
    title="Haggling",
    summary="offers in turn over a pie that shrinks",
    seats=Seats(2, 2, usual=2),
    unit="points",
    rules=HagglingRules,
    view=HagglingView,
    play=play,
    events=EVENTS,
    finals=finals,
    roles=lambda seats: ("first", "second"),
    players=f"{__name__}:PLAYERS",
    measures=f"{__name__}:MEASURES",
    step=f"{__name__}:STEP",
)
