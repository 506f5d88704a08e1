"""What the final table of Contribute & Punish says of a seat beside its tokens."""

from collections.abc import Sequence

from ostrom.core import Event
from ostrom.core.game import Figure, Figures
from ostrom.games.contribute_punish.events import Contributed, GameEnded, Punished
from ostrom.games.contribute_punish.rules import ContributePunishRules


def figures(rules: ContributePunishRules, events: Sequence[Event]) -> Figures:
    """What each seat contributed, what it spent on punishment, and what it lost to it."""
    end = events[-1]
    assert isinstance(end, GameEnded)
    seats = range(len(end.balances))
    rounds = [event for event in events if isinstance(event, Contributed)]
    hits = [event for event in events if isinstance(event, Punished)]
    contributed = [sum(event.contributions[seat] for event in rounds) for seat in seats]
    spent = [sum(event.spend for event in hits if event.punisher == seat) for seat in seats]
    lost = [sum(event.damage for event in hits if event.target == seat) for seat in seats]
    return Figures(
        [
            Figure("contributed", "contributed", contributed, "{:,}".format),
            Figure("spent", "spent on punishment", spent, "{:,}".format),
            Figure("lost", "lost to it", lost, "{:,}".format),
        ]
    )
