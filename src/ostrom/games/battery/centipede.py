"""Centipede: two take turns to take the larger pile or to pass it on, while both piles grow."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from ostrom.core import Event, Play, Table
from ostrom.core.effects import Choose, Party, Telling, Tree, sentence
from ostrom.games.battery.items import Cell, Facts, ItemAnswered
from ostrom.games.battery.numbers import Number, decimals, either
from ostrom.games.battery.played import Asked, Part, PlayedRules, ask, end, played_game
from ostrom.games.battery.rules import Amounts, ChoiceList, Repetitions, Role, StatedRules, parties
from ostrom.games.battery.stated import stated_game

OPTIONS = ("take", "pass")

Money: TypeAlias = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Piles: TypeAlias = tuple[Money, Money]
"""What the one who takes gets, and what the other gets."""
Move: TypeAlias = Literal["take", "pass"]

PAYOFFS: tuple[Piles, ...] = ((1.25, 0.62), (2.5, 0.62), (2.5, 1.25), (5.0, 1.25), (5.0, 2.5), (10.0, 2.5))
END: Piles = (10.0, 5.0)


@dataclass(frozen=True, slots=True)
class CentipedeFacts(Facts):
    """What the mover knows. All amounts are what they are at this scale."""

    node: int
    """Where the mover stands, counted from 1. Whoever moves at node 1 moves at every odd one."""
    payoffs: tuple[tuple[float, float], ...]
    """For every node what its mover gets by taking there, and what the other gets."""
    end: tuple[float, float]
    """Where nobody takes: what the mover of node 1 gets, and what the other gets."""
    scale: float

    def words(self, money: Callable[[float], str]) -> Mapping[str, Any]:
        """Every turn from now on as the mover sees it: whose it is, and what both get if it is taken."""
        ahead = []
        for turn, (taken, left) in enumerate(self.payoffs, start=1):
            if turn >= self.node:
                yours = (turn - self.node) % 2 == 0
                ahead.append((turn, yours, *((taken, left) if yours else (left, taken))))
        last = self.end if self.node % 2 else self.end[::-1]
        return {"ahead": ahead, "last": last, "turns": len(self.payoffs)}


def _tree(
    both: tuple[Party, Party],
    payoffs: Sequence[Sequence[float]],
    end: Sequence[float],
    moves: Sequence[Move],
    asked: int | None = None,
) -> Tree:
    """The nodes with what the first and the second get; payoffs are written for the mover first."""
    nodes = [(pair[1], pair[0]) if place % 2 else (pair[0], pair[1]) for place, pair in enumerate(payoffs)]
    return Tree(parties=both, nodes=tuple(nodes), end=(end[0], end[1]), moves=tuple(moves), asked=asked)


class StatedCentipede(StatedRules, task="centipede"):
    """Centipede game, as stated choices at some of its nodes."""

    roles: ClassVar[Mapping[str, Role]] = {
        "mover": Role("climb", ChoiceList("node", OPTIONS[::-1], "node", "The same amounts, other nodes", ("scale",)))
    }
    quick: ClassVar[Mapping[str, Any]] = {"scales": [1, 100], "repetitions": 2}

    payoffs: tuple[Piles, ...] = Field(PAYOFFS, min_length=1, max_length=1000)
    """What the first and the second mover get where the game ends at a node, in dollars before scaling."""
    end: Piles = END
    """What they get where nobody takes, in dollars before scaling."""
    nodes: tuple[int, ...] = Field((1, 3, 5), min_length=1)
    """At which nodes the subject is asked."""
    scales: Amounts = (1.0, 10.0, 100.0)
    """What all payoffs are multiplied by."""
    repetitions: Repetitions = 10

    @model_validator(mode="after")
    def _nodes_are_there(self) -> Self:
        if list(self.nodes) != sorted({node for node in self.nodes if 1 <= node <= len(self.payoffs)}):
            raise ValueError(f"nodes must be sorted and different, each from 1 to {len(self.payoffs)}")
        return self

    def cells(self) -> list[Cell]:
        """Take or pass, at every node and scale."""
        return [
            Cell("mover", f"node={node} scale={scale:g}", self.facts(node, scale), OPTIONS, self.repetitions)
            for node, scale in product(self.nodes, self.scales)
        ]

    def facts(self, node: int, scale: float) -> CentipedeFacts:
        """What the mover of a node knows."""
        payoffs = tuple((round(taken * scale, 10), round(left * scale, 10)) for taken, left in self.payoffs)
        end = (round(self.end[0] * scale, 10), round(self.end[1] * scale, 10))
        return CentipedeFacts(node, payoffs, end, scale)

    def form(self, item: ItemAnswered) -> Tree:
        """The nodes: all before the one that is asked were passed."""
        node: int = item.facts["node"]
        answer = item.place(OPTIONS)
        moves: list[Move] = ["pass"] * (node - 1)
        moves += [] if answer is None else ["take" if OPTIONS[answer] == "take" else "pass"]
        both = parties("moves first", "moves second", asked=0 if node % 2 else 1)
        return _tree(both, item.facts["payoffs"], item.facts["end"], moves, asked=node)


class Moved(Event, tag="moved"):
    """A seat took or passed."""

    node: int
    """Counted from 1."""
    seat: int
    move: Move


class CentipedeRules(PlayedRules, task="centipede", moves=(Moved,)):
    """Centipede game, played."""

    series: ClassVar[Mapping[str, str]] = {"moves": "moved.move"}
    parts: ClassVar[tuple[Part, ...]] = (Part("mover", "move", options=OPTIONS, fallback="pass"),)
    payoffs: tuple[Piles, ...] = Field(PAYOFFS, min_length=1, max_length=1000)
    """For every node what its mover gets by taking there, and what the other gets."""
    end: Piles = END
    """After the last pass: what seat 0 gets, and what seat 1 gets."""
    scale: float = Field(1.0, gt=0, le=100_000, allow_inf_nan=False)
    """What every payoff is multiplied by."""

    def scaled(self, piles: Piles) -> tuple[Number, Number]:
        """Two payoffs as they are paid."""
        return decimals(piles[0] * self.scale, 9), decimals(piles[1] * self.scale, 9)

    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> Asked:
        """Take or pass, after so many passes."""
        payoffs = tuple(self.scaled(piles) for piles in self.payoffs)
        return CentipedeFacts(before + 1, payoffs, self.scaled(self.end), self.scale), OPTIONS

    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        """What the node pays at which somebody takes, or the end: `moves` are how often was passed."""
        passed: Number = moves[0]
        paid = self.scaled(self.end)
        for node, piles in enumerate(self.payoffs):
            taken, left = self.scaled(piles)
            pair = (left, taken) if node % 2 else (taken, left)
            here = passed == node
            paid = either(here, pair[0], paid[0]), either(here, pair[1], paid[1])
        return paid

    def form(self, seats: int, moves: Sequence[Moved]) -> Tree:
        """The nodes, and the way that was gone."""
        nodes, way = [self.scaled(piles) for piles in self.payoffs], [moved.move for moved in moves]
        return _tree(parties("moves first", "moves second"), nodes, self.scaled(self.end), way)

    def tell(self, move: Moved) -> Telling:
        """What the mover did."""
        words = sentence(f"node {move.node}: ", move.seat, " takes" if move.move == "take" else " passes")
        return Telling(text=(words,), effects=(Choose(seat=move.seat, value=move.move),))


def play(rules: CentipedeRules, table: Table) -> Play:
    """Seat 0 moves at the odd nodes, seat 1 at the even ones. Who gives no legal answer takes nothing: it passes."""
    passed, nodes = 0, len(rules.payoffs)
    while passed < nodes:
        mover, node = table.seats[passed % 2], passed + 1
        facts, options = rules.asks("mover", 2, before=passed)
        (moved,) = yield [ask(rules, table, mover, "mover", facts, options, turn=node)]
        table.record(Moved(node=node, seat=mover.index, move=moved.value))
        if moved.value == "take":
            break
        passed += 1
    end(table, rules.paid([passed]))


STATED = stated_game(StatedCentipede, "take the larger pile now, or pass it on while both piles grow")
PLAYED = played_game(
    CentipedeRules,
    "two take turns: take the larger part, which ends the game, or pass, and it grows",
    play,
)
