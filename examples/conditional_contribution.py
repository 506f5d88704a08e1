"""A task of the battery in one file: the schedule of conditional contributions (Fischbacher, Gächter and Fehr 2001).

ostrom bench battery --plugin examples/conditional_contribution.py --task conditional-contribution --subject selfish
ostrom scores --plugin examples/conditional_contribution.py
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from ostrom.core import Amount
from ostrom.core.effects import FormParty, FundForm
from ostrom.games.battery.items import Facts, GridCell, ItemAnswered
from ostrom.games.battery.rules import AmountList, Repetitions, Role, StatedRules
from ostrom.games.battery.scores.answers import role_answers
from ostrom.games.battery.scores.score import SampledScore, score
from ostrom.games.battery.stated import stated_game
from ostrom.games.battery.subjects import Division, Economicus


@dataclass(frozen=True, slots=True)
class ScheduleFacts(Facts):
    """What the contributor knows: its endowment, and what the others contribute on average."""

    endowment: float
    others: float
    multiplier: float
    players: int


def contribute_given(subject: Economicus, facts: ScheduleFacts) -> Division:
    """Return the contribution of a simulated subject that has no method `contribute_given`: the one that its utility
    prefers, where the others earn the same on average. Of equal ones it is the smallest."""

    def worth(own: float) -> float:
        share = facts.multiplier * (own + (facts.players - 1) * facts.others) / facts.players
        mine, theirs = facts.endowment - own + share, facts.endowment - facts.others + share
        return float(subject.utility(mine, theirs)) / facts.endowment

    amounts = [facts.endowment * percent / 100 for percent in range(101)]
    return Division(max(amounts, key=worth), worth)


class ConditionalContributionRules(StatedRules, task="conditional_contribution"):
    """The schedule of conditional contributions, as stated choices."""

    roles: ClassVar[Mapping[str, Role]] = {
        "contributor": Role(
            "contribute_given",
            AmountList("Contributed, by the others' mean contribution", "endowment"),
            field="contribution",
            textbook=contribute_given,
        )
    }
    quick: ClassVar[Mapping[str, Any]] = {"steps": 4}
    scores: ClassVar[str] = f"{__name__}:SCORES"
    wording: ClassVar[str] = """
{# plain/contributor #}
You are one of {{ facts.players }} people who each have {{ money(facts.endowment) }}. All decide how much to put into a common fund. The fund is multiplied by {{ "%g" % facts.multiplier }} and shared out equally among all {{ facts.players }}, whatever each put in. What you do not put in is yours.
The others put in {{ money(facts.others) }} each, on average.

How much do you put in, from 0 to {{ money(facts.endowment) }}?

{# terse/contributor #}
{{ facts.players }} people with {{ money(facts.endowment) }} each. A common fund is multiplied by {{ "%g" % facts.multiplier }} and shared equally. The others put in {{ money(facts.others) }} each, on average.
How much do you put in, from 0 to {{ money(facts.endowment) }}?
"""  # noqa: E501 - a line of a prompt is not broken

    endowment: float = Field(20.0, gt=0, le=1_000_000)
    """What each player has, in dollars."""
    steps: int = Field(20, ge=2, le=100)
    """The number of steps from 0 to the endowment in which the others' mean contribution is varied."""
    multiplier: float = Field(1.6, gt=0, le=1000)
    """The factor by which the fund is multiplied."""
    players: int = Field(4, ge=2, le=1000)
    """The number of players who share the fund."""
    repetitions: Repetitions = 2

    def cells(self) -> list[GridCell]:
        """Return a question for each mean contribution of the others."""
        others = [round(self.endowment * step / self.steps, 2) for step in range(self.steps + 1)]
        return [
            GridCell(
                "contributor",
                f"others={one:g}",
                ScheduleFacts(self.endowment, one, self.multiplier, self.players),
                Amount(0, self.endowment),
                repetitions=self.repetitions,
            )
            for one in others
        ]

    def form(self, item: ItemAnswered) -> FundForm:
        """Return the fund, with the subject's own contribution."""
        return FundForm(
            parties=(FormParty(seat=0, role="contributor"),),
            players=item.facts["players"],
            endowment=item.facts["endowment"],
            multiplier=item.facts["multiplier"],
            contributions=None if item.amount is None else (item.amount,),
        )


@score("schedule_contribution", "Conditional contribution", theme="further")
def schedule_contribution(subject: Any) -> SampledScore:
    """Mean contribution over the schedule, in percent of the endowment."""
    return role_answers(subject, "conditional_contribution", "contributor").mean(
        lambda amount, facts: 100 * amount / facts["endowment"]
    )


@score("conditional_slope", "Conditional cooperation", theme="further")
def conditional_slope(subject: Any) -> SampledScore:
    """Mean contribution to funds to which the others contribute more than half of their endowment, minus the mean
    contribution where they contribute less, in percent of the endowment. It is 0 for a free rider, and about 50
    for a player who contributes as much as the others."""
    answers = role_answers(subject, "conditional_contribution", "contributor")
    apart = answers.only(lambda facts: facts["others"] != facts["endowment"] / 2)
    return apart.mean(lambda amount, facts: 200 * _side(facts) * amount / facts["endowment"], (-200.0, 200.0))


def _side(facts: Mapping[str, Any]) -> float:
    return 1.0 if facts["others"] > facts["endowment"] / 2 else -1.0


SCORES = (schedule_contribution, conditional_slope)
STATED = stated_game(ConditionalContributionRules, "how much to contribute, by what the others contribute on average")
