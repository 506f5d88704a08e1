"""Short films of the turning points of a game. Rounds are chosen by what happens in them: promises that are broken,
players that leave or lose everything, changes of the lead, and the largest transfers that take from a player. Rounds
that are left out have no length, so that every shot shows the same amounts as in the whole film."""

from collections import defaultdict
from dataclasses import replace
from typing import Final

from ostrom.charts.film.timeline import FASTEST, SLOWEST, Kind, Shot, Timeline
from ostrom.core.effects import Leave, Mark, Say, Transfer
from ostrom.core.scene import Scene

SHORTEST: Final = 30.0
LONGEST: Final = 60.0
"""The shortest and the longest duration of a film of turning points, in seconds."""
_ENDS: Final = (Kind.FINAL, Kind.RESULT)
_CARD: Final = 2.5
"""The number of seconds for which the first card rests."""
_GLANCE: Final = 0.8
"""The number of seconds for which a message stays that belongs to no turning point."""
_READING: Final = 4.0
"""The largest number of seconds for which a message stays whose sender is part of a turning point."""
_LEFT: Final = 6.0
_BROKEN: Final = 4.0
_RUINED: Final = 4.0
_OVERTAKEN: Final = 3.0
_MARKED: Final = 1.0
_TAKEN: Final = 3.0
"""The weights of what happens in a round. The weight of transfers that take from a player is multiplied by their share
of the largest sum of such transfers in one round."""


def of_turning_points(scene: Scene, timeline: Timeline) -> Timeline:
    """Return the film of the turning points, between 30 and 60 seconds long. The first card and the end are always
    shown. Rounds are added from the most to the least important one as long as they fit."""
    concerned = _concerned(timeline)
    shots = [_hurried(shot, concerned) for shot in timeline.shots]
    lengths: dict[int, float] = defaultdict(float)
    for place, shot in enumerate(shots):
        if place and shot.kind not in _ENDS:
            lengths[shot.turn] += shot.lasts
    weights = turning_points(scene, timeline)
    order = sorted((turn for turn in lengths if turn > 0), key=lambda turn: (-weights.get(turn, 0.0), -turn))
    length = shots[0].lasts + sum(shot.lasts for shot in shots if shot.kind in _ENDS)
    chosen: set[int] = set()
    for turn in order:
        # The most important round is always shown. Rounds without a turning point only fill a film that is too short.
        if not chosen or (length + lengths[turn] <= LONGEST and (weights.get(turn, 0.0) > 0 or length < SHORTEST)):
            chosen.add(turn)
            length += lengths[turn]
    shown = [
        shot if place == 0 or shot.kind in _ENDS or shot.turn in chosen else _without_length(shot)
        for place, shot in enumerate(shots)
    ]
    film = Timeline(tuple(shown), timeline.seats)
    factor = film.duration / min(LONGEST, max(SHORTEST, film.duration))
    return film if factor == 1.0 else film.at_speed(min(FASTEST, max(SLOWEST, factor)))


def turning_points(scene: Scene, timeline: Timeline) -> dict[int, float]:
    """Return the weight of each round in which something turns."""
    weights: dict[int, float] = defaultdict(float)
    taken: dict[int, float] = defaultdict(float)
    for shot in timeline.shots:
        for telling in shot.tellings:
            for effect in telling.effects:
                if isinstance(effect, Leave):
                    weights[shot.turn] += _LEFT
                elif isinstance(effect, Mark):
                    weights[shot.turn] += _BROKEN if _is_broken(effect) else _MARKED if effect.kind else 0.0
                elif isinstance(effect, Transfer) and _takes(scene, effect):
                    amounts = effect.amount if isinstance(effect.amount, tuple) else (effect.amount,)
                    taken[shot.turn] += sum(map(abs, amounts))
    most = max(taken.values(), default=0.0)
    for turn, amount in taken.items():
        weights[turn] += _TAKEN * amount / most if most else 0.0
    for turn, weight in _changes(scene, timeline):
        weights[turn] += weight
    return {turn: weight for turn, weight in weights.items() if turn > 0 and weight > 0}


def _is_broken(mark: Mark) -> bool:
    return "broken" in mark.kind


def _takes(scene: Scene, transfer: Transfer) -> bool:
    flow = scene.flows.get(transfer.kind)
    return flow is not None and flow.takes


def _changes(scene: Scene, timeline: Timeline) -> list[tuple[int, float]]:
    """Return the rounds after which another player leads alone, or a player has lost everything."""
    if scene.final is None:
        return []
    changes: list[tuple[int, float]] = []
    leader: int | None = None
    rich: set[int] = set()
    last = {shot.turn: shot.after for shot in timeline.shots if shot.kind not in _ENDS}
    for turn in sorted(last):
        amounts = last[turn].values(scene.final, timeline.seats)
        known = {seat: amount for seat, amount in enumerate(amounts) if amount is not None}
        if not known:
            continue
        best = (max if scene.better == "higher" else min)(known.values())
        leaders = [seat for seat, amount in known.items() if amount == best]
        if len(leaders) == 1:
            if leader is not None and leaders[0] != leader:
                changes.append((turn, _OVERTAKEN))
            leader = leaders[0]
        ruined = {seat for seat, amount in known.items() if amount <= 0 and seat in rich}
        changes += [(turn, _RUINED) for _ in ruined]
        rich = (rich | {seat for seat, amount in known.items() if amount > 0}) - ruined
    return changes


def _concerned(timeline: Timeline) -> set[tuple[int, int]]:
    """Return the rounds and seats of players who leave, break a promise, or take from a player or are taken from."""
    result: set[tuple[int, int]] = set()
    for shot in timeline.shots:
        for telling in shot.tellings:
            for effect in telling.effects:
                if isinstance(effect, Leave):
                    result.add((shot.turn, effect.seat))
                elif isinstance(effect, Transfer) and shot.kind is Kind.STRIKE:
                    seats = (effect.source, effect.target)
                    result |= {(shot.turn, seat) for seat in seats if isinstance(seat, int)}
    return result


def _hurried(shot: Shot, concerned: set[tuple[int, int]]) -> Shot:
    """Return the shot with less time for its messages."""
    if shot.kind is Kind.TITLE:
        return replace(shot, rests=min(shot.rests, _CARD))
    speakers = [effect.seat for telling in shot.tellings for effect in telling.effects if isinstance(effect, Say)]
    if not speakers:
        return shot
    most = _READING if any((shot.turn, seat) in concerned for seat in speakers) else _GLANCE
    rests = min(shot.rests, most)
    return replace(shot, rests=rests, reads=min(shot.reads, most - rests))


def _without_length(shot: Shot) -> Shot:
    return replace(shot, moves=0.0, rests=0.0, reads=0.0)
