"""Limits of one game or one player on calls, tokens, dollars and time, over all runs of an experiment. This module also
pauses a run when the share of defaulted answers is too large. A call in flight counts at its maximum cost, as in the
budget."""

from bisect import bisect_right
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ostrom.core import Call, Fault, RecordError
from ostrom.core.errors import field as mark
from ostrom.core.questions import RESERVED_TOKENS
from ostrom.core.text import number_of
from ostrom.experiment.limits import Allowance, Budget, Spent
from ostrom.journal.ledger import Ledger
from ostrom.players.base import Request

MIN_ANSWERS = 20
"""The smallest number of answers of a player in this run for which its share of defaulted answers is evaluated."""
ANSWER_WINDOW = 100
"""The number of latest answers from which the share is computed. Older answers do not count, so that a failure late in
a run is noticed too."""


@dataclass(frozen=True, slots=True)
class Used:
    """The amounts that a game or a player has used."""

    calls: int = 0
    tokens: int = 0
    dollars: float = 0.0
    seconds: float = 0.0


NOTHING_USED = Used()


class Account:
    """The allowance that a game or a player has left. The time that a player uses is the total duration of its calls;
    the time that a game uses is the time since its first call."""

    def __init__(
        self,
        allowance: Allowance,
        used: Used = NOTHING_USED,
        *,
        player: str = "",
        own: bool = False,
        part: Allowance | None = None,
    ) -> None:
        """Create the account of `player`, or of a game if no player is given. If `own`, the limit was set for this
        player individually. `part` is the part of the allowance that this process may use; other processes have the
        rest."""
        self.player = player
        self.in_flight = 0
        self.queue: list[Any] = []
        """Calls that wait until a call in flight ends and has cost less than its maximum."""
        self.exhausted: tuple[str, str] | None = None
        """The reason why no further call is admitted, and the setting that raises the limit, as a marked field."""
        self._own = own
        self._stated = allowance
        self._allowance = part or allowance
        self._began: float | None = None
        self._calls = used.calls
        self._seconds = used.seconds
        self._budget = Budget(self._allowance.budget, self._allowance.tokens, Spent(used.dollars, used.tokens))

    @property
    def needs_price(self) -> bool:
        return self._allowance.budget is not None

    def lacking(self, request: Request, seconds: float, now: float) -> str | None:
        """Return the name of the first resource that does not cover a call of up to this many seconds, or None if all
        cover it."""
        if self._allowance.calls is not None and self._calls >= self._allowance.calls:
            return "calls"
        if self._allowance.seconds is not None and self._passed(now) + seconds > self._allowance.seconds:
            return "seconds"
        return self._budget.lacking(request)

    def hopeless(self, lacking: str) -> bool:
        """Return whether waiting is useless, because no call in flight can free the missing resource. For example, the
        time of a game cannot be freed."""
        return not self.in_flight or (lacking == "seconds" and not self.player)

    def reserve(self, request: Request, seconds: float, now: float) -> None:
        """Record the start of a call, which may take this many seconds."""
        self.in_flight += 1
        self._calls += 1
        self._budget.reserve(request)
        if self._began is None:
            self._began = now
        if self.player:
            self._seconds += seconds

    def reopen(self, reservation: Spent) -> None:
        """Reserve the maximum cost of a call that an earlier run sent and did not settle. Until the call is settled,
        this cost counts as spent."""
        self.in_flight += 1
        self._budget.reopen(reservation)

    def settle(self, reservation: Spent, spent: Spent, reserved: float, seconds: float | None) -> None:
        """Record the end of a call, with its duration in seconds, or None if it was not made."""
        self.in_flight -= 1
        self._budget.settle(reservation, spent)
        if seconds is None:
            self._calls -= 1
        if self.player:
            self._seconds += (seconds or 0.0) - reserved

    def overcharge(self, reservation: Spent, spent: Spent) -> str | None:
        """Return a description of a call that cost more than its maximum, if a limit depends on it."""
        return self._budget.overcharge(reservation, spent)

    def exhaust(self, resource: str) -> None:
        """Admit no further calls, because this resource does not cover another call."""
        limit = {
            "calls": number_of(self._stated.calls or 0, "call"),
            "tokens": number_of(self._stated.tokens or 0, "token"),
            "budget": f"${self._stated.budget or 0:,.4f}",
            "seconds": f"{self._stated.seconds or 0:g} s",
        }[resource]
        owner = f"the player {self.player}" if self.player else "one game"
        name = "limit_player" if self._own else f"player_{resource}" if self.player else f"game_{resource}"
        setting = mark(name, f"{self.player}:{resource}=MORE" if self._own else "MORE")
        rest = "" if resource == "calls" else ", and the rest does not cover another call"
        self.exhausted = f"the limit of {limit} for {owner} is reached ({mark(name)}){rest}", setting

    def _passed(self, now: float) -> float:
        return self._seconds + (0.0 if self.player or self._began is None else now - self._began)


def used_in_game(ledger: Ledger, timeout: float) -> Used:
    """Return the amounts that a game used in earlier runs. A call without a response counts at its maximum cost and
    with the longest possible duration."""
    calls = [call for calls in ledger.calls.values() for call in calls if call.reused is None]
    spans = [(_timestamp(call.at), call.latency) for call in calls]
    spans += [(_timestamp(sent.at), timeout) for sent in ledger.sent]
    dollars = sum(call.reserved if call.cost is None else call.cost for call in calls)
    return Used(
        calls=len(calls) + len(ledger.sent),
        tokens=sum(map(_tokens, calls)) + sum(sent.tokens for sent in ledger.sent),
        dollars=dollars + sum(sent.dollars for sent in ledger.sent),
        seconds=_seconds_played(spans, [_timestamp(run) for run in ledger.runs]),
    )


def _tokens(call: Call) -> int:
    known = 0 if call.usage is None else call.usage.tokens
    reserved = call.extra.get(RESERVED_TOKENS, 0)
    return known or (reserved if isinstance(reserved, int) else 0)


def _timestamp(at: str) -> float:
    try:
        return datetime.fromisoformat(at).timestamp()
    except (ValueError, OverflowError):
        raise RecordError(f"invalid time of a call or a run in the journal: {at[:40]!r}") from None


def _seconds_played(spans: Iterable[tuple[float, float]], runs: Sequence[float]) -> float:
    """Return the time that a game was played: in each run, from the start of its first call to the end of its last one,
    but not beyond the start of the next run."""
    by_run: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for began, seconds in spans:
        by_run[bisect_right(runs, began)].append((began, began + seconds))
    total = 0.0
    for number, run_spans in by_run.items():
        first = min(began for began, _ in run_spans)
        last = max(end for _, end in run_spans)
        total += max(0.0, min([last, *runs[number : number + 1]]) - first)
    return total


@dataclass(slots=True)
class DefaultedShare:
    """The share of defaulted answers among the latest answers of each player in this run."""

    limit: float
    """The share at which the run pauses; 1 disables the pause."""
    faults: dict[str, deque[Fault | None]] = field(default_factory=dict)
    """For each player, the fault of each defaulted answer, and None for each legal answer."""

    def note(self, player: str, fault: Fault | None, answered: bool) -> str | None:
        """Count an answer. Return the reason if the run must now pause, and otherwise None."""
        latest = self.faults.setdefault(player, deque(maxlen=ANSWER_WINDOW))
        latest.append(None if answered else fault or Fault.EMPTY)
        if answered:
            return None
        faults = Counter(fault for fault in latest if fault is not None)
        if len(latest) < MIN_ANSWERS or self.limit >= 1 or faults.total() < max(1, self.limit * len(latest)):
            return None
        counts = ", ".join(f"{count} {fault.value.replace('_', ' ')}" for fault, count in faults.most_common())
        return (
            f"paused: {player} gave no legal answer to {faults.total()} of its last {len(latest)} questions "
            f"({counts}), and the limit pause_at_defaults is {self.limit:g}; with 1 a run never pauses"
        )
