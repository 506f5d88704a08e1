"""What a seat may know when it is asked: everything that was harvested, voted and fined, and the last messages."""

from dataclasses import dataclass

import numpy as np

from ostrom.core.table import Past
from ostrom_harvest.rules import HarvestRules
from ostrom_harvest.turn import sustainable


@dataclass(frozen=True)
class PastRound:
    """A round that is over. Sequences are indexed by seat."""

    round: int
    stock: float
    """Before the harvest."""
    quota: float | None
    requests: tuple[float, ...]
    harvests: tuple[float, ...]
    fines: tuple[float, ...]
    noticed: tuple[bool, ...]
    """Which seats were warned or fined."""
    said: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class HarvestView:
    """The pool as one seat sees it. Sequences over seats are indexed by seat, from 0."""

    rules: HarvestRules
    round: int
    """Counted from 1."""
    seat: int
    """The seat that is asked."""
    stock: float
    quota: float | None
    """What each seat may harvest in this round; of the round before where this one's vote is still to come."""
    holdings: tuple[float, ...]
    """What each seat has harvested so far, less its fines."""
    offences: tuple[int, ...]
    """How often each seat was noticed above the quota."""
    said: tuple[tuple[int, str], ...]
    """Who said what in this round."""
    history: Past[PastRound]

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return len(self.holdings)

    @property
    def fair(self) -> float:
        """A seat's share of what can be harvested such that the stock grows back."""
        return float(sustainable(np.asarray([self.stock]), self.rules)[0]) / self.seats
