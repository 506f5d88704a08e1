"""The counts and means of Alsobay and others 2025: contributions, points, effects of punishment, and noise of games."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import polars as pl

from ostrom.importers.studies.published import StudyFigure, mean_of

ENDOWMENT: Final = 20
ROUNDS: Final = (1, 2, 3, 5, 10, 15, 20)
"""The rounds for which there are means."""


def figures_of(table: pl.DataFrame) -> list[StudyFigure]:
    """Return counts, and means of contributions, of punishment and of reward."""
    given = table["contribution"]
    free = table.filter(~pl.col("all_or_nothing"))["contribution"]
    figures = [
        StudyFigure("people who contributed", table["person"].n_unique()),
        StudyFigure("games", table["game"].n_unique()),
        StudyFigure("designs", table["design"].n_unique()),
        StudyFigure("contributions", table.height),
        mean_of("mean contribution", given),
        mean_of("contributed nothing", given == 0),
        mean_of("contributed everything", given == ENDOWMENT),
        mean_of("any amount: contributed nothing", free == 0),
        mean_of("any amount: contributed everything", free == ENDOWMENT),
    ]
    figures += [mean_of(f"mean contribution in round {number}", _in_round(table, number)) for number in ROUNDS]
    shares = table.group_by("person", "game").agg(
        pl.col("contribution").mean() / ENDOWMENT,
        *(pl.col(name).first() for name in _ARMS.values()),
    )
    for words, column in _ARMS.items():
        for state, on in (("without", False), ("with", True)):
            figures.append(
                mean_of(f"people's mean share {state} {words}", shares.filter(pl.col(column) == on)["contribution"])
            )
    figures += [*_cells(table), *_points(table), *_effects(table)]
    return figures


def _points(table: pl.DataFrame) -> list[StudyFigure]:
    """Return how often people assigned points, and how many."""
    punished = table.filter("punishment")
    rewarded = table.filter("reward")
    pairs = punished.select("contribution", "others", "deducted_from").explode("others", "deducted_from").drop_nulls()
    less = pl.col("others") < pl.col("contribution")
    return [
        mean_of("punishment: seat-rounds with one", punished["deducted"] > 0),
        mean_of("punishment: pairs with one", pairs["deducted_from"] > 0),
        mean_of("punishment: targets that gave less", pairs.filter(less)["deducted_from"] > 0),
        mean_of("punishment: targets that gave as much or more", pairs.filter(~less)["deducted_from"] > 0),
        mean_of("punishment: spent", punished["deducted"] / punished["punish_loss"] * punished["punish_cost"]),
        mean_of("punishment: lost", punished["suffered"]),
        mean_of("reward: seat-rounds with one", rewarded["rewarded"] > 0),
        mean_of("reward: spent", rewarded["rewarded"] / rewarded["reward_gain"] * rewarded["reward_cost"]),
        mean_of("reward: received", rewarded["received"]),
    ]


def _cells(table: pl.DataFrame) -> list[StudyFigure]:
    """Return shares and earnings by chat and punishment, over people, and contributions by round without chat."""
    people = table.group_by("person", "game").agg(
        pl.col("contribution").mean() / ENDOWMENT, pl.col("payoff").mean(), pl.col("chat", "punishment").first()
    )
    figures = []
    for words, chat, punishment in _CELLS:
        cell = (pl.col("chat") == chat) & (pl.col("punishment") == punishment)
        own = people.filter(cell)
        figures += [
            mean_of(f"{words}: people's mean share", own["contribution"]),
            mean_of(f"{words}: people's mean earnings a round", own["payoff"]),
        ]
        if not chat:
            rounds = table.filter(cell)
            figures += [
                mean_of(f"{words}: mean contribution in round {number}", _in_round(rounds, number)) for number in ROUNDS
            ]
    return figures


def _in_round(table: pl.DataFrame, number: int) -> pl.Series:
    return table.filter(pl.col("round") == number)["contribution"]


def _effects(table: pl.DataFrame) -> list[StudyFigure]:
    """Return the effects of punishment in designs with both arms, and the noise of single games around the mean of
    their design and arm."""
    games = table.group_by("design", "punishment", "game").agg(
        pl.col("contribution").mean() / ENDOWMENT, pl.col("payoff").mean(), pl.col("multiplier").first()
    )
    arms = games.group_by("design", "punishment").agg(
        pl.col("contribution", "payoff").mean(), pl.col("multiplier").first()
    )
    both = arms.filter("punishment").join(arms.filter(~pl.col("punishment")), on="design", suffix="_without")
    gain = ENDOWMENT * (both["multiplier"] - 1)
    effects = {
        "share": both["contribution"] - both["contribution_without"],
        "earnings, relative": both["payoff"] / both["payoff_without"] - 1,
        "earnings, in units of 20 (m − 1)": (both["payoff"] - both["payoff_without"]) / gain,
    }
    figures = [StudyFigure("designs with and without punishment", both.height)]
    for words, effect in effects.items():
        figures += [
            mean_of(f"effect of punishment on the {words}: mean", effect),
            StudyFigure(f"effect of punishment on the {words}: standard deviation", _deviation(effect), len(effect)),
            mean_of(f"effect of punishment on the {words}: positive", effect > 0),
        ]
    relative = effects["earnings, relative"]
    median = relative.median()
    if isinstance(median, float):
        figures.append(StudyFigure("effect of punishment on the earnings, relative: median", median, len(relative)))
    figures += _noise(games)
    return figures


def _noise(games: pl.DataFrame) -> list[StudyFigure]:
    """Return the standard deviation of single games around the mean of their design and arm."""
    cell = ("design", "punishment")
    outcomes = {
        "share": pl.col("contribution"),
        "earnings, logarithm": pl.col("payoff").log(),
        "earnings, in units of 20 (m − 1)": pl.col("payoff") / (ENDOWMENT * (pl.col("multiplier") - 1)),
    }
    several = games.filter(pl.len().over(*cell) > 1)
    freedom = several.height - several.select(*cell).n_unique()
    if not freedom:
        return []
    figures = [StudyFigure("designs and arms that were played more than once", several.select(*cell).n_unique())]
    for words, outcome in outcomes.items():
        squares = several.select(((outcome - outcome.mean().over(*cell)) ** 2).sum()).item()
        figures.append(StudyFigure(f"noise of a game's mean {words}", float(np.sqrt(squares / freedom)), freedom))
    return figures


def _deviation(values: pl.Series) -> float:
    deviation = values.std()
    return deviation if isinstance(deviation, float) else float("nan")


_CELLS: Final = (
    ("no chat, no punishment", False, False),
    ("chat", True, False),
    ("punishment", False, True),
    ("chat and punishment", True, True),
)
_ARMS: Final[Mapping[str, str]] = {
    "punishment": "punishment",
    "chat": "chat",
    "reward": "reward",
    "all-or-nothing": "all_or_nothing",
    "opt-out": "opt_out",
    "a known horizon": "horizon",
    "peers' outcomes": "outcomes",
}
