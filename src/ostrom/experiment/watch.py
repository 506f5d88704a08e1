"""The counts of a run, its stop signal, and the reasons why a game does not continue."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ostrom.core import Call, Fault, Provenance
from ostrom.core.errors import as_argument, spell_fields
from ostrom.experiment.limits import Spent


class StopSignal:
    """A signal that stops a run: no new calls are sent, and calls in flight are completed and stored. Request the stop
    in the thread of the run, for example in a signal handler of the event loop."""

    def __init__(self) -> None:
        self.requested = False
        self._listeners: list[Callable[[], None]] = []

    def request(self) -> None:
        """Request the stop. Further requests have no effect."""
        if not self.requested:
            self.requested = True
            for listener in tuple(self._listeners):
                listener()

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` when a stop is requested, or at once if a stop was already requested."""
        self._listeners.append(listener)
        if self.requested:
            listener()

    def forget(self, listener: Callable[[], None]) -> None:
        """Remove a listener."""
        self._listeners.remove(listener)


class GameSuspended(Exception):
    """Raised if a game does not continue in this run. It stays unfinished and can be resumed."""

    code: str | None = None
    """The reason as a code, if it is stored with the game."""


class RunStopped(GameSuspended):
    """Raised if the run admits no further calls."""


class ModelUnavailable(GameSuspended):
    """Raised if a game needs a model that is unavailable in this run."""

    code = "model_unavailable"

    def __init__(self, model: str, reason: str) -> None:
        super().__init__(f"{model} is unavailable: {reason}")


class LimitReached(GameSuspended):
    """Raised if a game, or a player that it needs, has reached a limit."""

    def __init__(self, reason: str, setting: str, player: str = "") -> None:
        super().__init__(spell_fields(reason, as_argument))
        self.reason = reason
        """The reason. Names of settings are marked in its text."""
        self.setting = setting
        """The setting that raises the limit, as a marked field."""
        self.code = "player_limit" if player else "game_limit"


class Voided(Exception):
    """Raised if a question has no legal answer and the policy of the experiment makes the game void."""

    def __init__(self, reason: str, code: str | None = None, seat: int | None = None) -> None:
        super().__init__(reason)
        self.code = code
        """The fault of the last call."""
        self.seat = seat
        """The seat that gave no answer."""


Ending: TypeAlias = Literal["finished", "void", "unfinished", "faulted"]
"""The outcome of a game in this run."""


@dataclass(slots=True)
class ModelTally:
    """The counts of one model in this run."""

    calls: int = 0
    """The number of completed calls to the model."""
    in_flight: int = 0
    decisions: int = 0
    defaults: int = 0
    """The number of decisions for which the game's fallback was used."""
    repaired: int = 0
    retries: int = 0
    """The number of calls that were sent again after a failure in transit."""
    reasks: int = 0
    """The number of calls that quote the error of an illegal reply."""
    faults: Counter[Fault] = field(default_factory=Counter)
    state: Literal["ok", "paused", "unavailable"] = "ok"
    reason: str | None = None
    """The reason why the model is unavailable."""


@dataclass(slots=True)
class Tally:
    """The counts of a run, updated by its methods. The methods neither block nor raise errors."""

    finished: int = 0
    void: int = 0
    unfinished: int = 0
    faulted: int = 0
    under_way: int = 0
    decisions: int = 0
    calls: int = 0
    in_flight: int = 0
    tokens: int = 0
    """The number of tokens that count towards the budget: a call of unknown usage counts with its maximum. Dollars are
    counted in the same way."""
    dollars: float = 0.0
    reused: int = 0
    """The number of replies that were reused from another journal. They are not counted as calls."""
    saved: float = 0.0
    """The dollars that the reused replies would have cost, as far as their prices are known."""
    models: dict[str, ModelTally] = field(default_factory=dict)

    def of(self, model: str) -> ModelTally:
        """Return the counts of one model."""
        tally = self.models.get(model)
        if tally is None:
            tally = self.models[model] = ModelTally()
        return tally

    def game_began(self, key: str) -> None:
        """Count a game that begins."""
        self.under_way += 1

    def game_ended(self, key: str, ending: Ending) -> None:
        """Count the ending of a game."""
        self.under_way -= 1
        setattr(self, ending, getattr(self, ending) + 1)

    def call_sent(self, model: str, last: Fault | None) -> None:
        """Count a call in flight; `last` is the fault of the previous call of the same question."""
        tally = self.of(model)
        self.in_flight += 1
        tally.in_flight += 1
        if last is not None:
            if last.of_reply:
                tally.reasks += 1
            else:
                tally.retries += 1

    def call_withdrawn(self, model: str) -> None:
        """Reverse the counting of a call that was not sent."""
        self.in_flight -= 1
        self.of(model).in_flight -= 1

    def call_ended(self, model: str, call: Call, spent: Spent) -> None:
        """Count a completed call. The amount is the one that counts towards the budget."""
        tally = self.of(model)
        self.in_flight -= 1
        tally.in_flight -= 1
        self.calls += 1
        tally.calls += 1
        if call.fault is not None:
            tally.faults[call.fault] += 1
        self.tokens += spent.tokens
        self.dollars += spent.dollars

    def call_reused(self, call: Call) -> None:
        """Count a reply that was reused without a call."""
        self.reused += 1
        self.saved += call.saved or 0.0

    def decided(self, model: str | None, provenance: Provenance) -> None:
        """Count a decision; `model` is None for an algorithm."""
        self.decisions += 1
        if model is not None:
            tally = self.of(model)
            tally.decisions += 1
            tally.defaults += provenance is Provenance.DEFAULTED
            tally.repaired += provenance is Provenance.REPAIRED

    def paused(self, model: str) -> None:
        """Record that a model is paused."""
        if self.of(model).state != "unavailable":
            self.of(model).state = "paused"

    def resumed(self, model: str) -> None:
        """Record that a model gets calls again."""
        if self.of(model).state != "unavailable":
            self.of(model).state = "ok"

    def unavailable(self, model: str, reason: str) -> None:
        """Record that a model gets no further calls in this run."""
        self.of(model).state, self.of(model).reason = "unavailable", reason
