"""All seats pay into a common fund at once; it grows and is shared out equally. One round."""

from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from ostrom.core import Amount, Event, EventRegistry, Play, Table
from ostrom.core.game import Game, Seats
from ostrom.games.battery.played.ending import GameEnded, end, finals, foreign, told, told_end
from ostrom.games.battery.played.view import PlayedView
from ostrom.games.battery.public_goods import PublicFacts

EVENTS = EventRegistry()
EVENTS.register(GameEnded)


class PublicGoodsRules(BaseModel):
    """What can be set; how many play is the table's affair."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    endowment: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
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


def tell(event: Event, names: Sequence[str]) -> list[str]:
    """The event as lines."""
    match event:
        case Contributed():
            gave = [f"{name} contributes {told(one)}" for name, one in zip(names, event.contributions, strict=True)]
            return [*gave, f"the fund holds {told(event.fund)}; {told(event.share)} for each"]
        case GameEnded():
            return told_end(event, names)
        case _:
            raise foreign(event, "the public goods game")


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
    tell=tell,
    series=series,
    view=PlayedView,
    unit="dollars",
    finals=finals,
    players="ostrom.games.battery.subjects:PLAYERS",
    briefing="ostrom.games.battery.briefing:PublicGoodsBriefing",
    standings="ostrom.games.battery.terminal:payoffs",
)
