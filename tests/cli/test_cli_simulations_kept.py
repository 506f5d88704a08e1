"""`--store` of tournament, sweep, evolve, respond and design: an experiment of the journal that list, report and export
show, whose points open as games, and that is on no leaderboard."""

import json

import polars as pl
import pytest
from commandline import answer

import ostrom
from kept import opened
from ostrom.core import InputError, RecordError
from ostrom.experiment import record_of
from ostrom.findings import keeping
from ostrom.findings.keeping import StoredSimulation
from ostrom.journal.arrange import MAX_ATTACHMENT_BYTES

TWO = ["--include", "Pavlov", "--include", "Parasite", "--turns", 4, "--seed", 2]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A journal with one simulation of each kind, and their ids."""
    journal = tmp_path_factory.mktemp("lab") / "lab.db"
    store = ["--store", journal, "--json"]
    said = {
        "tournament": answer("tournament", *TWO, "--games", 3, *store),
        "sweep": answer("sweep", *TWO, "--vary", "alpha=0,1", "--vary", "synergy=1.5,2", "--games", 2, *store),
        "evolve": answer("evolve", "repeated", "--players", "TitForTat", "--players", "AllD", "--seed", 1, *store),
        "respond": answer("respond", "repeated", "--against", "TitForTat", "--games", 4, "--seed", 1, *store),
        "exploitability": answer(
            "respond", "repeated", "--exploitability", "--against", "AllD:2", "--games", 4, "--seed", 1, *store
        ),
        "design": answer(
            *("design", "--vary", "alpha=0:1", "--maximise", "welfare", "--maximise", "equality", "--turns", 3),
            *("--seed", 1, "--candidates", 4, "--tables", 2, "--games", 1, *store),
        ),
    }
    return journal, {name: _kept(json.loads(text)) for name, text in said.items()}


def _kept(document):
    inner = next(
        (document[name] for name in ("evolution", "response", "exploitability", "design") if name in document), {}
    )
    return document.get("kept") or inner["kept"]


def test_each_is_an_experiment_of_its_own(lab):
    journal, kept = lab
    rows = json.loads(answer("list", "experiments", "--store", journal, "--json"))["experiments"]
    assert [row["id"] for row in rows] == list(kept.values())
    assert {(row["kind"], row["state"], row["games"]) for row in rows} == {("simulation", "finished", 0)}


@pytest.mark.parametrize("what", ["tournament", "sweep", "evolve", "respond", "exploitability", "design"])
def test_it_tells_how_it_was_made_and_opens_as_a_game(lab, what):
    journal, kept = lab
    with opened(f"sqlite:///{journal}") as found:
        one = StoredSimulation.of(found, kept[what])
        assert one.description["seed"] in (1, 2)
        assert one.provenance["version"] == ostrom.__version__
        assert one.charts
        assert {chart["table"] for chart in one.charts} <= set(one.tables) | {"invasions"}
        match = one.open(0)
        assert list(match.names) == json.loads(one.table("openings")["players"][0])
        with pytest.raises(InputError, match="there is no game"):
            one.open(0, 10**6)


def test_a_point_of_a_sweep_opens_as_the_game_of_the_sweep(lab):
    journal, kept = lab
    alone = json.loads(
        answer(
            "sweep",
            *TWO,
            "--vary",
            "alpha=0,1",
            "--vary",
            "synergy=1.5,2",
            "--games",
            2,
            "--open",
            3,
            "--number",
            1,
            "--json",
        )
    )
    with opened(f"sqlite:///{journal}") as found:
        match = StoredSimulation.of(found, kept["sweep"]).open(3, 1)
    assert alone["events"] == record_of(match).events


def test_a_tournament_is_kept_by_composition_and_by_game(lab):
    journal, kept = lab
    with opened(f"sqlite:///{journal}") as found:
        one = StoredSimulation.of(found, kept["tournament"])
        games, means = one.table("games"), one.table("compositions")
    assert games.height == 6
    pavlov = games.filter(pl.col("player") == "Pavlov")["final"].mean()
    assert means.filter(pl.col("player") == "Pavlov")["final"].to_list() == [pytest.approx(pavlov)]


def test_report_and_export_show_it(lab, tmp_path):
    journal, kept = lab
    said = json.loads(
        answer("report", "--experiment", kept["design"], "--store", journal, "-o", tmp_path / "report", "--json")
    )
    assert (said["report"]["charts"], said["report"]["tables"]) == (1, 3)
    assert (tmp_path / "report" / "charts" / "front.png").stat().st_size > 10_000
    answer("export", kept["respond"], "--store", journal, "-o", tmp_path / "tables")
    assert json.loads((tmp_path / "tables" / "response.json").read_text())
    assert pl.read_parquet(tmp_path / "tables" / "players.parquet").height


def test_it_is_on_no_leaderboard(lab, complaint):
    journal, _ = lab
    assert "no finished game" in complaint("ratings", "--store", journal)


def test_one_game_of_a_sweep_is_on_no_leaderboard_either(complaint, tmp_path):
    journal = tmp_path / "lab.db"
    answer("sweep", *TWO, "--vary", "alpha=0,1", "--games", 1, "--open", 0, "--store", journal, "--json")
    assert "on no leaderboard" in complaint("ratings", "--store", journal)


def test_what_is_too_large_for_a_journal_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("ostrom.findings.keeping.MAX_PART_BYTES", 3_000)
    result = ostrom.tournament(["Pavlov", "Parasite"], games=2, seed=1)
    name = ostrom.keep(result, str(tmp_path / "lab.db"), name="mine")
    with opened(f"sqlite:///{tmp_path / 'lab.db'}") as found:
        assert StoredSimulation.of(found, "mine").left_out
        assert sum(found.attachments.sizes(name).values()) <= MAX_ATTACHMENT_BYTES


def test_a_journal_of_a_stranger_has_no_file_read_and_nothing_fetched(tmp_path):
    told = {
        "charts": [{"name": "a"}, {"name": "../b"}],
        "tables": {"openings": {}, "../../c": {}},
        "game": "commons",
        "seed": 1,
        "drawings": 1,
    }
    frame = pl.DataFrame(
        {"opening": [0], "rules": ["{}"], "players": ['["policy:/etc/x.json"]'], "games": [1], "first": [0]}
    )
    frame.write_parquet(tmp_path / "openings.parquet")
    content = {"tables/openings.parquet": (tmp_path / "openings.parquet").read_bytes(), "charts/a.json.gz": b"no gzip"}
    with opened(f"sqlite:///{tmp_path / 'lab.db'}") as found:
        name = found.new_experiment("odd", kind="simulation", settings={"simulation": told}, attachments=content)
        one = StoredSimulation.of(found, name)
        assert ([chart["name"] for chart in one.charts], one.tables) == (["a"], ["openings"])
        with pytest.raises(InputError, match="read from a file"):
            one.open(0)
        with pytest.raises(RecordError, match="damaged"):
            one.chart("a")


@pytest.mark.parametrize(
    ("store", "named"),
    [
        ("postgresql://me:secret@h/db", "ostrom serve --store postgresql://me:PASSWORD@h/db"),
        ("postgresql://me@h/db?password=secret", "ostrom serve --store postgresql://me@h/db"),
        ("postgresql://h/db?password=secret", "ostrom serve --store postgresql://h/db"),
        ("my lab.db", "ostrom serve --store 'my lab.db'"),
        ("sqlite:///a@b", "ostrom serve --store sqlite:///a@b"),
        (None, "ostrom serve"),
    ],
)
def test_the_line_that_shows_a_simulation_can_be_typed_and_has_no_password(store, named, monkeypatch):
    assert keeping.stored_line("sweep-1", store) == f"kept in the journal as sweep-1; to see it: {named}"
    if store is not None:
        monkeypatch.setattr(keeping, "keep_finding", lambda *given: "tournament-1")
        said = answer("tournament", *TWO, "--games", 1, "--store", store)
        assert f"kept in the journal as tournament-1; to see it: {named}\n" in said
        assert "secret" not in said


def test_a_mistyped_address_is_refused_without_its_password():
    with pytest.raises(InputError, match="this is not the URL of a journal"):
        keeping.stored_line("sweep-1", "postgresql://h:port/db?password=secret")


@pytest.mark.slow
def test_a_boundary_among_points_without_intervals_is_kept(tmp_path):
    factors = ["--vary", "alpha=0:1:0.1", "--vary", "synergy=1.2:3:0.3"]
    words = ["--boundary", "contribution=0.5", "--games", 20, "--seed", 42, "--store", tmp_path / "lab.db", "--json"]
    document = json.loads(answer("sweep", "commons", *factors, *words))
    assert document["kept"]
    crossings = document["crossings"]
    assert crossings
    # An end next to a point without an interval is at the first point with one, and never before the crossing.
    assert all(row["low"] is None or row["low"] <= row["at"] for row in crossings)
    assert all(row["high"] is None or row["high"] >= row["at"] for row in crossings)


def test_the_same_command_after_a_kill_leaves_one_simulation(tmp_path):
    (tmp_path / "m.csv").write_text(",A,B\nA,1,3\nB,0,2\n")
    words = ["evolve", "--matrix", tmp_path / "m.csv", "--store", tmp_path / "lab.db", "--json", "--seed"]
    first, again, other = (_kept(json.loads(answer(*words, seed))) for seed in (1, 1, 2))
    assert first == again != other
    experiments = json.loads(answer("list", "experiments", "--store", tmp_path / "lab.db", "--json"))["experiments"]
    assert len(experiments) == 2
