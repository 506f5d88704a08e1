"""The measures of some games, each computed when it is first wanted and then kept."""

from collections.abc import Iterator, Mapping

import polars as pl

from ostrom.analysis.chosen import NothingLeft
from ostrom.charts.standings import Standing, standings_of, with_answers
from ostrom.web.queries.filters import Chosen
from ostrom.web.queries.ratings import ratings_of
from ostrom.web.service import Service


class Measured(Mapping[str, pl.DataFrame]):
    """All measures of the chosen games by their names; whoever reads one pays for that one alone."""

    def __init__(self, service: Service, chosen: Chosen) -> None:
        self._findings, self._chosen = service.findings, chosen

    def __getitem__(self, name: str) -> pl.DataFrame:
        measure, tables = self._chosen.kind.measures[name], self._chosen.tables
        return self._findings.kept(("measure", name, self._chosen.key), lambda: measure.function(tables))

    def __iter__(self) -> Iterator[str]:
        return iter(self._chosen.kind.measures)

    def __len__(self) -> int:
        return len(self._chosen.kind.measures)


def standings(service: Service, chosen: Chosen) -> list[Standing]:
    """The leaderboard as charts draw it; empty where there is nobody to compare."""
    try:
        return with_answers(standings_of(ratings_of(service, chosen)), chosen.tables)
    except NothingLeft:
        return []
