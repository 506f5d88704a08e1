"""Charts of a tournament: how often each player won, and what it ended with."""

import altair as alt
import polars as pl

from ostrom.charts.families import Cast
from ostrom.charts.forms import bars
from ostrom.charts.palette import built_in_of
from ostrom.charts.render import styled
from ostrom.charts.words import ends, figures, share
from ostrom.core.finding import Finding
from ostrom.journal.names import PlayerNames


def win_bars(finding: Finding) -> alt.LayerChart:
    """Draw the share of its games that each player won."""
    frame, cast = _bars_of(finding, "win_rate")
    unit = share("wins, ties shared")
    title = ends(frame, cast, unit).filled("{first} wins most often, {high} of its games", "All players win as often")
    return styled(bars(frame, cast, unit=unit), title=title, subtitle=f"{_subtitle(finding)} Lines: 95% intervals.")


def final_bars(finding: Finding) -> alt.LayerChart:
    """Draw what players ended with on average."""
    assert finding.game is not None
    frame, cast = _bars_of(finding, "mean")
    counted = figures(frame, f"mean {finding.game.unit}".strip(), mean=True)
    higher = finding.game.better == "higher"
    ahead = "{first} ends with most, {high} on average" if higher else "{last} ends with least, {low}"
    title = ends(frame, cast, counted).filled(ahead, "All players end with the same")
    drawing = bars(frame, cast, unit=counted, ascending=not higher)
    return styled(drawing, title=title, subtitle=f"{_subtitle(finding)} Lines: 95% intervals.")


def _bars_of(finding: Finding, measure: str) -> tuple[pl.DataFrame, Cast]:
    """Return one measure of the standings by player, and the players' looks."""
    assert finding.game is not None
    standings = finding.tables["standings"].rename({"games": "n"})
    names = standings["player"].unique(maintain_order=True).to_list()
    cast = Cast.of(
        names, names=PlayerNames.of_players(names).all_of(names), built_in=built_in_of(finding.game.name) or names
    )
    return standings.filter(pl.col("measure") == measure).drop_nulls("value"), cast


def _subtitle(finding: Finding) -> str:
    """Return the number of games, the tables and the seed."""
    return finding.summary.partition(" players, ")[2].partition(". ")[0].rstrip(".") + "."
