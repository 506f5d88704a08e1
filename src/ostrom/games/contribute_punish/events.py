"""The events of Contribute & Punish, in the order in which a round brings them, and the same in numbers. Lists are
indexed by seat."""

from collections.abc import Sequence
from typing import Any

from ostrom.core import Event, EventRegistry
from ostrom.core.game import Figure, Figures
from ostrom.games.contribute_punish.rules import ContributePunishRules

EVENTS = EventRegistry()


@EVENTS.register
class PunishMessageSaid(Event, tag="message_said"):
    """A seat spoke, or kept silent: the empty text is silence."""

    round: int
    seat: int
    text: str


@EVENTS.register
class PunishContributed(Event, tag="contributed"):
    """All seats paid into the fund."""

    round: int
    start: list[int]
    """What each seat held when the round began."""
    contributions: list[int]


@EVENTS.register
class FundShared(Event, tag="fund_shared"):
    """The fund grew and was shared out."""

    round: int
    carry_in: int
    """What was left over from the round before; it is multiplied too."""
    pot: int
    grown: int
    share: int
    """What every seat gets."""
    carry_out: int
    balances: list[int]
    """What each seat holds now."""


@EVENTS.register
class Punished(Event, tag="punished"):
    """A seat spent tokens to take tokens from another; only those that took effect, in the order of settlement."""

    round: int
    punisher: int
    target: int
    asked: int
    """What the punisher meant to spend."""
    spend: int
    """What it spent; the rest was refunded."""
    damage: int
    """What the target lost."""


@EVENTS.register
class RoundEnded(Event, tag="round_ended"):
    """A round is over."""

    round: int
    balances: list[int]
    carry: int
    """What the fund carries over into the next round."""


@EVENTS.register
class PunishEnded(Event, tag="game_ended"):
    """The last round is over: balances are the scores, and what counts is the rank."""

    round: int
    balances: list[int]
    winners: list[int]
    """The seats with the highest balance; more than one is a tie."""


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """Every quantity of a round as an array over rounds; those of seats are arrays over rounds of arrays over seats."""
    paid = [event for event in events if isinstance(event, PunishContributed)]
    funds = [event for event in events if isinstance(event, FundShared)]
    spend, damage = ({event.round: [0] * len(event.start) for event in paid} for _ in range(2))
    for event in events:
        if isinstance(event, Punished):
            spend[event.round][event.punisher] += event.spend
            damage[event.round][event.target] += event.damage
    return {
        "start": [event.start for event in paid],
        "contributions": [event.contributions for event in paid],
        **{name: [getattr(event, name) for event in funds] for name in ("pot", "grown", "share")},
        "carry": [event.carry_out for event in funds],
        "shared": [event.balances for event in funds],
        "spend": [*spend.values()],
        "damage": [*damage.values()],
        "balances": [event.balances for event in events if isinstance(event, RoundEnded)],
    }


def finals(events: Sequence[Event]) -> list[float | None]:
    """What each seat held in the end."""
    end = events[-1]
    assert isinstance(end, PunishEnded)
    return [*end.balances]


def figures(rules: ContributePunishRules, events: Sequence[Event]) -> Figures:
    """What each seat contributed, what it spent on punishment, and what it lost to it."""
    end = events[-1]
    assert isinstance(end, PunishEnded)
    seats = range(len(end.balances))
    rounds = [event for event in events if isinstance(event, PunishContributed)]
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
