"""The record of one game as a JSON file: settings, seats, every answer, every event, and the tellings, which describe
the events for readers. The format is described in docs/record.md. The version of the format is raised when the meaning
of a field changes.

Records in memory and in journals have no tellings: `with_tellings` adds them if the game is installed.
"""

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
from ostrom.core.files import atomic_write, check_writable, parse_json, read_bounded_text, write_text
from ostrom.core.game import Game
from ostrom.core.listing import brief
from ostrom.core.plugins import GAMES
from ostrom.core.scene import Scene
from ostrom.core.secrecy import HIDDEN
from ostrom.core.telling import finals_of, misfits, presentation_of, tell
from ostrom.core.text import first_problem

FORMAT: Final = "ostrom-game"
VERSION: Final = 2
IN_LOGS: Final = "ostrom_record"
"""The key under which logs of other tools store the record of a game."""
LONGEST_NOTE: Final = 4000
"""The largest number of characters of a reader's note."""
MOST_NOTES: Final = 1000
"""The largest number of notes of one game."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The package, version and scene of a game. The caller provides them, so that the journal does not depend on
    games."""

    package: str | None = None
    """The package or file that provides the game."""
    version: str | None = None
    """The game's own version."""
    scene: Mapping[str, Any] | None = None
    """The scene as JSON."""


class RecordedSeat(Frozen):
    """A seat and its player."""

    seat: int
    """The number of the seat, from 0, which is its index in every list over seats."""
    label: str
    """The name that other seats see: P1, P2, …"""
    player: str
    name: str | None = None
    """The player's name for readers. It is set in files and on pages, but not in journals."""
    colour: str | None = Field(None, pattern="^#[0-9a-f]{6}$")
    """The player's colour in every picture."""

    @model_serializer(mode="wrap")
    def _briefly(self, serialise: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in serialise(self).items() if value is not None}


class RecordedAnswer(Frozen):
    """An answer with the key of its question."""

    turn: int
    phase: str
    seat: int
    value: Any
    provenance: Provenance
    cut: bool = False
    """True if a text was longer than the rules allow and was cut. The field is omitted if it is false."""
    fault: Fault | None = None
    """The reason why the answer is defaulted. The field is omitted if the reason is unknown."""
    distribution: dict[str, float] | None = None
    """The model's probability of each legal answer, by the answer's text. The field is omitted unless the answer was
    drawn from these probabilities."""

    @model_serializer(mode="wrap")
    def _briefly(self, serialise: SerializerFunctionWrapHandler) -> dict[str, Any]:
        content: dict[str, Any] = serialise(self)
        if not self.cut:
            content.pop("cut", None)
        for name in ("fault", "distribution"):
            if getattr(self, name) is None:
                content.pop(name, None)
        return content


class RecordedOrder(Frozen):
    """A random order of seats in a game that another program played. No seed can reproduce it."""

    purpose: str
    turn: int
    seats: list[int]


class RecordedNote(Frozen):
    """A note or a bookmark of a reader at a moment of a game."""

    moment: int = Field(ge=0, le=2**31 - 1)
    """The moment in the game: the number of events before it."""
    at: str = Field(max_length=64)
    """The time when the note was written."""
    text: str = ""
    """The text; empty if the note is only a bookmark."""

    @model_validator(mode="after")
    def _not_too_long(self) -> Self:
        # With a limit of length on the field, pydantic would reject half of a character, which a journal can store.
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
    """The seed of the game's random draws. It is None if another program played the game; its draws are then in
    `orders`."""
    number: int
    """The number of the game under this seed. Seed and number determine all its random draws."""
    orders: list[RecordedOrder] = Field(default_factory=list)
    source: str | None = None
    """The log from which the game was imported."""
    rules: dict[str, Any]
    seats: list[RecordedSeat]
    answers: list[RecordedAnswer]
    events: list[dict[str, Any]]
    package: str = ""
    """The package that provides the game."""
    game_version: str = ""
    title: str = ""
    """The game's title."""
    scene: Scene | None = None
    opening: Telling | None = None
    told: list[Telling] = Field(default_factory=list)
    """The tellings of the game, one for each event."""
    seen: list[dict[int, Telling]] = Field(default_factory=list)
    """For each seat, the tellings that it saw for events with secrets, by the index of the event. The field is left out
    if there are none."""
    finals: list[float | None] | None = None
    """The final result of each seat."""
    notes: list[RecordedNote] = Field(default_factory=list, max_length=MOST_NOTES)
    """Readers' notes. The field is left out if there are none."""

    @model_validator(mode="before")
    @classmethod
    def _without_series(cls, content: Any) -> Any:
        # Earlier records of this version also have a field `series`. It is ignored, since the events include its
        # content.
        if isinstance(content, dict) and "series" in content:
            return {name: value for name, value in content.items() if name != "series"}
        return content

    @model_validator(mode="after")
    def _one_telling_an_event(self) -> Self:
        if self.scene is not None and (self.opening is None or len(self.told) != len(self.events)):
            raise ValueError("a record with a scene has an opening and one telling for each event")
        return self

    @model_serializer(mode="wrap")
    def _without_empty_lists(self, serialise: SerializerFunctionWrapHandler) -> dict[str, Any]:
        content: dict[str, Any] = serialise(self)
        for name in ("notes", "seen"):
            if not getattr(self, name):
                content.pop(name, None)
        return content

    def __repr__(self) -> str:
        counts = f"{len(self.answers):,} answers, {len(self.events):,} events"
        return f"<GameRecord of {brief([self.game])}: {brief(seat.player for seat in self.seats)}; {counts}>"

    def __str__(self) -> str:
        return repr(self)


def read_record(path: str | os.PathLike[str]) -> GameRecord:
    """Read a record. Raise RecordError with the reason if the file is incomplete or its version is unknown."""
    path = Path(path)
    try:
        text = read_bounded_text(path)
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RecordError(f"{path} is not a game's record: it is not text") from error
    try:
        data = parse_json(text)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        problem = (
            "it is cut off" if cut and text.strip() else f"{error.msg} (line {error.lineno}, column {error.colno})"
        )
        raise RecordError(f"{path} is not a complete record: {problem}") from error
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
    """Write a record with its tellings to a file. If writing fails, an existing file is not changed."""
    write_text(path, record_text(with_tellings(record)))


def write_records(path: Path, records: Iterable[GameRecord]) -> int:
    """Write records with their tellings to a file, one per line. Return their number. If writing fails, an existing
    file is not changed."""
    check_writable(path)
    count = 0
    with atomic_write(path) as partial, partial.open("w", encoding="utf-8") as file:
        for record in records:
            file.write(record_text(with_tellings(record)))
            count += 1
    return count


def record_text(record: GameRecord) -> str:
    """Return a record as the content of a file, in ASCII."""
    # Use Python's own values, since pydantic's JSON mode would silently turn NaN into null.
    return json.dumps(record.model_dump(), allow_nan=False, separators=(",", ":")) + "\n"


def with_tellings(record: GameRecord) -> GameRecord:
    """Return the record with its scene and tellings. If its game is not installed, return the record unchanged."""
    if record.scene is not None or record.game not in GAMES:
        return record
    game, rules, events = read_events(record)
    narrator = Narrator(game, rules, len(record.seats))
    told = narrator.tell(events)
    content = {
        **dict(record),
        "package": package_of(game),
        "game_version": game.version,
        "title": game.title,
        "scene": narrator.scene,
        "opening": narrator.opening,
        "told": told,
        "seen": _seen(game, rules, record, told),
        "finals": finals_of(game, events),
    }
    return GameRecord.model_construct(**content)


def _seen(game: Game, rules: BaseModel, record: GameRecord, told: Sequence[Telling]) -> list[dict[int, Telling]]:
    """Return, for each seat, those of its tellings that differ from the public ones. The result is empty for a game
    without secrets, and for a game under way, whose record lacks the secrets."""
    if not game.events.have_secrets or any(HIDDEN in (event.get("event"), *event) for event in record.events):
        return []
    by_seat = []
    for seat in range(len(record.seats)):
        events = [game.events.decode(game.events.seen_by(event, seat)) for event in record.events]
        tellings = Narrator(game, rules, len(record.seats)).tell(events)
        pairs = enumerate(zip(tellings, told, strict=True))
        by_seat.append({place: telling for place, (telling, full) in pairs if telling != full})
    return by_seat


def origin_of(game: Game, rules: BaseModel, seats: int) -> Origin:
    """Return the package, version and scene of a game, which the journal stores."""
    key = (game.play, game.version, seats, rules.model_dump_json())
    if key not in _origins:
        if len(_origins) >= _MAX_ORIGINS:
            _origins.clear()
        scene = presentation_of(game).scene(rules, seats)
        _origins[key] = Origin(package_of(game) or None, game.version, scene.model_dump(mode="json"))
    return _origins[key]


_MAX_ORIGINS: Final = 64
_origins: dict[tuple[Any, ...], Origin] = {}
"""The origins that were computed so far. The games of an experiment share a scene, which takes long to compute."""


def package_of(game: Game) -> str:
    """Return the package that provides a game. If a file provides it, return the file's name without its folder."""
    plugin = GAMES.origin(game.name)
    return "" if plugin is None else Path(plugin.package).name


class Narrator:
    """Converts the events of one game to tellings as they arrive."""

    def __init__(self, game: Game, rules: BaseModel, seats: int) -> None:
        presentation = presentation_of(game)
        self._seats = seats
        self.scene: Scene = presentation.scene(rules, seats)
        self._teller = presentation.teller(rules, seats)
        self.opening: Telling = self._teller.opening()
        self.count = 0
        """The number of events so far."""

    def tell(self, events: Sequence[Event]) -> list[Telling]:
        """Return the tellings of the next events. Raise RecordError if an event does not fit the scene."""
        tellings = []
        for event in events:
            self.count += 1
            try:
                telling = tell(self._teller, event)
                misfit = next(misfits(self.scene, telling, self._seats), None)
            except ValidationError as error:
                misfit = f"it has an invalid seat or number: {error.errors()[0]['msg']}"
            except LookupError:
                misfit = "it names a seat or an entry that does not exist"
            except ValueError as error:
                misfit = str(error)
            if misfit is not None:
                raise RecordError(
                    f"event {self.count} of the record ({event.tag}) does not fit the game's table: {misfit}"
                )
            tellings.append(telling)
        return tellings


def read_events(record: GameRecord) -> tuple[Game, BaseModel, list[Event]]:
    """Return the game, the rules and the events of a record. This does not check whether the events follow from the
    rules; a replay does."""
    if record.game not in GAMES:
        raise RecordError(missing(record.game, record.package))
    game = GAMES[record.game]
    if [seat.seat for seat in record.seats] != list(range(len(record.seats))):
        raise RecordError("the record's seats are not numbered from 0")
    if not record.seats:
        raise RecordError("the record has no seats")
    return game, rules_of(game, record.rules), [game.events.decode(data) for data in record.events]


def missing(game: str, package: str = "") -> str:
    """Return an error that says that a game is not installed, and how to install it."""
    return f"the record is of the game {game!r}, which is not installed; {remedy_for(package)}"


def remedy_for(package: str) -> str:
    """Return how to install a game, given the package or file that provides it; empty if it is not known."""
    if package and not package.endswith(".py"):
        return f"install the package {package}"
    return f"load its plugin file {package}".rstrip()


def rules_of(game: Game, settings: Mapping[str, Any]) -> BaseModel:
    """Return the rules of a record. Raise RecordError if they are invalid."""
    try:
        rules: BaseModel = game.rules(**settings)
    except ValidationError as error:
        raise RecordError(f"invalid rules in the record: {first_problem(error)}") from None
    return rules
