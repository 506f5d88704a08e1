"""Every chart of the report, in its order, with the measure that it draws. A chart is named like its measure."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import altair as alt
import polars as pl

from ostrom.charts import standings as leaderboard
from ostrom.charts.families import Cast
from ostrom.charts.theme import WIDTH, layered, styled
from ostrom.games.contribute_punish import charts as contributions
from ostrom.games.contribute_punish import charts as outcomes
from ostrom.games.contribute_punish import charts as punishment

Draw = Callable[[pl.DataFrame, Cast], alt.LayerChart]
RATINGS: Final = "trueskill"
"""The one chart that draws ratings and not a measure."""


@dataclass(frozen=True)
class Picture:
    """A chart of the report."""

    name: str
    heading: str
    """What it is about; what it shows is in the title that the drawing computes."""
    draw: Draw
    dots: bool = False
    """So many dots that a browser should paint them, and not keep each as an element."""
    measure: str = ""
    """The measure that it draws, where another chart of it bears its name."""

    @property
    def source(self) -> str:
        """The name of the table that it draws."""
        return self.measure or self.name


@dataclass(frozen=True)
class Section:
    """Charts that belong together."""

    anchor: str
    title: str
    pictures: tuple[Picture, ...]


SECTIONS: Final = (
    Section(
        "leaderboard",
        "Who does best",
        (
            Picture(RATINGS, "TrueSkill leaderboard", leaderboard.trueskill),
            Picture("median_final", "Median final tokens", leaderboard.median_final),
            Picture("mean_final", "Mean final tokens", leaderboard.mean_final),
            Picture("final_strip", "Final tokens, game by game", leaderboard.final_strip, dots=True),
        ),
    ),
    Section(
        "outcomes",
        "How games unfold",
        (
            Picture("balance_by_round", "Balance by round", outcomes.balance_by_round),
            Picture("rank_by_round", "Mean rank by round", outcomes.rank_by_round),
            Picture("partners_final", "Partners' final tokens", outcomes.partners_final),
            Picture("welfare", "Welfare", outcomes.welfare),
            Picture("inequality", "Inequality", outcomes.inequality),
        ),
    ),
    Section(
        "contributions",
        "What players give",
        (
            Picture(
                "aggregate_contribution_by_round",
                "Aggregate contribution by round",
                contributions.aggregate_contribution_by_round,
            ),
            Picture("contribution_tokens", "Mean contribution, tokens", contributions.contribution_tokens),
            Picture("contribution_percent", "Mean contribution, per cent", contributions.contribution_percent),
            Picture(
                "contribution_percent_by_round",
                "Contribution by round, per cent",
                contributions.contribution_percent_by_round,
            ),
            Picture(
                "contribution_percent_strip",
                "Every contribution, per cent",
                contributions.contribution_percent_strip,
                dots=True,
            ),
            Picture(
                "contribution_tokens_strip",
                "Every contribution, tokens",
                contributions.contribution_tokens_strip,
                dots=True,
            ),
            Picture("endgame_drop", "Endgame drop", contributions.endgame_drop),
            Picture("promise_keeping", "Promise keeping", contributions.promise_keeping),
        ),
    ),
    Section(
        "punishment",
        "Who punishes whom",
        (
            Picture(
                "aggregate_punishment_by_round",
                "Aggregate punishment by round",
                punishment.aggregate_punishment_by_round,
            ),
            Picture("punishment_spent_percent", "Punishment spent", punishment.punishment_spent_percent),
            Picture(
                "punishment_spent_percent_by_round",
                "Punishment spent by round",
                punishment.punishment_spent_percent_by_round,
            ),
            Picture("damage_received_percent", "Damage received", punishment.damage_received_percent),
            Picture("retaliation_rate", "Retaliation", punishment.retaliation_rate),
            Picture("unprovoked_punishment", "Unprovoked punishment", punishment.unprovoked_punishment),
            Picture("antisocial_punishment", "Antisocial punishment", punishment.antisocial_punishment),
        ),
    ),
)
PICTURES: Final = {picture.name: picture for section in SECTIONS for picture in section.pictures}


def drawn(picture: Picture, frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The chart of a measure's table; rows without a figure are left out, and with none left it says so."""
    known = frame.filter(pl.col("value").cast(pl.Float64).is_finite().fill_null(False))
    return picture.draw(known, cast) if len(known) else _empty(picture)


def _empty(picture: Picture) -> alt.LayerChart:
    blank = pl.DataFrame({"words": ["These games hold nothing to measure here."]})
    words = alt.Chart(blank).mark_text(fontSize=13, opacity=0.7).encode(text="words:N")
    return styled(layered(words).properties(width=WIDTH, height=60), title=f"{picture.heading}: no figures")
