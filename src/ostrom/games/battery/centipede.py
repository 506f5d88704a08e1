"""Centipede: two take turns to take the larger pile or to pass it on, while both piles grow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from ostrom.core.effects import Party, Tree
from ostrom.games.battery.drawing import Asking, ChoiceList, Listing, by, parties
from ostrom.games.battery.grids import Amounts, Repetitions
from ostrom.games.battery.items import Cell
from ostrom.games.battery.stated import StatedRules, stated_game

OPTIONS = ("take", "pass")

Money: TypeAlias = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Piles: TypeAlias = tuple[Money, Money]
"""What the one who takes gets, and what the other gets."""

PAYOFFS: tuple[Piles, ...] = ((1.25, 0.62), (2.5, 0.62), (2.5, 1.25), (5.0, 1.25), (5.0, 2.5), (10.0, 2.5))
END: Piles = (10.0, 5.0)


@dataclass(frozen=True, slots=True)
class CentipedeFacts:
    """What the mover knows. All amounts are what they are at this scale."""

    node: int
    """Where the mover stands, counted from 1. Whoever moves at node 1 moves at every odd one."""
    payoffs: tuple[tuple[float, float], ...]
    """For every node what its mover gets by taking there, and what the other gets."""
    end: tuple[float, float]
    """Where nobody takes: what the mover of node 1 gets, and what the other gets."""
    scale: float


def piles_tree(
    both: tuple[Party, Party],
    payoffs: Sequence[Sequence[float]],
    end: Sequence[float],
    moves: tuple[Literal["take", "pass"], ...],
    asked: int | None = None,
) -> Tree:
    """The nodes with what the first and the second get; payoffs are written for the mover first."""
    nodes = [(pair[1], pair[0]) if place % 2 else (pair[0], pair[1]) for place, pair in enumerate(payoffs)]
    return Tree(parties=both, nodes=tuple(nodes), end=(end[0], end[1]), moves=moves, asked=asked)


class CentipedeRules(StatedRules):
    """Centipede game, as stated choices at some of its nodes."""

    task: ClassVar[str] = "centipede"
    roles: ClassVar[tuple[str, ...]] = ("mover",)
    lists: ClassVar[Mapping[str, Listing]] = {
        "mover": ChoiceList("node", OPTIONS[::-1], by("node"), "The same amounts, other nodes", ("scale",))
    }

    payoffs: tuple[Piles, ...] = Field(PAYOFFS, min_length=1, max_length=1000)
    """What the first and the second mover get where the game ends at a node, in dollars before scaling."""
    end: Piles = END
    """What they get where nobody takes, in dollars before scaling."""
    nodes: tuple[int, ...] = Field((1, 3, 5), min_length=1)
    """At which nodes the subject is asked."""
    scales: Amounts = (1.0, 10.0, 100.0)
    """What all payoffs are multiplied by."""
    repetitions: Repetitions = 10
    """How often every question is asked."""

    @model_validator(mode="after")
    def _nodes_are_there(self) -> Self:
        if list(self.nodes) != sorted({node for node in self.nodes if 1 <= node <= len(self.payoffs)}):
            raise ValueError(f"nodes must be sorted and different, each from 1 to {len(self.payoffs)}")
        return self

    def cells(self) -> list[Cell]:
        """Take or pass, at every node and scale."""
        return [
            Cell(
                role="mover",
                condition=f"node={node} scale={scale:g}",
                facts=self.facts(node, scale),
                options=OPTIONS,
                repetitions=self.repetitions,
            )
            for node in self.nodes
            for scale in self.scales
        ]

    def facts(self, node: int, scale: float) -> CentipedeFacts:
        """What the mover of a node knows."""
        payoffs = tuple((round(taken * scale, 10), round(left * scale, 10)) for taken, left in self.payoffs)
        end = (round(self.end[0] * scale, 10), round(self.end[1] * scale, 10))
        return CentipedeFacts(node, payoffs, end, scale)

    def form(self, asking: Asking) -> Tree:
        """The nodes: all before the one that is asked were passed."""
        node: int = asking.facts["node"]
        answer = asking.place(OPTIONS)
        moves: list[Literal["take", "pass"]] = ["pass"] * (node - 1)
        moves += [] if answer is None else ["take" if OPTIONS[answer] == "take" else "pass"]
        both = parties("moves first", "moves second", asked=0 if node % 2 else 1)
        return piles_tree(both, asking.facts["payoffs"], asking.facts["end"], tuple(moves), asked=node)


STATED_CENTIPEDE = stated_game(
    CentipedeRules, "stated choices: take the larger pile now, or pass it on while both piles grow"
)
