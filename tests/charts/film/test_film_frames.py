"""Pictures: their size, their motion, and that no text disturbs them."""

import pytest
from PIL import ImageChops

from charts.film.filmed import GAMES, HOSTILE, commons, of_events, record_of, round_of, two_rounds
from ostrom.charts.film.canvas import MAX_TEXT, MISSING, Lettering
from ostrom.charts.film.colours import TABLE, contrast, film_palette, seat_colours, short
from ostrom.charts.film.film import MP4, FilmLook, plan
from ostrom.charts.film.timeline import Kind, Moment
from ostrom.core import InputError
from ostrom.games.contribute_punish.events import PunishEnded

LETTERING = Lettering()


def same(one, other):
    return ImageChops.difference(one, other).getbbox() is None


@pytest.mark.parametrize("record", [two_rounds(), commons()], ids=["punish", "commons"])
def test_every_scene_is_drawn_at_one_size_and_moves(record):
    film = plan(record)
    for index, shot in enumerate(film.timeline.shots):
        begun, ended = film.draw(Moment(index, 0.1)), film.draw(Moment(index, 1.0))
        assert begun.size == ended.size == (1280, 720)
        assert begun.mode == "RGB"
        if shot.kind in (Kind.SPEAK, Kind.GIVE, Kind.GROW, Kind.SHARE, Kind.STRIKE, Kind.TURN):
            assert not same(begun, ended), shot.kind


@pytest.mark.parametrize("upright", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["lying", "upright"])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_film(game, upright):
    film = plan(record_of(game), FilmLook(sheet=MP4.sheet(upright=upright)))
    last = len(film.timeline.shots) - 1
    for moment in (Moment(0, 0.5), Moment(1, 1.0), Moment(last // 2, 1.0), Moment(last, 0.5), Moment(last, 1.0)):
        assert film.draw(moment).size == ((1080, 1920) if upright else (1920, 1080))


@pytest.mark.parametrize("record", [two_rounds(), commons(), record_of("trust")], ids=["punish", "commons", "trust"])
def test_a_picture_depends_on_its_moment_alone(record):
    film = plan(record)
    last = len(film.timeline.shots) - 1
    moment = Moment(last // 2, 0.5)
    first = film.draw(moment)
    film.draw(Moment(last, 1.0))
    film.draw(Moment(0, 0.0))
    assert same(first, film.draw(moment))


def test_frames_that_show_the_same_moment_are_one_picture():
    frames = list(plan(two_rounds(), FilmLook(speed=4)).frames(10))
    assert len({id(frame) for frame in frames}) < len(frames)


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_words_and_names_are_drawn(text):
    for upright in (False, True):
        film = plan(two_rounds(text, (text, "Bob", text)), FilmLook(sheet=MP4.sheet(upright=upright)))
        for index in range(len(film.timeline.shots)):
            assert film.draw(Moment(index, 1.0)).size == film.dots


def test_hostile_names_in_the_commons():
    record = commons()
    names = [
        seat.model_copy(update={"player": text}) for seat, text in zip(record.seats, HOSTILE.values(), strict=False)
    ]
    film = plan(record.model_copy(update={"seats": names}))
    assert film.draw(Moment(len(film.timeline.shots) - 1, 1.0)).size == (1280, 720)


@pytest.mark.parametrize("seats", [3, 7, 30, 200])
def test_tables_of_any_size_are_drawn(seats):
    events = round_of(1, [20] * seats, [seat % 21 for seat in range(seats)], 0, ["Hello."] * seats)
    balances = events[-1].balances
    events.append(PunishEnded(round=1, balances=balances, winners=[0]))
    film = plan(of_events(events, *(f"player {seat}" for seat in range(seats)), rounds=1))
    for index in (0, 1, seats + 2, len(film.timeline.shots) - 1):
        assert film.draw(Moment(index, 0.5)).size == (1280, 720)


def test_a_large_commons_is_drawn():
    film = plan(commons(3, "AlwaysCoop:30", "Parasite:30"))
    assert film.draw(Moment(len(film.timeline.shots) - 1, 1.0)).size == (1280, 720)


def test_nothing_held_and_nothing_given_is_drawn():
    events = [*round_of(1, [0] * 3, [0] * 3, 0, []), PunishEnded(round=1, balances=[0] * 3, winners=[0, 1, 2])]
    film = plan(of_events(events, "a", "b", "c", start=0, rounds=1))
    for index in range(len(film.timeline.shots)):
        film.draw(Moment(index, 0.5))


def test_short_text_stands_as_it_is():
    assert LETTERING.wrapped("I give 10.", 15, 200, 3) == ("I give 10.",)
    assert LETTERING.wrapped("", 15, 200, 3) == ()


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("width", [1, 60, 300])
def test_wrapped_text_keeps_to_its_room(text, width):
    lines = LETTERING.wrapped(text, 15, width, 4)
    assert len(lines) <= 4
    for line in lines:
        assert LETTERING.width(line, 15) <= width or len(line) <= 1
        assert line.isprintable()
        assert "\u202e" not in line


def test_text_that_is_too_long_ends_with_an_ellipsis():
    *_, last = LETTERING.wrapped("word " * 200, 15, 200, 4)
    assert last.endswith("…")
    assert LETTERING.fitted("W" * 1000, 15, 100).endswith("…")


def test_signs_that_the_font_lacks_are_spelled_or_boxed():
    assert LETTERING.legible("3 × 4 — café") == "3 x 4 - cafe"
    assert LETTERING.legible("合") == MISSING
    assert len(LETTERING.legible("W" * 100_000)) == MAX_TEXT


def test_a_font_that_is_none_is_refused(tmp_path):
    file = tmp_path / "font.ttf"
    with pytest.raises(InputError, match="cannot be used as a font"):
        Lettering(file)
    file.write_text("no font")
    with pytest.raises(InputError, match="cannot be used as a font"):
        Lettering(file)


def test_the_palette_fits_a_gif():
    assert 100 < len(film_palette()) <= 256


def test_seats_have_the_colours_of_their_players_and_can_be_read():
    green, blue = "#009e73", "#0072b2"
    found = seat_colours(4, [green, blue, green, None])
    assert len(set(found)) == 4
    assert all(contrast(colour, TABLE) >= 4.5 for colour in found)
    assert found[0][1] == max(found[0])  # still green
    assert found == seat_colours(4, [green, blue, green, None])


def test_up_to_twelve_seats_of_one_family_have_different_colours():
    assert len(set(seat_colours(12, ["#6387ff"] * 12))) == 12


@pytest.mark.parametrize(
    ("amount", "label"),
    [
        (15.0, "15"),
        (0.0, "0"),
        (2.5, "2.5"),
        (-3.0, "-3"),
        (99.96, "100"),
        (1234.5, "1,234"),
        (3e6, "3 M"),
        (2.5e9, "2.5 G"),
    ],
)
def test_whole_numbers_of_an_axis_have_no_decimals(amount, label):
    assert short(amount) == label


def test_bars_keep_one_scale_through_the_film():
    film = plan(two_rounds())
    first, last = (
        next(index for index, shot in order if shot.kind is Kind.REST)
        for order in (enumerate(film.timeline.shots), reversed(list(enumerate(film.timeline.shots))))
    )
    lines = (8, 470, 60, 500)  # where the scale's upper figure stands
    assert same(film.draw(Moment(first, 1.0)).crop(lines), film.draw(Moment(last, 1.0)).crop(lines))
