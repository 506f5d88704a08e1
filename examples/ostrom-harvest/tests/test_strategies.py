"""What each strategy does, against others whose moves are written down."""

from collections.abc import Callable

import pytest
from ostrom_harvest import HarvestRules
from ostrom_harvest.strategies import (
    STRATEGIES,
    Greedy,
    Harvester,
    LastRoundRaider,
    QuotaFollower,
    RandomHarvester,
    Reciprocator,
    Steward,
    Tester,
)

from conftest import taken
from ostrom.experiment.match import Match

Play = Callable[..., Match]
SHORT = HarvestRules(rounds=4, messages=False)
FREE = HarvestRules(rounds=4, messages=False, quota="none")


def test_steward_takes_its_share_of_what_grows_back(play: Play) -> None:
    assert taken(play(Steward, Steward, rules=SHORT)) == [25, 6.25, 6.25, 6.25]
    assert taken(play(Steward, [45], rules=FREE)) == [25, 5.25]


def test_greedy_takes_everything(play: Play) -> None:
    assert taken(play(Greedy, Steward, rules=SHORT)) == [100]


def test_quota_follower_takes_what_the_quota_allows(play: Play) -> None:
    assert taken(play(QuotaFollower, [5], [5], rules=SHORT)) == [10, 10, 10, 10]
    assert taken(play(QuotaFollower, [10], rules=FREE)) == taken(play(Steward, [10], rules=FREE))


def test_reciprocator_takes_as_many_fair_shares_as_the_others_took(play: Play) -> None:
    assert taken(play(Reciprocator, [25, 12.5, 0], rules=FREE)) == [25, 6.25, 12.3047, 0]


def test_tester_keeps_to_the_quota_once_it_is_warned(play: Play) -> None:
    assert taken(play(Tester, [5], [5], rules=SHORT)) == [20, 10, 10, 10]


def test_last_round_raider_takes_everything_in_the_end(play: Play) -> None:
    assert taken(play(LastRoundRaider, Steward, rules=SHORT)) == [25, 6.25, 6.25, 62.5]


def test_random_harvester_stays_within_two_fair_shares_and_depends_on_the_seed(play: Play) -> None:
    first, again, other = (taken(play(RandomHarvester, Steward, rules=SHORT, seed=seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert 0 <= first[0] <= 50


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda one: one.__name__)
def test_every_strategy_says_in_a_sentence_what_it_does(strategy: type[Harvester]) -> None:
    assert strategy.__doc__
    assert strategy.__doc__.split()[0].endswith("s")


def test_stewards_keep_the_stock_for_ever_and_the_greedy_end_it_at_once(play: Play) -> None:
    long = HarvestRules(rounds=100, messages=False)
    assert play(Steward, Steward, Steward, rules=long).events[-1].round == 100
    assert play(Steward, Steward, Greedy, rules=long).events[-1].round == 1


def test_a_quota_with_fines_keeps_a_stock_that_would_collapse_without(play: Play) -> None:
    players = (Steward, Steward, Tester, Tester)
    governed = play(*players, rules=HarvestRules(messages=False))
    assert governed.events[-1].round == 12
