"""The shelf: what was computed from the journal stays there for as long as the journal is unchanged. Each thing is
computed once, however many ask for it at the same time, and the shelf never grows beyond its size."""

import gzip
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

_WORTH_PACKING: Final = 1024
_BESIDE: Final = 1024
"""Bytes that an answer takes beside its text, however short that is: its name, and what holds it."""

_Thing = TypeVar("_Thing")


@dataclass(frozen=True, slots=True)
class Body:
    """An answer as it goes over the wire."""

    plain: bytes
    packed: bytes | None
    """The same in gzip, where that is worth it."""
    tag: str
    """Names the content: a reader that has it need not be sent it again."""

    @property
    def size(self) -> int:
        """Bytes that it takes on the shelf, about."""
        return len(self.plain) + len(self.packed or b"") + _BESIDE


def body_of(plain: bytes) -> Body:
    """An answer made ready to be sent any number of times."""
    packed = gzip.compress(plain, 5, mtime=0) if len(plain) >= _WORTH_PACKING else None
    return Body(plain, packed, f'"{hashlib.blake2b(plain, digest_size=12).hexdigest()}"')


class Shelf(Generic[_Thing]):
    """Things by name, of one revision. The least recently wanted leave when there are too many."""

    def __init__(
        self, revision: Callable[[], int], most: int, weigh: Callable[[_Thing], int] = lambda thing: 1
    ) -> None:
        self.revision, self._most, self._weigh = revision, most, weigh
        self._lock = threading.Lock()
        self._of: int | None = None
        self._things: OrderedDict[Hashable, _Thing] = OrderedDict()
        self._weight = 0
        self._making: dict[tuple[int, Hashable], Future[_Thing]] = {}

    def holds(self, name: Hashable) -> bool:
        """Whether something of this name lies there, of whatever revision."""
        return name in self._things

    def found(self, name: Hashable, now: int) -> _Thing | None:
        """What lies there at this revision, if it does; computes and asks nothing."""
        with self._lock:
            self._clear_old(now)
            if name not in self._things:
                return None
            self._things.move_to_end(name)
            return self._things[name]

    def made(self, name: Hashable, make: Callable[[], _Thing]) -> _Thing:
        """What lies there, or what `make` gives, which then does. Who asks while it is being made waits for it."""
        now = self.revision()
        with self._lock:
            self._clear_old(now)
            if name in self._things:
                self._things.move_to_end(name)
                return self._things[name]
            under_way = self._making.get((now, name))
            if under_way is None:
                mine: Future[_Thing] = Future()
                self._making[now, name] = mine
        if under_way is not None:
            return under_way.result()
        try:
            thing = make()
        except BaseException as error:
            mine.set_exception(error)
            raise
        else:
            mine.set_result(thing)
            self._put(now, name, thing)
            return thing
        finally:
            with self._lock:
                del self._making[now, name]

    def _clear_old(self, now: int) -> None:
        if self._of != now:
            self._of, self._weight = now, 0
            self._things.clear()

    def _put(self, revision: int, name: Hashable, thing: _Thing) -> None:
        weight = self._weigh(thing)
        with self._lock:
            # What took so long that the journal moved on is handed out once and not kept.
            if revision != self._of or weight > self._most:
                return
            self._things[name] = thing
            self._weight += weight
            while self._weight > self._most:
                _, gone = self._things.popitem(last=False)
                self._weight -= self._weigh(gone)


def bodies(revision: Callable[[], int], most: int) -> Shelf[Body]:
    """A shelf of answers of at most so many bytes."""
    return Shelf(revision, most, lambda body: body.size)


def things(revision: Callable[[], int], most: int) -> Shelf[Any]:
    """A shelf of at most so many things of any kind, such as tables."""
    return Shelf(revision, most)
