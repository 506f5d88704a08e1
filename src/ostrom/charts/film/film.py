"""Films of records, as MP4 (H.264, which every player and browser shows) or GIF. A file is written completely or not at
all. The memory needed does not depend on the length of the film."""

import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

from imageio_ffmpeg import get_ffmpeg_exe as ffmpeg
from PIL import Image

from ostrom.charts.film.canvas import LANDSCAPE, LYING, PORTRAIT, Canvas, FrameLayout, Lettering, smooth
from ostrom.charts.film.cards import Credits, result_card, say_source, title_card
from ostrom.charts.film.colours import SEATS, Colour, FilmCast, film_palette, main_quantity, seat_colours
from ostrom.charts.film.dashboard import Dashboard
from ostrom.charts.film.highlights import of_turning_points
from ostrom.charts.film.matroska import picture_head, stream_head
from ostrom.charts.film.portrait import Portrait
from ostrom.charts.film.question import QuestionScene
from ostrom.charts.film.sides import SidesScene
from ostrom.charts.film.table import TableScene
from ostrom.charts.film.timeline import WORDS_PER_MINUTE, Kind, Moment, Shot, Timeline, timeline_of
from ostrom.charts.palette import with_names_and_colours
from ostrom.core import InputError, RecordError
from ostrom.core.files import atomic_write, check_writable
from ostrom.core.telling import Story
from ostrom.journal.record import GameRecord, missing, with_tellings
from ostrom.version import VERSION

Progress: TypeAlias = Callable[[int, int], None]
"""A function that is called after each frame with the number of finished frames and the total number of frames."""


@dataclass(frozen=True, slots=True)
class FilmFormat:
    """A film file format, and its encoder options."""

    ending: str
    fps: int
    short: int
    """The length of the shorter side in pixels."""
    scale: float
    """The number of pixels per unit of the pictures, before the pictures are scaled."""
    pixels: str
    coding: str

    def sheet(self, *, upright: bool = False) -> FrameLayout:
        """Return the layout of the pictures."""
        return FrameLayout(*(PORTRAIT if upright else LANDSCAPE), self.scale)

    def size(self, dots: tuple[int, int]) -> tuple[int, int]:
        """Return the width and height of the frames, for pictures of this size."""
        wide, high = (round(side * self.short / min(dots)) // 2 * 2 for side in dots)
        return wide, high


# Flat colours need few bits and little search for motion. With these options, one core draws and encodes a film in less
# time than the film plays. A picture that does not change is one long frame (vfr). With fast start, a browser can play
# the film before the whole file is loaded.
_H264: Final = (
    "-c:v libx264 -pix_fmt yuv420p -crf 20 -preset veryfast -tune animation -refs 1 -bf 3 -subq 1 -me_method dia"
    " -partitions none -rc-lookahead 5 -threads 1 -sws_flags fast_bilinear -fps_mode vfr -movflags +faststart"
)
MP4: Final = FilmFormat(".mp4", 25, 1080, 1.5, "rgb24", _H264)
GIF: Final = FilmFormat(".gif", 10, 450, 1.0, "pal8", "-c:v gif -pix_fmt pal8")
_FORMATS: Final = {kind.ending: kind for kind in (MP4, GIF)}


def format_of(path: Path) -> FilmFormat:
    """Return the format that the extension of the file name determines. Raises `InputError` for another extension or a
    folder that is not writable, before anything is drawn."""
    kind = _FORMATS.get(path.suffix.lower())
    if kind is None:
        raise InputError(f"cannot write {path}: use .mp4 or .gif")
    check_writable(path)
    return kind


def write_film(
    path: Path,
    kind: FilmFormat,
    frames: Iterable[Image.Image],
    total: int,
    progress: Progress | None = None,
    *,
    dots: tuple[int, int] | None = None,
    seats: Sequence[Colour] = SEATS,
) -> None:
    """Write the frames of a film. `dots` is the width and height of the pictures in pixels, and `seats` has the colours
    of seats. If a frame is the same object as the previous one, it is not converted again."""
    size = kind.size(dots or kind.sheet().dots)
    packed = _gif_packer(seats) if kind is GIF else Image.Image.tobytes
    with atomic_write(path) as draft:
        _encode(str(draft), kind, size, _with_progress(frames, total, progress), packed)


def _with_progress(frames: Iterable[Image.Image], total: int, progress: Progress | None) -> Iterator[Image.Image]:
    for done, frame in enumerate(frames, start=1):
        yield frame
        if progress is not None:
            progress(done, total)


def _gif_packer(seats: Sequence[Colour]) -> Callable[[Image.Image], bytes]:
    """Return the function that packs the frames of a GIF. All frames have the same palette, so that unchanged parts are
    equal bit by bit and need no space. The encoder stores each frame when it receives it. Pillow's own writer would
    keep all frames in memory."""
    palette = Image.new("P", (1, 1))
    colours = film_palette(seats)
    palette.putpalette([part for colour in colours for part in colour])
    # Raw frames with a palette have the palette at their end: 256 entries of blue, green, red and opacity.
    table = b"".join(bytes((blue, green, red, 255)) for red, green, blue in colours).ljust(1024, b"\0")

    return lambda frame: frame.quantize(palette=palette, dither=Image.Dither.NONE).tobytes() + table


def _encode(
    path: str,
    kind: FilmFormat,
    size: tuple[int, int],
    frames: Iterable[Image.Image],
    packed: Callable[[Image.Image], bytes],
) -> None:
    """Send frames to ffmpeg through a pipe, and check that ffmpeg finished, since a disk may fill up after the last
    frame was sent."""
    width, height = size
    source = f"-f rawvideo -pix_fmt {kind.pixels} -s {width}x{height} -r {kind.fps}" if kind is GIF else "-f matroska"
    stream = _every_frame if kind is GIF else partial(_changed_frames, size=size, fps=kind.fps)
    command = [ffmpeg(), "-y", "-loglevel", "error", *source.split(), "-i", "pipe:0", "-an", *kind.coding.split(), path]
    # Error output is written to a file, because a pipe that is not read could fill up and block both processes.
    with tempfile.TemporaryFile() as complaints:
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=complaints) as process:
            assert process.stdin is not None
            try:
                complete = _send(process.stdin, stream(frames, lambda frame: packed(_sized(frame, size))))
            except BaseException:
                process.kill()
                raise
        if process.returncode or not complete:
            complaints.seek(0)
            parts = complaints.read().decode("utf-8", "replace").strip().splitlines()
            raise OSError(parts[-1] if parts else "the encoder stopped")


def _every_frame(frames: Iterable[Image.Image], packed: Callable[[Image.Image], bytes]) -> Iterator[bytes]:
    """Yield the bytes of all frames. A picture that does not change is converted once."""
    shown: Image.Image | None = None
    data = b""
    for frame in frames:
        if frame is not shown:
            shown, data = frame, packed(frame)
        yield data


def _changed_frames(
    frames: Iterable[Image.Image], packed: Callable[[Image.Image], bytes], *, size: tuple[int, int], fps: int
) -> Iterator[bytes]:
    """Yield a stream of pictures with their times. Each picture is sent once, and again after each second for which it
    does not change. The last frame is sent too, so that the film has its full length."""
    yield stream_head(size, fps)
    shown: Image.Image | None = None
    data, index, sent = b"", -1, -1
    for index, frame in enumerate(frames):
        if frame is not shown:
            shown, data = frame, packed(frame)
        elif index < sent + fps:
            continue
        sent = index
        yield picture_head(index, fps, len(data))
        yield data
    if sent < index:
        yield picture_head(index, fps, len(data))
        yield data


def _send(pipe: IO[bytes], parts: Iterable[bytes]) -> bool:
    """Write everything and close the pipe. Return False if the reading process ended early."""
    try:
        for data in parts:
            pipe.write(data)
        pipe.close()
    except BrokenPipeError:
        # Closing the pipe writes the rest of the buffer, which raises the error once more.
        with suppress(BrokenPipeError):
            pipe.close()
        return False
    return True


def _sized(frame: Image.Image, size: tuple[int, int]) -> Image.Image:
    return frame if frame.size == size else frame.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)


_LAYOUTS: dict[str, type[TableScene | SidesScene | Dashboard | QuestionScene]] = {
    "table": TableScene,
    "sides": SidesScene,
    "dashboard": Dashboard,
    "question": QuestionScene,
}


@dataclass(frozen=True, slots=True)
class Film:
    """A film that is planned but not drawn yet."""

    timeline: Timeline
    draw: Callable[[Moment], Image.Image]
    """A function that draws the picture of a moment."""
    dots: tuple[int, int]
    """The width and height of the pictures."""
    seats: tuple[Colour, ...]
    """The colours of the seats."""

    def frames(self, fps: float) -> Iterator[Image.Image]:
        """Yield the pictures frame by frame. If nothing moves, the same picture is yielded again."""
        for moment, frames in groupby(self.timeline.moments(fps)):
            picture = self.draw(moment)
            yield from (picture for _ in frames)


@dataclass(frozen=True, slots=True)
class FilmLook:
    """The settings of a film: speed, reading speed, font, layout, and the first and the last round that it shows."""

    speed: float = 1.0
    words_per_minute: float = WORDS_PER_MINUTE
    font: Path | None = None
    sheet: FrameLayout = LYING
    rounds: tuple[int, int] | None = None
    highlights: bool = False
    """True for a short film of the turning points."""


def plan(record: GameRecord, look: FilmLook = FilmLook(), *, source: str = "") -> Film:  # noqa: B008 - it is a value
    """Return the film of a record. `source` identifies the game on the cards."""
    record = with_names_and_colours(with_tellings(record))
    if record.scene is None or record.opening is None:
        raise RecordError(missing(record.game, record.package))
    story = Story(record.scene, record.opening, tuple(record.told))
    cast = FilmCast(
        tuple(seat.label for seat in record.seats),
        tuple(seat.name or seat.player for seat in record.seats),
        seat_colours(len(record.seats), [seat.colour for seat in record.seats]),
    )
    rules = tuple(f"{name.replace('_', ' ')} {_format_rule(value)}" for name, value in record.rules.items())
    sentences = tuple(cast.words(line) for line in record.opening.text[:3])
    source = source or f"{record.title or record.game} · Ostrom {VERSION}"
    return plan_story(story, cast, look, Credits(record.title or story.scene.title, sentences, rules, source))


def _format_rule(value: Any) -> str:
    """Return the value of a rule in few words."""
    if isinstance(value, bool):
        return "on" if value else "off"
    text = "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
    return text if len(text) <= _MAX_RULE_LENGTH else f"{text[: _MAX_RULE_LENGTH - 1]}…"


_MAX_RULE_LENGTH: Final = 40


def plan_story(
    story: Story,
    cast: FilmCast,
    look: FilmLook = FilmLook(),  # noqa: B008 - it is a value
    film_credits: Credits | None = None,
) -> Film:
    """Return the film of a game. It begins with a card that shows the game and its players, and ends with a card that
    shows the winner."""
    film_credits = film_credits or Credits(story.scene.title)
    lettering, cast = Lettering(look.font, look.sheet), replace(cast, roles=story.scene.roles)
    tellings = timeline_of(story, len(cast.labels), look.words_per_minute)
    upright = look.sheet.upright
    scene = (
        Portrait(story, tellings, cast, lettering, film_credits)
        if upright
        else _LAYOUTS[story.scene.layout](story, tellings, cast, lettering)
    )
    first, last = tellings.shots[0], tellings.shots[-1]
    title = Shot(Kind.TITLE, 0, 0.5, 4.0, (), first.before, first.before, story.opening)
    quantity = main_quantity(story.scene)
    # In films of a table and in portrait layout, the game itself ends with a result card. An unfinished game has no
    # result to show.
    complete = quantity is None or last.kind is not Kind.FINAL or upright or story.scene.layout == "table"
    result = [] if complete else [Shot(Kind.RESULT, last.turn, 1.4, 4.0, (), last.after, last.after, last.telling)]
    timeline = Timeline((title, *tellings.shots, *result), tellings.seats).at_speed(look.speed)
    timeline = timeline if look.rounds is None else timeline.of_rounds(*look.rounds)
    timeline = of_turning_points(story.scene, timeline) if look.highlights else timeline
    card = title_card(film_credits, cast, lettering)
    ground = Canvas(lettering).image

    def draw(moment: Moment) -> Image.Image:
        kind = timeline.shots[moment.shot].kind
        if kind is Kind.TITLE:
            return card if moment.done >= 1 else Image.blend(ground, card, smooth(moment.done))
        if kind is Kind.RESULT and quantity is not None:
            return result_card(story.scene, quantity, last.after, film_credits, cast, lettering, moment.done)
        picture = scene.draw(Moment(moment.shot - 1, moment.done))
        return say_source(picture, film_credits, lettering) if kind is Kind.FINAL and not upright else picture

    return Film(timeline, draw, look.sheet.dots, tuple(cast.colour(seat) for seat in range(tellings.seats)))


def film(
    record: GameRecord,
    path: Path,
    look: FilmLook = FilmLook(),  # noqa: B008 - it is a value
    *,
    source: str = "",
    upright: bool = False,
    progress: Progress | None = None,
) -> Film:
    """Draw the film of a record and write it to a file with the extension .mp4 (1920×1080, portrait 1080×1920) or
    .gif."""
    kind = format_of(path)
    planned = plan(record, replace(look, sheet=kind.sheet(upright=upright)), source=source)
    total = len(planned.timeline.moments(kind.fps))
    frames = planned.frames(kind.fps)
    write_film(path, kind, frames, total, progress, dots=planned.dots, seats=planned.seats)
    return planned
