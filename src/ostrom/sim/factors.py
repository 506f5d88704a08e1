"""The factors of a sweep: rules of a game, the number of seats, the seats of a player, or tables. This module also has
the notation in which users write factors, and the designs: all combinations, a Latin hypercube, or Saltelli's points
for Sobol indices."""

import difflib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import cycle, islice, product
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, TypeAdapter, ValidationError

from ostrom.core import InputError
from ostrom.core.errors import field as setting
from ostrom.core.game import Game
from ostrom.core.text import clean, first_problem, number_of, problem
from ostrom.players.roster import built_in_players, choose
from ostrom.players.strategy import StrategyEntry

Part: TypeAlias = Literal["rule", "seats", "player", "table"]
"""The part of a game that a factor varies."""
Values: TypeAlias = str | Iterable[Any]
"""The values of a factor, either written as on the command line or given as an iterable."""
SEATS: Final = "seats"
TABLE: Final = "table"
MAX_VALUES: Final = 10_000
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_RANGE: Final = re.compile(rf"({_NUMBER}):({_NUMBER})(?::({_NUMBER}))?")
_SYNTAX: Final = "write NAME=LOW:HIGH:STEP or NAME=VALUE,VALUE"
_SIGNIFICANT_DIGITS: Final = 6
"""The number of significant digits to which values sampled from a range are rounded, so that users can type these
values."""


@dataclass(frozen=True)
class Factor:
    """A property of games that a sweep varies, with its values."""

    name: str
    part: Part
    levels: tuple[Any, ...] = ()
    """The values in order; empty if values are sampled from a range."""
    span: tuple[float, float] | None = None
    """The range from which values are sampled."""
    whole: bool = False
    """True if only integers are sampled from the range."""
    tables: Mapping[str, tuple[StrategyEntry, ...]] = field(default_factory=dict)
    """The players of each table, if the factor varies tables."""

    @property
    def numeric(self) -> bool:
        """True if the factor's values are numbers."""
        return self.span is not None or all(is_numeric(level) for level in self.levels)

    def at(self, position: float) -> Any:
        """Return the value at a position in the unit interval, [0, 1)."""
        if self.span is None:
            return self.levels[int(position * len(self.levels))]
        low, high = self.span
        if self.whole:
            return int(low) + int(position * (int(high) - int(low) + 1))
        value = float(f"{low + position * (high - low):.{_SIGNIFICANT_DIGITS}g}")
        return min(max(value, low), high)

    @property
    def word(self) -> str:
        """The factor in the notation of users."""
        if self.span is not None:
            return f"{self.name}={format_value(self.span[0])}:{format_value(self.span[1])}"
        return (
            f"{self.name}={(';' if self.part == 'table' else ',').join(format_value(level) for level in self.levels)}"
        )

    def as_record(self) -> dict[str, Any]:
        """Return the factor as plain data."""
        values = {"low": self.span[0], "high": self.span[1]} if self.span else {"values": list(self.levels)}
        return {"name": self.name, "part": self.part, "numeric": self.numeric, **values}


def is_numeric(value: Any) -> bool:
    """Return whether a value is a number; true and false are not numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def format_value(value: Any) -> str:
    """Return a value in the notation of users."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def factors_of(game: Game, vary: Mapping[str, Values] | Sequence[str]) -> tuple[Factor, ...]:
    """Return the factors. They are given as on the command line ("alpha=0:1:0.05"), or as a mapping from names to
    values."""
    if isinstance(vary, str):
        raise InputError(f"{setting('vary')} must be a list, as in [{vary!r}], or name the values of each rule")
    pairs = vary.items() if isinstance(vary, Mapping) else [_split_factor(text) for text in vary]
    factors: dict[str, Factor] = {}
    for name, values in pairs:
        part, known = _part(game, name.strip())
        factor = _factor(game, known, part, values)
        if factor.name in factors:
            raise InputError(f"{factor.name} is varied twice; give all its values at once")
        factors[factor.name] = factor
    if not factors:
        raise InputError(
            f"nothing is varied: {_SYNTAX}, as in {setting('vary', f'{next(iter(game.rules.model_fields))}=…')}"
        )
    return tuple(factors.values())


def _split_factor(text: str) -> tuple[str, str]:
    name, equals, values = text.partition("=")
    if not equals or not values.strip():
        raise InputError(f"{setting('vary', text)} has no values; {_SYNTAX}")
    return name, values.strip()


def _part(game: Game, name: str) -> tuple[Part, str]:
    """Return the part of the game that a factor with this name varies, and its registered name."""
    rule = name.replace("-", "_")
    if rule in game.rules.model_fields:
        return "rule", rule
    if name == SEATS:
        return "seats", name
    if name == TABLE:
        return "table", name
    players = built_in_players(game.name)
    if name.partition(":")[0] in players:
        return "player", choose([name], game=game.name)[0].name
    known = [*game.rules.model_fields, SEATS, TABLE, *players]
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"'ostrom list rules {game.command}' lists its rules"
    raise InputError(f"{game.command} has no rule or player called {clean(name)!r} to vary; {hint}")


def _factor(game: Game, name: str, part: Part, values: Values) -> Factor:
    whole = part in ("seats", "player") or (part == "rule" and _is_whole(game, name))
    if part == "table":
        return _tables(game, values)
    if isinstance(values, str) and (match := _RANGE.fullmatch(values)):
        low, high, step = (None if number is None else Decimal(number) for number in match.groups())
        assert low is not None
        assert high is not None
        if low > high:
            raise InputError(f"{name}={values} is empty: {low} is above {high}; {_SYNTAX}")
        if step is None:
            ends = [_value(game, name, part, format_decimal(end)) for end in (low, high)]
            return Factor(name, part, span=(float(ends[0]), float(ends[1])), whole=whole)
        words: Sequence[Any] = _steps(name, values, low, high, step)
    else:
        words = [word.strip() for word in values.split(",")] if isinstance(values, str) else list(values)
    if not words or "" in words:
        raise InputError(f"{name} has an empty list of values; {_SYNTAX}")
    if len(words) > MAX_VALUES:
        raise InputError(f"{name} has {len(words):,} values; at most {MAX_VALUES:,} are possible")
    levels = tuple(_value(game, name, part, word) for word in words)
    if len(set(levels)) < len(levels):
        twice = next(level for level in levels if levels.count(level) > 1)
        raise InputError(f"{name} has the value {format_value(twice)} twice; give each value once")
    return Factor(name, part, levels)


def _steps(name: str, text: str, low: Decimal, high: Decimal, step: Decimal) -> list[str]:
    """Return the values of a range in the notation of users. With decimal arithmetic, three steps of 0.05 are exactly
    0.15."""
    if step <= 0:
        raise InputError(f"{name}={text} has a step of {step}; a step must be above 0")
    count = math.floor((high - low) / step) + 1
    if count > MAX_VALUES:
        raise InputError(f"{name}={text} has {count:,} values; at most {MAX_VALUES:,} are possible: use a larger step")
    return [format_decimal(low + place * step) for place in range(count)]


def format_decimal(number: Decimal) -> str:
    """Return a decimal without an exponent and without trailing zeros."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _value(game: Game, name: str, part: Part, word: Any) -> Any:
    """Return a value in the type of the rule, or a number of seats."""
    if part == "rule":
        return _setting(game, name, word)
    try:
        number = int(str(word))
    except ValueError:
        raise InputError(f"{name}={word}: a number of seats must be a whole number") from None
    if number < 0 or (part == "seats" and number < 1):
        raise InputError(f"{name}={word}: a number of seats must be at least {0 if part == 'player' else 1}")
    return number


def rules_with(rules: BaseModel, settings: Mapping[str, Any]) -> Any:
    """Return the rules with these settings changed. Settings that have their default value are not passed on, since the
    game may compute a default from other settings. Raise InputError for invalid rules."""
    try:
        return type(rules)(**{**changed_settings(rules), **settings})
    except ValidationError as error:
        changes = ", ".join(f"{name}={format_value(value)}" for name, value in settings.items())
        raise InputError(f"invalid rules: {first_problem(error)} ({changes})") from None


def changed_settings(rules: BaseModel) -> dict[str, Any]:
    """Return the settings that differ from the game's defaults."""
    plain = type(rules)()
    return {name: value for name, value in rules if value != getattr(plain, name)}


def _setting(game: Game, name: str, word: Any) -> Any:
    """Return a value in the type of the rule. The consistency of the rules is checked when all of them are set."""
    rule = game.rules.model_fields[name]
    try:
        kind: Any = Annotated[rule.annotation, rule]
        return TypeAdapter(kind).validate_python(word)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(f"invalid rules: {problem({**first, 'loc': (name,)})}") from None


def _is_whole(game: Game, rule: str) -> bool:
    annotation = game.rules.model_fields[rule].annotation
    kinds = {annotation, *get_args(annotation)}
    return int in kinds and float not in kinds


def _tables(game: Game, values: Values) -> Factor:
    """Return the factor of tables, written NAME:n+NAME:n and separated by commas, or by semicolons if a name has
    commas."""
    if isinstance(values, str):
        words = [word.strip() for word in values.split(";" if ";" in values else ",")]
    else:
        words = [word if isinstance(word, str) else "+".join(word) for word in values]
    tables = {
        word: tuple(choose([name.strip() for name in word.split("+")], game=game.name))
        for word in dict.fromkeys(words)
        if word
    }
    if not tables or len(tables) < len(words):
        raise InputError("tables must be different and not empty; write table=NAME:n+NAME:n,NAME:n")
    return Factor(TABLE, "table", tuple(tables), tables=tables)


def seated(
    game: Game, table: Sequence[StrategyEntry], factors: Sequence[Factor], values: Sequence[Any]
) -> tuple[StrategyEntry, ...]:
    """Return the player at each seat for one point. If the number of seats of a player is a factor, this player has the
    last seats. The other players have the seats before these in turn, repeatedly."""
    entries, seats, counts = list(table), None, dict[str, int]()
    for factor, value in zip(factors, values, strict=True):
        if factor.part == "table":
            entries = list(factor.tables[value])
        elif factor.part == "seats":
            seats = value
        elif factor.part == "player":
            counts[factor.name] = value
    seats = len(entries) if seats is None else seats
    if not counts and seats == len(entries):
        return tuple(entries)
    others = [entry for entry in entries if entry.name not in counts]
    free, kinds = seats - sum(counts.values()), len({entry.name for entry in others})
    if free < 0 or (free > 0 and not others):
        counts_text = ", ".join(f"{name}={count}" for name, count in counts.items())
        raise InputError(
            f"{counts_text} does not fill a table of {number_of(seats, 'seat')}; seat others with {setting('include')}"
        )
    if free and free < kinds:
        raise InputError(
            f"{number_of(free, 'seat')} are too few for {kinds} different players; name the players at the table with "
            f"{setting('include')}"
        )
    known = {entry.name: entry for entry in entries}
    counted = [
        known.get(name) or choose([name], game=game.name)[0] for name, count in counts.items() for _ in range(count)
    ]
    return (*islice(cycle(others), free), *counted) if free else tuple(counted)


Kind: TypeAlias = Literal["factorial", "lhs", "sobol"]
KINDS: Final[Sequence[Kind]] = ("factorial", "lhs", "sobol")
MAX_POINTS: Final = 100_000
DEFAULT_POINTS: Final = {"lhs": 100, "sobol": 128}
"""Default number of points of a sampled design."""
Floats: TypeAlias = npt.NDArray[np.float64]


def points_of(factors: Sequence[Factor], kind: Kind, size: int | None, seed: int) -> list[tuple[Any, ...]]:
    """Return the values of all factors at all points. `size` is the size of a Latin hypercube, or of each of the two
    samples of a Sobol design."""
    if kind not in KINDS:
        raise InputError(f"there is no design {kind!r}; use {', '.join(KINDS)}")
    if kind == "factorial":
        return _factorial(factors, size)
    count = DEFAULT_POINTS[kind] if size is None else size
    if count < 2:
        raise InputError(f"the number of points must be at least 2, got {count}")
    if kind == "sobol" and count & (count - 1):
        raise InputError(f"a Sobol design needs a power of 2 as its number of points, such as {_power(count)}")
    _check_number(count * (len(factors) + 2) if kind == "sobol" else count)
    positions = _hypercube(len(factors), count, seed) if kind == "lhs" else saltelli(len(factors), count, seed)
    return [
        tuple(factor.at(position) for factor, position in zip(factors, row, strict=True)) for row in positions.tolist()
    ]


def _factorial(factors: Sequence[Factor], size: int | None) -> list[tuple[Any, ...]]:
    if size is not None:
        raise InputError(
            f"{setting('points')} is for {setting('design', 'lhs')} and sobol; a factorial design has every combination"
        )
    for factor in factors:
        if factor.span is not None:
            low, high = factor.span
            raise InputError(
                f"{factor.name}={low:g}:{high:g} has no step; write {factor.name}={low:g}:{high:g}:STEP, or draw from "
                f"it with {setting('design', 'lhs')}"
            )
    _check_number(math.prod(len(factor.levels) for factor in factors))
    return list(product(*(factor.levels for factor in factors)))


def _check_number(points: int) -> None:
    if points > MAX_POINTS:
        raise InputError(
            f"{points:,} points are too many, at most {MAX_POINTS:,} are possible; take larger steps, or draw some "
            f"with {setting('design', 'lhs')} and {setting('points', 1000)}"
        )


def _power(count: int) -> int:
    return 1 << max(1, round(math.log2(count)))


def _hypercube(factors: int, count: int, seed: int) -> Floats:
    from scipy.stats import qmc

    return np.asarray(qmc.LatinHypercube(factors, rng=seed).random(count))


def saltelli(factors: int, count: int, seed: int) -> Floats:
    """Return two samples A and B of the unit cube and, for each column, a copy of A in which this column is that of B.
    They are stacked: ((factors + 2) · count, factors) (Saltelli et al. 2010). Both samples come from one scrambled
    Sobol sequence."""
    from scipy.stats import qmc

    sample = qmc.Sobol(2 * factors, rng=seed).random(count)
    first, second = sample[:, :factors], sample[:, factors:]
    mixed = np.tile(first, (factors, 1, 1))
    for factor in range(factors):
        mixed[factor, :, factor] = second[:, factor]
    return np.concatenate([first, second, mixed.reshape(-1, factors)])
