"""The sixteen champions of `players`, written for one seat of one game and compiled by numba. Tests compare both forms
game by game. Importing this module needs the extra `compiled`."""

import math
from collections.abc import Callable
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt
from numba import njit

from ostrom.games.commons.players import (
    EXPLORATION,
    LEVELS,
    WINDOW,
    AlwaysBetray,
    AlwaysCoop,
    Apprenant,
    Capitaliste,
    Detective,
    GenerousTFT,
    Gradual,
    Justicier,
    MajorityDetector,
    Opportuniste,
    Parasite,
    Pavlov,
    Pragmatique,
    Rancunier,
    RandomPlayer,
    TitForTat,
)
from ostrom.games.commons.rules import NO_SEAT

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

Function = TypeVar("Function", bound=Callable[..., Any])
_OPTIONS: Final[dict[str, Any]] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}
"""The options of compilation. Reference counting of arrays is off, because it would take longer than a seat's turn.
Therefore the caller allocates all arrays."""


def compiled(function: Function, *, within: bool = True) -> Function:
    """Compile a function, by default inlined into its callers."""
    result: Function = njit(**_OPTIONS, forceinline=within)(function)
    return result


UNITS: Final = 1e9
"""The number of units in 1. Amounts are compared in whole units of the 9th decimal, as in `core.arrays`."""
LEVEL_COUNT: Final = len(LEVELS)
_FINEST: Final = len(LEVELS) / EXPLORATION
_BETRAYAL, _DEFECTION, _PEACE, _TOLERATED, _LEAST = (
    Rancunier.betrayal,
    Gradual.defection,
    float(Gradual.peace_turns),
    Justicier.tolerated,
    GenerousTFT.least,
)

STEADY, TIT, GENEROUS, GRUDGE, PAVLOV, RANDOM, DETECTIVE, GRADUAL = range(8)
MAJORITY, PRAGMATIQUE, APPRENANT, OPPORTUNISTE = range(8, 12)
WAYS: Final[dict[type, int]] = {
    **dict.fromkeys((AlwaysCoop, AlwaysBetray, Capitaliste, Parasite, Justicier), STEADY),
    TitForTat: TIT,
    GenerousTFT: GENEROUS,
    Rancunier: GRUDGE,
    Pavlov: PAVLOV,
    RandomPlayer: RANDOM,
    Detective: DETECTIVE,
    Gradual: GRADUAL,
    MajorityDetector: MAJORITY,
    Pragmatique: PRAGMATIQUE,
    Apprenant: APPRENANT,
    Opportuniste: OPPORTUNISTE,
}
"""The number of the decision rule of each champion's class."""
WAY, GIVES, SPENDS, VOTES = range(4)
"""The columns of an encoded champion."""
SORTING: Final = (TIT, GENEROUS, DETECTIVE, GRADUAL)
"""The decision rules that use the median of contributions. For these, contributions must be sorted."""

NUMBERS: Final = (
    *("endowment", "alpha", "sensitivity", "erosion_intensity", "votes_needed", "synergy", "synergy_lowest"),
    *("synergy_highest", "golden_age_from", "growth", "erosion_below", "shrinkage", "turns", "duration"),
)
"""The numeric settings of a game, in the order in which they are stored in its array of rules."""
ENDOWMENT, ALPHA, SENSITIVITY, INTENSITY, NEEDED, SYNERGY, LOWEST = range(7)
HIGHEST, GOLDEN, GROWTH, ERODING, SHRINKAGE, TURNS, DURATION = range(7, 14)

# The following constants are the rows of `room`, the array with the state of all seats. Its columns are seats.
CAPITAL, GIVEN, GAIN, PRESENT, SUM, TURNS_IN, LOBBY, NOW, BEFORE, LAST, THIRD, RANKED, TIMES, ROWS = range(14)
"""The rows of the array `room`: capital, last contribution, last gain, presence, sum of contributions, number of turns
in the game, present lobby and contribution, presence a turn ago, contributions two and three turns ago, sorted
contributions, and votes."""
# The following constants are the cells of `table`, the array with the state of the game.
A, S, COOPERATION, MEAN, SEATS, EROSION, LOW, MIDDLE, HIGH, LIBERAL, CELLS = range(11)
"""The entries of the array `table`: α, synergy, cooperation, the mean contribution of the seats still in the game, the
number of these seats, this turn's erosion, the three contributions from which medians are computed, and the number of
seats that gave at least half."""
# The memory of a seat consists of a few numbers. For Apprenant, these are the values of levels, the gains and levels of
# its window, and the position in the window.
_VALUES, _GAINS, PAST = 0, LEVEL_COUNT, LEVEL_COUNT + 2 * WINDOW
LEVEL, _PLACE, MEMORY = PAST + 2 * WINDOW, PAST + 2 * WINDOW + 1, PAST + 2 * WINDOW + 2


@compiled
def units(value: float) -> float:
    """Return an amount in whole units of the 9th decimal, as `core.arrays.units` does."""
    return float(np.rint(value * UNITS))


@compiled
def _median(own: float, table: Floats) -> float:
    """Return the median of the others' contributions, as `RowView.others_median` does."""
    lower = table[LOW] if own > table[LOW] else table[MIDDLE]
    if int(table[SEATS]) % 2 == 0:
        return float(lower)
    return float(lower + (table[MIDDLE] if own > table[MIDDLE] else table[HIGH])) / 2.0


@compiled
def _bears_grudge(seat: int, room: Floats) -> bool:
    """Return whether another seat that could contribute gave less than the limit below which Rancunier stops giving."""
    for other in range(room.shape[1]):
        if other != seat and room[BEFORE, other] != 0.0 and room[GIVEN, other] < _BETRAYAL:
            return True
    return False


@compiled
def _learn(seat: int, memory: Floats, gain: float) -> None:
    """Update the memory of Apprenant, as `Apprenant.remember` does. The window is a ring buffer. It is stored twice in
    a row, so that it can be read from the oldest entry on without wrapping around."""
    place = int(memory[seat, _PLACE])
    left, came = memory[seat, PAST + place], memory[seat, LEVEL]
    memory[seat, PAST + place] = memory[seat, PAST + place + WINDOW] = came
    memory[seat, _GAINS + place] = memory[seat, _GAINS + place + WINDOW] = gain
    place = place + 1 if place + 1 < WINDOW else 0
    memory[seat, _PLACE] = place
    left_times, left_earned, came_times, came_earned = 0.0, 0.0, 0.0, 0.0
    for at in range(place, place + WINDOW):
        level, earned = memory[seat, PAST + at], memory[seat, _GAINS + at]
        left_times += 1.0 if level == left else 0.0
        left_earned += earned if level == left else 0.0
        came_times += 1.0 if level == came else 0.0
        came_earned += earned if level == came else 0.0
    if left >= 0.0 and left_times > 0.0:
        memory[seat, _VALUES + int(left)] = units(left_earned / left_times) / UNITS
    if came >= 0.0:
        memory[seat, _VALUES + int(came)] = units(came_earned / came_times) / UNITS


@compiled
def _bandit(turn: int, seat: int, draw: float, memory: Floats) -> float:
    """Return the contribution of Apprenant, as `Apprenant.contribute` does."""
    level, best = 0.0, memory[seat, _VALUES]
    for other in range(1, LEVEL_COUNT):
        value = memory[seat, _VALUES + other]
        level = float(other) if value >= best else level
        best = max(value, best)
    if turn <= LEVEL_COUNT:
        level = float(LEVEL_COUNT - turn)
    elif draw < EXPLORATION:
        level = min(math.floor(draw * _FINEST), LEVEL_COUNT - 1.0)
    memory[seat, LEVEL] = level
    return level / 5.0


@compiled
def _after_probe(turn: int, seat: int, median: float, memory: Floats) -> float:
    """Return the contribution of Detective after its probe, as in `players.Detective`."""
    if turn == 3:
        memory[seat, 0] = median
    elif turn == 4:
        memory[seat, 1] = units(median) < units(memory[seat, 0])
    if turn <= 4:
        return 0.0 if turn == 2 else 1.0
    return median if memory[seat, 1] != 0.0 else 0.0


@compiled
def _by_account(turn: int, seat: int, median: float, memory: Floats) -> float:
    """Return the contribution of Gradual, as in `players.Gradual`. The memory contains the number of defections, the
    numbers of turns of punishment and of peace that remain, and whether the last turn was one of these."""
    if turn > 1 and memory[seat, 3] == 0.0 and units(median) < units(_DEFECTION):
        memory[seat, 0] += 1.0
        memory[seat, 1], memory[seat, 2] = memory[seat, 0], _PEACE
    if memory[seat, 1] > 0.0:
        memory[seat, 1] -= 1.0
        memory[seat, 3] = 1.0
        return 0.0
    memory[seat, 3] = memory[seat, 2] > 0.0
    memory[seat, 2] -= memory[seat, 3]
    return 1.0


@compiled
def contribution(
    way: int, steady: float, turn: int, seat: int, draw: float, room: Floats, table: Floats, memory: Floats, rules: Any
) -> float:
    """Return the contribution of a champion."""
    own = room[GIVEN, seat]
    if way == STEADY:
        return steady
    if way in (TIT, GENEROUS):
        return max(_median(own, table), steady)
    if way == GRUDGE:
        if turn > 1 and memory[seat, 0] == 0.0 and _bears_grudge(seat, room):
            memory[seat, 0] = 1.0
        return 1.0 - float(memory[seat, 0])
    if way == PAVLOV:
        return float(own if units(room[GAIN, seat]) >= units(rules[ENDOWMENT]) else 1.0 - own)
    if way == RANDOM:
        return draw
    if way == DETECTIVE:
        return _after_probe(turn, seat, _median(own, table), memory)
    if way == GRADUAL:
        return _by_account(turn, seat, _median(own, table), memory)
    if way == MAJORITY:
        return 1.0 if 2.0 * (table[LIBERAL] - (own >= 0.5)) > table[SEATS] - 1.0 else 0.0
    if way == PRAGMATIQUE:
        return float(min(max((7.0 - 10.0 * table[A]) / 4.0, 0.0), 1.0))
    if way == APPRENANT:
        if turn > 1:
            _learn(seat, memory, room[GAIN, seat])
        return _bandit(turn, seat, draw, memory)
    worth = table[S] * (table[A] / table[SEATS] + (1.0 - table[A]))
    return 1.0 if turn <= 1 or units(worth) >= units(table[EROSION]) else 0.0


@compiled
def vote(turn: int, seat: int, room: Floats) -> int:
    """Return the vote of Justicier, as `Justicier.vote` does."""
    worst, poorest, target = units(_TOLERATED), 0.0, NO_SEAT
    turns = min(max(turn - 1.0, 1.0), 3.0)
    for other in range(room.shape[1]):
        if other == seat or room[PRESENT, other] == 0.0:
            continue
        mean = units((room[THIRD, other] + room[LAST, other] + room[GIVEN, other]) / turns)
        capital = units(room[CAPITAL, other])
        if mean < worst or (mean == worst and capital < poorest and target != NO_SEAT):
            worst, poorest, target = mean, capital, other
    return target


def encode_champion(strategy: Any) -> tuple[float, float, float, float]:
    """Return a champion as a row of numbers: its decision rule, its constant contribution, its spending on lobbying,
    and whether it votes."""
    gives = strategy.least if isinstance(strategy, GenerousTFT) else getattr(strategy, "gives", 0.0)
    spends = getattr(strategy, "spends", 0.0) if strategy.lobbies else 0.0
    return WAYS[type(strategy)], gives, spends, strategy.votes
