"""Social preferences (Bruhin, Fehr and Schunk 2019): the weight on another person's payoff behind, ahead, and after a
kind or an unkind act, with logit choices. Either all players have the same weights, or they are a finite mixture."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.analysis.fits.data import codes_of, numbers, truths
from ostrom.analysis.fits.likelihood import Maximum, sandwich, transformed
from ostrom.analysis.fits.result import Estimator, FitOptions, FitResult, Member, Parameter, Score, folds_of, scores_of
from ostrom.core.errors import InputError
from ostrom.core.estimates import Estimate

Floats = npt.NDArray[np.float64]
NAMES: Final = ("α", "β", "γ", "δ", "σ")
COLUMNS: Final[Mapping[str, Sequence[str]]] = {
    "choice": ("choice_x",),
    **dict.fromkeys(("self_x", "self_y", "other_x", "other_y"), ()),
}
MAX_ROUNDS: Final = 500
_TOLERANCE: Final = 1e-4
_STARTS: Final = 6


class SocialChoices(NamedTuple):
    """Choices between two allocations. The chance of X is logistic in `design` times the coefficients σ and σ times the
    weights."""

    players: list[str]
    player: npt.NDArray[np.int64]
    design: Floats
    chose_x: npt.NDArray[np.bool_]

    def log_likelihoods(self, coefficients: Floats) -> Floats:
        """Return the log likelihood of each player's choices."""
        value = self.design @ coefficients
        loss = -np.logaddexp(0, np.where(self.chose_x, -value, value))
        return np.asarray(np.bincount(self.player, weights=loss, minlength=len(self.players)), dtype=np.float64)


def social_choices(rows: pl.DataFrame) -> SocialChoices:
    """Return the choices of a table of decisions."""
    players, player = codes_of(rows["player"])
    kind = numbers(rows["q"]) if "q" in rows.columns else np.zeros(rows.height)
    unkind = numbers(rows["v"]) if "v" in rows.columns else np.zeros(rows.height)
    utilities = []
    for side in "xy":
        own, other = numbers(rows[f"self_{side}"]), numbers(rows[f"other_{side}"])
        gap = (other - own)[:, np.newaxis]
        weights = np.stack([own < other, own > other, kind, unkind], axis=1)
        utilities.append(np.column_stack([own, gap * weights]))
    return SocialChoices(players, player, utilities[0] - utilities[1], truths(rows["choice"]))


def _weighted_logit(choices: SocialChoices, weights: Floats, start: Floats) -> Floats:
    """Return the coefficients of a logit whose players have weights, by Newton's method with step halving."""
    row_weights = weights[choices.player]
    sign = np.where(choices.chose_x, 1.0, -1.0)

    def value(at: Floats) -> float:
        return float(-(row_weights * np.logaddexp(0, -sign * (choices.design @ at))).sum())

    point, reached = start, value(start)
    for _ in range(60):
        chance = 1 / (1 + np.exp(-np.clip(choices.design @ point, -500, 500)))
        slope = choices.design.T @ (row_weights * (choices.chose_x - chance))
        curve = (choices.design * (row_weights * chance * (1 - chance))[:, np.newaxis]).T @ choices.design
        step = np.linalg.lstsq(curve, slope, rcond=None)[0]
        while (after := value(point + step)) < reached and np.abs(step).max() > 1e-14:
            step = step / 2
        point, gain, reached = point + step, after - reached, after
        if gain < 1e-10 * max(1.0, abs(reached)):
            break
    return np.asarray(point)


def fit_mixture_of_preferences(
    choices: SocialChoices, classes: int, seed: int, start: tuple[Floats, Floats] | None = None
) -> tuple[Floats, Floats, float]:
    """Return the shares of classes, the coefficients of each class as a row, and the log likelihood, all from the best
    of several starts."""
    everybody = np.ones(len(choices.players))
    common = _weighted_logit(choices, everybody, np.zeros(choices.design.shape[1]))
    if classes == 1:
        return np.ones(1), common[np.newaxis], float(choices.log_likelihoods(common).sum())
    if start is not None:
        return _climb(choices, *start, MAX_ROUNDS)
    rng = np.random.default_rng(seed)
    # Short runs from several starts; the best of them is finished.
    tries = []
    for _ in range(_STARTS):
        spread = rng.normal(0, 0.3, (classes, len(common) - 1))
        coefficients = common[0] * np.column_stack([np.ones(classes), common[1:] / common[0] + spread])
        tries.append(_climb(choices, np.full(classes, 1 / classes), coefficients, 15))
    shares, coefficients, _ = max(tries, key=lambda one: one[2])
    return _climb(choices, shares, coefficients, MAX_ROUNDS)


def _climb(choices: SocialChoices, shares: Floats, coefficients: Floats, rounds: int) -> tuple[Floats, Floats, float]:
    before = -np.inf
    after = before
    for _ in range(rounds):
        joint = np.log(np.maximum(shares, 1e-300)) + np.stack(
            [choices.log_likelihoods(one) for one in coefficients], axis=1
        )
        total = np.logaddexp.reduce(joint, axis=1)
        after = float(total.sum())
        if after - before < _TOLERANCE:
            break
        before = after
        posterior = np.exp(joint - total[:, np.newaxis])
        shares = posterior.mean(axis=0)
        coefficients = np.stack([_weighted_logit(choices, posterior[:, k], one) for k, one in enumerate(coefficients)])
    order = np.argsort(-coefficients[:, 2] / coefficients[:, 0])
    return shares[order], coefficients[order], after


def fit_social(rows: pl.DataFrame, options: FitOptions) -> FitResult:
    """Return the weights α, β, γ, δ and the sensitivity σ of each class, and the shares of classes."""
    choices = social_choices(rows)
    varies = [bool(np.any(column)) for column in choices.design.T]
    if not all(varies[:3]):
        raise InputError("these choices do not vary own payoffs, and others' payoffs both behind and ahead")
    used = np.flatnonzero(varies)
    choices = choices._replace(design=choices.design[:, used])
    shares, coefficients, value = fit_mixture_of_preferences(choices, options.classes, options.seed)
    if np.any(coefficients[:, 0] <= 0):
        raise InputError("a class prefers less money to more, so that its weights are not defined")
    names = [NAMES[place - 1] for place in used[1:]]
    solved, figures = figures_with_errors(choices, shares, coefficients, value)
    parameters, posterior = [], _posterior(choices, shares, coefficients)
    places = iter(figures)
    labels = [""] if options.classes == 1 else [f"class {k + 1} " for k in range(options.classes)]
    if options.classes > 1:
        parameters += [Parameter(f"{label}share", *next(places), "share") for label in labels]
    weights = [(f"{label}{name}", next(places)) for label in labels for name in [*names, "σ"]]
    shown = [Parameter(name, *figure, "sensitivity" if "σ" in name else "weight") for name, figure in weights]
    parameters = [*[one for one in shown if one.kind == "weight"], *parameters]
    parameters += [one for one in shown if one.kind != "weight"]
    counts = np.bincount(choices.player, minlength=len(choices.players))
    return FitResult(
        parameters=parameters,
        members=[
            Member(
                player, int(count), dict(zip((f"class {k + 1}" for k in range(len(row))), row.tolist(), strict=True))
            )
            for player, count, row in zip(choices.players, counts, posterior, strict=True)
        ],
        scores=_scores(choices, options, (shares, coefficients)),
        decisions=len(choices.chose_x),
        units=solved.units,
        unit="player",
        log_likelihood=value,
        notes=["σ is per unit of payoff."],
    )


def _posterior(choices: SocialChoices, shares: Floats, coefficients: Floats) -> Floats:
    joint = np.log(np.maximum(shares, 1e-300)) + np.stack(
        [choices.log_likelihoods(one) for one in coefficients], axis=1
    )
    return np.asarray(np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, np.newaxis]))


def figures_with_errors(
    choices: SocialChoices, shares: Floats, coefficients: Floats, value: float
) -> tuple[Maximum, list[tuple[Estimate, float]]]:
    """Return the maximum, and the estimates with standard errors: shares of classes if there are several, then the
    weights and the sensitivity of each class."""
    classes, width = coefficients.shape
    size = coefficients[:, :1]
    # Weights are of the order of 1, and sensitivities are measured by their logarithm.
    point = np.concatenate(
        [np.log(shares[1:] / shares[0]), (coefficients[:, 1:] / size).ravel(), np.log(coefficients[:, 0])]
    )

    def parts(at: Floats) -> tuple[Floats, Floats, Floats]:
        logits = np.concatenate([[0.0], at[: classes - 1]])
        weights = at[classes - 1 : classes - 1 + classes * (width - 1)].reshape(classes, width - 1)
        return logits - np.logaddexp.reduce(logits), weights, np.exp(at[-classes:])

    def by_player(at: Floats) -> Floats:
        logs, weights, sizes = parts(at)
        each = [
            choices.log_likelihoods(np.concatenate([[one], one * row])) for one, row in zip(sizes, weights, strict=True)
        ]
        return np.asarray(np.logaddexp.reduce(np.stack(each, axis=1) + logs, axis=1))

    def shown(at: Floats) -> Floats:
        logs, weights, sizes = parts(at)
        own = np.column_stack([weights, sizes]).ravel()
        return np.concatenate([np.exp(logs), own]) if classes > 1 else own

    scales = (["share"] * classes if classes > 1 else []) + [*[""] * (width - 1), "log"] * classes
    solved = Maximum(point, sandwich(by_player, point), value, len(choices.players))
    return solved, [*transformed(solved, shown, scales)]


def _scores(choices: SocialChoices, options: FitOptions, start: tuple[Floats, Floats]) -> list[Score]:
    """Return the log losses for the players of each fold, beside own payoffs alone."""
    players = len(choices.players)
    folds = folds_of(players, options.seed)
    losses = {"own payoff alone": np.zeros(players), "social preferences": np.zeros(players)}
    alone = choices._replace(design=choices.design[:, :1])
    for fold in range(int(folds.max()) + 1):
        test = folds == fold
        weights = (~test).astype(np.float64)
        single = _weighted_logit(alone, weights, np.zeros(1))
        losses["own payoff alone"][test] = -alone.log_likelihoods(single)[test]
        kept = ~test[choices.player]
        names = np.flatnonzero(~test)
        number = np.full(players, -1)
        number[names] = np.arange(len(names))
        rest = SocialChoices(
            [choices.players[place] for place in names],
            number[choices.player[kept]],
            choices.design[kept],
            choices.chose_x[kept],
        )
        shares, coefficients, _ = fit_mixture_of_preferences(rest, options.classes, options.seed, start)
        each = np.stack([choices.log_likelihoods(one) for one in coefficients], axis=1)
        losses["social preferences"][test] = -np.logaddexp.reduce(each + np.log(shares), axis=1)[test]
    return scores_of(losses, np.bincount(choices.player, minlength=players).astype(np.float64))


SOCIAL: Final = Estimator(
    "social",
    "Players weigh another person's payoff by α when behind and β when ahead, and by γ and δ more after a kind and an "
    "unkind act, with logit choices.",
    COLUMNS,
    {"q": (), "v": ()},
    fit_social,
)
