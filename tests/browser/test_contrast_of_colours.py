"""The colours of the pages satisfy WCAG AA in both themes; computed from the style sheet, without a browser."""

import re
from pathlib import Path

import pytest

SHEET = (Path(__file__).parents[2] / "frontend" / "src" / "app.css").read_text()

PLACES = ("paper", "card", "sunk")
TEXT = [
    *((ink, place) for ink in ("ink", "soft", "accent", "gold", "good", "bad") for place in PLACES),
    *((ink, "accent-soft") for ink in ("ink", "soft", "accent")),
    ("on-accent", "accent"),
    ("gold", "gold-soft"),
    ("good", "good-soft"),
    ("bad", "bad-soft"),
    *((f"seat-{seat}", place) for seat in range(16) for place in ("paper", "card")),
]
"""Ink and what it stands on: 4.5 to 1."""
MARKS = [
    *((mark, place) for mark in ("strong-line", "focus") for place in ("paper", "card")),
    *((f"seat-{seat}", "sunk") for seat in range(16)),
    *((fill, place) for fill in ("accent", "gold", "good") for place in ("sunk", "card")),
]
"""Borders of controls, the focus, dots and bars: 3 to 1."""


def tokens(selector: str) -> dict[str, str]:
    """The colours that a rule of the style sheet sets."""
    block = re.search(re.escape(selector) + r"\s*\{([^}]*)\}", SHEET)
    assert block is not None, selector
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6})\b", block.group(1)))


LIGHT = tokens(":root")
DARK = LIGHT | tokens(':root[data-theme="dark"]')


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, contrast ratio."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def weak(theme: dict[str, str], pairs: list[tuple[str, str]], least: float) -> dict[str, float]:
    result = {f"{ink} on {place}": round(contrast(theme[ink], theme[place]), 2) for ink, place in pairs}
    return {pair: ratio for pair, ratio in result.items() if ratio < least}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_can_be_read(theme: dict[str, str]) -> None:
    assert weak(theme, TEXT, 4.5) == {}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_marks_can_be_seen(theme: dict[str, str]) -> None:
    assert weak(theme, MARKS, 3.0) == {}


def test_dark_is_the_same_whether_chosen_or_the_systems() -> None:
    assert tokens(':root:not([data-theme="light"])') == tokens(':root[data-theme="dark"]')


def test_dark_sets_every_colour_that_light_sets() -> None:
    assert set(tokens(':root[data-theme="dark"]')) == set(LIGHT)
