"""A task of the battery in one file: how much of the money in a lost wallet to send back to its owner.

ostrom bench battery --plugin examples/lost_wallet.py --task wallet --subject selfish --subject fehr-schmidt
ostrom show battery-1.1 --plugin examples/lost_wallet.py
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ostrom.core import Amount
from ostrom.core.effects import Split
from ostrom.games.battery.items import Facts, GridCell, ItemAnswered
from ostrom.games.battery.rules import AmountList, Amounts, Repetitions, Role, StatedRules, parties
from ostrom.games.battery.scores.answers import role_answers
from ostrom.games.battery.scores.score import SampledScore, score
from ostrom.games.battery.stated import stated_game
from ostrom.games.battery.subjects import Division, Economicus


@dataclass(frozen=True, slots=True)
class WalletFacts(Facts):
    """What the finder knows."""

    money: float


def keep(subject: Economicus, facts: WalletFacts) -> Division:
    """What a simulated subject does that has no method `send_back`: what its utility says, and of equals nothing."""
    shares = [facts.money * percent / 100 for percent in range(101)]
    best = max(shares, key=lambda back: subject.utility(facts.money - back, back))
    return Division(best, lambda back: subject.utility(facts.money - back, back) / facts.money)


class WalletRules(StatedRules, task="wallet"):
    """A lost wallet, as stated choices."""

    roles: ClassVar[Mapping[str, Role]] = {
        "finder": Role("send_back", AmountList("Sent back, of each wallet", "money"), field="amount", textbook=keep)
    }
    quick: ClassVar[Mapping[str, Any]] = {"wallets": [100], "repetitions": 2}
    scores: ClassVar[str] = f"{__name__}:SCORES"
    wording: ClassVar[str] = """
{# plain/finder #}
You find a wallet with {{ money(facts.money) }} and the address of its owner, whom you do not know. Nobody sees you.

How much do you send back, from 0 to {{ money(facts.money) }}?

{# terse/finder #}
You find a wallet with {{ money(facts.money) }} and an address.
How much do you send back?
"""

    wallets: Amounts = (10.0, 100.0, 1000.0)
    """What the wallets hold, in dollars."""
    repetitions: Repetitions = 5

    def cells(self) -> list[GridCell]:
        """How much to send back, for every wallet."""
        return [
            GridCell("finder", f"wallet={money:g}", WalletFacts(money), Amount(0, money), repetitions=self.repetitions)
            for money in self.wallets
        ]

    def form(self, item: ItemAnswered) -> Split:
        """The money, and what goes back."""
        return Split(parties=parties("finder", "owner", asked=0), pot=item.facts["money"], offer=item.amount)


@score("honesty", "Honesty", theme="further")
def honesty(subject: Any) -> SampledScore:
    """Mean percent of the money sent back."""
    return role_answers(subject, "wallet", "finder").mean(lambda amount, facts: 100 * amount / facts["money"])


SCORES = (honesty,)
STATED = stated_game(WalletRules, "how much of the money in a lost wallet to send back")
