"""The Commons compiled by numba, for the batch engine. It computes the arithmetic of `rules` for one game at a time,
whose data fit in the processor's first-level cache. The computation of a game stops when the game ends. Sorting,
lobbying and votes are computed only if the champions or rules of the game require them. Tests compare the results with
`rules` game by game. Importing this module needs the extra `compiled`.

Compiled code is stored beside this file, or in the user's cache if that folder is not writable. It is compiled again
when this file changes. A change of `compiled_champions` alone has no such effect, so update this file's time (`touch`)
after it."""

import math
from functools import partial
from typing import Any, Final

import numpy as np
from typing_extensions import override

from ostrom.core.chance import purpose_word
from ostrom.core.step import Kernel, KernelResult
from ostrom.games.commons.compiled_champions import (
    ALPHA,
    APPRENANT,
    BEFORE,
    CAPITAL,
    CELLS,
    COOPERATION,
    DURATION,
    ENDOWMENT,
    ERODING,
    EROSION,
    GAIN,
    GIVEN,
    GIVES,
    GOLDEN,
    GROWTH,
    HIGH,
    HIGHEST,
    INTENSITY,
    LAST,
    LEVEL,
    LIBERAL,
    LOBBY,
    LOW,
    LOWEST,
    MEAN,
    MEMORY,
    MIDDLE,
    NEEDED,
    NOW,
    NUMBERS,
    PAST,
    PRAGMATIQUE,
    PRESENT,
    RANDOM,
    RANKED,
    ROWS,
    SEATS,
    SENSITIVITY,
    SHRINKAGE,
    SORTING,
    SPENDS,
    SUM,
    SYNERGY,
    THIRD,
    TIMES,
    TURNS,
    TURNS_IN,
    UNITS,
    VOTES,
    WAY,
    WAYS,
    A,
    Floats,
    S,
    Whole,
    compiled,
    contribution,
    encode_champion,
    units,
    vote,
)
from ostrom.games.commons.rules import NO_SEAT, CommonsRules
from ostrom.games.commons.step import DRAWS, SHADOW

_DRAWS: Final = purpose_word(DRAWS)
_SHADOW: Final = purpose_word(SHADOW)
_BLOCK: Final = 8
"""The number of turns for which random numbers are drawn at once, with vector instructions."""
_CACHED_TURNS: Final = 512
"""The probability of the end is cached for this number of turns from the first."""


@compiled
def _uniform(key: Any, game: int, purpose: int, turn: int, seat: int) -> float:
    """Return the same number as `core.chance.GameChance.uniform`."""
    low = np.uint64(0xFFFFFFFF)
    c0, c1, c2, c3 = np.uint64(game) & low, np.uint64(purpose), np.uint64(turn) & low, np.uint64(seat)
    k0, k1 = key[0], key[1]
    for _ in range(10):
        p0, p1 = c0 * np.uint64(0xD2511F53), c2 * np.uint64(0xCD9E8D57)
        c0, c2 = (p1 >> np.uint64(32)) ^ c1 ^ k0, (p0 >> np.uint64(32)) ^ c3 ^ k1
        c1, c3 = p1 & low, p0 & low
        k0, k1 = (k0 + np.uint64(0x9E3779B9)) & low, (k1 + np.uint64(0xBB67AE85)) & low
    return np.float64((c0 >> np.uint64(5)) * np.uint64(67108864) + (c1 >> np.uint64(6))) * 2.0**-53


@compiled
def _draw(key: Any, game: int, turn: int, cast: Any, members: Any, shadow: bool, draws: Floats) -> None:
    """Draw the random numbers of the next turns. There is one row for each seat, which is filled only if its champion
    draws, and a last row for the end of the game."""
    seats = len(members)
    for seat in range(seats):
        way = cast[members[seat], WAY]
        if way == RANDOM or way == APPRENANT:  # noqa: SIM109
            for ahead in range(_BLOCK):
                draws[seat, ahead] = _uniform(key, game, _DRAWS, turn + ahead, seat)
    if shadow:
        for ahead in range(_BLOCK):
            draws[seats, ahead] = _uniform(key, game, _SHADOW, turn + ahead, 0)


@compiled
def _ends(turn: int, duration: float, ending: Floats) -> float:
    """Return the probability that a game ends after a turn, as `rules.ending_probability` does. `ending` caches the
    probabilities of the first turns. Its entry 0 is the duration for which they were computed."""
    rate = 2.0 * math.log(5.0) / (duration * (duration + 1.0))
    if ending[0] != duration:
        ending[0] = duration
        for early in range(1, len(ending)):
            ending[early] = -math.expm1(-rate * early)
    if turn < len(ending):
        return float(ending[turn])
    return -math.expm1(-rate * turn)


@compiled
def _ranked(place: int, nothing: int, between: int, room: Floats) -> float:
    """Return the contribution at a rank in the ascending order of all contributions. This order has `nothing` zeros,
    then the sorted values `between`, then ones."""
    if place < nothing:
        return 0.0
    return float(room[RANKED, place - nothing]) if place < nothing + between else 1.0


@compiled
def _look(room: Floats, table: Floats, sorting: bool) -> None:
    """Compute the statistics of the last contributions. Only contributions strictly between 0 and 1 are sorted, since
    most contributions are 0 or 1."""
    liberal, size, nothing, between = 0.0, 0, 0, 0
    for seat in range(room.shape[1]):
        if room[PRESENT, seat] == 0.0:
            continue
        gift = room[GIVEN, seat]
        liberal += gift >= 0.5
        size += 1
        nothing += gift <= 0.0
        if sorting and 0.0 < gift < 1.0:
            place = between
            while place > 0 and room[RANKED, place - 1] > gift:
                room[RANKED, place] = room[RANKED, place - 1]
                place -= 1
            room[RANKED, place] = gift
            between += 1
    table[LIBERAL] = liberal
    if sorting:
        first = (size - 2) // 2
        table[LOW] = _ranked(first, nothing, between, room)
        table[MIDDLE] = _ranked(first + 1, nothing, between, room)
        table[HIGH] = _ranked(min(first + 2, size - 1), nothing, between, room)


@compiled
def _decide(turn: int, cast: Any, members: Any, draws: Floats, work: Any, lobbying: bool, voting: bool) -> int:
    """Compute all moves of a turn. Return the number of votes."""
    room, table, memory, rules = work
    cast_votes = 0
    for seat in range(room.shape[1]):
        room[NOW, seat] = room[LOBBY, seat] = 0.0
        if room[PRESENT, seat] == 0.0:
            continue
        member = members[seat]
        way = int(cast[member, WAY])
        luck = draws[seat, (turn - 1) % _BLOCK]
        room[NOW, seat] = contribution(way, cast[member, GIVES], turn, seat, luck, room, table, memory, rules)
        if lobbying and way == PRAGMATIQUE:
            side = units(table[MEAN]) - units(room[GIVEN, seat])
            room[LOBBY, seat] = np.sign(side) * (0.03 * room[CAPITAL, seat])
        elif lobbying:
            room[LOBBY, seat] = cast[member, SPENDS] * room[CAPITAL, seat]
        if voting and turn > 1 and cast[member, VOTES] != 0.0:
            target = vote(turn, seat, room)
            if target != NO_SEAT:
                room[TIMES, target] += 1.0
                cast_votes += 1
    return cast_votes


@compiled
def _pay(room: Floats, table: Floats, rules: Any, lobbying: bool, voting: bool) -> None:
    """Compute steps 2 to 9 of a turn, as `rules.play_turn` does."""
    seats, lobbied, total = room.shape[1], 0.0, 0.0
    for seat in range(seats):
        lobbied += room[LOBBY, seat]
        total += room[NOW, seat]
    if lobbying:
        table[A] = min(max(table[A] + rules[SENSITIVITY] * lobbied, 0.0), 1.0)
    count = table[SEATS]
    grown = total * rules[ENDOWMENT] * table[S]
    rate = (1.0 - table[A]) * grown / (total if total > 0.0 else 1.0)
    equal, kept_money = table[A] * grown / count, rules[ENDOWMENT] * table[EROSION]
    for seat in range(seats):
        gift, gain = room[NOW, seat], 0.0
        if room[PRESENT, seat] != 0.0:
            gain = (1.0 - gift) * kept_money + (equal + gift * rate)
            room[TURNS_IN, seat] += 1.0
        room[CAPITAL, seat] = (room[CAPITAL, seat] - abs(room[LOBBY, seat])) + gain
        room[GAIN, seat] = gain
        room[SUM, seat] += gift
        if voting:
            room[THIRD, seat], room[LAST, seat] = room[LAST, seat], room[GIVEN, seat]
            room[BEFORE, seat] = room[PRESENT, seat]
        room[GIVEN, seat] = gift
    table[COOPERATION] = table[MEAN] = units(total / count) / UNITS
    level, synergy = units(table[COOPERATION]), table[S]
    if level < units(rules[ERODING]):
        synergy -= rules[SHRINKAGE]
    elif level >= units(rules[GOLDEN]):
        synergy += rules[GROWTH]
    table[S] = units(min(max(synergy, rules[LOWEST]), rules[HIGHEST])) / UNITS


@compiled
def _exclude(votes: int, room: Floats, table: Floats, needed: float) -> None:
    """Compute step 10 of a turn, the exclusion, and the mean contribution of the seats still in the game."""
    changed, total, count = False, 0.0, 0.0
    for seat in range(room.shape[1]):
        times = room[TIMES, seat]
        if times > 0.0:
            room[TIMES, seat] = 0.0
            if table[SEATS] > 2.0 and 2.0 * times > votes and times >= needed:
                room[PRESENT, seat] = 0.0
                changed = True
        if room[PRESENT, seat] != 0.0:
            total += room[GIVEN, seat]
            count += 1.0
    if changed:
        table[SEATS] = count
        table[MEAN] = units(total / count) / UNITS


@compiled
def _open(room: Floats, table: Floats, memory: Floats, rules: Any) -> None:
    """Set the state before the first turn, as `rules.opening` does."""
    for seat in range(room.shape[1]):
        for row in range(ROWS):
            room[row, seat] = 0.0
        room[GIVEN, seat] = room[PRESENT, seat] = room[BEFORE, seat] = 1.0
        room[GAIN, seat] = rules[ENDOWMENT]
        for cell in range(MEMORY):
            memory[seat, cell] = -1.0 if PAST <= cell <= LEVEL else 0.0
    table[A], table[S], table[SEATS] = rules[ALPHA], rules[SYNERGY], room.shape[1]
    table[COOPERATION] = table[MEAN] = 1.0


@compiled
def _play_game(
    game: int, key: Any, cast: Any, members: Any, switches: Any, work: Any, draws: Floats, ending: Floats
) -> int:
    """Play one game to its end. Return its number of turns."""
    room, table, memory, rules = work
    erodes, lobbies, votes = switches
    shadow = rules[TURNS] == 0.0
    sorting, lobbying, voters = False, False, 0.0
    for seat in range(len(members)):
        way = cast[members[seat], WAY]
        sorting |= way in SORTING
        lobbying |= lobbies and (cast[members[seat], SPENDS] != 0.0 or way == PRAGMATIQUE)
        voters += cast[members[seat], VOTES]
    voting = votes and voters >= rules[NEEDED]
    _open(room, table, memory, rules)
    turn = 0
    while True:
        if turn % _BLOCK == 0:
            _draw(key, game, turn + 1, cast, members, shadow, draws)
        turn += 1
        table[EROSION] = 1.0
        if erodes and table[S] < rules[SYNERGY]:
            ratio = table[S] / rules[SYNERGY]
            table[EROSION] = ratio if rules[INTENSITY] == 1.0 else ratio ** rules[INTENSITY]
        _look(room, table, sorting)
        cast_votes = _decide(turn, cast, members, draws, work, lobbying, voting)
        _pay(room, table, rules, lobbying, voting)
        if turn == 1:
            for seat in range(len(members)):
                room[LAST, seat] = 0.0  # The state before the first turn is not a contribution.
        if cast_votes > 0:
            _exclude(cast_votes, room, table, rules[NEEDED])
        if not shadow:
            if turn >= rules[TURNS]:
                return turn
        elif draws[len(members), (turn - 1) % _BLOCK] < _ends(turn, rules[DURATION], ending):
            return turn


@partial(compiled, within=False)
def play_games(
    games: Whole,
    key: Any,
    cast: Any,
    seating: Whole,
    numbers: Floats,
    switches: Any,
    results: Any,
    work: Any,
    luck: Any,
) -> None:
    """Play games, and write their results."""
    turns, finals, turns_in, contributions = results
    room, table, memory, rules, members = work
    draws, ending = luck
    seats = len(seating)
    varied = numbers.shape[1] > 1
    for place in range(len(games)):
        for number in range(len(numbers)):
            rules[number] = numbers[number, place if varied else 0]
        for seat in range(seats):
            members[seat] = seating[seat, place]
        rows = room, table, memory, rules
        turns[place] = _play_game(games[place], key, cast, members, switches, rows, draws, ending)
        for seat in range(seats):
            finals[seat, place], turns_in[seat, place] = room[CAPITAL, seat], int(room[TURNS_IN, seat])
            contributions[seat, place] = room[SUM, seat] / room[TURNS_IN, seat]


class CommonsKernel(Kernel):
    """The compiled form of the Commons. It plays games of the sixteen built-in champions, under any rules."""

    @override
    def covers(self, strategies: Any) -> bool:
        # Only built-in classes are supported, not classes derived from them.
        return all(type(strategy) in WAYS for strategy in strategies)

    @override
    def play(self, rules: CommonsRules, strategies: Any, seating: Whole, games: Whole, key: Any) -> KernelResult:
        values = [0 if (value := getattr(rules, name)) is None else value for name in NUMBERS]
        width = max(np.size(value) for value in values)
        numbers = np.stack([np.broadcast_to(np.asarray(value, dtype=np.float64), width) for value in values])
        cast = np.asarray([encode_champion(strategy) for strategy in strategies], dtype=np.float64)
        seats = len(seating)
        result = KernelResult.empty(seats, len(games), ("contribution",))
        arrays = result.turns, result.finals, result.turns_in, result.figures["contribution"]
        words = np.asarray(key, dtype=np.uint64)
        room, memory = np.zeros((ROWS, seats)), np.zeros((seats, MEMORY))
        work = room, np.zeros(CELLS), memory, np.zeros(len(numbers)), np.zeros(seats, dtype=np.int64)
        luck = np.zeros((seats + 1, _BLOCK)), np.zeros(_CACHED_TURNS)
        switches = rules.erosion, rules.lobbying, rules.voting
        play_games(games, words, cast, seating, numbers, switches, arrays, work, luck)
        return result


KERNEL = CommonsKernel()
