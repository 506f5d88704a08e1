"""Beauty contest: many players guess a number, and the guess closest to a fraction of the mean wins a prize. Players
whose guesses tie share the prize. In the played game, a missing or illegal answer is recorded as the middle of the
range, which favours neither end."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator
from typing_extensions import override

from ostrom.core import Amount, Event, Seat
from ostrom.core.arrays import Array, namespace
from ostrom.core.effects import FormParty, LineMark, NumberLine, Pin, Telling, sentence
from ostrom.core.game import Seats
from ostrom.games.battery.items import Facts, GridCell, ItemAnswered
from ostrom.games.battery.numbers import Number, either, library
from ostrom.games.battery.played import PlayedRole, PlayedRules, RoleQuestion, describe_choices, played_game
from ostrom.games.battery.rules import AmountList, Amounts, Repetitions, Role, StatedRules, amount, percent
from ostrom.games.battery.stated import stated_game

MAX_DENOMINATOR = 1000
MAX_TERMS = 20
"""The number of terms of a continued fraction that is sufficient here. Every two terms at least double the denominator,
which is at most 1000."""
MAX_NAMED_WINNERS = 8


@dataclass(frozen=True, slots=True)
class GuessFacts(Facts):
    """The facts in the question to the guesser."""

    players: int
    """The number of players, including the guesser."""
    p: float
    """The fraction of the mean that is the target."""
    low: int
    high: int
    prize: float

    @override
    def words(self, money: Callable[[float], str]) -> Mapping[str, Any]:
        return {"part": str(_part(self.p))}


def _part(p: float) -> Fraction:
    return Fraction(p).limit_denominator(MAX_DENOMINATOR)


def part_of(p: Number) -> tuple[Number, Number]:
    """Return the fraction of the mean as numerator and denominator: the nearest fraction with a small denominator. For
    arrays, the algorithm of `Fraction.limit_denominator` is computed in whole numbers."""
    xp = library(p)
    if xp is None:
        return _part(p).as_integer_ratio()
    # The number as a fraction with a power of two as denominator. This is exact, except for values close to 0 and for
    # the smallest fraction.
    shift = xp.where(p < 2.0**-4, 62, 58)
    n, d = xp.astype(xp.astype(p, xp.float64) * 2.0**shift, xp.int64), xp.astype(2.0**shift, xp.int64)
    whole, unit = d, xp.ones_like(n)
    before, last = (0 * unit, unit), (unit, 0 * unit)
    going = n == n
    for _ in range(MAX_TERMS):
        a = n // xp.where(d == 0, unit, d)
        denominator = before[1] + a * last[1]
        going = going & (d > 0) & (denominator <= MAX_DENOMINATOR)
        following = before[0] + a * last[0], denominator
        before = tuple(xp.where(going, new, old) for new, old in zip(last, before, strict=True))
        last = tuple(xp.where(going, new, old) for new, old in zip(following, last, strict=True))
        n, d = xp.where(going, d, n), xp.where(going, n - a * d, d)
    k = (MAX_DENOMINATOR - before[1]) // last[1]
    other = before[0] + k * last[0], before[1] + k * last[1]
    nearer = d <= whole // (2 * other[1])
    return xp.where(nearer, last[0], other[0]), xp.where(nearer, last[1], other[1])


def _format_part(p: float) -> str:
    return {round(2 / 3, 9): "⅔", 0.5: "½"}.get(round(p, 9)) or amount(p)


def _line(guessers: Sequence[FormParty], facts: Mapping[str, Any], guess: float | None = None) -> NumberLine:
    """Return the diagram of the allowed numbers on a line, before the target is known."""
    p = facts["p"]
    return NumberLine(
        low=facts["low"],
        high=facts["high"],
        verb="names",
        pins=tuple(Pin(party=party, value=guess) for party in guessers),
        verdict=f"Who comes closest to {_format_part(p)} of the mean ({percent(p)}) wins {amount(facts['prize'])}.",
    )


class StatedBeautyContest(StatedRules, task="beauty_contest"):
    """Beauty contest, as stated choices."""

    roles: ClassVar[Mapping[str, Role]] = {
        "guesser": Role("guess", AmountList("Numbers named"), field="guess", money=False)
    }
    quick: ClassVar[Mapping[str, Any]] = {"repetitions": 2}

    players: int = Field(15, ge=2, le=1_000_000)
    """Number of players that the question mentions, including the subject."""
    p: float = Field(2 / 3, gt=0, le=10)
    """The fraction of the mean that is the target. The number closest to it wins."""
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

    @override
    def cells(self) -> list[GridCell]:
        spec = Amount(self.low, self.high, whole=True)
        cells = []
        for prize in self.prizes:
            facts = GuessFacts(self.players, self.p, self.low, self.high, prize)
            cells.append(GridCell("guesser", f"prize={prize:g}", facts, spec, self.repetitions))
        return cells

    @override
    def form(self, item: ItemAnswered) -> NumberLine:
        return _line([FormParty(seat=0, role="guesser")], item.facts, item.amount)


class Guessed(Event, tag="guessed"):
    """Every seat named a number."""

    guesses: list[int]
    mean: float
    target: float
    closest: list[int]
    """The seats that share the prize."""


class BeautyContestRules(PlayedRules, task="beauty_contest", moves=(Guessed,)):
    """Beauty contest, played: all seats name a number at once. The table sets the number of players."""

    parts: ClassVar[tuple[PlayedRole, ...]] = (PlayedRole("guesser", "guess", whole=True),)
    p: float = Field(2 / 3, gt=0, le=10, allow_inf_nan=False)
    """The fraction of the mean that is the target. The nearest fraction with a denominator of at most 1000 is used, so
    that ties are exact."""
    low: int = Field(0, ge=0, le=1_000_000)
    """The lowest number that may be named."""
    high: int = Field(100, ge=1, le=1_000_000)
    """The highest number that may be named."""
    prize: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """The winner's payoff, in dollars. Several winners share it."""

    @model_validator(mode="after")
    def _there_is_a_range(self) -> Self:
        if self.low >= self.high:
            raise ValueError("low must be below high")
        return self

    @override
    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> RoleQuestion:
        facts = GuessFacts(seats, self.p, self.low, self.high, self.prize)
        return facts, Amount(self.low, self.high, whole=True)

    @override
    def fallback(self, role: str) -> Number:
        return (self.low + self.high) // 2

    def closest(self, guesses: Sequence[int] | Array) -> Array:
        """Return whether each seat's guess is nearest to the target. The guesses are those of one game, or of many
        games in an array (seats, games). Distances are computed as whole numbers, so that ties are exact."""
        numbers: Array = np.asarray(guesses, dtype=np.int64) if isinstance(guesses, list) else guesses
        xp, (numerator, denominator) = namespace(numbers), part_of(self.p)
        # This is |guess − p · sum ÷ seats|, multiplied by the seats and the denominator of p.
        away = xp.abs(numbers * len(numbers) * denominator - numerator * xp.sum(numbers, axis=0))
        return away == xp.min(away, axis=0)

    @override
    def event(self, role: str, answers: Sequence[Any]) -> Event:
        guesses = [int(guess) for guess in answers]
        mean = Fraction(sum(guesses), len(guesses))
        closest = [int(seat) for seat in np.flatnonzero(self.closest(guesses))]
        return Guessed(guesses=guesses, mean=float(mean), target=float(_part(self.p) * mean), closest=closest)

    @override
    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        closest = self.closest(moves[0])
        paid: Sequence[Number] = either(closest, self.prize / namespace(closest).sum(closest, axis=0), 0.0)
        return paid

    @override
    def key(self, seats: int) -> Number:
        return self.p

    @override
    def form(self, seats: int, moves: Sequence[Guessed]) -> NumberLine:
        guessers = [FormParty(seat=seat, role="guesser") for seat in range(seats)]
        if not moves:
            return _line(guessers, self.model_dump())
        move = moves[0]
        winners = ", ".join(Seat(seat).label for seat in move.closest[:MAX_NAMED_WINNERS])
        winners += f" and {len(move.closest) - MAX_NAMED_WINNERS} more" if len(move.closest) > MAX_NAMED_WINNERS else ""
        share = "is closest and wins" if len(move.closest) == 1 else "are closest and share"
        pins = zip(guessers, move.guesses, strict=True)
        return NumberLine(
            low=self.low,
            high=self.high,
            verb="names",
            pins=tuple(Pin(party=party, value=guess, best=party.seat in move.closest) for party, guess in pins),
            rules=(LineMark(title="mean", value=move.mean), LineMark(title="target", value=move.target, main=True)),
            verdict=(
                f"The target is {_format_part(self.p)} of the mean of {amount(move.mean)}: {amount(move.target)}. "
                f"{winners} {share} the prize of {amount(self.prize)}."
            ),
        )

    @override
    def tell(self, move: Guessed) -> Telling:
        target = sentence(f"the mean is {move.mean:.2f}, the target {move.target:.2f}")
        return describe_choices("all name a number", move.guesses, lambda seat, guess: f" names {guess}", target)


STATED = stated_game(StatedBeautyContest, "a number that should be closest to a fraction of the mean of all")
PLAYED = played_game(
    BeautyContestRules,
    "all name a number at once; the closest to a part of the mean wins a prize",
    seats=Seats(2, 1000),
    measured=True,
)
