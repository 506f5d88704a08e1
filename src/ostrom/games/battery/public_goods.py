"""Public goods: how much of an endowment to put into a pot that is multiplied and shared out evenly, once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

from pydantic import Field

from ostrom.core import Amount, Event, Play, Table
from ostrom.core.effects import Fund, Party, Telling, Transfer, sentence
from ostrom.core.game import Seats
from ostrom.games.battery.items import Cell, Facts, ItemAnswered
from ostrom.games.battery.numbers import Number, decimals, summed
from ostrom.games.battery.played import Asked, Part, PlayedRules, ask, end, exact, played_game
from ostrom.games.battery.rules import AmountList, Amounts, Repetitions, Role, StatedRules
from ostrom.games.battery.stated import stated_game


@dataclass(frozen=True, slots=True)
class PublicFacts(Facts):
    """What the contributor knows."""

    endowment: float
    multiplier: float
    """What all contributions together are multiplied by."""
    players: int
    """How many share the pot, the contributor included."""


class StatedPublicGoods(StatedRules, task="public_goods"):
    """Public goods game of one round, as stated choices."""

    roles: ClassVar[Mapping[str, Role]] = {
        "contributor": Role(
            "contribute", AmountList("Contributed, of each endowment", "endowment"), field="contribution"
        )
    }
    quick: ClassVar[Mapping[str, Any]] = {"endowments": [10, 1000], "multipliers": [1, 1.5, 2], "repetitions": 2}

    endowments: Amounts = (10.0, 100.0, 1000.0)
    """What every player has to give from, in dollars."""
    multipliers: Amounts = (1.0, 1.25, 1.5, 2.0)
    """What the fund is multiplied by."""
    players: int = Field(10, ge=2, le=1_000_000)
    """How many players the subject is told of, itself included."""
    repetitions: Repetitions = 10

    def cells(self) -> list[Cell]:
        """A contribution for every endowment and multiplier."""
        return [self._cell(*pair) for pair in product(self.endowments, self.multipliers)]

    def _cell(self, endowment: float, multiplier: float) -> Cell:
        condition = f"endowment={endowment:g} multiplier={multiplier:g}"
        facts = PublicFacts(endowment, multiplier, self.players)
        return Cell("contributor", condition, facts, Amount(0, endowment), self.repetitions)

    def form(self, item: ItemAnswered) -> Fund:
        """The fund, and what the subject pays in."""
        return Fund(
            parties=(Party(seat=0, role="contributor"),),
            players=item.facts["players"],
            endowment=item.facts["endowment"],
            multiplier=item.facts["multiplier"],
            contributions=None if item.amount is None else (item.amount,),
        )


class Contributed(Event, tag="contributed"):
    """All contributed, and the fund was shared out."""

    contributions: list[float]
    """By seat."""
    fund: float
    """What was contributed in all."""
    share: float
    """What every seat gets out of the grown fund."""


class PublicGoodsRules(PlayedRules, task="public_goods", moves=(Contributed,)):
    """Public goods game, played: all seats pay in at once. How many play is the table's affair."""

    series: ClassVar[Mapping[str, str]] = {"contributions": "contributed.contributions", "share": "contributed.share"}
    parts: ClassVar[tuple[Part, ...]] = (Part("contributor", "contribution"),)
    endowment: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """What every player has to give from, in dollars."""
    multiplier: float = Field(1.5, ge=0, le=1000, allow_inf_nan=False)
    """What the fund is multiplied by before it is shared out."""

    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> Asked:
        """A part of the endowment."""
        return PublicFacts(self.endowment, self.multiplier, seats), Amount(0, self.endowment)

    def shared_out(self, contributions: Sequence[Number]) -> tuple[Number, Number]:
        """What is in the fund, and everybody's share of it once it has grown."""
        fund = decimals(summed(contributions), 9)
        return fund, decimals(fund * self.multiplier / len(contributions), 9)

    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        """What everybody kept, and the share."""
        _, share = self.shared_out(moves[0])
        return [self.endowment - contribution + share for contribution in moves[0]]

    def key(self, seats: int) -> Number:
        """What comes back of a dollar that is contributed."""
        return self.multiplier / seats

    def form(self, seats: int, moves: Sequence[Contributed]) -> Fund:
        """The fund."""
        return Fund(
            parties=tuple(Party(seat=seat, role="contributor") for seat in range(seats)),
            players=seats,
            endowment=self.endowment,
            multiplier=self.multiplier,
            contributions=tuple(moves[0].contributions) if moves else None,
            fund=moves[0].fund if moves else None,
            share=moves[0].share if moves else None,
        )

    def tell(self, move: Contributed) -> Telling:
        """What everybody paid in, and gets back."""
        paid = tuple(sentence(seat, f" contributes {exact(one)}") for seat, one in enumerate(move.contributions))
        return Telling(
            title=sentence("all contribute"),
            text=(*paid, sentence(f"the fund holds {exact(move.fund)}; {exact(move.share)} for each")),
            effects=(
                Transfer(source="each", target="table", amount=tuple(move.contributions)),
                Transfer(source="table", target="each", amount=(move.share,) * len(move.contributions)),
            ),
        )


def play(rules: PublicGoodsRules, table: Table) -> Play:
    """All contribute at once. Who gives no legal answer contributes nothing, and gets its share like everyone."""
    facts, spec = rules.asks("contributor", len(table.seats))
    given = yield [ask(rules, table, seat, "contributor", facts, spec) for seat in table.seats]
    contributions = [answer.value for answer in given]
    fund, share = rules.shared_out(contributions)
    table.record(Contributed(contributions=contributions, fund=fund, share=share))
    end(table, rules.paid([contributions]))


STATED = stated_game(StatedPublicGoods, "how much to put into a pot that grows and is shared out evenly")
PLAYED = played_game(
    PublicGoodsRules,
    "all pay into a common fund at once; it grows and is shared out equally",
    play,
    seats=Seats(2, 100),
    symmetric=True,
)
