"""Benchmarks of games with roles: every pair in both orders, mirrored games with the same draws, deviations printed."""

from collections import Counter
from dataclasses import replace

import pytest

import double_auction
from ostrom.core.plugins import GAMES
from ostrom.experiment.plan import Experiment, Part, benchmark
from ostrom.findings.bench import describe
from ostrom.players.roster import strategies_of


@pytest.fixture(scope="module", autouse=True)
def auction():
    return double_auction.register()


def entrants(game, count):
    return [replace(strategies_of(game, None)[0], name=f"p{place}") for place in range(count)]


def planned(game, count, seats, games):
    part = Part(game, game.rules(), entrants(game, count), seats, games, seed=5, pairs=game.seats.most == 2)
    return Experiment((part,))


def orders(experiment, game):
    """How often each player met each other, by the roles of both."""
    met = Counter()
    for fixture in experiment.fixtures():
        roles = game.role_names(len(fixture.contestants))
        for one, own in zip(fixture.contestants, roles, strict=True):
            for other, role in zip(fixture.contestants, roles, strict=True):
                if own != role:
                    met[one.name, own, other.name, role] += 1
    return met


@pytest.mark.parametrize("count", range(3, 9))
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("games", [48, 49])
def test_every_pair_meets_in_both_orders(auction, count, seats, games):
    if seats > count:
        return
    experiment = planned(auction, count, seats, games)
    met = orders(experiment, auction)
    deviation = max(abs(times - met[one, role, other, own]) for (one, own, other, role), times in met.items())
    assert deviation <= games % 2
    (balance,) = experiment.role_balances()
    assert balance.orders == deviation
    finding = describe(experiment, "x-1")
    assert finding.facts["roles"] == [balance._asdict()]
    assert any("not quite balanced" in sentence for sentence in finding.sentences) == (not balance.even)


def test_all_pairs_meet_on_opposite_sides_about_equally_often(auction):
    met = Counter()
    for (one, _, other, _), times in orders(planned(auction, 6, 4, 120), auction).items():
        met[one, other] += times
    assert len(met) == 30
    assert max(met.values()) - min(met.values()) <= 4


@pytest.mark.parametrize(("name", "seats"), [("call_market", 4), ("ultimatum", 2)])
def test_mirrored_games_have_the_same_draws_and_exchanged_players(name, seats):
    game = GAMES[name]
    fixtures = list(planned(game, 5, seats, 40).fixtures())
    assert len({fixture.key for fixture in fixtures}) == 40
    roles = game.role_names(seats)
    for one, other in zip(fixtures[::2], fixtures[1::2], strict=True):
        assert one.chance == other.chance
        for role in set(roles):
            first = {player.name for player, own in zip(one.contestants, roles, strict=True) if own == role}
            second = {player.name for player, own in zip(other.contestants, roles, strict=True) if own != role}
            assert first == second
    assert len({fixture.chance for fixture in fixtures}) == 20


def test_a_stored_plan_of_an_older_version_keeps_its_games():
    game = GAMES["ultimatum"]
    old = replace(planned(game, 3, 2, 12), schedule=2)
    assert [fixture.chance.game for fixture in old.fixtures()] == list(range(12))
    names = [tuple(player.name for player in fixture.contestants) for fixture in old.fixtures()]
    assert names[:3] == [("p0", "p1"), ("p0", "p2"), ("p1", "p0")]


def test_an_added_player_meets_all_in_both_roles_with_draws_of_its_own():
    game = GAMES["ultimatum"]
    experiment = benchmark(game, entrants(game, 3), game.rules(), 12, None, 1)
    (added,) = [replace(strategies_of(game, None)[0], name="late")]
    extended = experiment.with_players([added])
    fixtures = list(extended.fixtures())
    late = [fixture for fixture in fixtures if "late" in {player.name for player in fixture.contestants}]
    assert Counter(fixture.contestants[0].name == "late" for fixture in late) == {True: 6, False: 6}
    early = {fixture.chance for fixture in fixtures} - {fixture.chance for fixture in late}
    assert len(early) == 6
    assert len({fixture.chance for fixture in late}) == 6
