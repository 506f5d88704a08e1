"""A card holds any names and words as text, within its size."""

import struct
import xml.etree.ElementTree as ET

import pytest

from ostrom.charts.card import HEIGHT, WIDTH, Card, CardLine, CardRow, card_png, card_svg, fitted, width_of, wrap

HOSTILE = "</text><script>alert(1)</script><image href='http://x/y'/>&amp;\u202e\x00\x1b[31m" + "W" * 300
NAMES = [HOSTILE, "W" * 200, "深度求索" * 40, "مرحبا بالعالم", "👩‍👩‍👧‍👦" * 30, "a very long name of a model " * 9]
KINDS = {f"{{http://www.w3.org/2000/svg}}{kind}" for kind in ("svg", "rect", "text", "path", "polyline")}


def hostile_card() -> Card:
    rows = [CardRow(name, "#123456", f"{place} {HOSTILE}", place / 5) for place, name in enumerate(NAMES * 2)]
    lines = [CardLine("#aa0000", [1, 2, None, 4]), CardLine("#0000aa", [-4.0, 2, 3])]
    return Card(HOSTILE, HOSTILE, rows=rows, lines=lines, axis=HOSTILE, footer=HOSTILE)


@pytest.mark.slow
@pytest.mark.parametrize("card", [hostile_card(), Card("a", HOSTILE, [HOSTILE] * 3)], ids=["rows", "sentences"])
def test_no_name_becomes_markup_and_every_text_stays_within_the_card(card):
    parts = list(ET.fromstring(card_svg(card)).iter())
    assert {part.tag for part in parts} <= KINDS
    for part in parts:
        if part.tag.endswith("text"):
            size, x = float(part.get("font-size", 0)), float(part.get("x", 0))
            wide = width_of(part.text or "", size, bold="font-weight" in part.attrib)
            left = x - wide if part.get("text-anchor") == "end" else x
            assert left >= 20, part.text
            assert left + wide <= WIDTH - 50, part.text
            assert 0 < float(part.get("y", 0)) <= HEIGHT
    assert "\u202e" not in card.text


@pytest.mark.slow
def test_a_card_is_a_picture_of_the_usual_size_with_a_palette():
    picture = card_png(hostile_card())
    assert struct.unpack(">II", picture[16:24]) == (1200, 630)
    assert picture[25] == 3  # indexed colours
    assert len(picture) < 100_000
    assert card_png(hostile_card()) == picture


def test_long_texts_are_cut_at_their_place_and_short_ones_are_whole():
    assert fitted("Claude 3.7 Sonnet", 24, 400) == "Claude 3.7 Sonnet"
    assert fitted("x" * 500, 24, 400).endswith("…")
    assert wrap("one two three", 24, 1000, 1) == ["one two three"]
    assert wrap("", 24, 100, 2) == []
    assert all(width_of(line, 30) <= 200 for line in wrap(HOSTILE, 30, 200, 5))
