"""All seats name a number at once; whoever is closest to a part of their mean wins the prize, and ties share it."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ostrom.core import Amount, Event, EventRegistry, Play, Seat, Table
from ostrom.core.effects import Choose, NumberLine, Party, Pin, Rule, Telling, sentence
from ostrom.core.game import Game, Seats
from ostrom.games.battery.beauty_contest import GuessFacts, fraction, guesses_line
from ostrom.games.battery.drawing import amount
from ostrom.games.battery.played.ending import GameEnded, PlayedTeller, end, finals, foreign, presented
from ostrom.games.battery.played.view import PlayedView

EVENTS = EventRegistry()
EVENTS.register(GameEnded)
_LARGEST_DENOMINATOR = 1000
_NAMED = 8
"""So many winners are named in the verdict."""


class BeautyContestRules(BaseModel):
    """What can be set; how many play is the table's affair."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

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

    @property
    def part(self) -> Fraction:
        """`p`, exactly."""
        return Fraction(self.p).limit_denominator(_LARGEST_DENOMINATOR)


@EVENTS.register
class Guessed(Event):
    """All named their numbers."""

    tag: ClassVar[str] = "guessed"

    guesses: list[int]
    """By seat."""
    mean: float
    target: float
    closest: list[int]
    """The seats that share the prize."""


def play(rules: BeautyContestRules, table: Table) -> Play:
    """All name a whole number at once. For who gives no legal answer the middle of the range is entered, which leans
    to neither end."""
    facts = GuessFacts(len(table.seats), rules.p, rules.low, rules.high, rules.prize)
    spec = Amount(rules.low, rules.high, whole=True)
    middle = (rules.low + rules.high) // 2
    named = yield [
        table.ask(seat, "guesser", 1, spec, PlayedView("beauty_contest", "guesser", seat.index, facts), fallback=middle)
        for seat in table.seats
    ]
    guesses = [int(answer.value) for answer in named]
    mean = Fraction(sum(guesses), len(guesses))
    target = rules.part * mean
    nearest = min(abs(guess - target) for guess in guesses)
    closest = [seat for seat, guess in enumerate(guesses) if abs(guess - target) == nearest]
    table.record(Guessed(guesses=guesses, mean=float(mean), target=float(target), closest=closest))
    end(table, [rules.prize / len(closest) if seat in closest else 0 for seat in range(len(guesses))])


class BeautyContestTeller(PlayedTeller[BeautyContestRules]):
    """Which numbers are named, and who comes closest."""

    made: Guessed | None = None

    def form(self) -> NumberLine:
        """The numbers on a line."""
        rules, made = self.rules, self.made
        everybody = [Party(seat=seat, role="guesser") for seat in range(self.seats)]
        if made is None:
            return guesses_line(everybody, rules.low, rules.high, rules.p, rules.prize)
        pins = zip(everybody, made.guesses, strict=True)
        closest = made.closest[:_NAMED]
        who = ", ".join(Seat(seat).label for seat in closest)
        who += f" and {len(made.closest) - _NAMED} more" if len(made.closest) > _NAMED else ""
        share = "is closest and wins" if len(made.closest) == 1 else "are closest and share"
        return NumberLine(
            low=rules.low,
            high=rules.high,
            verb="names",
            pins=tuple(Pin(party=party, value=guess, best=party.seat in made.closest) for party, guess in pins),
            rules=(Rule(title="mean", value=made.mean), Rule(title="target", value=made.target, main=True)),
            verdict=(
                f"The target is {fraction(rules.p)} of the mean of {amount(made.mean)}: {amount(made.target)}. "
                f"{who} {share} the prize of {amount(rules.prize)}."
            ),
        )

    def move(self, event: Event) -> Telling:
        """What everybody named."""
        if not isinstance(event, Guessed):
            raise foreign(event, "the beauty contest")
        self.made = event
        named = tuple(sentence(seat, f" names {guess}") for seat, guess in enumerate(event.guesses))
        return Telling(
            title=sentence("all name a number"),
            text=(*named, sentence(f"the mean is {event.mean:.2f}, the target {event.target:.2f}")),
            effects=tuple(Choose(seat=seat, value=guess) for seat, guess in enumerate(event.guesses)),
        )


PRESENTATION = presented("Beauty contest", BeautyContestTeller)


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """The numbers, the target, and the payoffs."""
    return {
        "guesses": [event.guesses for event in events if isinstance(event, Guessed)],
        "target": [event.target for event in events if isinstance(event, Guessed)],
        "payoffs": [event.payoffs for event in events if isinstance(event, GameEnded)],
    }


BEAUTY_CONTEST = Game(
    name="beauty_contest",
    title="Beauty contest",
    summary="all name a number at once; the closest to a part of the mean wins a prize",
    seats=Seats(2, 1000),
    rules=BeautyContestRules,
    play=play,
    events=EVENTS,
    series=series,
    scene="ostrom.games.battery.played.beauty_contest:PRESENTATION",
    view=PlayedView,
    unit="dollars",
    finals=finals,
    symmetric=True,
    players="ostrom.games.battery.subjects:SUBJECTS",
    charts="ostrom.games.battery.charts:PLAYED_CHARTS",
    samples="ostrom.games.battery.samples:item_samples",
    briefing="ostrom.games.battery.briefing:BeautyContestBriefing",
    standings="ostrom.games.battery.terminal:payoffs",
)
