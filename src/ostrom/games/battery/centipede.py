"""Centipede: two take turns to take the larger pile or to pass it on, while both piles grow."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self, TypeAlias

from pydantic import Field, model_validator

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


class CentipedeRules(StatedRules):
    """Centipede game, as stated choices at some of its nodes."""

    task: ClassVar[str] = "centipede"
    roles: ClassVar[tuple[str, ...]] = ("mover",)

    payoffs: tuple[Piles, ...] = Field(PAYOFFS, min_length=1, max_length=1000)
    end: Piles = END
    nodes: tuple[int, ...] = Field((1, 3, 5), min_length=1)
    """At which nodes the subject is asked."""
    scales: Amounts = (1.0, 10.0, 100.0)
    repetitions: Repetitions = 10

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


STATED_CENTIPEDE = stated_game(
    CentipedeRules, "stated choices: take the larger pile now, or pass it on while both piles grow"
)
