"""Public goods: players decide how much of an endowment to contribute to a fund that is multiplied and shared equally.
The game has one round. In the played game, a seat with a missing or illegal answer contributes nothing and gets the
same share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

from pydantic import Field
from typing_extensions import override

from ostrom.core import Amount, Event
from ostrom.core.effects import FormParty, FundForm, Telling, Transfer, sentence
from ostrom.core.game import Seats
from ostrom.games.battery.items import Facts, GridCell, ItemAnswered
from ostrom.games.battery.numbers import Number, add, decimals
from ostrom.games.battery.played import PlayedRole, PlayedRules, RoleQuestion, format_amount, played_game
from ostrom.games.battery.rules import AmountList, Amounts, Repetitions, Role, StatedRules
from ostrom.games.battery.stated import stated_game


@dataclass(frozen=True, slots=True)
class PublicFacts(Facts):
    """The facts in the question to the contributor."""

    endowment: float
    multiplier: float
    """The factor of the sum of all contributions."""
    players: int
    """The number of players who share the fund, including the contributor."""


class StatedPublicGoods(StatedRules, task="public_goods"):
    """Public goods game of one round, as stated choices."""

    roles: ClassVar[Mapping[str, Role]] = {
        "contributor": Role(
            "contribute", AmountList("Contributed, of each endowment", "endowment"), field="contribution"
        )
    }
    quick: ClassVar[Mapping[str, Any]] = {"endowments": [10, 1000], "multipliers": [1, 1.5, 2], "repetitions": 2}

    endowments: Amounts = (10.0, 100.0, 1000.0)
    """Each player's endowment, in dollars."""
    multipliers: Amounts = (1.0, 1.25, 1.5, 2.0)
    """The factors by which the fund is multiplied."""
    players: int = Field(10, ge=2, le=1_000_000)
    """Number of players that the question mentions, including the subject."""
    repetitions: Repetitions = 10

    @override
    def cells(self) -> list[GridCell]:
        return [self._cell(*pair) for pair in product(self.endowments, self.multipliers)]

    def _cell(self, endowment: float, multiplier: float) -> GridCell:
        condition = f"endowment={endowment:g} multiplier={multiplier:g}"
        facts = PublicFacts(endowment, multiplier, self.players)
        return GridCell("contributor", condition, facts, Amount(0, endowment), self.repetitions)

    @override
    def form(self, item: ItemAnswered) -> FundForm:
        return FundForm(
            parties=(FormParty(seat=0, role="contributor"),),
            players=item.facts["players"],
            endowment=item.facts["endowment"],
            multiplier=item.facts["multiplier"],
            contributions=None if item.amount is None else (item.amount,),
        )


class ContributionsShared(Event, tag="contributed"):
    """All seats contributed, and the fund was shared."""

    contributions: list[float]
    fund: float
    """The sum of all contributions."""
    share: float
    """Each seat's share of the multiplied fund."""


class PublicGoodsRules(PlayedRules, task="public_goods", moves=(ContributionsShared,)):
    """Public goods game, played: all seats contribute at once. The table sets the number of players."""

    parts: ClassVar[tuple[PlayedRole, ...]] = (PlayedRole("contributor", "contribution"),)
    endowment: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """Each player's endowment, in dollars."""
    multiplier: float = Field(1.5, ge=0, le=1000, allow_inf_nan=False)
    """The factor by which the fund is multiplied before it is shared."""

    @override
    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> RoleQuestion:
        return PublicFacts(self.endowment, self.multiplier, seats), Amount(0, self.endowment)

    def shared_out(self, contributions: Sequence[Number]) -> tuple[Number, Number]:
        """Return the fund, and each seat's share of it after the multiplication."""
        fund = decimals(add(contributions), 9)
        return fund, decimals(fund * self.multiplier / len(contributions), 9)

    @override
    def event(self, role: str, answers: Sequence[Any]) -> Event:
        fund, share = self.shared_out(answers)
        return ContributionsShared(contributions=list(answers), fund=fund, share=share)

    @override
    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        _, share = self.shared_out(moves[0])
        return [self.endowment - contribution + share for contribution in moves[0]]

    @override
    def key(self, seats: int) -> Number:
        return self.multiplier / seats

    @override
    def form(self, seats: int, moves: Sequence[ContributionsShared]) -> FundForm:
        return FundForm(
            parties=tuple(FormParty(seat=seat, role="contributor") for seat in range(seats)),
            players=seats,
            endowment=self.endowment,
            multiplier=self.multiplier,
            contributions=tuple(moves[0].contributions) if moves else None,
            fund=moves[0].fund if moves else None,
            share=moves[0].share if moves else None,
        )

    @override
    def tell(self, move: ContributionsShared) -> Telling:
        sentences = [
            sentence(seat, f" contributes {format_amount(amount)}") for seat, amount in enumerate(move.contributions)
        ]
        return Telling(
            title=sentence("all contribute"),
            text=(
                *sentences,
                sentence(f"the fund holds {format_amount(move.fund)}; {format_amount(move.share)} for each"),
            ),
            effects=(
                Transfer(source="each", target="table", amount=tuple(move.contributions)),
                Transfer(source="table", target="each", amount=(move.share,) * len(move.contributions)),
            ),
        )


STATED = stated_game(StatedPublicGoods, "how much to put into a pot that grows and is shared out evenly")
PLAYED = played_game(
    PublicGoodsRules,
    "all pay into a common fund at once; it grows and is shared out equally",
    seats=Seats(2, 100),
    measured=True,
)
