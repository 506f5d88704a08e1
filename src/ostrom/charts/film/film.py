"""The front door: a game's record in, a film out."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from PIL import Image
from pydantic import ValidationError

from ostrom.charts.film.commons_scene import CommonsScene
from ostrom.charts.film.commons_timeline import commons_timeline
from ostrom.charts.film.encode import Progress, format_of, write_film
from ostrom.charts.film.lettering import Lettering
from ostrom.charts.film.punish_scene import PunishScene
from ostrom.charts.film.punish_timeline import punish_timeline
from ostrom.charts.film.record_events import events_of
from ostrom.charts.film.timeline import Moment, Timeline
from ostrom.core import Event, InputError, RecordError
from ostrom.core.validation import first_problem
from ostrom.games.contribute_punish.rules import ContributePunishRules
from ostrom.journal.record import GameRecord

Painter: TypeAlias = Callable[[Moment], Image.Image]


@dataclass(frozen=True, slots=True)
class Film:
    """A film that has been planned and not yet drawn."""

    timeline: Timeline
    draw: Painter
    """The picture of a moment."""

    def frames(self, fps: float) -> Iterator[Image.Image]:
        """Frame by frame; while nothing moves, the same picture again."""
        shown: Moment | None = None
        picture: Image.Image | None = None
        for moment in self.timeline.moments(fps):
            if picture is None or moment != shown:
                shown, picture = moment, self.draw(moment)
            yield picture


def plan(record: GameRecord, *, speed: float = 1.0, font: Path | None = None) -> Film:
    """The film of a record, at a speed, in Pillow's font or in that of a file."""
    if record.game not in _PLANS:
        raise InputError(f"there are no moving pictures of {record.game!r}; they are made of {', '.join(_PLANS)}")
    return _PLANS[record.game](record, events_of(record), speed, Lettering(font))


def film(
    record: GameRecord,
    path: Path,
    *,
    speed: float = 1.0,
    font: Path | None = None,
    progress: Progress | None = None,
) -> Film:
    """Draw the film of a record and write it to a file that ends in .mp4 or .gif."""
    kind = format_of(path)
    planned = plan(record, speed=speed, font=font)
    total = len(planned.timeline.moments(kind.fps))
    write_film(path, kind, planned.frames(kind.fps), total, progress)
    return planned


def _plan_punish(record: GameRecord, events: Sequence[Event], speed: float, lettering: Lettering) -> Film:
    try:
        rules = ContributePunishRules(**record.rules)
    except ValidationError as error:
        raise RecordError(f"invalid rules in the record: {first_problem(error)}") from None
    timeline = punish_timeline(events, len(record.seats), rules.start).at_speed(speed)
    names = [seat.player for seat in record.seats]
    return Film(timeline, PunishScene(timeline, names, rules, lettering).draw)


def _plan_commons(record: GameRecord, events: Sequence[Event], speed: float, lettering: Lettering) -> Film:
    timeline = commons_timeline(events, len(record.seats)).at_speed(speed)
    players = [seat.player for seat in record.seats]
    # Labels stand first: what a narrow picture cuts off must not be what tells seats apart.
    names = [f"{seat.label} {seat.player}" if players.count(seat.player) > 1 else seat.player for seat in record.seats]
    return Film(timeline, CommonsScene(timeline, names, lettering).draw)


_PLANS: dict[str, Callable[[GameRecord, Sequence[Event], float, Lettering], Film]] = {
    "contribute_punish": _plan_punish,
    "commons": _plan_commons,
}
