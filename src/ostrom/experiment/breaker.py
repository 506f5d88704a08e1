"""A circuit breaker: keeps calls from a model that keeps failing, tries it now and then, and gives it up in the end.
It knows no clock and waits for nobody; who uses it says what time it is."""

from dataclasses import dataclass

from ostrom.experiment.limits import Pacing


@dataclass(slots=True, eq=False)
class Streak:
    """Failures of a model in a row, with no success between them."""

    length: int = 0
    outage: bool = False
    """Whether they were so many that the model paused. They are then the model's, and no question's: a question does
    not run out of retries by an outage."""


class Breaker:
    """The state of one model: closed (calls go), open (it pauses), or open with a single call as a probe."""

    def __init__(self, model: str, pacing: Pacing, patience: float) -> None:
        self.model = model
        self.unavailable: str | None = None
        """Why no call goes to this model any more."""
        self._pacing = pacing
        self._patience = patience
        self._streak = Streak()
        self._began: float | None = None
        self._pause = pacing.first_pause
        self._open_until: float | None = None
        self._held_until = 0.0
        self._probe: object | None = None

    @property
    def closed(self) -> bool:
        """Whether calls go to this model as they come."""
        return self._open_until is None and self.unavailable is None

    @property
    def until(self) -> float:
        """The time before which no call goes."""
        return max(self._open_until or 0.0, self._held_until)

    def ready(self, now: float) -> bool:
        """Whether a call may go now."""
        return self.unavailable is None and self._probe is None and now >= self.until

    def sent(self) -> object:
        """A call goes: returns what it is to be reported with. Of an open breaker it is the probe, and no other goes
        before it is back."""
        ticket = object()
        if self._open_until is not None:
            self._probe = ticket
        return ticket

    def answered(self, now: float) -> None:
        """The model answered, whatever it said: the pause is over. A wait that the provider asked for is not."""
        if self._streak.length:
            self._streak = Streak()
        self._began = now if now < self._held_until else None
        self._pause = self._pacing.first_pause
        self._open_until = self._probe = None

    def failed(self, ticket: object, now: float, retry_after: float | None = None) -> Streak:
        """A call failed on its way; returns the failures that it belongs to."""
        self._streak.length += 1
        if self._began is None:
            self._began = now
        if retry_after is not None and retry_after > 0:
            self._held_until = max(self._held_until, now + retry_after)
        if self._open_until is None:
            if self._streak.length >= self._pacing.failures:
                self._open_until = now + self._pause
                self._streak.outage = True
        elif ticket is self._probe:
            # Only a probe says something new; calls that were sent before the pause fail late.
            self._pause = min(2 * self._pause, self._pacing.longest_pause)
            self._open_until = now + self._pause
        self.returned(ticket)
        return self._streak

    def returned(self, ticket: object) -> None:
        """A call ended and says nothing about the model."""
        if ticket is self._probe:
            self._probe = None

    def expires(self) -> float | None:
        """When the model is given up if nothing succeeds until then; None while there is no reason to."""
        if self._began is None or self._probe is not None or self.unavailable is not None:
            return None
        if self._open_until is not None:
            return self._began + self._patience
        # A provider that asks to wait has not failed for good; it gets a while even from the impatient.
        if self._held_until > self._began:
            return self._began + max(self._patience, self._pacing.longest_pause)
        return None

    def failing_for(self, now: float) -> float:
        """Seconds since the first failure without a success after it."""
        return 0.0 if self._began is None else now - self._began

    def changes(self, now: float) -> float | None:
        """When to look again, if no call comes back before: the end of the pause, or of patience."""
        if self.unavailable is not None or self._probe is not None:
            return None
        times = [self.until, self.expires()]
        return min((time for time in times if time is not None and time > now), default=None)
