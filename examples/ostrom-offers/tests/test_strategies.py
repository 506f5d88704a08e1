"""The moves of each strategy, against others whose moves are written down."""

from collections.abc import Callable

import numpy as np
import pytest
from ostrom_offers import OFFERS, OffersRules
from ostrom_offers.bargain import endless_share, proposer_share
from ostrom_offers.strategies import (
    STRATEGIES,
    BackwardInduction,
    Bargainer,
    Conceder,
    EqualSplitter,
    Equilibrium,
    RandomBargainer,
    Stubborn,
)

from conftest import KNOWN, moves
from ostrom.core import GameChance
from ostrom.experiment.match import Match, play_match
from ostrom.players.strategy import entry_of

Play = Callable[..., Match]


def test_equal_splitter_offers_and_accepts_half(play: Play) -> None:
    assert moves(play(EqualSplitter, [0, 49.9, 0, 50])) == [50, "reject", 50, "accept"]


def test_stubborn_demands_the_same_in_every_round(play: Play) -> None:
    assert moves(play(Stubborn, [0, 79, 0, 80])) == [20, "reject", 20, "accept"]
    less = entry_of(Stubborn).with_settings("share=0.6")
    half = entry_of(EqualSplitter)
    assert moves(play_match(OFFERS, KNOWN, [less, half], GameChance(1))) == [40, "reject", 40, "reject"]


def test_equilibrium_offers_what_the_other_would_get_by_waiting(play: Play) -> None:
    # With patience 1/2 the proposer keeps (1 − 1/2) / (1 − 1/4) = 2/3.
    match = play(Equilibrium, Equilibrium)
    assert moves(match) == [33.3333]
    assert OFFERS.finals(match.events) == pytest.approx([200 / 3, 100 / 3])
    assert moves(play(Equilibrium, [0, 33.3, 0, 33.4])) == [33.3333, "reject", 33.3333, "accept"]


def test_backward_induction_knows_the_last_round(play: Play) -> None:
    # With 1, 2, 3 and 4 rounds left the proposer keeps 1, 1/2, 3/4 and 5/8.
    assert moves(play(BackwardInduction, [0, 24.9, 0, 0])) == [37.5, "reject", 50, "accept"]
    assert moves(play([0, 0, 0, 0], BackwardInduction), 1) == ["reject", 25, "reject", 100 * 0.0]
    match = play(BackwardInduction, BackwardInduction)
    assert OFFERS.finals(match.events) == pytest.approx([62.5, 37.5])


def test_with_many_rounds_backward_induction_tends_to_the_equilibrium_without_a_last_one() -> None:
    own, other = np.asarray([0.9]), np.asarray([0.7])
    assert proposer_share(own, other, 500.0) == pytest.approx(endless_share(own, other))
    assert proposer_share(own, other, 1.0) == pytest.approx(1)
    assert proposer_share(own, other, 2.0) == pytest.approx(1 - 0.7)
    assert proposer_share(own, other, 3.0) == pytest.approx(1 - 0.7 * (1 - 0.9))


def test_conceder_goes_from_everything_to_half(play: Play) -> None:
    assert moves(play(Conceder, [0, 66, 0, 49])) == [0, "reject", 33.3333, "reject"]
    assert moves(play(Conceder, [0, 67, 0, 0])) == [0, "accept"]
    assert moves(play([0, 0, 0, 0], Conceder), 1) == ["reject", 16.6667, "reject", 50]


def test_random_bargainer_depends_on_the_seed(play: Play) -> None:
    first, again, other = (moves(play(RandomBargainer, [0] * 4, seed=seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert all(0 <= move <= 100 for move in first if isinstance(move, float))


def test_patience_lies_between_the_bounds_and_differs_between_seats(play: Play) -> None:
    rules = OffersRules(least_patience=0.2, most_patience=0.3)
    drawn = [play(EqualSplitter, EqualSplitter, rules=rules, seed=seed).events[0].patience for seed in range(20)]
    assert all(0.2 <= one < 0.3 for pair in drawn for one in pair)
    assert all(first != second for first, second in drawn)


def test_the_value_of_a_part_falls_with_every_round(play: Play) -> None:
    assert OFFERS.finals(play(Stubborn, [0, 79, 0, 80]).events) == [80 * 0.5**3, 20 * 0.5**3]
    assert OFFERS.finals(play(Stubborn, Stubborn, rules=KNOWN).events) == [0, 0]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda one: one.__name__)
def test_every_strategy_says_in_a_sentence_what_it_does(strategy: type[Bargainer]) -> None:
    assert strategy.__doc__
    assert strategy.__doc__.split()[0].endswith("s")
