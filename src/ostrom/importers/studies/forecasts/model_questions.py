"""Questions to language models about people's decisions in a study: which games are asked about, in which order rows
and columns are shown, and the loss of the answers."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl

from ostrom.analysis.forecasts.scores import DecisionForecast
from ostrom.core.estimates import Floats
from ostrom.importers.studies.forecasts.choices import ChoiceData, Mask, scored_forecast
from ostrom.importers.studies.zhu import NAME

PEOPLE: Final = (
    "Participants online read games for two players with a table of points. Each person played several different "
    "games, each of them once, and was told neither the opponent's choices nor the results. Both choose at the same "
    "time."
)
ACTION: Final = "Row A"
LEAST_SHARE: Final = 0.005
"""Forecasts of models are scored as at least this share and at most its complement: models answer in whole percents,
and a stated 0 % means less than ½ %."""
_CELLS: Final = ("AC", "AD", "BC", "BD")


@dataclass(frozen=True)
class GameQuestion:
    """A question about one 2×2 game."""

    game: str
    """The canonical game."""
    payoffs: tuple[int, ...]
    """Own and the other's payoff in the cells AC, AD, BC and BD, as they are shown."""

    @property
    def rules(self) -> dict[str, Any]:
        """The settings of the question."""
        lines = [
            f"If you choose Row {cell[0]} and your opponent chooses Column {cell[1]}, you receive "
            f"{self.payoffs[2 * place]} and your opponent receives {self.payoffs[2 * place + 1]}."
            for place, cell in enumerate(_CELLS)
        ]
        return {"study": NAME, "item": self.game, "people": PEOPLE, "decision": "\n".join(lines), "action": ACTION}


def sampled_questions(names: list[str], count: int) -> list[GameQuestion]:
    """Return questions about at most this many games. Games are drawn by a digest of their names, so that a smaller
    sample is the beginning of a larger one. The digest also draws the order of rows and of columns."""
    digests = {name: hashlib.sha256(f"{NAME}:{name}".encode()).digest() for name in names}
    drawn = sorted(names, key=lambda name: digests[name])[:count]
    return [GameQuestion(name, _shown(name, digests[name][-1])) for name in drawn]


def _shown(game: str, draw: int) -> tuple[int, ...]:
    cells = np.asarray([int(payoff) for payoff in game.split("-")]).reshape(2, 2, 2)
    if draw & 1:
        cells = cells[::-1]
    if draw & 2:
        cells = cells[:, ::-1]
    return tuple(int(payoff) for payoff in cells.ravel())


def development_games(table: pl.DataFrame) -> list[str]:
    """Return the names of the development games of a study."""
    return sorted(table.filter(pl.col("part") == "development")["game"].unique().to_list())


def choices_in(table: pl.DataFrame, games: set[str]) -> Mask:
    """Return which of the development choices are of these games, in the order of `score_choices`."""
    names = table.filter(pl.col("part") == "development")["game"].to_list()
    return np.asarray([name in games for name in names], dtype=np.bool_)


def restricted(forecast: DecisionForecast, rows: Mask) -> DecisionForecast:
    """Return a forecast of choices for some of them."""
    losses = None if forecast.losses is None else forecast.losses[rows]
    right = None if forecast.right is None else forecast.right[rows]
    return DecisionForecast(forecast.name, losses, right, parameters=forecast.parameters)


def model_forecast(
    name: str, data: ChoiceData, table: pl.DataFrame, questions: list[GameQuestion], percents: Mapping[str, float]
) -> DecisionForecast:
    """Return the forecast of a model for the development choices of the games that it answered, given its percentage
    for each game."""
    answered = {question.game for question in questions if question.game in percents}
    rows = choices_in(table, answered)
    games = np.asarray(table.filter(pl.col("part") == "development")["game"].to_list())[rows]
    shown = {question.game: question.payoffs for question in questions}
    scored = np.flatnonzero(data.of("development"))[rows]
    mask = np.zeros(len(data.chose), dtype=np.bool_)
    mask[scored] = True
    asked = np.asarray([shown[game] for game in games.tolist()], dtype=np.float64).reshape(-1, 2, 2, 2)
    stated = np.asarray([percents[game] for game in games.tolist()]) / 100
    forecast = np.full(len(data.chose), 0.5)
    own, other = data.own[:, scored].T, data.other[:, scored].T
    forecast[scored] = _for_shown(np.clip(stated, LEAST_SHARE, 1 - LEAST_SHARE), asked, np.stack([own, other], axis=2))
    return scored_forecast(name, forecast, data, mask, f"{len(answered)} questions")


def _for_shown(stated: Floats, asked: Floats, seen: Floats) -> Floats:
    """Return the forecast of row A of the game that a person saw, from that of the game that the model was asked about:
    the complement if the rows are exchanged."""
    cells = seen.reshape(-1, 2, 2, 2)
    same = (cells == asked).all(axis=(1, 2, 3)) | (cells[:, :, ::-1] == asked).all(axis=(1, 2, 3))
    forecast: Floats = np.where(same, stated, 1 - stated)
    return forecast
