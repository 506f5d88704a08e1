"""Scores of cooperation, depth of reasoning, and reactions to incentives."""

import pytest
from battery_answers import Scores, asked, item

from ostrom.games.battery.scores.cooperation import depth_of, label_of, neighbourhood, published_depth, verdict

TASKS = ("stag_hunt", "public_goods", "centipede", "traveller", "beauty_contest", "matching_pennies")


def test_nagels_neighbourhoods():
    assert neighbourhood(0, 2 / 3) == pytest.approx((45.18, 55.33), abs=0.01)
    assert neighbourhood(1, 2 / 3) == pytest.approx((30.12, 36.89), abs=0.01)
    assert neighbourhood(2, 2 / 3) == pytest.approx((20.08, 24.59), abs=0.01)
    assert neighbourhood(3, 2 / 3) == pytest.approx((13.39, 16.39), abs=0.01)
    guesses = (50, 33, 22, 15, 40, 27, 0, 100)
    levels = ["level 0", "level 1", "level 2", "level 3", None, None, "equilibrium", None]
    assert [depth_of(guess, 2 / 3) for guess in guesses] == levels
    assert depth_of(100, 1.3) == "equilibrium", "where p is above 1 the other end is"


def test_published_cut_offs():
    assert [published_depth(guess) for guess in (0, 22, 22.1, 33, 33.1)] == [
        "high",
        "high",
        "level 1",
        "level 1",
        "level 0",
    ]


@pytest.mark.parametrize(("k", "guess", "published"), [(0, 50, "level 0"), (1, 33, "level 1"), (2, 22, "high")])
def test_the_level_of_level_k_is_found(k, guess, published):
    result = Scores(asked(f"level-k:k={k}", "beauty_contest"))
    assert result.guess.value == guess
    assert result.depth.value == f"level {k}"
    assert result.depth_published.value == published


def test_labels():
    assert [label_of(value) for value in (100, 65, 64.9, 40, 39.9, 0)] == [
        "cooperative",
        "cooperative",
        "mixed",
        "mixed",
        "competitive",
        "competitive",
    ]


def test_known_subjects_get_their_known_scores():
    inducer = Scores(asked("backward-inducer", *TASKS))
    assert inducer.stag.value == pytest.approx(100 / 3)
    assert (inducer.contribution.value, inducer.passes.value, inducer.claim.value, inducer.guess.value) == (0, 0, 2, 0)
    assert inducer.label.value == "competitive"
    assert (inducer.depth.value, inducer.depth_published.value) == ("equilibrium", "high")
    assert inducer.heads.value == 50
    assert inducer.heads.low < 50 < inducer.heads.high
    conditional = Scores(asked("conditional-cooperator:belief=0.8", *TASKS))
    assert conditional.contribution.value == pytest.approx(80)
    assert (conditional.stag.value, conditional.passes.value, conditional.claim.value) == (100, 100, 100)
    assert conditional.cooperation.value == pytest.approx(280 / 3)
    assert conditional.label.value == "cooperative"


def test_what_was_not_asked_is_left_out_of_the_label():
    result = Scores(asked("conditional-cooperator", "centipede"))
    assert result.stag.reason == "it was not asked"
    assert result.cooperation.value == 100
    assert Scores({}).label.value is None


def test_claims_are_put_on_one_scale():
    claims = [
        item(
            "traveller",
            "claimant",
            {"low": 2.0 * scale, "high": 100.0 * scale, "bonus": 2.0 * scale, "step": scale, "scale": scale},
            claim * scale,
            condition=f"{scale}",
        )
        for scale, claim in ((0.1, 2), (1.0, 100), (10.0, 51))
    ]
    assert Scores({"traveller": claims}).claim.value == pytest.approx(51)


def test_the_interval_of_pennies_is_wilsons():
    heads = [
        item("matching_pennies", "chooser", {"role": role, "prize": 10.0}, side, options=("heads", "tails"))
        for role in ("matcher", "mismatcher")
        for side in ["heads"] * 4 + ["tails"]
    ]
    result = Scores({"matching_pennies": heads})
    assert result.heads.value == 80
    assert (result.heads.low, result.heads.high) == pytest.approx((49.02, 94.33), abs=0.01)


@pytest.mark.parametrize("name", ["always-a", "always-first", "constant", "refuser", "malformed"])
def test_who_follows_a_habit_has_no_label(name):
    result = Scores(asked(name, *TASKS))
    assert result.label.value is None
    assert result.cooperation.reason


def test_a_habit_cannot_be_told_where_options_always_stand_alike():
    fixed = [
        item("stag_hunt", "chooser", {"stag": 10.0, "hare": 5.0}, "hare", condition=f"{n}", options=("hare", "stag"))
        for n in range(8)
    ]
    assert Scores({"stag_hunt": fixed}).stag.value == 0


def test_behaviour_moves_with_incentives_as_theory_says():
    noisy = Scores(asked("exponential:noise=0.1", "stag_hunt", "public_goods"))
    assert verdict(noisy.stag_by_hare, -1) == "as predicted"
    assert noisy.stag_by_hare.value < 0
    assert verdict(Scores(asked("exponential", "traveller")).claim_by_bonus, -1) == "flat"
    thinker = Scores(asked("level-k:k=1", "traveller"))
    assert thinker.claim_by_bonus.value < 0
    assert verdict(thinker.claim_by_bonus, -1) == "as predicted"
    assert verdict(Scores({}).claim_by_bonus, -1) is None


def test_a_slope_by_hand():
    given = [
        item(
            "public_goods",
            "contributor",
            {"endowment": 10.0, "multiplier": multiplier, "players": 10},
            share * 10,
            condition=f"{multiplier} {share}",
        )
        for multiplier, share in ((1.0, 0.1), (1.0, 0.3), (2.0, 0.6), (2.0, 0.8))
        for _ in range(2)
    ]
    slope = Scores({"public_goods": given}).contribution_by_multiplier
    assert slope.value == pytest.approx(50)
    assert slope.low == slope.high, "what differs between conditions is no error"
    assert verdict(slope, 1) == "as predicted"
    once = Scores({"public_goods": given[::2]}).contribution_by_multiplier
    assert (once.value, once.low) == (pytest.approx(50), None)
    assert "answered once" in once.reason
