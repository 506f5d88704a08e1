"""Beauty contest: many guess a number, and whoever is closest to a part of the mean wins a prize."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from pydantic import Field, model_validator

from ostrom.core import Amount
from ostrom.core.effects import NumberLine, Party, Pin
from ostrom.games.battery.drawing import AmountList, Asking, Listing, amount, percent, within
from ostrom.games.battery.grids import Amounts, Repetitions
from ostrom.games.battery.items import Cell
from ostrom.games.battery.stated import StatedRules, stated_game


@dataclass(frozen=True, slots=True)
class GuessFacts:
    """What the guesser knows."""

    players: int
    """How many guess, the guesser included."""
    p: float
    """The part of the mean that is to be met."""
    low: int
    high: int
    prize: float


def guesses_line(
    guessers: Sequence[Party], low: int, high: int, p: float, prize: float, guess: float | None = None
) -> NumberLine:
    """A line on which numbers are named, before the target is known."""
    return NumberLine(
        low=low,
        high=high,
        verb="names",
        pins=tuple(Pin(party=party, value=guess) for party in guessers),
        verdict=f"Who comes closest to {fraction(p)} of the mean ({percent(p)}) wins {amount(prize)}.",
    )


def fraction(p: float) -> str:
    """A part of the mean as it reads."""
    return {round(2 / 3, 9): "⅔", 0.5: "½"}.get(round(p, 9)) or amount(p)


class BeautyContestRules(StatedRules):
    """Beauty contest, as stated choices."""

    task: ClassVar[str] = "beauty_contest"
    roles: ClassVar[tuple[str, ...]] = ("guesser",)
    lists: ClassVar[Mapping[str, Listing]] = {"guesser": AmountList("Numbers named", within)}

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
    """How often every question is asked."""

    @model_validator(mode="after")
    def _numbers_differ(self) -> Self:
        if self.low >= self.high:
            raise ValueError(f"high must be above low, which is {self.low}")
        return self

    def cells(self) -> list[Cell]:
        """A guess for every prize."""
        return [
            Cell(
                role="guesser",
                condition=f"prize={prize:g}",
                facts=GuessFacts(self.players, self.p, self.low, self.high, prize),
                spec=Amount(self.low, self.high, whole=True),
                repetitions=self.repetitions,
            )
            for prize in self.prizes
        ]

    def form(self, asking: Asking) -> NumberLine:
        """The number on a line."""
        facts, guesser = asking.facts, [Party(seat=0, role="guesser")]
        return guesses_line(guesser, facts["low"], facts["high"], facts["p"], facts["prize"], asking.number)


STATED_BEAUTY_CONTEST = stated_game(
    BeautyContestRules, "stated choices: a number that should be closest to a part of everybody's mean"
)
