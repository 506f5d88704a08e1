"""Films as files: whole or not there."""

import subprocess
from itertools import groupby

import imageio_ffmpeg
import pytest
from PIL import Image

from charts.film.filmed import commons, two_rounds
from ostrom.charts.film import film as films
from ostrom.charts.film.film import GIF, MP4, FilmLook, film, format_of, plan, write_film
from ostrom.core import InputError


@pytest.mark.slow
@pytest.mark.parametrize("record", [two_rounds(), commons(3)], ids=["punish", "commons"])
def test_an_mp4_is_written_and_can_be_read(record, tmp_path):
    path = tmp_path / "game.mp4"
    told = []
    made = film(record, path, FilmLook(speed=20), progress=lambda done, total: told.append((done, total)))
    total = len(made.timeline.moments(MP4.fps))
    assert told == [(done, total) for done in range(1, total + 1)]
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(str(path))
    # A picture that stays is one frame, repeated after each second.
    pictures = len(list(groupby(made.timeline.moments(MP4.fps))))
    assert pictures <= frames <= min(total, pictures + seconds + 1)
    assert seconds == pytest.approx(made.timeline.duration, abs=0.2)
    reader = imageio_ffmpeg.read_frames(str(path))
    assert next(reader)["size"] == (1920, 1080)
    reader.close()
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.slow
def test_a_gif_is_written_and_can_be_read(tmp_path):
    path = tmp_path / "game.GIF"
    made = film(two_rounds(), path, FilmLook(speed=4))
    expected = plan(two_rounds(), FilmLook(speed=4)).draw(made.timeline.moments(GIF.fps)[-1]).resize((800, 450))
    with Image.open(path) as image:
        assert image.size == (800, 450)
        assert image.n_frames > 10
        image.seek(image.n_frames - 1)
        last = image.convert("RGB")
    # Few colours, and yet the picture: on average a pixel lies within a few steps of what was drawn.
    means = [abs(one - other) for one, other in zip(_mean(last), _mean(expected), strict=True)]
    assert max(means) < 4
    assert list(tmp_path.iterdir()) == [path]


def test_a_picture_that_stays_is_shown_for_its_time_and_the_last_one_to_the_end(tmp_path):
    path = tmp_path / "still.mp4"
    size = MP4.sheet().dots
    white, black = Image.new("RGB", size, "white"), Image.new("RGB", size, "black")
    write_film(path, MP4, [white] * 60 + [black] * 3 + [white] * 37, 100)
    times, light = zip(*_frames(path), strict=True)
    assert times == pytest.approx((0, 1, 2, 2.4, 2.52, 3.52, 3.96), abs=0.001)
    assert [level > 128 for level in light] == [True, True, True, False, True, True, True]
    assert imageio_ffmpeg.count_frames_and_secs(str(path))[1] == pytest.approx(4, abs=0.05)


def _frames(path):
    """The time of each frame of a film in seconds, and its mean brightness."""
    command = [
        imageio_ffmpeg.get_ffmpeg_exe(),
        "-i",
        str(path),
        "-vf",
        "showinfo",
        "-fps_mode",
        "vfr",
        "-f",
        "null",
        "-",
    ]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stderr.splitlines()
    shown = [line for line in lines if "pts_time:" in line]
    return [(float(line.split("pts_time:")[1].split()[0]), int(line.split("mean:[")[1].split()[0])) for line in shown]


def _mean(image):
    return image.resize((1, 1), Image.Resampling.BOX).getpixel((0, 0))


@pytest.mark.parametrize("name", ["game.avi", "game", "game.mp4.txt", ".mp4"])
def test_another_ending_is_refused(name, tmp_path):
    with pytest.raises(InputError, match=r"\.mp4 or \.gif"):
        film(two_rounds(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_told_before_anything_is_drawn(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        format_of(tmp_path / "file" / "game.mp4")
    (tmp_path / "folder.mp4").mkdir()
    with pytest.raises(InputError, match="it is a folder"):
        format_of(tmp_path / "folder.mp4")


def test_what_was_there_stays_when_drawing_fails(tmp_path):
    path = tmp_path / "game.mp4"
    path.write_text("an older film")

    def frames():
        yield Image.new("RGB", MP4.sheet().dots)
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        write_film(path, MP4, frames(), 2)
    assert path.read_text() == "an older film"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("script", ["exit 0", "exit 3", "cat > /dev/null; echo it broke >&2; exit 3", "kill -9 $$"])
@pytest.mark.parametrize("ending", ["mp4", "gif"])
def test_an_encoder_that_fails_early_or_late_leaves_nothing(script, ending, tmp_path, monkeypatch):
    broken = tmp_path / "ffmpeg"
    broken.write_text(f"#!/bin/sh\n{script}\n")
    broken.chmod(0o755)
    monkeypatch.setattr(films, "ffmpeg", lambda: str(broken))
    with pytest.raises(InputError, match=r"cannot be written: (it broke|the encoder stopped)$"):
        film(two_rounds(), tmp_path / f"game.{ending}", FilmLook(speed=20))
    assert list(tmp_path.iterdir()) == [broken]


def test_an_upright_film_is_as_large_as_telephones_show(tmp_path):
    assert MP4.size(MP4.sheet(upright=True).dots) == (1080, 1920)
    film(two_rounds(), tmp_path / "game.gif", FilmLook(speed=40), upright=True)
    with Image.open(tmp_path / "game.gif") as image:
        assert image.size == (450, 800)
