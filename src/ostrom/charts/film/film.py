"""The front door: a game's record in, a film out, as MP4 (H.264, which every player and browser shows) or GIF. A file
is there as a whole or not at all, and memory does not grow with its length."""

import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import IO, Final, TypeAlias

from imageio_ffmpeg import get_ffmpeg_exe as ffmpeg
from PIL import Image

from ostrom.charts.film.cast import Cast
from ostrom.charts.film.colours import film_palette
from ostrom.charts.film.dashboard import Dashboard
from ostrom.charts.film.lettering import Lettering
from ostrom.charts.film.question import QuestionScene
from ostrom.charts.film.table import TableScene
from ostrom.charts.film.timeline import Moment, Timeline, timeline_of
from ostrom.core import InputError, RecordError
from ostrom.core.files import check_writable, whole
from ostrom.core.telling import Story
from ostrom.journal.record import GameRecord, missing, with_tellings

Progress: TypeAlias = Callable[[int, int], None]
"""Told after each frame how many of how many are done."""


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of film file, and how the encoder is told of it."""

    ending: str
    fps: int
    size: tuple[int, int]
    pixels: str
    coding: str


# Flat colours need few bits; fast start lets a browser play before all is there.
_H264: Final = "-c:v libx264 -pix_fmt yuv420p -crf 20 -preset veryfast -tune animation -movflags +faststart"
MP4: Final = Format(".mp4", 30, (1280, 720), "rgb24", _H264)
GIF: Final = Format(".gif", 10, (800, 450), "pal8", "-c:v gif -pix_fmt pal8")
_FORMATS: Final = {kind.ending: kind for kind in (MP4, GIF)}


def format_of(path: Path) -> Format:
    """The kind of file that the name asks for; told before anything is drawn, like a place that cannot be written."""
    kind = _FORMATS.get(path.suffix.lower())
    if kind is None:
        raise InputError(f"cannot write {path}: use .mp4 or .gif")
    check_writable(path)
    return kind


def write_film(
    path: Path, kind: Format, frames: Iterable[Image.Image], total: int, progress: Progress | None = None
) -> None:
    """Write the frames. One that is the same object as the frame before it is not converted again."""
    with whole(path) as partial:
        _encode(
            str(partial), kind, _counted(frames, total, progress), _mapped() if kind is GIF else Image.Image.tobytes
        )


def _counted(frames: Iterable[Image.Image], total: int, progress: Progress | None) -> Iterator[Image.Image]:
    for done, frame in enumerate(frames, start=1):
        yield frame
        if progress is not None:
            progress(done, total)


def _mapped() -> Callable[[Image.Image], bytes]:
    """Packs the frames of a GIF. One palette serves all, so that what stands still stays the same to the bit and costs
    nothing. The encoder stores each frame as it comes; Pillow's own writer would hold them all until the last."""
    palette = Image.new("P", (1, 1))
    colours = film_palette()
    palette.putpalette([part for colour in colours for part in colour])
    # Raw frames with a palette carry it behind them: 256 entries of blue, green, red and opacity.
    table = b"".join(bytes((blue, green, red, 255)) for red, green, blue in colours).ljust(1024, b"\0")

    return lambda frame: frame.quantize(palette=palette, dither=Image.Dither.NONE).tobytes() + table


def _encode(path: str, kind: Format, frames: Iterable[Image.Image], packed: Callable[[Image.Image], bytes]) -> None:
    """Pipe frames to ffmpeg, and make sure that it came to its end: a disk may fill up after the last frame was
    sent."""
    width, height = kind.size
    source = f"-f rawvideo -pix_fmt {kind.pixels} -s {width}x{height} -r {kind.fps} -i pipe:0"
    command = [ffmpeg(), "-y", "-loglevel", "error", *source.split(), "-an", *kind.coding.split(), path]
    # Complaints go to a file: a pipe that nobody reads could fill up and stop both sides.
    with tempfile.TemporaryFile() as complaints:
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=complaints) as process:
            assert process.stdin is not None
            try:
                taken = _send(process.stdin, frames, lambda frame: packed(_sized(frame, kind.size)))
            except BaseException:
                process.kill()
                raise
        if process.returncode or not taken:
            complaints.seek(0)
            said = complaints.read().decode("utf-8", "replace").strip().splitlines()
            raise OSError(said[-1] if said else "the encoder stopped")


def _send(pipe: IO[bytes], frames: Iterable[Image.Image], packed: Callable[[Image.Image], bytes]) -> bool:
    """Write every frame and close the pipe; False where nobody reads to its end."""
    shown: Image.Image | None = None
    data = b""
    try:
        for frame in frames:
            if frame is not shown:
                shown, data = frame, packed(frame)
            pipe.write(data)
        pipe.close()
    except BrokenPipeError:
        # What is still in the buffer breaks the pipe once more; only then is it closed.
        with suppress(BrokenPipeError):
            pipe.close()
        return False
    return True


def _sized(frame: Image.Image, size: tuple[int, int]) -> Image.Image:
    return frame if frame.size == size else frame.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)


_LAYOUTS: dict[str, type[TableScene | Dashboard | QuestionScene]] = {
    "table": TableScene,
    "dashboard": Dashboard,
    "question": QuestionScene,
}


@dataclass(frozen=True, slots=True)
class Film:
    """A film that has been planned and not yet drawn."""

    timeline: Timeline
    draw: Callable[[Moment], Image.Image]
    """The picture of a moment."""

    def frames(self, fps: float) -> Iterator[Image.Image]:
        """Frame by frame; while nothing moves, the same picture again."""
        for moment, frames in groupby(self.timeline.moments(fps)):
            picture = self.draw(moment)
            yield from (picture for _ in frames)


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
    record: GameRecord, path: Path, *, speed: float = 1.0, font: Path | None = None, progress: Progress | None = None
) -> Film:
    """Draw the film of a record and write it to a file that ends in .mp4 or .gif."""
    kind = format_of(path)
    planned = plan(record, speed=speed, font=font)
    total = len(planned.timeline.moments(kind.fps))
    write_film(path, kind, planned.frames(kind.fps), total, progress)
    return planned
