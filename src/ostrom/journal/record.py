"""The record of one game as a JSON file: settings, seats, every answer, every event, and the tellings. The format is
described in docs/record.md; its version rises when a field changes its meaning.

Records in memory and in journals have no tellings: `with_tellings` adds them where the game is installed."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, Self

from pydantic import BaseModel, Field, SerializerFunctionWrapHandler, ValidationError, model_serializer, model_validator

from ostrom.core import Event, Fault, Provenance, RecordError
from ostrom.core.effects import Telling
from ostrom.core.events import Frozen
from ostrom.core.files import check_writable, parse_json, whole, write_whole
from ostrom.core.game import Game
from ostrom.core.listing import brief
from ostrom.core.plugins import GAMES
from ostrom.core.scene import Scene
from ostrom.core.telling import finals_of, misfits, presentation_of
from ostrom.core.text import first_problem

FORMAT: Final = "ostrom-game"
VERSION: Final = 2
IN_LOGS: Final = "ostrom_record"
"""Under this name the logs of other tools carry the record of a game that was played through them."""
LONGEST_NOTE: Final = 4000
"""Characters of what a reader writes beside a moment."""
MOST_NOTES: Final = 1000
"""Notes of one game."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a game comes from and how it looks. The journal knows no game, so it is handed this."""

    package: str | None = None
    """The package or file that brought the game."""
    version: str | None = None
    """The game's own version."""
    scene: Mapping[str, Any] | None = None
    """How a replay draws it, as JSON."""


class RecordedSeat(Frozen):
    """Who sat where."""

    seat: int
    """Counted from 0; it indexes every list over seats."""
    label: str
    """What the others called the seat: P1, P2, …"""
    player: str
    name: str | None = None
    """What readers call the player; in files and on pages, never in journals."""
    colour: str | None = Field(None, pattern="^#[0-9a-f]{6}$")
    """The player's colour in every picture, beside its name."""

    @model_serializer(mode="wrap")
    def _briefly(self, serialise: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in serialise(self).items() if value is not None}


class RecordedAnswer(Frozen):
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


class RecordedOrder(Frozen):
    """An order of seats that was drawn somewhere else, and that no seed of ours gives again."""

    purpose: str
    turn: int
    seats: list[int]


class RecordedNote(Frozen):
    """A bookmark of a moment, and what a reader wrote beside it."""

    moment: int = Field(ge=0, le=2**31 - 1)
    """How many events have been seen there."""
    at: str = Field(max_length=64)
    """When it was written."""
    text: str = ""
    """Empty for a bookmark alone."""

    @model_validator(mode="after")
    def _not_too_long(self) -> Self:
        # Not a bound of the field: with one, half a character would be refused, which a journal can keep.
        if len(self.text) > LONGEST_NOTE:
            raise ValueError(f"a note has {LONGEST_NOTE:,} characters at most")
        return self


class GameRecord(Frozen):
    """Everything about one game."""

    format: Literal["ostrom-game"] = FORMAT
    version: Literal[2] = VERSION
    ostrom: str
    """The version of Ostrom that wrote the record."""
    game: str
    seed: int | None
    """Missing where the game was played elsewhere; its draws then stand under `orders`."""
    number: int
    """The number of the game under this seed; seed and number together name all its draws of chance."""
    orders: list[RecordedOrder] = Field(default_factory=list)
    source: str | None = None
    """The log that the game was imported from."""
    rules: dict[str, Any]
    seats: list[RecordedSeat]
    answers: list[RecordedAnswer]
    events: list[dict[str, Any]]
    package: str = ""
    """The package that provides the game."""
    game_version: str = ""
    title: str = ""
    """What people call the game."""
    scene: Scene | None = None
    opening: Telling | None = None
    told: list[Telling] = Field(default_factory=list)
    """One for each event."""
    finals: list[float | None] | None = None
    """What each seat ended with."""
    notes: list[RecordedNote] = Field(default_factory=list, max_length=MOST_NOTES)
    """What readers left beside its moments; a record says so only where there is something."""

    @model_validator(mode="after")
    def _one_telling_an_event(self) -> Self:
        if self.scene is not None and (self.opening is None or len(self.told) != len(self.events)):
            raise ValueError("a record with a scene has an opening and one telling for each event")
        return self

    @model_serializer(mode="wrap")
    def _without_empty_notes(self, serialise: SerializerFunctionWrapHandler) -> dict[str, Any]:
        content: dict[str, Any] = serialise(self)
        if not self.notes:
            content.pop("notes", None)
        return content

    def __repr__(self) -> str:
        counts = f"{len(self.answers):,} answers, {len(self.events):,} events"
        return f"<GameRecord of {brief([self.game])}: {brief(seat.player for seat in self.seats)}; {counts}>"

    def __str__(self) -> str:
        return repr(self)


def read_record(path: str | os.PathLike[str]) -> GameRecord:
    """Read a record; a file that is not a complete record of a known version is refused with the reason."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RecordError(f"{path} is not a game's record: it is not text") from error
    try:
        data = parse_json(text)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        what = "it is cut off" if cut and text.strip() else f"{error.msg} (line {error.lineno}, column {error.colno})"
        raise RecordError(f"{path} is not a complete record: {what}") from error
    except ValueError as error:
        raise RecordError(f"{path} is not a game's record: {error}") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise RecordError(f'{path} is not a game\'s record: it must be a JSON object with "format": "{FORMAT}"')
    if data.get("version") != VERSION:
        raise RecordError(
            f"{path} has record version {data.get('version')!r}; this version of Ostrom reads version {VERSION}"
        )
    try:
        return GameRecord.model_validate(data)
    except ValidationError as error:
        raise RecordError(f"{path} is not a complete record: {first_problem(error)}") from None


def write_record(path: str | os.PathLike[str], record: GameRecord) -> None:
    """Write the record with its tellings, completely or not at all."""
    write_whole(path, record_text(with_tellings(record)))


def write_records(path: Path, records: Iterable[GameRecord]) -> int:
    """Write records in lines, each as `write_record` writes it, one after the other as they come, as a whole or not at
    all; how many there were."""
    check_writable(path)
    written = 0
    with whole(path) as partial, partial.open("w", encoding="utf-8") as file:
        for record in records:
            file.write(record_text(with_tellings(record)))
            written += 1
    return written


def record_text(record: GameRecord) -> str:
    """The record as its file has it, in plain ASCII."""
    # Python's own values, not pydantic's JSON ones, which would turn a NaN into null without a word.
    return json.dumps(record.model_dump(), allow_nan=False, separators=(",", ":")) + "\n"


def with_tellings(record: GameRecord) -> GameRecord:
    """Return the record with its scene and tellings; a record of a game that is not installed is returned as it is."""
    if record.scene is not None or record.game not in GAMES:
        return record
    game, rules, events = read_events(record)
    narrator = Narrator(game, rules, len(record.seats))
    content = {
        **dict(record),
        "package": package_of(game),
        "game_version": game.version,
        "title": game.title,
        "scene": narrator.scene,
        "opening": narrator.opening,
        "told": narrator.tell(events),
        "finals": finals_of(game, events),
    }
    return GameRecord.model_construct(**content)


def origin_of(game: Game, rules: BaseModel, seats: int) -> Origin:
    """What a journal keeps of a game besides what happens in it: its package, its version and its scene."""
    key = (game.play, game.version, seats, rules.model_dump_json())
    if key not in _origins:
        if len(_origins) >= _ORIGINS:
            _origins.clear()
        scene = presentation_of(game).scene(rules, seats)
        _origins[key] = Origin(package_of(game) or None, game.version, scene.model_dump(mode="json"))
    return _origins[key]


_ORIGINS: Final = 64
_origins: dict[tuple[Any, ...], Origin] = {}
"""Many games of an experiment have one scene, which takes longer to make than to find here."""


def package_of(game: Game) -> str:
    """The package that brought a game; of a file, its name without the folder."""
    plugin = GAMES.origin(game.name)
    return "" if plugin is None else Path(plugin.package).name


class Narrator:
    """Tells one game as its events come in."""

    def __init__(self, game: Game, rules: BaseModel, seats: int) -> None:
        presentation = presentation_of(game)
        self._seats = seats
        self.scene: Scene = presentation.scene(rules, seats)
        self._teller = presentation.teller(rules, seats)
        self.opening: Telling = self._teller.opening()
        self.count = 0
        """How many events were told."""

    def tell(self, events: Sequence[Event]) -> list[Telling]:
        """What the next events mean; what does not fit the table is refused with the reason."""
        tellings = []
        for event in events:
            self.count += 1
            try:
                telling = self._teller.tell(event)
                wrong = next(misfits(self.scene, telling, self._seats), None)
            except ValidationError as error:
                wrong = f"it has an invalid seat or number: {error.errors()[0]['msg']}"
            except LookupError:
                wrong = "it names a seat or an entry that does not exist"
            except ValueError as error:
                wrong = str(error)
            if wrong is not None:
                raise RecordError(
                    f"event {self.count} of the record ({event.tag}) does not fit the game's table: {wrong}"
                )
            tellings.append(telling)
        return tellings


def read_events(record: GameRecord) -> tuple[Game, BaseModel, list[Event]]:
    """The game of a record, its rules and its events. Whether the events follow from the rules is for a replay to find
    out."""
    if record.game not in GAMES:
        raise RecordError(missing(record.game, record.package))
    game = GAMES[record.game]
    if [seat.seat for seat in record.seats] != list(range(len(record.seats))):
        raise RecordError("the record's seats are not numbered from 0")
    if not record.seats:
        raise RecordError("the record has no seats")
    return game, rules_of(game, record.rules), [game.events.decode(data) for data in record.events]


def missing(game: str, package: str = "") -> str:
    """That a game is not installed, and what would bring it."""
    how = f"install the package {package}" if package and not package.endswith(".py") else "load its plugin file"
    return f"the record is of the game {game!r}, which is not installed; {how}"


def rules_of(game: Game, settings: Mapping[str, Any]) -> BaseModel:
    """The rules that a record names."""
    try:
        rules: BaseModel = game.rules(**settings)
    except ValidationError as error:
        raise RecordError(f"invalid rules in the record: {first_problem(error)}") from None
    return rules
