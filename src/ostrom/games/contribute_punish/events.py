"""The events of Contribute & Punish in the order of a round, and the history of a game that is computed from its
events. Lists are indexed by seat."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NamedTuple

from ostrom.core import Event, EventRegistry
from ostrom.core.errors import RecordError
from ostrom.core.game import Figure, Figures
from ostrom.games.contribute_punish.rules import ContributePunishRules

EVENTS = EventRegistry()


@EVENTS.register
class PunishMessageSaid(Event, tag="message_said"):
    """A message of a seat. An empty text means that the seat said nothing."""

    round: int
    seat: int
    text: str


@EVENTS.register
class PunishContributed(Event, tag="contributed"):
    """All seats paid into the fund."""

    round: int
    start: list[int]
    """The balance of each seat at the start of the round."""
    contributions: list[int]


@EVENTS.register
class FundShared(Event, tag="fund_shared"):
    """The fund grew and was shared out."""

    round: int
    carry_in: int
    """The carry-over from the previous round. It is multiplied together with the contributions."""
    pot: int
    grown: int
    share: int
    """The share of the fund that every seat receives."""
    carry_out: int
    balances: list[int]
    """The balances after the shares were paid."""


@EVENTS.register
class Punished(Event, tag="punished"):
    """A punishment that took effect, in the order of settlement."""

    round: int
    punisher: int
    target: int
    asked: int
    """The amount that the punisher chose to spend."""
    spend: int
    """The amount that was spent. The rest of the chosen amount was refunded."""
    damage: int
    """The loss of the target."""


@EVENTS.register
class RoundEnded(Event, tag="round_ended"):
    """A round is over."""

    round: int
    balances: list[int]
    carry: int
    """The carry-over into the next round."""


@EVENTS.register
class PunishEnded(Event, tag="game_ended"):
    """The last round is over. The final balances are the scores, by which seats are ranked."""

    round: int
    balances: list[int]
    winners: list[int]
    """The seats with the highest balance. Several seats are a tie."""


# The history of a game, for tables and figures.


class DealtPunishment(NamedTuple):
    """A punishment that took effect. The fields are those of `Punished`."""

    punisher: int
    target: int
    asked: int
    spend: int
    damage: int


@dataclass(slots=True)
class PunishRound:
    """A round of a game. `carry` is the part of the fund that is carried over into the next round."""

    round: int
    start: list[int]
    contributions: list[int]
    pot: int = 0
    grown: int = 0
    share: int = 0
    carry: int = 0
    shared: list[int] = field(default_factory=list)
    """The balances after the shares were paid."""
    punishments: list[DealtPunishment] = field(default_factory=list)
    """The punishments in the order of settlement."""
    balances: list[int] | None = None
    """The balances at the end of the round. They are None if the round did not end."""

    @property
    def spend(self) -> list[int]:
        """The spending of each seat on punishment."""
        return self._sums("punisher", "spend")

    @property
    def damage(self) -> list[int]:
        """The loss of each seat to punishment."""
        return self._sums("target", "damage")

    def _sums(self, seat: str, amount: str) -> list[int]:
        sums = [0] * len(self.start)
        for punishment in self.punishments:
            sums[getattr(punishment, seat)] += getattr(punishment, amount)
        return sums


@dataclass(frozen=True, slots=True)
class PunishHistory:
    """The history of a game, round by round."""

    rounds: list[PunishRound]
    balances: list[int] | None
    """The final balances. They are None if the events do not reach the end."""


_DEALT = itemgetter(*DealtPunishment._fields)


def fold(events: Iterable[tuple[str, Mapping[str, Any]]]) -> PunishHistory:
    """Return the history that events describe. Each event is given as its tag and its fields. Raises `RecordError` if
    the numbers of rounds are not consecutive."""
    rounds: list[PunishRound] = []
    balances: list[int] | None = None
    for tag, event in events:
        if tag == PunishContributed.tag:
            if event["round"] != len(rounds) + 1:
                raise RecordError(f"round {event['round']} follows round {len(rounds)}")
            rounds.append(PunishRound(event["round"], event["start"], event["contributions"]))
        elif tag == FundShared.tag:
            now = rounds[-1]
            now.pot, now.grown, now.share = event["pot"], event["grown"], event["share"]
            now.carry, now.shared = event["carry_out"], event["balances"]
        elif tag == Punished.tag:
            rounds[-1].punishments.append(DealtPunishment(*_DEALT(event)))
        elif tag == RoundEnded.tag:
            rounds[-1].balances = event["balances"]
        elif tag == PunishEnded.tag:
            balances = event["balances"]
    return PunishHistory(rounds, balances)


def history_of(events: Sequence[Event]) -> PunishHistory:
    """Return the history of a game."""
    return fold((event.tag, vars(event)) for event in events)


def finals(events: Sequence[Event]) -> list[float | None]:
    """Return the final balances."""
    end = events[-1]
    assert isinstance(end, PunishEnded)
    return [*end.balances]


def figures(rules: ContributePunishRules, events: Sequence[Event]) -> Figures:
    """Return each seat's contributions, its spending on punishment, and its loss to punishment."""
    rounds = history_of(events).rounds

    def sums(name: str) -> list[int]:
        return [sum(amounts) for amounts in zip(*(getattr(played, name) for played in rounds), strict=True)]

    return Figures(
        [
            Figure("contributed", "contributed", sums("contributions"), "{:,}".format),
            Figure("spent", "spent on punishment", sums("spend"), "{:,}".format),
            Figure("lost", "lost to it", sums("damage"), "{:,}".format),
        ]
    )
