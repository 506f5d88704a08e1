"""A registry is a dictionary that refuses a second entry of one name and knows the nearest names to a wrong one."""

import difflib
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from ostrom.core.errors import InputError, UnknownName

Entry = TypeVar("Entry")


class Registry(Mapping[str, Entry]):
    """Entries by name, in the order in which they came."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._entries: dict[str, Entry] = {}

    def add(self, name: str, entry: Entry) -> None:
        """Enter `entry`; a name that is taken already is an error, never an overwrite."""
        if name in self._entries:
            raise InputError(f"there are two entries for the {self.kind} {name!r}; give one of them another name")
        self._entries[name] = entry

    def replace(self, name: str, entry: Entry) -> None:
        """Enter `entry` in the place of the one that has this name; whether that may be is the caller's to know."""
        self._entries[name] = entry

    def __getitem__(self, name: str) -> Entry:
        try:
            return self._entries[name]
        except KeyError:
            raise UnknownName(self.kind, name, self.nearest(name)) from None

    def get(self, name: str, default: Any = None) -> Any:
        """The entry, or `default` where there is none."""
        return self._entries.get(name, default)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def nearest(self, name: str, *, most: int = 3) -> list[str]:
        """The names closest to `name`, whatever the case of its letters."""
        folded = {known.casefold(): known for known in self._entries}
        return [folded[match] for match in difflib.get_close_matches(name.casefold(), folded, n=most, cutoff=0.5)]
