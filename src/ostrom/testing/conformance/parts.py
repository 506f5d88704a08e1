"""Checks of the conformance suite for the study of a game. Six games are played and measured, every measure is drawn,
and a report on the games is written."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.leaderboard import rate_players
from ostrom.analysis.measures import Measure
from ostrom.analysis.selection import tables_in_blocks
from ostrom.analysis.study import GameMeasures, Study, study_of_game
from ostrom.charts.catalogue import Catalogue, GameCharts
from ostrom.charts.report import write_report
from ostrom.charts.standings import RATINGS
from ostrom.core import GameChance
from ostrom.core.plugins import GAMES
from ostrom.experiment.match import play_match, record_of
from ostrom.players.base import Contestant
from ostrom.testing.conformance.case import Case, Check, Sampler
from ostrom.testing.conformance.playing import players_of

_STUDY: Final = "study and tables"
"""The key under which a case stores the study of its game, and the tables of the played games."""
_GAMES: Final = 6
"""The number of games that are played. It is the smallest number with which measures have an interval."""
_BLOCK: Final = 4
"""The number of games whose tables are computed together, as in the blocks of a journal."""


def _catalogue_and_tables(case: Case) -> tuple[Catalogue[Any], Any]:
    """Return the study of the case's game, and the tables of some games. The games are played once for all checks."""
    if _STUDY not in case.__dict__:
        case.__dict__[_STUDY] = _play_games(case)
    study: tuple[Catalogue[Any], Any] = case.__dict__[_STUDY]
    return study


def _play_games(case: Case) -> tuple[Catalogue[Any], Any]:
    """Play a few games between the game's own players and random players."""
    own = [entry for entry in players_of(case.game).values() if entry.member is None][: case.seats]
    cast: list[Contestant] = [*own, *(Sampler(name=f"Sampler {place}") for place in range(len(own), case.seats))]
    records = []
    for number in range(_GAMES):
        seated = [cast[(seat + number) % len(cast)] for seat in range(case.seats)]
        match = play_match(case.game, case.rules, seated, GameChance(case.seed, number))
        records.append((f"game {number}", "check", record_of(match)))
    study = Study(case.game, case.game.part("measures"))
    if case.game.name not in GAMES:
        study_of_game(case.game)  # With this, ratings find the study of a game even if the game is not registered.
    study.tables(())  # Every command that reads a journal asks for the columns of the tables in this way.
    tables = tables_in_blocks(study, [records[:_BLOCK], records[_BLOCK:]])
    return Catalogue(study, case.game.part("charts") or GameCharts()), tables


def check_measures(case: Case) -> Iterator[str]:
    """Check that every measure has the columns that it declares, and that shares are between 0 and 1."""
    if not _studied(case):
        return
    catalogue, tables = _catalogue_and_tables(case)
    for name, measure in catalogue.study.measures.items():
        yield from _check_frame(name, measure, measure.function(tables), _is_share(measure, tables))


def _studied(case: Case) -> bool:
    return case.game.finals is not None and isinstance(case.game.part("measures"), GameMeasures | None)


def _is_share(measure: Measure[Any], tables: Any) -> bool:
    """Return whether a measure is between 0 and 1. This is the case if the measure's unit says so and its ratio has no
    other limits."""
    if measure.unit != "share" or measure.ratio is None:
        return measure.unit == "share"
    ratio = measure.ratio(tables)
    return not isinstance(ratio, Ratio) or ratio.share


def _check_frame(name: str, measure: Measure[Any], frame: pl.DataFrame, is_share: bool) -> Iterator[str]:
    columns = ("value", *(measure.by or ("player",)))
    missing = [column for column in columns if column not in frame.columns]
    if missing:
        yield f"the measure {name} returns no column {' or '.join(missing)}; it has {', '.join(frame.columns)}"
        return
    if measure.by and frame.select(measure.by).is_duplicated().any():
        yield f"the measure {name} has several rows for the same {' and '.join(measure.by)}"
    if not measure.definition:
        yield f"the measure {name} has no docstring, which is its definition"
    values = frame["value"].cast(pl.Float64, strict=False).drop_nulls()
    if is_share and len(values) and not values.is_between(-1e-9, 1 + 1e-9).all():
        outside = [value for value in values if not -1e-9 <= value <= 1 + 1e-9]
        yield f"the measure {name} is a share, and has the value {outside[0]:g}"


def check_charts(case: Case) -> Iterator[str]:
    """Check that every chart draws a measure of the game, and that the anchors of sections are distinct."""
    if not _studied(case):
        return
    catalogue, _ = _catalogue_and_tables(case)
    anchors = [section.anchor for section in catalogue.sections]
    if len(set(anchors)) < len(anchors):
        yield f"two sections of charts have the same anchor: {', '.join(anchors)}"
    for name, picture in catalogue.pictures.items():
        if name != RATINGS and picture.source not in catalogue.study.measures:
            yield f"the chart {name} draws {picture.source}, which is no measure of the game"


def check_report(case: Case) -> Iterator[str]:
    """Check that the report of the six games is written, and that it has a chart of every measure with figures."""
    if not _studied(case):
        return
    catalogue, tables = _catalogue_and_tables(case)
    rated = rate_players(tables, passes=2)
    with tempfile.TemporaryDirectory() as folder:
        written = write_report(tables, rated, Path(folder), catalogue=catalogue, pictures=False)
        text = written.page.read_text(encoding="utf-8")
    for name, measure in catalogue.study.measures.items():
        if measure.definition.split("\n")[0][:20] not in text and measure.title not in text:
            yield f"the measure {name} is not in the report"


STUDY_CHECKS: Final[dict[str, Check]] = {"measures": check_measures, "charts": check_charts, "report": check_report}
