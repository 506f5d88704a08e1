"""Stored charts are drawn again by our own code: hostile specifications are not executed, and sizes are limited."""

import gzip
import io
import json
from functools import partial
from pathlib import Path

import polars as pl
import pytest

import ostrom
from ostrom.charts.drawings import MAX_DRAWN_NAMES, record, redraw
from ostrom.charts.render import embedded
from ostrom.core import RecordError
from ostrom.findings import keeping
from ostrom.findings.keeping import StoredSimulation, read_bounded_parquet
from ostrom.journal.sql import Journal

PAYOFFS = "a,b,c\n3,0,2\n5,1,0\n1,4,2\n"
RUNS = {
    "tournament": lambda matrix: ostrom.tournament(["Pavlov", "Parasite"], games=8, seed=1),
    "sweep of one": lambda matrix: ostrom.sweep(["alpha=0.1:0.3:0.1"], players=["Pavlov", "Parasite"], games=8, seed=1),
    "sweep of two": lambda matrix: ostrom.sweep(
        ["alpha=0.1:0.3:0.1", "turns=3,5"], players=["Pavlov", "Parasite"], games=8, seed=1, boundary="welfare = 40"
    ),
    "design": lambda matrix: ostrom.design(
        {"alpha": "0:0.3"}, maximise=["welfare"], players=["Pavlov", "Parasite"], candidates=8, games=8, seed=1
    ),
    "respond": lambda matrix: ostrom.respond(["Pavlov"], games=8, seed=1, generations=1),
    "evolve": lambda matrix: ostrom.evolve(matrix=matrix, population=10, seed=1),
    "replicator": lambda matrix: ostrom.evolve(matrix=matrix, process="replicator", seed=1),
    "solve": lambda matrix: ostrom.solve(matrix=matrix),
}
WIN = {
    "drawing": "win_chart",
    "arguments": [
        {"frame": [["player", "text", ["a"]], ["value", "number", [0.5]], ["low", "number", [0.4]],
                   ["high", "number", [0.6]], ["n", "integer", [9]]]},
        {"cast": [["a", "a", "a", "#112233", "#112233", 0]]},
    ],
    "options": {"subtitle": "Nine games."},
}  # fmt: skip
HOSTILE = {
    "a specification": {"data": {"sequence": {"start": 0, "stop": 1e8}}, "mark": "point", "width": 1e6},
    "an unknown function": {**WIN, "drawing": "os.system"},
    "an unknown argument": {**WIN, "arguments": [{"spec": [1]}]},
    "a specification as an argument": {**WIN, "options": {"subtitle": {"expr": "while(true)"}}},
    "too many names": {**WIN, "arguments": [[str(number) for number in range(MAX_DRAWN_NAMES + 1)]]},
    "a colour of a script": {
        **WIN,
        "arguments": [WIN["arguments"][0], {"cast": [["a", "a", "a", "#112233", "url(x)", 0]]}],
    },
    "a column of an expression": {**WIN, "arguments": [{"frame": [["datum['x'];f()", "text", ["a"]]]}]},
    "columns of other lengths": {
        **WIN, "arguments": [{"frame": [["a", "text", ["a"]], ["b", "text", ["a", "b"]]]}]
    },
    "another type": {**WIN, "arguments": [{"frame": [["value", "number", ["a"]]]}]},
    "a number beyond all": {**WIN, "arguments": [{"frame": [["value", "number", [1e300]]]}]},
    "a long text": {**WIN, "options": {"subtitle": "x" * 100_000}},
    "an unknown player": {**WIN, "arguments": [WIN["arguments"][0], {"cast": []}]},
    "other options": {**WIN, "options": {"width": 3}},
}  # fmt: skip


def stored(tmp_path: Path, chart: object, table: bytes = b"") -> StoredSimulation:
    described = {"charts": [{"name": "wins"}], "tables": {"t": {"rows": 1, "columns": ["a"]}}, "drawings": 1}
    content = {"charts/wins.json.gz": gzip.compress(json.dumps(chart).encode()), "tables/t.parquet": table}
    journal = Journal.open(str(tmp_path / "lab.db"), create=True)
    name = journal.new_experiment("odd", kind="simulation", settings={"simulation": described}, attachments=content)
    simulation = StoredSimulation.of(journal, name)
    assert simulation is not None
    return simulation


@pytest.mark.parametrize(
    "run", [pytest.param(run, marks=pytest.mark.slow) if run in ("respond", "design") else run for run in RUNS]
)
def test_a_chart_is_drawn_again_as_it_was(run: str, tmp_path: Path) -> None:
    (tmp_path / "matrix.csv").write_text(PAYOFFS)
    finding = RUNS[run](tmp_path / "matrix.csv")
    assert finding.chart_entries
    for entry in finding.chart_entries:
        document = json.loads(json.dumps(record(partial(entry.chart, finding)), allow_nan=False))
        assert embedded(redraw(document)).title == embedded(entry.chart(finding)).title
        assert len(json.dumps(redraw(document).to_dict(validate=False))) == len(
            json.dumps(entry.chart(finding).to_dict(validate=False))
        )


@pytest.mark.parametrize("attack", HOSTILE)
def test_hostile_charts_are_refused_in_one_line(tmp_path: Path, attack: str) -> None:
    simulation = stored(tmp_path, HOSTILE[attack])
    with pytest.raises(RecordError, match="chart wins: ") as refused:
        simulation.chart("wins")
    assert "\n" not in str(refused.value)


def test_a_sound_chart_of_a_stranger_is_drawn(tmp_path: Path) -> None:
    chart = stored(tmp_path, WIN).chart("wins")
    assert "Nine games." in json.dumps(chart.to_dict(validate=False))


def test_a_chart_of_an_older_version_is_named(tmp_path: Path) -> None:
    simulation = stored(tmp_path, HOSTILE["a specification"])
    older = StoredSimulation(simulation.journal, simulation.experiment, {**simulation.description, "drawings": 0}, {})
    assert (older.charts, older.outdated) == ([], ["wins"])


def test_compressed_data_of_a_chart_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "_MAX_DRAWING_BYTES", 1000)
    with pytest.raises(RecordError, match="chart wins: it has more than"):
        stored(tmp_path, {**WIN, "options": {"subtitle": "x" * 2000}}).chart("wins")


def packed(frame: pl.DataFrame) -> bytes:
    stream = io.BytesIO()
    frame.write_parquet(stream, compression="zstd")
    return stream.getvalue()


def test_a_small_file_of_many_rows_is_refused(tmp_path: Path) -> None:
    frame = pl.DataFrame({f"c{column}": pl.repeat(7, 6_000_000, eager=True) for column in range(10)})
    data = packed(frame)
    assert len(data) < 500_000
    del frame
    with pytest.raises(RecordError, match=r"table t: it has 60,000,000 cells; a stored table has at most 50,000,000"):
        stored(tmp_path, WIN, data).table("t")


def test_long_texts_and_lists_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "_MAX_TABLE_BYTES", 1_000_000)
    monkeypatch.setattr(keeping, "_ROWS_AT_ONCE", 10)
    with pytest.raises(ValueError, match="more than"):
        read_bounded_parquet(packed(pl.DataFrame({"a": [f"{row}" * 100_000 for row in range(30)]})))
    with pytest.raises(ValueError, match="has lists"):
        read_bounded_parquet(packed(pl.DataFrame({"a": [[1, 2]]})))
    frame = pl.DataFrame({"a": list(range(35)), "b": ["x"] * 35})
    assert read_bounded_parquet(packed(frame)).equals(frame)
    assert read_bounded_parquet(packed(frame.head(0))).equals(frame.head(0))
