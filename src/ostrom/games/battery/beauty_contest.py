"""Beauty contest: many guess a number, and whoever is closest to a part of the mean wins a prize; ties share it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from ostrom.core import Amount, Event, Play, Seat, Table
from ostrom.core.effects import NumberLine, Party, Pin, Rule, Telling, sentence
from ostrom.core.game import Seats
from ostrom.games.battery.items import Cell, Facts, ItemAnswered
from ostrom.games.battery.played import PlayedRules, all_choose, ask, end, played_game
from ostrom.games.battery.rules import AmountList, Amounts, Repetitions, Role, StatedRules, amount, percent
from ostrom.games.battery.stated import stated_game

_LARGEST_DENOMINATOR = 1000
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
    facts = GuessFacts(len(table.seats), rules.p, rules.low, rules.high, rules.prize)
    spec, middle = Amount(rules.low, rules.high, whole=True), (rules.low + rules.high) // 2
    named = yield [ask(rules, table, seat, "guesser", facts, spec, fallback=middle) for seat in table.seats]
    guesses = [int(answer.value) for answer in named]
    mean = Fraction(sum(guesses), len(guesses))
    target = _part(rules.p) * mean
    nearest = min(abs(guess - target) for guess in guesses)
    closest = [seat for seat, guess in enumerate(guesses) if abs(guess - target) == nearest]
    table.record(Guessed(guesses=guesses, mean=float(mean), target=float(target), closest=closest))
    end(table, [rules.prize / len(closest) if seat in closest else 0 for seat in range(len(guesses))])


STATED = stated_game(StatedBeautyContest, "a number that should be closest to a part of everybody's mean")
PLAYED = played_game(
    BeautyContestRules,
    "all name a number at once; the closest to a part of the mean wins a prize",
    play,
    seats=Seats(2, 1000),
    symmetric=True,
)
