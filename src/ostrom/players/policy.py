"""Policies are strategies as data: a search finds them, a file stores them, and any seat can play them. A policy can
copy other players (in some fields or for some turns), play constants, or look up moves in tables. It can also correct
the moves of another policy by a small recurrent network. A policy file consists of names and numbers, and contains no
code."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, Union

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ostrom.core import InputError
from ostrom.core.files import parse_json, read_bounded
from ostrom.core.game import Game
from ostrom.core.text import first_problem
from ostrom.players import policy_rows as rows
from ostrom.players.strategy import RowStrategy, StrategyEntry

FAMILY: Final = "policy"
DESCRIPTION: Final = "policy:FILE.json plays the policy of a file that 'ostrom respond -o FILE.json' wrote"
_MAX_FILE_BYTES: Final = 1_000_000
_Number = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]
_Level = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class _Rule(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PlayAs(_Rule):
    """Plays like another player."""

    kind: Literal["as"] = "as"
    player: str


class Option(_Rule):
    """An option of a choice."""

    value: _Number
    """The number that represents the option in a field of moves."""
    name: str = Field(max_length=200)


class ConstantRule(_Rule):
    """Sets each field to the same level in every turn, and always chooses the same option of each choice. Level 0 is
    the lower bound of the rules, and level 1 the upper bound."""

    kind: Literal["constant"] = "constant"
    levels: dict[str, _Level] = Field(default_factory=dict)
    options: dict[str, Option] = Field(default_factory=dict)


class Threshold(_Rule):
    """Chooses by one feature of the game: one option if the feature is above a level, and another option otherwise."""

    kind: Literal["threshold"] = "threshold"
    field: str
    reads: Annotated[int, Field(ge=0, le=63)]
    """The index of the feature."""
    level: _Number
    above: Option
    below: Option


class ByField(_Rule):
    """Determines each field of its moves by a separate rule."""

    kind: Literal["fields"] = "fields"
    fields: dict[str, "Rule"] = Field(min_length=1)


class InTurn(_Rule):
    """Follows one rule for some turns, and then another rule."""

    kind: Literal["turns"] = "turns"
    turns: int = Field(ge=1, le=1_000_000)
    first: "Rule"
    then: "Rule"


class Remembering(_Rule):
    """A table over the last turns. Its index has a bit for each feature and turn. A bit is 1 if the feature was above
    one half, and otherwise 0. Bits for turns before the first turn are 1."""

    kind: Literal["table"] = "table"
    memory: int = Field(ge=1, le=6)
    reads: tuple[Annotated[int, Field(ge=0, le=63)], ...] = Field(min_length=1, max_length=6)
    """The indexes, among the features of the game, of the features that the table reads."""
    levels: dict[str, tuple[_Level, ...]]


class Corrected(_Rule):
    """Follows a rule, and corrects the numbers in its moves by the output of a small recurrent network. The inputs of
    the network are the game's features."""

    kind: Literal["network"] = "network"
    base: "Rule"
    hidden: int = Field(ge=0, le=64)
    inputs: int = Field(ge=0, le=64)
    outputs: tuple[str, ...] = Field(min_length=1, max_length=16)
    weights: tuple[_Number, ...]


Rule: TypeAlias = Annotated[
    Union[PlayAs, ConstantRule, Threshold, ByField, InTurn, Remembering, Corrected],  # noqa: UP007 - names that come later
    Field(discriminator="kind"),
]
for _kind in (ByField, InTurn, Corrected):
    _kind.model_rebuild()


class PolicyFile(BaseModel):
    """The content of a policy file."""

    model_config = ConfigDict(extra="forbid")

    policy: Literal[1] = 1
    """The version of the format."""
    game: str
    rule: Rule
    about: dict[str, Any] = Field(default_factory=dict)
    """The task of the search that computed the policy."""


Find: TypeAlias = Callable[[str], StrategyEntry]
"""A function that returns the player with a name."""


def rows_of(rule: Any, game: Game, find: Find) -> RowStrategy:
    """Return the strategy over rows that a rule describes. Raises `InputError` for an inconsistent rule."""
    step = game.part("step")
    build = partial(rows_of, game=game, find=find)
    match rule:
        case PlayAs():
            played = find(rule.player).rows
            if played is None:
                raise InputError(f"a policy cannot make the moves of {rule.player}: that player has no array form")
            return played
        case ConstantRule():
            options = tuple((name, option.value) for name, option in rule.options.items())
            return rows.ConstantPolicyRows(step, tuple(rule.levels.items()), options)
        case Threshold():
            return rows.ThresholdRows(step, rule.field, rule.reads, rule.level, rule.above.value, rule.below.value)
        case ByField():
            return rows.FieldRows(step, tuple((name, build(part)) for name, part in rule.fields.items()))
        case InTurn():
            return rows.TurnRows(step, rule.turns, build(rule.first), build(rule.then))
        case Remembering():
            _check_table(rule)
            return rows.TableRows(step, rule.memory, rule.reads, tuple(rule.levels.items()))
        case Corrected():
            expected = rows.network_size(rule.inputs, rule.hidden, len(rule.outputs))
            if len(rule.weights) != expected:
                raise InputError(f"a network of this size must have {expected} weights; it has {len(rule.weights)}")
            return rows.NetworkRows(step, build(rule.base), rule.inputs, rule.hidden, rule.outputs, rule.weights)
    raise AssertionError(rule)


def _check_table(rule: Remembering) -> None:
    expected = 2 ** (rule.memory * len(rule.reads))
    for name, levels in rule.levels.items():
        if len(levels) != expected:
            raise InputError(f"a table of this size must have {expected} levels of {name}; it has {len(levels)}")


def words_of(rule: Any) -> str:
    """Return a description of a rule in words."""
    match rule:
        case PlayAs():
            return rule.player
        case ConstantRule():
            levels = [f"{name} at {level:g}" for name, level in rule.levels.items()]
            options = [f"{name} {option.name}" for name, option in rule.options.items()]
            return "always " + ", ".join([*levels, *options])
        case Threshold():
            where = f"where feature {rule.reads + 1} is above {rule.level:g}"
            return f"{rule.above.name} {where}, else {rule.below.name}"
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


def tables_in(rule: Any) -> list[Remembering]:
    """Return the tables that a rule reads, in the order in which `words_of` describes them."""
    match rule:
        case Remembering():
            return [rule]
        case ByField():
            parts = list(rule.fields.values())
        case InTurn():
            parts = [rule.first, rule.then]
        case Corrected():
            parts = [rule.base]
        case _:
            parts = []
    return [table for part in parts for table in tables_in(part)]


def situations_of(table: Remembering) -> list[str]:
    """Return the situations of a table in words, in the order of the table's levels. Each text names the features that
    were above one half, beginning with the latest turn."""
    width = len(table.reads)
    situations = []
    for place in range(2 ** (table.memory * width)):
        turns = []
        for ago in range(table.memory):
            bits = place >> width * (table.memory - 1 - ago)
            high = [str(read + 1) for bit, read in enumerate(table.reads) if bits >> bit & 1]
            turns.append(" and ".join(high) or "none")
        situations.append(", before: ".join(turns))
    return situations


def entry_of_rule(rule: Any, game: Game, find: Find, name: str = "response") -> StrategyEntry:
    """Return a rule as a player."""
    return StrategyEntry(name, words_of(rule), None, rows_of(rule, game, find), __name__, "PolicyFile")


def write_policy(path: Path, rule: Any, game: Game, about: Mapping[str, Any]) -> None:
    """Write a policy to a file."""
    file = PolicyFile(game=game.name, rule=rule, about=dict(about))
    path.write_text(file.model_dump_json(indent=1) + "\n", encoding="utf-8")


def read_policy(path: Path, game: Game, find: Find) -> StrategyEntry:
    """Return the policy in a file as a player. Raise `InputError` if the file cannot be read or has no policy."""
    try:
        document = parse_json(read_bounded(path, _MAX_FILE_BYTES))
    except OSError as error:
        raise InputError(
            f"{path} cannot be read ({error.strerror}); name a .json file that 'ostrom respond -o FILE' wrote"
        ) from None
    except ValueError as error:
        raise InputError(f"{path} is not a policy: {error}") from None
    try:
        file = PolicyFile.model_validate(document)
    except ValidationError as error:
        raise InputError(f"{path} is not a policy: {first_problem(error)}") from None
    if file.game != game.name:
        raise InputError(f"{path} is a policy of the game {file.game}, not of {game.command}")
    return entry_of_rule(file.rule, game, find, f"{FAMILY}:{path}")


def policy_named(text: str, game: Game, find: Find) -> StrategyEntry:
    """Return the policy in a file. A player's name gives the file after its colon."""
    if not text.endswith(".json"):
        raise InputError(f"{FAMILY}:{text}: name a .json file, as in {FAMILY}:response.json")
    return read_policy(Path(text), game, find)
