"""The sentences of a report name a leader only where there is one."""

from dataclasses import replace

import polars as pl
import pytest
from chart_tables import per_player, small_tables, total

from measured import PUNISH_CHARTS
from ostrom.analysis.leads import Lead
from ostrom.analysis.ratings import Placement
from ostrom.charts.families import Cast
from ostrom.charts.sentences import leader, most_of
from ostrom.charts.standings import PlayerStanding
from ostrom.core.estimates import Estimate

NAMES = ["alpha", "beta", "gamma"]
CAST = Cast.of(NAMES)
TOPS = ("contribution_percent", "punishment_spent_percent", "retaliation_rate")
STRIKES = PUNISH_CHARTS.own.mosts[2]
UNTESTED = (Estimate(0.0), None, False)
ONE_OF_THREE = "1 of 3 pairs of players is told apart."
FIRST = Lead("alpha", (), 3, 3)


def frame_of(values):
    """The table of a measure in which players reach these values."""
    return per_player(NAMES).with_columns(value=pl.Series(values, dtype=pl.Float64))


def said(values, skills=(10.0, 9.0, 8.0), games=30):
    """The report in a few sentences, where players reach these values in every measure."""
    frame = frame_of(values)
    measured = {"mean_final": frame, "aggregate_contribution_by_round": total()} | dict.fromkeys(TOPS, frame)
    standings = [
        PlayerStanding(name, mu, 0.5, games, 1, provisional=games < 10, place=Placement(name, 1, (1, 3), *UNTESTED))
        for name, mu in zip(NAMES, skills, strict=True)
    ]
    return " ".join(PUNISH_CHARTS.sentences(small_tables(), standings, measured, CAST))


def test_who_does_most_is_named_with_its_interval():
    told = most_of(frame_of([0.5, 0.4, 0.3]), STRIKES, CAST, FIRST)
    assert told == "alpha retaliates most often: 50.0% (67.5% to 82.5%)."


def test_who_is_not_told_apart_from_another_does_not_lead():
    told = most_of(frame_of([0.5, 0.4, 0.3]), STRIKES, CAST, replace(FIRST, rivals=("beta", "gamma")))
    assert told == (
        "Who retaliates most often cannot be told: alpha is first with 50.0% (67.5% to 82.5%), and is not told apart "
        "from beta (and gamma)."
    )
    some = most_of(frame_of([0.5, 0.4, 0.3]), STRIKES, CAST, replace(FIRST, compared=2))
    assert some == "alpha retaliates most often of the 2 players with enough games: 50.0% (67.5% to 82.5%)."


def test_nothing_is_said_of_too_few_games():
    assert most_of(frame_of([1.0, 0.4, 0.3]), STRIKES, CAST, None) == ""
    # These tables hold three games.
    text = said([0.5, 0.4, 0.3])
    assert "most often" not in text
    assert "the most tokens" not in text
    assert "By places within these games, not by amounts, alpha has the highest rating, μ 10.00" in text
    assert "By order-free strength, none of 3 pairs of players is told apart." in text


@pytest.mark.parametrize(
    ("ranks", "behind", "told"),
    [
        (
            ((1, 2), (1, 3), (2, 3)),
            ("gamma",),
            "1 of 3 pairs of players is told apart. Not told apart from alpha: beta.",
        ),
        (((1, 3), (1, 2), (2, 3)), (), f"{ONE_OF_THREE} No player is told apart from alpha."),
        (((1, 1), (2, 3), (2, 3)), ("beta", "gamma"), "2 of 3 pairs of players are told apart."),
    ],
    ids=["one", "none", "all"],
)
def test_the_leader_is_named_with_the_players_not_told_apart_from_it(ranks, behind, told):
    standings = [
        PlayerStanding(
            name, 20.0 - place, 0.5, 30, 1, place=Placement(name, 1, own, *UNTESTED, behind_leader=name in behind)
        )
        for place, (name, own) in enumerate(zip(NAMES, ranks, strict=True))
    ]
    text = leader(standings, CAST)
    assert text.endswith(f"By order-free strength, {told}")
    assert ("leads the ratings" in text) == (len(behind) == 2)


def test_provisional_ratings_have_no_leader():
    text = said([0.5, 0.4, 0.3], games=3)
    assert "No player leads the ratings: all have fewer than 10 games" in text
    assert "highest rating" not in text


def test_one_game_is_no_games():
    tables = small_tables()
    assert PUNISH_CHARTS.facts(tables).startswith(f"{len(tables.games)} games of Contribute & Punish, ")
    assert PUNISH_CHARTS.facts(replace(tables, games=tables.games.head(1))).startswith(
        "1 game of Contribute & Punish, "
    )


def test_where_nobody_does_it_nobody_is_named():
    assert most_of(frame_of([0.0, 0.0, 0.0]), STRIKES, CAST, FIRST) == "No player retaliates."


def test_where_all_do_it_alike_nobody_is_named():
    # A sum in another order differs by its last bit.
    alike = [0.1 + 0.2, 0.3, 0.3]
    told = most_of(frame_of(alike), STRIKES, CAST, FIRST)
    assert told == "All who are punished retaliate equally often: 30.0%."
    assert "Games end with 0.3 tokens on average." in said(alike)


@pytest.mark.parametrize("skills", [(10.0, 10.0, 10.0), (10.0, 10.0, 10.0 - 1e-14)])
def test_equal_ratings_have_no_leader(skills):
    text = said([0.5, 0.4, 0.3], skills)
    assert "No player leads the ratings: all 3 players are equal, at μ 10.00." in text
    assert "leads the ratings with" not in text
