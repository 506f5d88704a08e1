"""Davidson's model of paired comparisons with ties, with covariates. Without covariates, its strengths are those of the
order-free rating.

Seats i and j end with i ahead, j ahead or tied in the ratio e^x : e^-x : ν, where x = (θi - θj + β · (zi - zj)) / 2
(Davidson, JASA 65, 1970; covariates of seats as in Davidson and Beaver, Biometrics 33, 1977). Here z are the covariates
of the seats, such as the role, a private value or the length of messages.
"""

from typing import Final

import numpy as np

from ostrom.analysis.ratings.choice_model import ChoiceRating, ChoiceSets, check_size, rate_choices
from ostrom.analysis.ratings.method import RATING_METHODS, GameResults, RatingMethod, rate_crossed
from ostrom.core import InputError
from ostrom.core.settings import Settings


class DavidsonSettings(Settings):
    """Davidson's model has no settings."""


def davidson(results: GameResults) -> ChoiceRating:
    """Return the strengths of all players. Raises `InputError` if no two players met."""
    return rate_crossed(_davidson, results)


def _davidson(results: GameResults) -> ChoiceRating:
    if not len(results.comparing):
        raise InputError("no two players met in any game, so there is nothing to rate")
    return rate_choices(results, comparisons_of_seats(results), results.covariate_names)


def comparisons_of_seats(results: GameResults) -> ChoiceSets:
    """Return a choice set for each pair of seats that have different players. Its alternatives are that the first seat
    ends ahead, that they tie, and that the second seat ends ahead."""
    first, second = np.triu_indices(results.players.shape[1], 1)
    i, j = results.players[:, first], results.players[:, second]
    counted = results.seated[:, first] & results.seated[:, second] & (i != j)
    game, pair = np.nonzero(counted)
    i, j, lead = i[counted], j[counted], (results.scores[:, first] - results.scores[:, second])[counted]
    names, covariates = len(results.names), len(results.covariate_names)
    parameters = names + covariates + 1
    check_size(len(game), 3, parameters)
    features = np.zeros((len(game), 3, parameters))
    row = np.arange(len(game))
    features[row, 0, i], features[row, 0, j] = 0.5, -0.5
    if results.covariates is not None:
        z = results.covariates
        features[:, 0, names:-1] = (z[game, first[pair]] - z[game, second[pair]]) / 2
    features[:, 2] = -features[:, 0]
    features[:, 1, -1] = 1
    chosen = np.stack((lead > 0, lead == 0, lead < 0), axis=1).astype(np.float64)
    weight = np.ones(len(game))
    if results.weighted:
        met = results.meetings
        weight = met[met > 0].mean() / met[i, j]
    return ChoiceSets(features, np.zeros_like(chosen), chosen, results.units[game], weight)


def fit_davidson(results: GameResults, settings: DavidsonSettings) -> ChoiceRating:
    """Return the strengths of all players."""
    return davidson(results)


DAVIDSON: Final = RatingMethod(
    name="davidson",
    title="Davidson",
    description="Bradley and Terry's model of paired comparisons with ties; can adjust for covariates",
    settings=DavidsonSettings,
    fit=fit_davidson,
    meaning="The difference of two ratings is the log odds of ending ahead rather than behind.",
    adjusts=True,
)
RATING_METHODS.add(DAVIDSON.name, DAVIDSON)
