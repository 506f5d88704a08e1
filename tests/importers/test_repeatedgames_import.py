"""The games of Akata and others, and the matches of CoopEval: every round replays through our rules."""

import csv

import pytest

from foreign_data import foreign
from ostrom.core import InputError, RecordError
from ostrom.games.repeated.events import rounds_of
from ostrom.importers import coopeval, econbench, repeatedgames
from ostrom.journal.sql import Journal


@pytest.mark.slow
def test_every_row_of_the_72_games_replays_against_its_matrix():
    folder = foreign("repeatedgames")
    matrices = repeatedgames.matrices_in(folder)
    files, games, rows = repeatedgames.logs_in(folder), 0, 0
    for path in files:
        for log in repeatedgames.games_in(path):
            rows += len(rounds_of(repeatedgames.check_log(log, matrices).events))
            games += 1
    assert (len(files), games, rows) == (72, 1800, 18000)


def test_a_wrong_number_is_named_with_its_round(tmp_path):
    folder = foreign("repeatedgames")
    lines = (folder / "game_1.csv").read_text().splitlines()
    (tmp_path / "144_games_info.csv").write_bytes((folder / "144_games_info.csv").read_bytes())
    head, third = lines[0].split(","), next(csv.reader([lines[3]]))
    third[head.index("points1")] = "3"
    (tmp_path / "game_1.csv").write_text("\n".join([*lines[:3], ",".join(f'"{one}"' for one in third), *lines[4:11]]))
    (log,) = repeatedgames.games_in(tmp_path / "game_1.csv")
    with pytest.raises(RecordError, match="round 3: points: the log says"):
        repeatedgames.check_log(log, repeatedgames.matrices_in(tmp_path))


@pytest.mark.slow
def test_matches_of_coopeval_are_kept_once_and_the_rest_is_left_out_with_a_reason(tmp_path):
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal:
        first = coopeval.import_logs(foreign("coopeval") / "run1", journal)
        again = coopeval.import_logs(foreign("coopeval") / "run1", journal)
    assert (first.games, first.replayed_exactly, first.rows, first.new) == (144, 144, 72 + 72 * 15, 144)
    assert (again.replayed_exactly, again.new) == (144, 0)
    assert len(first.left_out) == 32
    assert first.mismatches == first.unreadable == []


def test_the_roots_of_repositories_are_enough(tmp_path, capsys):
    for path in (
        *("akata/data/games/game_1.csv", "akata/data/games/game_2.csv"),
        f"akata/data/games/{repeatedgames.INFO}",
        *(f"coopeval/logs/{run}/{game}/{coopeval.FILE}" for run in ("run1", "run2") for game in ("a", "b")),
        *("econbench/package.json", "econbench/results/one.json", "econbench/results/two.json"),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    assert [path.name for path in repeatedgames.logs_in(tmp_path / "akata")] == ["game_1.csv", "game_2.csv"]
    assert coopeval.folders_in(tmp_path / "coopeval") == [tmp_path / "coopeval/logs/run2" / name for name in "ab"]
    assert [path.name for path in econbench.results_in(tmp_path / "econbench")] == ["one.json", "two.json"]
    assert f"importing the 2 files in {tmp_path / 'econbench' / 'results'}" in capsys.readouterr().err


def test_a_folder_without_games_is_one_line(tmp_path):
    for importer in (repeatedgames.logs_in, coopeval.folders_in):
        with pytest.raises(InputError):
            importer(tmp_path)
