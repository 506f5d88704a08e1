"""QR codes: the modules are those that the package qrcode 8.2 draws for each of the eight masks, and pictures and lines
show the same modules."""

import hashlib
import re

import pytest

from ostrom.core import InputError
from ostrom.web import qr

REFERENCE = [
    ("HI", 1, "ca553e1cc32c15b6e3075085"),
    ("http://10.0.0.7:8000/join/K7QX2M", 3, "1355025dd6462eb20a1cfbba"),
    ("http://192.168.178.24:8000/join/ABC234#" + "x" * 40, 5, "a0cb3e81a811b5d186a56e24"),
    ("https://lab.example.org/join/ABC234#ümlaut-" + "y" * 100, 8, "2780900474fe5ee066d8633f"),
    ("z" * 300, 13, "69af339a071367939fd5f9a8"),
    ("w" * 412, 15, "f46c43c252f0cec7767bda81"),
]


@pytest.mark.parametrize(("text", "version", "digest"), REFERENCE)
def test_every_mask_gives_the_modules_of_the_reference(text: str, version: int, digest: str) -> None:
    stream = qr._interleaved(qr._data_bytes(text.encode(), version), version)
    masked = [qr._drawn(stream, version, mask) for mask in range(8)]
    bits = "".join("01"[module] for modules in masked for row in modules for module in row)
    assert hashlib.sha256(bits.encode()).hexdigest()[:24] == digest
    assert qr.qr_modules(text) in masked


def test_the_picture_and_the_lines_show_the_modules() -> None:
    text = REFERENCE[1][0]
    modules = qr.qr_modules(text)
    runs = re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", qr.qr_svg(text))
    squares = {(int(x) + step, int(y)) for x, y, length in runs for step in range(int(length))}
    assert squares == {(x + 4, y + 4) for y, row in enumerate(modules) for x, dark in enumerate(row) if dark}
    lines = qr.qr_lines(text)
    halves = {"█": (False, False), "▀": (False, True), "▄": (True, False), " ": (True, True)}
    rows = [[halves[character][half] for character in line] for line in lines for half in (0, 1)]
    assert [row[4:-4] for row in rows[4 : 4 + len(modules)]] == modules


def test_a_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(InputError, match="too long for a QR code"):
        qr.qr_modules("x" * 413)
