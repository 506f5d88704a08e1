"""Forecasts of people in voluntary contributions: the share of the endowment that a game contributes, by round, and
what people earn; and the difference of two treatments with the power of an experiment."""

from typing import Any, Final

import numpy as np
from pydantic import ValidationError
from scipy import stats

from ostrom.analysis.forecasts.levels import LevelForecast, distance
from ostrom.core import InputError
from ostrom.core.errors import field
from ostrom.core.estimates import Floats
from ostrom.core.finding import Column, Finding, Table, decimals, number
from ostrom.core.text import first_problem
from ostrom.games.contributions.rules import ContributionsRules
from ostrom.importers.studies.forecasts.designs import EARNINGS, SHARE, TERMS, difference_bounds, terms_of_rules
from ostrom.players.learned import LearnedFile

COVERED: Final = {"50": 0.5, "90": 0.9}
TARGET_POWER: Final = 0.8
MAX_GAMES: Final = 100_000
UNTRIED: Final = {
    "show_contributions": "each",
    "punish_scale": "tokens",
    "punish_growth": "linear",
    "limit_loss": False,
    "targets": 0,
}
"""Rules that are the same in all designs of the study."""


def forecast_contributions(
    file: LearnedFile, rules: ContributionsRules, seats: int, against: str | None, games: int
) -> Finding:
    """Return the forecast for tables of people. Raise `InputError` for rules outside the designs of the study."""
    known = np.asarray(file.forecast["designs"], dtype=np.float64)
    terms = terms_of_rules(rules, seats)
    nearest, apart = _check_inside(file, rules, terms, known)
    levels = {name: LevelForecast.of_data(data) for name, data in file.forecast["levels"].items()}
    gain = rules.endowment * (rules.multiplier - 1)
    rows = [
        _row("contribution, tokens a round", levels[SHARE], terms, rules.endowment, 0.0, (0.0, 1.0)),
        _row("earnings, tokens a round", levels[EARNINGS], terms, gain, rules.endowment, None),
    ]
    by_round = [
        {"round": int(number_), **_row("", LevelForecast.of_data(data), terms, rules.endowment, 0.0, (0.0, 1.0))}
        for number_, data in file.forecast["rounds"].items()
        if int(number_) <= rules.rounds
    ]
    parts = [_means_table(file, rows, seats), _rounds_table(by_round)]
    facts: dict[str, Any] = {
        "study": file.study,
        "source": file.source,
        "digest": file.digest,
        "games": file.forecast["games"],
        "designs": file.forecast["groups"],
        "distance": nearest,
        "largest_distance": apart,
        "coverage": {name: data["coverage"] for name, data in file.forecast["levels"].items()},
        "scores": file.scores,
    }
    sentences = _about(file, nearest, apart)
    if against is not None:
        other = _other_rules(rules, against)
        other_terms = terms_of_rules(other, seats)
        _check_inside(file, other, other_terms, known)
        effect, words = _effect(file, levels[SHARE], terms, other_terms, rules.endowment, games)
        facts["effect"] = effect
        sentences = [*words, *sentences]
    if rules.rounds > len(by_round):
        sentences.append(f"The study has too few games with more than {len(by_round)} rounds to forecast later rounds.")
    return Finding(
        verb="forecast",
        title=f"{seats} people in voluntary contributions: a forecast",
        facts=facts,
        parts=parts,
        sentences=sentences,
        result=rows,
    )


def _check_inside(file: LearnedFile, rules: ContributionsRules, terms: Floats, known: Floats) -> tuple[float, float]:
    """Return the distance from the designs of the study. Raise `InputError` if the rules lie outside them."""
    for name, value in UNTRIED.items():
        if getattr(rules, name) != value and (rules.punishment or not name.startswith(("punish", "limit"))):
            raise InputError(f"{file.study} has no design with {field(name)} other than {value}: no forecast")
    low, high = known.min(axis=0), known.max(axis=0)
    for name, value, least, most in zip(TERMS, terms[0], low, high, strict=True):
        if not least - 1e-6 <= value <= most + 1e-6:
            shown = [float(np.exp(one)) if name.endswith("(log)") else float(one) for one in (value, least, most)]
            words = name.removesuffix(" (log)")
            raise InputError(
                f"{words} {shown[0]:.4g} lies outside the designs of {file.study}, which have {shown[1]:.4g} to "
                f"{shown[2]:.4g}: no forecast"
            )
    nearest, apart = distance(terms[0], known)
    if nearest > apart:
        raise InputError(
            f"these rules lie {nearest:.2f} standard deviations per term from the nearest design of {file.study}; "
            f"its designs lie at most {apart:.2f} from each other's nearest: no forecast"
        )
    return nearest, apart


def _row(
    name: str, level: LevelForecast, terms: Floats, scale: float, start: float, limits: tuple[float, float] | None
) -> dict[str, Any]:
    middle = float(level.forecast(terms)[0])
    ends = {key: level.interval(middle, coverage) for key, coverage in COVERED.items()}

    def shown(value: float) -> float:
        inside = value if limits is None else min(max(value, limits[0]), limits[1])
        return start + scale * inside

    return {
        "figure": name,
        "middle": shown(middle),
        **{f"low_{key}": shown(low) for key, (low, _) in ends.items()},
        **{f"high_{key}": shown(high) for key, (_, high) in ends.items()},
    }


def _interval(key: str) -> Column:
    low, high = f"low_{key}", f"high_{key}"
    return Column(
        f"interval_{key}", f"{key} %", number=True, cell=lambda row: f"{row[low]:.2f}–{row[high]:.2f}", in_json=False
    )


def _columns(*first: Column) -> list[Column]:
    bounds = [number(f"{side}_{key}") for key in COVERED for side in ("low", "high")]
    return [*first, number("middle", "forecast", decimals(2)), *(_interval(key) for key in COVERED), *bounds]


def _means_table(file: LearnedFile, rows: list[dict[str, Any]], seats: int) -> Table:
    checked = "; ".join(
        f"{name}: "
        + ", ".join(
            f"{one['stated']:.0%} held {one['value']:.1%} ({one['low']:.1%}–{one['high']:.1%})"
            for one in data["coverage"]
        )
        for name, data in file.forecast["levels"].items()
    )
    return Table(
        "means",
        _columns(Column("figure", "a game's mean")),
        rows,
        title=f"The mean of a game of {seats} people",
        caption="The intervals are for the mean of one game of people, not for one decision or for the mean of many "
        f"games. On {file.forecast['groups']} designs, each held out, they held a game's mean: {checked}.",
    )


def _rounds_table(rows: list[dict[str, Any]]) -> Table:
    return Table("rounds", _columns(number("round", "round")), rows, title="Mean contribution by round, tokens")


def _about(file: LearnedFile, nearest: float, apart: float) -> list[str]:
    return [
        f"The forecast is a ridge regression on {len(TERMS)} terms of the rules, fitted on {file.forecast['games']} "
        f"games of {file.forecast['groups']} designs of {file.study}: no other forecaster of a game's mean was better.",
        f"These rules lie {nearest:.2f} standard deviations per term from the nearest design of the study (designs: at "
        f"most {apart:.2f}). It holds for tables of people alone who resemble those of the study.",
    ]


def _other_rules(rules: ContributionsRules, text: str) -> ContributionsRules:
    """Return the rules with some changes. Raise `InputError` for unknown rules and invalid values."""
    values = rules.model_dump()
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        key = name.replace("-", "_")
        if not equals or key not in values:
            raise InputError(f"{field('against')}: {part[:60]!r} is not RULE=VALUE, as in punishment=true")
        values[key] = value
    try:
        return ContributionsRules.model_validate(values)
    except ValidationError as error:
        raise InputError(f"{field('against')}: {first_problem(error)}") from None


def _effect(
    file: LearnedFile, level: LevelForecast, terms: Floats, other: Floats, endowment: int, games: int
) -> tuple[dict[str, Any], list[str]]:
    """Return the difference of two treatments with its intervals and the power of an experiment, and sentences."""
    middle = float(level.forecast(other)[0] - level.forecast(terms)[0])
    ends = {key: difference_bounds(level.errors, coverage) for key, coverage in COVERED.items()}
    noise, effect = float(file.forecast["noise"]["deviation"]), file.forecast["effect"]
    power = power_of(middle, noise, games)
    needed = games_for(middle, noise)
    low, high = (middle + end for end in ends["90"])
    data = {
        "difference": middle * endowment,
        **{f"low_{key}": (middle + low_) * endowment for key, (low_, _) in ends.items()},
        **{f"high_{key}": (middle + high_) * endowment for key, (_, high_) in ends.items()},
        "noise": noise * endowment,
        "games": games,
        "power": power,
        "games_for_80_percent": needed,
        "checked": effect,
    }
    enough = f"{needed:,} games" if needed is not None else f"more than {MAX_GAMES:,} games"
    return data, [
        f"Difference of the second treatment: {middle * endowment:+.2f} tokens a round; between two single games, "
        f"90 % from {low * endowment:+.2f} to {high * endowment:+.2f}.",
        f"Noise of single games ({noise * endowment:.2f} tokens around their design) is all of the spread of effects: "
        f"in {effect['designs']} designs with and without punishment, effects have a standard deviation of "
        f"{effect['spread'] * endowment:.2f}, and two single games of equal designs would differ by "
        f"{noise * np.sqrt(2) * endowment:.2f}. Take the effect of one rule in one design as unknown, or pool designs.",
        f"If the difference is as forecast, {games} games of people in each treatment find it with a power of "
        f"{power:.0%} (two-sided t test at 5 %, a game's mean as the unit); a power of 80 % needs {enough} in each.",
    ]


def power_of(difference: float, deviation: float, games: int) -> float:
    """Return the power of a two-sided t test at 5 % with this many games in each of two treatments."""
    freedom = 2 * games - 2
    shift = abs(difference) / (deviation * np.sqrt(2 / games))
    bound = stats.t.ppf(0.975, freedom)
    return float(stats.nct.sf(bound, freedom, shift) + stats.nct.cdf(-bound, freedom, shift))


def games_for(difference: float, deviation: float) -> int | None:
    """Return the smallest number of games in each treatment with a power of 80 %, or None if it is very large."""
    low, high = 1, 2
    while power_of(difference, deviation, high) < TARGET_POWER:
        low, high = high, 2 * high
        if high > MAX_GAMES:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if power_of(difference, deviation, middle) < TARGET_POWER else (low, middle)
    return high
