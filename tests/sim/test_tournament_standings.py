"""What the standings say, against sums that can be done by hand and against the games played one by one."""

import random
import statistics
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from optional_good import register
from scipy import stats

import ostrom
from ostrom.core import InputError
from ostrom.findings.tournament import describe
from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.games.commons.players import CHAMPIONS
from ostrom.players.roster import choose
from ostrom.sim.batch import Batch, BatchResult
from ostrom.sim.standings import StandingsTally
from ostrom.sim.tournament import tournament
from support import BUILT_IN, end_of, turns_of


def standings(names, **how):
    settings = {"games": 10, "seed": 3, "rules": CommonsRules(duration=12), "workers": 1}
    return {row.name: row for row in tournament(choose(names), **(settings | how)).standings}


def test_one_turn_between_giver_and_keeper_is_as_on_paper():
    # The pot of 100 grows to 180 and is shared equally; who kept its 100 holds them beside its share.
    found = standings(["AlwaysCoop", "AlwaysBetray"], rules=CommonsRules(turns=1, alpha=1.0), games=4)
    giver, keeper = found["AlwaysCoop"], found["AlwaysBetray"]
    assert (keeper.rank, keeper.win_rate.value, keeper.figures["contribution"].value) == (1, 1.0, 0.0)
    assert (giver.rank, giver.win_rate.value, giver.figures["contribution"].value) == (2, 0.0, 1.0)
    assert keeper.mean_final.value == keeper.median_final.value == pytest.approx(190.0)
    assert giver.mean_final.value == giver.median_final.value == pytest.approx(90.0)
    assert (giver.games, giver.seats) == (4, 4)


def test_seats_that_tie_share_the_win_and_the_rank():
    found = standings(["AlwaysCoop", "TitForTat", "Gradual", "Parasite"], rules=CommonsRules(turns=2, voting=False))
    assert found["Parasite"].rank == 1
    found = standings(["AlwaysCoop", "TitForTat", "Gradual"])
    assert {row.rank for row in found.values()} == {1}
    assert [row.win_rate.value for row in found.values()] == pytest.approx([1 / 3] * 3)


def test_a_shared_rank_leaves_the_next_ones_out():
    found = standings(["AlwaysCoop", "TitForTat", "AlwaysBetray"], rules=CommonsRules(turns=1))
    assert [row.rank for row in found.values()] == [1, 2, 2]


def test_equal_wins_in_another_order_share_a_rank():
    # Shares such as 1/3 and 1/7 add up to other last bits in another order; a rounding error must not rank players.
    names = ["Pavlov", "Gradual", "AlwaysCoop"]
    for seed in range(40):
        drawn = random.Random(seed)
        first = [drawn.choice([1, 2, 3, 5, 6, 7]) for _ in range(12)]
        second = drawn.sample(first, len(first))
        # Seat 0 is Pavlov's, seat 1 Gradual's; in the first games Pavlov ties with others at the top, then Gradual.
        games = [(0, tied) for tied in first] + [(1, tied) for tied in second]
        capital = np.zeros((8, len(games)))
        for game, (seat, tied) in enumerate(games):
            capital[[seat, *range(2, tied + 1)], game] = 1.0
        seating = np.tile(np.asarray([0, 1, 2, 2, 2, 2, 2, 2])[:, None], (1, len(games)))
        batch = Batch(COMMONS, CommonsRules(), [CHAMPIONS[name] for name in names], seating, np.arange(len(games)), 0)
        once = np.ones(capital.shape, dtype=np.int64)
        with StandingsTally(names) as tally:
            tally.add(batch, BatchResult(once[0], capital, once, {}))
            ranks = {row.name: row.rank for row in tally.standings()}
        assert ranks["Pavlov"] == ranks["Gradual"], f"shares 1/n with n from {first} and {second}"


@pytest.mark.parametrize("names", [list(BUILT_IN), ["Pavlov:3", "RandomPlayer:2", "Justicier:2", "Parasite"]])
def test_win_rates_over_the_seats_of_one_table_sum_to_one(names):
    found = standings(names, games=25).values()
    assert sum(row.win_rate.value * row.seats / row.games for row in found) == pytest.approx(1.0)


def test_win_rates_over_all_tables_account_for_every_game():
    result = tournament(
        choose(["RandomPlayer", "Pavlov", "Parasite", "Justicier:2"]),
        games=5,
        seed=1,
        rules=CommonsRules(duration=10),
        group_size=3,
        workers=1,
    )
    assert sum(row.win_rate.value * row.seats for row in result.standings) == pytest.approx(result.games)


def test_standings_are_what_the_single_games_sum_to():
    names, rules = ["RandomPlayer:2", "Parasite", "Justicier:2"], CommonsRules(duration=10)
    result = tournament(choose(names), games=6, seed=9, rules=rules, group_size=4, workers=1)
    capital, given, won = {}, {}, {}
    for game in range(result.games):
        table = [entry.name for entry in result.schedule.table(game)]
        match = ostrom.play(table, rules=rules, seed=9, number=game)
        end, turns = end_of(match), turns_of(match)
        for seat, name in enumerate(table):
            inside = [turn.contributions[seat] for turn in turns if turn.present[seat]]
            capital.setdefault(name, []).append(end.capitals[seat])
            given.setdefault(name, []).append(statistics.fmean(inside))
            won.setdefault(name, []).append((seat in end.winners) / len(end.winners))
    for row in result.standings:
        assert row.seats == len(capital[row.name])
        assert row.mean_final.value == pytest.approx(statistics.fmean(capital[row.name]), rel=1e-12)
        assert row.median_final.value == pytest.approx(statistics.median(capital[row.name]), rel=1e-12)
        assert row.figures["contribution"].value == pytest.approx(statistics.fmean(given[row.name]), rel=1e-12)
        assert row.win_rate.value == pytest.approx(statistics.fmean(won[row.name]), rel=1e-12)
    rates = [row.win_rate.value for row in result.standings]
    assert rates == sorted(rates, reverse=True)


def test_a_player_with_three_seats_is_one_row_of_three_seats_a_game():
    found = standings(["Pavlov:3", "AlwaysBetray"], games=10)
    assert (found["Pavlov"].games, found["Pavlov"].seats) == (10, 30)
    assert (found["AlwaysBetray"].games, found["AlwaysBetray"].seats) == (10, 10)


def test_every_figure_travels_with_its_interval():
    result = tournament(choose(list(BUILT_IN)), games=30, seed=3, rules=CommonsRules(duration=5), workers=1)
    for record in describe(result).as_record()["standings"]:
        for key in ("win_rate", "mean_capital", "median_capital", "mean_contribution"):
            estimate = record["estimates"][key]
            assert record[key] == estimate["value"]
            assert estimate["low"] <= estimate["value"] <= estimate["high"]
            assert estimate["reason"] is None


def test_one_game_gives_no_interval_and_says_why():
    for row in standings(["Pavlov", "RandomPlayer"], games=1).values():
        for estimate in (row.win_rate, row.mean_final, row.median_final, row.figures["contribution"]):
            assert estimate.low is estimate.high is None
            assert estimate.reason


FIXED = CommonsRules(turns=12)
"""Games that always last as long."""


def test_over_the_tables_played_only_chance_within_games_has_a_width():
    # Every table ends the same way whenever it is played, and tables differ.
    found = standings(["AlwaysCoop", "AlwaysBetray", "TitForTat"], group_size=2, games=5, rules=FIXED)
    betrayer = found["AlwaysBetray"].mean_final
    assert betrayer.low == betrayer.value == betrayer.high
    # What never varied in ten games may still do so in a few of many.
    wins = found["AlwaysBetray"].win_rate
    assert (wins.value, wins.high) == (1.0, 1.0)
    assert wins.low == pytest.approx(0.025 ** (1 / 10))


def test_over_random_opponents_at_tables_of_two_is_the_t_interval_of_the_tables():
    tables = np.asarray(list(combinations(range(13), 2))).T
    seating = np.repeat(tables, 3, axis=1)
    finals = np.random.default_rng(1).normal(100, 10, size=seating.shape)
    wins = (finals == finals.max(axis=0)).astype(float)
    with StandingsTally([str(one) for one in range(13)], repetitions=3, over="opponents", tables=tables) as tally:
        batch = SimpleNamespace(seating=seating, games=np.arange(seating.shape[1]))
        tally.add(batch, SimpleNamespace(wins=wins, finals=finals, figures={}, player_turns=0))
        found = next(one for one in tally.standings() if one.name == "0")
    means = finals[0, :36].reshape(12, 3).mean(axis=1)  # the first player sits at the first twelve tables
    low, high = stats.t.interval(0.95, 11, means.mean(), stats.sem(means))
    assert (found.mean_final.low, found.mean_final.high) == pytest.approx((low, high))
    assert found.median_final.low is None
    assert "no interval" in found.median_final.reason


def test_a_mean_that_hangs_on_a_rare_opponent_has_no_interval_over_opponents():
    names = ["AlwaysCoop", "AlwaysBetray", "TitForTat", "Pavlov", "Gradual", "Rancunier", "Parasite", "Detective"]
    names.append("MajorityDetector")
    found = standings(names, group_size=2, games=3, over="opponents", rules=FIXED)["AlwaysBetray"]
    assert found.mean_final.low is None
    assert "a few opponents decide the mean: an interval needs about 12" in found.mean_final.reason
    assert found.win_rate.low is not None


@pytest.mark.parametrize(
    ("names", "group_size", "reason"),
    [
        (["AlwaysCoop", "AlwaysBetray", "TitForTat"], None, "only one table"),
        (["AlwaysCoop", "AlwaysBetray", "TitForTat"], 2, "needs 8 that can be left out"),
    ],
)
def test_too_few_opponents_give_no_interval_and_say_why(names, group_size, reason):
    for row in standings(names, group_size=group_size, over="opponents").values():
        assert row.mean_final.low is row.win_rate.low is None
        assert reason in row.mean_final.reason
        assert reason in row.win_rate.reason


def test_a_tournament_says_what_its_figures_are_about():
    how = {"games": 2, "seed": 3, "rules": CommonsRules(duration=5), "workers": 1}
    for over, said in (("tables", "those of the tables that were played"), ("opponents", "against random opponents")):
        record = describe(tournament(choose(["Pavlov", "Parasite"]), over=over, **how)).as_record()
        assert record["over"] == over
        assert said in record["estimand"]
    with pytest.raises(InputError, match="over tables or opponents, not over 'games'"):
        tournament(choose(["Pavlov", "Parasite"]), over="games", **how)


def test_a_game_without_an_array_form_is_played_game_by_game():
    result = tournament(["Gives", "Keeps", "StaysOut"], games=5, seed=2, game=register(), group_size=2)
    assert (result.games, result.slow) == (15, ("Gives", "Keeps", "StaysOut"))
    # Against Keeps, giving earns 3·1 ÷ 2 − 1; against Gives, keeping earns 3·1 ÷ 2. StaysOut shares with no player.
    finals = {row.name: row.mean_final.value for row in result.standings}
    assert finals == pytest.approx({"Gives": (0.5 + 1) / 2, "Keeps": (1.5 + 1) / 2, "StaysOut": 1.0})
