"""The event base. Each game defines its own events, small frozen classes with a literal tag, and registers them; a
journal stores tag, version and content, and decodes through the registry it is handed."""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError

from ostrom.core.errors import RecordError
from ostrom.core.registry import Registry
from ostrom.core.validation import first_problem


class Event(BaseModel):
    """Something that happened at the table, never changed afterwards."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
            raise RecordError(f"the record holds an event {tag!r} that this game does not know")
        known = self[tag]
        if type(version) is not int or version != known.version:
            raise RecordError(f"the event {tag!r} has version {version}; this version of Ostrom reads {known.version}")
        try:
            return known.model_validate(content)
        except ValidationError as error:
            raise RecordError(f"the event {tag!r} cannot be read: {first_problem(error)}") from None
