"""Writes raw pictures with their times in the Matroska container (RFC 9559), which the encoder reads from a pipe. A
picture that does not change is sent once instead of 25 times a second."""

from typing import Final

_EBML, _SEGMENT, _INFO, _TRACKS, _CLUSTER = 0x1A45DFA3, 0x18538067, 0x1549A966, 0x1654AE6B, 0x1F43B675
_DOCUMENT, _DOCUMENT_VERSION, _READER_VERSION = 0x4282, 0x4287, 0x4285
_TICK, _TIME, _BLOCK = 0x2AD7B1, 0xE7, 0xA3
_TRACK, _NUMBER, _UID, _TYPE, _CODEC, _FRAME_TIME = 0xAE, 0xD7, 0x73C5, 0x83, 0x86, 0x23E383
_VIDEO, _WIDTH, _HEIGHT, _PIXELS = 0xE0, 0xB0, 0xBA, 0x2EB524

_UNKNOWN_SIZE: Final = b"\x01" + b"\xff" * 7
"""The size of the segment. It is unknown, because the segment ends with the stream."""
_NANOSECONDS: Final = 1_000_000_000
_TICKS: Final = 1_000
"""The number of ticks per second. The times of pictures are in milliseconds."""
_BLOCK_HEAD: Final = b"\x81\x00\x00\x80"
"""The head of a block: it is on track 1, at the time of its cluster, and a key frame."""


def stream_head(size: tuple[int, int], fps: int) -> bytes:
    """Return the beginning of a stream of RGB pictures of this width and height."""
    width, height = size
    document = _text(_DOCUMENT, b"matroska") + _number(_DOCUMENT_VERSION, 4) + _number(_READER_VERSION, 2)
    video = _number(_WIDTH, width) + _number(_HEIGHT, height) + _text(_PIXELS, b"RGB\x18")
    track = (
        _number(_NUMBER, 1)
        + _number(_UID, 1)
        + _number(_TYPE, 1)
        + _number(_FRAME_TIME, _NANOSECONDS // fps)
        + _text(_CODEC, b"V_UNCOMPRESSED")
        + _text(_VIDEO, video)
    )
    return (
        _text(_EBML, document)
        + _id(_SEGMENT)
        + _UNKNOWN_SIZE
        + _text(_INFO, _number(_TICK, _NANOSECONDS // _TICKS))
        + _text(_TRACKS, _text(_TRACK, track))
    )


def picture_head(index: int, fps: int, length: int) -> bytes:
    """Return the bytes before a picture of `length` bytes that is shown from frame `index` on."""
    time = _number(_TIME, round(_TICKS * index / fps))
    block = _id(_BLOCK) + _size(len(_BLOCK_HEAD) + length) + _BLOCK_HEAD
    return _id(_CLUSTER) + _size(len(time) + len(block) + length) + time + block


def _id(name: int) -> bytes:
    return name.to_bytes((name.bit_length() + 7) // 8, "big")


def _size(length: int) -> bytes:
    return b"\x01" + length.to_bytes(7, "big")


def _text(name: int, content: bytes) -> bytes:
    return _id(name) + _size(len(content)) + content


def _number(name: int, value: int) -> bytes:
    return _text(name, value.to_bytes(8, "big"))
