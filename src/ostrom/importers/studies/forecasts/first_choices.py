"""Forecasts of people's first choices in a 2×2 game."""

from typing import Any, Final

import numpy as np
from scipy.special import expit

from ostrom.analysis.forecasts.levels import error_bounds
from ostrom.analysis.forecasts.matrix_models import ChoiceNetwork
from ostrom.analysis.forecasts.matrix_theories import mixture
from ostrom.core import InputError
from ostrom.core.finding import Column, Finding, Table, number, share
from ostrom.games.repeated import RepeatedRules
from ostrom.games.repeated.learned import MIXTURE, payoffs_of
from ostrom.players.learned import LearnedFile, numbers_of

COVERED: Final = {"50": 0.5, "90": 0.9}


def forecast_choices(file: LearnedFile, rules: RepeatedRules) -> Finding:
    """Return the forecast of the share of people who choose each player's first action. Raise `InputError` for games
    outside those of the study."""
    if rules.rounds != 1 or rules.messages or rules.noise:
        raise InputError(
            f"{file.study} has first choices without feedback: set rounds to 1, without messages and noise: no forecast"
        )
    numbers = numbers_of(file)
    rows: list[dict[str, Any]] = []
    for seat, place in enumerate(("row", "column")):
        own, other = payoffs_of(rules.game, seat)
        _check_inside(file, np.concatenate([own, other])[:, 0])
        chance = float(expit(ChoiceNetwork(numbers.networks).advantage(own, other)[0]))
        theory = float(mixture(np.asarray(numbers.values[MIXTURE]), own, other)[0])
        actions = rules.game.actions[seat]
        rows.append({"seat": place, "action": actions[0], "share": chance, **_ends(file, chance), "theory": theory})
    columns = [
        Column("seat", "player"),
        Column("action", "action"),
        number("share", "forecast", share(1)),
        *(_interval(key) for key in COVERED),
        number("theory", "mixture of levels", share(1), spare=1),
        *(number(f"{side}_{key}") for key in COVERED for side in ("low", "high")),
    ]
    data = file.forecast
    checked = ", ".join(
        f"{one['stated']:.0%} held {one['value']:.1%} ({one['low']:.1%}–{one['high']:.1%})" for one in data["coverage"]
    )
    return Finding(
        verb="forecast",
        title="First choices of people: a forecast",
        facts={
            "study": file.study,
            "source": file.source,
            "digest": file.digest,
            "scores": file.scores,
            **_facts(data),
        },
        parts=[
            Table(
                "choices",
                columns,
                rows,
                title="The share of people who choose an action",
                caption=f"The intervals are for the share among about {data['choices']:.0f} people. On "
                f"{data['games']:,} games, each held out, they held the share: {checked}.",
            )
        ],
        sentences=[
            f"The forecast is the network of {file.study} ({file.fitted['decisions']:,} choices), which beats "
            "the theories and the logistic regression on games that it was not fitted on. It holds for a first play "
            "without feedback.",
        ],
        result=rows,
    )


def _facts(data: dict[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in ("games", "coverage", "error", "lowest", "highest", "spread")}


def _interval(key: str) -> Column:
    low, high = f"low_{key}", f"high_{key}"
    return Column(
        f"interval_{key}", f"{key} %", number=True, cell=lambda row: f"{row[low]:.1%}–{row[high]:.1%}", in_json=False
    )


def _check_inside(file: LearnedFile, payoffs: Any) -> None:
    data = file.forecast
    low, high = data["lowest"], data["highest"]
    if payoffs.min() < low or payoffs.max() > high:
        raise InputError(
            f"payoffs from {payoffs.min():.4g} to {payoffs.max():.4g} lie outside the games of {file.study}, which "
            f"have {low:.4g} to {high:.4g}; they cannot be forecast"
        )
    least, most = data["spread"]
    if not least <= payoffs.std() <= most:
        raise InputError(
            f"the standard deviation of the payoffs is {payoffs.std():.3g}; in 98 % of the games of {file.study} it is "
            f"{least:.3g} to {most:.3g}, and other games cannot be forecast"
        )


def _ends(file: LearnedFile, chance: float) -> dict[str, float]:
    data = file.forecast
    band = int(np.digitize(abs(chance - 0.5), data["bands"]))
    errors = np.asarray(data["errors"][band])
    ends: dict[str, float] = {}
    for key, coverage in COVERED.items():
        low, high = error_bounds(errors, coverage)
        low, high = (low, high) if chance >= 0.5 else (-high, -low)
        ends |= {f"low_{key}": min(max(chance + low, 0.0), 1.0), f"high_{key}": min(max(chance + high, 0.0), 1.0)}
    return ends
