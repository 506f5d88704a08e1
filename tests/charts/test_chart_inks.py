"""The inks of charts: on dark paper each can be read, and twenty-two players are told apart by more than colour."""

import re
from pathlib import Path

import numpy as np
import pytest
from chart_tables import per_round, players

from ostrom.charts import render
from ostrom.charts.families import Cast
from ostrom.charts.lines import player_lines
from ostrom.charts.palette import COLOURS, DARK, DASHES, FURTHER, SHAPES, dark_inks, dark_rules
from ostrom.charts.words import share

DARK_PAPERS = ("#1b1f23", "#14171a", "#15181d")
"""The cards and the paper of the pages, and the report's."""
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = np.array([0.95047, 1.0, 1.08883])
VISIONS = {
    # Machado, Oliveira and Fernandes (2009), severity 1.
    "normal": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}


def linear(colour: str) -> np.ndarray:
    parts = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted(float(linear(each) @ TO_XYZ[1]) for each in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def lab(colour: str, vision: str) -> np.ndarray:
    seen = TO_XYZ @ np.clip(VISIONS[vision] @ linear(colour), 0, 1) / WHITE
    root = np.where(seen > 216 / 24389, np.cbrt(seen), (24389 / 27 * seen + 16) / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


@pytest.mark.parametrize("ink", DARK.values())
def test_every_dark_ink_can_be_read_on_dark_paper(ink):
    assert min(contrast(ink, paper) for paper in DARK_PAPERS) >= 4.5


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """CIEDE2000, after Sharma, Wu and Dalal (2005)."""
    (light, a1, b1), (lighter, a2, b2) = one, other
    grey = ((np.hypot(a1, b1) + np.hypot(a2, b2)) / 2) ** 7
    stretch = 1.5 - 0.5 * np.sqrt(grey / (grey + 25**7))
    chroma1, chroma2 = np.hypot(stretch * a1, b1), np.hypot(stretch * a2, b2)
    hue1, hue2 = (np.degrees(np.arctan2(b, stretch * a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (hue2 - hue1 + 180) % 360 - 180
    hue, chroma, mean = (hue1 + turn / 2) % 360, (chroma1 + chroma2) / 2, ((light + lighter) / 2 - 50) ** 2
    cosines = [np.cos(np.radians(times * hue + shift)) for times, shift in ((1, -30), (2, 0), (3, 6), (4, -63))]
    weights = 1 + np.array([-0.17, 0.24, 0.32, -0.2]) @ cosines
    by_light = (lighter - light) / (1 + 0.015 * mean / np.sqrt(20 + mean))
    by_chroma = (chroma2 - chroma1) / (1 + 0.045 * chroma)
    by_hue = 2 * np.sqrt(chroma1 * chroma2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * chroma * weights)
    rotation = (
        -np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2)))) * 2 * np.sqrt(chroma**7 / (chroma**7 + 25**7))
    )
    return float(np.sqrt(by_light**2 + by_chroma**2 + by_hue**2 + rotation * by_chroma * by_hue))


def test_the_difference_is_that_of_the_published_examples():
    assert difference(np.array([50, 2.6772, -79.7751]), np.array([50, 0, -82.7485])) == pytest.approx(2.0425, abs=1e-4)
    assert difference(np.array([50, 2.5, 0]), np.array([73, 25, -18])) == pytest.approx(27.1492, abs=1e-4)


LIGHT = [*COLOURS.values(), *FURTHER]


@pytest.mark.parametrize(("inks", "normal", "deficient"), [(LIGHT, 17, 8), (list(DARK.values()), 18, 11)])
def test_any_two_inks_differ(inks, normal, deficient):
    for vision in VISIONS:
        seen = [lab(ink, vision) for ink in inks]
        apart = [difference(one, other) for place, one in enumerate(seen) for other in seen[:place]]
        assert min(apart) >= (normal if vision == "normal" else deficient)


def test_gemini_and_deepseek_are_told_apart():
    light = [COLOURS["Gemini"], COLOURS["DeepSeek"]]
    for inks in (light, [DARK[ink] for ink in light]):
        one, other = (lab(ink, "normal") for ink in inks)
        assert difference(one, other) >= 20


@pytest.mark.parametrize("vision", VISIONS)
def test_dark_inks_are_told_apart(vision):
    seen = [lab(ink, vision) for ink in DARK.values()]
    apart = [np.linalg.norm(one - other) for place, one in enumerate(seen) for other in seen[:place]]
    assert min(apart) >= 16


def test_every_colour_of_a_player_has_a_dark_ink():
    faces = Cast.of([*players(22), "Cooperator"], built_in=["Cooperator"]).faces.values()
    assert {face.colour for face in faces} | {*COLOURS.values(), *FURTHER} <= set(DARK)


@pytest.mark.parametrize("count", [16, 22])
def test_no_two_players_look_alike(count):
    names = [f"strategy-{index}" for index in range(count)]
    family = [f"gpt-{index}" for index in range(count)]
    gpt = Cast.of(family, families=dict.fromkeys(family, "GPT"))
    for cast in (Cast.of(names, built_in=names), Cast.of(players(count)), gpt):
        signs = {(face.line, face.shape, face.dash) for face in cast.faces.values()}
        assert len(signs) == count
    assert len(SHAPES) == len(DASHES)


def test_a_page_learns_the_dark_inks_of_a_chart_and_no_others():
    cast = Cast.of(["gpt-1", "claude-1"], families={"gpt-1": "GPT", "claude-1": "Claude"})
    chart = player_lines(per_round(["gpt-1", "claude-1"]), cast, unit=share("given"))
    spec = render.embedded(render.styled(chart, title="t")).spec
    assert spec["usermeta"]["dark"] == {light: DARK[light] for light in (COLOURS["Claude"], COLOURS["GPT"])}
    assert dark_inks({"datasets": {"a": [{"label": COLOURS["GPT"]}]}}) == {}
    assert all(f'[stroke="{light}"]' in dark_rules() for light in DARK)


def test_an_axis_of_shares_begins_at_nought_and_one_of_rounds_has_whole_ticks():
    spec = player_lines(per_round(["a", "b"]), Cast.of(["a", "b"]), unit=share("given")).to_dict()
    line = spec["layer"][1]["encoding"]
    assert line["y"]["scale"]["domain"][0] == 0
    assert line["x"]["axis"]["format"] == "d"
    assert line["x"]["axis"]["values"] == [1, 2, 3, 4]


@pytest.mark.parametrize("rounds", [1, 2, 3, 5, 13, 60])
def test_no_number_is_on_an_axis_of_rounds_twice(rounds):
    chart = player_lines(per_round(["a", "b"], rounds), Cast.of(["a", "b"]), unit=share("given"))
    axes = re.findall(r'role-axis-label".*?</g>', render.svg(render.styled(chart, title="t")), re.DOTALL)
    labels = re.findall(r">(\d+)</text>", axes[0])
    assert labels
    assert len(labels) == len(set(labels)) <= 11


def test_a_picture_says_where_its_figures_come_from():
    chart = render.styled(player_lines(per_round(["a"]), Cast.of(["a"]), unit=share("given")), title="t")
    plain, sourced = render.svg(chart), render.svg(chart, "A & B · 3 games · Ostrom \x1b[31m1.0")
    assert "A &amp; B · 3 games · Ostrom" in sourced
    assert "\x1b" not in sourced
    high = [float(one.partition('height="')[2].partition('"')[0]) for one in (plain, sourced)]
    assert high[1] > high[0]
    assert render.png(sourced).startswith(b"\x89PNG")


def test_replays_and_charts_have_the_same_inks_on_dark_paper():
    script = (Path(__file__).parents[2] / "frontend/src/replay/colours.ts").read_text(encoding="utf-8")
    assert dict(re.findall(r'"(#[0-9a-f]{6})": "(#[0-9a-f]{6})"', script)) == DARK
