"""What a seat may know in Contribute & Punish: every number of all rounds, the messages of the last few, and nobody's
name."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ostrom.games.contribute_punish.rules import ContributePunishRules


@dataclass(frozen=True)
class Punishment:
    """A punishment that took effect, as one seat knows it."""

    punisher: int | None
    """Hidden where punishments are anonymous and the seat did not punish itself."""
    target: int
    spend: int | None
    """Hidden with the punisher."""
    damage: int


@dataclass(frozen=True)
class PastRound:
    """A round that is over."""

    round: int
    start: tuple[int, ...]
    contributions: tuple[int, ...]
    share: int
    carry: int
    shared: tuple[int, ...]
    """What each seat held after the fund was shared out."""
    punishments: tuple[Punishment, ...]
    balances: tuple[int, ...]
    """What each seat held at the end."""
    messages: tuple[tuple[int, str], ...]
    """(seat, text) in the order in which they were said; empty for rounds too long ago."""


@dataclass(frozen=True)
class PunishView:
    """The table as one seat sees it. Sequences over seats are indexed by seat, from 0."""

    rules: ContributePunishRules
    round: int
    seat: int
    balances: tuple[int, ...]
    """What each seat holds now."""
    carry: int
    """What the fund carries over into this round."""
    said: tuple[tuple[int, str], ...]
    """(seat, text) said in this round so far."""
    contributions: tuple[int, ...] | None
    """What each seat gave in this round; known once all have."""
    history: tuple[PastRound, ...]

    @property
    def balance(self) -> int:
        """What this seat holds."""
        return self.balances[self.seat]

    @property
    def others(self) -> tuple[int, ...]:
        """The other seats."""
        return tuple(seat for seat in range(len(self.balances)) if seat != self.seat)

    def as_record(self) -> Mapping[str, Any]:
        """The view as plain data, for those who read rather than compute."""
        return {
            "round": self.round,
            "rounds": self.rules.rounds,
            "seat": self.seat,
            "balances": list(self.balances),
            "carry": self.carry,
            "said": [{"seat": seat, "text": text} for seat, text in self.said],
            "contributions": None if self.contributions is None else list(self.contributions),
            "history": [
                {
                    "round": past.round,
                    "contributions": list(past.contributions),
                    "share": past.share,
                    "punishments": [vars(punishment) for punishment in past.punishments],
                    "balances": list(past.balances),
                    "messages": [{"seat": seat, "text": text} for seat, text in past.messages],
                }
                for past in self.history
            ],
        }
