"""Two seats claim at once; both are paid the lower claim, and a bonus goes from who claimed more to who claimed
less."""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ostrom.core import Event, EventRegistry, Play, Table
from ostrom.core.effects import Choose, NumberLine, Telling, sentence
from ostrom.core.game import Game, Seats
from ostrom.core.specs import stepped
from ostrom.games.battery.drawing import parties
from ostrom.games.battery.played.ending import GameEnded, PlayedTeller, end, finals, foreign, presented, told
from ostrom.games.battery.played.view import PlayedView
from ostrom.games.battery.traveller import ClaimFacts, claims_line

EVENTS = EventRegistry()
EVENTS.register(GameEnded)


class TravellerRules(BaseModel):
    """What can be set."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    low: float = Field(2.0, ge=0, le=1_000_000, allow_inf_nan=False)
    """The lowest claim, in dollars."""
    high: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """The highest claim, in dollars."""
    step: float = Field(1.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """Claims are multiples of this above the lowest one, in dollars."""
    bonus: float = Field(2.0, ge=0, le=1_000_000, allow_inf_nan=False)
    """What the lower claim earns on top, and what the higher one costs."""
    scale: float = Field(1.0, gt=0, le=100_000, allow_inf_nan=False)
    """What every amount is multiplied by."""

    @model_validator(mode="after")
    def _claims_differ(self) -> Self:
        if self.low + self.step > self.high:
            raise ValueError(f"there is one claim only; high must be at least {self.low + self.step:g}")
        return self

    @property
    def facts(self) -> ClaimFacts:
        """What both know, at this scale."""
        amounts = (self.low, self.high, self.bonus, self.step)
        low, high, bonus, step = (round(amount * self.scale, 9) for amount in amounts)
        return ClaimFacts(low, high, bonus, step, self.scale)


@EVENTS.register
class Claimed(Event):
    """Both claimed."""

    tag: ClassVar[str] = "claimed"

    claims: list[float]
    """By seat."""
    bonus: float


def play(rules: TravellerRules, table: Table) -> Play:
    """Both claim at once. Who gives no legal answer claims the least."""
    facts = rules.facts
    spec = stepped(facts.low, facts.high, facts.step)
    claimed = yield [
        table.ask(
            seat,
            "claimant",
            1,
            spec,
            PlayedView("traveller", "claimant", seat.index, facts),
            fallback=spec.validate(facts.low),
        )
        for seat in table.seats
    ]
    # Counted in steps, so that claims written in decimals are equal where they mean the same.
    first, second = (round((answer.value - facts.low) / facts.step) for answer in claimed)
    claims = [round(facts.low + steps * facts.step, 9) for steps in (first, second)]
    table.record(Claimed(claims=claims, bonus=facts.bonus))
    earned = 0.0 if first == second else facts.bonus if first < second else -facts.bonus
    end(table, [min(claims) + earned, min(claims) - earned])


class TravellerTeller(PlayedTeller[TravellerRules]):
    """What both claim."""

    claims: tuple[float | None, float | None] = (None, None)

    def form(self) -> NumberLine:
        """The claims on a line."""
        facts = self.rules.facts
        return claims_line(parties("claimant", "claimant"), facts.low, facts.high, facts.bonus, self.claims)

    def move(self, event: Event) -> Telling:
        """What both claimed."""
        if not isinstance(event, Claimed):
            raise foreign(event, "the traveller's dilemma")
        first, second = event.claims
        self.claims = (first, second)
        return Telling(
            title=sentence("both claim"),
            text=tuple(sentence(seat, f" claims {told(claim)}") for seat, claim in enumerate(event.claims)),
            effects=tuple(Choose(seat=seat, value=claim) for seat, claim in enumerate(event.claims)),
        )


PRESENTATION = presented("Traveller", TravellerTeller)


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """The claims and the payoffs."""
    return {
        "claims": [event.claims for event in events if isinstance(event, Claimed)],
        "payoffs": [event.payoffs for event in events if isinstance(event, GameEnded)],
    }


TRAVELLER = Game(
    name="traveller",
    title="Traveller's dilemma",
    summary="two claim at once; both get the lower claim, plus a bonus for it and less a bonus for the higher one",
    seats=Seats(2, 2, usual=2),
    rules=TravellerRules,
    play=play,
    events=EVENTS,
    series=series,
    scene="ostrom.games.battery.played.traveller:PRESENTATION",
    view=PlayedView,
    unit="dollars",
    finals=finals,
    symmetric=True,
    players="ostrom.games.battery.subjects:SUBJECTS",
    charts="ostrom.games.battery.charts:PLAYED_CHARTS",
    samples="ostrom.games.battery.samples:item_samples",
    briefing="ostrom.games.battery.briefing:TravellerBriefing",
    standings="ostrom.games.battery.terminal:payoffs",
)
