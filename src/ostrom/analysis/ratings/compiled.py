"""The passes of TrueSkill, compiled by numba. The computation is that of `trueskill.py`, but for one game at a time.
With arrays, a step costs as much for one game as for a hundred games, and with few players only few games can be rated
together. Compiled code needs only a few microseconds per game. A test checks that both computations agree up to
rounding errors. This module needs the extra `compiled`.

Compiled code is cached beside this file, or in the user's cache where that folder is not writable.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np
from numba import njit

from ostrom.analysis.ratings.trueskill import MAX_SWEEPS, TOLERANCE, Flags, TrueSkill
from ostrom.core.estimates import Floats, Whole

_MIN_VARIANCE_SHARE: Final = 2.0**-40
_ROOT_PI: Final = 1 / math.sqrt(math.pi)
_ASYMPTOTIC: Final = 12.0
"""Above this argument, six terms of the asymptotic expansion give the scaled erfc to the last digit."""

PRECISION, WEIGHT, SKILL, SKILL_WEIGHT, ABOVE, ABOVE_WEIGHT, BELOW, BELOW_WEIGHT, CUT, CUT_WEIGHT, ROWS = range(11)
"""The rows of a game's scratch array, which has a column for each seat. The rows are the priors of the seat's
performance and skill, the messages of the differences above and below the seat, and the truncated difference below
it."""


@njit(cache=True)
def scaled_erfc(x: float) -> float:
    """Return exp(x²) · erfc(x), which does not underflow."""
    if x < _ASYMPTOTIC:
        return math.exp(x * x) * math.erfc(x) if x > -26 else math.inf
    s = 1 / (2 * x * x)
    return _ROOT_PI / x * (1 - s * (1 - 3 * s * (1 - 5 * s * (1 - 7 * s * (1 - 9 * s * (1 - 11 * s))))))


@njit(cache=True)
def _cut(mean: float, variance: float, draw: bool, margin: float) -> tuple[float, float]:
    """Return the message of an outcome about a difference with this mean and variance. The message has a precision and
    a weight."""
    root = math.sqrt(2 * variance)
    if draw:
        toward = -root if mean > 0 else root
        near, far = -margin / root - mean / toward, margin / root - mean / toward
        beyond = math.exp(max(near * near - far * far, -600.0))
        density = _ROOT_PI / (scaled_erfc(near) - beyond * scaled_erfc(far))
        v = density * (1 - beyond)
        shift, taken = v * toward, 2 * density * (beyond * far - near + v * (1 - beyond))
    else:
        near = (margin - mean) / root
        density = _ROOT_PI / scaled_erfc(near)
        shift, taken = density * root, 2 * density * (density - near)
    left_over = max(1 - taken, _MIN_VARIANCE_SHARE) * variance
    return taken / left_over, (mean * taken + shift) / left_over


@njit(cache=True)
def _step(d: int, tied: Flags, margin: float, room: Floats, forth: bool, back: bool) -> float:
    """Truncate the difference between seats d and d + 1, and update one or both of the seats. Return the change of the
    message."""
    left, right = room[PRECISION, d] + room[ABOVE, d], room[PRECISION, d + 1] + room[BELOW, d + 1]
    left_mean = (room[WEIGHT, d] + room[ABOVE_WEIGHT, d]) / left
    right_mean = (room[WEIGHT, d + 1] + room[BELOW_WEIGHT, d + 1]) / right
    cut, weight = _cut(left_mean - right_mean, 1 / left + 1 / right, tied[d], margin)
    change: float = max(math.sqrt(abs(cut - room[CUT, d])), abs(weight - room[CUT_WEIGHT, d]))
    room[CUT, d], room[CUT_WEIGHT, d] = cut, weight
    if forth:
        share = 1 / (1 + cut / left)
        room[ABOVE, d + 1], room[ABOVE_WEIGHT, d + 1] = cut * share, (cut * left_mean - weight) * share
    if back:
        share = 1 / (1 + cut / right)
        room[BELOW, d], room[BELOW_WEIGHT, d] = cut * share, (cut * right_mean + weight) * share
    return change


@njit(cache=True)
def _pass_messages(seats: int, tied: Flags, margin: float, room: Floats) -> None:
    """Pass messages forward and back along the chain of seats until no message changes."""
    for row in range(ABOVE, CUT_WEIGHT + 1):
        for seat in range(seats):
            room[row, seat] = 0
    last = seats - 2
    if last == 0:
        _step(0, tied, margin, room, True, True)
        return
    for _ in range(MAX_SWEEPS):
        change = 0.0
        for d in range(last):
            change = max(change, _step(d, tied, margin, room, True, False))
        for d in range(last, 0, -1):
            change = max(change, _step(d, tied, margin, room, False, True))
        if change <= TOLERANCE:
            break
    # The two seats at the ends have only one difference, so they are updated last.
    known, cut = room[PRECISION, 1] + room[BELOW, 1], room[CUT, 0]
    mean, share = (room[WEIGHT, 1] + room[BELOW_WEIGHT, 1]) / known, 1 / (1 + cut / known)
    room[BELOW, 0], room[BELOW_WEIGHT, 0] = cut * share, (cut * mean + room[CUT_WEIGHT, 0]) * share
    known, cut = room[PRECISION, last] + room[ABOVE, last], room[CUT, last]
    mean, share = (room[WEIGHT, last] + room[ABOVE_WEIGHT, last]) / known, 1 / (1 + cut / known)
    room[ABOVE, last + 1], room[ABOVE_WEIGHT, last + 1] = cut * share, (cut * mean - room[CUT_WEIGHT, last]) * share


@njit(cache=True)
def _rate(
    who: Whole,
    seats: int,
    tied: Flags,
    share: Floats,
    constants: Floats,
    precision: Floats,
    weight: Floats,
    room: Floats,
) -> None:
    """Update the skills of the players in a game's seats to the skills after the game."""
    margin, noise, drift = constants[0], constants[1], constants[2]
    for seat in range(seats):
        variance = 1 / precision[who[seat]] + drift
        mean = weight[who[seat]] / precision[who[seat]]
        room[SKILL, seat], room[SKILL_WEIGHT, seat] = 1 / variance, mean / variance
        room[PRECISION, seat], room[WEIGHT, seat] = 1 / (variance + noise), mean / (variance + noise)
    _pass_messages(seats, tied, margin, room)
    # If a player has several seats, its new skill is the mean over these seats.
    for seat in range(seats):
        precision[who[seat]] = 0
        weight[who[seat]] = 0
    for seat in range(seats):
        message = room[ABOVE, seat] + room[BELOW, seat]
        message_weight = room[ABOVE_WEIGHT, seat] + room[BELOW_WEIGHT, seat]
        discount = 1 / (1 + noise * message)
        precision[who[seat]] += share[seat] * (room[SKILL, seat] + discount * message)
        weight[who[seat]] += share[seat] * (room[SKILL_WEIGHT, seat] + discount * message_weight)


@njit(cache=True, nogil=True)
def _play(
    order: Whole,
    players: Whole,
    tied: Flags,
    share: Floats,
    sizes: Whole,
    constants: Floats,
    precision: Floats,
    weight: Floats,
) -> None:
    room = np.empty((ROWS, players.shape[1]))
    for replay in range(order.shape[0]):
        for game in order[replay]:
            _rate(
                players[game], sizes[game], tied[game], share[game], constants, precision[replay], weight[replay], room
            )


def play_passes(
    model: TrueSkill, order: Whole, players: Whole, tied: Flags, share: Floats, sizes: Whole, names: int, threads: int
) -> tuple[Floats, Floats]:
    """Return the precision and weight of each player's skill after all games of each pass, (passes, names)."""
    constants = np.asarray([model.margin, model.beta**2, model.tau**2])
    precision = np.full((len(order), names), model.sigma**-2)
    weight = precision * model.mu

    def play(some: Whole) -> None:
        part = slice(some[0], some[-1] + 1)
        _play(order[part], players, tied, share, sizes, constants, precision[part], weight[part])

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(play, np.array_split(np.arange(len(order)), min(threads, len(order)))))
    return precision, weight
