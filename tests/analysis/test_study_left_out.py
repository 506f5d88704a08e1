"""Exclusions are counted and reported, and shares of answers still include them."""

from dataclasses import replace

import pytest
from small_games import record, tables, turn

from measured import PICTURES, PUNISH, PUNISH_CHARTS
from ostrom.analysis.leaderboard import leaderboard, rate_players
from ostrom.analysis.left_out import Exclusions
from ostrom.analysis.rating_settings import USUAL
from ostrom.analysis.tables import answers_by_player, without_defaulted
from ostrom.charts.catalogue import draw_picture
from ostrom.charts.families import Cast
from ostrom.charts.standings import RATINGS, measured_columns, ratings_frame, standings_of
from ostrom.core import InputError

ANN_ALONE = record(
    ["ann", "ben", "cid"],
    turn([5, 3, 5]),
    provenance={(1, 1, "contribution"): "defaulted", (1, 2, "contribution"): "defaulted"},
)
CLEAN = record(["ann", "ben", "dee"], turn([1, 2, 3]), provenance={(1, 0, "contribution"): "repaired"})
LOGGED = record(["eve", "ben", "dee"], turn([1, 2, 3]), provenance={(1, 0, "contribution"): "imported"})
ALL = tables(ANN_ALONE, CLEAN, LOGGED)


def test_seats_are_counted_and_a_seat_left_alone_is_told():
    kept = without_defaulted(ALL, "seat")
    assert kept.left_out == Exclusions("seat", 0, 3, 2, 9, 1, ("cid",))
    assert kept.left_out.sentences(str.upper) == [
        "Left out for defaulted answers: 2 of 9 seats; the other seats of their games stay.",
        "1 game with one seat left cannot be rated.",
        "Nothing is left of CID.",
    ]


def test_nothing_left_out_is_not_talked_about():
    assert ALL.left_out.sentences() == []
    assert ALL.left_out.as_record()["by"] is None


def test_many_void_games_are_counted_and_some_named():
    said = Exclusions(void=tuple(f"p-1.{number}" for number in range(1, 8))).sentences()
    assert said == ["7 void games left out (p-1.1, p-1.2, p-1.3, p-1.4, p-1.5 and 2 more)."]


def test_the_share_of_answers_counts_what_was_left_out_and_knows_nothing_of_imports():
    for view in (ALL, without_defaulted(ALL, "seat"), without_defaulted(ALL)):
        shares = {name: (one.defaulted_share, one.repaired_share) for name, one in answers_by_player(view).items()}
        assert shares == {"ann": (0, 0.5), "ben": (1 / 3, 0), "cid": (1, 0), "dee": (0, 0), "eve": (None, None)}


def test_a_rating_compares_the_seats_that_are_left():
    rated = {one.rating.name: one for one in rate_players(ALL, passes=5, draw_probability=0.1)}
    assert {name: one.rating.games for name, one in rated.items()} == {"ann": 2, "ben": 3, "cid": 1, "dee": 2, "eve": 1}
    kept = {
        one.rating.name: one for one in rate_players(without_defaulted(ALL, "seat"), passes=5, draw_probability=0.1)
    }
    assert {name: one.rating.games for name, one in kept.items()} == {"ann": 1, "ben": 2, "dee": 2, "eve": 1}
    assert kept["ben"].as_record()["defaulted"] == pytest.approx(1 / 3)
    assert kept["eve"].as_record()["defaulted"] is None
    with pytest.raises(InputError, match="no game has two seats without"):
        rate_players(without_defaulted(tables(ANN_ALONE), "seat"), passes=5, draw_probability=0.1)


def test_the_leaderboard_shows_the_shares_and_what_nobody_knows():
    names = ["ann", "ben", "dee", "eve"]
    rated = {one.rating.name: one for one in rate_players(ALL, passes=2, draw_probability=0.1)}
    result = {one.name: one for one in standings_of(list(rated.values()))}
    standings = [replace(result[name], mu=10.0 - place, tier=1) for place, name in enumerate(names)]
    measured = {name: measure.function(ALL) for name, measure in PUNISH.measures.items()}
    beside = measured_columns(PUNISH_CHARTS.leaderboard, measured)
    board = leaderboard([rated[name] for name in names], USUAL, 3, unit="tokens", measured=beside).frame
    assert set(measured) & set(board.columns) == {"mean_final", *(column.name for column, _ in beside)}
    assert board["defaulted"].to_list() == [0, 1 / 3, 0, None]
    assert board["repaired"].to_list() == [0.5, 0, 0, None]
    chart = draw_picture(PICTURES[RATINGS], ratings_frame(standings), Cast.of(names)).to_dict()
    notes = [row["note"] for row in next(iter(chart["datasets"].values()))]
    assert [note.rpartition("·")[2].strip() for note in notes] == ["0.0%", "33.3%", "0.0%", "–"]
    unknown = draw_picture(PICTURES[RATINGS], ratings_frame(standings[3:]), Cast.of(names)).to_dict()
    assert "Share of defaulted answers: –" in " ".join(unknown["title"]["subtitle"])
