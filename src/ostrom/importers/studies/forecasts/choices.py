"""Forecasters of first choices in 2×2 games, fitted on the choices of a study and scored on its development games."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.special import digamma, expit

from ostrom.analysis.forecasts.matrix_models import (
    RIDGE,
    ChoiceNetwork,
    features,
    fit_logistic,
    fit_network,
)
from ostrom.analysis.forecasts.matrix_theories import THEORIES, MatrixTheory, cross_entropy
from ostrom.analysis.forecasts.persons import fit_persons, person_inputs
from ostrom.analysis.forecasts.scores import DecisionForecast
from ostrom.core.estimates import Floats
from ostrom.importers.studies.zhu import PAYOFFS

NETWORK: Final = "network"
PERSON: Final = "network and the person's earlier trials"
MIXTURE: Final = "mixture"
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ChoiceData:
    """Choices of people in 2×2 games. Payoffs are (4, choices), in the order AC, AD, BC, BD."""

    own: Floats
    other: Floats
    chose: Floats
    """1 for row A, else 0."""
    game: npt.NDArray[np.int64]
    """The number of the canonical game."""
    person: npt.NDArray[np.int64]
    trial: npt.NDArray[np.int64]
    part: npt.NDArray[np.str_]

    def of(self, part: str) -> Mask:
        """Return which choices belong to a part of the split."""
        mask: Mask = self.part == part
        return mask


@dataclass(frozen=True, eq=False)
class GameShares:
    """The share of row A in each game, and the number of choices."""

    own: Floats
    other: Floats
    chose: Floats
    counts: Floats


def choice_data(table: pl.DataFrame) -> ChoiceData:
    """Return the given choices of the table `decisions` of a study."""
    table = table.filter(pl.col("part") != "held-out")
    payoffs = table.select(PAYOFFS).to_numpy().astype(np.float64).T
    return ChoiceData(
        payoffs[0::2],
        payoffs[1::2],
        table["chose_a"].to_numpy().astype(np.float64),
        np.unique(table["game"].to_numpy().astype(str), return_inverse=True)[1],
        np.unique(table["person"].to_numpy().astype(str), return_inverse=True)[1],
        table["trial"].to_numpy().astype(np.int64),
        table["part"].to_numpy().astype(str),
    )


def shown_games(data: ChoiceData, rows: Mask) -> GameShares:
    """Return the shares of games as they were shown."""
    games, place = np.unique(np.concatenate([data.own, data.other])[:, rows].T, axis=0, return_inverse=True)
    return _shares(games, place, data.chose[rows])


def merged_games(data: ChoiceData, rows: Mask) -> GameShares:
    """Return the shares of games in which the orders of rows and columns are merged."""
    shown = np.concatenate([data.own, data.other])[:, rows].T
    # The four orders of a game: the columns of `shown` are own AC, AD, BC, BD, then the opponent's.
    orders = [[0, 1, 2, 3], [2, 3, 0, 1], [1, 0, 3, 2], [3, 2, 1, 0]]
    views = np.stack([shown[:, [*order, *(4 + place for place in order)]] for order in orders])
    least = np.zeros(len(shown), dtype=np.int64)
    for number in range(1, 4):
        differ = views[number] != views[least, np.arange(len(shown))]
        first = differ.argmax(axis=1)
        rows_ = np.arange(len(shown))
        less = views[number][rows_, first] < views[least, rows_][rows_, first]
        least = np.where(differ.any(axis=1) & less, number, least)
    exchanged = (least == 1) | (least == 3)
    games, place = np.unique(views[least, np.arange(len(shown))], axis=0, return_inverse=True)
    return _shares(games, place, np.where(exchanged, 1 - data.chose[rows], data.chose[rows]))


def _shares(games: Floats, place: npt.NDArray[np.int64], chose: Floats) -> GameShares:
    counts = np.bincount(place, minlength=len(games)).astype(np.float64)
    shares = np.bincount(place, weights=chose, minlength=len(games)) / counts
    return GameShares(games[:, :4].T, games[:, 4:].T, shares, counts)


def fit_choice_network(data: ChoiceData, rows: Mask) -> ChoiceNetwork:
    """Return the network that is fitted on these choices."""
    games = merged_games(data, rows)
    return fit_network(games.own, games.other, games.chose, games.counts)


def fit_theory(theory: MatrixTheory, data: ChoiceData, rows: Mask) -> Floats:
    """Return the parameters of a theory that are fitted on these choices."""
    games = merged_games(data, rows)
    return theory.fit(games.own, games.other, games.chose, games.counts)


def score_choices(data: ChoiceData) -> tuple[list[DecisionForecast], npt.NDArray[np.int64]]:
    """Return the forecasts of all forecasters for the development choices, fitted on the others, and the number of each
    choice's game."""
    fitted, scored = data.of("fitted"), data.of("development")
    forecasts = [scored_forecast("chance", np.full(len(data.chose), 0.5), data, scored)]
    for theory in THEORIES:
        values = fit_theory(theory, data, fitted)
        text = ", ".join(f"{name} {value:.4f}" for name, value in zip(theory.parameters, values, strict=True))
        forecasts.append(
            scored_forecast(theory.name, theory.forecast(values, data.own, data.other), data, scored, text)
        )
    shown = shown_games(data, fitted)
    weights = fit_logistic(features(shown.own, shown.other), shown.chose, shown.counts)
    logistic = expit(weights @ features(data.own, data.other))
    forecasts.append(scored_forecast("logistic", logistic, data, scored, f"27 features, ridge {RIDGE:g}"))
    advantage = fit_choice_network(data, fitted).advantage(data.own, data.other)
    forecasts.append(scored_forecast(NETWORK, expit(advantage), data, scored, "two layers of 48, mean of 3 fits"))
    # Choices of a person in earlier trials are known, also those in development games: they came before the forecast.
    inputs = person_inputs(
        advantage, data.own, data.other, data.chose, data.person, data.trial, np.ones(len(data.chose), dtype=np.bool_)
    )
    person = fit_persons(inputs[:, fitted], data.chose[fitted])
    forecasts.append(scored_forecast(PERSON, expit(person.advantage(inputs)), data, scored))
    return forecasts, data.game[scored]


def scored_forecast(name: str, forecast: Floats, data: ChoiceData, scored: Mask, text: str = "") -> DecisionForecast:
    """Return the forecast of row A of the choices that are scored, with its losses."""
    own, chose = forecast[scored], data.chose[scored]
    even = np.abs(own - 0.5) < 1e-12
    right = np.where(even, 0.5, (own > 0.5) == (chose > 0.5))
    return DecisionForecast(name, cross_entropy(own, chose), right.astype(np.float64), parameters=text)


def ceiling(data: ChoiceData, rows: Mask) -> float:
    """Return the log loss of a forecaster that knows the share of every game but no person: the mean entropy of games,
    with the correction by digamma functions for the number of choices (Grassberger 2003)."""
    games = merged_games(data, rows)
    total = 0.0
    for count, share in zip(games.counts, games.chose, strict=True):
        ones = round(count * share)
        parts = np.asarray([ones, count - ones])
        parts = parts[parts > 0]
        total += count * float(digamma(count) - (parts * digamma(parts)).sum() / count)
    return total / float(games.counts.sum())
