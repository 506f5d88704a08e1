"""The cards of a film. One card shows the game, its players and rules, one shows the winner, and one shows the source.
Cards have a landscape and a portrait layout."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image

from ostrom.charts.film.canvas import Canvas, Lettering, part, settle
from ostrom.charts.film.colours import COIN, FAINT, INK, LINE, PRINT, SOFT, FilmCast, figure, in_order, ranks, won
from ostrom.charts.film.timeline import FilmState
from ostrom.core.scene import Scene

_MAX_PLAYERS: Final = 16
_MAX_PLACES: Final = 12
_LEFT: Final = 48


@dataclass(frozen=True, slots=True)
class Credits:
    """The texts of the cards, except names and amounts of seats."""

    title: str = ""
    """The game's title."""
    sentences: tuple[str, ...] = ()
    """The game's summary."""
    rules: tuple[str, ...] = ()
    """Each rule with its value."""
    source: str = ""
    """The game's id and date, and the program that drew the film."""


def title_card(film_credits: Credits, cast: FilmCast, lettering: Lettering) -> Image.Image:
    """Draw a card with the game, its players and its rules."""
    canvas, sheet = Canvas(lettering), lettering.sheet
    wide = sheet.width - 2 * _LEFT
    y = 150.0 if sheet.upright else 84.0
    canvas.text((_LEFT, y), film_credits.title, 52 if not sheet.upright else 46, INK, strong=True, width=wide)
    y += 66
    size = 28 if sheet.upright else 24
    for sentence in film_credits.sentences:
        for line in lettering.wrapped(f"{sentence[:1].upper()}{sentence[1:]}.", size, wide, 4):
            canvas.text((_LEFT, y), line, size, SOFT)
            y += size * 1.4
    y = _players(canvas, cast, y + 22)
    foot = sheet.height - 76
    size = 24 if sheet.upright else 20
    for row, line in enumerate(_packed(lettering, film_credits.rules, size, wide)):
        at = y + 40 + size * 1.5 * row
        if at > foot:
            break
        canvas.text((_LEFT, at), line, size, FAINT)
    _source(canvas, film_credits)
    return canvas.image


def _players(canvas: Canvas, cast: FilmCast, top: float) -> float:
    """Draw the players, in one column in portrait layout and in two columns in landscape layout. Return the position of
    the lower end of the list."""
    columns = 1 if canvas.lettering.sheet.upright else 2
    wide = (canvas.lettering.sheet.width - 2 * _LEFT) / columns
    visible = min(len(cast.labels), _MAX_PLAYERS)
    rows = -(-visible // columns)
    step = 46.0 if rows <= 5 and columns == 2 else 32.0 if columns == 2 else 62.0 if rows <= 8 else 44.0
    for seat in range(visible):
        x, y = _LEFT + wide * (seat // rows), top + step * (seat % rows) + step / 2
        chip_and_name(canvas, (x, y), cast, seat, 28 if step > 60 else 22 if step > 40 else 18, wide - 20)
    end = top + step * rows
    if visible < len(cast.labels):
        canvas.text((_LEFT, end + 14), f"and {len(cast.labels) - visible} more", 18, FAINT)
        end += 28
    return end


def chip_and_name(canvas: Canvas, at: tuple[float, float], cast: FilmCast, seat: int, size: int, width: float) -> None:
    """Draw a seat's label in its colour, and its player."""
    label = canvas.lettering.fitted(cast.labels[seat], size, width / 3)
    chip = canvas.lettering.width(label, size) + 18
    x, y = at
    canvas.panel((x, y - size * 0.8, x + chip, y + size * 0.8), cast.colour(seat), 7)
    canvas.text((x + chip / 2, y), label, size, PRINT, anchor="mm")
    player = "" if cast.players[seat] == cast.labels[seat] else cast.players[seat]
    canvas.text(
        (x + chip + 10, y), ", ".join(filter(None, (player, cast.role(seat)))), size, INK, width=width - chip - 10
    )


def result_card(
    scene: Scene,
    quantity: str,
    state: FilmState,
    film_credits: Credits,
    cast: FilmCast,
    lettering: Lettering,
    done: float,
) -> Image.Image:
    """Draw a card with the winner and the finals of all seats."""
    canvas, sheet = Canvas(lettering), lettering.sheet
    wide = sheet.width - 2 * _LEFT
    amounts, kind = state.values(quantity, len(cast.labels)), scene.quantities[quantity]
    places = ranks(amounts, scene.better)
    best = [seat for seat, place in enumerate(places) if place == 1]
    y = 130.0 if sheet.upright else 70.0
    canvas.text((_LEFT, y), film_credits.title, 24, SOFT, width=wide)
    for line in lettering.wrapped(won([cast.names[seat] for seat in best]), 44, wide, 2):
        y += 54
        canvas.text((_LEFT, y), line, 44, COIN, strong=True)
    y += 48
    canvas.text((_LEFT, y), f"{figure(amounts[best[0]], kind)} at the end", 24, INK, width=wide)
    _places(canvas, amounts, scene, quantity, cast, y + 34, done)
    _source(canvas, film_credits)
    return canvas.image


def _places(
    canvas: Canvas,
    amounts: Sequence[float | None],
    scene: Scene,
    quantity: str,
    cast: FilmCast,
    top: float,
    done: float,
) -> None:
    """Draw seats in the order of their ranks. The length of a bar is the seat's amount."""
    sheet, kind = canvas.lettering.sheet, scene.quantities[quantity]
    order = in_order(places := ranks(amounts, scene.better))
    listed = order[:_MAX_PLACES]
    step = min(104.0 if sheet.upright else 78.0, (sheet.height - 90 - top) / len(listed))
    size = 24 if step > 70 else 18 if step > 40 else 14
    room, most = sheet.width - 2 * _LEFT - 170, max(*(amount or 0.0 for amount in amounts), 1e-9)
    for row, seat in enumerate(listed):
        seen = settle(part(done, 0.3 * row / len(listed), 0.6 + 0.4 * row / len(listed)))
        y = top + step * (row + 0.5)
        canvas.text((_LEFT, y), str(places[seat]), size, SOFT)
        chip_and_name(canvas, (_LEFT + 44, y - step * 0.2), cast, seat, size - 4, sheet.width - _LEFT - 110)
        amount = amounts[seat]
        right = _LEFT + 48 + room * seen * max(0.0, amount or 0.0) / most
        canvas.panel((_LEFT + 44, y + step * 0.1, right, y + step * 0.36), cast.colour(seat), 4)
        ink = COIN if places[seat] == 1 else INK
        canvas.text(
            (right + 12, y + step * 0.23), figure(None if amount is None else amount * seen, kind), size - 2, ink
        )
    if len(order) > len(listed):
        canvas.text((_LEFT + 44, sheet.height - 78), f"and {len(order) - len(listed)} more", 16, FAINT)


def _source(canvas: Canvas, words: Credits) -> None:
    """Draw the source at the lower edge."""
    sheet = canvas.lettering.sheet
    canvas.draw.line((_LEFT, sheet.height - 56, sheet.width - _LEFT, sheet.height - 56), fill=LINE)
    for row, line in enumerate(canvas.lettering.wrapped(words.source, 16, sheet.width - 2 * _LEFT, 2)):
        canvas.text((_LEFT, sheet.height - 36 + 20 * row), line, 16, FAINT)


def say_source(image: Image.Image, film_credits: Credits, lettering: Lettering) -> Image.Image:
    """Return a picture with the source of the film in its lower right corner."""
    canvas, sheet = Canvas(lettering, image), lettering.sheet
    canvas.text(
        (sheet.width - 12, sheet.height - 12), film_credits.source, 12, FAINT, anchor="rm", width=sheet.width * 0.6
    )
    return canvas.image


def _packed(lettering: Lettering, words: Sequence[str], size: int, width: float) -> list[str]:
    """Return the words in lines of at most this width, with dots between words."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} · {word}" if lines else word
        if lines and lettering.width(lettering.legible(longer), size) <= width:
            lines[-1] = longer
        else:
            lines.append(lettering.fitted(word, size, width))
    return lines
