"""What a sweep varies: rules of a game, the number of seats, how many seats a player holds, who sits at the table; and
how each is written."""

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
"""What of a game a factor sets."""
Values: TypeAlias = str | Iterable[Any]
"""The values of a factor: as on the command line, or one after the other."""
SEATS: Final = "seats"
TABLE: Final = "table"
MOST_VALUES: Final = 10_000
"""Values of one factor."""
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_RANGE: Final = re.compile(rf"({_NUMBER}):({_NUMBER})(?::({_NUMBER}))?")
_HOW: Final = "write NAME=LOW:HIGH:STEP or NAME=VALUE,VALUE"
_DIGITS: Final = 6
"""Significant digits of a value drawn from a range, so that it can be typed again."""


@dataclass(frozen=True)
class Factor:
    """Something that is varied, with the values that it takes."""

    name: str
    part: Part
    levels: tuple[Any, ...] = ()
    """Its values in order; none where it is drawn from a range."""
    span: tuple[float, float] | None = None
    """The range that it is drawn from."""
    whole: bool = False
    """Whether only whole numbers are drawn from the range."""
    tables: Mapping[str, tuple[StrategyEntry, ...]] = field(default_factory=dict)
    """Who sits at each table that it names."""

    @property
    def numeric(self) -> bool:
        """Whether its values are numbers, which have distances and not only names."""
        return self.span is not None or all(is_numeric(level) for level in self.levels)

    def at(self, place: float) -> Any:
        """The value at a place of the unit interval, [0, 1)."""
        if self.span is None:
            return self.levels[int(place * len(self.levels))]
        low, high = self.span
        if self.whole:
            return int(low) + int(place * (int(high) - int(low) + 1))
        drawn = float(f"{low + place * (high - low):.{_DIGITS}g}")
        return min(max(drawn, low), high)

    @property
    def word(self) -> str:
        """As users type it."""
        if self.span is not None:
            return f"{self.name}={spelled(self.span[0])}:{spelled(self.span[1])}"
        return f"{self.name}={(';' if self.part == 'table' else ',').join(spelled(level) for level in self.levels)}"

    def as_record(self) -> dict[str, Any]:
        """The factor as plain data."""
        values = {"low": self.span[0], "high": self.span[1]} if self.span else {"values": list(self.levels)}
        return {"name": self.name, "part": self.part, "numeric": self.numeric, **values}


def is_numeric(value: Any) -> bool:
    """Whether a value is a number; a switch is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def spelled(value: Any) -> str:
    """A value as users type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def factors_of(game: Game, vary: Mapping[str, Values] | Sequence[str]) -> tuple[Factor, ...]:
    """The factors that are named, as on the command line ("alpha=0:1:0.05") or by name and values."""
    if isinstance(vary, str):
        raise InputError(f"{setting('vary')} must be a list, as in [{vary!r}], or name the values of each rule")
    named = vary.items() if isinstance(vary, Mapping) else [_parted(text) for text in vary]
    found: dict[str, Factor] = {}
    for name, values in named:
        part, known = _part(game, name.strip())
        factor = _factor(game, known, part, values)
        if factor.name in found:
            raise InputError(f"{factor.name} is varied twice; give all its values at once")
        found[factor.name] = factor
    if not found:
        raise InputError(
            f"nothing is varied: {_HOW}, as in {setting('vary', f'{next(iter(game.rules.model_fields))}=…')}"
        )
    return tuple(found.values())


def _parted(text: str) -> tuple[str, str]:
    name, equals, values = text.partition("=")
    if not equals or not values.strip():
        raise InputError(f"{setting('vary', text)} has no values; {_HOW}")
    return name, values.strip()


def _part(game: Game, name: str) -> tuple[Part, str]:
    """What of the game a name means, and the name as it is known."""
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
    raise InputError(f"{game.command} has nothing called {clean(name)!r} that can be varied; {hint}")


def _factor(game: Game, name: str, part: Part, values: Values) -> Factor:
    whole = part in ("seats", "player") or (part == "rule" and _is_whole(game, name))
    if part == "table":
        return _tables(game, values)
    if isinstance(values, str) and (found := _RANGE.fullmatch(values)):
        low, high, step = (None if number is None else Decimal(number) for number in found.groups())
        assert low is not None
        assert high is not None
        if low > high:
            raise InputError(f"{name}={values} is empty: {low} is above {high}; {_HOW}")
        if step is None:
            ends = [_value(game, name, part, spelled_decimal(end)) for end in (low, high)]
            return Factor(name, part, span=(float(ends[0]), float(ends[1])), whole=whole)
        words: Sequence[Any] = _steps(name, values, low, high, step)
    else:
        words = [word.strip() for word in values.split(",")] if isinstance(values, str) else list(values)
    if not words or "" in words:
        raise InputError(f"{name} has an empty list of values; {_HOW}")
    if len(words) > MOST_VALUES:
        raise InputError(f"{name} has {len(words):,} values; at most {MOST_VALUES:,} are possible")
    levels = tuple(_value(game, name, part, word) for word in words)
    if len(set(levels)) < len(levels):
        twice = next(level for level in levels if levels.count(level) > 1)
        raise InputError(f"{name} has the value {spelled(twice)} twice; give each value once")
    return Factor(name, part, levels)


def _steps(name: str, text: str, low: Decimal, high: Decimal, step: Decimal) -> list[str]:
    """The values of a range, each as it would be typed: decimal arithmetic makes 0.15 of three steps of 0.05."""
    if step <= 0:
        raise InputError(f"{name}={text} has a step of {step}; a step must be above 0")
    count = math.floor((high - low) / step) + 1
    if count > MOST_VALUES:
        raise InputError(f"{name}={text} has {count:,} values; at most {MOST_VALUES:,} are possible: use a larger step")
    return [spelled_decimal(low + place * step) for place in range(count)]


def spelled_decimal(number: Decimal) -> str:
    """A decimal without exponent and without zeros at its end."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _value(game: Game, name: str, part: Part, word: Any) -> Any:
    """A value as the rules hold it, or the number of seats."""
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
    """The rules with other settings. What is as it usually is, is left to the game again: it may hang on what is
    set."""
    try:
        return type(rules)(**{**set_apart(rules), **settings})
    except ValidationError as error:
        said = ", ".join(f"{name}={spelled(value)}" for name, value in settings.items())
        raise InputError(f"invalid rules: {first_problem(error)} ({said})") from None


def set_apart(rules: BaseModel) -> dict[str, Any]:
    """The settings that are not as the game has them by itself."""
    plain = type(rules)()
    return {name: value for name, value in rules if value != getattr(plain, name)}


def _setting(game: Game, name: str, word: Any) -> Any:
    """A value as the rule holds it. Whether it agrees with the other rules is seen when all are set."""
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
    """Tables, written as NAME:n+NAME:n; a semicolon stands between them where a name has commas of its own."""
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
    """Who sits where at a point: players whose seats are counted come last, and the others take the seats before them
    in turn, again from the first when all sit."""
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
    rest, kinds = seats - sum(counts.values()), len({entry.name for entry in others})
    if rest < 0 or (rest > 0 and not others):
        held = ", ".join(f"{name}={count}" for name, count in counts.items())
        raise InputError(
            f"{held} does not fill a table of {number_of(seats, 'seat')}; seat others with {setting('include')}"
        )
    if rest and rest < kinds:
        raise InputError(
            f"{number_of(rest, 'seat')} are too few for {kinds} different players; name those who sit with "
            f"{setting('include')}"
        )
    known = {entry.name: entry for entry in entries}
    counted = [
        known.get(name) or choose([name], game=game.name)[0] for name, count in counts.items() for _ in range(count)
    ]
    return (*islice(cycle(others), rest), *counted) if rest else tuple(counted)


Kind: TypeAlias = Literal["factorial", "lhs", "sobol"]
KINDS: Final[Sequence[Kind]] = ("factorial", "lhs", "sobol")
MOST_POINTS: Final = 100_000
USUAL: Final = {"lhs": 100, "sobol": 128}
"""The default number of points that are drawn."""
Floats: TypeAlias = npt.NDArray[np.float64]


def points_of(factors: Sequence[Factor], kind: Kind, drawn: int | None, seed: int) -> list[tuple[Any, ...]]:
    """The values of every factor at every point. `drawn` is the size of a Latin hypercube, or of each of the two
    samples of a Sobol design."""
    if kind not in KINDS:
        raise InputError(f"there is no design {kind!r}; use {', '.join(KINDS)}")
    if kind == "factorial":
        return _factorial(factors, drawn)
    count = USUAL[kind] if drawn is None else drawn
    if count < 2:
        raise InputError(f"the number of points must be at least 2, got {count}")
    if kind == "sobol" and count & (count - 1):
        raise InputError(f"a Sobol design takes a power of 2 as its number of points, such as {_power(count)}")
    _check_number(count * (len(factors) + 2) if kind == "sobol" else count)
    places = _hypercube(len(factors), count, seed) if kind == "lhs" else saltelli(len(factors), count, seed)
    return [tuple(factor.at(place) for factor, place in zip(factors, row, strict=True)) for row in places.tolist()]


def _factorial(factors: Sequence[Factor], drawn: int | None) -> list[tuple[Any, ...]]:
    if drawn is not None:
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
    if points > MOST_POINTS:
        raise InputError(
            f"{points:,} points are too many, at most {MOST_POINTS:,} are possible; take larger steps, or draw some "
            f"with {setting('design', 'lhs')} and {setting('points', 1000)}"
        )


def _power(count: int) -> int:
    return 1 << max(1, round(math.log2(count)))


def _hypercube(factors: int, count: int, seed: int) -> Floats:
    from scipy.stats import qmc

    return np.asarray(qmc.LatinHypercube(factors, rng=seed).random(count))


def saltelli(factors: int, count: int, seed: int) -> Floats:
    """((factors + 2) · count, factors) Two samples A and B of the unit cube, and A with each column in turn from B, one
    below the other (Saltelli and others 2010). Both come from one scrambled Sobol sequence."""
    from scipy.stats import qmc

    drawn = qmc.Sobol(2 * factors, rng=seed).random(count)
    first, second = drawn[:, :factors], drawn[:, factors:]
    mixed = np.tile(first, (factors, 1, 1))
    for factor in range(factors):
        mixed[factor, :, factor] = second[:, factor]
    return np.concatenate([first, second, mixed.reshape(-1, factors)])
