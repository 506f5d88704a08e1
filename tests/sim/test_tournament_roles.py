"""Tournaments of games with roles: every player in every role, means over roles, and ranks by the aim of the game."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

import double_auction
from ostrom.core.chance import GameChance
from ostrom.core.estimates import mean_over_groups
from ostrom.core.plugins import GAMES
from ostrom.experiment.match import play_match
from ostrom.findings.tournament import describe
from ostrom.players.roster import strategies_of
from ostrom.sim.tournament import Schedule, schedule_of, tournament
from ostrom.testing import check_game


@pytest.fixture(scope="module", autouse=True)
def auction():
    return double_auction.register()


def test_the_auction_keeps_the_contract(auction):
    check_game(auction)


def test_the_default_schedule_agrees_with_all_orders(auction):
    result = tournament(double_auction.PLAYERS, game=auction, games=40, seed=3)
    assert result.schedule.tables == 6
    cast = {entry.name: entry for entry in result.schedule.cast}
    payoffs = {name: {"buyer": [], "seller": []} for name in cast}
    for order in permutations(cast):
        for number in range(40):
            match = play_match(auction, auction.rules(), [cast[name] for name in order], GameChance(3, number))
            finals = auction.finals(match.events)
            for name, role, final in zip(order, auction.role_names(4), finals, strict=True):
                payoffs[name][role].append(final)
    for standing in result.standings:
        by_role = {role: np.mean(values) for role, values in payoffs[standing.name].items()}
        assert standing.mean_final.low <= np.mean(list(by_role.values())) <= standing.mean_final.high
        for role, own in standing.roles.items():
            assert own.mean_final.low <= by_role[role] <= own.mean_final.high
    means = [float(standing.mean_final) for standing in result.standings]
    assert means == sorted(means, reverse=True)
    assert [standing.rank for standing in result.standings] == [1, 2, 3, 4]


@pytest.mark.parametrize("players", range(3, 9))
@pytest.mark.parametrize("seats", [2, 4])
def test_every_pair_meets_in_both_orders_of_the_roles(auction, players, seats):
    entrants = [replace(strategies_of(auction, None)[0], name=f"p{place}") for place in range(players)]
    if seats > players:
        return
    schedule = schedule_of(auction, entrants, 3, seats)
    assert schedule.balance.even
    assert "both orders" in schedule.balance.sentence()
    games = np.arange(schedule.games)
    seating, draws = schedule.seating(games), schedule.draws(games)
    # All arrangements of a combination have the same draws, and no others do.
    for draw in np.unique(draws):
        tables = seating[:, draws == draw]
        assert len({tuple(sorted(table)) for table in tables.T}) == 1
        assert len({frozenset(table[: seats // 2]) for table in tables.T}) == tables.shape[1]


def test_a_game_of_the_tournament_can_be_played_alone(auction):
    result = tournament(double_auction.PLAYERS, game=auction, games=2, seed=5)
    finding = describe(result)
    openings = list(finding.openings())
    assert len(openings) == 6
    assert {opening.first for opening in openings} == {0}
    assert {tuple(sorted(opening.players)) for opening in openings} == {tuple(sorted(double_auction.PLAYERS))}
    assert finding.facts["roles"]["arrangements"] == 6
    assert finding.facts["roles"]["balance"]["orders"] == 0
    assert len(finding.tables["by_role"]) == 8 * 2


def test_seats_without_roles_are_exchanged_within_the_games_of_a_table():
    game = GAMES["repeated"]
    schedule = schedule_of(game, strategies_of(game, ["TitForTat", "AllD"]), 10)
    assert schedule.tables == 1
    seating = schedule.seating(np.arange(10))
    assert sorted(seating[0].tolist()) == [0] * 5 + [1] * 5
    assert [stop - first for first, stop in schedule.spans()] == [5, 5]
    odd = schedule_of(game, strategies_of(game, ["TitForTat", "AllD"]), 7)
    assert sum(stop - first for first, stop in odd.spans()) == 7
    for first, stop in odd.spans():
        assert (odd.seating(np.arange(first, stop)) == odd.seating(np.asarray([first]))).all()


def test_symmetric_games_keep_their_tables():
    game = GAMES["commons"]
    schedule = schedule_of(game, strategies_of(game, ["AlwaysCoop", "Pavlov", "Gradual"]), 10)
    assert schedule.arrangements == ((0, 1, 2),)
    assert schedule == Schedule(schedule.entrants, 10)


def test_repeated_games_rank_by_mean_payoff():
    result = tournament(game="repeated", games=4, seed=1)
    means = [float(standing.mean_final) for standing in result.standings]
    assert means == sorted(means, reverse=True)
    names = [standing.name for standing in result.standings]
    wins = {standing.name: float(standing.win_rate) for standing in result.standings}
    assert max(wins, key=wins.get) == "AllD"
    assert names.index("AllD") > names.index("TitForTat")


def test_means_over_roles_have_equal_weight_and_cover():
    generator = np.random.default_rng(1)
    covered = 0
    for _ in range(400):
        units = np.repeat(np.arange(20), 4)
        roles = np.tile([0, 0, 0, 1], 20)
        draws = generator.normal(size=20)[units]
        values = draws + np.where(roles == 0, 1.0, 5.0) + generator.normal(size=80)
        mean, error, freedom = mean_over_groups(values, roles, units, np.zeros(80, dtype=np.int64))
        assert freedom == pytest.approx(19)
        covered += abs(mean - 3.0) <= 2.093 * error
    assert 0.92 <= covered / 400 <= 0.98
