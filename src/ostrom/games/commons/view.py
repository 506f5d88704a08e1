"""What a seat may know when it is asked: everything that is public, and its own past."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ostrom.core.table import Past
from ostrom.games.commons.rules import CommonsRules


@dataclass(frozen=True)
class OwnTurn:
    """A past turn of the seat that is asked."""

    contribution: float
    lobby: float
    gain: float
    """What the turn brought, before the cost of lobbying."""


@dataclass(frozen=True)
class SeatView:
    """The table as one seat sees it at the start of a turn. Sequences over seats are indexed by seat, from 0."""

    rules: CommonsRules
    turn: int
    """Counted from 1."""
    seat: int
    """The seat that is asked."""
    synergy: float
    alpha: float
    capitals: tuple[float, ...]
    present: tuple[bool, ...]
    """Which seats are still in the game."""
    history: Past[tuple[float, ...]]
    """The contributions of all seats in every turn so far; a seat that was out gave 0."""
    cooperation: float | None
    """The mean contribution of the last turn; there is none before the first."""
    own: Past[OwnTurn]
    """This seat's own past, turn by turn."""

    @property
    def capital(self) -> float:
        """What this seat holds."""
        return self.capitals[self.seat]

    @property
    def contributions(self) -> tuple[float, ...] | None:
        """What all seats gave in the last turn; there is none before the first."""
        return self.history[-1] if self.history else None

    @property
    def others(self) -> tuple[int, ...]:
        """The other seats still in the game."""
        return tuple(seat for seat, there in enumerate(self.present) if there and seat != self.seat)

    @property
    def may_vote(self) -> bool:
        """Whether there is a vote in this turn: with 2 seats left there is none."""
        return self.rules.voting and sum(self.present) - self.present[self.seat] >= 2

    def as_record(self) -> Mapping[str, Any]:
        """The view as plain data, for those who read rather than compute."""
        return {
            "turn": self.turn,
            "target_turn": self.rules.duration,
            "seat": self.seat,
            "endowment": self.rules.endowment,
            "synergy": self.synergy,
            "alpha": self.alpha,
            "capitals": list(self.capitals),
            "present": list(self.present),
            "last_contributions": None if self.contributions is None else list(self.contributions),
            "last_cooperation": self.cooperation,
            "own_history": [vars(past) for past in self.own],
        }
