"""Secret facts in events. Until the game is over, a private fact is visible only to some seats, and a sealed fact to no
seat. An event without marks is public at once::

    class Dealt(Event, tag="dealt"):
        values: Annotated[list[float], PerSeat()]            # seat i sees entry i only

    class Bid(Event, tag="bid"):
        seat: int
        price: Annotated[float, PrivateTo("seat")]           # the seat in another field sees it
        limit: Annotated[float, Sealed()]                    # no seat sees it before the end

    class Inspected(Event, tag="inspected", private_to="seat"): ...    # the whole event
    class Offer(Event, tag="offer", sealed=True): ...

A rule may be `Sealed()` too: a game under way is shown without it.

The public reads an event with None in place of each secret, and a `HiddenEvent` in place of a secret event."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias, get_args, get_origin

from pydantic import BaseModel, Field, create_model

HIDDEN: Final = "hidden"
"""The tag of an event that the reader may not see, and the mark of an event with secret fields."""


@dataclass(frozen=True, slots=True)
class PrivateTo:
    """Marks a field as private to the seat (or the list of seats) that is named in another field of the event. None in
    such a list is the public: if the rules decide who may see a fact, a list with None and all seats makes it public at
    once."""

    field: str


@dataclass(frozen=True, slots=True)
class PerSeat:
    """Marks a list with one entry per seat. Each seat may see only its own entry."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """Marks a field that no seat may see before the game is over."""


Secret: TypeAlias = PrivateTo | PerSeat | Sealed


@lru_cache(maxsize=1024)
def secret_fields(event: type[BaseModel]) -> Mapping[str, Secret]:
    """Return the secret fields of an event with their marks of secrecy."""
    marks = {
        name: next((mark for mark in field.metadata if isinstance(mark, PrivateTo | PerSeat | Sealed)), None)
        for name, field in event.model_fields.items()
    }
    return {name: mark for name, mark in marks.items() if mark is not None}


@lru_cache(maxsize=1024)
def public_form(event: type[BaseModel]) -> type[Any]:
    """Return a subclass of the event in which the secret fields may be None."""
    fields: dict[str, Any] = {}
    for name, mark in secret_fields(event).items():
        kind = event.model_fields[name].annotation
        if isinstance(mark, PerSeat):
            fields[name] = (list[get_args(kind)[0] | None] if get_origin(kind) is list else Any, Field())  # type: ignore[misc]
        else:
            fields[name] = (kind | None, None)  # type: ignore[operator]
    return create_model(event.__name__, __base__=event, __module__=event.__module__, **fields)


def without_secrets(event: type[BaseModel], data: Mapping[str, Any], seat: int | None) -> dict[str, Any]:
    """Return the record of an event with None for every field that the seat may not see. If `seat` is None, return the
    public's version."""
    secrets = secret_fields(event)
    if not secrets:
        return dict(data)
    shown = dict(data)
    for name, mark in secrets.items():
        if name in shown:
            shown[name] = _shown(mark, data[name], data, seat)
    return {**shown, HIDDEN: True}


def belongs_to(seat: int | None, owner: Any) -> bool:
    """Return whether a seat is the owner of a fact, or one of its owners. `owner` is a seat or a list of seats. The
    public, which is the seat None, is an owner only if it is in a list."""
    if isinstance(owner, Sequence):
        return seat in owner
    return seat is not None and seat == owner


def _shown(mark: Secret, value: Any, data: Mapping[str, Any], seat: int | None) -> Any:
    if isinstance(mark, PerSeat):
        return [entry if place == seat else None for place, entry in enumerate(value)]
    return value if isinstance(mark, PrivateTo) and belongs_to(seat, data.get(mark.field)) else None
