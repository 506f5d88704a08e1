"""A decision as numbers from 0 to 1, so that answers at any balance, of any question, can be compared."""

from collections.abc import Mapping, Sequence
from typing import Any

from ostrom.core import Amount, Choice, Fields, Spec
from ostrom.core.specs import Aimed
from ostrom.games.audit.seating import SEAT_FIELDS, inverse


def aspects(phase: str, spec: Spec, value: Any, seating: Sequence[int]) -> dict[str, float]:
    """Every part of a decision from 0 to 1, the leading one first: an amount as its place between the bounds, a choice
    as its place among the options, the seat that it names as the place among the other seats of the situation, so that
    naming the same player is the same decision wherever that player sits. What cannot be placed, such as naming nobody,
    is left out, and so is an answer that was not given."""
    if value is None:
        return {}
    match spec:
        case Amount():
            return {} if spec.high <= spec.low else {phase: (float(value) - spec.low) / (spec.high - spec.low)}
        case Aimed():
            most = {} if spec.most < 1 else {"spend": value["spend"] / spec.most}
            return most | _seat_named("target", value["target"], spec.others, seating)
        case Fields():
            found: dict[str, float] = {}
            for name, part in spec.specs.items():
                if name in SEAT_FIELDS and isinstance(part, Choice):
                    others = [option for option in part.options if isinstance(option, int)]
                    found |= _seat_named(name, value[name], others, seating)
                else:
                    found |= aspects(name, part, value[name], seating)
            return found
        case Choice():
            options = [option for option in spec.options if option is not None]
            return {phase: options.index(value) / (len(options) - 1)} if value in options and len(options) > 1 else {}
        case _:
            return {}


def chosen(choices: Sequence[str], value: Any) -> dict[str, float]:
    """Whether the first of the choices was taken: 1 or 0, whatever the order and the labels that they were shown in."""
    return {f"choice of {choices[0]}": float(value == choices[0])} if value in choices else {}


def _seat_named(name: str, seat: int | None, others: Sequence[int], seating: Sequence[int]) -> dict[str, float]:
    if seat is None or len(others) < 2:
        return {}
    before = inverse(seating)
    ranked = sorted(before[other] for other in others)
    return {name: ranked.index(before[seat]) / (len(ranked) - 1)}


def plain(value: Any) -> Any:
    """An answer as plain data."""
    return {name: plain(part) for name, part in value.items()} if isinstance(value, Mapping) else value
