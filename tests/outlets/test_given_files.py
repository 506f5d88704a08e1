"""Invalid records, experiment files and tables are refused in one line, without a traceback. The long form changes
records at many places."""

import contextlib
import json
import random
import re
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from importers.test_hostile_logs import changed, torn
from kept import commons, opened, punish
from ostrom.cli.main import main
from ostrom.core.files import parse_json, parse_toml
from ostrom.journal.record import record_text, with_tellings

Run = Callable[..., tuple[int, str]]
GAME = '[[games]]\ngame = "commons"\n'


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command and returns its exit status and error, at most one line."""

    def command(*arguments: object) -> tuple[int, str]:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["ostrom", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr().err
        assert said.count("\n") <= 1, said[-2_000:]
        return ended.value.code or 0, said  # type: ignore[return-value]

    return command


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a = " + "[" * 5_000 + "]" * 5_000, "nested"),
        ("a = " + "[" * 80 + "]" * 80, "nested"),
        ("seed = " + "9" * 5_000, "digits"),
        (f"seed = {10**400}\n{GAME}", "beyond 2^64"),
        (GAME + "games = inf\n", "games"),
        (GAME + "[limits]\nbudget = nan\n", "budget"),
        (GAME + "[limits]\ncalls = 99999999999999999999\n", "beyond 2^64"),
        ("\0", "TOML"),
    ],
    ids=["deep", "too deep", "digits", "huge", "inf", "nan", "calls", "nul"],
)
def test_an_experiment_file_is_refused_in_one_line(run: Run, tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "plan.toml").write_text(text)
    status, said = run("bench", "--file", "plan.toml", "--dry-run")
    assert status == 2
    assert says in said


@pytest.mark.parametrize("command", ["run --replay game.json", "show game.json", "export game.json -o game.html"])
@pytest.mark.parametrize(
    "value",
    [10**400, -(10**400), float("nan"), float("inf"), "deep", 2**65],
    ids=["huge", "low", "nan", "inf", "deep", "wide"],
)
def test_a_record_is_refused_in_one_line(run: Run, tmp_path: Path, command: str, value: Any) -> None:
    document = json.loads(record_text(commons(turns=2)))
    document["events"][1]["capitals"][0] = "DEEP" if value == "deep" else value
    text = json.dumps(document).replace('"DEEP"', "[" * 500 + "]" * 500)
    (tmp_path / "game.json").write_text(text)
    status, said = run(*command.split())
    assert status == 2
    assert "is not a game's record: it " in said


@pytest.mark.parametrize("command", ["show", "run --replay", "ratings --from", "bench --file", "import pgg-bench"])
@pytest.mark.parametrize("kind", ["empty", "binary", "folder", "nul", "missing", "too-long"])
def test_a_file_of_another_kind_is_refused_in_one_line(run: Run, tmp_path: Path, command: str, kind: str) -> None:
    path = tmp_path / ("x" * 5_000 if kind == "too-long" else kind)
    if kind == "folder":
        path.mkdir()
    elif kind not in ("missing", "too-long"):
        path.write_bytes({"empty": b"", "binary": bytes(range(256)) * 20, "nul": b"\0" * 100}[kind])
    assert run(*command.split(), path)[0] == 2


@pytest.mark.parametrize("score", ["nan", "inf", "1e400", "9" * 5_000, "x", "", "=1+1"])
def test_a_table_of_results_is_rated_or_refused_in_one_line(run: Run, tmp_path: Path, score: str) -> None:
    (tmp_path / "table.csv").write_text(f"game,player,score\n1,a,{score}\n1,b,2\n")
    assert run("ratings", "--from", "table.csv")[0] == 2


def hostile_record(number: int) -> str:
    """Return a record that is changed at one place."""
    draw = random.Random(number)
    record = draw.choice((commons(turns=2), punish()))
    text = json.dumps(changed(json.loads(record_text(draw.choice((record, with_tellings(record))))), draw))
    return torn(text, draw) if draw.random() < 0.2 else text


def try_record(run: Run, path: Path, number: int) -> int:
    path.write_bytes(hostile_record(number).encode("utf-8", "surrogatepass"))
    given = [run(*command, path)[0] for command in (("run", "--replay"), ("show",))]
    assert set(given) <= {0, 1, 2}
    return max(given)


def test_changed_records_are_shown_or_refused(run: Run, tmp_path: Path) -> None:
    assert [try_record(run, tmp_path / "game.json", number) for number in range(30)].count(2) > 5


@pytest.mark.long
def test_many_changed_records_are_shown_or_refused(run: Run, tmp_path: Path) -> None:
    for number in range(1_000, 4_000):
        try_record(run, tmp_path / "game.json", number)


def test_parsing_has_bounds_of_depth_and_numbers() -> None:
    assert parse_json('{"seed": 18446744073709551615, "x": [1e300, -0.5, null]}')["x"] == [1e300, -0.5, None]
    assert parse_toml("a = 1\nb = inf\n")["b"] == float("inf")
    assert parse_json("[NaN]", finite=False) != [0]
    for text in ("[1e999]", "[NaN]", "[Infinity]", "[" * 66 + "]" * 66, f"[{2**64 + 1}]", "[" * 100_000):
        with pytest.raises(ValueError, match=r"^it "):
            parse_json(text)


@pytest.mark.parametrize(
    ("column", "value"),
    [("seed", "[]"), ("number", "x"), ("rules", str(10**400)), ("payload", "huge"), ("payload", "deep")],
)
def test_a_given_journal_is_read_or_refused_in_one_line(run: Run, tmp_path: Path, column: str, value: str) -> None:
    with opened(f"sqlite:///{tmp_path / 'ostrom.db'}") as journal:
        journal.add_game(journal.new_experiment("one", kind="commons"), commons(), key="k")
    with contextlib.closing(sqlite3.connect(tmp_path / "ostrom.db")) as raw, raw:
        if column == "payload":
            (stored,) = raw.execute("SELECT payload FROM events WHERE number = 1").fetchone()
            # A table would take the cube of the depth to say what it found, a quarter of an hour.
            number = str(10**400) if value == "huge" else "[" * 2_000 + "]" * 2_000
            raw.execute(
                "UPDATE events SET payload = ? WHERE number = 1", (re.sub(r"\d+\.\d+", number, stored, count=1),)
            )
        else:
            raw.execute(f"UPDATE games SET {column} = ?", (value,))
    for command in ("status", "list journal", "ratings commons", "payoffs", "show commons-1.1", "export -o tables"):
        assert run(*command.split())[0] in (0, 2), command
