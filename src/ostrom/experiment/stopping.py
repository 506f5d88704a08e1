"""Why a game does not go on, and the signal by which a user ends a run."""

from collections.abc import Callable


class StopSignal:
    """Asks a run to stop: no new calls, those in flight are kept. To be requested from the thread of the run, as a
    signal handler of the event loop does."""

    def __init__(self) -> None:
        self._requested = False
        self._listeners: list[Callable[[], None]] = []

    @property
    def requested(self) -> bool:
        """Whether somebody asked."""
        return self._requested

    def request(self) -> None:
        """Ask; asking twice is asking once."""
        if not self._requested:
            self._requested = True
            for listener in tuple(self._listeners):
                listener()

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` when somebody asks, or at once if somebody has."""
        self._listeners.append(listener)
        if self._requested:
            listener()

    def forget(self, listener: Callable[[], None]) -> None:
        """Call it no more."""
        self._listeners.remove(listener)


class GameSuspended(Exception):
    """This game cannot go on in this run; it stays unfinished and can be resumed."""


class RunStopped(GameSuspended):
    """The run takes no more calls."""


class ModelUnavailable(GameSuspended):
    """The game needs a model that was unavailable for this run."""

    def __init__(self, model: str, reason: str) -> None:
        super().__init__(f"{model}: {reason}")


class Voided(Exception):
    """A question has no legal answer, and the experiment wants none in its place: the game comes to nothing."""
