"""Every measure on games that can be computed by hand."""

import pytest
from small_games import record, tables, turn, values

from measured import MEASURES
from ostrom.games.contribute_punish.measures import full_cooperation

# Round 1: pot 30, grown 48, share 16: 26, 16, 36. Round 2: pot 16, grown 25, share 8, carry 1: 24, 18, 44;
# Ben spends 2 on Ann: 18, 16, 44. Round 3: pot 1 + 18, grown 30, share 10: 10, 26, 54; Ann spends 1 on Ben: 9, 23, 54.
ONE = record(
    ["ann", "ben", "cid"],
    turn([10, 20, 0]),
    turn([10, 6, 0], punish=[(1, 0, 2)]),
    turn([18, 0, 0], punish=[(0, 1, 1)]),
)
# Pot 40, grown 64, share 21, carry 1: 41, 21, 21; then the carry alone: pot 1, grown 1, share 0.
TWO = record(["cid", "ann", "ann"], turn([0, 20, 20]), turn([0, 0, 0]))


def measured(name, *records, keys=(), column="value"):
    return values(MEASURES[name].function(tables(*records)), *(keys or ("player",)), column=column)


def test_the_games_are_what_the_comments_say():
    made = tables(ONE, TWO)
    assert made.seats["final"].to_list() == [9, 23, 54, 41, 21, 21]


def test_mean_median_and_partners_final_tokens():
    assert measured("mean_final", ONE, TWO) == {"ann": 17, "ben": 23, "cid": 47.5}
    assert measured("median_final", ONE, TWO) == {"ann": 21, "ben": 23, "cid": 47.5}
    # Ann's partners: 23 and 54; Cid and the other Ann, twice. Cid's: 9 and 23; 21 and 21.
    partners = measured("partners_final", ONE, TWO)
    assert partners == {"ann": (23 + 54 + 2 * (41 + 21)) / 6, "ben": (9 + 54) / 2, "cid": (9 + 23 + 42) / 4}


def test_final_strip_has_every_seat():
    assert MEASURES["final_strip"].function(tables(TWO))["value"].to_list() == [41, 21, 21]


def test_balances_and_ranks_start_at_round_0():
    balances = measured("balance_by_round", ONE, keys=("player", "round"))
    assert [balances["ann", number] for number in range(4)] == [20, 26, 18, 9]
    ranks = measured("rank_by_round", ONE, keys=("player", "round"))
    assert [ranks["ann", number] for number in range(4)] == [2, 2, 2, 3]
    assert [ranks["cid", number] for number in range(4)] == [2, 1, 1, 1]


def test_a_game_that_is_over_has_no_part_in_later_rounds():
    balances = measured("balance_by_round", ONE, TWO, keys=("player", "round"))
    assert balances["cid", 2] == (44 + 41) / 2
    assert balances["cid", 3] == 54


def test_contributions():
    aggregate = measured("aggregate_contribution_by_round", ONE, keys=("round",))
    assert aggregate == pytest.approx({1: 30 / 60, 2: 16 / 78, 3: 18 / 78})
    assert measured("contribution_tokens", ONE) == pytest.approx({"ann": 38 / 3, "ben": 26 / 3, "cid": 0})
    percent = measured("contribution_percent", ONE)
    assert percent == pytest.approx({"ann": (1 / 2 + 10 / 26 + 1) / 3, "ben": (1 + 6 / 16) / 3, "cid": 0})
    assert measured("contribution_percent_mean_of_ratios", ONE) == pytest.approx(percent)  # one seat a round each
    pooled = measured("contribution_percent_pooled", ONE)
    assert pooled == pytest.approx({"ann": 38 / 64, "ben": 26 / 52, "cid": 0})
    by_round = measured("contribution_percent_by_round", ONE, keys=("player", "round"))
    assert by_round["ben", 2] == pytest.approx(6 / 16)
    assert len(by_round) == 9


def test_contribution_percent_is_the_mean_over_rounds_of_sums_by_sums():
    # In round 1 a gives 10 of 20 in one game and 20 of 20 in the other; in round 2 it holds 15 and 32.
    one = record(["a", "b", "c"], turn([10, 0, 0]), turn([15, 0, 0]))
    two = record(["a", "b", "c"], turn([20, 20, 20]), turn([0, 0, 0]))
    first, second = 10 + 5, 32
    assert measured("contribution_percent", one, two)["a"] == pytest.approx((30 / 40 + 15 / (first + second)) / 2)
    ratios = measured("contribution_percent_mean_of_ratios", one, two)["a"]
    assert ratios == pytest.approx((10 / 20 + 15 / first + 1 + 0) / 4)
    by_round = measured("contribution_percent_by_round", one, two, keys=("player", "round"))
    assert by_round["a", 1] == 30 / 40


def test_damage_is_taken_from_the_balance_before_the_first_hit():
    # All hold 20 after the fund. a pays for its own punishment after it was hit, b before: 6 of 16.
    game = record(["a", "b", "c"], turn([0, 0, 0], punish=[(1, 0, 4), (0, 1, 1), (2, 1, 1)]))
    assert measured("damage_received_percent", game) == pytest.approx({"a": 12 / 20, "b": 6 / 16, "c": 0})


def test_a_seat_with_nothing_has_no_percentage_but_has_tokens():
    broke = record(["a", "b", "c"], turn([0, 0, 0]), start=0)
    assert MEASURES["contribution_percent"].function(tables(broke)).height == 0
    assert MEASURES["contribution_percent_strip"].function(tables(broke)).height == 0
    assert measured("contribution_tokens", broke) == {"a": 0, "b": 0, "c": 0}
    assert measured("punishment_spent_percent", broke) == {"a": 0, "b": 0, "c": 0}


def test_contribution_strips_have_every_decision():
    strip = MEASURES["contribution_tokens_strip"].function(tables(ONE))
    assert strip["value"].to_list() == [10, 20, 0, 10, 6, 0, 18, 0, 0]
    part = MEASURES["contribution_percent_strip"].function(tables(ONE))
    assert part["value"].to_list() == pytest.approx([0.5, 1, 0, 10 / 26, 6 / 16, 0, 1, 0, 0])


def test_punishment_and_damage():
    aggregate = measured("aggregate_punishment_by_round", ONE, keys=("round",))
    assert aggregate == pytest.approx({1: 0, 2: 2 / 78, 3: 1 / 78})
    assert measured("punishment_spent_percent", ONE) == pytest.approx({"ann": 1 / 10 / 3, "ben": 2 / 18 / 3, "cid": 0})
    assert measured("damage_received_percent", ONE) == pytest.approx({"ann": 6 / 24 / 3, "ben": 3 / 26 / 3, "cid": 0})
    by_round = measured("punishment_spent_percent_by_round", ONE, keys=("player", "round"))
    assert by_round["ben", 2] == pytest.approx(2 / 16)
    assert by_round["ben", 3] == 0


def test_retaliation_is_an_answer_in_the_next_round_to_that_punisher():
    game = record(
        ["a", "b", "c"],
        turn([0, 0, 0], punish=[(1, 0, 1), (2, 0, 1)]),  # a suffers two, and answers one of them
        turn([0, 0, 0], punish=[(0, 1, 1)]),  # b suffers one, and answers too late
        turn([0, 0, 0], punish=[(0, 2, 1)]),  # c suffers one and answers it
        turn([0, 0, 0], punish=[(1, 0, 1), (2, 0, 1)]),  # the last round cannot be answered
    )
    assert measured("retaliation_rate", game) == {"a": 1 / 2, "b": 0, "c": 1}


def test_who_never_suffered_has_no_retaliation_rate():
    # Ben's punishment came in the last round, so he could not have answered.
    assert measured("retaliation_rate", ONE) == {"ann": 1}


def test_retaliation_stands_beside_how_often_a_seat_hits_one_that_did_not_hit_it():
    game = record(
        ["a", "b", "c"],
        turn([0, 0, 0], punish=[(1, 0, 1)]),
        turn([0, 0, 0], punish=[(0, 2, 1), (2, 1, 1)]),
    )
    # a was hit by b and hits c; b was hit by nobody and hits nobody; c was hit by nobody and hits b.
    assert measured("retaliation_rate", game) == {"a": 0}
    assert measured("retaliation_rate", game, column="base") == {"a": 1}


def test_base_rates_are_those_of_any_other_seat_as_likely():
    game = record(["a", "b", "c", "d"], turn([1, 2, 5, 6], punish=[(0, 1, 1), (1, 2, 1), (2, 0, 1), (3, 2, 1)]))
    # Of the others of a two gave at least 3.5, of b two, of c and d one.
    assert measured("unprovoked_punishment", game, column="random") == pytest.approx(
        {"a": 2 / 3, "b": 2 / 3, "c": 1 / 3, "d": 1 / 3}
    )
    # More than a gave three others, more than b two, more than c one, more than d none.
    more = pytest.approx({"a": 1, "b": 2 / 3, "c": 1 / 3, "d": 0})
    assert measured("antisocial_punishment", game, column="random") == more
    assert measured("antisocial_punishment", game, column="tokens_random") == more


def test_unprovoked_punishment_hits_a_seat_that_gave_at_least_the_median():
    game = record(["a", "b", "c", "d"], turn([1, 2, 5, 6], punish=[(0, 1, 1), (1, 2, 1), (2, 0, 1), (3, 2, 1)]))
    # The median is 3.5: b and d punished the giver of 5, a and c seats that gave 2 and 1.
    assert measured("unprovoked_punishment", game) == {"a": 0, "b": 1, "c": 0, "d": 1}
    exact = record(["a", "b", "c"], turn([1, 2, 5], punish=[(0, 1, 1)]), turn([1, 1, 1]))
    assert measured("unprovoked_punishment", exact) == {"a": 1}
    assert measured("unprovoked_punishment", exact, column="rate") == {"a": 1 / 2}
    assert measured("unprovoked_punishment", exact, column="punishments") == {"a": 1}


def test_antisocial_punishment_hits_a_seat_that_gave_more_than_the_punisher():
    game = record(["a", "b", "c"], turn([1, 2, 2], punish=[(0, 1, 1), (1, 2, 1), (2, 0, 1)]), turn([0, 3, 3]))
    assert measured("antisocial_punishment", game) == {"a": 1, "b": 0, "c": 0}
    # Only a had somebody above it, in both rounds.
    rates = measured("antisocial_punishment", game, column="rate")
    assert rates == {"a": 1 / 2, "b": None, "c": None}


def test_antisocial_is_by_share_of_the_balance_and_beside_it_in_tokens():
    # After round 1 a holds 30, b and c hold 20: in round 2 a gives 9 of 30, b and c 8 of 20.
    game = record(["a", "b", "c"], turn([0, 10, 10]), turn([9, 8, 8], punish=[(0, 1, 1), (1, 0, 1), (2, 1, 1)]))
    assert measured("antisocial_punishment", game) == {"a": 1, "b": 0, "c": 0}
    assert measured("antisocial_punishment", game, column="tokens") == {"a": 0, "b": 1, "c": 0}
    # Who counts equal givers counts c's punishment of b as well.
    assert measured("antisocial_punishment", game, column="as_many") == {"a": 0, "b": 1, "c": 1}
    assert measured("antisocial_punishment", game, column="as_many_random") == {"a": 0, "b": 1, "c": 1}


def test_full_cooperation_is_counted_in_whole_tokens_with_the_carry():
    # 3 seats: 60 → 96, 32 each; 96 → 153, 51 each; 153 → 244, 81 each, 1 over; 1 + 243 → 390, 130 each.
    assert [full_cooperation(3, rounds, 20, 1.6) for rounds in range(5)] == [60, 96, 153, 243, 390]
    assert full_cooperation(5, 1, 20, 0) == 0


def test_welfare_is_what_the_table_has_of_what_it_could_have():
    assert measured("welfare", ONE)["ben"] == pytest.approx(86 / 243)
    # Σ over Σ, and TWO counts twice for Ann, who held two of its seats.
    assert measured("welfare", ONE, TWO)["ann"] == pytest.approx((86 + 2 * 83) / (243 + 2 * 153))


def test_inequality_is_gini():
    # |9-23| + |9-54| + |23-54| = 90, each pair twice, over 2 · 3 · 86.
    assert measured("inequality", ONE)["ann"] == pytest.approx(2 * 90 / (2 * 3 * 86))
    assert measured("inequality", record(["a", "b", "c"], turn([0, 0, 0])))["a"] == 0
    assert measured("inequality", record(["a", "b", "c"], turn([0, 0, 0]), start=0))["a"] == 0


def test_the_endgame_drop_is_against_the_three_rounds_before():
    game = record(["a", "b", "c"], *(turn([gave, 0, 0]) for gave in (7, 0, 0, 0, 0)), start=100)
    # a gives 7 of 100 first, which lies four rounds before the last and does not count.
    assert measured("endgame_drop", game)["a"] == 0
    drops = record(["a", "b", "c"], turn([50, 0, 0]), turn([0, 0, 0]), turn([0, 0, 0]), turn([0, 0, 0]), start=100)
    assert measured("endgame_drop", drops)["a"] == pytest.approx(0.5 / 3)
    rises = record(["a", "b", "c"], turn([0, 0, 0]), turn([0, 0, 0]), turn([0, 0, 0]), turn([25, 0, 0]), start=100)
    assert measured("endgame_drop", rises) == {"a": -0.25, "b": 0, "c": 0}
    assert measured("endgame_drop", ONE) == {}


def test_seat_effects_belong_to_the_seat_whoever_sits_there():
    assert measured("seat_effects", ONE, TWO, keys=("seat",)) == {0: 25, 1: 22, 2: 37.5}
    apart = measured("seat_effects", ONE, TWO, keys=("seat",), column="difference")
    means = 86 / 3, 83 / 3
    assert apart[0] == pytest.approx((9 - means[0] + 41 - means[1]) / 2)
    assert sum(apart.values()) == pytest.approx(0)


def test_repaired_or_defaulted_knows_nothing_of_imported_answers():
    sources = {
        (1, 0, "contribution"): "repaired",
        (1, 1, "contribution"): "imported",
        (2, 0, "contribution"): "defaulted",
    }
    sources |= {(2, 1, "contribution"): "imported", (3, 1, "contribution"): "imported"}
    game = record(["a", "b", "c"], turn([0, 0, 0]), turn([0, 0, 0]), turn([0, 0, 0]), provenance=sources)
    assert measured("repaired_or_defaulted", game) == {"a": 2 / 3, "b": None, "c": 0}
    assert measured("repaired_or_defaulted", game, column="repaired") == {"a": 1 / 3, "b": 0, "c": 0}
    assert measured("repaired_or_defaulted", game, column="defaulted") == {"a": 1 / 3, "b": 0, "c": 0}
    assert measured("repaired_or_defaulted", game, column="imported") == {"a": 0, "b": 1, "c": 0}
    assert measured("repaired_or_defaulted", game, column="answers") == {"a": 3, "b": 3, "c": 3}


def test_promises_are_kept_or_broken_by_what_follows():
    game = record(
        ["a", "b", "c"],
        turn([10, 8, 0], said=[(0, "I'll contribute $10."), (1, "I'll contribute $10."), (2, "I'll contribute $0.")]),
        turn(
            [19, 4, 0],
            said=[(0, "I will give everything!"), (1, "Contributing 4 tokens."), (2, "If you do, I'll give $5")],
        ),
    )
    # a holds 20 - 10 + 9 = 19 in round 2.
    assert measured("promise_keeping", game) == {"a": 1, "b": 1 / 2}
    assert measured("promise_keeping", game, column="promises") == {"a": 2, "b": 2}
    assert measured("promise_keeping", game, column="shortfall") == {"a": 0, "b": 1}


def test_a_part_that_may_be_more_than_the_whole_has_no_bound_of_1():
    """What is spent also comes out of what the fund gave back, and a fund that loses makes keeping better."""
    made = tables(ONE, TWO)
    for name in ("welfare", "punishment_spent_percent_by_round", "aggregate_punishment_by_round"):
        assert MEASURES[name].ratio(made).bounds == (0.0, float("inf"))


def test_a_game_counts_as_much_however_many_its_player_has():
    """Contribution by parts of the player's own sums: times its games, the mean of a game is its number of rounds."""
    many = [record(["ann", "ben", f"p{number}"], turn([4, 6, 8]), turn([2, 0, 9])) for number in range(8)]
    keys, (top, bottom) = MEASURES["contribution_percent"].ratio(tables(*many)).sums()
    games = (bottom > 0).sum(axis=0)
    assert dict(zip(keys["player"], games.tolist(), strict=True))["ann"] == 8
    assert bottom.sum(axis=0) / games == pytest.approx([2.0] * len(games))
    assert top.sum(axis=0)[keys["player"].to_list().index("ben")] / 8 == pytest.approx(6 / 20)
