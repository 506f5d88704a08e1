"""The sentences of a report name a leader only where there is one."""

from dataclasses import replace

import polars as pl
import pytest
from chart_tables import per_player, small_tables, total

from measured import PUNISH_CHARTS
from ostrom.charts.families import Cast
from ostrom.charts.standings import Standing

NAMES = ["alpha", "beta", "gamma"]
CAST = Cast.of(NAMES)
TOPS = ("contribution_percent", "punishment_spent_percent", "retaliation_rate")


def said(values, skills=(10.0, 9.0, 8.0)):
    """The report in a few sentences, where players reach these values in every measure."""
    frame = per_player(NAMES).with_columns(value=pl.Series(values, dtype=pl.Float64))
    measured = {"mean_final": frame, "aggregate_contribution_by_round": total()} | dict.fromkeys(TOPS, frame)
    standings = [Standing(name, mu, 0.5, 3, 1) for name, mu in zip(NAMES, skills, strict=True)]
    return " ".join(PUNISH_CHARTS.sentences(small_tables(), standings, measured, CAST))


def test_who_does_most_is_named_with_its_interval():
    text = said([0.5, 0.4, 0.3])
    assert "alpha has the highest rating, μ 10.00" in text
    assert "The games tell nobody apart." in text
    assert "alpha spends the largest part of its balance on punishing: 50.0% (67.5% to 82.5%)." in text


def test_one_game_is_no_games():
    tables = small_tables()
    assert PUNISH_CHARTS.facts(tables).startswith(f"{len(tables.games)} games of Contribute & Punish, ")
    assert PUNISH_CHARTS.facts(replace(tables, games=tables.games.head(1))).startswith(
        "1 game of Contribute & Punish, "
    )


def test_those_who_share_the_first_place_are_named_together():
    assert "alpha (and beta) strikes back most often: 50.0%." in said([0.5, 0.5, 0.3])


def test_where_nobody_does_it_nobody_is_named():
    text = said([0.0, 0.0, 0.0])
    for sentence in ("Nobody gives anything.", "Nobody spends anything on punishing.", "Nobody strikes back."):
        assert sentence in text
    assert "largest" not in text


def test_where_all_do_it_alike_nobody_is_named():
    # A sum in another order differs by its last bit.
    text = said([0.1 + 0.2, 0.3, 0.3])
    for sentence in (
        "All give the same part of their balance: 30.0%.",
        "All spend the same part of their balance on punishing: 30.0%.",
        "All who are punished strike back equally often: 30.0%.",
        "Games end with 0.3 tokens on average.",
    ):
        assert sentence in text
    assert "largest" not in text


@pytest.mark.parametrize("skills", [(10.0, 10.0, 10.0), (10.0, 10.0, 10.0 - 1e-14)])
def test_equal_ratings_have_no_leader(skills):
    text = said([0.5, 0.4, 0.3], skills)
    assert "Nobody leads the ratings: all 3 players are equal, at μ 10.00." in text
    assert "leads the ratings with" not in text
