"""One moment of a game of the Commons as a picture."""

from collections.abc import Sequence
from itertools import accumulate

from PIL import Image

from ostrom.charts.film.canvas import Canvas, short, won
from ostrom.charts.film.colours import COIN, FAINT, INK, LOSS, PANEL, SOFT, Colour, giving_colour, mixed
from ostrom.charts.film.commons_layout import NEWS, NEWS_LINES, RACE, RACE_BARS, RACE_NAMES, RIGHT, STRIPS
from ostrom.charts.film.commons_plots import STRIP_COLOURS, Plots
from ostrom.charts.film.easing import between, settle, smooth
from ostrom.charts.film.lettering import Lettering
from ostrom.charts.film.shapes import panel
from ostrom.charts.film.timeline import Kind, Moment, Scene, Timeline
from ostrom.core import Event
from ostrom.games.commons.events import Erosion, GameEnded, GoldenAge, SeatExcluded, TurnPlayed


class CommonsScene:
    """Draws the moments of one film. A picture depends on the moment alone."""

    def __init__(self, timeline: Timeline, names: Sequence[str], lettering: Lettering) -> None:
        self._scenes = timeline.scenes
        self._names = names
        self._lettering = lettering
        played = [any(isinstance(event, TurnPlayed) for event in scene.events) for scene in self._scenes]
        self._turns = [scene for scene, is_turn in zip(self._scenes, played, strict=True) if is_turn]
        self._past = [0, *accumulate(played)]
        """How many turns lie before each scene."""
        self._plots = Plots([scene.events for scene in self._turns], names, lettering)
        self._places = [_places(scene.after) for scene in self._turns]
        self._news = [[line for e in scene.events if (line := self._line(scene, e))] for scene in self._scenes]
        self._out: dict[int, int] = {}
        for scene in self._scenes:
            for event in scene.events:
                if isinstance(event, SeatExcluded):
                    self._out.setdefault(event.seat, event.turn)

    def draw(self, moment: Moment) -> Image.Image:
        """The picture at this moment."""
        scene = self._scenes[moment.scene]
        past, done = self._past[moment.scene], moment.done
        if scene.kind is not Kind.TURN or done == 1.0:
            past, done = self._past[moment.scene + 1], 0.0
        canvas = self._plots.draw(past, done)
        self._header(canvas, scene, past)
        self._readings(canvas, past, done)
        self._race(canvas, scene, past, done)
        self._headlines(canvas, moment)
        return canvas.image

    def _header(self, canvas: Canvas, scene: Scene, past: int) -> None:
        if scene.kind is Kind.OPENING:
            canvas.text((24, 38), f"The Commons: {len(self._names)} seats", 30, INK, strong=True)
            return
        title = f"Turn {scene.turn}" if scene.kind is Kind.TURN else f"The end, after {past} turns"
        canvas.text((24, 38), title, 30, INK, strong=True)
        for event in scene.events:
            if isinstance(event, GameEnded):
                who = won([self._names[seat] for seat in event.winners])
                best = short(event.capitals[event.winners[0]])
                canvas.text((1256, 38), f"{who} with {best}", 24, COIN, anchor="rm", width=780)

    def _readings(self, canvas: Canvas, past: int, done: float) -> None:
        """The economy's numbers at the ends of its strips."""
        if not self._turns:
            return
        last = len(self._turns) - 1
        before, now = self._plots.values(past - 1), self._plots.values(min(last, past))
        for (top, foot), colour, low, high in zip(STRIPS, STRIP_COLOURS, before, now, strict=True):
            value = between(low, high, done)
            canvas.text((RIGHT + 8, (top + foot) / 2), f"{value:.2f}", 16, colour)

    def _race(self, canvas: Canvas, scene: Scene, past: int, done: float) -> None:
        """Seats by capital, coloured by what they gave in this turn."""
        layout = self._plots.layout
        x = smooth(done)
        before = self._places[past - 1] if past else list(range(layout.seats))
        after = self._places[past] if done and past < len(self._places) else before
        held = scene.before if done else (self._turns[past - 1].after if past else (0.0,) * layout.seats)
        then = scene.after if done else held
        now = [between(low, high, done) for low, high in zip(held, then, strict=True)]
        most = max(*now, 1e-9)
        played = self._plots.played[past if done else past - 1] if past or done else None
        canvas.text((RACE_BARS[0], RACE[0] - 14), "capital; colour: what the seat gives now", 13, SOFT)
        for seat in sorted(range(layout.seats), key=lambda index: -before[index]):
            place = between(before[seat], after[seat], x)
            if place > layout.racing - 0.5:
                continue
            top = RACE[0] + layout.lane * place
            middle = top + layout.lane / 2
            size = max(9, min(15, round(layout.lane * 0.55)))
            there = played is None or played.present[seat]
            colour: Colour = giving_colour(played.contributions[seat]) if played and there else FAINT
            wins = scene.kind is Kind.FINAL and any(
                isinstance(e, GameEnded) and seat in e.winners for e in scene.events
            )
            ink = COIN if wins else INK if there else FAINT
            canvas.text((RACE_NAMES, middle), self._names[seat], size, ink, anchor="rm", width=RACE_NAMES - 846)
            wide = (RACE_BARS[1] - RACE_BARS[0]) * max(0.0, now[seat]) / most
            bar = (RACE_BARS[0], top + layout.lane * 0.14, RACE_BARS[0] + wide + 2, top + layout.lane * 0.86)
            panel(canvas.image, bar, colour, 3)
            said = short(now[seat]) if there else f"{short(now[seat])}  out, turn {self._out.get(seat, '?')}"
            room = 1274 - bar[2] - 8
            if canvas.lettering.width(said, size) > room:
                said = short(now[seat])
            canvas.text((bar[2] + 8, middle), said, size, ink, width=max(20, room))
        if layout.seats > layout.racing:
            canvas.text((RACE_BARS[0], RACE[1] + 10), f"and {layout.seats - layout.racing} more", 13, FAINT)

    def _headlines(self, canvas: Canvas, moment: Moment) -> None:
        """The last things that happened, the newest at the top; it comes up as its turn ends."""
        ready = moment.scene + 1 if moment.done == 1.0 else moment.scene
        lines = [line for news in self._news[:ready] for line in news][-NEWS_LINES:]
        if not lines:
            return
        panel(canvas.image, (NEWS[0], NEWS[1] - 18, 1264, 704), PANEL, 8)
        for row, (text, colour) in enumerate(reversed(lines)):
            faded = mixed(colour, FAINT, settle(min(1.0, row / 4)) * 0.8)
            canvas.text((NEWS[0] + 14, NEWS[1] + row * 23), text, 15, faded, width=390)

    def _line(self, scene: Scene, event: Event) -> tuple[str, Colour] | None:
        """What the list says about an event, if anything."""
        match event:
            case GoldenAge():
                return f"turn {event.turn}: a golden age, S rises to {event.synergy:.2f}", COIN
            case Erosion():
                return f"turn {event.turn}: erosion, S falls to {event.synergy:.2f}", LOSS
            case SeatExcluded():
                return f"turn {event.turn}: {self._names[event.seat]} is excluded ({event.votes} votes)", INK
            case GameEnded():
                return f"turn {event.turn}: the game ends", INK
            case _:
                return None


def _places(capitals: Sequence[float]) -> list[int]:
    """Each seat's place in the race, from 0; of equals the earlier seat stands first."""
    order = sorted(range(len(capitals)), key=lambda seat: (-capitals[seat], seat))
    places = [0] * len(capitals)
    for place, seat in enumerate(order):
        places[seat] = place
    return places
