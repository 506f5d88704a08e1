"""Beauty contest: many guess a number, and whoever is closest to a part of the mean wins a prize; ties share it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from ostrom.core import Amount, Event, Play, Seat, Table
from ostrom.core.arrays import Array, namespace
from ostrom.core.effects import NumberLine, Party, Pin, Rule, Telling, sentence
from ostrom.core.game import Seats
from ostrom.games.battery.items import Cell, Facts, ItemAnswered
from ostrom.games.battery.numbers import Number, either, library
from ostrom.games.battery.played import Asked, Part, PlayedRules, all_choose, ask, end, played_game
from ostrom.games.battery.rules import AmountList, Amounts, Repetitions, Role, StatedRules, amount, percent
from ostrom.games.battery.stated import stated_game

_LARGEST_DENOMINATOR = 1000
_MOST_TERMS = 20
"""Of a continued fraction with such a denominator: each pair of terms doubles it at least."""
_NAMED = 8
"""So many winners are named in the verdict."""


@dataclass(frozen=True, slots=True)
class GuessFacts(Facts):
    """What the guesser knows."""

    players: int
    """How many guess, the guesser included."""
    p: float
    """The part of the mean that is to be met."""
    low: int
    high: int
    prize: float

    def words(self, money: Callable[[float], str]) -> Mapping[str, Any]:
        """The part of the mean, as a fraction."""
        return {"part": str(_part(self.p))}


def _part(p: float) -> Fraction:
    return Fraction(p).limit_denominator(_LARGEST_DENOMINATOR)


def part_of(p: Number) -> tuple[Number, Number]:
    """The part of the mean as a whole number over another: the nearest fraction whose denominator is not too large. Of
    an array it is found in whole numbers too, by the way of `Fraction.limit_denominator`."""
    xp = library(p)
    if xp is None:
        return _part(p).as_integer_ratio()
    # The number over a power of two: exact, but for parts so small that only 0 and the smallest fraction are near.
    shift = xp.where(p < 2.0**-4, 62, 58)
    n, d = xp.astype(xp.astype(p, xp.float64) * 2.0**shift, xp.int64), xp.astype(2.0**shift, xp.int64)
    whole, one = d, xp.ones_like(n)
    before, last = (0 * one, one), (one, 0 * one)
    going = n == n
    for _ in range(_MOST_TERMS):
        a = n // xp.where(d == 0, one, d)
        denominator = before[1] + a * last[1]
        going = going & (d > 0) & (denominator <= _LARGEST_DENOMINATOR)
        following = before[0] + a * last[0], denominator
        before = tuple(xp.where(going, new, old) for new, old in zip(last, before, strict=True))
        last = tuple(xp.where(going, new, old) for new, old in zip(following, last, strict=True))
        n, d = xp.where(going, d, n), xp.where(going, n - a * d, d)
    k = (_LARGEST_DENOMINATOR - before[1]) // last[1]
    other = before[0] + k * last[0], before[1] + k * last[1]
    nearer = d <= whole // (2 * other[1])
    return xp.where(nearer, last[0], other[0]), xp.where(nearer, last[1], other[1])


def _written(p: float) -> str:
    """A part of the mean as it reads."""
    return {round(2 / 3, 9): "⅔", 0.5: "½"}.get(round(p, 9)) or amount(p)


def _line(guessers: Sequence[Party], facts: Mapping[str, Any], guess: float | None = None) -> NumberLine:
    """A line on which numbers are named, before the target is known."""
    p = facts["p"]
    return NumberLine(
        low=facts["low"],
        high=facts["high"],
        verb="names",
        pins=tuple(Pin(party=party, value=guess) for party in guessers),
        verdict=f"Who comes closest to {_written(p)} of the mean ({percent(p)}) wins {amount(facts['prize'])}.",
    )


class StatedBeautyContest(StatedRules, task="beauty_contest"):
    """Beauty contest, as stated choices."""

    roles: ClassVar[Mapping[str, Role]] = {
        "guesser": Role("guess", AmountList("Numbers named"), field="guess", money=False)
    }
    quick: ClassVar[Mapping[str, Any]] = {"repetitions": 2}

    players: int = Field(15, ge=2, le=1_000_000)
    """How many players the subject is told of, itself included."""
    p: float = Field(2 / 3, gt=0, le=10)
    """The number that wins is nearest to this part of the mean."""
    low: int = Field(0, ge=0, le=1_000_000)
    """The lowest number that may be named."""
    high: int = Field(100, ge=1, le=1_000_000)
    """The highest number that may be named."""
    prizes: Amounts = (10.0, 100.0, 1000.0)
    """Prizes, in dollars."""
    repetitions: Repetitions = 10

    @model_validator(mode="after")
    def _numbers_differ(self) -> Self:
        if self.low >= self.high:
            raise ValueError(f"high must be above low, which is {self.low}")
        return self

    def cells(self) -> list[Cell]:
        """A guess for every prize."""
        spec = Amount(self.low, self.high, whole=True)
        facts = [GuessFacts(self.players, self.p, self.low, self.high, prize) for prize in self.prizes]
        return [Cell("guesser", f"prize={known.prize:g}", known, spec, self.repetitions) for known in facts]

    def form(self, item: ItemAnswered) -> NumberLine:
        """The number on a line."""
        return _line([Party(seat=0, role="guesser")], item.facts, item.amount)


class Guessed(Event, tag="guessed"):
    """All named their numbers."""

    guesses: list[int]
    """By seat."""
    mean: float
    target: float
    closest: list[int]
    """The seats that share the prize."""


class BeautyContestRules(PlayedRules, task="beauty_contest", moves=(Guessed,)):
    """Beauty contest, played: all seats name a number at once. How many play is the table's affair."""

    series: ClassVar[Mapping[str, str]] = {"guesses": "guessed.guesses", "target": "guessed.target"}
    parts: ClassVar[tuple[Part, ...]] = (Part("guesser", "guess", whole=True),)
    p: float = Field(2 / 3, gt=0, le=10, allow_inf_nan=False)
    """The part of the mean that is aimed at, taken as the nearest fraction with a denominator of at most 1000, so that
    ties are exact."""
    low: int = Field(0, ge=0, le=1_000_000)
    """The lowest number that may be named."""
    high: int = Field(100, ge=1, le=1_000_000)
    """The highest number that may be named."""
    prize: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """What the winner gets, in dollars; several share it."""

    @model_validator(mode="after")
    def _there_is_a_range(self) -> Self:
        if self.low >= self.high:
            raise ValueError("low must be below high")
        return self

    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> Asked:
        """A whole number."""
        facts = GuessFacts(seats, self.p, self.low, self.high, self.prize)
        return facts, Amount(self.low, self.high, whole=True)

    def fallback(self, role: str) -> Number:
        """The middle of the range."""
        return (self.low + self.high) // 2

    def closest(self, guesses: Array) -> Array:
        """(seats, games) Who is nearest to the target, in whole numbers, so that ties are exact."""
        xp, (numerator, denominator) = namespace(guesses), part_of(self.p)
        # |guess − p · sum ÷ seats|, times the seats and the denominator of p.
        away = xp.abs(guesses * len(guesses) * denominator - numerator * xp.sum(guesses, axis=0))
        return away == xp.min(away, axis=0)

    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        """The prize, shared by those who tie."""
        closest = self.closest(moves[0])
        paid: Sequence[Number] = either(closest, self.prize / namespace(closest).sum(closest, axis=0), 0.0)
        return paid

    def key(self, seats: int) -> Number:
        """The part of the mean."""
        return self.p

    def form(self, seats: int, moves: Sequence[Guessed]) -> NumberLine:
        """The numbers on a line, and who came closest."""
        everybody = [Party(seat=seat, role="guesser") for seat in range(seats)]
        if not moves:
            return _line(everybody, self.model_dump())
        made = moves[0]
        who = ", ".join(Seat(seat).label for seat in made.closest[:_NAMED])
        who += f" and {len(made.closest) - _NAMED} more" if len(made.closest) > _NAMED else ""
        share = "is closest and wins" if len(made.closest) == 1 else "are closest and share"
        pins = zip(everybody, made.guesses, strict=True)
        return NumberLine(
            low=self.low,
            high=self.high,
            verb="names",
            pins=tuple(Pin(party=party, value=guess, best=party.seat in made.closest) for party, guess in pins),
            rules=(Rule(title="mean", value=made.mean), Rule(title="target", value=made.target, main=True)),
            verdict=(
                f"The target is {_written(self.p)} of the mean of {amount(made.mean)}: {amount(made.target)}. "
                f"{who} {share} the prize of {amount(self.prize)}."
            ),
        )

    def tell(self, move: Guessed) -> Telling:
        """What everybody named."""
        target = sentence(f"the mean is {move.mean:.2f}, the target {move.target:.2f}")
        return all_choose("all name a number", move.guesses, lambda seat, guess: f" names {guess}", target)


def play(rules: BeautyContestRules, table: Table) -> Play:
    """All name a whole number at once. For who gives no legal answer the middle of the range is entered, which leans
    to neither end."""
    facts, spec = rules.asks("guesser", len(table.seats))
    named = yield [ask(rules, table, seat, "guesser", facts, spec) for seat in table.seats]
    guesses = [int(answer.value) for answer in named]
    mean = Fraction(sum(guesses), len(guesses))
    column = np.asarray(guesses, dtype=np.int64)[:, None]
    closest = [int(seat) for seat in np.flatnonzero(rules.closest(column))]
    target = float(_part(rules.p) * mean)
    table.record(Guessed(guesses=guesses, mean=float(mean), target=target, closest=closest))
    end(table, [float(payoff) for (payoff,) in rules.paid([column])])


STATED = stated_game(StatedBeautyContest, "a number that should be closest to a part of everybody's mean")
PLAYED = played_game(
    BeautyContestRules,
    "all name a number at once; the closest to a part of the mean wins a prize",
    play,
    seats=Seats(2, 1000),
    symmetric=True,
)
