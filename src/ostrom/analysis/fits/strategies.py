"""Strategy frequency estimation (Dal Bó and Fréchette 2011): the shares of repeated-game strategies among players, with
one probability of trembles. The mixture is over players, so that each player has one strategy in all of its games."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.analysis.fits.data import number_sequences, truths
from ostrom.analysis.fits.mixture import (
    Floats,
    MixtureModel,
    fit_mixture,
    held_out_log_likelihoods,
    memberships,
    profile_intervals,
    resample_weights,
)
from ostrom.analysis.fits.result import Estimator, FitOptions, FitResult, Member, Parameter, Score, folds_of, scores_of

Whole = npt.NDArray[np.int64]


class StrategyAutomaton(NamedTuple):
    """A strategy as a finite automaton that starts in state 0."""

    cooperates: tuple[bool, ...]
    """The action in each state."""
    following: tuple[tuple[int, int, int, int], ...]
    """The next state after CC, CD, DC and DD, where the own action comes first."""


AUTOMATA: Final[Mapping[str, StrategyAutomaton]] = {
    "AllD": StrategyAutomaton((False,), ((0, 0, 0, 0),)),
    "AllC": StrategyAutomaton((True,), ((0, 0, 0, 0),)),
    "Grim": StrategyAutomaton((True, False), ((0, 1, 1, 1), (1, 1, 1, 1))),
    "TFT": StrategyAutomaton((True, False), ((0, 1, 0, 1), (0, 1, 0, 1))),
    "T2": StrategyAutomaton((True, False, False), ((0, 1, 1, 1), (2, 2, 2, 2), (0, 0, 0, 0))),
    "WSLS": StrategyAutomaton((True, False), ((0, 1, 1, 0), (0, 1, 1, 0))),
}
"""The strategies of Dal Bó and Fréchette 2011. T2 punishes a defection, also an own one, for two rounds."""
_OUTCOMES: Final = 5
"""The cells of the table of the baseline: the first round, and the four outcomes of the round before."""
MIN_TREMBLE, MAX_TREMBLE = 1e-6, 0.5


class StrategyCounts(NamedTuple):
    """The decisions of players, counted."""

    players: list[str]
    agreeing: Floats
    """(players, strategies): the number of decisions that agree with a strategy."""
    decisions: Floats
    """The number of decisions of each player."""
    cells: Floats
    """(players, outcomes, 2): the number of decisions after each outcome, cooperation first."""


def count_agreements(rows: pl.DataFrame, unit: str = "player") -> StrategyCounts:
    """Return how many decisions of each player agree with each strategy."""
    rows, _, place, units, names = number_sequences(rows, unit)
    chose = truths(rows["choice"])
    own = truths(rows["own"]) if "own" in rows.columns else chose
    other = truths(rows["other_choice"])
    outcome = 2 * (1 - own.astype(np.int64)) + (1 - other.astype(np.int64))
    before = np.where(place == 0, 0, np.concatenate([[0], 1 + outcome[:-1]]))
    cells = np.zeros((len(names), _OUTCOMES, 2))
    np.add.at(cells, (units, before, 1 - chose.astype(np.int64)), 1)
    agreeing: Floats = np.stack(
        [
            np.bincount(
                units, weights=(_prescribed(one, outcome, place) == chose).astype(np.float64), minlength=len(names)
            )
            for one in AUTOMATA.values()
        ],
        axis=1,
    )
    return StrategyCounts(
        names,
        np.asarray(agreeing, dtype=np.float64),
        np.bincount(units, minlength=len(names)).astype(np.float64),
        cells,
    )


def _prescribed(automaton: StrategyAutomaton, outcome: Whole, place: Whole) -> npt.NDArray[np.bool_]:
    """Return the action of an automaton in every row. All sequences advance together, round by round."""
    following = np.asarray(automaton.following)
    state = np.zeros(len(outcome), dtype=np.int64)
    for round_ in range(1, int(place.max(initial=0)) + 1):
        rows = np.flatnonzero(place == round_)
        state[rows] = following[state[rows - 1], outcome[rows - 1]]
    return np.asarray(np.asarray(automaton.cooperates)[state])


def strategy_mixture(counts: StrategyCounts) -> MixtureModel:
    """Return the mixture of the strategies. A tremble is the probability of the other action."""
    deviating = counts.decisions[:, np.newaxis] - counts.agreeing

    def log_likelihood(parameters: Floats) -> Floats:
        tremble = parameters[:, :1, np.newaxis]
        return np.asarray(counts.agreeing * np.log1p(-tremble) + deviating * np.log(tremble))

    def update(resp: Floats, _: Floats) -> Floats:
        rate = (resp * deviating).sum(axis=(1, 2)) / (resp * counts.decisions[:, np.newaxis]).sum(axis=(1, 2))
        return np.asarray(np.clip(rate, MIN_TREMBLE, MAX_TREMBLE)[:, np.newaxis])

    players, types = counts.agreeing.shape
    return MixtureModel(log_likelihood, update, np.array([0.1]), (MIN_TREMBLE, MAX_TREMBLE), players, types)


def fit_strategies(rows: pl.DataFrame, options: FitOptions) -> FitResult:
    """Return the shares of strategies and the tremble of these decisions."""
    counts = count_agreements(rows, options.unit)
    model = strategy_mixture(counts)
    solved = fit_mixture(model)
    resampled = fit_mixture(model, resample_weights(model.units, options.resamples, options.seed))
    errors = np.concatenate([resampled.shares.std(axis=0, ddof=1), resampled.parameters.std(axis=0, ddof=1)])
    intervals = profile_intervals(model, solved)
    names = [*AUTOMATA, "tremble"]
    posterior = memberships(model, solved)
    return FitResult(
        parameters=[
            Parameter(name, estimate, float(error), "share" if name in AUTOMATA else "tremble")
            for name, estimate, error in zip(names, intervals, errors, strict=True)
        ],
        members=[
            Member(player, int(decisions), dict(zip(AUTOMATA, row.tolist(), strict=True)))
            for player, decisions, row in zip(counts.players, counts.decisions, posterior, strict=True)
        ],
        scores=_scores(model, counts, options.seed),
        decisions=int(counts.decisions.sum()),
        units=model.units,
        unit=options.unit,
        log_likelihood=float(solved.log_likelihood[0]),
    )


def _scores(model: MixtureModel, counts: StrategyCounts, seed: int) -> list[Score]:
    folds = folds_of(model.units, seed)
    held = -held_out_log_likelihoods(model, folds)
    share, table = np.empty(model.units), np.empty(model.units)
    for fold in range(int(folds.max()) + 1):
        own = folds == fold
        rest = counts.cells[~own].sum(axis=0)
        for losses, cells in ((share, rest.sum(axis=0, keepdims=True)), (table, rest)):
            chance = np.log((cells + 0.5) / (cells + 0.5).sum(axis=1, keepdims=True))
            losses[own] = -(counts.cells[own] * chance).sum(axis=(1, 2))
    models = {"cooperation rate": share, "rate after each outcome": table, "strategies": held}
    return scores_of(models, counts.decisions)


STRATEGIES: Final = Estimator(
    "strategies",
    "Each player has one of six strategies of the repeated game, and deviates from it with the probability tremble.",
    {"choice": ("chosen", "my.decision", "cooperated"), "other_choice": ("other_action", "other.choice", "other")},
    {"own": ("action",)},
    fit_strategies,
)
