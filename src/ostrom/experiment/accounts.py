"""What one game, or one player, may use up in all runs of an experiment together: calls, tokens, dollars, time. As with
the budget of the whole, a call that is out counts at the most that it can come to; and the share of defaulted answers
at which a run pauses."""

from bisect import bisect_right
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ostrom.core import Call, Fault, RecordError
from ostrom.core.questions import RESERVED_TOKENS
from ostrom.core.text import number_of
from ostrom.experiment.limits import Allowance, Budget, Spent
from ostrom.journal.ledger import Ledger
from ostrom.players.base import Request

ENOUGH_ANSWERS = 20
"""Answers of a player in this run before the share of defaulted ones says anything."""
LAST_ANSWERS = 100
"""Answers that are looked back on: a model that stops answering late in a long run is noticed too."""


@dataclass(frozen=True, slots=True)
class Used:
    """What a game or a player has used up."""

    calls: int = 0
    tokens: int = 0
    dollars: float = 0.0
    seconds: float = 0.0


NOTHING_USED = Used()


class Account:
    """What is left of an allowance. A player's time is what its calls took, all together; a game's is what passes
    while it is `played`, from its first call on."""

    def __init__(
        self,
        whose: str,
        allowance: Allowance,
        option: str,
        used: Used = NOTHING_USED,
        *,
        part: Allowance | None = None,
        played: bool = False,
    ) -> None:
        self.whose = whose
        """A player's name; empty of a game."""
        self.in_flight = 0
        self.held: list[Any] = []
        """Calls that wait until one that is out has turned out to be cheaper than it might have been."""
        self.reached: tuple[str, str] | None = None
        """Why no call goes any more, and the option that would let some."""
        self._stated = allowance
        self._allowance = part or allowance
        """With a part, other processes have the rest."""
        self._option = option
        self._played = played
        self._began: float | None = None
        self._calls = used.calls
        self._seconds = used.seconds
        self._budget = Budget(self._allowance.budget, self._allowance.tokens, Spent(used.dollars, used.tokens))

    @property
    def needs_price(self) -> bool:
        return self._allowance.budget is not None

    def lacks(self, request: Request, seconds: float, now: float) -> str | None:
        """Return what is lacking for a call that may take this long, or None if nothing is."""
        most = self._allowance
        if most.calls is not None and self._calls >= most.calls:
            return "calls"
        if most.seconds is not None and self._passed(now) + seconds > most.seconds:
            return "seconds"
        return self._budget.lacks(request)

    def hopeless(self, lacking: str) -> bool:
        """Whether no call that is out can give back what is lacking: a game's time only passes."""
        return not self.in_flight or (lacking == "seconds" and self._played)

    def reserve(self, request: Request, seconds: float, now: float) -> None:
        """Record that a call starts, which may take this many seconds."""
        self.in_flight += 1
        self._calls += 1
        self._budget.reserve(request)
        if self._began is None:
            self._began = now
        if not self._played:
            self._seconds += seconds

    def settle(self, reservation: Spent, spent: Spent, reserved: float, seconds: float | None) -> None:
        """Record that a call ended after this many seconds, or None if it was not made."""
        self.in_flight -= 1
        self._budget.settle(reservation, spent)
        if seconds is None:
            self._calls -= 1
        if not self._played:
            self._seconds += (seconds or 0.0) - reserved

    def overcharge(self, reservation: Spent, spent: Spent) -> str | None:
        """In words, that a call came to more than it can come to, where this account rests on that."""
        return self._budget.overcharge(reservation, spent)

    def exhaust(self, lacking: str) -> tuple[str, str]:
        """Let no call go any more; why, and the option that would."""
        most = {
            "calls": number_of(self._stated.calls or 0, "call"),
            "tokens": number_of(self._stated.tokens or 0, "token"),
            "budget": f"${self._stated.budget or 0:,.4f}",
            "seconds": f"{self._stated.seconds or 0:g} s",
        }[lacking]
        whose = f"the player {self.whose}" if self.whose else "one game"
        rest = "" if lacking == "calls" else ", and what is left does not cover another call"
        option = self._option.format(lacking)
        self.reached = f"the limit of {most} for {whose} is reached ({option.split()[0]}){rest}", option
        return self.reached

    def _passed(self, now: float) -> float:
        return self._seconds + (now - self._began if self._played and self._began is not None else 0.0)


def used_in_game(ledger: Ledger, timeout: float) -> Used:
    """What a game used up in earlier runs. Calls that never came back count at their bounds, in time too."""
    calls = [call for calls in ledger.calls.values() for call in calls]
    spans = [(_moment(call.at), call.latency) for call in calls]
    spans += [(_moment(one.at), timeout) for one in ledger.sent]
    return Used(
        calls=len(calls) + len(ledger.sent),
        tokens=sum(map(_tokens, calls)) + sum(one.tokens for one in ledger.sent),
        dollars=sum(call.reserved if call.cost is None else call.cost for call in calls)
        + sum(one.dollars for one in ledger.sent),
        seconds=_played(spans, [_moment(run) for run in ledger.runs]),
    )


def _tokens(call: Call) -> int:
    known = 0 if call.usage is None else call.usage.tokens
    reserved = call.extra.get(RESERVED_TOKENS, 0)
    return known or (reserved if isinstance(reserved, int) else 0)


def _moment(at: str) -> float:
    try:
        return datetime.fromisoformat(at).timestamp()
    except (ValueError, OverflowError):
        raise RecordError(f"the journal cannot be read: {at[:40]!r} is no moment of a call or a run") from None


def _played(spans: Iterable[tuple[float, float]], runs: Sequence[float]) -> float:
    """Seconds for which a game was played: in each run, from its first call to the end of its last one, which lasted no
    longer than until the next run began."""
    by_run: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for began, lasted in spans:
        by_run[bisect_right(runs, began)].append((began, began + lasted))
    total = 0.0
    for number, mine in by_run.items():
        last = max(end for _, end in mine)
        first = min(began for began, _ in mine)
        total += max(0.0, min([last, *runs[number : number + 1]]) - first)
    return total


@dataclass(slots=True)
class DefaultedShare:
    """What became of the last questions to each player, in this run."""

    most: float
    """The share of them at which the run pauses; with 1 it never does."""
    last: dict[str, deque[Fault | None]] = field(default_factory=dict)
    """By player: the fault for which there was no answer, None where there was one."""

    def note(self, player: str, fault: Fault | None, answered: bool) -> str | None:
        """One more question is decided; in words, why the run pauses, where it does."""
        seen = self.last.setdefault(player, deque(maxlen=LAST_ANSWERS))
        seen.append(None if answered else fault or Fault.EMPTY)
        if answered:  # as nearly all are, and then there is nothing to count
            return None
        faults = Counter(fault for fault in seen if fault is not None)
        if len(seen) < ENOUGH_ANSWERS or self.most >= 1 or faults.total() < max(1, self.most * len(seen)):
            return None
        why = ", ".join(f"{count} {fault.value.replace('_', ' ')}" for fault, count in faults.most_common())
        return (
            f"paused: {player} gave no legal answer to {faults.total()} of its last {len(seen)} questions ({why}), "
            f"and the limit pause_at_defaults is {self.most:g}; with 1 a run never pauses"
        )
