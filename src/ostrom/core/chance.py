"""Random draws as a function, not as a stream: every draw is determined by (seed, game, purpose, turn, seat).

A game can therefore be replayed from its seed, any game of a batch can be replayed separately, and no result depends on
the order of draws, the batch size or the number of workers. The generator is Philox4x32-10 of Salmon, Moraes, Dror and
Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC11), tested with the vectors published with Random123.

The key is the seed. The counter's four words are the game, the purpose (the CRC-32 of its name), the turn, and the
seat. The upper bits of the seat's word have the number of the draw within that seat's turn.
"""

import secrets
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol, TypeAlias

from ostrom.core.arrays import namespace
from ostrom.core.errors import Disagreement, InputError
from ostrom.core.questions import Seat

Word: TypeAlias = Any
"""A 32-bit number: a Python integer, or each element of an array of 64-bit unsigned integers (NumPy's or JAX's)."""

_LOW = 0xFFFFFFFF
_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_WEYL = (0x9E3779B9, 0xBB67AE85)
_ROUNDS = 10

SEEDS = 2**64
"""The number of possible seeds: 0 to 2**64 - 1."""
GAMES = 2**32
"""The number of games that one seed can have, numbered from 0."""
_SEAT_BITS = 16


def philox(counter: tuple[Word, Word, Word, Word], key: tuple[Word, Word]) -> tuple[Word, Word, Word, Word]:
    """Return four random words for a counter and a key by Philox4x32-10; words are integers or arrays."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(_ROUNDS):
        # Products and shifts are new arrays, so the operators ^= below may change them in place.
        product0 = c0 * _MULTIPLIERS[0]
        product1 = c2 * _MULTIPLIERS[1]
        c0 = product1 >> 32
        c0 ^= c1
        c0 ^= k0
        c2 = product0 >> 32
        c2 ^= c3
        c2 ^= k1
        product1 &= _LOW
        product0 &= _LOW
        c1, c3 = product1, product0
        k0 = (k0 + _WEYL[0]) & _LOW
        k1 = (k1 + _WEYL[1]) & _LOW
    return c0, c1, c2, c3


@lru_cache(maxsize=256)
def purpose_word(purpose: str) -> int:
    """Return the 32-bit word that stands for a purpose in the random generator's counter: the CRC-32 of the purpose's
    name."""
    return zlib.crc32(purpose.encode())


def seat_word(seat: Word, draw: int) -> Word:
    """Return the 32-bit word in the random generator's counter for a seat's `draw`-th draw of one purpose in one
    turn."""
    return seat + (draw << _SEAT_BITS)


def unit(high: Word, low: Word) -> Any:
    """Return 53 of 64 random bits as a number in [0, 1). The result is the same for integers and for arrays."""
    return ((high >> 5) * 67108864 + (low >> 6)) * 2.0**-53


def unit_single(high: Word) -> Any:
    """Return the first 24 random bits as a single-precision number in [0, 1). Numbers of this type have a precision of
    24 bits."""
    return (high >> 8) * 2.0**-24


def check_seed(seed: int) -> int:
    """Return the seed. Raise InputError if it is out of range."""
    if not isinstance(seed, int) or not 0 <= seed < SEEDS:
        raise InputError(f"the seed {seed} is out of range; it must be a whole number from 0 to 2^64 - 1")
    return seed


def key_of(seed: int) -> tuple[int, int]:
    """Return the random generator's key for a seed: its lower and its upper 32 bits."""
    return seed & _LOW, seed >> 32


class Chance(Protocol):
    """The draws that a game needs."""

    def uniform(self, purpose: str, turn: int, seat: int = 0, draw: int = 0) -> float:
        """Return a number in [0, 1)."""

    def order(self, seats: Iterable[Seat], purpose: str, turn: int) -> list[Seat]:
        """Return the seats in a random order."""


@dataclass(frozen=True, slots=True)
class LoggedChance:
    """The random orders of seats that another program logged for its game, and the facts that it dealt. The log
    contains no other draws."""

    orders: Mapping[tuple[str, int], tuple[int, ...]]
    """The seats in order, by purpose and turn. Seats that are missing in the log come last."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the program dealt to the seats, such as private values, by names that the game knows. Records do not store
    these facts apart: a replay reads them from the events, by the function `dealt` of the game."""

    def uniform(self, purpose: str, turn: int, seat: int = 0, draw: int = 0) -> float:
        """Raise Disagreement, since logs have no random numbers."""
        raise Disagreement(f"turn {turn}: the record has no draw for {purpose!r}")

    def order(self, seats: Iterable[Seat], purpose: str, turn: int) -> list[Seat]:
        """Return the logged order."""
        place = {seat: index for index, seat in enumerate(self.orders.get((purpose, turn), ()))}
        return sorted(seats, key=lambda seat: (place.get(seat.index, len(place)), seat))


def logged_facts(chance: Chance) -> Mapping[str, Any]:
    """Return the facts that another program dealt in its game; nothing for a game that is played here, which draws
    them."""
    return chance.facts if isinstance(chance, LoggedChance) else {}


@dataclass(frozen=True, slots=True)
class GameChance:
    """The draws of one game."""

    seed: int
    game: int = 0

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if not isinstance(self.game, int) or not 0 <= self.game < GAMES:
            raise InputError(f"there is no game {self.game}; games are numbered from 0 to 2^32 - 1")

    def uniform(self, purpose: str, turn: int, seat: int = 0, draw: int = 0) -> float:
        """Return the number in [0, 1) that these arguments determine."""
        if not 0 <= draw < 1 << _SEAT_BITS:
            raise InputError(f"a turn has too many random draws ({draw:,}); at most {1 << _SEAT_BITS:,} are possible")
        counter = (self.game, purpose_word(purpose), turn, seat_word(seat, draw))
        high, low, _, _ = philox(counter, key_of(self.seed))
        return float(unit(high, low))

    def order(self, seats: Iterable[Seat], purpose: str, turn: int) -> list[Seat]:
        """Return the seats in a random order: sorted by one random number for each seat."""
        return sorted(seats, key=lambda seat: (self.uniform(purpose, turn, seat.index), seat))


def uniform_rows(
    key: tuple[Word, Word], games: Word, purpose: str, turn: Word, seat: Word, draw: int = 0, *, single: bool = False
) -> Any:
    """Return the numbers of `GameChance.uniform` for arrays of games and seats. Each number is equal to the last bit,
    or up to single precision if `single` is true. Games, turns and seats may be of any integer type, and their arrays
    are broadcast."""
    words = _broadcast(*(_unsigned(word) for word in (games, turn, seat)))
    counter = (words[0], purpose_word(purpose), words[1], seat_word(words[2], draw))
    low_key, high_key = (_unsigned(word) for word in key)
    high, low, _, _ = philox(counter, (low_key, high_key))
    return unit_single(high) if single else unit(high, low)


def _unsigned(word: Word) -> Word:
    """Return a word as a 64-bit unsigned integer, since products of narrower or signed integers would overflow."""
    if isinstance(word, int):
        return word
    xp = namespace(word)
    if word.dtype == xp.uint64:
        return word
    return xp.astype(xp.asarray(word), xp.uint64)


def _broadcast(*words: Word) -> tuple[Word, ...]:
    """Return arrays broadcast to their common shape, because the generator writes into them. Integers are returned
    unchanged."""
    arrays = [word for word in words if getattr(word, "ndim", 0)]
    if len({word.shape for word in arrays}) <= 1:
        return words
    xp = namespace(arrays[0])
    shape = xp.broadcast_shapes(*(word.shape for word in arrays))
    return tuple(xp.broadcast_to(word, shape) if getattr(word, "ndim", 0) else word for word in words)


def seed_or_random(seed: int | None) -> int:
    """Return the seed. If it is None, return a random seed with few digits."""
    return secrets.randbits(32) if seed is None else check_seed(seed)
