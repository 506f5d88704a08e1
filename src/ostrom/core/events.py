"""Registries, which refuse a second entry of one name and know the nearest names to a wrong one; and the event base.
Each game defines its own events, small frozen classes with a literal tag, and registers them; a journal stores tag,
version and content, and decodes through the registry it is handed."""

import difflib
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from ostrom.core.errors import InputError, RecordError, UnknownName
from ostrom.core.text import first_problem

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


class Frozen(BaseModel):
    """Plain data that is never changed; a field that it does not declare is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Event(Frozen):
    """Something that happened at the table."""

    tag: ClassVar[str]
    """The event's name in a record, written as an argument of the class or in its body."""
    version: ClassVar[int] = 1
    """Raised when the fields of an event change their meaning."""

    def __init_subclass__(cls, tag: str | None = None, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if tag is not None:
            cls.tag = tag

    def as_record(self) -> dict[str, Any]:
        """The event as plain data, under its tag and version."""
        return {"event": self.tag, "version": self.version, **self.model_dump(mode="json")}


class EventRegistry(Registry[type[Event]]):
    """The events that a game knows."""

    def __init__(self) -> None:
        super().__init__("event")

    def register(self, event: type[Event]) -> type[Event]:
        """Class decorator: enter an event under its tag."""
        self.add(event.tag, event)
        return event

    def decode(self, data: Mapping[str, Any]) -> Event:
        """Read an event back from what `as_record` wrote."""
        content = dict(data)
        tag, version = content.pop("event", None), content.pop("version", None)
        if not isinstance(tag, str) or tag not in self:
            raise RecordError(f"the record has an event {tag!r} that this game does not know")
        known = self[tag]
        if type(version) is not int or version != known.version:
            raise RecordError(f"the event {tag!r} has version {version}; this version of Ostrom reads {known.version}")
        try:
            return known.model_validate(content)
        except ValidationError as error:
            raise RecordError(f"the event {tag!r} cannot be read: {first_problem(error)}") from None
