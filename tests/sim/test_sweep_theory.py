"""The boundaries and indices of sweeps are those of theory."""

import numpy as np
import pytest
from optional_good import register
from scipy.stats import sobol_indices

import ostrom
from ostrom.sim.effects import FIRST, TOTAL, Condition, _crossings, crossings, indices, main_effects, of_saltelli
from ostrom.sim.factors import saltelli
from ostrom.sim.sweep import estimates_of
from support import sweep


def boundary(result, text, along=None):
    return crossings(result, Condition.of(text, result.measures), along)


@pytest.mark.parametrize("seats", [4, 16])
@pytest.mark.parametrize("synergy", [1.4, 1.8])
def test_giving_in_one_turn_of_the_commons_pays_below_alpha_star(seats, synergy):
    # One gives among others who keep: S·M·(α/N + 1 − α), against the M that it would keep.
    rules = ostrom.CommonsRules(turns=1, synergy=synergy)
    players = ["AlwaysCoop", f"AlwaysBetray:{seats - 1}"]
    found = boundary(sweep({"alpha": "0:1:0.1"}, games=2, players=players, rules=rules), "final:AlwaysCoop=100")
    star = (synergy - 1) / (synergy * (1 - 1 / seats))
    assert found["at"].to_list() == pytest.approx([star], abs=1e-9)
    assert found.select("low", "high").row(0) == pytest.approx((star, star), abs=1e-9)  # chance has no part in it
    assert found["rises"].to_list() == [False]
    if (seats, synergy) == (16, 1.8):
        assert star == pytest.approx(0.474, abs=5e-4)


def test_who_reckons_stops_giving_at_alpha_star():
    # From the second turn on Opportuniste gives where it pays; without growth the synergy is 1.8 then.
    rules = ostrom.CommonsRules(turns=2, growth=0)
    result = sweep({"alpha": "0.4:0.55:0.01"}, games=1, players=["Opportuniste:16"], rules=rules)
    (at,) = boundary(result, "contribution=0.75")["at"]
    assert at == pytest.approx(0.474, abs=0.01)


@pytest.mark.parametrize("seats", [2, 5])
def test_who_wants_its_own_money_contributes_from_r_equal_to_n_on(seats):
    result = sweep({"multiplier": "1:6:0.5"}, games=1, game="public-goods", players=[f"selfish:{seats}"])
    (at,) = boundary(result, "contribution=50")["at"]
    assert at == pytest.approx(seats + 0.25), "at r = N it makes no difference, and the subject gives nothing"


@pytest.fixture(scope="module")
def linear():
    """The linear public good: one seat gives 100 whatever the others do."""

    @ostrom.strategy(game="public-goods", name="SweepGives")
    def gives(question):
        return question.view.facts.endowment if hasattr(question.view, "facts") else question.spec.high

    @ostrom.strategy(game="public-goods", name="SweepKeeps")
    def keeps(question):
        return 0.0

    vary = {"multiplier": "1:11:0.5", "seats": [2, 3, 5, 10], "SweepGives": [1]}
    return sweep(vary, games=1, game="public-goods", players=["SweepKeeps"])


def test_giving_to_the_linear_public_good_pays_from_r_equal_to_n_on(linear):
    found = boundary(linear, "final:SweepGives=100")
    assert found["seats"].to_list() == [2, 3, 5, 10]
    assert found["at"].to_list() == pytest.approx([2, 3, 5, 10], abs=1e-9)
    assert found["rises"].all()


def test_the_optional_public_good_beats_staying_out_from_r_equal_to_2_on():
    game = register()
    result = sweep({"r": "1.2:5:0.2"}, games=1, game=game, players=["Gives:4", "StaysOut"])
    assert boundary(result, "final:Gives=final:StaysOut")["at"].to_list() == pytest.approx([2.0], abs=1e-9)


def ishigami(unit):
    x = np.pi * (2 * unit - 1)
    return np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])


TRUTH = {FIRST: [0.3139, 0.4424, 0.0], TOTAL: [0.5576, 0.4424, 0.2437]}


def by_kind(rows, kind):
    return [one for _, other, one in rows if other == kind]


def test_the_indices_of_the_ishigami_function():
    rows = of_saltelli(ishigami(saltelli(3, 2**15, 1))[:, None], "abc")
    for kind, values in TRUTH.items():
        found = by_kind(rows, kind)
        assert [one.value for one in found] == pytest.approx(values, abs=2e-3)
        assert all(one.low <= value <= one.high for one, value in zip(found, values, strict=True))


def test_without_chance_the_indices_are_those_of_scipy():
    values = ishigami(saltelli(3, 256, 1))
    blocks = values.reshape(5, 1, 256)
    known = sobol_indices(func={"f_A": blocks[0], "f_B": blocks[1], "f_AB": blocks[2:]}, n=256)
    rows = of_saltelli(values[:, None], "abc")
    assert [one.value for one in by_kind(rows, FIRST)] == pytest.approx(known.first_order.ravel().tolist(), abs=1e-12)
    assert [one.value for one in by_kind(rows, TOTAL)] == pytest.approx(known.total_order.ravel().tolist(), abs=1e-12)


def test_the_chance_within_games_is_no_effect():
    """Noise of twice the function's own spread; its share of a plain variance of means would be a tenth."""
    noise = np.random.default_rng(5)
    unit = saltelli(3, 512, 1)
    values = ishigami(unit)[:, None] + noise.normal(0, 7.5, (len(unit), 40))
    found = by_kind(of_saltelli(values, "abc"), TOTAL)
    assert all(one.low <= value <= one.high for one, value in zip(found, TRUTH[TOTAL], strict=True))
    assert sum(one.value for one in found) < 1.35  # 1.24 it is


def test_indices_of_few_points_have_no_interval():
    for rows, known in ((32, False), (64, True)):
        found = of_saltelli(ishigami(saltelli(3, rows, 1))[:, None], "abc")
        assert all((one.low is not None) == known for _, _, one in found)
    assert of_saltelli(ishigami(saltelli(3, 8, 1))[:, None], "abc")[0][2].reason == (
        "an interval needs at least 64 points in each sample"
    )


def test_intervals_of_indices_are_little_wider_than_the_indices_vary():
    noise, ends = np.random.default_rng(2), []
    truth = {FIRST: [16 / 23, 4 / 23, 0], TOTAL: [19 / 23, 7 / 23, 0]}
    for seed in range(60):
        unit = saltelli(3, 64, seed)
        mean = 2 * unit[:, 0] + unit[:, 1] + 3 * (unit[:, 0] - 0.5) * (unit[:, 1] - 0.5)
        luck = 1.4 * noise.standard_normal((len(mean), 6))
        rows = of_saltelli(mean[:, None] + luck, "abc", unit[:128])
        ends.append([by_kind(rows, kind) for kind in truth])
    held = [
        [one.low - 1e-9 <= value <= one.high + 1e-9 for one, value in zip(found, values, strict=True)]
        for world in ends
        for found, values in zip(world, truth.values(), strict=True)
    ]
    assert np.mean(held) >= 0.95
    # The share of the first factor alone.
    width = np.mean([world[0][0].high - world[0][0].low for world in ends])
    assert width < 1.7 * 3.92 * np.std([world[0][0].value for world in ends])


@pytest.mark.long
def test_intervals_of_indices_cover():
    noise, hits = np.random.default_rng(1), []
    for seed in range(200):
        unit = saltelli(3, 128, seed)
        values = ishigami(unit)[:, None] + noise.normal(0, 6, (len(unit), 40)) + noise.normal(0, 4, (1, 40))
        rows = of_saltelli(values, "abc")
        hits.append(
            [e.low <= t <= e.high for kind in TRUTH for e, t in zip(by_kind(rows, kind), TRUTH[kind], strict=True)]
        )
    assert np.mean(hits, axis=0).min() >= 0.93


@pytest.fixture(scope="module")
def additive():
    """A sweep with known values: f = 2a + b with every combination of a in 0, 1, 2 and b in 0, 1; noise by game."""
    result = sweep({"alpha": [0, 0.5, 1], "growth": [0.1, 0.2]}, games=40, players=["Pavlov:2"], rules=short())
    grid = (2.0 * np.arange(3)[:, None] + np.arange(2)).reshape(-1, 1)
    noise = np.random.default_rng(3).normal(0, 1, (6, 40))
    return result, grid, noise


def short():
    return ostrom.CommonsRules(turns=1)


def test_the_analysis_of_variance_of_a_factorial_design(additive):
    result, grid, noise = additive
    result.outcomes["welfare"] = grid + noise[:1]  # the same in all points: no part of any effect
    rows = {(row["factor"], row["kind"]): row for row in indices(result, "welfare").iter_rows(named=True)}
    # Variances 4·2/3 and 1/4.
    shares = {"alpha": 8 / 3 / (8 / 3 + 1 / 4), "growth": 1 / 4 / (8 / 3 + 1 / 4)}
    for name, share in shares.items():
        for kind in (FIRST, TOTAL):
            assert rows[name, kind]["value"] == pytest.approx(share, abs=1e-9)
    assert rows["alpha × growth", "interaction"]["value"] == pytest.approx(0, abs=1e-9)
    effects = main_effects(result, "welfare").filter(factor="alpha")
    assert effects["effect"].to_list() == pytest.approx([-2, 0, 2])
    assert effects["high"].to_list() == pytest.approx([-2, 0, 2])


def test_noise_of_its_own_at_every_point_widens_the_intervals(additive):
    result, grid, noise = additive
    result.outcomes["welfare"] = grid + noise
    found = indices(result, "welfare").filter(kind=FIRST).row(0, named=True)
    assert found["low"] < 8 / 3 / (8 / 3 + 1 / 4) < found["high"]
    assert found["high"] - found["low"] > 0.01


def test_the_interval_of_a_boundary_covers_it():
    """Points at 0, 0.1, … 1 of a line that crosses 0 at 0.43, with noise that games share and noise of each point."""
    noise, hits, at = np.random.default_rng(2), 0, np.linspace(0, 1, 11)
    for _ in range(400):
        values = (at[:, None] - 0.43) + noise.normal(0, 0.4, (1, 30)) + noise.normal(0, 0.2, (11, 30))
        found = estimates_of(values)
        (row,) = list(_crossings(at, *(np.asarray([getattr(e, k) for e in found]) for k in ("value", "low", "high"))))[
            :1
        ]
        hits += (row["low"] is None or row["low"] <= 0.43) and (row["high"] is None or row["high"] >= 0.43)
    assert hits / 400 >= 0.93
