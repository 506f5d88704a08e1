"""The verb `train-people`: it scores forecasters of people's decisions on the development part of a study, and writes
learned people fitted on all of its given part."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np
import polars as pl
from pydantic import Field

from ostrom.analysis.forecasts.contribution_types import fit_types
from ostrom.analysis.forecasts.matrix_theories import THEORY_BY_NAME
from ostrom.analysis.forecasts.scores import score_rows, score_table
from ostrom.core import InputError
from ostrom.core.files import check_writable
from ostrom.core.finding import Column, Finding, Table, decimals, number
from ostrom.core.settings import Display, Settings
from ostrom.core.text import number_of
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.importers.studies import alsobay, zhu
from ostrom.importers.studies.forecasts import amounts, choices
from ostrom.importers.studies.forecasts.designs import fit_levels, game_means, score_levels
from ostrom.importers.studies.forecasts.matrix_shares import fit_shares
from ostrom.importers.studies.published import PublishedStudy, StudyReading
from ostrom.players.learned import LearnedFile

DIGITS: Final = 6
"""The digits of weights in a file."""


@dataclass(frozen=True, eq=False)
class StudyScores:
    """The scores of forecasters on the development part, as tables of a finding."""

    tables: list[Table]
    rows: list[dict[str, Any]]
    """The rows of the first table, for the file of learned people."""
    sentences: list[str]


@dataclass(frozen=True)
class TrainedStudy:
    """A study to which learned people can be fitted."""

    study: PublishedStudy
    game: str
    table: str
    """The table with the decisions."""
    score: Callable[[pl.DataFrame], StudyScores]
    fit: Callable[[pl.DataFrame], dict[str, Any]]
    """A function that returns the fields of the file of learned people."""


class TrainPeopleSettings(Settings):
    """Settings of learned people."""

    study: Annotated[Literal["alsobay-2025", "zhu-2025"], Display(form="STUDY", positional=True)] = Field(
        description="The study: alsobay-2025 (contributions) or zhu-2025 (choices in 2×2 games)."
    )
    folder: Annotated[Path, Display(form="DIR", positional=True)] = Field(
        description="Your folder with the files of the study."
    )
    output: Annotated[Path | None, Display(form="FILE.json", short="o")] = Field(
        None, description="Write learned people to this file; 'STUDY.people.json' can be seated as people:STUDY."
    )


@verb("train-people", keeps=False, group="analyse")
def train_people(settings: TrainPeopleSettings, reporter: Reporter = SILENT) -> Finding:
    """Score forecasters of people's decisions on designs that they were not fitted on, and write learned people."""
    if settings.output is not None:
        if settings.output.suffix != ".json":
            raise InputError(f"cannot write {settings.output}: use a name that ends in .json")
        check_writable(settings.output)
    trained = TRAINED[settings.study]
    reading = trained.study.read(settings.folder, False)
    given = reading.tables[trained.table].filter(pl.col("part") != "held-out")
    if set(given["part"].unique()) != {"fitted", "development"}:
        raise InputError(f"{settings.folder} has not enough decisions of {settings.study} to fit and to score")
    reporter.note("fitting forecasters without the development part, to score them on it")
    scores = trained.score(given)
    written = None
    if settings.output is not None:
        reporter.note("fitting learned people on the fitted and the development part")
        written = _write(settings.output, trained, reading, given, scores)
    return _finding(trained, reading, given, scores, settings, written)


def _write(
    path: Path, trained: TrainedStudy, reading: StudyReading, given: pl.DataFrame, scores: StudyScores
) -> LearnedFile:
    file = LearnedFile(
        game=trained.game,
        study=trained.study.name,
        source=trained.study.source,
        terms=f"Derived from the data of the study, whose terms are: {trained.study.terms}",
        digest=digest_of(given),
        split=f"{reading.split} Scores are those on the development part of a fit without it.",
        fitted={"decisions": given.height, "people": given["person"].n_unique(), "games": given["game"].n_unique()},
        scores=scores.rows,
        **trained.fit(given),
    )
    try:
        path.write_text(file.model_dump_json() + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error
    return file


def digest_of(table: pl.DataFrame) -> str:
    """Return the SHA-256 of the decisions of a table."""
    ordered = table.sort(by=[name for name in ("person", "game", "round", "trial") if name in table.columns])
    lines = ordered.write_json().encode("utf-8")
    return hashlib.sha256(lines).hexdigest()


def _finding(
    trained: TrainedStudy,
    reading: StudyReading,
    given: pl.DataFrame,
    scores: StudyScores,
    settings: TrainPeopleSettings,
    written: LearnedFile | None,
) -> Finding:
    parts = {part: int((given["part"] == part).sum()) for part in ("fitted", "development")}
    notes = []
    if written is not None and settings.output is not None:
        notes = [
            f"Wrote learned people to {settings.output}: fitted on {number_of(given.height, 'decision')} of "
            f"{written.fitted['people']:,} people. They are not people; every table and export "
            "calls them learned people.",
        ]
    return Finding(
        verb="train-people",
        title=f"{trained.study.title}: forecasters on the development part",
        facts={
            "study": trained.study.name,
            "source": trained.study.source,
            "terms": trained.study.terms,
            "split": reading.split,
            "digest": digest_of(given),
            "decisions": parts,
            "file": None if settings.output is None else str(settings.output),
        },
        parts=scores.tables,
        sentences=[
            *scores.sentences,
            f"{parts['development']:,} decisions are scored; {parts['fitted']:,} are fitted. {reading.split}",
            *notes,
            f"Terms: {trained.study.terms}. A model that was trained on text may have read these data.",
        ],
    )


def _score_choices(given: pl.DataFrame) -> StudyScores:
    data = choices.choice_data(given)
    forecasts, games = choices.score_choices(data)
    reference = "logistic"
    rows = score_rows(forecasts, games, None, reference)
    counted = len(np.unique(games))
    title = f"First choices in {counted:,} games that were not fitted · {len(games):,} choices"
    least = choices.ceiling(data, data.of("development"))
    sentence = (
        f"A forecaster that knew the share of every game but no person would have a log loss of {least:.4f} "
        "(mean entropy per game, corrected for the number of choices)."
    )
    return StudyScores([score_table(rows, "scores", title, "game", reference)], _plain(rows), [sentence])


def _score_amounts(given: pl.DataFrame) -> StudyScores:
    data = amounts.round_data(given)
    fitted = data.part == "fitted"
    network, types = amounts.fit_network_of(data, fitted), amounts.fit_types_of(data, fitted)
    forecasts = amounts.score_amounts(data, network, types)
    scored = (data.part == "development") & data.later
    reference = amounts.OWN_TABLE
    rows = score_rows(forecasts, data.design[scored], data.chosen[scored].astype(np.float64), reference)
    designs = len(np.unique(data.design[scored]))
    title = f"Next contribution in {designs} designs that were not fitted · {scored.sum():,} decisions"
    levels = score_levels(game_means(given))
    columns = [
        Column("forecaster", "forecaster"),
        number("square", "root mean square", decimals(4)),
        number("games", "games"),
    ]
    level_table = Table("levels", columns, levels, title="A game's mean share of the endowment")
    return StudyScores([score_table(rows, "scores", title, "design", reference), level_table], _plain(rows), [])


def _plain(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return scores as plain data."""
    return [
        {name: value.as_record() if hasattr(value, "as_record") else value for name, value in row.items()}
        for row in rows
    ]


def _fit_choices(given: pl.DataFrame) -> dict[str, Any]:
    data = choices.choice_data(given)
    every = np.ones(len(data.chose), dtype=np.bool_)
    network = choices.fit_choice_network(data, every)
    theories = {name: choices.fit_theory(THEORY_BY_NAME[name], data, every) for name in (choices.MIXTURE,)}
    shares = theories[choices.MIXTURE][:2]
    return {
        "networks": _lists(network.weights),
        "type_names": ["random", "level 1, quantal", "level 2, quantal"],
        "type_shares": [round(1 - float(shares.sum()), DIGITS), *np.round(shares, DIGITS).tolist()],
        "values": {name: np.round(values, DIGITS).tolist() for name, values in theories.items()},
        "forecast": fit_shares(data),
    }


def _fit_amounts(given: pl.DataFrame) -> dict[str, Any]:
    data = amounts.round_data(given)
    every = np.ones(len(data.chosen), dtype=np.bool_)
    network = amounts.fit_network_of(data, every)
    types = fit_types(data.person, data.arm, data.cell, data.chosen, data.legal)
    return {
        "networks": _lists(network.weights),
        "points": amounts.fit_points(data.table),
        "type_names": [f"type {place}" for place in range(1, len(types.shares) + 1)],
        "type_shares": np.round(types.shares, DIGITS).tolist(),
        "type_tables": np.round(types.tables, DIGITS).tolist(),
        "forecast": fit_levels(game_means(given)),
    }


def _lists(networks: tuple[tuple[Any, ...], ...]) -> list[list[Any]]:
    return [[np.round(part, DIGITS).tolist() for part in weights] for weights in networks]


TRAINED: Final[Mapping[str, TrainedStudy]] = {
    alsobay.NAME: TrainedStudy(alsobay.TABLES, "contributions", "rounds", _score_amounts, _fit_amounts),
    zhu.NAME: TrainedStudy(zhu.STUDY, "repeated", "decisions", _score_choices, _fit_choices),
}
"""The studies to which learned people can be fitted."""
