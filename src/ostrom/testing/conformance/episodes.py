"""The check of the conformance suite that runs a game as an environment, including actions that random play does not
reach."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from ostrom.core import Answer, GameChance, InputError
from ostrom.environments.episode import EnvironmentSetup
from ostrom.environments.spaces import extreme_answer, random_answer
from ostrom.testing.conformance.case import MAX_STEPS, Case

_WAYS: Final = ("the fallback", "the least", "the greatest", "random answers")
_MAX_SURVEYED_STEPS: Final = 5000
"""The largest number of steps of a game that is run as an environment by this check."""


def check_environment(case: Case) -> Iterator[str]:
    """Check episodes in which all seats give the fallback, the smallest or the largest answer. These episodes must end,
    their observations must all have the same form, and their rewards must be finite."""
    if case.game.finals is None or len(case.played.steps) > _MAX_SURVEYED_STEPS:
        return
    try:
        setup = EnvironmentSetup.of(case.game, case.rules, case.seats, "final", levels=None, memory=4)
    except InputError:
        return  # The game asks no question about numbers, which an environment needs.
    for way in _WAYS:
        yield from _play_episode(case, setup, way)


def _play_episode(case: Case, setup: EnvironmentSetup, way: str) -> Iterator[str]:
    rng = np.random.default_rng(case.seed)
    episode = setup.episode(GameChance(case.seed, 1))
    observations = setup.spaces.observations
    for _ in range(MAX_STEPS):
        if episode.over:
            break
        seat = next(seat for seat, questions in episode.open.items() if questions)
        question = episode.question(seat)
        assert question is not None
        if not np.isfinite(observations.of(question)).all():
            yield f"with {way}, the view of the {question.phase} has a number that is not finite"
            return
        if way == "random answers":
            answer = random_answer(question, rng)
        elif way == "the fallback":
            answer = Answer(question.fallback)
        else:
            answer = extreme_answer(question, last=way == "the greatest")
        episode.take(seat, answer)
    else:
        yield f"with {way}, an episode does not end"
        return
    if not all(math.isfinite(reward) for reward in episode.rewards()):
        yield f"with {way}, a reward is not finite"
