"""The Commons compiled by numba, for the batch engine: what `rules` says in arrays, said once more for one game at a
time. A whole game stays in the first cache, ends when it ends, and is sorted, lobbied and voted in as far as its own
table does such things. Tests hold the two to each other game by game. Importing this module takes the extra `compiled`.

Compiled code is kept beside this file, or in the user's cache where that folder cannot be written. It is made anew when
this file changes; who changes `compiled_champions` alone must touch this one."""

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
    told_of,
    units,
    vote,
)
from ostrom.games.commons.rules import NOBODY, CommonsRules
from ostrom.games.commons.step import DRAWS, SHADOW

_DRAWS: Final = purpose_word(DRAWS)
_SHADOW: Final = purpose_word(SHADOW)
_BLOCK: Final = 8
"""Numbers are drawn for so many turns at once, which vector units do together."""
_FORESEEN: Final = 512
"""Turns for which the chance of the end is kept."""


@compiled
def _uniform(key: Any, game: int, purpose: int, turn: int, seat: int) -> float:
    """`core.chance.GameChance.uniform`."""
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
def _draw(key: Any, game: int, turn: int, cast: Any, who: Any, shadow: bool, drawn: Floats) -> None:
    """Draw for the next turns, where somebody does: a row for each seat, and the last for the end of the game."""
    seats = len(who)
    for seat in range(seats):
        way = cast[who[seat], WAY]
        if way == RANDOM or way == APPRENANT:  # noqa: SIM109
            for ahead in range(_BLOCK):
                drawn[seat, ahead] = _uniform(key, game, _DRAWS, turn + ahead, seat)
    if shadow:
        for ahead in range(_BLOCK):
            drawn[seats, ahead] = _uniform(key, game, _SHADOW, turn + ahead, 0)


@compiled
def _ends(turn: int, duration: float, ending: Floats) -> float:
    """The chance that a game ends after a turn: `rules.ending_probability`. It is kept for the first turns as long as
    the duration, in the place of turn 0, is the same."""
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
    """The gift that stands at this place among all, of which so many are nothing, and so many sorted between nothing
    and all."""
    if place < nothing:
        return 0.0
    return float(room[RANKED, place - nothing]) if place < nothing + between else 1.0


@compiled
def _look(room: Floats, table: Floats, sorting: bool) -> None:
    """What champions ask about everybody's last contributions. Most give nothing or all, which need no sorting."""
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
def _decide(turn: int, cast: Any, who: Any, drawn: Floats, work: Any, lobbying: bool, voting: bool) -> int:
    """Everybody's moves of a turn; how many votes were cast."""
    room, table, memory, rules = work
    cast_votes = 0
    for seat in range(room.shape[1]):
        room[NOW, seat] = room[LOBBY, seat] = 0.0
        if room[PRESENT, seat] == 0.0:
            continue
        member = who[seat]
        way = int(cast[member, WAY])
        luck = drawn[seat, (turn - 1) % _BLOCK]
        room[NOW, seat] = contribution(way, cast[member, GIVES], turn, seat, luck, room, table, memory, rules)
        if lobbying and way == PRAGMATIQUE:
            side = units(table[MEAN]) - units(room[GIVEN, seat])
            room[LOBBY, seat] = np.sign(side) * (0.03 * room[CAPITAL, seat])
        elif lobbying:
            room[LOBBY, seat] = cast[member, SPENDS] * room[CAPITAL, seat]
        if voting and turn > 1 and cast[member, VOTES] != 0.0:
            named = vote(turn, seat, room)
            if named != NOBODY:
                room[TIMES, named] += 1.0
                cast_votes += 1
    return cast_votes


@compiled
def _pay(room: Floats, table: Floats, rules: Any, lobbying: bool, voting: bool) -> None:
    """Steps 2 to 9 of a turn: `rules.play_turn`."""
    seats, spent, given = room.shape[1], 0.0, 0.0
    for seat in range(seats):
        spent += room[LOBBY, seat]
        given += room[NOW, seat]
    if lobbying:
        table[A] = min(max(table[A] + rules[SENSITIVITY] * spent, 0.0), 1.0)
    count = table[SEATS]
    grown = given * rules[ENDOWMENT] * table[S]
    rate = (1.0 - table[A]) * grown / (given if given > 0.0 else 1.0)
    equal, kept = table[A] * grown / count, rules[ENDOWMENT] * table[EROSION]
    for seat in range(seats):
        gift, gain = room[NOW, seat], 0.0
        if room[PRESENT, seat] != 0.0:
            gain = (1.0 - gift) * kept + (equal + gift * rate)
            room[TURNS_IN, seat] += 1.0
        room[CAPITAL, seat] = (room[CAPITAL, seat] - abs(room[LOBBY, seat])) + gain
        room[GAIN, seat] = gain
        room[SUM, seat] += gift
        if voting:
            room[THIRD, seat], room[LAST, seat] = room[LAST, seat], room[GIVEN, seat]
            room[BEFORE, seat] = room[PRESENT, seat]
        room[GIVEN, seat] = gift
    table[COOPERATION] = table[MEAN] = units(given / count) / UNITS
    level, synergy = units(table[COOPERATION]), table[S]
    if level < units(rules[ERODING]):
        synergy -= rules[SHRINKAGE]
    elif level >= units(rules[GOLDEN]):
        synergy += rules[GROWTH]
    table[S] = units(min(max(synergy, rules[LOWEST]), rules[HIGHEST])) / UNITS


@compiled
def _exclude(votes: int, room: Floats, table: Floats, needed: float) -> None:
    """Step 10, and the mean among those who are left."""
    left, given, count = False, 0.0, 0.0
    for seat in range(room.shape[1]):
        times = room[TIMES, seat]
        if times > 0.0:
            room[TIMES, seat] = 0.0
            if table[SEATS] > 2.0 and 2.0 * times > votes and times >= needed:
                room[PRESENT, seat] = 0.0
                left = True
        if room[PRESENT, seat] != 0.0:
            given += room[GIVEN, seat]
            count += 1.0
    if left:
        table[SEATS] = count
        table[MEAN] = units(given / count) / UNITS


@compiled
def _open(room: Floats, table: Floats, memory: Floats, rules: Any) -> None:
    """Before the first turn: `rules.opening`."""
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
    game: int, key: Any, cast: Any, who: Any, switches: Any, work: Any, drawn: Floats, ending: Floats
) -> int:
    """Play one game to its end; how many turns it had."""
    room, table, memory, rules = work
    erodes, lobbies, votes = switches
    shadow = rules[TURNS] == 0.0
    sorting, lobbying, voters = False, False, 0.0
    for seat in range(len(who)):
        way = cast[who[seat], WAY]
        sorting |= way in SORTING
        lobbying |= lobbies and (cast[who[seat], SPENDS] != 0.0 or way == PRAGMATIQUE)
        voters += cast[who[seat], VOTES]
    voting = votes and voters >= rules[NEEDED]
    _open(room, table, memory, rules)
    turn = 0
    while True:
        if turn % _BLOCK == 0:
            _draw(key, game, turn + 1, cast, who, shadow, drawn)
        turn += 1
        table[EROSION] = 1.0
        if erodes and table[S] < rules[SYNERGY]:
            ratio = table[S] / rules[SYNERGY]
            table[EROSION] = ratio if rules[INTENSITY] == 1.0 else ratio ** rules[INTENSITY]
        _look(room, table, sorting)
        cast_votes = _decide(turn, cast, who, drawn, work, lobbying, voting)
        _pay(room, table, rules, lobbying, voting)
        if turn == 1:
            for seat in range(len(who)):
                room[LAST, seat] = 0.0  # what stands before the first turn was not given
        if cast_votes > 0:
            _exclude(cast_votes, room, table, rules[NEEDED])
        if not shadow:
            if turn >= rules[TURNS]:
                return turn
        elif drawn[len(who), (turn - 1) % _BLOCK] < _ends(turn, rules[DURATION], ending):
            return turn


@partial(compiled, within=False)
def play_games(
    games: Whole, key: Any, cast: Any, seating: Whole, numbers: Floats, switches: Any, made: Any, work: Any, luck: Any
) -> None:
    """Play games, and put down what came out of them."""
    turns, finals, turns_in, given = made
    room, table, memory, rules, who = work
    drawn, ending = luck
    seats = len(seating)
    varied = numbers.shape[1] > 1
    for place in range(len(games)):
        for number in range(len(numbers)):
            rules[number] = numbers[number, place if varied else 0]
        for seat in range(seats):
            who[seat] = seating[seat, place]
        rows = room, table, memory, rules
        turns[place] = _play_game(games[place], key, cast, who, switches, rows, drawn, ending)
        for seat in range(seats):
            finals[seat, place], turns_in[seat, place] = room[CAPITAL, seat], int(room[TURNS_IN, seat])
            given[seat, place] = room[SUM, seat] / room[TURNS_IN, seat]


class CommonsKernel(Kernel):
    """The sixteen champions, by any rules."""

    @override
    def covers(self, strategies: Any) -> bool:
        """The built-in ones, and no others that derive from them."""
        return all(type(strategy) in WAYS for strategy in strategies)

    @override
    def play(self, rules: CommonsRules, strategies: Any, seating: Whole, games: Whole, key: Any) -> KernelResult:
        values = [0 if (value := getattr(rules, name)) is None else value for name in NUMBERS]
        width = max(np.size(value) for value in values)
        numbers = np.stack([np.broadcast_to(np.asarray(value, dtype=np.float64), width) for value in values])
        cast = np.asarray([told_of(strategy) for strategy in strategies], dtype=np.float64)
        seats = len(seating)
        made = KernelResult.empty(seats, len(games), ("contribution",))
        found = made.turns, made.finals, made.turns_in, made.figures["contribution"]
        words = np.asarray(key, dtype=np.uint64)
        room, memory = np.zeros((ROWS, seats)), np.zeros((seats, MEMORY))
        work = room, np.zeros(CELLS), memory, np.zeros(len(numbers)), np.zeros(seats, dtype=np.int64)
        luck = np.zeros((seats + 1, _BLOCK)), np.zeros(_FORESEEN)
        switches = rules.erosion, rules.lobbying, rules.voting
        play_games(games, words, cast, seating, numbers, switches, found, work, luck)
        return made


KERNEL = CommonsKernel()
