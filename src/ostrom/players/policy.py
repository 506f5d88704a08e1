"""Policies: strategies as data, which a search finds, a file holds and any seat can take. A policy plays as other
players do, in parts of its moves or for some turns; keeps to constants; reads tables; or corrects another policy by a
small recurrent network. It is made of nothing but names and numbers: no file of it brings code."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, Union

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ostrom.core import InputError
from ostrom.core.files import parse_json
from ostrom.core.game import Game
from ostrom.core.text import first_problem
from ostrom.players import policy_rows as rows
from ostrom.players.strategy import RowStrategy, StrategyEntry

FAMILY: Final = "policy"
DESCRIPTION: Final = "policy:FILE.json plays the policy of a file that 'ostrom respond -o FILE.json' wrote"
_LARGEST_FILE: Final = 1_000_000
_Number = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]
_Level = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class _Rule(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PlayAs(_Rule):
    """Does what a player does."""

    kind: Literal["as"] = "as"
    player: str


class ConstantRule(_Rule):
    """Puts the same into each field in every turn: 0 is the least that is allowed, 1 the most."""

    kind: Literal["constant"] = "constant"
    levels: dict[str, _Level]


class ByField(_Rule):
    """Takes each field of its moves from a rule of its own."""

    kind: Literal["fields"] = "fields"
    fields: dict[str, "Rule"] = Field(min_length=1)


class InTurn(_Rule):
    """Follows one rule for some turns, and another from then on."""

    kind: Literal["turns"] = "turns"
    turns: int = Field(ge=1, le=1_000_000)
    first: "Rule"
    then: "Rule"


class Remembering(_Rule):
    """A table with the memory of some turns: which of the features that it reads were above one half, in each of them,
    says what it does. Bits stand with the latest turn first; before the first turn they are 1."""

    kind: Literal["table"] = "table"
    memory: int = Field(ge=1, le=6)
    reads: tuple[Annotated[int, Field(ge=0, le=63)], ...] = Field(min_length=1, max_length=6)
    """The places of the features among those of the game."""
    levels: dict[str, tuple[_Level, ...]]


class Corrected(_Rule):
    """Follows a rule, and corrects its numbers by the output of a small recurrent network over the game's features."""

    kind: Literal["network"] = "network"
    base: "Rule"
    hidden: int = Field(ge=0, le=64)
    inputs: int = Field(ge=0, le=64)
    outputs: tuple[str, ...] = Field(min_length=1, max_length=16)
    weights: tuple[_Number, ...]


Rule: TypeAlias = Annotated[
    Union[PlayAs, ConstantRule, ByField, InTurn, Remembering, Corrected],  # noqa: UP007 - names that come later
    Field(discriminator="kind"),
]
for _kind in (ByField, InTurn, Corrected):
    _kind.model_rebuild()


class PolicyFile(BaseModel):
    """A policy as a file holds it."""

    model_config = ConfigDict(extra="forbid")

    policy: Literal[1] = 1
    """The version of this form."""
    game: str
    rule: Rule
    about: dict[str, Any] = Field(default_factory=dict)
    """What it was found for."""


Find: TypeAlias = Callable[[str], StrategyEntry]
"""The player of a name."""


def rows_of(rule: Any, game: Game, find: Find) -> RowStrategy:
    """The strategy over rows that a rule describes."""
    step = game.part("step")
    made = partial(rows_of, game=game, find=find)
    match rule:
        case PlayAs():
            found = find(rule.player).rows
            if found is None:
                raise InputError(f"a policy cannot play as {rule.player}, which has no form over rows")
            return found
        case ConstantRule():
            return rows.ConstantPolicyRows(step, tuple(rule.levels.items()))
        case ByField():
            return rows.FieldRows(step, tuple((name, made(part)) for name, part in rule.fields.items()))
        case InTurn():
            return rows.TurnRows(step, rule.turns, made(rule.first), made(rule.then))
        case Remembering():
            _check_table(rule)
            return rows.TableRows(step, rule.memory, rule.reads, tuple(rule.levels.items()))
        case Corrected():
            wanted = rows.network_size(rule.inputs, rule.hidden, len(rule.outputs))
            if len(rule.weights) != wanted:
                raise InputError(f"a network of this shape has {wanted} weights, not {len(rule.weights)}")
            return rows.NetworkRows(step, made(rule.base), rule.inputs, rule.hidden, rule.outputs, rule.weights)
    raise AssertionError(rule)


def _check_table(rule: Remembering) -> None:
    wanted = 2 ** (rule.memory * len(rule.reads))
    for name, levels in rule.levels.items():
        if len(levels) != wanted:
            raise InputError(f"a table of this memory has {wanted} levels of {name}, not {len(levels)}")


def words_of(rule: Any) -> str:
    """A rule in words."""
    match rule:
        case PlayAs():
            return rule.player
        case ConstantRule():
            return "always " + ", ".join(f"{name} at {level:g}" for name, level in rule.levels.items())
        case ByField():
            return ", ".join(f"{name} as {words_of(part)}" for name, part in rule.fields.items())
        case InTurn():
            turns = "the first turn" if rule.turns == 1 else f"{rule.turns} turns"
            return f"{words_of(rule.first)} for {turns}, then {words_of(rule.then)}"
        case Remembering():
            return f"a table with a memory of {rule.memory}"
        case Corrected():
            return f"{words_of(rule.base)}, corrected by a network of {len(rule.weights)} weights"
    raise AssertionError(rule)


def entry_of_rule(rule: Any, game: Game, find: Find, name: str = "response") -> StrategyEntry:
    """A rule as a player who can sit down."""
    return StrategyEntry(name, words_of(rule), None, rows_of(rule, game, find), __name__, "PolicyFile")


def write_policy(path: Path, rule: Any, game: Game, about: Mapping[str, Any]) -> None:
    """Keep a policy in a file."""
    file = PolicyFile(game=game.name, rule=rule, about=dict(about))
    path.write_text(file.model_dump_json(indent=1) + "\n", encoding="utf-8")


def read_policy(path: Path, game: Game, find: Find) -> StrategyEntry:
    """The policy of a file, as a player."""
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise InputError(f"{path} is too large for a policy")
        document = parse_json(path.read_bytes())
    except OSError:
        raise InputError(f"{path} cannot be read; name a .json file that 'ostrom respond -o FILE' wrote") from None
    except ValueError as error:
        raise InputError(f"{path} is no policy: {error}") from None
    try:
        file = PolicyFile.model_validate(document)
    except ValidationError as error:
        raise InputError(f"{path} is no policy: {first_problem(error)}") from None
    if file.game != game.name:
        raise InputError(f"{path} is a policy of the game {file.game}, not of {game.command}")
    return entry_of_rule(file.rule, game, find, f"{FAMILY}:{path}")


def policy_named(text: str, game: Game, find: Find) -> StrategyEntry:
    """The policy that stands after the colon of a name."""
    if not text.endswith(".json"):
        raise InputError(f"{FAMILY}:{text}: name a .json file, as in {FAMILY}:response.json")
    return read_policy(Path(text), game, find)
