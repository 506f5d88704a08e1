"""How a run waits: between the attempts of a question, and for a model that keeps failing."""

import random
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pacing:
    """Waiting times in seconds. The defaults suit providers; tests and servers nearby may want shorter ones."""

    first_wait: float = 0.5
    """The longest wait after a call's first failure; it doubles with every further one."""
    longest_wait: float = 30.0
    failures: int = 5
    """Failures in a row after which a model pauses."""
    first_pause: float = 5.0
    """How long it pauses; that doubles with every probe that fails."""
    longest_pause: float = 60.0
    draw: Callable[[], float] = random.random
    """A number in [0, 1) for the jitter. It decides when a call is made and nothing else, so it is no part of a game's
    chance."""

    def wait(self, failures: int) -> float:
        """How long to wait after so many failures of one call: exponential backoff with full jitter, so that calls
        which failed together do not come back together."""
        # Past 2^40 every wait is the longest one; a float would overflow at 2^1024.
        return self.draw() * min(self.longest_wait, self.first_wait * 2.0 ** min(failures - 1, 40))
