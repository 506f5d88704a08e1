"""One moment of a game of Contribute & Punish as a picture."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

from PIL import Image

from ostrom.charts.film import bubble
from ostrom.charts.film import punish_parts as parts
from ostrom.charts.film.canvas import Canvas, count, round_up
from ostrom.charts.film.colours import FAINT, INK, SOFT, mixed, seat_colour
from ostrom.charts.film.easing import between, part, settle, smooth
from ostrom.charts.film.lettering import Lettering
from ostrom.charts.film.punish_final import draw_final
from ostrom.charts.film.punish_layout import FUND, Layout
from ostrom.charts.film.timeline import Kind, Moment, Scene, Timeline
from ostrom.core import Event
from ostrom.games.contribute_punish.events import Contributed, FundShared, MessageSaid, Punished
from ostrom.games.contribute_punish.rules import ContributePunishRules

_E = TypeVar("_E", bound=Event)

_STEP = {
    Kind.SPEAK: "speak",
    Kind.LISTEN: "speak",
    Kind.GIVE: "give",
    Kind.GROW: "fund",
    Kind.SHARE: "fund",
    Kind.PUNISH: "punish",
}


class PunishScene:
    """Draws the moments of one film. A picture depends on the moment alone."""

    def __init__(
        self, timeline: Timeline, names: Sequence[str], rules: ContributePunishRules, lettering: Lettering
    ) -> None:
        self._scenes = timeline.scenes
        self._names = names
        self._rules = rules
        self._lettering = lettering
        self._layout = Layout(timeline.seats)
        self._steps = [
            step
            for step in parts.STEPS
            if (step != "speak" or rules.messages) and (step != "punish" or rules.punishment)
        ]
        self._scales = {turn: self._scale(turn) for turn in {scene.turn for scene in self._scenes}}
        self._most_fund = max((max(scene.fund) for scene in self._scenes), default=0)
        self._worst = max((punished.damage for scene in self._scenes for punished in _of(scene, Punished)), default=0)
        self._bubble = lru_cache(maxsize=64)(self._make_bubble)

    def draw(self, moment: Moment) -> Image.Image:
        """The picture at this moment."""
        scene = self._scenes[moment.scene]
        if scene.kind is not Kind.FINAL:
            return self._draw_play(moment)
        final = draw_final(self._scenes, self._names, self._lettering, moment.done)
        seen = part(moment.done, 0.0, 0.2)
        if seen == 1:
            return final
        return Image.blend(self._draw_play(Moment(moment.scene - 1, 1.0)), final, smooth(seen))

    def _draw_play(self, moment: Moment) -> Image.Image:
        scene, done = self._scenes[moment.scene], moment.done
        canvas = Canvas(self._lettering)
        if scene.kind is Kind.OPENING:
            parts.header(canvas, "Contribute & Punish", (), None)
            self._title(canvas, smooth(done))
        else:
            title = f"Round {scene.turn} of {max(scene.turn, self._rules.rounds)}"
            parts.header(canvas, title, self._steps, _STEP.get(scene.kind))
        scale = self._scale_at(moment)
        parts.scale_lines(canvas, self._layout, scale)
        balances = self._balances(scene, done)
        self._draw_seats(canvas, moment, balances, scale)
        self._draw_coins(canvas, scene, done, scale)
        self._draw_fund(canvas, scene, done)
        self._draw_punishments(canvas, moment, balances, scale)
        self._draw_bubbles(canvas, moment)
        return canvas.image

    def _title(self, canvas: Canvas, seen: float) -> None:
        rules = self._rules
        what = (
            f"{len(self._names)} seats, {count(rules.start)} tokens each, {rules.rounds} rounds. "
            f"What is given is multiplied by {rules.multiplier:g} and shared equally."
        )
        canvas.text((FUND[0], 262), what, 22, mixed(FAINT, INK, seen), anchor="mm", width=1200)
        cost = f"Each token spent on punishing takes {rules.ratio} from its target." if rules.punishment else ""
        canvas.text((FUND[0], 300), cost, 18, mixed(FAINT, SOFT, seen), anchor="mm", width=1200)

    def _scale(self, turn: int) -> float:
        """What the highest bar of a round may reach."""
        held = [max(*scene.before, *scene.after) for scene in self._scenes if scene.turn == turn]
        return round_up(max([*held, 10.0]))

    def _scale_at(self, moment: Moment) -> float:
        """The round's scale, reached from the one before while the round's first scene moves."""
        scene = self._scenes[moment.scene]
        before = self._scenes[max(0, moment.scene - 1)]
        return between(self._scales[before.turn], self._scales[scene.turn], smooth(part(moment.done, 0, 0.8)))

    def _balances(self, scene: Scene, done: float) -> list[float]:
        """What each seat holds in the picture: it falls as tokens leave and rises as they arrive."""
        span = {Kind.GIVE: (0.0, 0.6), Kind.SHARE: (0.4, 1.0), Kind.PUNISH: (0.55, 0.85)}.get(scene.kind, (0.0, 1.0))
        x = smooth(part(done, *span))
        return [between(low, high, x) for low, high in zip(scene.before, scene.after, strict=True)]

    def _draw_fund(self, canvas: Canvas, scene: Scene, done: float) -> None:
        span = {Kind.GIVE: (0.4, 1.0), Kind.SHARE: (0.0, 0.6)}.get(scene.kind, (0.0, 0.8))
        held = between(*scene.fund, smooth(part(done, *span)))
        swell = 4 * done * (1 - done) if scene.kind is Kind.GROW else 0.0
        parts.fund(canvas, held, self._most_fund, swell)
        left, right = self._fund_words(scene)
        parts.fund_notes(canvas, left, right)

    def _fund_words(self, scene: Scene) -> tuple[list[str], list[str]]:
        """What stands to the left and to the right of the fund."""
        match scene.kind:
            case Kind.GIVE:
                (event,) = _of(scene, Contributed)
                whole = sum(event.contributions), sum(event.start)
                share = [f"{whole[0] / whole[1]:.0%} of what they hold"] if whole[1] else []
                carried = [f"{count(scene.fund[0])} carried over"] if scene.fund[0] else []
                return [f"{count(whole[0])} given", *share], carried
            case Kind.GROW:
                return [f"{count(scene.fund[0])} in the fund"], [
                    f"× {self._rules.multiplier:g} = {count(scene.fund[1])}"
                ]
            case Kind.SHARE:
                (shared,) = _of(scene, FundShared)
                left_over = f"{count(shared.carry_out)} left over" if shared.carry_out else "nothing left over"
                return [f"{count(shared.grown)} to share"], [f"{count(shared.share)} to each", left_over]
            case _:
                return ["the fund"], [f"{count(scene.fund[0])} carried over"] if scene.fund[0] else []

    def _draw_seats(self, canvas: Canvas, moment: Moment, balances: Sequence[float], scale: float) -> None:
        scene = self._scenes[moment.scene]
        struck = {event.target for event in _of(scene, Punished)}
        hit = part(moment.done, 0.58, 1.0) if moment.done >= 0.58 else 1.0
        notes = self._notes(moment)
        for index, balance in enumerate(balances):
            shaken = hit if index in struck else 1.0
            parts.seat(
                canvas, self._layout, index, self._names[index], balance, scale, struck=shaken, note=notes[index]
            )

    def _notes(self, moment: Moment) -> list[str]:
        """Under each seat what it gave in this round, as soon as all have given."""
        for scene in self._this_round(moment):
            for event in _of(scene, Contributed):
                pairs = zip(event.contributions, event.start, strict=True)
                return [f"gave {count(given)} of {count(held)}" for given, held in pairs]
        return [""] * len(self._names)

    def _this_round(self, moment: Moment) -> list[Scene]:
        """The scenes of the round so far."""
        first = moment.scene
        while first and self._scenes[first - 1].turn == self._scenes[moment.scene].turn:
            first -= 1
        return list(self._scenes[first : moment.scene + 1])

    def _draw_coins(self, canvas: Canvas, scene: Scene, done: float, scale: float) -> None:
        if scene.kind not in (Kind.GIVE, Kind.SHARE) or done in (0.0, 1.0):
            return
        for index, (low, high) in enumerate(zip(scene.before, scene.after, strict=True)):
            at = (self._layout.x(index), self._layout.top(max(low, high), scale))
            parts.coins(canvas, at, abs(high - low), done, to_fund=scene.kind is Kind.GIVE)
            if high != low and self._layout.letters:
                text = f"{'+' if high > low else '−'}{count(abs(high - low))}"
                late = part(done, 0.0, 0.7) if scene.kind is Kind.GIVE else part(done, 0.45, 1.0)
                beside = (at[0] + self._layout.bar / 2 + 24, at[1] + 18)
                parts.floating(canvas, beside, text, late, gain=high > low)

    def _draw_punishments(self, canvas: Canvas, moment: Moment, balances: Sequence[float], scale: float) -> None:
        scenes = self._this_round(moment)
        struck = [(scene, event) for scene in scenes for event in _of(scene, Punished)]
        if not struck:
            return
        # Arcs stay where they struck: their ends do not follow the bars afterwards.
        tops = [self._layout.top(balance, self._scales[scenes[0].turn]) for balance in struck[0][0].before]
        for scene, event in struck:
            now = scene is self._scenes[moment.scene]
            parts.punishment(canvas, self._layout, event, tops, self._worst, moment.done if now else 1.0)
            if now and self._layout.letters:
                fall, cost = part(moment.done, 0.6, 1.0), part(moment.done, 0.0, 0.5)
                for seat, amount, done in ((event.target, event.damage, fall), (event.punisher, event.spend, cost)):
                    top = self._layout.top(balances[seat], scale)
                    at = (self._layout.x(seat) + self._layout.bar / 2 + 22, top + 20)
                    parts.floating(canvas, at, f"−{count(amount)}", done)

    def _draw_bubbles(self, canvas: Canvas, moment: Moment) -> None:
        scenes = self._this_round(moment)
        kind = self._scenes[moment.scene].kind
        fading = settle(part(moment.done, 0.0, 0.25)) if kind is Kind.GIVE else 0.0
        if kind not in (Kind.SPEAK, Kind.LISTEN, Kind.GIVE) or fading == 1.0:
            return
        said = [(scene, event) for scene in scenes for event in _of(scene, MessageSaid)]
        for scene, event in said if self._layout.together else said[-1:]:
            now = scene is self._scenes[moment.scene]
            drawn, place = self._bubble(event.seat, event.text, now or kind is not Kind.SPEAK)
            bubble.show(canvas.image, drawn, place, moment.done if now else 1.0, fading)

    def _make_bubble(self, seat: int, text: str, now: bool) -> tuple[Image.Image, bubble.Place]:
        place = self._layout.bubble(seat)
        lines = self._lettering.wrapped(text, bubble.SIZE, bubble.room(place), place.lines) or ("(says nothing)",)
        return bubble.make(self._lettering, lines, place, seat_colour(seat), now=now), place


def _of(scene: Scene, kind: type[_E]) -> list[_E]:
    """The events of this kind that a scene shows."""
    return [event for event in scene.events if isinstance(event, kind)]
