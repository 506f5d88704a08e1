"""How a game of Contribute & Punish ended: the standing, and the way there."""

from collections.abc import Sequence

from PIL import Image

from ostrom.charts.film.canvas import Canvas, count, round_up, won
from ostrom.charts.film.colours import COIN, FAINT, INK, LINE, SOFT, seat_colour
from ostrom.charts.film.easing import part, settle, smooth
from ostrom.charts.film.lettering import Lettering
from ostrom.charts.film.shapes import disc, panel, stroke
from ostrom.charts.film.timeline import Kind, Scene

_LISTED = 12
"""So many places are listed; of larger tables the best."""
_LEFT, _TOP, _FOOT = 40, 110, 680
_CHART = (760, 156, 1200, 640)


def ranks(balances: Sequence[float]) -> list[int]:
    """The place of each seat, counted from 1; equal balances share a place."""
    return [1 + sum(other > balance for other in balances) for balance in balances]


def draw_final(scenes: Sequence[Scene], names: Sequence[str], lettering: Lettering, done: float) -> Image.Image:
    """The standing, place after place, and every seat's balance by round."""
    canvas = Canvas(lettering)
    last = scenes[-1]
    places = ranks(last.after)
    winners = [seat for seat, place in enumerate(places) if place == 1]
    title = f"After {last.turn} rounds" if last.turn != 1 else "After one round"
    canvas.text((_LEFT, 46), title, 30, INK, strong=True)
    who = won([f"P{seat + 1} {names[seat]}" for seat in winners])
    canvas.text((_LEFT, 84), f"{who} with {count(last.after[winners[0]])}", 18, COIN, width=1200)
    _draw_places(canvas, last, names, places, done)
    _draw_ways(canvas, scenes, smooth(part(done, 0.15, 0.95)))
    return canvas.image


def _draw_places(canvas: Canvas, last: Scene, names: Sequence[str], places: Sequence[int], done: float) -> None:
    order = sorted(range(len(places)), key=lambda seat: (places[seat], seat))
    listed = order[:_LISTED]
    step = min(86.0, (_FOOT - _TOP) / len(listed))
    most = max(*last.after, 1.0)
    for row, seat in enumerate(listed):
        seen = settle(part(done, 0.1 + 0.4 * row / len(listed), 0.6 + 0.4 * row / len(listed)))
        y = _TOP + step * (row + 0.5)
        colour = seat_colour(seat)
        canvas.text((_LEFT + 24, y), str(places[seat]), 22, SOFT, anchor="rm")
        thick = min(22.0, step * 0.4)
        canvas.text((_LEFT + 44, y - thick * 0.75), f"P{seat + 1} · {names[seat]}", 16, INK, width=430)
        wide = 440 * seen * max(0.0, last.after[seat]) / most
        panel(canvas.image, (_LEFT + 44, y + 2, _LEFT + 48 + wide, y + 2 + thick), colour, 4)
        shown = count(last.after[seat] * seen)
        canvas.text((_LEFT + 60 + wide, y + 2 + thick / 2), shown, 20, COIN if places[seat] == 1 else INK)
    if len(order) > len(listed):
        canvas.text((_LEFT + 44, 702), f"and {len(order) - len(listed)} more", 14, FAINT)


def _draw_ways(canvas: Canvas, scenes: Sequence[Scene], done: float) -> None:
    """Balances at the end of each round as lines, drawn from left to right."""
    left, top, right, foot = _CHART
    ways = _ends_of_rounds(scenes)
    most = round_up(max(max(way) for way in ways))
    rounds = len(ways) - 1
    canvas.text((left, top - 22), "tokens after each round", 14, SOFT)
    for x in (0.0, 0.5, 1.0):
        y = foot - (foot - top) * x
        canvas.draw.line((left, y, right, y), fill=LINE)
        canvas.text((left - 8, y), count(most * x), 12, FAINT, anchor="rm")
    step = (right - left) / max(1, rounds)
    for index in range(0, rounds + 1, max(1, -(-rounds // 10))):
        canvas.text((left + step * index, foot + 16), str(index), 12, FAINT, anchor="mm")
    seen = done * rounds
    ends: list[tuple[float, int]] = []
    for seat in range(len(ways[0])):
        points = [
            (left + step * index, foot - (foot - top) * max(0.0, way[seat]) / most) for index, way in enumerate(ways)
        ]
        whole = int(seen)
        drawn = points[: whole + 1]
        if whole < rounds:
            (x0, y0), (x1, y1), x = points[whole], points[whole + 1], seen - whole
            drawn = [*drawn, (x0 + (x1 - x0) * x, y0 + (y1 - y0) * x)]
        if len(drawn) > 1:
            stroke(canvas.image, drawn, 3, seat_colour(seat))
        disc(canvas.image, drawn[-1], 5, seat_colour(seat))
        ends.append((drawn[-1][1], seat))
    if done == 1 and len(ends) <= _LISTED:
        _label_ends(canvas, ends, right + 12)


def _label_ends(canvas: Canvas, ends: list[tuple[float, int]], x: float) -> None:
    """Labels beside the ends of lines, pushed apart where they would overlap."""
    above = 0.0
    placed: list[tuple[float, int]] = []
    for y, seat in sorted(ends):
        above = max(y, above + 17)
        placed.append((above, seat))
    over = max(0.0, placed[-1][0] - (_CHART[3] + 6))
    for y, seat in placed:
        canvas.text((x, y - over), f"P{seat + 1}", 15, seat_colour(seat))


def _ends_of_rounds(scenes: Sequence[Scene]) -> list[tuple[float, ...]]:
    """What seats held at the beginning and after each round."""
    held = {scene.turn: scene.after for scene in scenes if scene.kind is not Kind.FINAL}
    held[scenes[-1].turn] = scenes[-1].after
    return [held[turn] for turn in sorted(held)]
