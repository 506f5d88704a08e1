"""The verb `market`. It shows counts, sums and means of the sealed markets in a journal: the figures by which an import
is checked against its source, and those that public benchmarks of markets report."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import polars as pl
from pydantic import Field

from ostrom.analysis.study import NothingLeft
from ostrom.charts.families import write_csv
from ostrom.core.finding import INTEGER, Column, Finding, Format, Row, Table, decimals
from ostrom.core.settings import Display, Settings
from ostrom.core.text import number_of
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.games.market.bargaining import BARGAINING
from ostrom.games.market.csa import CsaReference, read_reference
from ostrom.games.market.double_auction import DOUBLE_AUCTION
from ostrom.games.market.figures import MarketFigures, MarketFilter, group_of, lines_of
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal

_TITLES: Final = {game.name: game.title for game in (DOUBLE_AUCTION, BARGAINING)}
_FORMATS: Final = {
    "counts": INTEGER,
    "sums": Format(",.10g"),
    "shares": decimals(4),
    "means": decimals(2),
    "means of 3": decimals(3),
}
"""The formats of the kinds of figures."""


class MarketSettings(Settings):
    """Settings of the command `market`."""

    experiment: Annotated[str | None, Display(form="EXPERIMENT")] = Field(
        None, description="Only this experiment's games, by id or name."
    )
    distribution: Annotated[str | None, Display(form="NAME")] = Field(
        None, description="Only games whose values come from this distribution."
    )
    models_only: bool = Field(False, description="Only games without algorithms, as their logs say.")
    first: Annotated[int | None, Display(form="ROUNDS")] = Field(
        None, ge=1, description="Only the first rounds of each game."
    )
    csa_reference: Annotated[Path | None, Display(form="FILE.json")] = Field(
        None, description="A table of the reference of CSα: compute the CSα of imported games and compare."
    )
    scores: Annotated[Path | None, Display(form="FILE.csv")] = Field(
        None, description="Write the CSα of each seat of imported games, for 'ostrom ratings --from'."
    )


@verb("market", keeps=False, group="analyse")
def market(store: str | None, settings: MarketSettings, reporter: Reporter = SILENT) -> Finding:
    """Count trades, prices, surplus, losses and prices above competition in the sealed markets of the journal."""
    reference = None if settings.csa_reference is None else read_reference(settings.csa_reference)
    scores: list[tuple[str, str, float]] = []
    with open_journal(store) as journal:
        groups = _figures(journal, settings, reference, reporter, scores)
    if not groups:
        raise NothingLeft("there are no finished sealed markets to describe")
    if settings.scores is not None:
        frame = pl.DataFrame(scores, schema={"game": pl.String, "player": pl.String, "score": pl.Float64}, orient="row")
        write_csv(frame, settings.scores)
        reporter.note(f"wrote the CSα of {number_of(frame.height, 'seat')} to {settings.scores}")
    return Finding(
        verb="market",
        title="Sealed markets",
        facts={"markets": [{"group": name, **dict(_values(figures))} for name, figures in groups.items()]},
        parts=[_table(groups)],
        result=groups,
    )


def _figures(
    journal: Journal,
    settings: MarketSettings,
    reference: CsaReference | None,
    reporter: Reporter,
    scores: list[tuple[str, str, float]],
) -> dict[str, MarketFigures]:
    """Return the figures of each group of games, the first imported first, and add the CSα of seats to `scores`."""
    filter_ = MarketFilter(settings.distribution, settings.models_only, settings.first)
    groups: dict[tuple[str, int, bool], MarketFigures] = {}
    with reporter.bar("games", None) as advance:
        for kept in journal.records(settings.experiment):
            advance()
            chosen = filter_.chosen(kept.record) if kept.record.game in _TITLES else None
            if chosen is None:
                continue
            figures = groups.setdefault(group_of(kept.record), MarketFigures(reference))
            figures.add(chosen)
            if settings.scores is not None:
                players = [seat.player for seat in kept.record.seats]
                scores.extend((kept[0], players[seat], csa) for seat, csa, _ in chosen.scores(None))
    return {_name(*group): figures for group, figures in groups.items()}


def _name(game: str, seats: int, talks: bool) -> str:
    return f"{_TITLES[game]}, {seats} seats, {'talk' if talks else 'silent'}"


def _values(figures: MarketFigures) -> Iterator[tuple[str, float | int | None]]:
    for _, name, value in lines_of(figures):
        yield name, value


def _table(groups: dict[str, MarketFigures]) -> Table:
    """Return a table with a row for each figure and a column for each group."""
    formats: dict[str, Format] = {}
    rows: dict[str, dict[str, Any]] = {}
    for group, figures in groups.items():
        for kind, name, value in lines_of(figures):
            formats[name] = _FORMATS[kind]
            rows.setdefault(name, {"figure": name})[group] = value

    def column(group: str) -> Column:
        def cell(row: Row) -> str:
            return formats[row["figure"]](row.get(group))

        return Column(group, group, number=True, cell=cell)

    caption = (
        "Deviations are from the competitive price, the midpoint of the two middle values and costs. Above and below: "
        "beyond the upper and the lower of these two."
    )
    columns = [Column("figure", "figure"), *map(column, groups)]
    return Table("figures", columns, list(rows.values()), title="Sealed markets", caption=caption, in_json=False)
