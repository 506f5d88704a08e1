"""An audit finds the bias that was planted, in its true size, and none where there is none."""

from functools import cache

import numpy as np
import pytest

from ostrom.core import InputError, Provenance
from ostrom.games.audit.biased import BIASED, MAX_NOISE, Biased
from ostrom.games.audit.charts import audit_chart
from ostrom.games.audit.commands.plan import audit
from ostrom.games.audit.design import balanced
from ostrom.games.audit.effects import answers_of, audited
from ostrom.games.audit.variance import AskedQuestion, Cells

LEVELS = {"wording": 3, "labels": 4, "order": 3, "seat": 3, "currency": 4, "scale": 3}
FACTORS = len(LEVELS)


@cache
def design_of(situation, design):
    return balanced(list(LEVELS.values()), situation, design)


def put(effect, *, seed, noise=0.1, situations=8, repeats=2, design=0):
    """Answers as an audit of so many situations would get them, from effects of known size."""
    chance = np.random.default_rng(seed)
    found = []
    for situation in range(situations):
        base = chance.uniform(0.3, 0.7)
        levels = design_of(situation, design)
        for cell, column in enumerate(levels.T):
            named = {name: str(level) for name, level in zip(LEVELS, column, strict=True)}
            for _ in range(repeats):
                found.append(
                    AskedQuestion(situation, cell, named, base + effect(named, situation) + chance.normal(0, noise))
                )
    return found


def none(levels, situation):
    return 0.0


def by_name(found):
    return {factor.name: factor for factor in found.factors}


def test_without_bias_the_shares_of_200_audits_are_zero_in_the_mean():
    shares = np.asarray([Cells.of(put(none, seed=seed, design=seed % 4)).parts().shares[0] for seed in range(200)])
    assert np.abs(shares[:, :FACTORS].mean(axis=0)).max() < 0.01
    assert abs(shares[:, -1].mean() - 1) < 0.03
    assert (shares[:, :FACTORS] < 0).mean() > 0.4  # not always positive
    assert shares.sum(axis=1) == pytest.approx(np.ones(200))


def test_planted_effects_have_their_analytic_share():
    def effect(levels, situation):
        return 0.15 * (levels["labels"] == "1") + 0.1 * (levels["wording"] == "2") + 0.06 * (levels["scale"] == "0")

    planted = {"labels": 0.15**2 * 3 / 16, "wording": 0.1**2 * 2 / 9, "scale": 0.06**2 * 2 / 9}
    parts = [Cells.of(put(effect, seed=seed, design=seed % 12)).parts() for seed in range(60)]
    whole = np.mean([part.whole[0] for part in parts])
    assert whole == pytest.approx(sum(planted.values()) + 0.1**2, rel=0.04)
    assert np.mean([part.noise[0] for part in parts]) == pytest.approx(0.1**2, rel=0.05)
    for place, name in enumerate(LEVELS):
        share = np.mean([part.factors[0, place] for part in parts]) / whole
        assert share == pytest.approx(planted.get(name, 0.0) / (sum(planted.values()) + 0.1**2), abs=0.015), name


def test_an_effect_of_some_situations_only_stands_under_combinations():
    def effect(levels, situation):
        return 0.2 * (levels["labels"] == "1") * (1 if situation % 2 else -1)

    found = audited(put(effect, seed=1, noise=0.02))
    assert found.combinations.value > 0.8
    assert found.combinations.low > 0.5
    assert found.combined
    assert abs(by_name(found)["labels"].share.value) < 0.1
    assert audit_chart(found, title="An audit").to_dict()["hconcat"], "a chart that fits the schema"


def test_without_bias_intervals_cover_zero():
    factors = [factor for seed in range(4) for factor in audited(put(none, seed=seed, design=seed)).factors]
    assert np.mean([factor.share.low <= 0 <= factor.share.high for factor in factors]) > 0.9


def test_without_bias_p_values_are_small_no_more_often_than_they_say():
    cells = [Cells.of(put(none, seed=seed, design=seed % 4)) for seed in range(100, 120)]
    found = [one.chance(name, 99) for one in cells for name in LEVELS]
    assert np.mean(np.asarray(found) <= 0.1) < 0.15
    assert 0.35 < np.mean(np.asarray(found) <= 0.5) < 0.65


@pytest.mark.parametrize("game", ["punish", "commons"])
def test_the_label_bias_of_a_scripted_player_is_found_and_nothing_else(game):
    found = audited(answers_of(audit(BIASED["scripted:label-bias"], game, seed=3)).puts)
    assert found.leading is found.factors[0]
    assert found.leading.name == "labels"
    assert found.leading.levels[0].name == "Elm"
    # 30 % more than a half, for one name of four; the noise is uniform.
    bias, noise = 0.15**2 * 3 / 16, MAX_NOISE**2 / 3
    assert found.leading.share.value == pytest.approx(bias / (bias + noise), abs=0.06)
    assert found.leading.share.low > 0.5
    for other in found.factors[1:]:
        assert abs(other.share.value) < 0.02
        assert not other.stands(FACTORS)


@pytest.mark.parametrize(("name", "factor"), [("wording-bias", "wording"), ("scale-bias", "scale")])
def test_other_planted_biases_are_found_too(name, factor):
    found = audited(answers_of(audit(BIASED[f"scripted:{name}"], "commons", seed=4, situations=5)).puts)
    spread = {"wording": 0.12**2 * 2 / 3, "scale": 0.08**2 * 2 / 3}[factor]
    assert found.leading.name == factor
    assert found.leading.share.value == pytest.approx(spread / (spread + MAX_NOISE**2 / 3), abs=0.06)


@pytest.mark.parametrize("game", ["punish", "commons"])
def test_of_an_unbiased_player_no_factor_is_told_apart_from_chance(game):
    found = audited(answers_of(audit(BIASED["scripted:unbiased"], game, seed=3, situations=5)).puts)
    assert found.leading is None
    for factor in found.factors:
        assert factor.share.low <= 0 <= factor.share.high
        assert abs(factor.share.value) < 0.05


def test_a_bias_in_whom_to_punish_is_found_in_the_target():
    def first_listed(view):
        return 0.0

    records = audit(Biased("richest", first_listed), "punish", seed=3, phase="punishment", situations=2)
    spends, targets = answers_of(records), answers_of(records, "target")
    assert (spends.aspect, targets.aspect) == ("spend", "target")
    # The richest stays the richest, wherever it sits and whatever it is called.
    assert {put.value for put in targets.puts if put.situation == 0} in ({0.0}, {0.5}, {1.0})
    with pytest.raises(InputError, match="no aspect 'vote'; they have spend, target"):
        answers_of(records, "vote")


def test_a_player_that_never_varies_has_no_shares_and_says_why():
    found = audited([put._replace(value=0.5) for put in put(none, seed=1)])
    assert found.noise.value is None
    assert found.noise.reason == "decisions do not vary within any situation"
    assert all(factor.p is None and factor.share.value is None for factor in found.factors)


def test_defaulted_answers_are_counted_and_left_out():
    records = audit(BIASED["scripted:label-bias"], "punish", seed=3, situations=2)
    fallen = [
        record.model_copy(
            update={"answers": [one.model_copy(update={"provenance": Provenance.DEFAULTED}) for one in record.answers]}
        )
        for record in records[:5]
    ]
    found = answers_of([*fallen, *records[5:]])
    assert (found.defaulted, found.unplaced, len(found.puts)) == (5, 0, len(records) - 5)
    audited(found.puts)


def test_few_situations_give_no_interval_and_one_gives_nothing():
    few = audited(put(none, seed=1, situations=3))
    assert few.noise.reason == "an interval needs at least 4 situations"
    assert few.noise.value is not None
    with pytest.raises(InputError, match="at least 2 situations"):
        audited(put(none, seed=1, situations=1))
    with pytest.raises(InputError, match="at least 2 situations"):
        audited([])
