"""Players' labels are short, clean and different; colours go by family and can be seen."""

import pytest
from chart_tables import HOSTILE, players

from ostrom.charts.families import BUILT_IN, COLOURS, DASHES, FURTHER, LONGEST, Cast
from ostrom.core.text import clean
from ostrom.importers.pgg_bench import NAMES as PGG_BENCH


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("claude-3-7-sonnet-20250219", "Claude"),
        ("sonnet-20241022", "Claude"),
        ("o1-2024-12-17", "GPT"),
        ("o3-mini", "GPT"),
        ("chatgpt-4o-latest", "GPT"),
        ("gemini_20_flash", "Gemini"),
        ("llama33_70b", "Llama"),
        ("mistral", "Mistral"),
        ("mixtral-8x7b", "Mistral"),
        ("r1-fireworks", "DeepSeek"),
        ("deepseek-fireworks", "DeepSeek"),
        ("qwq_fireworks", "Qwen"),
        ("grok2-12-12", "Grok"),
    ],
)
def test_models_are_known_by_their_names(name, family):
    face = Cast.of([name]).faces[name]
    assert (face.key, face.colour) == (family, COLOURS[family])


def test_unknown_names_have_a_colour_of_their_own_whoever_sits_beside_them():
    alone = Cast.of(["Zoë"]).faces["Zoë"]
    beside = Cast.of(["Zoë", *players(12)]).faces["Zoë"]
    assert alone.colour == beside.colour
    assert alone.key == "Zoë"


def test_built_in_players_are_neutral_beside_models_and_coloured_among_themselves():
    mixed = Cast.of(["Cooperator", "gpt-5"], built_in={"Cooperator"})
    assert mixed.families == ["GPT", BUILT_IN]
    names = {"Cooperator", "FreeRider", "Retaliator"}
    alone = Cast.of(names, built_in=names)
    assert alone.families == []
    assert len(set(alone.range)) == 3


def test_twelve_built_in_players_among_themselves_have_twelve_colours():
    names = [f"strategy-{index}" for index in range(12)]
    assert len(set(Cast.of(names, built_in=names).range)) == 12


def test_lines_of_one_colour_have_different_dashes():
    names = [f"gemini-{index}" for index in range(len(DASHES))]
    assert len({face.dash for face in Cast.of(names).faces.values()}) == len(DASHES)


def test_labels_are_clean_short_and_different():
    names = ["x" * 100 + "1", "x" * 100 + "2", "a\tb", "a b", HOSTILE, "", "\x00"]
    labels = [Cast.of(names).label(name) for name in names]
    assert len(set(labels)) == len(names)
    assert all(0 < len(label) <= LONGEST for label in labels)
    assert all(label.isprintable() for label in labels)
    assert clean("\u202eevil\n name ") == "evil name"


def test_the_models_of_the_published_table_have_different_names():
    assert len(set(PGG_BENCH.values())) == len(PGG_BENCH) == 19
    assert all(clean(name) == name for name in PGG_BENCH.values())


@pytest.mark.parametrize("paper", ["#ffffff", "#15181d"])
@pytest.mark.parametrize("colour", [*COLOURS.values(), *FURTHER])
def test_every_colour_stands_out_from_light_and_dark_paper(colour, paper):
    def light(shade):
        parts = [int(shade[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05

    ratio = light(colour) / light(paper)
    assert max(ratio, 1 / ratio) >= 2.9  # what WCAG asks of graphics is 3, to the tenth
