"""What a run says while it plays, the signal that asks it to stop, and why a game does not go on."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ostrom.core import Call, Fault, Provenance
from ostrom.experiment.limits import Spent


class StopSignal:
    """Asks a run to stop: no new calls, those in flight are kept. To be requested from the thread of the run, as a
    signal handler of the event loop does."""

    def __init__(self) -> None:
        self.requested = False
        """Whether a stop was asked for."""
        self._listeners: list[Callable[[], None]] = []

    def request(self) -> None:
        """Ask; asking twice is asking once."""
        if not self.requested:
            self.requested = True
            for listener in tuple(self._listeners):
                listener()

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` when a stop is asked for, or at once if it has been."""
        self._listeners.append(listener)
        if self.requested:
            listener()

    def forget(self, listener: Callable[[], None]) -> None:
        """Call it no more."""
        self._listeners.remove(listener)


class GameSuspended(Exception):
    """This game cannot go on in this run; it stays unfinished and can be resumed."""

    code: str | None = None
    """The reason as a word that programs read, where it is kept with the game."""


class RunStopped(GameSuspended):
    """The run takes no more calls."""


class ModelUnavailable(GameSuspended):
    """The game needs a model that was unavailable for this run."""

    code = "model_unavailable"

    def __init__(self, model: str, reason: str) -> None:
        super().__init__(f"{model} is unavailable: {reason}")


class LimitReached(GameSuspended):
    """The game, or a player that it needs, has used up what it may."""

    def __init__(self, reason: str, option: str, player: str = "") -> None:
        super().__init__(reason)
        self.option = option
        """What would raise the limit."""
        self.code = "player_limit" if player else "game_limit"


class Voided(Exception):
    """A question has no legal answer, and the experiment wants none in its place: the game comes to nothing."""

    def __init__(self, reason: str, code: str | None = None, seat: int | None = None) -> None:
        super().__init__(reason)
        self.code = code
        """The reason as a word that programs read: the fault of the last call."""
        self.seat = seat
        """The seat that gave no answer."""


Ending: TypeAlias = Literal["finished", "void", "unfinished", "faulted"]
"""What became of a game in this run."""


@dataclass(slots=True)
class ModelTally:
    """What one model did in this run."""

    calls: int = 0
    """Calls that are back."""
    in_flight: int = 0
    decisions: int = 0
    defaults: int = 0
    """Decisions that are the game's fallback."""
    repaired: int = 0
    retries: int = 0
    """Calls that were sent again after a failure on their way."""
    reasks: int = 0
    """Calls that told the model what was wrong with its reply."""
    faults: Counter[Fault] = field(default_factory=Counter)
    state: Literal["ok", "paused", "unavailable"] = "ok"
    reason: str | None = None
    """Why it was given up."""


@dataclass(slots=True)
class Tally:
    """Counts of a run, in this run only. It is told what happens; every method returns at once and raises nothing."""

    finished: int = 0
    void: int = 0
    unfinished: int = 0
    faulted: int = 0
    under_way: int = 0
    decisions: int = 0
    calls: int = 0
    in_flight: int = 0
    tokens: int = 0
    """As the budget counts them: of a call whose usage cannot be known, the most it can have come to."""
    dollars: float = 0.0
    """Counted in the same way."""
    models: dict[str, ModelTally] = field(default_factory=dict)

    def of(self, model: str) -> ModelTally:
        """The tally of one model."""
        return self.models.setdefault(model, ModelTally())

    def game_began(self, key: str) -> None:
        """A game is under way."""
        self.under_way += 1

    def game_ended(self, key: str, ending: Ending) -> None:
        """It is under way no more."""
        self.under_way -= 1
        setattr(self, ending, getattr(self, ending) + 1)

    def call_sent(self, model: str, last: Fault | None) -> None:
        """A call is in flight; `last` is the fault of the call before it, of the same question."""
        tally = self.of(model)
        self.in_flight += 1
        tally.in_flight += 1
        if last is not None:
            if last.of_reply:
                tally.reasks += 1
            else:
                tally.retries += 1

    def call_withdrawn(self, model: str) -> None:
        """It was not sent after all."""
        self.in_flight -= 1
        self.of(model).in_flight -= 1

    def call_ended(self, model: str, call: Call, spent: Spent) -> None:
        """It is back, and the budget counts so much for it."""
        tally = self.of(model)
        self.in_flight -= 1
        tally.in_flight -= 1
        self.calls += 1
        tally.calls += 1
        if call.fault is not None:
            tally.faults[call.fault] += 1
        self.tokens += spent.tokens
        self.dollars += spent.dollars

    def decided(self, model: str | None, provenance: Provenance) -> None:
        """A question is decided; of a player that answers at once, `model` is None."""
        self.decisions += 1
        if model is not None:
            tally = self.of(model)
            tally.decisions += 1
            tally.defaults += provenance is Provenance.DEFAULTED
            tally.repaired += provenance is Provenance.REPAIRED

    def paused(self, model: str) -> None:
        """No call goes to this model for a while."""
        if self.of(model).state != "unavailable":
            self.of(model).state = "paused"

    def went_on(self, model: str) -> None:
        """Calls go to it again."""
        if self.of(model).state != "unavailable":
            self.of(model).state = "ok"

    def unavailable(self, model: str, reason: str) -> None:
        """No call goes to it any more in this run."""
        self.of(model).state, self.of(model).reason = "unavailable", reason
