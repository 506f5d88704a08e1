"""`ostrom status`, `ostrom list` and `ostrom export`: what a journal holds, as tables, documents and files."""

import asyncio
import json
import re
import sqlite3

import polars as pl
import pytest
from commandline import answer, document, ostrom

from kept import commons, opened, opening, punish, start_game
from ostrom.charts.palette import with_names_and_colours
from ostrom.findings.lists import experiment_rows
from ostrom.journal import GameRecord, read_record
from ostrom.journal.record import with_tellings

TABLES = ("games", "seats", "answers", "rounds", "punishments", "messages")


@pytest.fixture
def filled(store):
    """A journal with an experiment that is done, one that is not, and one of logs."""
    with opened(store) as journal:
        done = journal.new_experiment("messages on", kind="punish", settings={"seed": 7}, planned=3)
        for number in range(3):
            journal.add_game(done, punish(number), key=f"p{number}")
        begun = journal.new_experiment("the commons", kind="commons", planned=2)
        journal.add_game(begun, commons(), key="c0")
        start_game(journal, begun, opening(commons(1)), key="c1")
        journal.new_experiment("logs", kind="import")
    return store


def test_status_as_a_document(filled):
    found = document("status", "--store", filled)
    assert set(found) == {"journal", "revision", "status"}
    done, begun, logs = found["status"]
    assert set(done) == {
        *("id", "name", "kind", "state", "created", "games", "playing", "planned"),
        *(
            "answers",
            "batches",
            "events",
            "provenance",
            "settings",
            "void",
            "runs",
            "defaulted",
            "calls",
            "models",
            "sent",
            "suspended",
        ),
    }
    assert (done["id"], done["name"], done["state"]) == ("punish-1", "messages on", "finished")
    assert (done["games"], done["planned"], done["answers"]) == (3, 3, 27)
    assert done["provenance"] == {"answered": 2 / 9, "repaired": 3 / 9, "defaulted": 1 / 9, "imported": 3 / 9}
    assert (begun["state"], begun["games"], begun["playing"], begun["planned"]) == ("unfinished", 1, 1, 2)
    assert (logs["state"], logs["planned"], logs["answers"], logs["provenance"]) == ("open", None, 0, {})
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", logs["created"])


def test_status_as_a_table(filled, monkeypatch):
    monkeypatch.setenv("COLUMNS", "130")
    said = answer("status", "--store", filled)
    for part in ("punish-1", "messages on", "3 of 3", "1 of 2", "unfinished", "defaulted 11.1 %"):
        assert part in said


def test_no_line_of_a_long_reason_starts_where_a_line_of_ours_does(filled, monkeypatch):
    with opened(filled) as journal:

        async def suspend():
            async with journal.ledgers("punish-1") as ledgers:
                ledger = await ledgers.open(opening(punish(7)), "k")
                await ledger.suspend("HTTP 401: " + "FORGED-LINE " * 200, "game_limit")

        asyncio.run(suspend())
    for columns in range(60, 130, 7):
        monkeypatch.setenv("COLUMNS", str(columns))
        said = answer("status", "--store", filled)
        assert "FORGED-LINE FORGED-LINE" in said
        assert not [line for line in said.split("\n") if line.startswith("FORGED")], columns
        assert said.count("FORGED-LINE") < 30


def test_status_of_a_journal_without_experiments(store):
    with opened(store):
        pass
    assert "has no experiments" in answer("status", "--store", store)
    assert document("status", "--store", store)["status"] == []


def test_the_journal_is_found_through_the_environment_and_in_the_folder(tmp_path, monkeypatch, complaint):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OSTROM_STORE", raising=False)
    assert "there is no journal ostrom.db yet" in complaint("status")
    assert experiment_rows(None) == []
    with opened("sqlite:///ostrom.db") as journal:
        journal.new_experiment("here", kind="test")
    with opened("sqlite:///other.db") as journal:
        journal.new_experiment("there", kind="test")
    assert document("status")["status"][0]["name"] == "here"
    monkeypatch.setenv("OSTROM_STORE", "sqlite:///other.db")
    assert document("status")["status"][0]["name"] == "there"
    assert experiment_rows("sqlite:///ostrom.db")[0]["name"] == "here"


def test_experiments_for_a_list(filled):
    assert experiment_rows(filled)[1] == {
        "id": "commons-2",
        "kind": "commons",
        "games": 1,
        "state": "unfinished",
        "name": "the commons",
    }


def test_the_games_of_a_journal_as_a_document(filled):
    found = document("list", "journal", "--store", filled)
    assert set(found) == {"journal"}
    assert [row["id"] for row in found["journal"]] == [
        *("punish-1.1", "punish-1.2", "punish-1.3", "commons-2.1", "commons-2.2"),
    ]
    assert found["journal"][1] == {
        "id": "punish-1.2",
        "experiment": "punish-1",
        "game": "contribute_punish",
        "rounds": 1,
        "state": "finished",
        "source": "game_1.jsonl",
        "players": ["model/0", "model/1", "model/2"],
        "names": ["model/0", "model/1", "model/2"],
    }
    last = found["journal"][-1]
    assert (last["rounds"], last["state"], last["source"]) == (None, "playing", None)


@pytest.mark.parametrize("name", ["the commons", "commons-2"])
def test_the_games_of_one_experiment(filled, name):
    found = document("list", "journal", "--store", filled, "--experiment", name)["journal"]
    assert [row["id"] for row in found] == ["commons-2.1", "commons-2.2"]
    assert "no games in the journal" in answer("list", "journal", "--store", filled, "--experiment", "logs")


def test_games_are_chosen_as_on_the_pages(filled):
    def found(*filters):
        return [row["id"] for row in document("list", "journal", "--store", filled, *filters)["journal"]]

    punished = ["punish-1.1", "punish-1.2", "punish-1.3"]
    assert found("--player", "model/0") == punished
    assert sorted(one for player in range(3) for one in found("--winner", f"model/{player}")) == punished
    assert found("--outcome", "playing") == ["commons-2.2"]
    assert found("--outcome", "won", "--event", "defaulted") == punished
    assert found("--event", "broken-promise", "--event", "exclusion") == []
    assert found("--find", "game_1") == ["punish-1.2"]
    assert found("--find", "commons", "--experiment", "punish-1") == []


def test_filters_that_choose_nothing_or_mean_nothing_are_told(filled, complaint):
    assert "no game of the journal matches" in answer("list", "journal", "--store", filled, "--find", "nowhere")
    assert "no player called 'model/9'" in complaint("list", "journal", "--store", filled, "--player", "model/9")
    assert "broken-promise, ruin" in complaint("list", "journal", "--store", filled, "--event", "boredom")
    assert "apply to the journal" in complaint("list", "games", "--find", "x")


def test_the_games_of_a_journal_as_a_table(filled):
    said = ostrom("list", "journal", "--store", filled, COLUMNS="130").stdout
    for part in ("punish-1.3", "contribute_punish", "model/0, model/1, model/2", "playing", "–", "game_2.jsonl"):
        assert part in said
    narrow = ostrom("list", "journal", "--store", filled, COLUMNS="60").stdout
    assert "a wider terminal also shows" in narrow
    assert all(part in narrow for part in ("punish-1.3", "model/2", "finished"))


def test_a_journal_is_listed_only_when_it_is_asked_for(tmp_path, monkeypatch, complaint):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OSTROM_STORE", raising=False)
    assert set(document("list")) == {"champions", "players", "bots", "subjects", "tasks", "games"}
    assert document("list", "journal") == {"journal": []}
    assert "there is no journal" in complaint("list", "journal", "--experiment", "first")
    assert "ostrom list journal --experiment" in complaint("list", "games", "--experiment", "first")
    assert list(tmp_path.iterdir()) == []


def test_hints_lead_to_the_lists(filled, complaint):
    shown = "'ostrom list journal' shows every game"
    unknown = "no game in the journal called 'zzz'; 'ostrom list journal' shows every game"
    assert unknown in complaint("show", "zzz", "--store", filled)
    assert shown in complaint("show", "punish", "--store", filled)
    assert f"{shown}, 'ostrom list experiments'" in complaint("export", "zzz", "-o", "x.jsonl", "--store", filled)
    assert "shows every experiment" in complaint("list", "journal", "--experiment", "zzz", "--store", filled)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("payload = '{broken' WHERE number = 3", "events.3.payload: it is not JSON"),
        ("tag = 'dreamt' WHERE number = 3", "an event 'dreamt'"),
    ],
)
def test_a_damaged_row_is_a_line_in_every_command(tmp_path, complaint, change, said):
    store, file = f"sqlite:///{tmp_path}/damaged.db", tmp_path / "damaged.db"
    with opened(store) as journal:
        journal.add_game(journal.new_experiment("one", kind="punish"), punish(), key="k")
    connection = sqlite3.connect(file)
    with connection:
        connection.execute(f"UPDATE events SET {change}")
    connection.close()
    for command in (
        ("show", "punish-1.1"),
        ("ratings",),
        ("report", "-o", tmp_path / "report"),
        ("export", "punish-1.1", "-o", tmp_path / "game.json"),
        ("export", "-o", tmp_path / "games.jsonl"),
        ("export", "-o", tmp_path / "tables"),
    ):
        line = complaint(*command, "--store", store)
        assert "the game punish-1.1 of the journal cannot be read" in line
        assert said in line


@pytest.mark.parametrize("name", ["commons-2.1", "c0", "the commons"])
def test_a_game_as_a_record_that_replays(filled, tmp_path, name, complaint):
    file = tmp_path / "game.json"
    found = document("export", name, "--store", filled, "-o", file)
    assert found == {"export": [{"file": str(file), "format": "json", "games": 1}]}
    # Another game of its experiment is under way, whose chance follows from the same seed.
    record = with_names_and_colours(with_tellings(commons()))
    assert read_record(file) == record.model_copy(update={"seed": None})
    assert "export the game again when it is" in complaint("run", "--replay", file)
    document("export", "punish-1.1", "--store", filled, "-o", file)
    assert "standings" in document("run", "punish", "--replay", file)


@pytest.mark.parametrize(("name", "games"), [((), 4), (("messages on",), 3), (("p1",), 1), (("logs",), 0)])
def test_records_a_line_each(filled, tmp_path, name, games):
    file = tmp_path / "games.jsonl"
    assert document("export", *name, "--store", filled, "-o", file)["export"][0]["games"] == games
    lines = file.read_text(encoding="utf-8").splitlines()
    every = {
        with_names_and_colours(with_tellings(record)).model_dump_json()
        for record in (*(punish(number) for number in range(3)), commons().model_copy(update={"seed": None}))
    }
    found = {GameRecord.model_validate(json.loads(line)).model_dump_json() for line in lines}
    assert len(lines) == len(found) == games
    assert found <= every
    assert [path.name for path in tmp_path.glob("*games*")] == ["games.jsonl"]


@pytest.mark.parametrize("output", ["tables", "tables.parquet"])
def test_the_tidy_tables(filled, tmp_path, output):
    folder = tmp_path / output
    for _ in range(2):  # over the files of a moment ago
        document("export", "messages on", "--store", filled, "-o", folder)
    frames = {name: pl.read_parquet(folder / f"{name}.parquet") for name in TABLES}
    assert {path.name for path in folder.iterdir()} == {"provenance.json", *(f"{name}.parquet" for name in TABLES)}
    assert frames["games"]["game"].to_list() == ["punish-1.1", "punish-1.2", "punish-1.3"]
    assert (frames["seats"].height, frames["rounds"].height, frames["punishments"].height) == (9, 9, 3)


def test_games_of_several_kinds_have_a_folder_each(filled, tmp_path):
    assert document("export", "--store", filled, "-o", tmp_path / "all")["export"][0]["games"] == 4
    document("export", "the commons", "--store", filled, "-o", tmp_path / "one")
    names = {"punish": TABLES, "commons": ("games", "seats", "answers", "messages", "turns", "economy")}
    found = {path.name: sorted(file.stem for file in path.glob("*.parquet")) for path in (tmp_path / "all").iterdir()}
    assert found == {kind: sorted(tables) for kind, tables in names.items()}
    for name in names["commons"]:
        alone = pl.read_parquet(tmp_path / "one" / f"{name}.parquet")
        assert alone.height or name == "messages"  # nobody speaks in the Commons
        assert alone.equals(pl.read_parquet(tmp_path / "all" / "commons" / f"{name}.parquet"))


def test_the_answers_of_the_battery_are_tables_too(store, tmp_path):
    tasks = ("--task", "time", "--task", "dictator", "--protocol", "quick", "--seed", "1")
    answer("bench", "battery", "--subject", "selfish", "--subject", "exponential", *tasks, "--store", store)
    assert document("export", "--store", store, "-o", tmp_path / "tables")["export"][0]["games"] == 4
    frames = {file.stem: pl.read_parquet(file) for file in (tmp_path / "tables").glob("*.parquet")}
    assert set(frames) == {"time", "time_sequences", "dictator"}
    for frame in frames.values():
        assert frame["subject"].unique().sort().to_list() == ["exponential", "selfish"]
        assert frame["game"].n_unique() == 2
    given = frames["dictator"].filter(pl.col("subject") == "selfish", pl.col("purpose") != "control")
    assert (given["amount"] == 0).all()
    assert (given["facts"].struct.field("pot") > 0).all()


def test_the_format_can_be_said(filled, tmp_path):
    file = tmp_path / "games.txt"
    assert "3 games written to" in answer(
        "export", "punish-1", "--store", filled, "-o", file, "--format", "jsonl"
    ).replace("\n", " ")
    assert len(file.read_text(encoding="utf-8").splitlines()) == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("punish-1", "-o", "game.json"),
            "can hold only one of the 3 games; name one, such as punish-1.1, or use .jsonl",
        ),
        (("logs", "-o", "game.json"), "there is no finished game to export"),
        (("logs", "-o", "tables"), "no finished game here has tables; only games with final results do"),
        (("punish-9", "-o", "game.json"), "no game or experiment called 'punish-9'; did you mean punish-1"),
        (("punish-1", "-o", "game.csv"), "name a folder, as in -o tables --format csv"),
        (("punish-1", "-o", "/dev/null/games.jsonl"), "cannot be written"),
        (("punish-1", "-o", "missing/tables"), "the folder missing/tables cannot be created"),
        (("punish-1",), "--output"),
        (("punish-1", "-o", "x.json", "--format", "xml"), "xml"),
    ],
)
def test_what_cannot_be_exported(filled, tmp_path, monkeypatch, complaint, arguments, said):
    monkeypatch.chdir(tmp_path)
    assert said in complaint("export", *arguments, "--store", filled)
    assert [path.name for path in tmp_path.iterdir() if "journal.db" not in path.name] == []


def test_several_experiments_are_exported_together(filled, tmp_path, complaint):
    both = ("export", "punish-1", "the commons", "--store", filled)
    assert document(*both, "-o", tmp_path / "games.jsonl")["export"][0]["games"] == 4
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 4
    assert document(*both, "-o", tmp_path / "tables")["export"][0]["games"] == 4
    assert {path.name for path in (tmp_path / "tables").iterdir()} == {"punish", "commons"}
    assert "holds one game" in complaint(*both, "-o", tmp_path / "game.json")


@pytest.mark.parametrize("command", [("status",), ("export", "-o", "games.jsonl")])
@pytest.mark.parametrize("url", ["postgresql://lab:h4nds-0ff@127.0.0.1:1/games", "lab:h4nds-0ff@127.0.0.1", "games.db"])
def test_a_journal_that_cannot_be_opened(complaint, command, url):
    assert "h4nds-0ff" not in complaint(*command, "--store", url)


def test_players_are_given_names_that_every_list_and_file_shows(filled, tmp_path, complaint):
    before = {row["player"]: row for row in document("label", "--store", filled)["players"]}
    assert before["model/1"] == {
        **{"player": "model/1", "name": "model/1", "label": None, "suggestion": None, "from": "id"}
    }
    assert document("label", "set", "model/1", "The Second", "--store", filled) == {
        "player": "model/1",
        "name": "The Second",
    }
    assert "The Second" in answer("label", "--store", filled)
    # The last column, in which a name may be broken at a space.
    assert "model/0, The Second, model/2" in " ".join(answer("list", "journal", "--store", filled).split())
    assert "The Second" in answer("show", "punish-1.1", "--store", filled)
    rated = document("ratings", "punish", "--passes", 2, "--store", filled)["ratings"]
    assert {row["name"]: row["label"] for row in rated}["model/1"] == "The Second"
    answer("export", "punish-1", "-o", tmp_path / "tables", "--store", filled)
    seats = pl.read_parquet(tmp_path / "tables" / "seats.parquet")
    assert set(seats.filter(pl.col("player") == "model/1")["name"]) == {"The Second"}
    answer("export", "punish-1.1", "-o", tmp_path / "game.json", "--store", filled)
    assert [seat.name for seat in read_record(tmp_path / "game.json").seats] == ["model/0", "The Second", "model/2"]
    assert "called 'nobody'" in complaint("label", "set", "nobody", "x", "--store", filled)
    assert "another name" in complaint("label", "set", "model/2", "the second", "--store", filled)
    assert "has no known name" in complaint("label", "set", "model/2", "--store", filled)
    assert document("label", "clear", "the second", "--store", filled)["name"] == "model/1"
    assert "has no name to clear" in complaint("label", "clear", "model/1", "--store", filled)
