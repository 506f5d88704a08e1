"""A task of the battery in one file: binary choices between two divisions, without a history (dictator choices) and
after a kind or an unkind act of the other person (reciprocity choices), in the form of Bruhin, Fehr and Schunk 2019.

ostrom bench battery --plugin examples/social_choices.py --task social-choices --subject selfish --subject fehr-schmidt
ostrom scores --plugin examples/social_choices.py
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal

from pydantic import Field

from ostrom.games.battery.items import Facts, GridCell
from ostrom.games.battery.rules import ChoiceList, Repetitions, Role, StatedRules
from ostrom.games.battery.scores.answers import role_answers
from ostrom.games.battery.scores.score import SampledScore, score
from ostrom.games.battery.stated import stated_game
from ostrom.games.battery.subjects import Economicus

OPTIONS: Final = ("x", "y")
HISTORIES: Final = ("none", "kind", "unkind")
_CENTRES: Final = ((870, 330), (600, 600), (330, 870))
"""The middles (own, other) between the two divisions: the chooser is ahead, neither is, or it is behind."""
_RADIUS: Final = 200
_FORGONE: Final = 150
"""By how much the forgone division is better or worse for each, compared with the two divisions of the choice."""


@dataclass(frozen=True, slots=True)
class SocialFacts(Facts):
    """Two divisions of money, and what the other person did before."""

    self_x: float
    other_x: float
    self_y: float
    other_y: float
    before: str
    """`none`; `kind` or `unkind` if the other could have taken a third division, which is forgone."""
    self_before: float
    other_before: float


def choose(subject: Economicus, facts: SocialFacts) -> Mapping[str, float]:
    """Return the worth of both divisions to a simulated subject that has no method `choose`."""
    scale = max(facts.self_x, facts.self_y, facts.other_x, facts.other_y)
    return {
        "x": float(subject.utility(facts.self_x, facts.other_x)) / scale,
        "y": float(subject.utility(facts.self_y, facts.other_y)) / scale,
    }


class SocialChoicesRules(StatedRules, task="social_choices"):
    """Binary choices between divisions of money, as stated choices."""

    roles: ClassVar[Mapping[str, Role]] = {
        "chooser": Role("choose", ChoiceList("self_x", OPTIONS, "self_x", alike=("before",)), textbook=choose)
    }
    quick: ClassVar[Mapping[str, Any]] = {"angles": 3}
    scores: ClassVar[str] = f"{__name__}:SCORES"
    wording: ClassVar[str] = """
{# plain/chooser #}
{% if facts.before == "none" %}
You decide how money is divided between you and another person, whom you do not know.
{% else %}
You decide how money is divided between you and another person, whom you do not know. Before, that person could have decided that you receive {{ money(facts.self_before) }} and the person {{ money(facts.other_before) }}. The person left the decision to you instead.
{% endif %}
You choose:
{% for label, option in options %}
{% if option == "x" %}
{{ label }}: you receive {{ money(facts.self_x) }}, the other receives {{ money(facts.other_x) }}
{% else %}
{{ label }}: you receive {{ money(facts.self_y) }}, the other receives {{ money(facts.other_y) }}
{% endif %}
{% endfor %}

Which one do you choose?

{# terse/chooser #}
{% if facts.before != "none" %}
Another person could have set: {{ money(facts.self_before) }} for you, {{ money(facts.other_before) }} for itself, and left the choice to you.
{% endif %}
Divide money between you and the other:
{% for label, option in options %}
{{ label }}: {{ "you " ~ money(facts.self_x) ~ ", other " ~ money(facts.other_x) if option == "x" else "you " ~ money(facts.self_y) ~ ", other " ~ money(facts.other_y) }}
{% endfor %}
"""  # noqa: E501 - a line of a prompt is not broken

    angles: int = Field(13, ge=2, le=60)
    """The number of pairs of divisions around each of three middles. Each pair trades own money for that of the other
    at another rate."""
    histories: tuple[Literal["none", "kind", "unkind"], ...] = HISTORIES
    """The histories: none is a dictator choice, and the two others are reciprocity choices."""
    repetitions: Repetitions = 2

    def cells(self) -> list[GridCell]:
        """Return a question for each pair of divisions and each history."""
        return [
            GridCell("chooser", f"before={facts.before} middle={middle} pair={pair}", facts, OPTIONS, self.repetitions)
            for middle, pair, facts in self._facts()
        ]

    def _facts(self) -> Iterator[tuple[str, int, SocialFacts]]:
        for before in self.histories:
            for own, other in _CENTRES:
                for pair in range(self.angles):
                    angle = math.pi * (pair / (self.angles - 1) - 0.5) * 0.96
                    more, less = round(_RADIUS * math.cos(angle), -1), round(_RADIUS * math.sin(angle), -1)
                    x, y = (own + more, other - less), (own - more, other + less)
                    yield f"{own}/{other}", pair, SocialFacts(*x, *y, before, *_forgone(before, x, y))


def _forgone(before: str, x: tuple[float, float], y: tuple[float, float]) -> tuple[float, float]:
    """Return the division that the other did not take. It was better for the other and worse for the chooser before a
    kind act, and the reverse before an unkind one."""
    if before == "none":
        return 0.0, 0.0
    if before == "kind":
        return max(0.0, min(x[0], y[0]) - _FORGONE), max(x[1], y[1]) + _FORGONE
    return max(x[0], y[0]) + _FORGONE, max(0.0, min(x[1], y[1]) - _FORGONE)


@score("money_to_other", "Choices for the other", theme="further")
def money_to_other(subject: Any) -> SampledScore:
    """Percent of choices by which the other receives more than by the other option."""
    return role_answers(subject, "social_choices", "chooser").mean(lambda choice, facts: 100.0 * _gives(choice, facts))


@score("reciprocity", "Reciprocity", theme="further")
def reciprocity(subject: Any) -> SampledScore:
    """Percent of choices for the other after a kind act, minus the percent after an unkind act."""
    answers = role_answers(subject, "social_choices", "chooser").only(lambda facts: facts["before"] != "none")
    return answers.mean(
        lambda choice, facts: (200.0 if facts["before"] == "kind" else -200.0) * _gives(choice, facts), (-200.0, 200.0)
    )


def _gives(choice: str, facts: Mapping[str, Any]) -> bool:
    x, y = facts["other_x"], facts["other_y"]
    return bool((x > y) == (choice == "x")) and x != y


SCORES = (money_to_other, reciprocity)
STATED = stated_game(SocialChoicesRules, "which of two divisions of money to choose, also after kind and unkind acts")
