"""Fischbacher and Gächter 2010: types by a schedule of conditional contributions, and ten rounds of a public good among
strangers. Every group of a round is replayed as a game of one round."""

from pathlib import Path
from typing import Any, Final

import polars as pl

from ostrom.core import RecordError
from ostrom.games.contributions.events import RoundPaid
from ostrom.games.contributions.play import CONTRIBUTION
from ostrom.importers.studies.groups import replay_group
from ostrom.importers.studies.published import (
    PublishedStudy,
    ReplayedGame,
    StudyFigure,
    StudyReading,
    find_file,
    mean_of,
    read_rows,
)

NAME: Final = "fischbacher-2010"
_TYPES: Final = {1: "conditional cooperators", 2: "free riders", 3: "triangle", 4: "other"}
_SCHEDULE: Final = tuple(f"b{others}" for others in range(21))
_CENTS: Final = 1e-9


def read(folder: Path, whole: bool) -> StudyReading:
    """Return contributions, beliefs and schedules, their figures, and the replayed groups."""
    path = find_file(folder, ("fg2010.csv",))
    columns = ("session", "player", "period", "preftype", "belief", "cont", "group", "profit")
    rows = read_rows(path, (*columns, *_SCHEDULE))
    table = rows.select(
        (pl.col("session") + "-" + pl.col("player")).alias("person"),
        pl.col("session").cast(pl.Int64),
        pl.col("period").cast(pl.Int64).alias("round"),
        pl.col("group"),
        pl.col("preftype").cast(pl.Int64).replace_strict(_TYPES, return_dtype=pl.String).alias("type"),
        pl.col("belief").cast(pl.Float64, strict=False),
        pl.col("cont").cast(pl.Int64).alias("contribution"),
        pl.col("profit").cast(pl.Float64),
        *(pl.col(name).cast(pl.Float64, strict=False) for name in _SCHEDULE),
    ).sort("session", "round", "group", "person")
    reading = StudyReading({"decisions": table}, _figures(table))
    paid = 0
    games = []
    for (session, round_, group), own in table.group_by("session", "round", "group", maintain_order=True):
        key = f"session {session}, round {round_}, group {group}"
        try:
            match = _replay(own)
        except RecordError as error:
            reading.mismatches.append(f"{key}: {error}")
            continue
        outcomes = next(event.outcomes for event in match.events if isinstance(event, RoundPaid))
        equal = [abs((ours or 0.0) - theirs) < _CENTS for ours, theirs in zip(outcomes, own["profit"], strict=True)]
        paid += sum(equal)
        if all(equal):
            games.append(ReplayedGame(key, match, path.name))
        else:
            reading.mismatches.append(f"{key}: the profits are not those of the rules")
    reading.games = games
    reading.figures.append(StudyFigure("profits replayed", paid))
    reading.notes.append("Groups are drawn anew in every round, so each group of a round is a game.")
    return reading


def _replay(own: pl.DataFrame) -> Any:
    answers = {(1, CONTRIBUTION, seat): amount for seat, amount in enumerate(own["contribution"])}
    settings = {"preset": "fischbacher-gaechter-2010", "rounds": 1}
    return replay_group(settings, own["person"].to_list(), answers)


def _figures(table: pl.DataFrame) -> list[StudyFigure]:
    people = table.unique("person")
    types = [
        StudyFigure(f"share of {name}", float((people["type"] == name).mean()), people.height)  # type: ignore[arg-type]
        for name in _TYPES.values()
    ]
    rounds = [
        mean_of(f"mean contribution in round {round_}", table.filter(pl.col("round") == round_)["contribution"])
        for round_ in sorted(table["round"].unique())
    ]
    return [StudyFigure("people", people.height), StudyFigure("seat-rounds", table.height), *types, *rounds]


STUDY: Final = PublishedStudy(
    NAME,
    "Public goods with conditional contributions",
    "Fischbacher and Gächter 2010",
    "no terms stated with the file; read from a folder only",
    read,
)
