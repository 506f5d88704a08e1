"""The aims of a search for rules, and their values in games."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ostrom.core import InputError
from ostrom.core.errors import field as setting
from ostrom.core.game import Game
from ostrom.sim.batch import BatchResult, Floats
from ostrom.sim.points import gini

PLANTED_GAIN: Final = "planted_gain"
"""The aim that compares planted players with the players in whose seats they are planted."""


def chosen_aims(maximise: Sequence[str], minimise: Sequence[str]) -> tuple[str, ...]:
    """Return the aims, the maximised ones first. Raise InputError if they are not one aim or two different ones."""
    for name, aims in (("maximise", maximise), ("minimise", minimise)):
        if isinstance(aims, str):
            raise InputError(f"{setting(name)} must be a list, as in [{aims!r}]")
    both = (*maximise, *minimise)
    if not 1 <= len(both) <= 2 or len(set(both)) < len(both):
        raise InputError(f"{setting('maximise')} must be one aim or two different ones, such as welfare and equality")
    return both


def aim_values(result: BatchResult, aims: Sequence[str], game: Game) -> Floats:
    """Return the values of the aims in each game, (games, aims). Welfare is the mean final per seat and turn, so that
    the length of games does not matter. Equality is 1 minus the Gini coefficient of finals. Survival is the share of
    seats that decided in every turn."""
    higher = 1.0 if game.better == "higher" else -1.0
    values_of = {
        "welfare": higher * result.finals.mean(axis=0) / result.turns,
        "equality": 1.0 - np.nan_to_num(gini(result.finals), nan=1.0),
        # If seats move in alternate turns, a seat that was not asked has not left the game.
        **({} if result.in_turns else {"survival": (result.turns_in >= result.turns).mean(axis=0)}),
        **{name: values.mean(axis=0) for name, values in result.figures.items()},
    }
    for aim in aims:
        if aim not in values_of:
            names = ", ".join([*values_of, *([PLANTED_GAIN] if game.roles else [])])
            raise InputError(f"{game.command} has no aim {aim!r}; its aims are {names}")
    return np.stack([values_of[aim] for aim in aims], axis=1)
