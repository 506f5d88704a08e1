"""Consistency of demand, loss aversion and ambiguity: by hand, and recovered from subjects that have them."""

import numpy as np
import pytest
from battery_answers import Scores, asked, item

from ostrom.games.battery.scores.further import efficiency


def of(prices, bundles):
    prices, bundles = np.array(prices, dtype=float), np.array(bundles, dtype=float)
    return float(efficiency(prices, bundles[np.newaxis])[0])


def test_afriats_efficiency_by_hand():
    # Each bundle costs less than the other at the prices at which the other was bought: 8 of 10 and 8 of 10.
    assert of([(1, 2), (2, 1)], [(2, 4), (4, 2)]) == pytest.approx(0.8, abs=1e-5)
    assert of([(1, 2), (2, 1)], [(4, 3), (3, 4)]) == 1, "each is dearer than what was bought"
    assert of([(1, 2), (2, 1)], [(10, 0), (0, 10)]) == 1
    # Violated by 10 % on one side and by 40 % on the other: the smaller is enough.
    assert of([(1, 1), (3, 1)], [(2, 8), (9, 0)]) == pytest.approx(max(0.9, 14 / 27), abs=1e-5)


def test_a_cycle_through_a_third_bundle_is_found():
    prices = [(1, 1.3, 1.3), (1.3, 1, 1.3), (1.3, 1.3, 1)]
    bundles = [(1, 0, 3), (3, 1, 0), (0, 3, 1)]
    # Each is revealed preferred to the next one only: 1 → 2 at 4.3 of 4.9, 2 → 3 and 3 → 1 alike.
    assert of(prices, bundles) < 1
    assert of(prices[:2], bundles[:2]) == 1


def test_who_maximises_is_consistent_and_who_is_random_is_not():
    assert Scores(asked("exponential", "garp")).ccei.value > 0.999
    random = [Scores(asked("random", "garp", seed=seed)).ccei for seed in range(5)]
    assert max(score.value for score in random) < 0.98
    assert all(score.low is None and "choices at random reach this in" in score.reason for score in random)


def test_budgets_have_the_power_to_tell_choices_at_random():
    full, quick = (Scores(asked("exponential", "garp", protocol=protocol)).ccei_power for protocol in ("full", "quick"))
    assert quick.value < full.value <= 100
    assert full.value > 99
    # Two budgets whose lines do not cross can be contradicted by nobody.
    apart = [
        item("garp", "allocator", {"income": income, "prices": [1.0, 1.0]}, 5.0, condition=f"{income}")
        for income in (10.0, 20.0)
    ]
    assert Scores({"garp": apart}).ccei_power.value == 0


@pytest.mark.parametrize("protocol", ["full", "quick"])
@pytest.mark.parametrize("aversion", [1.3, 1.955, 2.25])
def test_loss_aversion_without_noise_lies_between_the_gambles_beside_it(aversion, protocol):
    name = f"prospect:alpha=1,gamma=1,loss_aversion={aversion}"
    found = Scores(asked(name, "loss", protocol=protocol)).loss_aversion
    assert found.low - 1e-6 <= aversion <= found.high + 1e-6
    assert found.low <= found.value <= found.high


def test_loss_aversion_and_ambiguity_are_recovered_through_noise():
    name = "prospect:alpha=1,gamma=1,loss_aversion=1.955,ambiguity=0.07,noise=0.05"
    found = [Scores(asked(name, "loss", "ambiguity", seed=seed)) for seed in range(12)]
    losses, premiums = ([getattr(each, part) for each in found] for part in ("loss_aversion", "ambiguity"))
    assert np.mean([score.value for score in losses]) == pytest.approx(1.955, abs=0.15)
    assert np.mean([score.value for score in premiums]) == pytest.approx(0.07, abs=0.03)
    assert sum(score.low <= 1.955 <= score.high for score in losses) >= 9
    assert sum(score.low <= 0.07 <= score.high for score in premiums) >= 9


def test_curvature_is_taken_out_of_loss_aversion():
    name = "prospect:alpha=0.5,gamma=1,loss_aversion=2"
    found = Scores(asked(name, "loss", "risk"))
    assert found.m.value == pytest.approx(0.5**0.5, abs=0.01)
    assert found.loss_aversion.low - 1e-6 <= 4 <= found.loss_aversion.high + 1e-6, "λ^(1/α)"
    assert found.loss_aversion_curved.low - 0.02 <= 2 <= found.loss_aversion_curved.high + 0.02
    assert Scores(asked(name, "loss")).loss_aversion_curved.reason == "risk: it was not asked"


def test_who_shows_only_a_bound_has_no_score():
    always = Scores(asked("constant", "loss", "ambiguity"))
    assert always.loss_aversion.reason == "every gamble is taken: losses count at most 0.8 times"
    assert "always taken" in always.ambiguity.reason
    never = [
        item(
            "loss", "chooser", {"gain": 10.0, "loss": loss}, "reject", condition=f"{loss}", options=("accept", "reject")
        )
        for loss in (2.0, 5.0)
    ]
    found = Scores({"loss": never}).loss_aversion
    assert found.reason == "no gamble is taken: losses count at least 5 times"


@pytest.mark.parametrize("name", ["always-a", "always-first", "refuser", "malformed"])
def test_who_does_not_answer_the_question_has_no_score(name):
    found = Scores(asked(name, "garp", "loss", "ambiguity"))
    assert found.loss_aversion.value is None
    assert found.ambiguity.value is None
    assert found.loss_aversion.reason


def test_random_choices_have_no_loss_aversion():
    found = [Scores(asked("random", "loss", seed=seed)).loss_aversion for seed in range(6)]
    assert all(score.value is None or score.high - score.low > 1 for score in found)
    assert any(score.value is None for score in found)
