"""What the theory of auctions says comes out of the searches and simulations of the laboratory."""

import math

import numpy as np
import pytest

from ostrom.games.market.auction import AUCTION, AuctionRules
from ostrom.players.policy import PlayAs
from ostrom.players.roster import strategies_of
from ostrom.sim.batch import Batch
from ostrom.sim.best_response import exploitability, respond
from ostrom.sim.numpy_engine import play_batch
from ostrom.sim.search import Effort

EFFORT = Effort(games=100, generations=0, selection=400)
GAMES = 20_000


def simulated(rules: AuctionRules, seats: int, player: str = "Equilibrium") -> dict[str, tuple[float, float]]:
    """The mean and the standard error of the revenue, and of the payoff of the first seat, in units of the range."""
    cast = strategies_of(AUCTION, [player])
    result = play_batch(Batch(AUCTION, rules, cast, np.zeros((seats, GAMES), dtype=np.int64), np.arange(GAMES), 7))
    samples = {"revenue": result.figures["revenue"].reshape(-1, GAMES)[0], "payoff": result.finals[0]}
    return {
        name: (values.mean() / rules.max_price, values.std(ddof=1) / math.sqrt(GAMES) / rules.max_price)
        for name, values in samples.items()
    }


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("form", ["first-price", "second-price", "all-pay"])
def test_all_formats_have_the_same_revenue_and_surplus(form: str, seats: int) -> None:
    found = simulated(AuctionRules(format=form, rounds=1, tick=0), seats)
    for name, expected in (("revenue", (seats - 1) / (seats + 1)), ("payoff", 1 / (seats * (seats + 1)))):
        mean, error = found[name]
        assert 0 < error < 0.004
        assert abs(mean - expected) < 3 * error


def test_a_reserve_price_of_one_half_raises_the_revenue_of_two_bidders() -> None:
    mean, error = simulated(AuctionRules(format="second-price", rounds=1, tick=0, reserve=50), 2, "Truthful")["revenue"]
    assert 0 < error < 0.003
    assert abs(mean - 5 / 12) < 3 * error


@pytest.mark.slow
@pytest.mark.parametrize("others", [["Truthful"], ["ZeroIntelligenceUnconstrained", "Overbidder", "Shade"]])
def test_truth_is_a_best_response_in_the_second_price_auction(others: list[str]) -> None:
    rules = AuctionRules(format="second-price", rounds=100, tick=0)
    response = respond(others, game=AUCTION, rules=rules, seed=1, games=200, effort=EFFORT)
    gains = {one.player: one.gain for one in response.comparisons}
    assert response.rule == PlayAs(player="Truthful")
    assert gains["Truthful"].value == 0
    assert all(gains[name].low > 0 for name in ("Overbidder", "Shade", "ZeroIntelligence"))


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_best_share_of_the_value_is_found_by_search(seats: int) -> None:
    # A further seat always bids 0, so that the built-in equilibrium counts one bidder too many.
    share = 0.9
    others = [*[f"Shade:share={share}"] * (seats - 1), "Shade:share=0"]
    rules = AuctionRules(rounds=100, tick=0)
    response = respond(others, game=AUCTION, rules=rules, seed=2, games=300, effort=EFFORT)
    level = 0.8 if response.rule == PlayAs(player="Shade") else response.rule.levels["bid"]
    assert level == pytest.approx((seats - 1) / seats, abs=0.03)
    best = 100 * 100 * ((seats - 1) / (seats * share)) ** (seats - 1) / (seats * (seats + 1))
    assert response.mean.low < best < response.mean.high
    (gain,) = [one.gain for one in response.comparisons if one.player == "Equilibrium"]
    assert gain.value > 0


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("form", ["first-price", "all-pay"])
def test_equilibria_are_not_exploitable(form: str, seats: int) -> None:
    rules = AuctionRules(format=form, rounds=50, tick=0)
    result = exploitability([f"Equilibrium:{seats}"], game=AUCTION, rules=rules, seed=3, games=200, effort=EFFORT)
    assert sum(gain.value for gain in result.per_turn.values()) < 0.1
    shaded = exploitability([f"Shade:{seats}"], game=AUCTION, rules=rules, seed=3, games=200, effort=EFFORT)
    assert all(gain.low > 0.5 for gain in shaded.per_turn.values())
