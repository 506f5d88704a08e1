"""How a game at a table ended: the standing, and the way there."""

from collections.abc import Sequence

from PIL import Image

from ostrom.charts.film.canvas import Canvas, figure, round_up, won
from ostrom.charts.film.cast import Cast, ranks
from ostrom.charts.film.colours import COIN, FAINT, INK, LINE, SOFT, seat_colour
from ostrom.charts.film.easing import part, settle, smooth
from ostrom.charts.film.lettering import Lettering
from ostrom.charts.film.shapes import disc, panel, stroke
from ostrom.charts.film.timeline import Kind, Shot
from ostrom.core.scene import Quantity, Scene

_LISTED = 12
"""So many places are listed; of larger tables the best."""
_LEFT, _TOP, _FOOT = 40, 110, 680
_CHART = (760, 156, 1200, 640)


def draw_final(
    scene: Scene, quantity: str, shots: Sequence[Shot], cast: Cast, lettering: Lettering, done: float
) -> Image.Image:
    """The standing, place after place, and every seat's amount by turn."""
    canvas = Canvas(lettering)
    seats = len(cast.labels)
    held, kind = shots[-1].after.held(quantity, seats), scene.quantities[quantity]
    places = ranks(held, scene.better)
    winners = [seat for seat, place in enumerate(places) if place == 1]
    turn = shots[-1].turn
    title = "The end"
    if scene.clock:
        title = f"After {turn} {scene.clock}s" if turn != 1 else f"After one {scene.clock}"
    canvas.text((_LEFT, 46), title, 30, INK, strong=True)
    who = won([f"{cast.labels[seat]} {cast.players[seat]}" for seat in winners])
    canvas.text((_LEFT, 84), f"{who} with {figure(held[winners[0]], kind)}", 18, COIN, width=1200)
    draw_places(canvas, held, kind, cast, places, done)
    _draw_ways(canvas, f"{kind.title} after each {scene.clock or 'moment'}", _ends(shots, quantity, seats), cast, done)
    return canvas.image


def draw_places(
    canvas: Canvas, held: Sequence[float], kind: Quantity, cast: Cast, places: Sequence[int], done: float
) -> None:
    """Seats by their places, with bars as long as what they hold."""
    order = sorted(range(len(places)), key=lambda seat: (places[seat], seat))
    listed = order[:_LISTED]
    step = min(86.0, (_FOOT - _TOP) / len(listed))
    most = max(*held, 1e-9)
    for row, seat in enumerate(listed):
        seen = settle(part(done, 0.1 + 0.4 * row / len(listed), 0.6 + 0.4 * row / len(listed)))
        y = _TOP + step * (row + 0.5)
        canvas.text((_LEFT + 24, y), str(places[seat]), 22, SOFT, anchor="rm")
        thick = min(22.0, step * 0.4)
        name = f"{cast.labels[seat]} · {cast.players[seat]}"
        canvas.text((_LEFT + 44, y - thick * 0.75), name, 16, INK, width=430)
        wide = 440 * seen * max(0.0, held[seat]) / most
        panel(canvas.image, (_LEFT + 44, y + 2, _LEFT + 48 + wide, y + 2 + thick), seat_colour(seat), 4)
        shown = figure(held[seat] * seen, kind)
        canvas.text((_LEFT + 60 + wide, y + 2 + thick / 2), shown, 20, COIN if places[seat] == 1 else INK)
    if len(order) > len(listed):
        canvas.text((_LEFT + 44, 702), f"and {len(order) - len(listed)} more", 14, FAINT)


def _draw_ways(canvas: Canvas, title: str, ways: Sequence[Sequence[float]], cast: Cast, done: float) -> None:
    """Amounts at the end of each turn as lines, drawn from left to right."""
    left, top, right, foot = _CHART
    most = round_up(max(max(way) for way in ways))
    turns = len(ways) - 1
    canvas.text((left, top - 22), title, 14, SOFT)
    for x in (0.0, 0.5, 1.0):
        y = foot - (foot - top) * x
        canvas.draw.line((left, y, right, y), fill=LINE)
        canvas.text((left - 8, y), figure(most * x), 12, FAINT, anchor="rm")
    step = (right - left) / max(1, turns)
    for index in range(0, turns + 1, max(1, -(-turns // 10))):
        canvas.text((left + step * index, foot + 16), str(index), 12, FAINT, anchor="mm")
    seen = smooth(part(done, 0.15, 0.95)) * turns
    ends: list[tuple[float, int]] = []
    for seat in range(len(ways[0])):
        points = [
            (left + step * index, foot - (foot - top) * max(0.0, way[seat]) / most) for index, way in enumerate(ways)
        ]
        whole = int(seen)
        drawn = points[: whole + 1]
        if whole < turns:
            (x0, y0), (x1, y1), x = points[whole], points[whole + 1], seen - whole
            drawn = [*drawn, (x0 + (x1 - x0) * x, y0 + (y1 - y0) * x)]
        if len(drawn) > 1:
            stroke(canvas.image, drawn, 3, seat_colour(seat))
        disc(canvas.image, drawn[-1], 5, seat_colour(seat))
        ends.append((drawn[-1][1], seat))
    if done == 1 and len(ends) <= _LISTED:
        _label_ends(canvas, ends, right + 12, cast)


def _label_ends(canvas: Canvas, ends: list[tuple[float, int]], x: float, cast: Cast) -> None:
    """Labels beside the ends of lines, pushed apart where they would overlap."""
    above = 0.0
    placed: list[tuple[float, int]] = []
    for y, seat in sorted(ends):
        above = max(y, above + 17)
        placed.append((above, seat))
    over = max(0.0, placed[-1][0] - (_CHART[3] + 6))
    for y, seat in placed:
        canvas.text((x, y - over), cast.labels[seat], 15, seat_colour(seat), width=60)


def _ends(shots: Sequence[Shot], quantity: str, seats: int) -> list[list[float]]:
    """What seats held at the beginning and after each turn."""
    held = {shot.turn: shot.after.held(quantity, seats) for shot in shots if shot.kind is not Kind.FINAL}
    held[shots[-1].turn] = shots[-1].after.held(quantity, seats)
    return [held[turn] for turn in sorted(held)]
