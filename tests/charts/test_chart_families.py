"""Players' labels are short, clean and different; colours go by family and can be seen."""

import polars as pl
import pytest
from chart_tables import HOSTILE, players

from ostrom.charts.families import DASHES, LONGEST, Cast, with_names
from ostrom.charts.palette import COLOURS, FURTHER, built_in_of, with_names_and_colours
from ostrom.core.text import clean
from ostrom.importers.names import PGG_BENCH
from ostrom.journal.names import PlayerNames
from ostrom.journal.record import GameRecord, RecordedSeat


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


def test_built_in_players_have_one_colour_whoever_sits_beside_them():
    names = ["Cooperator", "FreeRider", "Retaliator"]
    mixed = Cast.of(["Retaliator", "gpt-5"], built_in=names)
    alone = Cast.of(names, built_in=names)
    assert mixed.faces["Retaliator"].colour == alone.faces["Retaliator"].colour
    assert alone.families == []
    assert len(set(alone.range)) == 3


def test_tables_say_what_players_are_called_beside_their_ids():
    table = pl.DataFrame({"player": ["gpt-5", None], "final": [1, 2], "other_player": ["x", "gpt-5"]})
    found = with_names(table, {"gpt-5": "GPT-5", "x": "The other"}.__getitem__)
    assert found.columns == ["player", "name", "final", "other_player", "other_name"]
    assert found["name"].to_list() == ["GPT-5", None]
    assert found["other_name"].to_list() == ["The other", "GPT-5"]


def test_a_record_that_leaves_carries_names_and_the_colours_of_charts():
    record = GameRecord(
        ostrom="0", game="commons", seed=1, number=0, rules={}, answers=[], events=[],
        seats=[RecordedSeat(seat=0, label="P1", player="gpt-5"), RecordedSeat(seat=1, label="P2", player="Pavlov")],
    )  # fmt: skip
    seats = with_names_and_colours(record, PlayerNames(("gpt-5", "Pavlov"), labels={"Pavlov": "Ivan"})).seats
    assert [seat.name for seat in seats] == ["GPT-5", "Ivan"]
    cast = Cast.of(["gpt-5", "Pavlov"], built_in=built_in_of("commons"))
    assert [seat.colour for seat in seats] == [cast.faces[seat.player].colour for seat in seats]
    assert (
        with_names_and_colours(record.model_copy(update={"seats": seats})).seats == seats
    )  # a file keeps what it says


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
