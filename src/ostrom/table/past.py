"""The past as it stood at one moment: the first entries of a list that only ever grows. A game keeps one such list, and
every view that it hands out shares it, so that a long game does not hold its history once for every question."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar, overload

Entry = TypeVar("Entry")


class Past(Sequence[Entry]):
    """What a list holds now, whatever is added to it later. It reads, compares and adds up like the tuple of these
    entries, and takes the room of two words."""

    __slots__ = ("_entries", "_length")

    def __init__(self, entries: list[Entry]) -> None:
        self._entries = entries
        self._length = len(entries)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Entry, ...]: ...
    def __getitem__(self, index: int | slice) -> Entry | tuple[Entry, ...]:
        places = range(self._length)[index]
        if isinstance(places, int):
            return self._entries[places]
        return tuple(map(self._entries.__getitem__, places))

    def __iter__(self) -> Iterator[Entry]:
        return islice(self._entries, self._length)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Past | tuple):
            return NotImplemented
        return len(self) == len(other) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __add__(self, more: "Past[Entry] | tuple[Entry, ...]") -> tuple[Entry, ...]:
        return tuple(self) + tuple(more)

    def __radd__(self, before: tuple[Entry, ...]) -> tuple[Entry, ...]:
        return before + tuple(self)

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        # Of the list only what was there then: a copy knows no more than the view that it is a copy of.
        return Past, (list(self),)
