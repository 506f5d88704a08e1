"""580 games of PGG-Bench are replayed exactly; invalid logs are named and skipped."""

import json
import shutil

import pytest
from typer.testing import CliRunner

from foreign_data import foreign
from ostrom.charts import render
from ostrom.cli.main import app
from ostrom.core import InputError, Provenance
from ostrom.experiment import record_of, replay
from ostrom.importers.pgg_bench import import_logs, logs_in, read_log, replay_log
from ostrom.journal.arrange import dates_of
from ostrom.journal.sql import Journal


@pytest.fixture(scope="module")
def logs():
    return logs_in(foreign("pgg_bench"))


@pytest.fixture
def journal(tmp_path):
    with Journal.open(f"sqlite:///{tmp_path}/lab.db", create=True) as opened:
        yield opened


def changed(log, tmp_path, change, name="game_changed.jsonl"):
    """A copy of a log with some of its lines changed."""
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    change(rows)
    folder = tmp_path / "logs"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return folder


def first(rows, kind, round_):
    return next(row for row in rows if row["type"] == kind and row.get("round") == round_)


@pytest.mark.slow
def test_all_580_games_replay_to_the_token_and_importing_again_changes_nothing(
    logs, imported_games, import_report, tmp_path
):
    assert len(logs) == 580
    assert import_report == {"games": 580, "replayed_exactly": 580, "new": 580, "mismatches": [], "unreadable": []}
    # Others read the journal of that import, so it is written to in a copy.
    copy = shutil.copy(imported_games.removeprefix("sqlite:///"), tmp_path / "copy.db")
    with Journal.open(f"sqlite:///{copy}") as journal:
        revision = journal.revision()
        again = import_logs(logs[:40], journal)
        assert (again.replayed_exactly, again.new) == (40, 0)
        assert journal.revision() == revision
        assert len(journal.games()) == 580


def test_an_imported_game_is_marked_as_such_and_its_record_replays(logs, journal):
    import_logs(logs[:1], journal)
    record = journal.record(journal.games()[0].id)
    assert record.seed is None
    assert record.source == logs[0].name
    assert {answer.provenance for answer in record.answers} == {Provenance.IMPORTED}
    assert replay(record).events[-1].balances == [16, 7, 12, 11, 6]


def change_final(rows):
    model = next(iter(rows[-1]["final_tokens"]))
    rows[-1]["final_tokens"][model] += 1


CHANGES = {
    "a contribution": (3, lambda rows: first(rows, "contribution", 3).update(contribution=1)),
    "a balance after paying": (4, lambda rows: first(rows, "contribution", 4).update(current_tokens=999)),
    "a share": (5, lambda rows: first(rows, "fund_distribution", 5).update(share_per_player=99)),
    "a carry-over": (6, lambda rows: first(rows, "fund_distribution", 6).update(leftover_fund=77)),
    "a pot": (2, lambda rows: first(rows, "fund_distribution", 2).update(pot_before_mult=1)),
    "a spend": (2, lambda rows: first(rows, "punishment", 2).update(punisher_spend=4.0)),
    "a damage": (3, lambda rows: first(rows, "punishment", 3).update(target_damage=7.0)),
    "an impossible contribution": (7, lambda rows: first(rows, "contribution", 7).update(contribution=5000)),
    "half a token": (None, lambda rows: first(rows, "contribution", 7).update(contribution=1.5)),
    "final tokens": (10, change_final),
}


@pytest.mark.parametrize("what", CHANGES)
def test_one_changed_number_is_named_with_file_and_round(what, logs, tmp_path, journal):
    round_, change = CHANGES[what]
    report = import_logs(logs_in(changed(logs[0], tmp_path, change)), journal)
    assert (report.games, report.replayed_exactly, report.new) == (1, 0, 0)
    (mismatch,) = report.mismatches
    assert mismatch.file == "game_changed.jsonl"
    assert mismatch.round == round_
    assert ("final tokens" in mismatch.what) == (what == "final tokens")
    assert journal.games() == []


def test_incomplete_and_invalid_files_are_named_and_skipped(logs, tmp_path, journal):
    folder = changed(logs[0], tmp_path, lambda rows: None, name="game_good.jsonl")
    text = logs[1].read_text(encoding="utf-8")
    invalid = {
        "game_cut": "\n".join(text.splitlines()[:50]).encode(),
        "game_half_a_line": text[:20_000].encode(),
        "game_broken": text.replace('"type": "fund', '"type" "fund', 1).encode(),
        "other": b'{"hello": "world"}\n',
        "list": b"[1, 2]\n",
        "empty": b"",
        "binary": b"\xff\xfe\x00\x01",
    }
    for name, content in invalid.items():
        (folder / f"{name}.jsonl").write_bytes(content)
    report = import_logs(logs_in(folder), journal)
    assert report.replayed_exactly == 1
    named = {reason.partition(":")[0] for reason in report.unreadable}
    assert named == {path.name for path in folder.iterdir()} - {"game_good.jsonl"}


def test_two_seats_of_one_model_are_told_apart_by_player_id(logs, tmp_path, journal):
    def change(rows):
        names = rows[0]["short_name_map"]
        one, other = list(names.values())[:2]
        for row in rows:
            for key in ("balances", "final_tokens", "balance_before_punishment", "distribution_amounts"):
                if key in row:
                    row[key][one["model_name"]] = row[key].pop(other["model_name"])
        other["model_name"] = one["model_name"]

    report = import_logs(logs_in(changed(logs[0], tmp_path, change)), journal)
    assert (report.replayed_exactly, report.mismatches) == (1, [])


def test_a_missing_message_is_silence(logs):
    silent = next(log for log in (read_log(path) for path in logs) if len(log.of("public_message")) < 50)
    record = record_of(replay_log(silent))
    said = [event["text"] for event in record.events if event["event"] == "message_said"]
    assert len(said) == 50
    assert said.count("") == 50 - len(silent.of("public_message"))


def test_the_root_of_a_repository_is_enough(tmp_path, capsys):
    for path in ("package.json", "data/one.jsonl", "logs/run/game_1.jsonl", "logs/run/game_2.jsonl", ".git/a.jsonl"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    assert [path.name for path in logs_in(tmp_path)] == ["game_1.jsonl", "game_2.jsonl"]
    assert f"importing the 2 files in {tmp_path / 'logs' / 'run'}" in capsys.readouterr().err
    assert [path.name for path in logs_in(tmp_path / "data")] == ["one.jsonl"]


def test_a_folder_without_logs_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"no \.jsonl file"):
        logs_in(tmp_path)
    with pytest.raises(InputError, match="there is no folder"):
        logs_in(tmp_path / "nowhere")


@pytest.mark.slow
def test_the_export_of_an_imported_game_plays_in_show_animate_and_replay(logs, tmp_path):
    store = f"sqlite:///{tmp_path}/lab.db"
    with Journal.open(store, create=True) as opened:
        import_logs(logs[:1], opened)
        game = opened.games()[0].id
    record, film = tmp_path / "game.json", tmp_path / "game.gif"
    for arguments in (
        ["export", game, "-o", record, "--store", store],
        ["show", record],
        ["run", "--replay", record],
        ["animate", record, "-o", film, "--speed", 50],
    ):
        done = CliRunner().invoke(app, [str(argument) for argument in arguments])
        assert done.exit_code == 0, (arguments, done.output)
    assert film.read_bytes().startswith(b"GIF")


def call(*arguments):
    done = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.slow
def test_two_imports_of_different_names_are_compared(logs, tmp_path, monkeypatch):
    # The pictures are not tested here.
    monkeypatch.setattr(render, "svg", lambda chart, source="": "<svg/>")
    monkeypatch.setattr(render, "png", lambda picture: b"")
    # The first 20 logs as one set, and the second 20 and five of the first as another.
    store = f"sqlite:///{tmp_path}/lab.db"
    for name, files in (("first", logs[:20]), ("second", logs[15:40]), ("again", logs[:20])):
        folder = tmp_path / name
        folder.mkdir()
        for file in files:
            (folder / file.name).symlink_to(file)
        done = json.loads(call("import", "pgg-bench", folder, "--name", name, "--store", store, "--json"))
        assert done["new"] == len(files)
    report = call("report", "-o", tmp_path / "other", "--store", store, "--compare", "first", "second", "--json")
    rows = json.loads(report)["report"]["differences"]
    assert {row["pairs"] for row in rows if row.get("player") == "all"} == {5}
    assert any(row["low"] is not None and row["low"] < row["high"] for row in rows)
    report = call("report", "-o", tmp_path / "same", "--store", store, "--compare", "first", "again", "--json")
    same = json.loads(report)["report"]["differences"]
    assert {(row["value"], row["low"], row["high"], row["differs"]) for row in same} == {(0.0, 0.0, 0.0, False)}


def test_nothing_is_imported_into_an_experiment_that_was_played(logs, journal):
    journal.new_experiment("mine", kind="punish")
    with pytest.raises(InputError, match="'mine' was not imported, but played here"):
        import_logs(logs[:1], journal, name="mine")
    assert journal.games() == []


def test_games_up_to_a_day_are_imported_and_their_days_are_kept(logs, tmp_path):
    with Journal.open(f"sqlite:///{tmp_path / 'j.db'}", create=True) as journal:
        few = [logs[0], logs[-1]]
        first = read_log(few[0]).day
        assert import_logs(few, journal, until=first).new == 1
        assert dates_of(journal.experiments()[0].settings) == [first, first]
        assert import_logs(few, journal).new == 1
        assert dates_of(journal.experiments()[0].settings) == [first, "2025-04-03"]
