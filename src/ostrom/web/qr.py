"""QR codes of addresses (ISO/IEC 18004), for pages and terminals, in byte mode, with error correction level M, in
versions 1 to 15. A module of the code is True if it is dark."""

import itertools
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import Final, TypeAlias

from ostrom.core import InputError

Modules: TypeAlias = list[list[bool]]

_BLOCKS: Final = (
    (10, ((1, 16),)),
    (16, ((1, 28),)),
    (26, ((1, 44),)),
    (18, ((2, 32),)),
    (24, ((2, 43),)),
    (16, ((4, 27),)),
    (18, ((4, 31),)),
    (22, ((2, 38), (2, 39))),
    (22, ((3, 36), (2, 37))),
    (26, ((4, 43), (1, 44))),
    (30, ((1, 50), (4, 51))),
    (22, ((6, 36), (2, 37))),
    (22, ((8, 37), (1, 38))),
    (24, ((4, 40), (5, 41))),
    (24, ((5, 41), (5, 42))),
)
"""For each version, from 1: the number of error correction bytes of a block, and the numbers of blocks with their
numbers of data bytes."""
_ALIGNMENT: Final = (
    (),
    (6, 18),
    (6, 22),
    (6, 26),
    (6, 30),
    (6, 34),
    (6, 22, 38),
    (6, 24, 42),
    (6, 26, 46),
    (6, 28, 50),
    (6, 30, 54),
    (6, 32, 58),
    (6, 34, 62),
    (6, 26, 46, 66),
    (6, 26, 48, 70),
)
"""For each version, the coordinates of the centres of alignment patterns."""
_LEVEL_M: Final = 0b00
_QUIET: Final = 4
"""The width of the light margin."""
_FINDER_LIKE: Final = (
    (True, False, True, True, True, False, True, False, False, False, False),
    (False, False, False, False, True, False, True, True, True, False, True),
)


def qr_modules(text: str) -> Modules:
    """Return the code of a text, without a margin. Raise InputError if the text is too long."""
    data = text.encode()
    version = next((number for number in range(1, 16) if len(data) <= _room(number)), None)
    if version is None:
        raise InputError(f"a text of {len(data)} bytes is too long for a QR code here; at most {_room(15)} fit")
    stream = _interleaved(_data_bytes(data, version), version)
    candidates = (_drawn(stream, version, mask) for mask in range(8))
    return min(candidates, key=_penalty)


@lru_cache(maxsize=16)
def qr_svg(text: str) -> str:
    """Return the code of a text as an SVG picture, dark on light, which scales to any size."""
    modules = qr_modules(text)
    size = len(modules) + 2 * _QUIET
    squares = "".join(
        f"M{x + _QUIET} {y + _QUIET}h{length}v1h-{length}z" for y, row in enumerate(modules) for x, length in _runs(row)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path fill="#000" d="{squares}"/></svg>'
    )


def _runs(row: list[bool]) -> Iterator[tuple[int, int]]:
    """Yield the position and the length of each run of dark modules."""
    place = 0
    for dark, group in groupby(row):
        length = len(list(group))
        if dark:
            yield place, length
        place += length


def qr_lines(text: str) -> list[str]:
    """Return the code of a text for a terminal, two rows of modules in a line. Full blocks are light, so that the code
    is readable on a dark background."""
    modules = qr_modules(text)
    size = len(modules) + 2 * _QUIET
    light = [[True] * size for _ in range(size + size % 2)]
    for y, row in enumerate(modules):
        for x, dark in enumerate(row):
            light[y + _QUIET][x + _QUIET] = not dark
    blocks = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
    pairs = zip(light[::2], light[1::2], strict=True)
    return ["".join(blocks[pair] for pair in zip(upper, lower, strict=True)) for upper, lower in pairs]


def _capacity(version: int) -> int:
    return sum(count * size for count, size in _BLOCKS[version - 1][1])


def _length_bits(version: int) -> int:
    return 8 if version < 10 else 16


def _room(version: int) -> int:
    """Return the largest number of bytes of a text."""
    return _capacity(version) - (4 + _length_bits(version) + 7) // 8


def _data_bytes(data: bytes, version: int) -> list[int]:
    """Return the text with its header, filled up to the capacity of the version."""
    bits = f"0100{len(data):0{_length_bits(version)}b}" + "".join(f"{byte:08b}" for byte in data)
    capacity = _capacity(version)
    bits += "0" * min(4, 8 * capacity - len(bits))
    bits += "0" * (-len(bits) % 8)
    filled = [int(bits[place : place + 8], 2) for place in range(0, len(bits), 8)]
    padding = (0xEC, 0x11)
    return filled + [padding[place % 2] for place in range(capacity - len(filled))]


def _powers() -> tuple[list[int], list[int]]:
    """Return the powers of 2 in the field of 256 elements, and their logarithms."""
    powers, logarithms, value = [0] * 255, [0] * 256, 1
    for exponent in range(255):
        powers[exponent], logarithms[value] = value, exponent
        value = value << 1 ^ (0x11D if value & 0x80 else 0)
    return powers, logarithms


_POWERS, _LOGARITHMS = _powers()


def _product(first: int, second: int) -> int:
    return _POWERS[(_LOGARITHMS[first] + _LOGARITHMS[second]) % 255] if first and second else 0


def _correction(block: list[int], count: int) -> list[int]:
    """Return the error correction bytes of a block: the remainder of a division of polynomials."""
    generator = [1]
    for exponent in range(count):
        shifted, scaled = [*generator, 0], [0, *(_product(term, _POWERS[exponent]) for term in generator)]
        generator = [first ^ second for first, second in zip(shifted, scaled, strict=True)]
    remainder = block + [0] * count
    for place in range(len(block)):
        factor = remainder[place]
        for offset, term in enumerate(generator):
            remainder[place + offset] ^= _product(term, factor)
    return remainder[len(block) :]


def _interleaved(data: list[int], version: int) -> list[int]:
    """Return the data and error correction bytes of all blocks in the order of the code."""
    count, groups = _BLOCKS[version - 1]
    blocks, place = [], 0
    for number, size in groups:
        for _ in range(number):
            blocks.append(data[place : place + size])
            place += size
    corrections = [_correction(block, count) for block in blocks]
    longest = max(len(block) for block in blocks)
    ordered = [block[index] for index in range(longest) for block in blocks if index < len(block)]
    return ordered + [correction[index] for index in range(count) for correction in corrections]


def _drawn(stream: list[int], version: int, mask: int) -> Modules:
    """Return the code with one of the eight masks."""
    fixed = _fixed(version, mask)
    size = len(fixed)
    bits = [byte >> shift & 1 == 1 for byte in stream for shift in range(7, -1, -1)]
    modules: Modules = [[bool(module) for module in row] for row in fixed]
    free = ((x, y) for x, y in _zigzag(size) if fixed[y][x] is None)
    for number, (x, y) in enumerate(free):
        dark = bits[number] if number < len(bits) else False
        modules[y][x] = dark ^ _masked(mask, x, y)
    return modules


def _zigzag(size: int) -> Iterator[tuple[int, int]]:
    """Yield the places of data: pairs of columns from the right, upwards and downwards in turn."""
    columns = list(range(size - 1, 0, -2))
    for turn, column in enumerate(columns):
        right = column if column > 6 else column - 1
        rows = range(size - 1, -1, -1) if turn % 2 == 0 else range(size)
        for y in rows:
            yield right, y
            yield right - 1, y


def _masked(mask: int, x: int, y: int) -> bool:
    rules = (
        (x + y) % 2,
        y % 2,
        x % 3,
        (x + y) % 3,
        (y // 2 + x // 3) % 2,
        x * y % 2 + x * y % 3,
        (x * y % 2 + x * y % 3) % 2,
        ((x + y) % 2 + x * y % 3) % 2,
    )
    return rules[mask] == 0


def _fixed(version: int, mask: int) -> list[list[bool | None]]:
    """Return the patterns that do not depend on the text. Places of data are None."""
    size = 17 + 4 * version
    modules: list[list[bool | None]] = [[None] * size for _ in range(size)]
    for x, y in ((0, 0), (size - 7, 0), (0, size - 7)):
        for down in range(-1, 8):
            for right in range(-1, 8):
                if 0 <= y + down < size and 0 <= x + right < size:
                    ring = max(abs(down - 3), abs(right - 3))
                    modules[y + down][x + right] = ring not in (2, 4)
    for place in range(8, size - 8):
        modules[6][place] = modules[place][6] = place % 2 == 0
    last = size - 7
    for x in _ALIGNMENT[version - 1]:
        for y in _ALIGNMENT[version - 1]:
            if (x, y) not in ((6, 6), (6, last), (last, 6)):
                for down in range(-2, 3):
                    for right in range(-2, 3):
                        modules[y + down][x + right] = max(abs(down), abs(right)) != 1
    _draw_format(modules, mask)
    if version >= 7:
        _draw_version(modules, version)
    return modules


def _draw_format(modules: list[list[bool | None]], mask: int) -> None:
    """Draw the level and the mask, twice."""
    size, value = len(modules), _LEVEL_M << 3 | mask
    bits = (value << 10 | _remainder(value << 10, 0b10100110111)) ^ 0b101010000010010
    for number in range(15):
        dark = bits >> number & 1 == 1
        row = number if number < 6 else number + 1 if number < 8 else size - 15 + number
        modules[row][8] = dark
        column = size - 1 - number if number < 8 else 7 if number == 8 else 14 - number
        modules[8][column] = dark
    modules[size - 8][8] = True


def _draw_version(modules: list[list[bool | None]], version: int) -> None:
    size, bits = len(modules), version << 12 | _remainder(version << 12, 0b1111100100101)
    for number in range(18):
        dark = bits >> number & 1 == 1
        modules[number // 3][size - 11 + number % 3] = dark
        modules[size - 11 + number % 3][number // 3] = dark


def _remainder(value: int, divisor: int) -> int:
    """Return the remainder of a division of binary polynomials."""
    while value.bit_length() >= divisor.bit_length():
        value ^= divisor << value.bit_length() - divisor.bit_length()
    return value


def _penalty(modules: Modules) -> int:
    """Return the penalty of a code, which is large for patterns that are hard to read."""
    lines = [*modules, *(list(column) for column in zip(*modules, strict=True))]
    points = sum(_line_penalty(line) for line in lines)
    for upper, lower in itertools.pairwise(modules):
        for place in range(len(upper) - 1):
            points += 3 * (upper[place] == upper[place + 1] == lower[place] == lower[place + 1])
    total, dark = len(modules) ** 2, sum(map(sum, modules))
    return points + 10 * (abs(20 * dark - 10 * total) // total)


def _line_penalty(line: list[bool]) -> int:
    points, run = 0, 1
    for before, now in zip(line, [*line[1:], None], strict=True):
        if before == now:
            run += 1
        else:
            points += run - 2 if run >= 5 else 0
            run = 1
    windows = (tuple(line[place : place + 11]) for place in range(len(line) - 10))
    return points + 40 * sum(window in _FINDER_LIKE for window in windows)
