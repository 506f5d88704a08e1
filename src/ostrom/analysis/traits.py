"""Traits: the words in which a conclusion says that a player differs from the other players at its tables in a
measure."""

from dataclasses import dataclass

from ostrom.core.game import Game


@dataclass(frozen=True, slots=True)
class Trait:
    """A measure of players, with the words for a player whose figure is higher or lower than that of the others."""

    measure: str
    higher: str
    """A verb phrase, such as 'gives more of its balance'."""
    lower: str
    outcome: bool = False
    """True if the measure is the result of a game and not what a player does."""


def common_traits(game: Game) -> tuple[Trait, ...]:
    """Return the traits of every game that has finals."""
    if game.unit.endswith("s"):
        return (Trait("mean_final", f"ends with more {game.unit}", f"ends with fewer {game.unit}", outcome=True),)
    return (Trait("mean_final", "has a higher final result", "has a lower final result", outcome=True),)
