"""Tables and measures of the Commons, checked by hand on two small games."""

import polars as pl
import pytest
from small_commons import SHORT, VOTED, record, tables, turn
from small_games import values

from measured import COMMONS
from ostrom.analysis import common_measures as common
from ostrom.analysis.common_measures import repaired_or_defaulted
from ostrom.analysis.comparison import compare
from ostrom.analysis.tables import pooled, without_defaulted
from ostrom.core import InputError, RecordError
from ostrom.games.commons import measures as conduct
from ostrom.games.commons import measures as outcomes
from ostrom.games.commons.measures import tables_of

BOTH = tables(VOTED, SHORT)


def test_games_and_seats():
    made = tables(VOTED)
    columns = ("game", "kind", "seats", "turns", "voting", "defaulted", "repaired", "answers")
    assert made.games.select(columns).rows() == [("g0", "commons", 3, 3, True, 1, 1, 8)]
    # Cid, voted out, keeps 400 and shares the first place with Ben.
    assert made.seats.rows() == [
        ("g0", 0, "ann", 300.0, 3.0, False, 3, 0, 0, 3, 0),
        ("g0", 1, "ben", 400.0, 1.5, False, 3, 1, 1, 3, 0),
        ("g0", 2, "cid", 400.0, 1.5, True, 2, 0, 0, 2, 0),
    ]


def test_every_turn_of_every_seat():
    columns = ("turn", "seat", "present", "held", "contribution", "lobby", "capital", "may_vote", "vote", "received")
    assert tables(VOTED).turns.select(*columns, "provenance").rows() == [
        (1, 0, True, 0.0, 1.0, 0.0, 100.0, True, None, 0, "answered"),
        (1, 1, True, 0.0, 0.5, 0.0, 150.0, True, 2, 0, "defaulted"),
        (1, 2, True, 0.0, 0.0, 0.0, 200.0, True, None, 1, "answered"),
        (2, 0, True, 100.0, 1.0, 0.0, 200.0, True, 2, 0, "answered"),
        (2, 1, True, 150.0, 0.5, -15.0, 290.0, True, 2, 0, "repaired"),
        (2, 2, True, 200.0, 0.0, 20.0, 400.0, True, None, 2, "answered"),
        (3, 0, True, 200.0, 0.5, 20.0, 300.0, False, None, 0, "answered"),
        (3, 1, True, 290.0, 0.0, 29.0, 400.0, False, None, 0, "answered"),
        (3, 2, False, 400.0, None, None, 400.0, False, None, 0, None),
    ]
    assert tables(VOTED).economy.select("turn", "seats", "synergy", "cooperation").rows() == [
        (1, 3, 1.8, 0.5),
        (2, 3, 1.9, 0.5),
        (3, 2, 2.0, 0.25),
    ]


def test_dust_of_the_arithmetic_makes_a_tie():
    made = tables(record(["a", "b"], turn([1.0, 1.0], [0.1 + 0.2, 0.3])))
    assert made.seats["final"].to_list() == [0.3, 0.3]
    assert made.seats["rank"].to_list() == [1.5, 1.5]


@pytest.mark.parametrize(
    ("measure", "found"),
    [
        # Ann ends with 300 and 80, ranks 3 and 2; Ben with 400 and 120, ranks 1.5 and 1.
        (common.mean_final, {"ann": 190.0, "ben": 260.0, "cid": 400.0}),
        (common.mean_rank, {"ann": 2.5, "ben": 1.25, "cid": 1.5}),
        # Gini of 300, 400, 400: 2·(100 + 100) / (2·3·1100) = 2/33; of 80, 120: 2·40 / (2·2·200) = 1/10.
        (common.inequality, {"ann": (2 / 33 + 0.1) / 2, "ben": (2 / 33 + 0.1) / 2, "cid": 2 / 33}),
        # Ann gives 1, 1, 0.5 and 1; Ben 0.5, 0.5, 0 and 0; Cid 0 and 0 before it is out.
        (conduct.contribution, {"ann": 3.5 / 4, "ben": 1.0 / 4, "cid": 0.0}),
        # With capital: Ann 0 of 100, 20 of 200; Ben 15 of 150, 29 of 290; Cid 20 of 200. The first turn has none.
        (conduct.lobbying, {"ann": 0.05, "ben": 0.1, "cid": 0.1}),
        # Votes in two turns of the first game: Ann casts 1, Ben 2, Cid none.
        (conduct.votes_cast, {"ann": 0.5, "ben": 1.0, "cid": 0.0}),
        (conduct.votes_received, {"ann": 0.0, "ben": 0.0, "cid": 1.5}),
        # A game of two has no vote and no part in it.
        (conduct.exclusion_rate, {"ann": 0.0, "ben": 0.0, "cid": 1.0}),
        # Ben: 2 of its 4 answers; nobody else's.
        (repaired_or_defaulted, {"ann": 0.0, "ben": 0.5, "cid": 0.0}),
    ],
)
def test_by_player(measure, found):
    assert values(measure(BOTH)) == pytest.approx(found)


def test_lobbying_has_a_direction():
    # Ben: (29 − 15) / (29 + 15).
    assert values(conduct.lobbying(BOTH), column="direction") == pytest.approx({"ann": 1.0, "ben": 14 / 44, "cid": 1.0})


def test_by_turn():
    assert values(conduct.cooperation_by_turn(BOTH), "turn") == pytest.approx({1: 2.5 / 5, 2: 0.5, 3: 0.25})
    assert values(outcomes.synergy_by_turn(BOTH), "turn") == pytest.approx({1: 1.8, 2: 1.9, 3: 2.0})
    capital = values(outcomes.capital_by_turn(BOTH), "player", "turn")
    assert capital[("ann", 1)] == 90.0
    assert capital[("cid", 3)] == 400.0
    given = values(conduct.contribution_by_turn(BOTH), "player", "turn")
    assert given[("ben", 1)] == 0.25
    assert ("cid", 3) not in given


def test_without_lobbying_and_voting_nothing_of_them_is_measured():
    bare = tables(record(["a", "b", "c"], *[turn([1, 1, 1], [9, 9, 9])] * 2, lobbying=False, voting=False))
    for measure in (conduct.lobbying, conduct.votes_cast, conduct.votes_received, conduct.exclusion_rate):
        assert measure(bare).height == 0


def test_without_defaulted_games():
    kept = without_defaulted(BOTH)
    assert [set(one["game"]) for one in (kept.games, kept.seats, kept.turns, kept.economy)] == [{"g1"}] * 4
    assert kept.left_out.as_record() == {
        "by": "games",
        "games": 1,
        "of_games": 2,
        "seats": 3,
        "of_seats": 5,
        "alone": 0,
        "players": ["cid"],
        "void": [],
        "apart": [],
    }
    assert kept.left_out.sentences() == [
        "Left out for defaulted answers: 1 of 2 games.",
        "Nothing is left of cid.",
    ]


def test_without_defaulted_seats_the_others_stay():
    kept = without_defaulted(BOTH, "seat")
    assert kept.seats.select("game", "player").rows() == [("g0", "ann"), ("g0", "cid"), ("g1", "ann"), ("g1", "ben")]
    assert set(kept.turns.filter(pl.col("game") == "g0")["player"]) == {"ann", "cid"}
    assert kept.economy.equals(BOTH.economy)
    # Ranks and inequality are those of the whole table, votes against Cid those of everybody.
    assert values(common.mean_rank(kept))["ann"] == 2.5
    assert values(common.inequality(kept))["cid"] == pytest.approx(2 / 33)
    assert values(conduct.votes_received(kept))["cid"] == 1.5
    # Who was left out still counts among the answers.
    assert kept.all_seats.equals(BOTH.seats)
    with pytest.raises(InputError, match="by 'game' or by 'seat', not by 'turn'"):
        without_defaulted(BOTH, "turn")


@pytest.mark.parametrize("name", COMMONS.measures)
def test_a_measure_is_defined_and_gives_what_it_says(name):
    measure = COMMONS.measures[name]
    assert measure.definition.endswith(".")
    for view in (BOTH, pooled(BOTH), without_defaulted(BOTH, "seat"), tables()):
        frame = measure.function(view)
        if not measure.by:
            assert frame.columns[-2:] == ["player", "value"]
            continue
        assert frame.columns[: len(measure.by) + 4] == [*measure.by, "value", "low", "high", "n"]
        assert frame.select(measure.by).is_duplicated().sum() == 0
    assert measure.function(tables()).height == 0


def test_two_experiments_are_compared():
    comparable = [measure for measure in COMMONS.measures.values() if measure.ratio]
    assert len(comparable) == len(COMMONS.measures) - 6
    for measure in comparable:
        frame = compare(BOTH, tables(VOTED, VOTED), measure)
        assert {"value", "low", "high", "a", "b"} <= set(frame.columns)
    with pytest.raises(InputError, match="final_strip cannot be compared"):
        compare(BOTH, BOTH, COMMONS.measures["final_strip"])


def test_other_games_are_passed_over_and_broken_ones_refused():
    assert tables(VOTED.model_copy(update={"game": "other"})).games.height == 0
    with pytest.raises(RecordError, match="does not reach the game's end"):
        tables(VOTED.model_copy(update={"events": VOTED.events[:-1]}))
    with pytest.raises(RecordError, match="'turn_played' has version 7"):
        tables(VOTED.model_copy(update={"events": [VOTED.events[0] | {"version": 7}]}))
    assert tables_of([("one", "e7", VOTED)]).games.select("game", "experiment").rows() == [("one", "e7")]


def test_the_direction_of_lobbying_is_never_beyond_one():
    """Whoever lobbies one way alone has an interval that ends there, whatever others do."""
    many = [
        record(
            ["ann", "ben", "cid"],
            turn([1, 1, 1], [90, 90, 90]),
            turn([1, 1, 1], [81, 81, 81], lobby=[9, -9, 9 if number % 2 else -3]),
        )
        for number in range(12)
    ]
    result = COMMONS.measures["lobbying"].function(tables(*many)).to_dicts()
    assert [(one["player"], one["direction"]) for one in result][:2] == [("ann", 1.0), ("ben", -1.0)]
    for one in result:
        assert -1 <= one["direction_low"] <= one["direction"] <= one["direction_high"] <= 1
