"""Coverage of the intervals of `ostrom fit`: simulated decisions with known parameters, for each estimator. An interval
is judged by whether the Wilson interval of its coverage contains 95 %.

    python benchmarks/recovery_fits.py [--estimator NAME] [--data-sets 200]
"""

import argparse
import sys
import time
from collections.abc import Callable, Mapping

import numpy as np
import polars as pl

from ostrom.analysis.fits.conditional import NAMES as COEFFICIENTS
from ostrom.analysis.fits.conditional import fit_conditional
from ostrom.analysis.fits.contribution_types import TYPES_OF_PLAY, play_mixture
from ostrom.analysis.fits.contributions import next_contributions
from ostrom.analysis.fits.likelihood import maximum_of, transformed
from ostrom.analysis.fits.matrix_choices import count_matrix_choices
from ostrom.analysis.fits.mixture import MixtureModel, fit_mixture, profile_intervals
from ostrom.analysis.fits.quantal import LEVELS, levels_by_player, levels_of, qre_by_player, start_points
from ostrom.analysis.fits.result import FitOptions
from ostrom.analysis.fits.social import figures_with_errors, fit_mixture_of_preferences, social_choices
from ostrom.analysis.fits.strategies import AUTOMATA, count_agreements, strategy_mixture
from ostrom.core.estimates import Estimate, proportion

Truth = Mapping[str, float]
Study = Callable[[np.random.Generator], tuple[Truth, Mapping[str, Estimate]]]
SHARES = {"AllD": 0.35, "AllC": 0.1, "Grim": 0.15, "TFT": 0.25, "T2": 0.05, "WSLS": 0.1}
TREMBLE = 0.08
PLAY = {"conditional cooperator": 0.5, "free rider": 0.25, "full contributor": 0.1, "other": 0.15}
PREFERENCES = {"α": 0.1, "β": 0.25, "γ": 0.07, "δ": -0.05, "σ": 0.016}


def _mixture_intervals(model: MixtureModel, names: list[str]) -> Mapping[str, Estimate]:
    return dict(zip(names, profile_intervals(model, fit_mixture(model)), strict=True))


def strategies(rng: np.random.Generator) -> tuple[Truth, Mapping[str, Estimate]]:
    """60 players, each in 8 games that continue with probability .75."""
    names, shares = list(SHARES), list(SHARES.values())
    drawn = rng.choice(len(names), 60, p=shares)
    rows = []
    for game in range(8):
        order = rng.permutation(60)
        for first, second in order.reshape(-1, 2):
            seats, states = (first, second), [0, 0]
            for round_ in range(1, 1 + int(rng.geometric(0.25))):
                machines = [AUTOMATA[names[drawn[seat]]] for seat in seats]
                flips = rng.random(2) < TREMBLE
                acts = [
                    machine.cooperates[state] ^ bool(flip)
                    for machine, state, flip in zip(machines, states, flips, strict=True)
                ]
                for seat in (0, 1):
                    rows.append((f"p{seats[seat]:02}", game, round_, acts[seat], acts[1 - seat]))
                    outcome = 2 * (not acts[seat]) + (not acts[1 - seat])
                    states[seat] = machines[seat].following[states[seat]][outcome]
    table = pl.DataFrame(rows, schema=["player", "game", "round", "choice", "other_choice"], orient="row")
    model = strategy_mixture(count_agreements(table))
    return {**SHARES, "tremble": TREMBLE}, _mixture_intervals(model, [*AUTOMATA, "tremble"])


def types(rng: np.random.Generator) -> tuple[Truth, Mapping[str, Estimate]]:
    """80 players in groups of 4 for 10 rounds."""
    drawn = rng.choice(list(PLAY), 80, p=list(PLAY.values()))
    given = rng.integers(0, 21, 80)
    rows = []
    for round_ in range(1, 11):
        groups = given.reshape(-1, 4)
        others = np.round(((groups.sum(axis=1, keepdims=True) - groups) / 3).ravel()).astype(int)
        if round_ > 1:
            low, high = np.maximum(others - 2, 0), np.minimum(others + 2, 20)
            near = rng.integers(low, high + 1)
            aims = {
                "conditional cooperator": near,
                "free rider": np.zeros(80, int),
                "full contributor": np.full(80, 20),
                "other": rng.integers(0, 21, 80),
            }
            aimed = np.select([drawn == name for name in PLAY], [aims[name] for name in PLAY])
            given = np.where(rng.random(80) < 0.2, rng.integers(0, 21, 80), aimed)
        rows += [(f"p{seat:02}", seat // 4, round_, int(given[seat]), 20) for seat in range(80)]
    table = pl.DataFrame(rows, schema=["player", "game", "round", "contribution", "endowment"], orient="row")
    model = play_mixture(next_contributions(table))
    return {**PLAY, "tremble": 0.2}, _mixture_intervals(model, [*TYPES_OF_PLAY, "tremble"])


def conditional(rng: np.random.Generator) -> tuple[Truth, Mapping[str, Estimate]]:
    """20 groups of 4 for 10 rounds, with a common shock of each group and round."""
    truth = dict(zip(COEFFICIENTS, (1.0, 0.5, 0.4), strict=True))
    given = rng.normal(10, 5, (20, 4))
    rows = []
    for round_ in range(1, 11):
        if round_ > 1:
            others = (given.sum(axis=1, keepdims=True) - given) / 3
            given = 1.0 + 0.5 * given + 0.4 * others + rng.normal(0, 2, (20, 4)) + rng.normal(0, 1, (20, 1))
        rows += [
            (f"g{group}s{seat}", group, round_, float(given[group, seat])) for group in range(20) for seat in range(4)
        ]
    table = pl.DataFrame(rows, schema=["player", "game", "round", "contribution"], orient="row")
    return truth, {one.name: one.estimate for one in fit_conditional(table, FitOptions()).parameters}


def _matrices(rng: np.random.Generator, forecast: Callable[..., np.ndarray]) -> pl.DataFrame:
    """80 players with 20 of 40 random games each. `forecast` returns the chance of A for each player and game."""
    games = rng.integers(1, 49, (40, 8))
    chance = forecast(games)
    rows = []
    for player in range(80):
        for game in rng.permutation(40)[:20]:
            rows.append((f"p{player:02}", *games[game].tolist(), bool(rng.random() < chance[player, game])))
    cells = [f"{who}_{cell}" for cell in ("ac", "ad", "bc", "bd") for who in ("own", "other")]
    return pl.DataFrame(rows, schema=["player", *cells, "choice"], orient="row")


def _parts(games: np.ndarray) -> tuple[np.ndarray, ...]:
    own, other = games[:, ::2].T.astype(float), games[:, 1::2].T.astype(float)
    return own[0] - own[2], own[1] - own[3], other[0] - other[1], other[2] - other[3]


def _logit(value: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-value))


def qre(rng: np.random.Generator) -> tuple[Truth, Mapping[str, Estimate]]:
    """One precision of .1."""

    def forecast(games: np.ndarray) -> np.ndarray:
        against_c, against_d, other_a, other_b = _parts(games)
        row = np.full(len(games), 0.5)
        for _ in range(2000):
            column = _logit(0.1 * (row * other_a + (1 - row) * other_b))
            row = row + 0.3 * (_logit(0.1 * (column * against_c + (1 - column) * against_d)) - row)
        return np.tile(row, (80, 1))

    choices = count_matrix_choices(_matrices(rng, forecast))
    single, _ = start_points(choices)
    solved = maximum_of(lambda point: qre_by_player(choices, point), [single])
    return {"λ": 0.1}, {"λ": transformed(solved, np.exp, ["log"])[0][0]}


def levels(rng: np.random.Generator) -> tuple[Truth, Mapping[str, Estimate]]:
    """Shares .2, .5 and .3 of random choice, level 1 and level 2, with precisions .3 and .4."""

    def forecast(games: np.ndarray) -> np.ndarray:
        against_c, against_d, other_a, other_b = _parts(games)
        column = _logit(0.3 * (other_a + other_b) / 2)
        chances = np.stack(
            [
                np.full(len(games), 0.5),
                _logit(0.3 * (against_c + against_d) / 2),
                _logit(0.4 * (column * against_c + (1 - column) * against_d)),
            ]
        )
        return chances[rng.choice(3, 80, p=[0.2, 0.5, 0.3])]

    choices = count_matrix_choices(_matrices(rng, forecast))
    _, starts = start_points(choices)
    solved = maximum_of(lambda point: levels_by_player(choices, point), starts[:1])
    names = [*LEVELS, "λ of level 1", "λ of level 2"]
    intervals = [one for one, _ in transformed(solved, levels_of, ["share"] * 3 + ["log"] * 2)]
    return dict(zip(names, (0.2, 0.5, 0.3, 0.3, 0.4), strict=True)), dict(zip(names, intervals, strict=True))


def social(rng: np.random.Generator) -> tuple[Truth, Mapping[str, Estimate]]:
    """60 players with 60 choices each, a third of them after a kind and a third after an unkind act."""
    count = 60 * 60
    cells = rng.integers(10, 120, (count, 4)) * 10.0
    kind = np.arange(count) % 3
    value = np.zeros(count)
    for side, sign in ((0, 1.0), (1, -1.0)):
        own, other = cells[:, side], cells[:, 2 + side]
        weight = PREFERENCES["α"] * (own < other) + PREFERENCES["β"] * (own > other)
        weight = weight + PREFERENCES["γ"] * (kind == 1) + PREFERENCES["δ"] * (kind == 2)
        value += sign * ((1 - weight) * own + weight * other)
    chose = rng.random(count) < _logit(PREFERENCES["σ"] * value)
    names = ["self_x", "self_y", "other_x", "other_y"]
    table = pl.DataFrame({name: cells[:, place] for place, name in enumerate(names)}).with_columns(
        player=pl.Series([f"p{place % 60:02}" for place in rng.permutation(count)]),
        choice=pl.Series(chose),
        q=pl.Series((kind == 1).astype(int)),
        v=pl.Series((kind == 2).astype(int)),
    )
    choices = social_choices(table)
    shares, coefficients, likelihood = fit_mixture_of_preferences(choices, 1, 0)
    _, figures = figures_with_errors(choices, shares, coefficients, likelihood)
    return PREFERENCES, {name: one for name, (one, _) in zip(PREFERENCES, figures, strict=True)}


STUDIES: Mapping[str, Study] = {
    "conditional": conditional,
    "social": social,
    "qre": qre,
    "types": types,
    "strategies": strategies,
    "level-k": levels,
}


def run(name: str, data_sets: int) -> None:
    """Print the coverage of the intervals of an estimator."""
    start = time.perf_counter()
    covered: dict[str, list[bool]] = {}
    estimates: dict[str, list[float]] = {}
    truth: Truth = {}
    failed = 0
    for seed in range(data_sets):
        try:
            truth, found = STUDIES[name](np.random.default_rng([33, seed]))
        except ValueError as error:
            failed += 1
            print(f"{name}: data set {seed}: {error}", file=sys.stderr)
            continue
        for parameter, one in found.items():
            inside = one.low is not None and one.high is not None and one.low <= truth[parameter] <= one.high
            covered.setdefault(parameter, []).append(inside)
            estimates.setdefault(parameter, []).append(float(one))
    for parameter, inside in covered.items():
        share = proportion(sum(inside) / len(inside), len(inside))
        assert share.low is not None
        assert share.high is not None
        verdict = "yes" if share.low <= 0.95 <= share.high else "no"
        print(
            f"| {name} | {parameter} | {truth[parameter]:g} | {np.mean(estimates[parameter]):.3f} | {len(inside)} | "
            f"{100 * sum(inside) / len(inside):.1f} % | {100 * share.low:.1f}–{100 * share.high:.1f} | {verdict} |",
            flush=True,
        )
    seconds = time.perf_counter() - start
    print(f"{name}: {failed} data sets without an estimate, {seconds:.0f} s", file=sys.stderr)


def main() -> None:
    """Print the table of docs/validity.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--estimator", choices=STUDIES, action="append")
    parser.add_argument("--data-sets", type=int, default=200)
    arguments = parser.parse_args()
    print("| estimator | parameter | truth | mean estimate | data sets | coverage | Wilson interval | contains 95 % |")
    print("|---|---|---|---|---|---|---|---|")
    for name in arguments.estimator or STUDIES:
        run(name, arguments.data_sets)


if __name__ == "__main__":
    main()
