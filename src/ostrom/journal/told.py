"""Records that tell themselves: a record of any version with its scene, its tellings and its finals, as version 2 of
the format has them. A record is told by the game that played it; where that game is not installed, what the record
holds is all there is."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from ostrom.core import Event, RecordError
from ostrom.core.effects import Telling
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.core.scene import Scene
from ostrom.core.telling import misfits, presentation_of
from ostrom.core.validation import first_problem
from ostrom.journal.record import TOLD_VERSION, GameRecord


def told(record: GameRecord) -> GameRecord:
    """The record in version 2. One that has it already, and one of a game that is not installed, stay as they are."""
    if record.version == TOLD_VERSION or record.game not in GAMES:
        return record
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
        "finals": narrator.finals(events),
    }
    return GameRecord.model_construct(**content)


def package_of(game: Game) -> str:
    """The package that brought a game; of a file, its name without the folder."""
    plugin = GAMES.origin(game.name)
    return "" if plugin is None else Path(plugin.package).name


class Narrator:
    """Tells one game as its events come in."""

    def __init__(self, game: Game, rules: BaseModel, seats: int) -> None:
        presentation = presentation_of(game)
        self._game, self._seats = game, seats
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
            except (IndexError, KeyError, ValueError, ZeroDivisionError) as error:
                wrong = str(error) or type(error).__name__
            if wrong is not None:
                raise RecordError(f"event {self.count} of the record ({event.tag}) does not fit its table: {wrong}")
            tellings.append(telling)
        return tellings

    def finals(self, events: Sequence[Event]) -> list[float | None] | None:
        """What each seat ended with, where the game knows it and is over."""
        if self._game.finals is None or not events:
            return None
        try:
            return list(self._game.finals(events))
        except (AssertionError, IndexError, AttributeError):
            return None


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
