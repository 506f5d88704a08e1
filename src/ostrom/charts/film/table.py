"""Pictures of a game at a table at one moment, and of the end of the game, with the standings and the course."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from PIL import Image

from ostrom.charts.film import table_parts as parts
from ostrom.charts.film.canvas import Canvas, Lettering, between, part, settle, shake, smooth
from ostrom.charts.film.colours import (
    COIN,
    FAINT,
    INK,
    LINE,
    LOSS,
    SOFT,
    FilmCast,
    figure,
    in_order,
    main_quantity,
    mixed,
    ranks,
    round_up,
    won,
)
from ostrom.charts.film.table_parts import MIDDLE, Layout, Strike
from ostrom.charts.film.timeline import Kind, Moment, Shot, Timeline
from ostrom.core.effects import Say, Telling, Transfer
from ostrom.core.scene import Quantity, Scene
from ostrom.core.telling import Story

_SPEAKING = (Kind.SPEAK, Kind.LISTEN)


class TableScene:
    """Draws the moments of one film. A picture depends only on its moment."""

    def __init__(self, story: Story, timeline: Timeline, cast: FilmCast, lettering: Lettering) -> None:
        self._scene, self._opening = story.scene, story.opening
        self._shots = timeline.shots
        self._cast = cast
        self._lettering = lettering
        self._layout = Layout(timeline.seats)
        self._quantity = main_quantity(story.scene) or ""
        self._centre = None if story.scene.centre is None else story.scene.centre.quantity
        amounts = [max(self._held(shot, done)) for shot in self._shots for done in (0.0, 1.0)]
        self._scale = round_up(max([*amounts, 1.0]))
        """The highest amount of the film. All turns have the same scale, so that bars can be compared."""
        middles = [abs(self._middle(shot, done)) for shot in self._shots for done in (0.0, 1.0)]
        self._most_middle = max(middles, default=0)
        self._most_struck = max((strike.amount for shot in self._shots for strike in self._strikes(shot)), default=0.0)
        self._bubble = lru_cache(maxsize=64)(parts.make_bubble)

    def draw(self, moment: Moment) -> Image.Image:
        """Return the picture at this moment."""
        shot = self._shots[moment.shot]
        if shot.kind is not Kind.FINAL:
            return self._draw_play(moment)
        final = draw_final(self._scene, self._quantity, self._shots, self._cast, self._lettering, moment.done)
        earlier = part(moment.done, 0.0, 0.2)
        if earlier == 1:
            return final
        return Image.blend(self._draw_play(Moment(moment.shot - 1, 1.0)), final, smooth(earlier))

    def _draw_play(self, moment: Moment) -> Image.Image:
        shot, done = self._shots[moment.shot], moment.done
        canvas = Canvas(self._lettering)
        if shot.kind is Kind.OPENING:
            parts.header(canvas, self._scene.title, (), "")
            for row, line in enumerate(self._opening.text[:2]):
                ink = mixed(FAINT, INK if row == 0 else SOFT, smooth(done))
                at = (MIDDLE[0], 262 + 38 * row)
                canvas.text(at, self._cast.words(line), 22 - 4 * row, ink, anchor="mm", width=1200)
        else:
            parts.header(canvas, self._title(shot), self._scene.phases, shot.telling.phase)
        scale = self._scale
        parts.scale_lines(canvas, self._layout, scale)
        balances = self._balances(shot, done)
        self._draw_seats(canvas, moment, balances, scale)
        self._draw_coins(canvas, shot, done, scale)
        self._draw_middle(canvas, shot, done)
        self._draw_strikes(canvas, moment, balances, scale)
        self._draw_bubbles(canvas, moment)
        return canvas.image

    def _title(self, shot: Shot) -> str:
        clock, horizon = self._scene.clock.capitalize(), self._scene.horizon
        if not clock:
            return self._scene.title
        return f"{clock} {shot.turn} of {max(shot.turn, horizon)}" if horizon else f"{clock} {shot.turn}"

    def _held(self, shot: Shot, done: float) -> list[float]:
        return (shot.after if done else shot.before).held(self._quantity, self._layout.seats)

    def _balances(self, shot: Shot, done: float) -> list[float]:
        """Return the shown amount of each seat. The amount falls when tokens leave the seat, and rises when tokens
        arrive."""
        span = {Kind.GIVE: (0.0, 0.6), Kind.SHARE: (0.4, 1.0), Kind.STRIKE: (0.55, 0.85)}.get(shot.kind, (0.0, 1.0))
        x = smooth(part(done, *span))
        return [between(low, high, x) for low, high in zip(self._held(shot, 0.0), self._held(shot, 1.0), strict=True)]

    def _middle(self, shot: Shot, done: float) -> float:
        return float((shot.after if done else shot.before).table.get(self._centre or "") or 0)

    def _draw_middle(self, canvas: Canvas, shot: Shot, done: float) -> None:
        if self._centre is None or self._scene.centre is None:
            return
        span = {Kind.GIVE: (0.4, 1.0), Kind.SHARE: (0.0, 0.6)}.get(shot.kind, (0.0, 0.8))
        amounts = between(self._middle(shot, 0.0), self._middle(shot, 1.0), smooth(part(done, *span)))
        swell = 4 * done * (1 - done) if shot.kind is Kind.GROW else 0.0
        fill = abs(amounts) / self._most_middle if self._most_middle else 0.0
        known = shot.after.table.get(self._centre) is not None
        parts.middle(canvas, figure(amounts if known else None, self._scene.quantities[self._centre]), fill, swell)
        amounts_shown = shot.telling.middle
        if amounts_shown is None:
            parts.middle_notes(canvas, [self._scene.centre.title], [])
        else:
            parts.middle_notes(canvas, [amounts_shown.title, amounts_shown.figure], amounts_shown.notes)

    def _draw_seats(self, canvas: Canvas, moment: Moment, balances: Sequence[float], scale: float) -> None:
        shot, layout = self._shots[moment.shot], self._layout
        struck = {strike.target for strike in self._strikes(shot) if strike.takes and moment.done >= 0.58}
        for seat, (balance, label) in enumerate(zip(balances, self._cast.labels, strict=True)):
            recovered = part(moment.done, 0.58, 1.0) if seat in struck else 1.0
            colour = FAINT if seat in shot.after.out else self._cast.colour(seat)
            known = shot.after.known(self._quantity, seat)
            text = figure(balance if known else None, self._scene.quantities.get(self._quantity))
            x = layout.x(seat) + 9 * shake(recovered)
            parts.bar(canvas, layout, x, layout.top(balance, scale), text, mixed(LOSS, colour, settle(recovered)))
            if layout.column >= 90:
                parts.names(canvas, layout, seat, label, self._cast.players[seat], self._note(shot, seat), colour)
            elif layout.letters:
                canvas.text((x, parts.NAME), label, layout.letters, colour, anchor="mm")

    def _note(self, shot: Shot, seat: int) -> str:
        """Return a seat's role and the notes on the seat's card, as soon as they are known."""
        messages = [role] if (role := self._cast.role(seat)) else []
        for note in self._scene.card.notes if self._scene.card is not None else ():
            value = shot.after.seats.get(note.quantity, (None,) * self._layout.seats)[seat]
            quantity = self._scene.quantities[note.quantity]
            if value is not None:
                messages.append(f"{note.title or quantity.title} {figure(value, quantity)}")
        return ", ".join(messages)

    def _this_turn(self, moment: Moment) -> list[Shot]:
        """Return the shots of the turn so far."""
        first = moment.shot
        while first and self._shots[first - 1].turn == self._shots[moment.shot].turn:
            first -= 1
        return list(self._shots[first : moment.shot + 1])

    def _amounts(self, telling: Telling) -> Iterator[tuple[int, float]]:
        """Yield the transfers between seats and the middle."""
        for effect in telling.effects:
            if isinstance(effect, Transfer) and "table" in (effect.source, effect.target):
                party = effect.source if effect.target == "table" else effect.target
                if isinstance(effect.amount, tuple):
                    yield from enumerate(map(float, effect.amount))
                elif isinstance(party, int):
                    yield party, float(effect.amount)

    def _draw_coins(self, canvas: Canvas, shot: Shot, done: float, scale: float) -> None:
        if shot.kind not in (Kind.GIVE, Kind.SHARE) or done in (0.0, 1.0):
            return
        inward = shot.kind is Kind.GIVE
        low, high = self._held(shot, 0.0), self._held(shot, 1.0)
        for seat, amount in self._amounts(shot.telling):
            at = (self._layout.x(seat), self._layout.top(max(low[seat], high[seat]), scale))
            parts.coins(canvas, at, amount, done, inward=inward)
            if amount and self._layout.letters:
                late = part(done, 0.0, 0.7) if inward else part(done, 0.45, 1.0)
                beside = (at[0] + self._layout.bar / 2 + 24, at[1] + 18)
                parts.floating(canvas, beside, f"{'−' if inward else '+'}{figure(amount)}", late, gain=not inward)

    def _strikes(self, shot: Shot) -> Iterator[Strike]:
        for effect in (
            effect for telling in shot.tellings for effect in telling.effects if isinstance(effect, Transfer)
        ):
            source, target, amount = effect.source, effect.target, effect.amount
            if isinstance(source, int) and isinstance(target, int) and not isinstance(amount, tuple):
                flow = self._scene.flows.get(effect.kind)
                takes = flow is not None and flow.takes
                yield Strike(source, target, float(amount), float(effect.cost), takes)

    def _draw_strikes(self, canvas: Canvas, moment: Moment, balances: Sequence[float], scale: float) -> None:
        shots = self._this_turn(moment)
        struck = [(shot, strike) for shot in shots for strike in self._strikes(shot)]
        if not struck:
            return
        # Arcs do not move after they have struck. Their ends do not follow the bars.
        amounts = self._held(struck[0][0], 0.0)
        tops = [self._layout.top(balance, self._scale) for balance in amounts]
        for shot, strike in struck:
            now = shot is self._shots[moment.shot]
            parts.arrow(canvas, self._layout, strike, tops, self._most_struck, moment.done if now else 1.0)
            if now and self._layout.letters:
                fall, cost = part(moment.done, 0.6, 1.0), part(moment.done, 0.0, 0.5)
                paid = strike.cost if strike.takes else strike.cost + strike.amount
                for seat, text, done in ((strike.target, strike.text, fall), (strike.source, f"−{figure(paid)}", cost)):
                    top = self._layout.top(balances[seat], scale)
                    at = (self._layout.x(seat) + self._layout.bar / 2 + 22, top + 20)
                    parts.floating(canvas, at, text, done, gain=not text.startswith(("-", "−")))

    def _draw_bubbles(self, canvas: Canvas, moment: Moment) -> None:
        """Draw the messages of this turn. They fade when something else begins."""
        shots = self._this_turn(moment)
        speaking = shots[-1].kind in _SPEAKING
        fading = 0.0
        if not speaking:
            just = len(shots) > 1 and shots[-2].kind is Kind.LISTEN
            fading = settle(part(moment.done, 0.0, 0.25)) if just else 1.0
        if fading == 1.0:
            return
        messages = [
            (shot, say) for shot in shots for say in shot.telling.effects if shot.tellings and isinstance(say, Say)
        ]
        for shot, say in messages if self._layout.together else messages[-1:]:
            now = shot is shots[-1]
            place, lit = self._layout.bubble(say.seat), now or shots[-1].kind is not Kind.SPEAK
            bubble = self._bubble(self._lettering, say.text, place, self._cast.colour(say.seat), now=lit)
            parts.show_bubble(canvas, bubble, place, moment.done if now else 1.0, fading)


_MAX_PLACES = 12
"""The largest number of ranks that are listed. If a table has more seats, only the best ranks are listed."""
_LEFT, _TOP, _FOOT = 40, 110, 680
_CHART = (760, 156, 1200, 640)


def draw_final(
    scene: Scene, quantity: str, shots: Sequence[Shot], cast: FilmCast, lettering: Lettering, done: float
) -> Image.Image:
    """Draw the standings by rank, and every seat's amount by turn."""
    canvas = Canvas(lettering)
    seats = len(cast.labels)
    amounts, kind = shots[-1].after.values(quantity, seats), scene.quantities[quantity]
    places = ranks(amounts, scene.better)
    winners = [seat for seat, place in enumerate(places) if place == 1]
    turn = shots[-1].turn
    title = "The end"
    if scene.clock:
        title = f"After {turn} {scene.clock}s" if turn != 1 else f"After one {scene.clock}"
    canvas.text((_LEFT, 46), title, 30, INK, strong=True)
    who = won([f"{cast.labels[seat]} {cast.players[seat]}" for seat in winners])
    canvas.text((_LEFT, 84), f"{who} with {figure(amounts[winners[0]], kind)}", 18, COIN, width=1200)
    _draw_places(canvas, amounts, kind, cast, places, done)
    _draw_ways(canvas, f"{kind.title} after each {scene.clock or 'moment'}", _ends(shots, quantity, seats), cast, done)
    return canvas.image


def _draw_places(
    canvas: Canvas, amounts: Sequence[float | None], kind: Quantity, cast: FilmCast, places: Sequence[int], done: float
) -> None:
    """Draw seats in the order of their ranks. The length of a bar is the seat's amount."""
    order = in_order(places)
    listed = order[:_MAX_PLACES]
    step = min(86.0, (_FOOT - _TOP) / len(listed))
    most = max(*(amount or 0.0 for amount in amounts), 1e-9)
    for row, seat in enumerate(listed):
        earlier = settle(part(done, 0.1 + 0.4 * row / len(listed), 0.6 + 0.4 * row / len(listed)))
        y = _TOP + step * (row + 0.5)
        canvas.text((_LEFT + 24, y), str(places[seat]), 22, SOFT, anchor="rm")
        thick = min(22.0, step * 0.4)
        name = f"{cast.labels[seat]} · {cast.players[seat]}"
        canvas.text((_LEFT + 44, y - thick * 0.75), name, 16, INK, width=430)
        amount = amounts[seat]
        wide = 440 * earlier * max(0.0, amount or 0.0) / most
        canvas.panel((_LEFT + 44, y + 2, _LEFT + 48 + wide, y + 2 + thick), cast.colour(seat), 4)
        amounts_shown = figure(None if amount is None else amount * earlier, kind)
        canvas.text((_LEFT + 60 + wide, y + 2 + thick / 2), amounts_shown, 20, COIN if places[seat] == 1 else INK)
    if len(order) > len(listed):
        canvas.text((_LEFT + 44, 702), f"and {len(order) - len(listed)} more", 14, FAINT)


def _draw_ways(canvas: Canvas, title: str, ways: Sequence[Sequence[float]], cast: FilmCast, done: float) -> None:
    """Draw amounts at the end of each turn as lines, from left to right."""
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
    earlier = smooth(part(done, 0.15, 0.95)) * turns
    ends: list[tuple[float, int]] = []
    for seat in range(len(ways[0])):
        heights = [foot - (foot - top) * max(0.0, way[seat]) / most for way in ways]
        points = [(left + step * index, height) for index, height in enumerate(heights)]
        complete = int(earlier)
        line = points[: complete + 1]
        if complete < turns:
            (x0, y0), (x1, y1), x = points[complete], points[complete + 1], earlier - complete
            line = [*line, (x0 + (x1 - x0) * x, y0 + (y1 - y0) * x)]
        if len(line) > 1:
            canvas.stroke(line, 3, cast.colour(seat))
        canvas.disc(line[-1], 5, cast.colour(seat))
        ends.append((line[-1][1], seat))
    if done == 1 and len(ends) <= _MAX_PLACES:
        _label_ends(canvas, ends, right + 12, cast)


def _label_ends(canvas: Canvas, ends: list[tuple[float, int]], x: float, cast: FilmCast) -> None:
    """Draw labels at the ends of lines without overlap."""
    above = 0.0
    placed: list[tuple[float, int]] = []
    for y, seat in sorted(ends):
        above = max(y, above + 17)
        placed.append((above, seat))
    over = max(0.0, placed[-1][0] - (_CHART[3] + 6))
    for y, seat in placed:
        canvas.text((x, y - over), cast.labels[seat], 15, cast.colour(seat), width=60)


def _ends(shots: Sequence[Shot], quantity: str, seats: int) -> list[list[float]]:
    """Return the amounts of seats at the beginning and after each turn."""
    amounts = {shot.turn: shot.after.held(quantity, seats) for shot in shots if shot.kind is not Kind.FINAL}
    amounts[shots[-1].turn] = shots[-1].after.held(quantity, seats)
    return [amounts[turn] for turn in sorted(amounts)]
