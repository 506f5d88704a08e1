"""Smaller PNG files. The renderer writes every pixel with four bytes and compresses little; a card has few colours, so
that one byte for each pixel is enough."""

import struct
import zlib
from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_RGBA_8_BIT: Final = (8, 6, 0, 0, 0)
"""Bit depth, colour type, compression, filter method and interlacing of the renderer's files."""
_SUB: Final = 1
"""The filter that stores the difference of each pixel to the one on its left."""
_LEVEL: Final = 6


def smaller_png(picture: bytes) -> bytes:
    """Return the picture with a palette of its 256 most frequent colours. Pixels of other colours, which lie at
    the edges of letters and lines, get the nearest one. A picture with transparency is returned unchanged."""
    chunks = dict(_chunks(picture))
    wide, high, *form = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    data = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8)
    if tuple(form) != _RGBA_8_BIT or data.size != high * (4 * wide + 1):
        return picture
    lines = data.reshape(high, 4 * wide + 1)
    if not bool(np.isin(lines[:, 0], (0, _SUB)).all()):
        return picture
    pixels = lines[:, 1:].reshape(high, wide, 4)
    pixels = np.where((lines[:, 0] == _SUB)[:, None, None], np.cumsum(pixels, axis=1, dtype=np.uint8), pixels)
    packed = np.ascontiguousarray(pixels).view(np.uint32).ravel()
    colours, places, counts = np.unique(packed, return_inverse=True, return_counts=True)
    shades = np.ascontiguousarray(colours).view(np.uint8).reshape(-1, 4)
    if bool((shades[:, 3] != 255).any()):
        return picture
    chosen = np.argsort(-counts, kind="stable")[:_MAX_COLOURS]
    palette = shades[chosen, :3]
    nearest = _nearest(shades[:, :3], palette)
    nearest[chosen] = np.arange(len(chosen), dtype=np.uint8)
    return _indexed(palette, nearest[places].reshape(high, wide))


_MAX_COLOURS: Final = 256


def _nearest(colours: npt.NDArray[np.uint8], palette: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return the place of the nearest colour of a palette for each colour."""
    squares = np.zeros((len(colours), len(palette)), np.int32)
    for part in range(3):
        squares += (colours[:, part, None].astype(np.int32) - palette[None, :, part].astype(np.int32)) ** 2
    nearest: npt.NDArray[np.uint8] = squares.argmin(axis=1).astype(np.uint8)
    return nearest


def _indexed(palette: npt.NDArray[np.uint8], places: npt.NDArray[np.uint8]) -> bytes:
    high, wide = places.shape
    rows = np.zeros((high, wide + 1), np.uint8)
    rows[:, 1:] = places
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)),
        (b"PLTE", palette.tobytes()),
        (b"IDAT", zlib.compress(rows.tobytes(), _LEVEL)),
        (b"IEND", b""),
    ]
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )


def _chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the parts of a PNG file by name; the parts of the pixels are joined."""
    place, pixels = len(_SIGNATURE), b""
    while place < len(picture):
        length, name = struct.unpack(">I4s", picture[place : place + 8])
        content = picture[place + 8 : place + 8 + length]
        if name == b"IDAT":
            pixels += content
        else:
            yield name, content
        place += 12 + length
    yield b"IDAT", pixels
