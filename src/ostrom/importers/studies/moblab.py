"""Games of MobLab (Mei, Xie, Yuan and Jackson 2024): gifts of dictators, and offers and thresholds of the ultimatum
game by the strategy method. Partners are not named, so the data have decisions, not games."""

from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

from ostrom.importers.studies.published import (
    PublishedStudy,
    StudyFigure,
    StudyReading,
    find_file,
    in_figures,
    mean_of,
    read_rows,
)
from ostrom.importers.studies.split import part_of, rule_sentence

NAME: Final = "moblab-2024"
POT: Final = 100.0
_OFFERS: Final = (0, 10, 20, 30, 40, 50)


def read(folder: Path, whole: bool) -> StudyReading:
    """Return gifts, offers and thresholds, and their figures."""
    dictator_file = find_file(folder, ("dictator.csv.gz", "dictator.csv"))
    ultimatum_file = find_file(folder, ("ultimatum_strategy.csv.gz", "ultimatum_strategy.csv"))
    dictator = _with_parts(read_rows(dictator_file, ("UserID", "Role", "Round", "Total", "move")))
    ultimatum = _with_parts(read_rows(ultimatum_file, ("UserID", "Round", "propose", "accept")))
    gifts = _gifts(dictator)
    answers = _within_pot(ultimatum, "propose", "accept")
    figures = [StudyFigure("rows of dictators", in_figures(dictator, whole=whole).height)]
    figures += _gift_figures(in_figures(gifts, whole=whole))
    figures.append(StudyFigure("rows of ultimatum", in_figures(ultimatum, whole=whole).height))
    figures += _ultimatum_figures(in_figures(answers, whole=whole))
    left_out = dictator.filter(pl.col("Role") == "first").height - gifts.height
    return StudyReading(
        {"gifts": gifts, "ultimatum": answers},
        figures,
        rule_sentence("'moblab:' and the UserID"),
        notes=[
            f"{left_out:,} rows of first movers are left out: another pot than 100, or a move outside it.",
            f"{ultimatum.height - answers.height:,} rows of ultimatum games are left out: an amount outside the pot.",
            "People repeat: intervals must be clustered by person.",
        ],
    )


def _with_parts(rows: pl.DataFrame) -> pl.DataFrame:
    parts = {user: part_of(f"moblab:{user}") for user in rows["UserID"].unique()}
    return rows.with_columns(
        pl.col("UserID").alias("person"),
        pl.col("Round").cast(pl.Int64, strict=False).alias("round"),
        part=pl.col("UserID").replace_strict(parts, return_dtype=pl.String),
    )


def _gifts(rows: pl.DataFrame) -> pl.DataFrame:
    total = pl.col("Total").cast(pl.Float64, strict=False)
    first = rows.filter((pl.col("Role") == "first") & (total == POT))
    return _within_pot(first, "move").rename({"move": "gift"})


def _within_pot(rows: pl.DataFrame, *amounts: str) -> pl.DataFrame:
    """Return the rows whose amounts lie within the pot, with person, round, part and the amounts as numbers."""
    numbers = rows.with_columns(pl.col(name).cast(pl.Float64, strict=False) for name in amounts)
    inside = pl.all_horizontal(pl.col(name).is_between(0, POT) for name in amounts)
    return numbers.filter(inside).select("person", "round", *amounts, "part")


def _gift_figures(gifts: pl.DataFrame) -> list[StudyFigure]:
    gift, count = gifts["gift"].to_numpy(), gifts.height
    first = gifts.filter(pl.col("round") == 1)
    shares = {
        "gave nothing": gift == 0,
        "gave half": gift == POT / 2,
        "gave more than half": gift > POT / 2,
        "gave all": gift == POT,
    }
    return [
        StudyFigure("gifts", count),
        StudyFigure("givers", gifts["person"].n_unique()),
        mean_of("mean gift", gifts["gift"]),
        StudyFigure("standard deviation of gifts", float(gift.std(ddof=1)), count),
        StudyFigure("median gift", float(np.median(gift)), count),
        *(StudyFigure(name, float(seen.mean()), count) for name, seen in shares.items()),
        mean_of("mean gift in round 1", first["gift"]),
    ]


def _ultimatum_figures(answers: pl.DataFrame) -> list[StudyFigure]:
    offer, least, count = answers["propose"].to_numpy(), answers["accept"].to_numpy(), answers.height
    sorted_least = np.sort(least)
    accepted = np.searchsorted(sorted_least, np.arange(POT + 1), side="right") / count
    best = int(np.argmax((POT - np.arange(POT + 1)) * accepted))
    agrees = float((np.searchsorted(sorted_least, offer, side="right") / count).mean())
    return [
        StudyFigure("offers with thresholds", count),
        mean_of("mean offer", answers["propose"]),
        StudyFigure("offered half", float((offer == POT / 2).mean()), count),
        StudyFigure("offered more than half", float((offer > POT / 2).mean()), count),
        mean_of("mean threshold", answers["accept"]),
        *(StudyFigure(f"share that accepts {amount}", float(accepted[amount]), count) for amount in _OFFERS),
        StudyFigure("own offer below own threshold", float((offer < least).mean()), count),
        StudyFigure("offer with the highest expected payoff", best),
        StudyFigure("share of random pairs that agree", agrees, count),
    ]


STUDY: Final = PublishedStudy(
    NAME,
    "Dictator and ultimatum games of MobLab",
    "Mei, Xie, Yuan and Jackson 2024",
    "MIT for the repository ChatGPT-Behavioral",
    read,
)
