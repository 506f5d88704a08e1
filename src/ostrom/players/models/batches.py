"""The interface to batch APIs of providers. The package `batch_apis` implements it for each provider. A batch has many
calls in one request; it costs half the price, and is answered within a day. `experiment/waves.py` decides what is sent,
and when. `experiment/open_batches.py` sends batches and follows their state."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from typing import Any, NamedTuple, Protocol, TypeAlias


class BatchLine(NamedTuple):
    """One call of a batch."""

    id: str
    path: str
    """The path to which a request for this call alone would be sent."""
    body: bytes
    """The body of a request for this call alone."""


class LineResult(NamedTuple):
    """The result of one call of a batch."""

    id: str
    status: int
    """The HTTP status of this call's reply. It is 0 if the provider did not make the call and does not charge for
    it."""
    body: bytes
    """The body of this call's reply. If the status is 0, this is the reason."""


class BatchProgress(NamedTuple):
    """The state of a batch at its provider."""

    state: str
    """The state in the provider's own word."""
    ended: bool
    complete: bool = True
    """The meaning of missing results in an ended batch. If True, the missing calls may have been charged. If False,
    they were not computed."""
    failure: str | None = None
    """The reason why the provider made none of the batch's calls."""
    answered: int = 0
    """The number of calls that the provider has answered, if it reports this number."""


class SoughtBatch(NamedTuple):
    """A batch that may have reached its provider although its creation was not confirmed."""

    mark: str
    """The mark with which the batch was sent."""
    ids: Sequence[str]
    """The ids of the batch's calls, or of some of them."""
    calls: int
    """The number of all calls of the batch."""
    since: float
    """A time before the batch was sent. Older batches are not the one that is sought."""
    known: Sequence[str]
    """The names of other batches, which cannot be the one that is sought."""


Carrier: TypeAlias = Callable[[str, bytes], Awaitable[LineResult]]
current_carrier: ContextVar[Carrier | None] = ContextVar("current_carrier", default=None)
"""A function from the path and the body of a request to its result, which a batch obtains. If the variable is set, the
HTTP client calls this function and sends nothing."""


class Undecided(Exception):
    """Raised if the provider cannot say yet whether it has a batch."""


class BatchApi(Protocol):
    """The batch API of one provider for the models of one key. The errors it raises are those of the client library."""

    most_calls: int
    most_bytes: int
    """The largest size of one batch, in bytes. The largest number of its calls is `most_calls`."""
    price: float
    """The price of a call in a batch, as a share of the price of a single call."""
    group: object
    """Calls with equal groups may share a batch."""

    async def create(self, mark: str, lines: Sequence[BatchLine]) -> str:
        """Send a batch, without retries. Return the name that the provider gives to it."""

    async def find(self, sought: SoughtBatch) -> str | None:
        """Return the name of a batch, or None if the provider does not have the batch. Raises `Undecided` if the
        provider cannot say yet."""

    async def look(self, name: str) -> BatchProgress:
        """Return the state of a batch."""

    async def results(self, name: str) -> list[LineResult]:
        """Return the results of an ended batch. They are in any order. Some may be missing, and some may occur
        twice."""

    async def cancel(self, name: str) -> bool:
        """Ask the provider to end a batch early. Return False if the batch cannot be ended."""


Clients: TypeAlias = Callable[[], Any]
"""A function that returns the provider's client for the running event loop."""


def parts_of(lines: Iterable[BatchLine], api: BatchApi) -> Iterator[list[BatchLine]]:
    """Yield these calls in groups that are small enough for one batch. All calls of a group are sent to the same
    path."""
    by_path: dict[str, list[BatchLine]] = {}
    for line in lines:
        by_path.setdefault(line.path, []).append(line)
    for same in by_path.values():
        part: list[BatchLine] = []
        size = 0
        for line in same:
            if part and (len(part) >= api.most_calls or size + len(line.body) > api.most_bytes):
                yield part
                part, size = [], 0
            part.append(line)
            size += len(line.body) + 200
        if part:
            yield part
