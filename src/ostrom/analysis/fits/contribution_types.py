"""Types of players in public goods: by schedules of conditional contributions (Fischbacher, Gächter and Fehr 2001), or
by a finite mixture over repeated play if there are no schedules."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.analysis.fits.contributions import CONTRIBUTION, FURTHER, NextContributions, next_contributions
from ostrom.analysis.fits.data import numbers
from ostrom.analysis.fits.mixture import (
    MixtureModel,
    fit_mixture,
    held_out_log_likelihoods,
    memberships,
    profile_intervals,
    resample_weights,
)
from ostrom.analysis.fits.result import Estimator, FitOptions, FitResult, Member, Parameter, Score, folds_of, scores_of
from ostrom.core.errors import InputError
from ostrom.core.estimates import proportion

Floats = npt.NDArray[np.float64]
TYPES_OF_SCHEDULES: Final = ("conditional cooperator", "free rider", "triangle", "other")
TYPES_OF_PLAY: Final = ("conditional cooperator", "free rider", "full contributor", "other")
SCHEDULE: Final[Mapping[str, Sequence[str]]] = {f"b{others}": () for others in range(21)}
LEVEL: Final = 0.01
"""The significance of a rank correlation by which a schedule counts as rising or falling."""
NEAR: Final = 0.1
"""A conditional cooperator contributes within this share of the endowment of the others' last mean."""


def type_of_schedule(schedule: Floats) -> str:
    """Return the type of a schedule of contributions, by the others' mean contribution. A free rider gives nothing. A
    conditional cooperator never gives less when the others give more, or has a rank correlation above 0 at 1 %. A
    triangle rises to an inner peak and then falls, never in the other direction, or significantly on both sides."""
    steps = np.diff(schedule)
    if not schedule.any():
        return "free rider"
    if (np.all(steps >= 0) and np.any(steps > 0)) or _trend(schedule) > 0:
        return "conditional cooperator"
    for peak in np.flatnonzero(schedule == schedule.max()):
        if not 0 < peak < len(schedule) - 1:
            continue
        up, down = schedule[: peak + 1], schedule[peak:]
        rises = (np.all(np.diff(up) >= 0) and up[0] < up[-1]) or _trend(up) > 0
        falls = (np.all(np.diff(down) <= 0) and down[0] > down[-1]) or _trend(down) < 0
        if rises and falls:
            return "triangle"
    return "other"


def _trend(values: Floats) -> int:
    """Return the sign of the rank correlation with the place, or 0 if it is not significant."""
    from scipy.stats import spearmanr

    if len(values) < 3 or np.ptp(values) == 0:
        return 0
    correlation, chance = spearmanr(np.arange(len(values)), values)
    return int(np.sign(correlation)) if chance < LEVEL else 0


def fit_types(rows: pl.DataFrame, options: FitOptions) -> FitResult:
    """Return the shares of types, by schedules if the table has them, otherwise by repeated play."""
    steps = sorted((name for name in rows.columns if re.fullmatch(r"b\d+", name)), key=lambda name: int(name[1:]))
    if len(steps) >= 3:
        return _by_schedule(rows, steps, options)
    return _by_play(next_contributions(rows), options)


def _by_schedule(rows: pl.DataFrame, steps: Sequence[str], options: FitOptions) -> FitResult:
    people = rows.unique("player", maintain_order=True).sort("player")
    schedules = np.stack([numbers(people[name]) for name in steps], axis=1)
    types = np.array([type_of_schedule(row) for row in schedules])
    count = len(types)
    notes = []
    figures: dict[str, object] = {}
    if "type" in people.columns:
        labels = people["type"].cast(pl.String).to_list()
        figures["labels"] = {str(name): labels.count(name) / count for name in sorted(set(labels))}
        words = ", ".join(f"{clean_label(name)} {labels.count(name) / count:.1%}" for name in sorted(set(labels)))
        notes.append(f"The study's own classification: {words}.")
        translated = [_LABELS.get(str(label), str(label)) for label in labels]
        if set(translated) <= set(TYPES_OF_SCHEDULES):
            agree = sum(own == rule for own, rule in zip(translated, types.tolist(), strict=True))
            figures["agreement"] = agree / count
            notes.append(f"The rule and the study agree on {agree} of {count} players.")
    shares = {name: int((types == name).sum()) for name in TYPES_OF_SCHEDULES}
    return FitResult(
        parameters=[
            Parameter(name, proportion(held / count, count), float(np.sqrt(held * (count - held) / count**3)), "share")
            for name, held in shares.items()
        ],
        members=[
            Member(player, len(steps), {name: float(name == own) for name in TYPES_OF_SCHEDULES})
            for player, own in zip(people["player"], types.tolist(), strict=True)
        ],
        scores=_schedule_scores(schedules, types, options.seed),
        decisions=schedules.size,
        units=count,
        unit="player",
        figures=figures,
        notes=notes,
    )


_LABELS: Final = {
    **{"1": "conditional cooperator", "2": "free rider", "3": "triangle", "4": "other"},
    **{"conditional cooperators": "conditional cooperator", "free riders": "free rider"},
}
"""The words of studies for types, and the numbers of Fischbacher and Gächter 2010."""


def clean_label(label: object) -> str:
    """Return a study's label of a type in words."""
    return _LABELS.get(str(label), str(label))


def _schedule_scores(schedules: Floats, types: npt.NDArray[np.str_], seed: int) -> list[Score]:
    """Return the log losses for every second entry of the schedules of held-out players. A player's type is taken from
    the other entries of its schedule."""
    values = np.unique(schedules)
    codes = np.searchsorted(values, schedules)
    players, entries = schedules.shape
    folds = folds_of(players, seed)
    asked = np.arange(1, entries, 2)
    losses = {"all players alike": np.zeros(players), "types": np.zeros(players)}
    half_types = np.array([type_of_schedule(row) for row in schedules[:, ::2]])
    for fold in range(int(folds.max()) + 1):
        fitted, test = folds != fold, np.flatnonzero(folds == fold)
        common = _shares(codes[fitted], len(values), np.full((entries, len(values)), 1 / len(values)))
        by_type = {name: _shares(codes[fitted & (types == name)], len(values), common) for name in TYPES_OF_SCHEDULES}
        for player in test:
            own = codes[player, asked]
            losses["all players alike"][player] = -np.log(common[asked, own]).sum()
            losses["types"][player] = -np.log(by_type[str(half_types[player])][asked, own]).sum()
    return scores_of(losses, np.full(players, float(len(asked))))


def _shares(codes: npt.NDArray[np.int64], values: int, prior: Floats) -> Floats:
    """Return the distribution of each entry, with the weight of one player on a prior distribution."""
    counts = np.stack([np.bincount(column, minlength=values) for column in codes.T]) if len(codes) else 0.0 * prior
    return np.asarray((counts + prior) / (counts + prior).sum(axis=1, keepdims=True))


# Types by repeated play.


def play_mixture(data: NextContributions) -> MixtureModel:
    """Return the mixture of types. Each type has a set of contributions, which it chooses with equal probabilities.
    With the probability `tremble` it chooses any amount."""
    amounts = data.endowment + 1
    near = max(1.0, np.floor(NEAR * data.endowment))
    middle = np.round(data.others_before)
    low, high = np.maximum(middle - near, 0), np.minimum(middle + near, data.endowment)
    meets = {
        "conditional cooperator": np.where(np.abs(data.contribution - middle) <= near, 1 / (high - low + 1), 0.0),
        "free rider": (data.contribution == 0).astype(np.float64),
        "full contributor": (data.contribution == data.endowment).astype(np.float64),
        "other": np.full(len(middle), 1 / amounts),
    }
    chances, code = np.unique(np.stack([meets[name] for name in TYPES_OF_PLAY]), return_inverse=True)
    code = code.reshape(len(TYPES_OF_PLAY), -1)
    players, types = len(data.players), len(TYPES_OF_PLAY)
    counts = np.zeros((players, types, len(chances)))
    for place in range(types):
        np.add.at(counts[:, place], (data.player, code[place]), 1)
    uniform = 1 / amounts
    trembles = np.array([name != "other" for name in TYPES_OF_PLAY])

    def log_likelihood(parameters: Floats) -> Floats:
        tremble = parameters[:, :1]
        return np.asarray(np.einsum("ikv,bv->bik", counts, np.log((1 - tremble) * chances + tremble * uniform)))

    def update(resp: Floats, parameters: Floats) -> Floats:
        tremble = parameters[:, :1]
        blamed = tremble * uniform / ((1 - tremble) * chances + tremble * uniform)
        weights = np.einsum("bik,ikv->bkv", resp, counts)[:, trembles]
        rate = (weights * blamed[:, np.newaxis]).sum(axis=(1, 2)) / np.maximum(weights.sum(axis=(1, 2)), 1e-9)
        return np.asarray(np.clip(rate, 1e-6, 1 - 1e-6)[:, np.newaxis])

    return MixtureModel(log_likelihood, update, np.array([0.3]), (1e-6, 1 - 1e-6), players, types)


def _by_play(data: NextContributions, options: FitOptions) -> FitResult:
    if np.any(data.contribution != np.round(data.contribution)):
        raise InputError("types by play need contributions in whole units")
    model = play_mixture(data)
    solved = fit_mixture(model)
    resampled = fit_mixture(model, resample_weights(model.units, options.resamples, options.seed))
    errors = np.concatenate([resampled.shares.std(axis=0, ddof=1), resampled.parameters.std(axis=0, ddof=1)])
    posterior = memberships(model, solved)
    names = [*TYPES_OF_PLAY, "tremble"]
    counts = np.bincount(data.player, minlength=model.units).astype(np.float64)
    folds = folds_of(model.units, options.seed)
    losses = {"marginal distribution": _marginal(data, folds), "types": -held_out_log_likelihoods(model, folds)}
    return FitResult(
        parameters=[
            Parameter(name, estimate, float(error), "tremble" if name == "tremble" else "share")
            for name, estimate, error in zip(names, profile_intervals(model, solved), errors, strict=True)
        ],
        members=[
            Member(player, int(count), dict(zip(TYPES_OF_PLAY, row.tolist(), strict=True)))
            for player, count, row in zip(data.players, counts, posterior, strict=True)
        ],
        scores=scores_of(losses, counts),
        decisions=len(data.contribution),
        units=model.units,
        unit="player",
        log_likelihood=float(solved.log_likelihood[0]),
    )


def _marginal(data: NextContributions, folds: npt.NDArray[np.int64]) -> Floats:
    code = data.contribution.astype(np.int64)
    amounts = int(data.endowment) + 1
    counts = np.zeros((len(folds), amounts))
    np.add.at(counts, (data.player, code), 1)
    losses = np.zeros(len(folds))
    for fold in range(int(folds.max()) + 1):
        chance = counts[folds != fold].sum(axis=0) + 0.5
        losses[folds == fold] = -(counts[folds == fold] * np.log(chance / chance.sum())).sum(axis=1)
    return losses


TYPES: Final = Estimator(
    "types",
    "Players are conditional cooperators, free riders or others, by schedules of conditional contributions (b0, b1, …) "
    "or, without schedules, by a mixture over repeated play.",
    CONTRIBUTION,
    {**FURTHER, **SCHEDULE, "type": ("preftype",)},
    fit_types,
)
