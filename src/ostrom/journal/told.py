"""Records that tell themselves: a record of any version with its scene, its tellings and its finals, as version 2 of
the format has them. A record is told by the game that played it; where that game is not installed, what the record
holds is all there is."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from ostrom.core import Event, RecordError
from ostrom.core.effects import Telling
from ostrom.core.files import check_writable, whole, write_whole
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.core.scene import Scene
from ostrom.core.telling import finals_of, misfits, presentation_of
from ostrom.core.validation import first_problem
from ostrom.journal.record import TOLD_VERSION, GameRecord, Origin


def write_record(path: str | os.PathLike[str], record: GameRecord) -> None:
    """Write the record, in version 2, as a whole or not at all."""
    write_whole(path, record_text(told(record)))


def write_records(path: Path, records: Iterable[GameRecord]) -> int:
    """Write records in lines, each as `write_record` writes it, one after the other as they come, as a whole or not at
    all; how many there were."""
    check_writable(path)
    written = 0
    with whole(path) as partial, partial.open("w", encoding="utf-8") as file:
        for record in records:
            file.write(record_text(told(record)))
            written += 1
    return written


def record_text(record: GameRecord) -> str:
    """The record as its file has it, in plain ASCII."""
    # Python's own values, not pydantic's JSON ones, which would turn a NaN into null without a word.
    return json.dumps(record.model_dump(), allow_nan=False, separators=(",", ":")) + "\n"


def told(record: GameRecord) -> GameRecord:
    """The record in version 2. Of a game that is not installed it has no scene and no tellings, and names the
    package."""
    if record.version == TOLD_VERSION and record.scene is not None:
        return record
    if record.game not in GAMES:
        return record.model_copy(update={"version": TOLD_VERSION})
    game, rules, events = read_events(record)
    narrator = Narrator(game, rules, len(record.seats))
    content = {
        **dict(record),
        "version": TOLD_VERSION,
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
                wrong = f"it names a seat or a number that cannot be: {error.errors()[0]['msg']}"
            except LookupError:
                wrong = "it names a seat or an entry that is not there"
            except ValueError as error:
                wrong = str(error)
            if wrong is not None:
                raise RecordError(f"event {self.count} of the record ({event.tag}) does not fit its table: {wrong}")
            tellings.append(telling)
        return tellings


def read_events(record: GameRecord) -> tuple[Game, BaseModel, list[Event]]:
    """The game of a record, its rules and its events. Whether the events follow from the rules is for a replay to find
    out."""
    if record.game not in GAMES:
        raise RecordError(missing(record.game, record.package))
    game = GAMES[record.game]
    if [seat.seat for seat in record.seats] != list(range(len(record.seats))):
        raise RecordError("the record's seats are not numbered from 0 on")
    if not record.seats:
        raise RecordError("nobody sits at the record's table")
    return game, rules_of(game, record.rules), [game.events.decode(data) for data in record.events]


def missing(game: str, package: str = "") -> str:
    """That a game is not installed, and what would bring it."""
    how = f"install the package {package}" if package and not package.endswith(".py") else "name its file with --plugin"
    return f"the record is of the game {game!r}, which is not installed; {how}"


def rules_of(game: Game, settings: Mapping[str, Any]) -> BaseModel:
    """The rules that a record names."""
    try:
        rules: BaseModel = game.rules(**settings)
    except ValidationError as error:
        raise RecordError(f"invalid rules in the record: {first_problem(error)}") from None
    return rules
