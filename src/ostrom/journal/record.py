"""The record of one game as a JSON file: settings, seats, every answer, every event, and the same once more as arrays
over turns. The format is described in docs/record.md; its version rises when a field changes its meaning."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
    model_validator,
)

from ostrom.core import Fault, Provenance, RecordError
from ostrom.core.effects import Telling
from ostrom.core.scene import Scene
from ostrom.core.validation import first_problem

FORMAT: Final = "ostrom-game"
VERSION: Final = 1
"""What is kept in memory and in journals: what happened."""
TOLD_VERSION: Final = 2
"""What files and pages carry: what happened, and how it is told."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a game comes from and how it looks. The journal knows no game, so it is handed this."""

    package: str | None = None
    """The package or file that brought the game."""
    version: str | None = None
    """The game's own version."""
    scene: Mapping[str, Any] | None = None
    """How a replay draws it, as JSON."""


class RecordedSeat(_Part):
    """Who sat where."""

    seat: int
    """Counted from 0; it indexes every list over seats."""
    label: str
    """What the others called the seat: P1, P2, …"""
    player: str


class RecordedAnswer(_Part):
    """An answer and the question that it answers."""

    turn: int
    phase: str
    seat: int
    value: Any
    provenance: Provenance
    cut: bool = False
    """Whether it is a text that was longer than the rules allow, and was cut; a record says so only where it was."""
    fault: Fault | None = None
    """Why a defaulted answer is one; a record says so only where that is known."""

    @model_serializer(mode="wrap")
    def _briefly(self, serialise: SerializerFunctionWrapHandler) -> dict[str, Any]:
        content: dict[str, Any] = serialise(self)
        if not self.cut:
            content.pop("cut", None)
        if self.fault is None:
            content.pop("fault", None)
        return content


class RecordedOrder(_Part):
    """An order of seats that was drawn somewhere else, and that no seed of ours gives again."""

    purpose: str
    turn: int
    seats: list[int]


class GameRecord(_Part):
    """Everything about one game."""

    format: Literal["ostrom-game"] = FORMAT
    version: Literal[1, 2] = VERSION
    ostrom: str
    """The version of Ostrom that wrote the record."""
    game: str
    seed: int | None
    """Missing where the game was played elsewhere; its draws then stand under `orders`."""
    number: int
    """The number of the game under this seed; seed and number together name all its draws of chance."""
    orders: list[RecordedOrder] = []
    source: str | None = None
    """The log that the game was imported from."""
    rules: dict[str, Any]
    seats: list[RecordedSeat]
    answers: list[RecordedAnswer]
    events: list[dict[str, Any]]
    series: dict[str, list[Any]]
    """The events as arrays with one entry a turn."""
    package: str = ""
    """From version 2 on: the package that brought the game."""
    game_version: str = ""
    title: str = ""
    """What people call the game."""
    scene: Scene | None = None
    opening: Telling | None = None
    told: list[Telling] = []
    """One for each event."""
    finals: list[float | None] | None = None
    """What each seat ended with."""

    @model_validator(mode="after")
    def _one_telling_an_event(self) -> Self:
        if self.scene is not None and (self.opening is None or len(self.told) != len(self.events)):
            raise ValueError("a record with a scene has an opening and one telling for each event")
        return self

    @model_serializer(mode="wrap")
    def _as_its_version(self, serialise: SerializerFunctionWrapHandler) -> dict[str, Any]:
        content: dict[str, Any] = serialise(self)
        if self.version == VERSION:
            for name in _TELLING:
                content.pop(name, None)
        return content


_TELLING: Final = ("package", "game_version", "title", "scene", "opening", "told", "finals")


def read_record(path: str | os.PathLike[str]) -> GameRecord:
    """Read a record; what is no whole record of this version is refused with the reason."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RecordError(f"{path} is not a game's record: it is not text") from error
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        what = "it is cut off" if cut and text.strip() else f"{error.msg} (line {error.lineno}, column {error.colno})"
        raise RecordError(f"{path} is not a whole record: {what}") from error
    except (RecursionError, ValueError) as error:
        raise RecordError(f"{path} is not a game's record: it holds what no record holds") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise RecordError(f'{path} is not a game\'s record: it must be a JSON object with "format": "{FORMAT}"')
    if data.get("version") not in (VERSION, TOLD_VERSION):
        raise RecordError(
            f"{path} has record version {data.get('version')!r}; this version of Ostrom reads {VERSION} and "
            f"{TOLD_VERSION}"
        )
    try:
        return GameRecord.model_validate(data)
    except ValidationError as error:
        raise RecordError(f"{path} is not a whole record: {first_problem(error)}") from None
