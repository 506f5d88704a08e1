"""The base class of events, and registries of unique names. A registry suggests the nearest name for a misspelled one.
Each game registers its own events, which are small frozen classes with a tag. A journal stores the tag, version and
content of an event, and the registry decodes the event."""

import difflib
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from ostrom.core.errors import InputError, RecordError, UnknownName
from ostrom.core.secrecy import HIDDEN, belongs_to, public_form, secret_fields, without_secrets
from ostrom.core.text import first_problem

Entry = TypeVar("Entry")


class Registry(Mapping[str, Entry]):
    """Entries by name, in order of registration."""

    _listed = True
    """True if `ostrom list` shows the entries. Otherwise the error for an unknown name lists all names."""

    def __init__(self, kind: str, *, listed: bool = True) -> None:
        self.kind = kind
        self._listed = listed
        self._entries: dict[str, Entry] = {}

    def add(self, name: str, entry: Entry) -> None:
        """Add an entry. Raise InputError if the name is taken."""
        if name in self._entries:
            raise InputError(f"there are two entries for the {self.kind} {name!r}; give one of them another name")
        self._entries[name] = entry

    def replace(self, name: str, entry: Entry) -> None:
        """Add an entry, or replace the entry that has this name."""
        self._entries[name] = entry

    def __getitem__(self, name: str) -> Entry:
        try:
            return self._entries[name]
        except KeyError:
            names = None if self._listed else f"use {' or '.join(self._entries)}"
            raise UnknownName(self.kind, name, self.nearest(name), catalogue=names) from None

    def get(self, name: str, default: Any = None) -> Any:
        """Return the entry, or `default`."""
        return self._entries.get(name, default)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def nearest(self, name: str, *, limit: int = 3) -> list[str]:
        """Return the names closest to `name`, ignoring case."""
        folded = {entry.casefold(): entry for entry in self._entries}
        return [folded[match] for match in difflib.get_close_matches(name.casefold(), folded, n=limit, cutoff=0.5)]


class Frozen(BaseModel):
    """Immutable plain data; an undeclared field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Event(Frozen):
    """An event of a game."""

    tag: ClassVar[str]
    """The event's name in a record, set by a class argument or in the class body."""
    version: ClassVar[int] = 1
    """The version of the event's format. It is incremented when the meaning of a field changes."""
    sealed: ClassVar[bool] = False
    """True if the whole event is secret until the game is over. If only some fields are secret, mark them with the
    classes of `core.secrecy`."""
    private_to: ClassVar[str | None] = None
    """The name of the field that holds a seat, or a list of seats. Only these seats may see the event before the game
    is over. None in the list is the public."""

    def __init_subclass__(
        cls, tag: str | None = None, *, sealed: bool | None = None, private_to: str | None = None, **settings: Any
    ) -> None:
        super().__init_subclass__(**settings)
        if tag is not None:
            cls.tag = tag
        if sealed is not None:
            cls.sealed = sealed
        if private_to is not None:
            cls.private_to = private_to

    def as_record(self) -> dict[str, Any]:
        """Return the event as plain data, together with its tag and version."""
        return {"event": self.tag, "version": self.version, **self.model_dump(mode="json")}

    @classmethod
    def has_secrets(cls) -> bool:
        """Return whether the event or one of its fields is secret during the game."""
        return cls.sealed or cls.private_to is not None or bool(secret_fields(cls))


class HiddenEvent(Event, tag=HIDDEN):
    """A placeholder for an event that the reader may not see until the game is over."""


class EventRegistry(Registry[type[Event]]):
    """The events of a game."""

    def __init__(self) -> None:
        super().__init__("event")

    def register(self, event: type[Event]) -> type[Event]:
        """Register an event under its tag; used as a class decorator. Raise InputError if it has no tag."""
        if not hasattr(event, "tag"):
            raise InputError(
                f'the event class {event.__name__} has no tag; write class {event.__name__}(Event, tag="…")'
            )
        self.add(event.tag, event)
        return event

    @property
    def have_secrets(self) -> bool:
        """True if any of the events is secret or has a secret field."""
        return any(event.has_secrets() for event in self.values())

    def seen_by(self, data: Mapping[str, Any], seat: int | None = None) -> dict[str, Any]:
        """Return the record of an event as a seat may see it during the game, or as the public may see it if `seat` is
        None. An event with an unknown tag is hidden."""
        event = self.get(str(data.get("event")))
        if event is None or event.sealed:
            return HiddenEvent().as_record()
        if event.private_to is not None and not belongs_to(seat, data.get(event.private_to)):
            return HiddenEvent().as_record()
        return without_secrets(event, data, seat)

    def decode(self, data: Mapping[str, Any]) -> Event:
        """Return the event for a record that `as_record` wrote, or that `seen_by` returned without its secrets. Raise
        RecordError if the event is unknown or invalid."""
        content = dict(data)
        tag, version = content.pop("event", None), content.pop("version", None)
        if tag == HIDDEN and HIDDEN not in self:
            return HiddenEvent()
        if not isinstance(tag, str) or tag not in self:
            raise RecordError(f"the record has an event {tag!r} that this game does not know")
        event = self[tag]
        if type(version) is not int or version != event.version:
            raise RecordError(f"the event {tag!r} has version {version}; this version of Ostrom reads {event.version}")
        if content.get(HIDDEN) is True and secret_fields(event):
            del content[HIDDEN]
            event = public_form(event)
        try:
            return event.model_validate(content)
        except ValidationError as error:
            raise RecordError(f"the event {tag!r} cannot be read: {first_problem(error)}") from None
