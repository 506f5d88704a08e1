"""Checks of what a game says about itself: its names, its parts and its rules."""

import math
import re
from collections.abc import Iterator
from typing import Any

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from ostrom.core.game import API, Game
from ostrom.testing.conformance.case import Fault

PARTS = ("players", "briefing", "measures", "charts", "scene", "step", "commands", "samples")


def check_declaration(game: Game) -> Iterator[str]:
    """Names that can stand in a record and on a command line, seats that can be, parts that can be imported."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", game.name):
        yield f"the name {game.name!r} must be lower-case letters, digits and underscores"
    if not re.fullmatch(r"[a-z][a-z0-9-]*", game.command):
        yield f"the command {game.command!r} must be lower-case letters, digits and hyphens"
    if not game.title.strip() or not game.summary.strip():
        yield "a title and a summary are missing"
    if game.api != API:
        yield f"it is written for version {game.api} of the contract; this is version {API}"
    seats = game.seats
    if not 1 <= seats.fewest <= seats.most or not (seats.usual is None or seats.fewest <= seats.usual <= seats.most):
        yield f"it cannot be that {seats.fewest} to {seats.most} seats are allowed and {seats.usual} are usual"
    if not game.events:
        yield "it declares no events"
    for tag, event in game.events.items():
        if not re.fullmatch(r"[a-z][a-z0-9_]*", tag):
            yield f"the event's tag {tag!r} must be lower-case letters, digits and underscores"
        if not (event.__doc__ or "").strip():
            yield f"the event {tag!r} has no docstring"
    for part in PARTS:
        if getattr(game, part, None) is not None:
            try:
                game.part(part)
            except (ImportError, AttributeError) as error:
                yield f"its {part}, {getattr(game, part)}, cannot be imported: {error}"


def check_rules(game: Game, *, given: bool) -> Iterator[str | Fault]:
    """Every setting has a default, a description and bounds; rules are frozen, refuse what they do not know, and come
    back from JSON as they were."""
    for name, field in game.rules.model_fields.items():
        if field.is_required():
            yield Fault("the rules", f"{name} has no default", kind="no defaults")
        if not (field.description or "").strip():
            yield f"{name} has no description"
        yield from _check_bounds(name, field)
    config = game.rules.model_config
    if not config.get("frozen"):
        yield "they can be changed while a game is played: set frozen=True in model_config"
    if config.get("extra") != "forbid":
        yield "they take settings that they do not know: set extra='forbid' in model_config"
    try:
        default: BaseModel = game.rules()
        back = game.rules.model_validate_json(default.model_dump_json())
    except ValidationError as error:
        if not given:
            yield Fault("the rules", f"the defaults are refused: {error.errors()[0]['msg']}", kind="no defaults")
        return
    if back != default:
        yield "they do not come back from JSON as they were"


def _check_bounds(name: str, field: FieldInfo) -> Iterator[str]:
    if field.annotation not in (int, float, int | None, float | None):
        return
    low = [_bound(one) for one in field.metadata if isinstance(one, Ge | Gt)]
    high = [_bound(one) for one in field.metadata if isinstance(one, Le | Lt)]
    if not low and not high:
        yield f"{name} is a number without bounds: set ge, gt, le or lt"
    if low and high and max(low) > min(high):
        yield f"{name} can have no value: its bounds exclude each other"
    if isinstance(field.default, float) and not math.isfinite(field.default):
        yield f"the default of {name} is not finite"
    usual = field.default
    if isinstance(usual, int | float) and (any(usual < one for one in low) or any(usual > one for one in high)):
        yield f"the default of {name}, {usual}, lies outside of its bounds"


def _bound(constraint: Any) -> float:
    found = (getattr(constraint, name, None) for name in ("ge", "gt", "le", "lt"))
    return float(next(value for value in found if value is not None))
