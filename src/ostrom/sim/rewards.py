"""Rewards of a seat, for learning."""

from typing import Literal, TypeAlias, get_args

from ostrom.core import InputError

Reward: TypeAlias = Literal["gain", "final", "rank"]
"""What a seat is rewarded with: after each step what it gained since the one before (of the quantity that the game's
scene declares as final); at the end its final; or at the end 1 for the first rank, 0 for the last, between by rank,
where seats that tie share the mean. Where lower finals are better, gains and finals have the other sign."""


def check_reward(reward: str) -> None:
    """Refuse what is no reward."""
    if reward not in get_args(Reward):
        raise InputError(f"there is no reward {reward!r}; it must be one of {', '.join(get_args(Reward))}")
