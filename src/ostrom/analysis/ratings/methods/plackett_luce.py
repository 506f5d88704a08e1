"""The Plackett–Luce model of whole rankings, with covariates.

The order in which a game's seats end is drawn from the top: of the remaining seats, seat i is next with the probability
exp(θi + β · zi) / Σ exp(θj + β · zj) (Plackett, Applied Statistics 24, 1975; Luce 1959). A game of two seats without
ties is a comparison of Bradley and Terry. The model has no ties. Seats with equal scores are taken to have an order
that is not known; the probability of their order is averaged by Efron's approximation (Efron, JASA 72, 1977).
"""

from typing import Final

import numpy as np

from ostrom.analysis.ratings.choice_model import ChoiceRating, ChoiceSets, check_size, rate_choices
from ostrom.analysis.ratings.method import RATING_METHODS, GameResults, RatingMethod, rate_crossed
from ostrom.core import InputError
from ostrom.core.settings import Settings


class PlackettLuceSettings(Settings):
    """The Plackett–Luce model has no settings."""


def plackett_luce(results: GameResults) -> ChoiceRating:
    """Return the strengths of all players. Raises `InputError` if no two players met."""
    return rate_crossed(_plackett_luce, results)


def _plackett_luce(results: GameResults) -> ChoiceRating:
    if not len(results.comparing):
        raise InputError("no two players met in any game, so there is nothing to rate")
    return rate_choices(results, stages_of_rankings(results), results.covariate_names)


def stages_of_rankings(results: GameResults) -> ChoiceSets:
    """Return a choice set for each place of each game, except for the last place of a game. Its alternatives are the
    seats that do not have a better place."""
    names, covariates, seats = len(results.names), len(results.covariate_names), results.players.shape[1]
    scores = np.where(results.seated, results.scores, -np.inf)
    sets: list[tuple[int, np.ndarray, np.ndarray]] = []
    for game in results.comparing:
        own = scores[game]
        for score in np.unique(own[results.seated[game]])[::-1]:
            tied, remaining = own == score, results.seated[game] & (own <= score)
            for earlier in range(int(tied.sum())):
                if remaining.sum() - earlier > 1:
                    share = 1 - earlier / tied.sum()
                    sets.append((game, np.where(tied, share, 1.0) * remaining, tied / tied.sum()))
    check_size(len(sets), seats, names + covariates)
    game, weights, chosen = (np.asarray(column) for column in zip(*sets, strict=True))
    features = np.zeros((len(sets), seats, names + covariates))
    row, seat = np.nonzero(results.seated[game])
    features[row, seat, results.players[game[row], seat]] = 1
    if results.covariates is not None:
        features[:, :, names:] = results.covariates[game] * results.seated[game][:, :, None]
    with np.errstate(divide="ignore"):
        log_weights = np.log(weights)
    return ChoiceSets(features, log_weights, chosen, results.units[game], np.ones(len(sets)))


def fit_plackett_luce(results: GameResults, settings: PlackettLuceSettings) -> ChoiceRating:
    """Return the strengths of all players."""
    return plackett_luce(results)


PLACKETT_LUCE: Final = RatingMethod(
    name="plackett-luce",
    title="Plackett–Luce",
    description="a model of whole rankings, in which each place is drawn from the remaining seats; can adjust for "
    "covariates",
    settings=PlackettLuceSettings,
    fit=fit_plackett_luce,
    meaning="The difference of two ratings is the log odds that the one and not the other is next, of all who remain.",
    adjusts=True,
)
RATING_METHODS.add(PLACKETT_LUCE.name, PLACKETT_LUCE)
