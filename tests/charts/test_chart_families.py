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
    ("player", "family"),
    [
        ("anthropic:claude-3-7-sonnet-20250219", "Claude"),
        ("openai:o3-mini", "GPT"),
        ("openai/gpt-4o-2024-08-06", "GPT"),
        ("openrouter:anthropic/claude-sonnet-4", "Claude"),
        ("google-gla:gemini-2.0-flash (temperature 0)", "Gemini"),
        ("groq:llama-3.3-70b-versatile", "Llama"),
        ("together:deepseek-ai/DeepSeek-R1", "DeepSeek"),
        ("xai:grok-2", "Grok"),
        # Any server may be asked in the way of OpenAI's.
        ("openai:qwen2.5:7b", "Qwen"),
        ("openai:our-own-model", None),
        # Names that bots, strategies and people chose.
        ("echo-sonnet", None),
        ("delta-r1", None),
        ("claude-the-careful", None),
        ("gpt-5", None),
        ("openai", None),
    ],
)
def test_a_family_is_known_where_the_id_names_the_provider(player, family):
    names = PlayerNames.of_players([player])
    face = Cast.named([player], names).faces[player]
    assert names.family(player) == family
    assert face.key == (family or names.of(player))
    if family:
        assert face.colour == COLOURS[family]


@pytest.mark.parametrize(
    ("player", "family"),
    [("sonnet-20241022", "Claude"), ("o1-2024-12-17", "GPT"), ("r1-fireworks", "DeepSeek"), ("qwq_fireworks", "Qwen")],
)
def test_the_source_of_imported_games_names_the_model(player, family):
    assert PlayerNames.of_players([player], imported=True).family(player) == family
    assert PlayerNames.of_players([player]).family(player) is None


def test_no_other_player_has_the_colour_of_a_family_in_the_legend():
    models = [
        f"{maker}:{model}" for maker, model in (("anthropic", "claude-4"), ("openai", "gpt-5"), ("xai", "grok-3"))
    ]
    bots = ["echo-sonnet", "delta-r1", *(f"bot-{number}" for number in range(7))]
    cast = Cast.named([*models, *bots], PlayerNames.of_players([*models, *bots]))
    of_families = {cast.faces[model].colour for model in models}
    assert cast.families == ("Claude", "GPT", "Grok")
    assert not of_families & {cast.faces[bot].colour for bot in bots}
    assert len({face.colour for face in cast.faces.values()}) == 12


@pytest.mark.parametrize("player", ["openai:gpt-{}", "google-gla:gemini-{}", "bot-{}", "person {}"])
def test_up_to_twelve_players_have_lines_of_different_colours(player):
    names = [player.format(number) for number in range(12)]
    lines = [face.line for face in Cast.named(names, PlayerNames.of_players(names)).faces.values()]
    assert len(set(lines)) == 12


def test_the_seats_of_a_table_have_different_colours():
    players = ["openai:gpt-5", "openai:gpt-4o", "Pavlov", "Pavlov", "echo-sonnet", *(f"bot-{at}" for at in range(7))]
    seats = [RecordedSeat(seat=at, label=f"P{at + 1}", player=player) for at, player in enumerate(players)]
    record = GameRecord(ostrom="0", game="commons", seed=1, number=0, rules={}, answers=[], events=[], seats=seats)
    assert len({seat.colour for seat in with_names_and_colours(record).seats}) == 12


def test_unknown_names_have_a_colour_of_their_own_whoever_sits_beside_them():
    alone = Cast.of(["Zoë"]).faces["Zoë"]
    beside = Cast.of(["Zoë", *players(12)]).faces["Zoë"]
    assert alone.colour == beside.colour
    assert alone.key == "Zoë"


def test_built_in_players_have_one_colour_whoever_sits_beside_them():
    names = ["Cooperator", "FreeRider", "Retaliator"]
    mixed = Cast.of(["Retaliator", "gpt-5"], families={"gpt-5": "GPT"}, built_in=names)
    alone = Cast.of(names, built_in=names)
    assert mixed.faces["Retaliator"].colour == alone.faces["Retaliator"].colour
    assert alone.families == ()
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
    names = [f"gemini-{index}" for index in range(12 * len(DASHES))]
    faces = Cast.of(names, families=dict.fromkeys(names, "Gemini")).faces.values()
    assert len({(face.line, face.dash) for face in faces}) == len(names)


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
