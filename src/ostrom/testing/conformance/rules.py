"""Checks of the conformance suite that play a game under changed rules. Each rule is given other values, and the array
form plays games with several values in one batch."""

import math
from collections.abc import Iterator
from itertools import product
from typing import Any, Final, Literal, get_args, get_origin

import numpy as np
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from ostrom.core import GameChance
from ostrom.core.errors import OstromError
from ostrom.core.step import is_number, stacked
from ostrom.experiment.match import play_match
from ostrom.sim.batch import Batch, array_form
from ostrom.sim.numpy_engine import play_batch
from ostrom.testing.conformance.case import Case
from ostrom.testing.conformance.playing import players_of

_MAX_GRID: Final = 24
"""The largest number of changed sets of rules under which a game is played."""
_MAX_PLAYED_STEPS: Final = 60
"""The largest number of steps of a game whose rules are increased by a check."""
_POINT_GAMES: Final = 2
_MAX_TABLES: Final = 4
_MAX_POINTS: Final = 6


def check_rules_grid(case: Case) -> Iterator[str]:
    """Check that the game is played to its end if one rule is changed and all other rules keep their values."""
    for settings in _grid(case):
        text = ", ".join(f"{name}={value}" for name, value in settings.items())
        try:
            rules = type(case.rules).model_validate({**case.rules.model_dump(), **settings})
        except ValidationError:
            continue  # This combination of rules is invalid.
        other = Case(case.game, rules, case.seats, case.seed)
        try:
            played = other.play()
        except OstromError:
            continue  # The game does not accept these rules.
        except Exception as error:
            raise type(error)(f"{error} (with {text})").with_traceback(error.__traceback__) from error
        if case.game.finals is not None:
            finals = [final for final in case.game.finals(played.events) if final is not None]
            if not all(math.isfinite(final) for final in finals):
                yield f"with {text} a final is not finite"


def _grid(case: Case) -> list[dict[str, Any]]:
    """Return changed rules, each with a change of a single rule: both ends of a range near the present value, and every
    other option."""
    changes: list[dict[str, Any]] = []
    for name, field in type(case.rules).model_fields.items():
        value = getattr(case.rules, name)
        options = _options(field, value, raised=len(case.played.steps) <= _MAX_PLAYED_STEPS)
        changes += [{name: option} for option in options if option != value]
    return changes[:_MAX_GRID]


def _options(field: FieldInfo, value: Any, *, raised: bool) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if get_origin(field.annotation) is Literal:
        return list(get_args(field.annotation))
    if not is_number(value):
        return []
    low = [getattr(item, "ge", None) for item in field.metadata]
    high = [getattr(item, "le", None) for item in field.metadata]
    least = [bound for bound in low if bound is not None]
    most = [bound for bound in high if bound is not None]
    # With much higher values, or with a probability of continuing near 1, a game may not end. Twice the present value,
    # or a value half of the way to the bound, is enough to show the effect of a rule.
    halfway = [(value + bound) / 2 if isinstance(value, float) else bound for bound in most]
    up = type(value)(min([2 * value, *halfway])) if raised and value > 0 else value
    return [*(type(value)(bound) for bound in least), up]


def check_rules_in_a_batch(case: Case) -> Iterator[str]:
    """Check that games under different rules end in the same way in one batch as when they are played separately. Also
    check that the array form returns every figure that its `of_games` names."""
    step = array_form(case.game, case.rules)
    cast = [entry for entry in players_of(case.game).values() if entry.rows is not None]
    if step is None or case.game.finals is None or not cast:
        return
    points = [case.rules]
    for name in step.arguments:
        field = type(case.rules).model_fields[name]
        for option in _options(field, getattr(case.rules, name), raised=len(case.played.steps) <= _MAX_PLAYED_STEPS):
            try:
                points.append(type(case.rules).model_validate({**case.rules.model_dump(), name: option}))
            except ValidationError:
                continue
    points = points[:_MAX_POINTS]
    columns = list(product(range(len(points)), range(min(len(cast), _MAX_TABLES)), range(_POINT_GAMES)))
    seating = np.asarray([[(seat + shift) % len(cast) for _, shift, _ in columns] for seat in range(case.seats)])
    which = np.asarray([point for point, _, _ in columns])
    numbers = np.asarray([number for _, _, number in columns])
    rules = stacked(points, which)
    result = play_batch(Batch(case.game, rules, cast, seating, numbers, case.seed))
    unknown = set(step.of_games) - set(result.figures)
    if unknown:
        yield f"of_games names {', '.join(sorted(unknown))}, which figures does not return"
        return
    for column, (point, _, number) in enumerate(columns):
        contestants = [cast[member] for member in seating[:, column]]
        match = play_match(case.game, points[point], contestants, GameChance(case.seed, number))
        single = np.asarray([np.nan if final is None else final for final in case.game.finals(match.events)])
        if not np.allclose(result.finals[:, column], single, rtol=1e-9, atol=1e-9, equal_nan=True):
            yield (
                f"a game under {points[point]!r} ends with {result.finals[:, column].tolist()} in a batch of different "
                f"rules and with {single.tolist()} when played singly"
            )
            return
