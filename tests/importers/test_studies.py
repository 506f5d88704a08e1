"""Published data of people: the counts and means of each study, the split, replays, and files that are refused."""

import gzip
import json
import zipfile
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from foreign_data import foreign
from ostrom.cli.main import app
from ostrom.core import InputError
from ostrom.games.contributions import CONTRIBUTIONS
from ostrom.importers.studies import STUDIES
from ostrom.importers.studies.command import study_of
from ostrom.importers.studies.psych201 import load_patterns
from ostrom.importers.studies.split import part_of
from ostrom.importers.studies.zhu import canonical

EXAMPLES = Path(__file__).parents[2] / "examples"
ZHU = {
    "choices": 69_366, "games": 1_796, "people": 4_673,
    "level-1 right": 0.7378, "level-2 right": 0.6769, "level-3 right": 0.6964, "level-1 ties": 967,
    "maximax right": 0.7021, "maximin right": 0.6651, "row with the largest joint sum right": 0.6854,
    "strictly dominant row taken": 0.8466, "weakly dominant row taken": 0.8399,
    "exactly one pure equilibrium": 0.6646, "row of the only pure equilibrium followed": 0.7267,
    "level-1 right in trial 1": 0.7132, "level-1 right in trials 1–5": 0.7281,
    "level-1 right in trials 16–20": 0.7416, "A chosen": 0.5018,
}  # fmt: skip
MOBLAB = {
    "rows of dictators": 34_285, "gifts": 19_063, "givers": 7_815, "mean gift": 25.2120,
    "standard deviation of gifts": 21.8063, "median gift": 25.0, "gave nothing": 0.2696, "gave half": 0.1685,
    "gave more than half": 0.0441, "gave all": 0.0, "mean gift in round 1": 25.9894,
    "rows of ultimatum": 4_843, "offers with thresholds": 4_606, "mean offer": 44.1659, "offered half": 0.2924,
    "offered more than half": 0.1904, "mean threshold": 34.5421, "share that accepts 0": 0.0502,
    "share that accepts 10": 0.1941, "share that accepts 20": 0.2623, "share that accepts 30": 0.3880,
    "share that accepts 40": 0.5875, "share that accepts 50": 0.9197, "own offer below own threshold": 0.1743,
    "offer with the highest expected payoff": 50, "share of random pairs that agree": 0.6843,
}  # fmt: skip
FRD_FIRST = (0.5370, 0.7688, 0.7723, 0.7500, 0.8670, 0.8309)
FRD_ALL = (0.3161, 0.5245, 0.6002, 0.5726, 0.8303, 0.7604)
FRD = {
    "decisions": 10_216,
    "people": 299,
    **{f"cooperation, first round, treatment {place}": share for place, share in enumerate(FRD_FIRST, start=1)},
    **{f"cooperation, all rounds, treatment {place}": share for place, share in enumerate(FRD_ALL, start=1)},
    "actions changed by an error of 0": 0.0,
}
ALSOBAY = {
    "people": 3_172, "games": 291, "designs": 139, "contributions": 45_996,
    "mean contribution": 15.1693, "contributed nothing": 0.1459, "contributed everything": 0.6705,
    "any amount: contributed nothing": 0.0935, "any amount: contributed everything": 0.5647,
    "people's mean share without punishment": 0.7061, "people's mean share with punishment": 0.7807,
    "people's mean share without chat": 0.6786, "people's mean share with chat": 0.8122,
    "people's mean share without reward": 0.7262, "people's mean share with reward": 0.7605,
    "people's mean share without all-or-nothing": 0.7221, "people's mean share with all-or-nothing": 0.7672,
    "people's mean share without opt-out": 0.7283, "people's mean share with opt-out": 0.7605,
    "people's mean share without a known horizon": 0.7554, "people's mean share with a known horizon": 0.7330,
    "people's mean share without peers' outcomes": 0.7565, "people's mean share with peers' outcomes": 0.7294,
    "punishment: seat-rounds with one": 0.1853, "punishment: spent": 1.6856, "punishment: lost": 4.1723,
    "reward: seat-rounds with one": 0.1856, "reward: spent": 2.9146, "reward: received": 3.2253,
    **{
        f"mean contribution in round {number}": mean
        for number, mean in (
            (1, 13.9077), (2, 14.8367), (3, 15.2305), (5, 15.2914), (10, 15.2118), (15, 15.3953), (20, 14.9241)
        )
    },
}  # fmt: skip
ALSOBAY |= {
    "no chat, no punishment: people's mean share": 0.6372, "chat: people's mean share": 0.7802,
    "punishment: people's mean share": 0.7212, "chat and punishment: people's mean share": 0.8452,
    "punishment: pairs with one": 0.0280, "punishment: targets that gave less": 0.1012,
    "punishment: targets that gave as much or more": 0.0109, "designs with and without punishment": 138,
    "effect of punishment on the share: mean": 0.0591,
    "effect of punishment on the share: standard deviation": 0.2036,
    "effect of punishment on the share: positive": 0.6739,
    "effect of punishment on the earnings, relative: mean": -0.0234,
    "effect of punishment on the earnings, relative: median": -0.0342,
    "effect of punishment on the earnings, relative: standard deviation": 0.1928,
    "effect of punishment on the earnings, relative: positive": 0.4058,
    "effect of punishment on the earnings, in units of 20 (m − 1): mean": -0.0905,
    "effect of punishment on the earnings, in units of 20 (m − 1): standard deviation": 0.3572,
    "designs and arms that were played more than once": 14, "noise of a game's mean share": 0.1896,
    "noise of a game's mean earnings, logarithm": 0.1209,
    "noise of a game's mean earnings, in units of 20 (m − 1)": 0.2229,
    "rounds of people compared with the rules": 45_996, "rounds of people replayed": 45_953,
    **{
        f"{cell}: mean contribution in round {number}": mean
        for cell, means in (
            ("no chat, no punishment", (13.6957, 13.9691, 13.6530, 13.5092, 12.6875, 12.8519, 12.1380)),
            ("punishment", (14.0252, 14.2893, 14.6728, 14.5580, 14.6029, 14.4108, 13.5273)),
        )
        for number, mean in zip((1, 2, 3, 5, 10, 15, 20), means, strict=True)
    },
}  # fmt: skip
ALSOBAY_EARNINGS = {
    "no chat, no punishment": 76.998, "chat": 86.543, "punishment": 78.930, "chat and punishment": 87.044
}  # fmt: skip
HERRMANN_SESSIONS = {
    "Boston 050323NN": (
        (24, 17.8083, 1.0042, 0.0763, 1.8654),
        (15.292, 16.667, 18.208, 19.167, 18.625, 18.750, 19.125, 17.542, 18.833, 15.875),
    ),
    "Chengdu 060519U1": (
        (20, 15.5400, 0.9700, 0.1116, 1.1280),
        (10.55, 10.85, 14.55, 15.75, 16.85, 17.55, 17.80, 17.60, 18.15, 15.75),
    ),
    "Samara 011108KA": (
        (16, 10.1375, 2.0812, 0.4481, 1.1337),
        (10.938, 10.750, 10.188, 9.562, 8.438, 9.375, 10.188, 10.688, 11.125, 10.125),
    ),
    "Samara 011108O6": (
        (16, 12.3750, 0.9812, 0.0945, 0.7399),
        (11.062, 10.875, 12.938, 13.125, 10.812, 12.312, 12.125, 13.500, 13.500, 13.500),
    ),
    "Samara 011108Q0": (
        (16, 12.6687, 1.7937, 0.2727, 1.0773),
        (10.688, 11.875, 11.188, 12.125, 12.438, 12.625, 12.875, 13.312, 14.500, 15.062),
    ),
    "": (
        (92, 14.1424, 1.3174, 0.1732, 1.1289),
        (11.967, 12.533, 13.880, 14.478, 14.033, 14.674, 14.978, 14.924, 15.663, 14.293),
    ),
}
HERRMANN = {
    "groups": 23, "payoff": 23.2159, "payoff, deductions limited to the income of the round": 23.2809,
    "seat-rounds in which the limit matters": 11, "groups and rounds": 230,
    "groups and rounds whose contributions agree": 230, "groups and rounds whose received points agree": 230,
}  # fmt: skip
BFS = {"people": 174, "choices": 20_358, "dictator choices": 6_786}
WXZ = {
    "decisions": 15_300, "people": 51, "results that follow from the choices": 15_300,
    "stays after a win": 0.3576, "stays after a loss": 0.5123, "stays after a tie": 0.4187,
}  # fmt: skip
FG_MEANS = (7.8929, 7.7429, 6.2571, 5.3429, 4.8000, 4.0500, 3.8071, 3.4214, 2.7500, 2.2357)
FG = {
    "people": 140, "seat-rounds": 1_400, "profits replayed": 1_400,
    "share of conditional cooperators": 0.55, "share of free riders": 0.2286, "share of triangle": 0.1214,
    "share of other": 0.1,
    **{f"mean contribution in round {place}": mean for place, mean in enumerate(FG_MEANS, start=1)},
}  # fmt: skip
DF = {
    "payoffs of past rounds": 72_366, "payoffs replayed": 72_366,
    "cooperation in round 1, δ 0.5, R 32": 0.0981, "cooperation in round 1, δ 0.5, R 40": 0.1872,
    "cooperation in round 1, δ 0.5, R 48": 0.3897, "cooperation in round 1, δ 0.75, R 32": 0.2561,
    "cooperation in round 1, δ 0.75, R 40": 0.6110, "cooperation in round 1, δ 0.75, R 48": 0.8507,
}  # fmt: skip
EXPECTED = {
    "alsobay-2025": ("people", ALSOBAY),
    "bruhin-2019": ("humans", BFS),
    "herrmann-2008": ("people", HERRMANN),
    "zhu-2025": ("people", ZHU),
    "moblab-2024": ("people", MOBLAB),
    "fudenberg-2012": ("people", FRD),
    "wang-2014": ("people", WXZ),
    "fischbacher-2010": ("humans", FG),
    "dal-bo-2011": ("humans", DF),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPECTED)
def test_a_study_has_its_published_counts_and_means(name):
    folder, expected = EXPECTED[name]
    reading = study_of(name).read(_folder(name, folder), False)
    figures = {figure.name: figure.value for figure in reading.figures}
    assert {figure: round(figures[figure], 4) for figure in expected} == expected
    if name == "alsobay-2025":
        earnings = {cell: figures[f"{cell}: people's mean earnings a round"] for cell in ALSOBAY_EARNINGS}
        assert earnings == pytest.approx(ALSOBAY_EARNINGS, abs=6e-4)
        # Five games have inconsistent payoffs, and in one a person spends more than it has.
        assert len(reading.games) == 285
        assert len(reading.mismatches) == 6


def _folder(name: str, folder: str) -> Path:
    """Return the folder of a study. Two studies have a file of the same name."""
    below = {"alsobay-2025": "alsobay2025publicGoodsGame", "zhu-2025": "zhu2024games"}
    return foreign(folder) / below.get(name, "")


@pytest.mark.slow
def test_sessions_with_punishment_have_their_means_and_replay():
    reading = study_of("herrmann-2008").read(foreign("people") / "htg2008", False)
    figures = {figure.name: figure.value for figure in reading.figures}
    for session, (values, means) in HERRMANN_SESSIONS.items():
        label = f"{session}: " if session else ""
        names = (
            "people", "mean contribution", "points a seat-round", "points to a target that gave as much or more",
            "points to a target that gave less",
        )  # fmt: skip
        assert tuple(round(figures[f"{label}{name}"], 4) for name in names) == values
        by_round = [figures[f"{label}mean contribution in round {number}"] for number in range(1, 11)]
        assert by_round == pytest.approx(means, abs=6e-4)
    assert len(reading.games) == 23
    assert reading.mismatches == []
    finals = [final for game in reading.games for final in CONTRIBUTIONS.finals(game.match.events)]
    assert sum(finals) / 920 == pytest.approx(23.2809, abs=6e-5)


@pytest.mark.slow
def test_replayed_groups_are_stored_once_and_tables_are_written(tmp_path):
    store = f"sqlite:///{tmp_path / 'journal.db'}"
    arguments = ["import", "study", "fischbacher-2010", str(foreign("humans")), "--store", store]
    first = CliRunner().invoke(app, [*arguments, "-o", str(tmp_path / "tables"), "--json"])
    assert first.exit_code == 0, first.output
    document = json.loads(first.output)
    assert (document["games"], document["new"], document["mismatches"]) == (350, 350, [])
    assert pl.read_parquet(tmp_path / "tables" / "decisions.parquet").height == 1_400
    again = CliRunner().invoke(app, [*arguments, "--json"])
    assert json.loads(again.output)["new"] == 0


@pytest.mark.slow
def test_the_pattern_file_of_the_examples_reads_what_the_reader_reads():
    folder = foreign("people") / "zhu2024games"
    own = load_patterns(EXAMPLES / "zhu-2025.toml").read(folder, True)
    reader = study_of("zhu-2025").read(folder, True)
    payoffs = [column for column in reader.tables["decisions"].columns if column.startswith(("own_", "other_"))]
    ours = own.tables["decisions"].select(*(pl.col(name).cast(pl.Int64) for name in payoffs), a=pl.col("choice") == "A")
    assert ours.equals(reader.tables["decisions"].select(*payoffs, a=pl.col("chose_a")))
    assert own.mismatches == []


def test_every_study_describes_itself():
    for name in STUDIES:
        study = study_of(name)
        assert study.name == name
        assert study.title
        assert study.source
        assert study.terms
    assert set(EXPECTED) <= set(STUDIES)


def test_a_key_belongs_to_a_part_by_two_digits_of_its_hash():
    assert part_of("a") == "held-out"  # its hash begins with ca
    parts = [part_of(f"key {number}") for number in range(4_000)]
    assert parts.count("held-out") / 4_000 == pytest.approx(0.25, abs=0.03)
    assert parts.count("development") / 4_000 == pytest.approx(0.75 * 0.25, abs=0.03)


def test_the_canonical_game_is_the_same_however_rows_and_columns_are_shown():
    ac, ad, bc, bd = (1, 2), (3, 4), (5, 6), (7, 8)
    shown = [(*ac, *ad, *bc, *bd), (*bc, *bd, *ac, *ad), (*ad, *ac, *bd, *bc), (*bd, *bc, *ad, *ac)]
    assert {canonical(game) for game in shown} == {(1, 2, 3, 4, 5, 6, 7, 8)}


PATTERNS = """
name = "thrift"
title = "Thrift"
source = "none"
terms = "none"
file = "prompts.jsonl"
block = "New day"
context = ['You have (?P<coins>\\d+) coins', 'It (?P<weather>rains|shines)']
numbers = ["coins", "spent"]
split = ["person"]
[[decisions]]
line = 'You spend <<(?P<spent>\\d+)>>'
[[decisions]]
table = "words"
line = 'You say <<(?P<text>.*)>>'
"""


def people(folder: Path, *texts: str) -> Path:
    lines = [{"text": text, "experiment": "x", "participant": number} for number, text in enumerate(texts)]
    (folder / "prompts.jsonl").write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return folder


def test_patterns_read_context_blocks_tables_and_what_they_do_not_know(tmp_path):
    (tmp_path / "thrift.toml").write_text(PATTERNS)
    first = "You have 5 coins\nIt rains\nYou spend <<3>>\nYou say <<no>>\n"
    text = f"{first}New day\nYou have 9 coins\nYou spend <<4>>\nYou <<nod>>"
    reading = load_patterns(tmp_path / "thrift.toml").read(people(tmp_path, text), True)
    spent = reading.tables["decisions"]
    assert spent.select("coins", "weather", "spent", "order").rows() == [(5, "rains", 3, 1), (9, None, 4, 3)]
    assert reading.tables["words"]["text"].to_list() == ["no"]
    assert {figure.name: figure.value for figure in reading.figures if figure.rows is None} == {
        "people": 1, "answers": 4, "answers read": 3, "rows of decisions": 2, "rows of words": 1,
    }  # fmt: skip
    assert reading.mismatches == ["participant 0: no pattern reads: You <<nod>>"]


WRONG_PATTERNS = {
    "no decision": ("[[decisions]]", "[[others]]", "decisions"),
    "a broken expression": ("'It (?P<weather>rains|shines)'", "'It ('", "is not a regular expression"),
    "an unknown group": ('numbers = ["coins", "spent"]', 'numbers = ["cost"]', "no pattern has a group cost"),
    "a reserved group": ("(?P<weather>", "(?P<order>", "is the name of a column of every table"),
}


@pytest.mark.parametrize("case", WRONG_PATTERNS)
def test_a_wrong_pattern_file_is_refused_in_one_line(case, tmp_path):
    old, new, reason = WRONG_PATTERNS[case]
    (tmp_path / "thrift.toml").write_text(PATTERNS.replace(old, new))
    with pytest.raises(InputError, match=reason) as refused:
        load_patterns(tmp_path / "thrift.toml")
    assert "\n" not in str(refused.value)


def _zip(path: Path, name: str, content: str) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("__MACOSX/prompts.jsonl", "no JSON")
        archive.writestr(name, content)


def test_files_that_are_no_data_are_refused_in_one_line(tmp_path):
    study = study_of("zhu-2025")
    cases = {
        "nothing": "has no file",
        "not a zip file": "cannot be read",
        "another file": "it has no prompts.jsonl",
        "no JSON": "line 1: broken JSON",
        "no text": "line 1: it has no text",
        "no participant": "line 1: it has no participant",
        "another choice": "not in the form",
    }
    for case, reason in cases.items():
        folder = tmp_path / case
        folder.mkdir()
        path = folder / "prompts.jsonl.zip"
        if case == "not a zip file":
            path.write_bytes(b"PK")
        elif case != "nothing":
            content = {"no JSON": "{", "no text": "{}", "no participant": '{"text": "", "experiment": "x"}'}
            person = json.dumps({"text": "You <<nod>>.", "experiment": "x", "participant": 1})
            _zip(path, "other.jsonl" if case == "another file" else "prompts.jsonl", content.get(case, person))
        with pytest.raises(InputError, match=reason):
            study.read(folder, False)
    (tmp_path / "frd2012.csv.gz").write_bytes(gzip.compress(b"id,game\n1,2\n")[:-9])
    with pytest.raises(InputError, match=r"frd2012\.csv\.gz: cannot be read"):
        study_of("fudenberg-2012").read(tmp_path, False)
    (tmp_path / "wxz2014.csv").write_text("id,game\n1,2\n")
    with pytest.raises(InputError, match="there is no column period"):
        study_of("wang-2014").read(tmp_path, False)
