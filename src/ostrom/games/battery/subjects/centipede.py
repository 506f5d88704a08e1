"""The ladder of payoffs that two climb in turn: what going on is worth to whoever moves, given what the other will
do."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Pair: TypeAlias = tuple[float, float]
"""What whoever moves gets, and what the other gets."""
Utility: TypeAlias = Callable[[float, float], float]
"""What own and the other's money are worth together."""


@dataclass(frozen=True, slots=True)
class Node:
    """The two options of whoever moves at a node."""

    take: float
    go_on: float

    @property
    def passes(self) -> bool:
        """Whether going on is better; of equals, taking."""
        return self.go_on > self.take + 1e-9

    @property
    def best(self) -> float:
        """The value of the better option."""
        return max(self.take, self.go_on)


def climbed(payoffs: Sequence[Pair], end: Pair, utility: Utility, chances: Sequence[float] | None = None) -> list[Node]:
    """What each node is worth to whoever moves there, from the last to the first. `chances` say how likely the other is
    to pass at each node; without them the other is as oneself, and goes on where that is better for it. `end` is what
    the mover of the first node, and the other, get if all nodes are passed."""
    last = len(payoffs) - 1
    passed = end if last % 2 == 0 else end[::-1]
    nodes: list[Node] = []
    for place in range(last, -1, -1):
        take = utility(*payoffs[place])
        if place == last:
            nodes.append(Node(take, utility(*passed)))
            continue
        other = nodes[-1]
        passing = float(other.passes) if chances is None else chances[place + 1]
        taken = utility(payoffs[place + 1][1], payoffs[place + 1][0])
        beyond = utility(*passed[::-1]) if place + 1 == last else nodes[-2].best
        nodes.append(Node(take, (1 - passing) * taken + passing * beyond))
    return nodes[::-1]
