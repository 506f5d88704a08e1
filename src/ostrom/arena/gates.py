"""Gates: how many calls may be in flight, to one provider and over all. They only count; who waits for a place, and in
which order, is the dispatch's affair."""

from collections import Counter


class Gates:
    """Places for calls in flight."""

    def __init__(self, calls: int, per_provider: int) -> None:
        self._calls = calls
        self._per_provider = per_provider
        self._taken: Counter[str] = Counter()
        self.in_flight = 0
        """Places taken over all."""

    @property
    def full(self) -> bool:
        """Whether no call may go, to whatever provider."""
        return self.in_flight >= self._calls

    def open(self, provider: str) -> bool:
        """Whether one more call may go to this provider."""
        return not self.full and self._taken[provider] < self._per_provider

    def enter(self, provider: str) -> None:
        """Take a place."""
        self._taken[provider] += 1
        self.in_flight += 1

    def leave(self, provider: str) -> None:
        """Give it back."""
        self._taken[provider] -= 1
        self.in_flight -= 1
