"""How well the estimators of time and risk recover what simulated subjects are made of: bias, root mean square error,
coverage of the 95 % intervals, false penalties for magnitude, and how near honest subjects come to losing their score.

    python benchmarks/battery_recovery.py --seeds 200

prints the tables of docs/validity.md.

Subjects answer the full protocol with logit noise on value divided by the larger amount; without noise they choose the
better option, and either one if they are equal."""

import argparse
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

for setting in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[setting] = "1"

import numpy as np  # noqa: E402 - only now, so that it starts no threads
from scipy.special import chdtrc  # noqa: E402

from ostrom.games.battery.adaptive import SequenceSteps  # noqa: E402
from ostrom.games.battery.risk import OUTCOMES  # noqa: E402
from ostrom.games.battery.scores import replicates  # noqa: E402
from ostrom.games.battery.scores.logit import ChoiceCounts, fit_theory  # noqa: E402
from ostrom.games.battery.scores.risk import RiskPoints, risk_errors  # noqa: E402
from ostrom.games.battery.scores.theories import (  # noqa: E402
    EXPECTED_UTILITY,
    EXPONENTIAL,
    HYPERBOLIC,
    QUASI_HYPERBOLIC,
    Theory,
)
from ostrom.games.battery.scores.time import (  # noqa: E402
    LEVEL,
    TimePoints,
    choices_magnitude,
    likelihood_ratio,
    published_delta,
)
from ostrom.games.battery.subjects import Economicus  # noqa: E402
from ostrom.games.battery.subjects import theories as people  # noqa: E402
from ostrom.games.battery.time import YEAR, TimeRules  # noqa: E402

FULL = SequenceSteps()
NOISES = (0.0, 0.03, 0.1)
R = (-0.5, 0.0, 0.5, 0.8)


@cache
def time_grid() -> Any:
    """Return the 72 conditions of the time task: later amount, delay and front-end delay, the last two in days."""
    rules = TimeRules()
    return np.array(rules.grid) * [1.0, rules.month, rules.month]


@cache
def risk_grid() -> Any:
    """Return the 66 reference lotteries: probabilities of 0, 500 and 1000 in twelfths, interior and hypotenuse."""
    cells = [(low, 12 - low - high, high) for high in range(1, 12) for low in range(1, 13 - high)]
    return np.array(cells) / 12


def play_time(subject: Economicus, noise: float, subjects: int, seed: int) -> replicates.Sequences:
    """Play the time task with a simulated subject. Step 0 asks for nothing now, step 1 for the full amount now."""
    amount, delay, front = time_grid().T
    soon, late = (subject.discount(days / YEAR, amount) for days in (front, front + delay))
    ask = replicates.asking_in_time(soon, late, noise, np.random.default_rng(seed), FULL)
    return replicates.bisect_time(ask, (subjects, len(amount)), FULL)


def play_risk(subject: Economicus, noise: float, subjects: int, seed: int) -> replicates.Sequences:
    """Play the risk task with a simulated subject. Step 0 asks for 500 for sure, which selects the axis; step 1 for
    its far end, 1000 or 0 for sure."""

    def mixed(upward: Any, q: Any) -> Any:
        nothing = np.zeros_like(q)
        up, down = np.stack([nothing, 1 - q, q], -1), np.stack([q, 1 - q, nothing], -1)
        return np.asarray(subject.valued(np.where(upward[..., np.newaxis], up, down), OUTCOMES))

    reference = subject.valued(risk_grid(), OUTCOMES)
    return replicates.bisect_risk(reference, mixed, noise, subjects, np.random.default_rng(seed), FULL)


@dataclass(frozen=True, slots=True)
class Truth:
    """A subject, the theory that is fitted to it, and what should come out."""

    name: str
    names: tuple[str, ...]
    values: tuple[float, ...]

    @property
    def model(self) -> Theory:
        kinds = {"δ": EXPONENTIAL, "β, δ": QUASI_HYPERBOLIC, "k": HYPERBOLIC}
        return kinds.get(", ".join(self.names), EXPECTED_UTILITY)

    @property
    def in_time(self) -> bool:
        return self.names != ("m",)

    def play(self, noise: float, subjects: int, seed: int) -> replicates.Sequences:
        theories: dict[tuple[str, ...], Callable[..., Economicus]] = {
            ("δ",): lambda delta: people.Exponential(delta=delta),
            ("β", "δ"): lambda beta, delta: people.QuasiHyperbolic(beta=beta, delta=delta),
            ("k",): lambda k: people.Hyperbolic(k=k),
        }
        if self.in_time:
            return play_time(theories[self.names](*self.values), noise, subjects, seed)
        return play_risk(people.ExpectedUtility(r=1 + np.log2(self.values[0])), noise, subjects, seed)


TRUTHS = (
    *(Truth(f"exponential δ {delta}", ("δ",), (delta,)) for delta in (0.7, 0.9, 0.95)),
    Truth("quasi-hyperbolic β 0.7 δ 0.95", ("β", "δ"), (0.7, 0.95)),
    Truth("hyperbolic k 0.5", ("k",), (0.5,)),
    *(Truth(f"expected utility r {r}", ("m",), (0.5 ** (1 - r),)) for r in R),
)


@dataclass(frozen=True, slots=True)
class Recovered:
    """What came out of one subject's answers at one noise, over all seeds."""

    truth: Truth
    noise: float
    values: Any
    """(seeds, parameters)"""
    covered: Any
    penalised: Any
    """Whether there was a penalty, by seed; empty in risk."""
    refused: float
    """The greatest share over seeds of what costs the score: invalid sequences in time, censored ones in risk."""
    random: float
    """The greatest share of random answers over seeds."""


def time_choices(run: replicates.Sequences, subject: int) -> ChoiceCounts:
    """One subject's choices in the time task."""
    amount, delay, front = time_grid().T
    cell, step = np.nonzero(run.answers[subject])
    stake = np.searchsorted(np.unique(amount), amount[cell]).astype(np.float64)
    ratio = run.asked[subject][cell, step]
    features = np.stack([ratio, front[cell] / YEAR, (front + delay)[cell] / YEAR, stake])
    return _choices(run, subject, features, cell, step, len(amount))


def risk_choices(run: replicates.Sequences, subject: int) -> ChoiceCounts:
    """One subject's choices in the risk task."""
    grid = risk_grid()
    cell, step = np.nonzero(run.answers[subject])
    q = run.asked[subject][cell, step]
    best = np.where(run.upward[subject][cell], q, 0.0)
    features = np.stack([best - grid[cell, 2], 1 - q - grid[cell, 1]])
    return _choices(run, subject, features, cell, step, len(grid))


def _choices(
    run: replicates.Sequences, subject: int, features: Any, cell: Any, step: Any, clusters: int
) -> ChoiceCounts:
    chosen, answers = (getattr(run, name)[subject][cell, step].astype(np.float64) for name in ("chosen", "answers"))
    return ChoiceCounts(features, chosen, answers, cell, clusters)


def time_points(run: replicates.Sequences, subject: int) -> TimePoints:
    """One subject's indifference points in the time task."""
    amount, delay, front = time_grid().T
    points = TimePoints(run.value[subject], delay / YEAR, front / YEAR, amount)
    return points.only(run.outcome[subject] != replicates.INVALID)


def risk_points(run: replicates.Sequences, subject: int) -> RiskPoints:
    """One subject's indifference points in the risk task."""
    points = RiskPoints(run.value[subject], run.upward[subject], risk_grid())
    return points.only(run.outcome[subject] == replicates.POINT)


def recover(truth: Truth, noise: float, seeds: int, seed: int = 1) -> Recovered:
    """Fit a subject's own theory to its answers, once a seed."""
    run = truth.play(noise, seeds, seed)
    values, covered, penalised = [], [], []
    for subject in range(seeds):
        choices = (time_choices if truth.in_time else risk_choices)(run, subject)
        found = fit_theory(truth.model, choices)
        values.append([score.value for score in found.parameters])
        covered.append(
            [score.low <= value <= score.high for score, value in zip(found.parameters, truth.values, strict=True)]
        )
        if truth.in_time:
            penalised.append(float(chdtrc(2, likelihood_ratio(choices))) < LEVEL)
    at_end = run.chosen[..., 0] if truth.in_time else np.where(run.upward, 3 - run.chosen[..., 1], run.chosen[..., 1])
    lost = replicates.INVALID if truth.in_time else replicates.CENSORED
    return Recovered(
        truth,
        noise,
        np.array(values),
        np.array(covered),
        np.array(penalised),
        float(np.max(np.mean(run.outcome == lost, axis=1))),
        float(np.max(2 * np.mean(at_end / FULL.askings, axis=1))),
    )


def known_behaviour() -> Iterator[tuple[str, float]]:
    """What is known beforehand about subjects without noise."""
    present = play_time(people.QuasiHyperbolic(beta=0.7, delta=0.95), 0, 1, 1)
    yield (
        "quasi-hyperbolic β 0.7 δ 0.95: δ by exponential least squares",
        published_delta(time_points(present, 0))[0].value,
    )
    choices = time_choices(play_time(people.Magnitude(), 0, 1, 1), 0)
    yield "magnitude: penalty", choices_magnitude(choices).penalty.value
    lotteries = {f"expected utility r {r}": people.ExpectedUtility(r=r) for r in R}
    for name, lottery in {**lotteries, "prospect theory α 0.88 γ 0.61": people.Prospect()}.items():
        errors = risk_errors(risk_points(play_risk(lottery, 0, 1, 1), 0))
        yield f"{name}: Err_EV", errors.expected_value.value
        yield f"{name}: Err_EU", errors.expected_utility.value


def told(found: list[Recovered]) -> Iterator[str]:
    """The tables in Markdown."""
    yield "| subject | noise | parameter | bias | RMSE | coverage | false penalties | lost at most | random at most |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for one in found:
        for place, name in enumerate(one.truth.names):
            error = one.values[:, place] - one.truth.values[place]
            root = np.sqrt(np.mean(error**2))
            penalties = f"{100 * np.mean(one.penalised):.1f} %" if len(one.penalised) and place == 0 else ""
            yield (
                f"| {one.truth.name} | {one.noise:g} | {name} | {np.mean(error):+.5f} | {root:.5f} "
                f"| {100 * np.mean(one.covered[:, place]):.1f} % | {penalties} "
                f"| {100 * one.refused:.1f} % | {100 * one.random:.1f} % |"
            )
    noisy = [one for one in found if one.noise > 0]
    covered = np.concatenate([one.covered.ravel() for one in noisy])
    least = min(np.min(np.mean(one.covered, axis=0)) for one in noisy)
    penalised = [one.penalised for one in found if len(one.penalised)]
    hardest = [one.penalised for one in noisy if one.truth.names == ("δ",)]
    yield ""
    yield f"Pooled coverage with noise: {100 * np.mean(covered):.1f} %, least {100 * least:.1f} %."
    yield (
        f"False penalties: {100 * np.mean(np.concatenate(penalised)):.1f} % pooled over all, "
        f"{100 * np.mean(np.concatenate(hardest)):.1f} % over exponential subjects with noise."
    )
    worst = max(float(np.max(np.abs(one.values - one.truth.values))) for one in found if one.noise == 0)
    yield f"Greatest error without noise: {worst:.5f}."
    yield ""
    yield "| without noise | value |"
    yield "|---|---|"
    for name, value in known_behaviour():
        yield f"| {name} | {value:.3f} |"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seeds", type=int, default=200, help="runs of each subject at each noise")
    options.add_argument("--seed", type=int, default=1, help="of all draws")
    options.add_argument("--workers", type=int, default=os.cpu_count(), help="processes")
    chosen = options.parse_args()
    jobs = [(truth, noise) for truth in TRUTHS for noise in NOISES]
    with ProcessPoolExecutor(chosen.workers) as pool:
        waiting = [pool.submit(recover, truth, noise, chosen.seeds, chosen.seed) for truth, noise in jobs]
        for line in told([job.result() for job in waiting]):
            print(line)


if __name__ == "__main__":
    main()
