"""All seats pay into a common fund at once; it grows and is shared out equally. One round."""

from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from ostrom.core import Amount, Event, EventRegistry, Play, Table
from ostrom.core.effects import Fund, Party, Telling, Transfer, sentence
from ostrom.core.game import Game, Seats
from ostrom.games.battery.played.ending import GameEnded, PlayedTeller, end, finals, foreign, presented, told
from ostrom.games.battery.played.view import PlayedView
from ostrom.games.battery.public_goods import PublicFacts

EVENTS = EventRegistry()
EVENTS.register(GameEnded)


class PublicGoodsRules(BaseModel):
    """What can be set; how many play is the table's affair."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    endowment: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """What every player has to give from, in dollars."""
    multiplier: float = Field(1.5, ge=0, le=1000, allow_inf_nan=False)
    """What the fund is multiplied by before it is shared out."""


@EVENTS.register
class Contributed(Event):
    """All contributed, and the fund was shared out."""

    tag: ClassVar[str] = "contributed"

    contributions: list[float]
    """By seat."""
    fund: float
    """What was contributed in all."""
    share: float
    """What every seat gets out of the grown fund."""


def play(rules: PublicGoodsRules, table: Table) -> Play:
    """All contribute at once. Who gives no legal answer contributes nothing, and gets its share like everyone."""
    count = len(table.seats)
    facts = PublicFacts(rules.endowment, rules.multiplier, count)
    given = yield [
        table.ask(
            seat,
            "contributor",
            1,
            Amount(0, rules.endowment),
            PlayedView("public_goods", "contributor", seat.index, facts),
            fallback=0.0,
        )
        for seat in table.seats
    ]
    contributions = [answer.value for answer in given]
    fund = round(sum(contributions), 9)
    share = round(fund * rules.multiplier / count, 9)
    table.record(Contributed(contributions=contributions, fund=fund, share=share))
    end(table, [rules.endowment - contribution + share for contribution in contributions])


class PublicGoodsTeller(PlayedTeller[PublicGoodsRules]):
    """What everybody pays in, and gets back."""

    made: Contributed | None = None

    def form(self) -> Fund:
        """The fund."""
        made = self.made
        return Fund(
            parties=tuple(Party(seat=seat, role="contributor") for seat in range(self.seats)),
            players=self.seats,
            endowment=self.rules.endowment,
            multiplier=self.rules.multiplier,
            contributions=None if made is None else tuple(made.contributions),
            fund=None if made is None else made.fund,
            share=None if made is None else made.share,
        )

    def move(self, event: Event) -> Telling:
        """What everybody paid in."""
        if not isinstance(event, Contributed):
            raise foreign(event, "the public goods game")
        self.made = event
        gave = tuple(sentence(seat, f" contributes {told(one)}") for seat, one in enumerate(event.contributions))
        return Telling(
            title=sentence("all contribute"),
            text=(*gave, sentence(f"the fund holds {told(event.fund)}; {told(event.share)} for each")),
            effects=(
                Transfer(source="each", target="table", amount=tuple(event.contributions)),
                Transfer(source="table", target="each", amount=(event.share,) * self.seats),
            ),
        )


PRESENTATION = presented("Public goods", PublicGoodsTeller)


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """The contributions, the share, and the payoffs."""
    return {
        "contributions": [event.contributions for event in events if isinstance(event, Contributed)],
        "share": [event.share for event in events if isinstance(event, Contributed)],
        "payoffs": [event.payoffs for event in events if isinstance(event, GameEnded)],
    }


PUBLIC_GOODS = Game(
    name="public_goods",
    title="Public goods",
    summary="all pay into a common fund at once; it grows and is shared out equally",
    seats=Seats(2, 100),
    rules=PublicGoodsRules,
    play=play,
    events=EVENTS,
    series=series,
    scene="ostrom.games.battery.played.public_goods:PRESENTATION",
    view=PlayedView,
    unit="dollars",
    finals=finals,
    symmetric=True,
    players="ostrom.games.battery.subjects:SUBJECTS",
    charts="ostrom.games.battery.charts:PLAYED_CHARTS",
    samples="ostrom.games.battery.samples:item_samples",
    briefing="ostrom.games.battery.briefing:PublicGoodsBriefing",
    standings="ostrom.games.battery.terminal:payoffs",
)
