"""Centipede: two players take turns. Each can take the larger pile or pass, while both piles grow."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

from pydantic import Field, model_validator
from typing_extensions import override

from ostrom.core import Event, Play, Table
from ostrom.core.effects import Choose, FormParty, Telling, Tree, sentence
from ostrom.games.battery.items import Facts, GridCell, ItemAnswered
from ostrom.games.battery.numbers import Number, decimals, either
from ostrom.games.battery.played import PlayedRole, PlayedRules, RoleQuestion, ask, end, played_game
from ostrom.games.battery.rules import Amounts, ChoiceList, Repetitions, Role, StatedRules, parties
from ostrom.games.battery.stated import stated_game

OPTIONS = ("take", "pass")

Money: TypeAlias = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Piles: TypeAlias = tuple[Money, Money]
"""The payoffs of the player who takes and of the other player."""
Move: TypeAlias = Literal["take", "pass"]

PAYOFFS: tuple[Piles, ...] = ((1.25, 0.62), (2.5, 0.62), (2.5, 1.25), (5.0, 1.25), (5.0, 2.5), (10.0, 2.5))
END: Piles = (10.0, 5.0)


@dataclass(frozen=True, slots=True)
class CentipedeFacts(Facts):
    """The facts in the question to the mover. All amounts are scaled."""

    node: int
    """The current node, counted from 1. The player who moves at node 1 moves at every odd node."""
    payoffs: tuple[tuple[float, float], ...]
    """For every node: the payoffs of its mover and of the other player if the mover takes."""
    end: tuple[float, float]
    """The payoffs after the last pass, of the mover of node 1 and of the other player."""
    scale: float

    def words(self, money: Callable[[float], str]) -> Mapping[str, Any]:
        """Return a description of every remaining turn from the mover's side: whose turn it is, and the payoffs of both
        if that player takes."""
        ahead = []
        for turn, (own, other) in enumerate(self.payoffs, start=1):
            if turn >= self.node:
                is_own = (turn - self.node) % 2 == 0
                ahead.append((turn, is_own, *((own, other) if is_own else (other, own))))
        last = self.end if self.node % 2 else self.end[::-1]
        return {"ahead": ahead, "last": last, "turns": len(self.payoffs)}


def _tree(
    both: tuple[FormParty, FormParty],
    payoffs: Sequence[Sequence[float]],
    end: Sequence[float],
    moves: Sequence[Move],
    asked: int | None = None,
) -> Tree:
    """Return the game tree with the payoffs of the first and the second player. Each pair in the argument `payoffs`
    begins with the payoff of the player who moves at that node."""
    nodes = [(pair[1], pair[0]) if place % 2 else (pair[0], pair[1]) for place, pair in enumerate(payoffs)]
    return Tree(parties=both, nodes=tuple(nodes), end=(end[0], end[1]), moves=tuple(moves), asked=asked)


class StatedCentipede(StatedRules, task="centipede"):
    """Centipede game, as stated choices at some of its nodes."""

    roles: ClassVar[Mapping[str, Role]] = {
        "mover": Role("climb", ChoiceList("node", OPTIONS[::-1], "node", "The same amounts, other nodes", ("scale",)))
    }
    quick: ClassVar[Mapping[str, Any]] = {"scales": [1, 100], "repetitions": 2}

    payoffs: tuple[Piles, ...] = Field(PAYOFFS, min_length=1, max_length=1000)
    """The payoffs of the mover and of the other if the game ends at a node, in dollars before scaling."""
    end: Piles = END
    """The payoffs after the last pass, in dollars before scaling."""
    nodes: tuple[int, ...] = Field((1, 3, 5), min_length=1)
    """The nodes at which the subject is asked."""
    scales: Amounts = (1.0, 10.0, 100.0)
    """The factors by which all payoffs are multiplied."""
    repetitions: Repetitions = 10

    @model_validator(mode="after")
    def _nodes_are_there(self) -> Self:
        if list(self.nodes) != sorted({node for node in self.nodes if 1 <= node <= len(self.payoffs)}):
            raise ValueError(f"nodes must be sorted and different, each from 1 to {len(self.payoffs)}")
        return self

    @override
    def cells(self) -> list[GridCell]:
        return [
            GridCell("mover", f"node={node} scale={scale:g}", self.facts(node, scale), OPTIONS, self.repetitions)
            for node, scale in product(self.nodes, self.scales)
        ]

    def facts(self, node: int, scale: float) -> CentipedeFacts:
        """Return the facts of the player who moves at a node."""
        payoffs = tuple((round(own * scale, 10), round(other * scale, 10)) for own, other in self.payoffs)
        end = (round(self.end[0] * scale, 10), round(self.end[1] * scale, 10))
        return CentipedeFacts(node, payoffs, end, scale)

    def form(self, item: ItemAnswered) -> Tree:
        """Return the game tree, in which both players have passed at all nodes before the current one."""
        node: int = item.facts["node"]
        answer = item.place(OPTIONS)
        moves: list[Move] = ["pass"] * (node - 1)
        moves += [] if answer is None else ["take" if OPTIONS[answer] == "take" else "pass"]
        both = parties("moves first", "moves second", asked=0 if node % 2 else 1)
        return _tree(both, item.facts["payoffs"], item.facts["end"], moves, asked=node)


class Moved(Event, tag="moved"):
    """A seat took the larger pile, or passed."""

    node: int
    """The number of the node, counted from 1."""
    seat: int
    move: Move


class CentipedeRules(PlayedRules, task="centipede", moves=(Moved,)):
    """Centipede game, played by two seats."""

    parts: ClassVar[tuple[PlayedRole, ...]] = (PlayedRole("mover", "move", options=OPTIONS, fallback="pass"),)
    payoffs: tuple[Piles, ...] = Field(PAYOFFS, min_length=1, max_length=1000)
    """For every node, the payoffs of its mover and of the other player if the mover takes."""
    end: Piles = END
    """The payoffs of seat 0 and seat 1 after the last pass."""
    scale: float = Field(1.0, gt=0, le=100_000, allow_inf_nan=False)
    """The factor by which every payoff is multiplied."""

    def scaled(self, piles: Piles) -> tuple[Number, Number]:
        """Scale two payoffs."""
        return decimals(piles[0] * self.scale, 9), decimals(piles[1] * self.scale, 9)

    @override
    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> RoleQuestion:
        payoffs = tuple(self.scaled(piles) for piles in self.payoffs)
        return CentipedeFacts(before + 1, payoffs, self.scaled(self.end), self.scale), OPTIONS

    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        """Return the payoffs of both seats. `moves` contains the number of passes. The payoffs are those of the node
        that follows these passes, or those of the end if all nodes were passed."""
        passed: Number = moves[0]
        paid = self.scaled(self.end)
        for node, piles in enumerate(self.payoffs):
            own, other = self.scaled(piles)
            pair = (other, own) if node % 2 else (own, other)
            ends_here = passed == node
            paid = either(ends_here, pair[0], paid[0]), either(ends_here, pair[1], paid[1])
        return paid

    @override
    def form(self, seats: int, moves: Sequence[Moved]) -> Tree:
        nodes, way = [self.scaled(piles) for piles in self.payoffs], [moved.move for moved in moves]
        return _tree(parties("moves first", "moves second"), nodes, self.scaled(self.end), way)

    @override
    def tell(self, move: Moved) -> Telling:
        words = sentence(f"node {move.node}: ", move.seat, " takes" if move.move == "take" else " passes")
        return Telling(text=(words,), effects=(Choose(seat=move.seat, value=move.move),))


def play(rules: CentipedeRules, table: Table) -> Play:
    """Play one game. Seat 0 moves at the odd nodes, seat 1 at the even ones. A missing or illegal answer counts as a
    pass."""
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
    play=play,
    roles=("first mover", "second mover"),
)
