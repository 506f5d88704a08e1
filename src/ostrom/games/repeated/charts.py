"""The charts of a repeated game's report: cooperation, reactions to the other player, and morality metrics."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import altair as alt
import polars as pl

from ostrom.analysis.measures import Measure
from ostrom.charts.catalogue import GameCharts, Measured
from ostrom.charts.families import Cast
from ostrom.charts.forms import LINES, Bars, Drawing, Lines, Picture, Section, bars
from ostrom.charts.lines import commonly_reached
from ostrom.charts.matrix import PairMatrix
from ostrom.charts.plain import plain_picture
from ostrom.charts.render import styled
from ostrom.charts.sentences import Most
from ostrom.charts.standings import LeaderboardColumn
from ostrom.charts.words import Unit, share
from ostrom.core.text import clean, number_of
from ostrom.games.repeated import REPEATED
from ostrom.games.repeated.matrices import PayoffMatrix
from ostrom.games.repeated.measures import MEASURES, RepeatedTables

FIRST: Final = "choose the first action"
"""The words for the first action in sentences. If all matrices use the same name for this action, the name replaces
them."""
ANSWER: Final = "answer other actions than the first with such actions"
"""The words for retaliation in sentences. If all matrices have two actions and use the same name for the second, the
name replaces them."""
MAX_ACTION: Final = 40
COOPERATES: Final = share("of rounds, first action")
RETALIATES: Final = share("of rounds after another action than the first, such an action")
FORGIVES: Final = share("of rounds after the other's return, first action")
SURPLUS: Final = Unit("points a round above the security level", decimals=2)


def _plain(name: str) -> Picture:
    measure: Measure[Any] = MEASURES.measures[name]
    return plain_picture(measure, "round")


def _without_interval(name: str, title: str) -> Picture:
    """Return a bar chart of a measure that has one value for all games together and no interval."""

    def chart_of(rows: pl.DataFrame, cast: Cast) -> alt.LayerChart:
        chart = bars(rows, cast, unit=Unit(MEASURES.measures[name].title, decimals=2))
        return styled(chart, title=title, subtitle="One figure of all games together, which has no interval.")

    return Drawing(name, MEASURES.measures[name].title, chart_of)


def _reached(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of those rounds that at least half of the games reached."""
    return commonly_reached(rows.rename({"round": "turn"})).rename({"turn": "round"})


_COOPERATION: Final = (
    Bars(
        "cooperation",
        "Cooperation",
        COOPERATES,
        "{first} chooses the first action in {high} of its rounds, {last} in {low}",
        "All choose the first action in {high} of their rounds",
        "The first action of the matrix: in a prisoner's dilemma, to cooperate.",
    ),
    Lines(
        "cooperation_by_round",
        "Cooperation by round",
        share("of games, first action", 0),
        "In round {when}, {first} chooses the first action in {high} of its games, {last} in {low}",
        "All choose the first action in {high} of their games in round {when}",
        f"{LINES} Drawn while at least half of the games are still on; the table has all rounds.",
        rows=_reached,
    ),
    _plain("first_round"),
    PairMatrix(
        "cooperation_by_partner",
        "Who cooperates with whom",
        COOPERATES,
        "{first} chooses the first action in {high} of its rounds, over all partners; {last} in {low}",
        "All choose the first action in {high} of their rounds, over all partners",
        "Share of rounds in which the player of a row chooses the first action with the player of a column. "
        "Pale: fewer than six games together.",
        whom="with",
    ),
)
_REACTIONS: Final = (
    Bars(
        "retaliation",
        "Retaliation",
        RETALIATES,
        "{first} avoids the first action in {high} of rounds after the other did, {last} in {low}",
        "All avoid the first action in {high} of rounds after the other did",
        "Rounds after one in which the other did not choose the first action: in a prisoner's dilemma, after a "
        "defection.",
    ),
    Bars(
        "forgiveness",
        "Forgiveness",
        FORGIVES,
        "{first} chooses the first action in {high} of rounds after the other's return to it, {last} in {low}",
        "All choose the first action in {high} of rounds after the other's return to it",
        "Rounds after one in which the other chose the first action, having chosen another before.",
        optional=True,
    ),
    *map(_plain, ("after_cc", "after_cd", "after_dc", "after_dd", "alternation")),
)
_MORALITY: Final = (
    Bars(
        "surplus",
        "Surplus",
        SURPLUS,
        "{first} gets {high} points a round above its security level, {last} {low}",
        "All get {high} points a round above their security level",
        "What a mixed strategy could make sure of is the security level.",
    ),
    _plain("cooperating_rating"),
    _without_interval("eigenjesus", "Eigenjesus: who cooperates with those who cooperate"),
    _without_interval("eigenmoses", "Eigenmoses: who also defects against those who defect"),
)


def _course(measured: Measured) -> list[str]:
    """Return a sentence on how often the first action was chosen in the first round."""
    rows = measured["first_round"]
    if not len(rows):
        return []
    weights = (pl.col("value") * pl.col("n")).sum() / pl.col("n").sum()
    mean = float(rows.select(weights).item() or 0.0)
    who = number_of(len(rows), "player")
    return [f"In the first round, these {who} {FIRST} in {100 * mean:.1f}% of their games."]


def _facts(tables: RepeatedTables) -> list[str]:
    """Return the matrix of the games, by its name or by the names of its actions, or the number of matrices."""
    names = tables.games["matrix"].unique().to_list()
    if len(names) != 1:
        return [f"{len(names)} matrices"]
    if not names[0].startswith("{"):
        return [clean(names[0], MAX_ACTION)]
    rows = ", ".join(clean(action, MAX_ACTION) for action in REPEATED.rules(matrix=names[0]).game.rows)
    return [f"a matrix with the actions {rows}"]


def _wording(tables: RepeatedTables) -> Callable[[str], str]:
    """Return a function that replaces `FIRST` and `ANSWER` in a sentence by the names of the first and the second
    action, if all matrices of these games use the same names."""
    matrices = [REPEATED.rules(matrix=name).game for name in tables.games["matrix"].unique().to_list()]
    first, second = (_common_name(matrices, place) for place in (0, 1))
    words = {FIRST: f"choose “{first}”" if first else f"{FIRST} of the matrix"}
    if second and all(matrix.two_by_two for matrix in matrices):
        words[ANSWER] = f"answer “{second}” with “{second}”"

    def worded(sentence: str) -> str:
        for general, own in words.items():
            verb, _, rest = general.partition(" ")
            own_verb, _, own_rest = own.partition(" ")
            sentence = sentence.replace(f"{verb}s {rest}", f"{own_verb}s {own_rest}").replace(general, own)
        return sentence

    return worded


def _common_name(matrices: Sequence[PayoffMatrix], place: int) -> str:
    """Return the name that all matrices use for this action of both sides. The name is empty if there are several."""
    names = {actions[place] for matrix in matrices for actions in (matrix.rows, matrix.columns)}
    return clean(names.pop(), MAX_ACTION) if len(names) == 1 else ""


CHARTS: Final[GameCharts[RepeatedTables]] = GameCharts(
    sections=(
        Section("cooperation", "Cooperation", _COOPERATION),
        Section("reactions", "How players answer each other", _REACTIONS),
        Section("morality", "Payoffs and morality metrics", _MORALITY),
    ),
    leaderboard=(
        LeaderboardColumn("cooperation", "first action", share("", 0)),
        LeaderboardColumn("surplus", "surplus", Unit("", decimals=2)),
    ),
    compared={
        "cooperation": COOPERATES,
        "first_round": share("of games, first action in round 1"),
        "retaliation": RETALIATES,
        "forgiveness": FORGIVES,
        "surplus": SURPLUS,
    },
    facts=_facts,
    course=_course,
    wording=_wording,
    mosts=(
        Most(
            "cooperation",
            "chooses the first action most often",
            "No player ever chooses the first action",
            f"All {FIRST} equally often",
        ),
        Most(
            "retaliation",
            f"{ANSWER.replace('answer', 'answers', 1)} most often",
            f"No player ever {ANSWER.replace('answer', 'answers', 1)}",
            f"All {ANSWER} equally often",
        ),
    ),
)
"""The charts of repeated games, in addition to those that all games have."""
