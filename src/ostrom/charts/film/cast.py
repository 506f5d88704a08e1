"""Who is in a film, and how they stand at its end."""

from collections.abc import Sequence
from dataclasses import dataclass

from ostrom.core.effects import Sentence
from ostrom.core.scene import Scene
from ostrom.core.telling import render

_DECIMALS = 9
"""Beyond, two amounts differ by rounding error."""


@dataclass(frozen=True, slots=True)
class Cast:
    """The seats of a game."""

    labels: tuple[str, ...]
    players: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """What to call each seat where there is one line for it. Labels stand first where players share a name: what a
        narrow picture cuts off must not be what tells seats apart."""
        return [
            f"{label} {player}" if self.players.count(player) > 1 else player
            for label, player in zip(self.labels, self.players, strict=True)
        ]

    def words(self, sentence: Sentence) -> str:
        """A sentence, with seats by their labels."""
        return render(sentence, self.labels)


def ranks(held: Sequence[float], better: str = "higher") -> list[int]:
    """The place of each seat, counted from 1; equal amounts share a place."""
    rounded = [round(one if better == "higher" else -one, _DECIMALS) for one in held]
    return [1 + sum(other > one for other in rounded) for one in rounded]


def main_quantity(scene: Scene) -> str | None:
    """The seats' quantity that a film is about."""
    if scene.card is not None:
        return scene.card.quantity
    return scene.final or next((name for name, one in scene.quantities.items() if one.of == "seat"), None)
