"""The events of Harvest, in the order in which a round brings them. Lists are indexed by seat; amounts are in
tonnes."""

from typing import ClassVar

from ostrom.core import Event, EventRegistry

EVENTS = EventRegistry()


@EVENTS.register
class MessageSaid(Event):
    """A seat spoke to everybody, or kept silent: the empty text is silence."""

    tag: ClassVar[str] = "message_said"

    round: int
    seat: int
    text: str


@EVENTS.register
class QuotaVoted(Event):
    """All seats proposed a quota."""

    tag: ClassVar[str] = "quota_voted"

    round: int
    proposals: list[float | None]
    """Nothing for a seat that gave no answer."""
    quota: float | None
    """What each seat may harvest in this round; nothing where there is no quota yet."""


@EVENTS.register
class Harvested(Event):
    """All seats harvested at once."""

    tag: ClassVar[str] = "harvested"

    round: int
    stock: float
    """Before the harvest."""
    sustainable: float
    """What all seats together could have taken such that the stock grows back."""
    requests: list[float]
    harvests: list[float]
    """As asked, or the same part for everybody where all together asked for more than there was."""
    left: float


@EVENTS.register
class Sanctioned(Event):
    """A seat was noticed above the quota: warned the first time, fined from the second on."""

    tag: ClassVar[str] = "sanctioned"

    round: int
    seat: int
    offence: int
    """Which offence of this seat it is, counted from 1."""
    excess: float
    fine: float


@EVENTS.register
class RoundEnded(Event):
    """What was left has grown."""

    tag: ClassVar[str] = "round_ended"

    round: int
    stock: float
    """At the start of the next round."""
    holdings: list[float]
    """What each seat has harvested so far, less its fines."""


@EVENTS.register
class Collapsed(Event):
    """Too little was left to grow again."""

    tag: ClassVar[str] = "collapsed"

    round: int
    left: float


@EVENTS.register
class GameEnded(Event):
    """The last round is over, or the stock has collapsed."""

    tag: ClassVar[str] = "game_ended"

    round: int
    holdings: list[float]
    """What each seat harvested, less its fines."""
    winners: list[int]
    """The seats that hold most; more than one is a tie."""
