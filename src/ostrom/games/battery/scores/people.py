"""Means of scores over the people of a session, for one row of the leaderboards. Intervals are over people: they say
how a mean would vary among other people of the same kind."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from ostrom.core.estimates import clustered_mean, within_range
from ostrom.games.battery.scores.score import Code, Score, no_score

ONE_PERSON: Final = "one person does not show how people vary: no interval"


def mean_over_people(scores: Sequence[Score], bounds: tuple[float, float] | None = None) -> Score:
    """Return the mean of a score over the people who have one, with a t interval over people that is cut to the bounds.
    If no person has one, return the first reason."""
    values = [score.value for score in scores if score.value is not None]
    if not values:
        asked = [score for score in scores if score.code != Code.NOT_ASKED]
        return no_score(f"no person has it; person by person: {asked[0].reason}", asked[0].code) if asked else scores[0]
    if len(values) == 1:
        return Score(values[0], reason=ONE_PERSON)
    mean = clustered_mean(np.array(values), np.ones(len(values), dtype=np.int64))
    return mean if bounds is None else within_range(mean, *bounds)


def missing_people(scores: Mapping[str, Sequence[Score]], names: Sequence[str]) -> str:
    """Return how many people lack each of the named scores, or an empty text if none is missing."""
    parts = []
    for name in names:
        asked = [score for score in scores[name] if score.code != Code.NOT_ASKED]
        lacking = sum(score.value is None for score in asked)
        if lacking:
            parts.append(f"{lacking} of {len(asked)} without {name}")
    return ", ".join(parts)
