"""The front door: a game's record in, a film out."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from PIL import Image

from ostrom.charts.film.cast import Cast
from ostrom.charts.film.dashboard import Dashboard
from ostrom.charts.film.encode import Progress, format_of, write_film
from ostrom.charts.film.lettering import Lettering
from ostrom.charts.film.question import QuestionScene
from ostrom.charts.film.shots import timeline_of
from ostrom.charts.film.table import TableScene
from ostrom.charts.film.timeline import Moment, Timeline
from ostrom.core import RecordError
from ostrom.core.telling import Story
from ostrom.journal.record import GameRecord, missing, with_tellings

Painter: TypeAlias = Callable[[Moment], Image.Image]

_LAYOUTS: dict[str, type[TableScene | Dashboard | QuestionScene]] = {
    "table": TableScene,
    "dashboard": Dashboard,
    "question": QuestionScene,
}


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
    record = with_tellings(record)
    if record.scene is None or record.opening is None:
        raise RecordError(missing(record.game, record.package))
    story = Story(record.scene, record.opening, tuple(record.told))
    cast = Cast(tuple(seat.label for seat in record.seats), tuple(seat.player for seat in record.seats))
    return plan_story(story, cast, speed=speed, font=font)


def plan_story(story: Story, cast: Cast, *, speed: float = 1.0, font: Path | None = None) -> Film:
    """The film of a game as it is told."""
    timeline = timeline_of(story, len(cast.labels)).at_speed(speed)
    return Film(timeline, _LAYOUTS[story.scene.layout](story, timeline, cast, Lettering(font)).draw)


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
