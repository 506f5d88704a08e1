"""`ostrom.play`, `ostrom.bench` and `ostrom.open`: strategies, subjects, models and bots alike, over real HTTP, and
inside a loop that is running, as in a notebook."""

import asyncio
import json
import os
import sqlite3
import warnings
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

import ostrom
from battery_played import battery_records
from fork_server import ForkServer
from ostrom.analysis.selection import select_boards
from ostrom.core import UnknownName
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.library.running import RunWarning
from ostrom.testing.provider import Provider

SHORT = {"rounds": 2}


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with Provider(models=("alpha", "beta")) as served:
        yield served


def bot(provider: Provider, name: str, **settings: object) -> ostrom.Bot:
    return ostrom.Bot(name=name, model=name, base_url=provider.base_url, **settings)


@pytest.fixture(scope="module")
def store(provider: Provider, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with a benchmark of two models and three strategies, and the battery of two subjects."""
    store = tmp_path_factory.mktemp("lab") / "lab.db"
    players = [bot(provider, "alpha"), bot(provider, "beta"), "FreeRider", "Cooperator", "Retaliator"]
    ostrom.bench(players, game="punish", games=4, rules=SHORT, seed=5, name="models", store=store)
    subjects = ["exponential:delta=0.9", bot(provider, "alpha")]
    ostrom.bench(subjects, game="battery", protocol="quick", tasks=["dictator"], seed=5, name="asked", store=store)
    return store


def test_a_game_with_a_model_is_played_and_kept_while_a_loop_is_running(provider: Provider, tmp_path: Path) -> None:
    async def cell() -> ostrom.PlayedGame:
        table = [bot(provider, "alpha"), "FreeRider", "Cooperator:2"]
        return ostrom.play(table, game="punish", rules=SHORT, seed=3, store=tmp_path / "game.db")

    game = asyncio.run(cell())
    assert game.names == ("alpha", "FreeRider", "Cooperator", "Cooperator")
    assert game.standings["final"].is_sorted(descending=True)
    assert game.calls.height >= 2
    (kept,) = ostrom.open(tmp_path / "game.db").games()
    assert kept.record.events == game.record.events


def test_a_benchmark_of_models_and_strategies_has_standings_ratings_measures_and_charts(store: Path) -> None:
    found = ostrom.open(store)["models"]
    assert (found.state, len(found.games())) == ("finished", 4)
    assert set(found.standings["player"]) == {"alpha", "beta", "FreeRider", "Cooperator", "Retaliator"}
    ratings = found.ratings(passes=5)
    assert len(ratings) == 5
    assert ratings["FreeRider"].rating.games == 4
    assert {"mu", "sigma", "tier", "strength", "strength_low"} <= set(ratings.to_frame().columns)
    assert set(found.measure("mean_final").columns) >= {"player", "value", "low", "high"}
    assert found.chart("mean_final").to_dict()["title"]
    assert found.chart().to_dict()["title"]
    assert set(found.tables) >= {"games", "seats", "answers", "messages"}
    assert found.tables["seats"].to_pandas().shape == found.tables["seats"].shape


def test_calls_are_a_table_of_prompt_reply_latency_tokens_and_cost(store: Path) -> None:
    calls = ostrom.open(store)["models"].calls
    assert {"prompt", "reply", "latency", "input_tokens", "output_tokens", "cost"} <= set(calls.columns)
    assert calls.height > 0
    assert set(calls["player"]) == {"alpha", "beta"}
    assert calls["prompt"].str.len_chars().min() > 100
    assert ostrom.open(store).calls.height > calls.height


def test_the_battery_has_scores_and_a_chart_and_takes_bots(store: Path) -> None:
    found = ostrom.open(store)["asked"]
    scores = found.scores()
    assert [one.subject for one in scores] == ["alpha", "exponential:delta=0.9"]
    frame = scores.to_frame()
    given = frame.filter(pl.col("subject") == "exponential:delta=0.9", pl.col("score") == "dictator")
    assert given["value"][0] is not None
    assert frame.filter(pl.col("value").is_null() & pl.col("word").is_null())["reason"].null_count() == 0
    assert found.charts == ["rationality", "social", "cooperation", "card"]
    assert found.chart("card", subject="alpha").to_dict()
    assert found.to_frame().equals(frame)
    assert "dictator" in found.tables


@pytest.mark.slow
def test_where_chooses_among_the_answers_of_the_battery(tmp_path: Path) -> None:
    store, subjects = tmp_path / "lab.db", ("fehr-schmidt", "refuser")
    with Journal.open(f"sqlite:///{store}", create=True) as journal:
        asked = journal.new_experiment("asked", kind="battery")
        for number, record in enumerate(battery_records(subjects, ("dictator", "risk"))):
            journal.add_game(asked, record, key=f"a{number}")
    found = ostrom.open(store)["asked"]

    def scored(chosen: ostrom.Experiment, score: str) -> list[str]:
        frame = chosen.scores().to_frame().filter(pl.col("score") == score, pl.col("value").is_not_null())
        return frame["subject"].to_list()

    assert scored(found, "dictator") == scored(found, "err_ev") == ["fehr-schmidt"]
    risk = found.where(game="stated_risk")
    assert (scored(risk, "dictator"), scored(risk, "err_ev")) == ([], ["fehr-schmidt"])
    assert ("dictator" in risk.tables, "risk" in risk.tables, len(risk.games())) == (False, True, 2)
    for part in ("games", "seats"):
        whole = found.where(without_defaulted=part)
        assert [one.subject for one in whole.scores()] == ["fehr-schmidt"]
        assert set(whole.tables["dictator"]["subject"]) == {"fehr-schmidt"}
        assert {one.row.players[0] for one in whole.games()} == {"fehr-schmidt"}
    written = whole.report(tmp_path / "report")
    assert "refuser" not in written.page.read_text(encoding="utf-8")
    with pytest.raises(ostrom.InputError, match="every task has its own; leave out rules"):
        found.where(rules="abc").scores()
    with pytest.raises(ostrom.InputError, match="punish rates players, and scores no subjects"):
        found.where(game="punish").scores()


def test_an_experiment_of_many_kinds_says_which_it_takes_and_where_chooses(store: Path) -> None:
    lab = ostrom.open(store)
    assert [one.name for one in lab.experiments] == ["models", "asked"]
    assert lab.to_frame()["games"].to_list() == [4, 2]
    assert {one.row.game for one in lab.games(game="battery")} == {"stated_dictator"}
    assert len(lab.games(player="beta")) == 4
    assert lab.where(game="punish").tables["games"].height == 4
    with pytest.raises(UnknownName, match="did you mean models"):
        lab["modls"]


def test_a_replay_is_the_exported_page_in_a_frame_without_the_notebooks_origin(store: Path, tmp_path: Path) -> None:
    game = ostrom.open(store)["models"].games()[0]
    shown = game.replay(height=500)
    game.save(tmp_path / "game.html")
    assert (tmp_path / "game.html").read_text(encoding="utf-8") == shown.page
    frame = shown._repr_html_()
    assert frame.startswith("<iframe srcdoc=")
    assert 'sandbox="allow-scripts"' in frame
    assert "height:500px" in frame
    assert 'src="http' not in frame


def test_a_report_and_tables_are_written(store: Path, tmp_path: Path) -> None:
    found = ostrom.open(store)["models"]
    assert found.export(tmp_path / "csv", kind="csv") == 4
    seats = pl.read_csv(tmp_path / "csv" / "seats.csv")
    assert seats["player"].to_list() == found.tables["seats"]["player"].to_list()


def test_a_run_that_ends_early_warns_and_is_resumed(tmp_path: Path) -> None:
    with Provider(models=("gamma",)) as provider:
        one = ostrom.Bot(name="gamma", model="gamma", base_url=provider.base_url)
        table = [one, "FreeRider", "Cooperator"]
        with pytest.warns(RunWarning, match="resume"):
            begun = ostrom.bench(
                table,
                game="punish",
                games=2,
                seats=3,
                rules=SHORT,
                seed=1,
                limits={"token_budget": 1},
                store=tmp_path / "e.db",
            )
        assert begun.state == "unfinished"
        with warnings.catch_warnings(action="error"):
            done = begun.resume(limits={"token_budget": None})
        assert done.state == "finished"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: ostrom.play("Pavlov"), "players must be a list"),
        (lambda: ostrom.play([3]), "3 is not a player"),
        (lambda: ostrom.play(["Pavlov:2"], rules={"alpha": 2}), "alpha must be at most 1"),
        (lambda: ostrom.play(["Pavlov:2"], rules=[1]), "a mapping of settings or CommonsRules"),
        (lambda: ostrom.play(["Pavlov:2"], game=3), "a game is named by a text"),
        (lambda: ostrom.play(["Pavlov:2"], limits={"calls": 3}), "limits are for models"),
        (lambda: ostrom.play(["human", "Pavlov"]), "seat a person in a single game"),
        (lambda: ostrom.tournament(["Pavlov", "openai:gpt-5-mini"]), "a language model: play it with"),
        (lambda: ostrom.tournament(["Pavlov"]), "at least 2 players"),
        (lambda: ostrom.bench(["random"], game="battery", protocl="quick"), "battery has no setting 'protocl'"),
        (lambda: ostrom.bench("random", game="battery"), "players must be a list"),
        (lambda: ostrom.bench(game="punish", rounds=3), "go into rules"),
        (lambda: ostrom.bench(game="punish", games=0), "at least 1"),
        (lambda: ostrom.bench(game="punish", games="10"), "^games must be a whole number, got '10'"),
        (lambda: ostrom.choose("Pavlov"), r"players must be a list, as in \['Pavlov'\]"),
        (lambda: ostrom.play(game="punish", rules={"round": 3}), "unknown field 'round'; did you mean rounds"),
        (lambda: ostrom.play(game="punish", rules={"zzz": 3}), "unknown field 'zzz'; 'ostrom list rules punish' shows"),
        (lambda: ostrom.play(["gpt-5-mini"]), "provider before its name, as in openai:gpt-5-mini"),
        (lambda: ostrom.play(game="battery"), "not one game but several: 'ostrom bench battery'"),
        (lambda: ostrom.sweep("alpha=0:1:0.5"), r"^vary must be a list, as in \['alpha"),
        (lambda: ostrom.design({"alpha": "0:1"}, maximise="welfare"), "^maximise must be a list"),
        (lambda: ostrom.open("/nowhere/lab.db"), "lab.db"),
        (lambda: ostrom.power(width=1, between=("A", "B")), "^between needs difference, and not width"),
        (
            lambda: ostrom.solve("commons", matrix="m.csv"),
            "^matrix brings the payoffs, so no game is played",
        ),
        (lambda: ostrom.bench(["random"], game="battery", games=3), "^battery has no rules, seats or games of its own"),
        (lambda: ostrom.bench(game="punish", register=True), "^register needs file"),
        (lambda: ostrom.power(["a", "b", "c"], difference=5), "^the pilot must be one experiment, or two .* got 3"),
        (lambda: ostrom.power("a", width=float("inf")), "^width must be a finite number, got inf"),
        (lambda: ostrom.power("a", width=5, repetitions=10), "^repetitions must be at least 100, got 10"),
        (lambda: ostrom.power("a", width=5, games=20.5), "^games must be a whole number, got 20.5"),
        (lambda: ostrom.evolve(matrix="m.csv", players=["A"]), "^matrix has its own players; leave out players"),
        (lambda: ostrom.evolve(matrix="m.csv", group_size=3), "^matrix brings the payoffs; leave out group_size"),
        (lambda: ostrom.evolve(experiment="e", games=3), "^experiment brings the payoffs; leave out games"),
        (
            lambda: ostrom.evolve(process="replicator", population=30),
            "^the population of replicator is infinite",
        ),
        (lambda: ostrom.evolve(matrix="m.csv", process="logit", mutation=0.1), "is infinite; leave out mutation$"),
        (lambda: ostrom.evolve(process="ecological", structure="ring"), "is infinite; leave out structure$"),
        (lambda: ostrom.evolve(agents=True, games=5), "^agents uses no payoff table; leave out games$"),
        (lambda: ostrom.evolve(agents=True, resamples=10), "^agents uses no payoff table; leave out resamples$"),
        (lambda: ostrom.evolve(agents=True, workers=2), "^agents uses no payoff table; leave out workers$"),
        (lambda: ostrom.solve(matrix="m.csv", rules={"rounds": 3}), "^matrix brings the payoffs; leave out rounds"),
        (lambda: ostrom.solve(experiment="e", group_size=3), "^experiment brings the payoffs; leave out group_size"),
    ],
)
def test_wrong_arguments_raise_one_clear_error(
    wrong, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ostrom.InputError, match=said) as caught:
        wrong()
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_without_players_a_small_game_seats_as_many_as_it_has_room_for() -> None:
    assert len(ostrom.play(game="dictator").names) == 2


@pytest.mark.slow
def test_power_plans_from_a_pilot(tmp_path: Path) -> None:
    pilot = ostrom.bench(game="punish", games=18, rules=SHORT, seed=1, store=tmp_path / "pilot.db", progress=False)
    how = {"difference": 5, "between": ("FreeRider", "Cooperator"), "repetitions": 100}
    found = ostrom.power(pilot, games=20, **how)
    assert 0 <= float(found.chance) <= 1
    assert found.dollars.reason == "no model was asked in the pilot"
    assert ostrom.power(pilot.name, store=tmp_path / "pilot.db", games=20, **how) == found
    with pytest.raises(ostrom.InputError, match="nothing to plan for: give difference with between or pilot, or width"):
        ostrom.power(pilot)


@pytest.fixture
def several(tmp_path: Path) -> ostrom.Lab:
    """A journal with games by two sets of rules, of another game, and one in which the game answered for a seat."""
    store = tmp_path / "several.db"
    for name, rounds, games in (("short", 2, 12), ("long", 3, 9)):
        rules = {"rounds": rounds}
        ostrom.bench(game="punish", games=games, rules=rules, seed=1, name=name, store=store, progress=False)
    ostrom.bench(games=2, seats=4, rules={"duration": 3}, seed=1, name="other", store=store, progress=False)
    with sqlite3.connect(store) as connection:
        (tallies,) = connection.execute("SELECT tallies FROM games WHERE id = 'punish-1.1'").fetchone()
        (answers, _, *others), *seats = json.loads(tallies)
        told = json.dumps([[answers, 1, *others], *seats])
        connection.execute("UPDATE games SET tallies = ? WHERE id = 'punish-1.1'", (told,))
    connection.close()
    return ostrom.open(store)


def rules_of(lab: ostrom.Lab) -> dict[int, str]:
    """The digests of the rules of Contribute & Punish, by how many games there are."""
    with open_journal(lab.store) as journal:
        boards = select_boards(journal, lab.where(game="punish").selection, lambda line: None)
    return {board.tables.games.height: board.rules for board in boards}


def test_what_where_chose_stays_until_it_is_chosen_anew(several: ostrom.Lab) -> None:
    long = rules_of(several)[9]
    chosen = several.where(game="punish").where(rules=long)
    assert (chosen.selection.game, chosen.selection.rules) == ("punish", long)
    assert chosen.tables["games"].height == 9
    assert several["short"].where(game="punish").where(pool=["copies"]).selection.experiment == "punish-1"
    assert chosen.where(rules=None, pool=["rules"]).tables["games"].height == 21
    assert several.selection.game is None


@pytest.mark.slow
def test_games_calls_and_exports_are_of_what_where_chose(several: ostrom.Lab, tmp_path: Path) -> None:
    punish = several.where(game="punish")
    assert punish.export(tmp_path / "punish") == len(punish.games()) == 21
    assert set(pl.read_parquet(tmp_path / "punish" / "games.parquet")["kind"]) == {"contribute_punish"}
    long = punish.where(rules=rules_of(several)[9])
    assert {one.row.experiment for one in long.games()} == {"punish-2"}
    assert long.export(tmp_path / "long", kind="csv") == 9
    assert long.calls.height == 0
    answered = punish.where(without_defaulted="games")
    assert "punish-1.1" not in [one.id for one in answered.games()]
    assert len(answered.games()) == answered.export(tmp_path / "answered") == 20
    for refused in (lambda one: one.games(), lambda one: one.calls, lambda one: one.export(tmp_path / "none")):
        with pytest.raises(ostrom.InputError, match="leaves out single seats, but here only whole games"):
            refused(punish.where(without_defaulted="seats"))
    assert not (tmp_path / "none").exists()


def test_calls_are_of_the_game_that_where_chose(store: Path) -> None:
    lab = ostrom.open(store)
    assert lab.where(game="punish").calls.equals(lab["models"].calls)
    assert lab.where(game="battery").calls.equals(lab["asked"].calls)


@pytest.mark.slow
def test_power_plans_from_what_where_chose(several: ostrom.Lab) -> None:
    how = {"difference": 5, "between": ("FreeRider", "Cooperator"), "repetitions": 100, "games": 20}
    long = several.where(game="punish", rules=rules_of(several)[9])
    assert ostrom.power(long, **how) == ostrom.power(several["long"], **how)
    assert ostrom.power(long, **how) != ostrom.power(several.where(game="punish"), **how)
    apart = {"difference": 5, "repetitions": 100, "games": 20}
    both = ostrom.power([several["short"], several["long"]], **apart)
    assert both.result == ostrom.power(["short", "long"], store=several.store, **apart).result
    assert both.experiments == 2
    with pytest.raises(ostrom.InputError, match="the pilot has a journal of its own; leave out store"):
        ostrom.power(long, store="other.db", **how)


DEFINITIONS = """
repetitions = 12
include = ["FreeRider", "Cooperator", "Retaliator"]

[[games]]
game = "punish"
seats = 3
rules = { rounds = 2 }
"""
PLANNED = """
[plan]
hypotheses = ["Free riders end with more."]
measures = ["mean_final"]
"""


def test_a_plan_of_a_file_is_registered_or_refused(tmp_path: Path) -> None:
    file, store = tmp_path / "plan.toml", tmp_path / "lab.db"
    file.write_text(DEFINITIONS + PLANNED, encoding="utf-8")
    with pytest.raises(ostrom.InputError, match="has a plan; register it with register"):
        ostrom.bench(file=file, store=store)
    assert not store.exists()
    found = ostrom.bench(file=file, register=True, seed=1, store=store, progress=False)
    assert found.settings["registration"]["plan"]["measures"] == ["mean_final"]
    file.write_text(DEFINITIONS, encoding="utf-8")
    with pytest.raises(ostrom.InputError, match="has no plan to register"):
        ostrom.bench(file=file, register=True, store=store)
    assert "registration" not in ostrom.bench(file=file, seed=1, store=store, progress=False).settings


def test_beside_a_file_nothing_is_ignored_in_silence(tmp_path: Path) -> None:
    file, store = tmp_path / "plan.toml", tmp_path / "lab.db"
    file.write_text(DEFINITIONS, encoding="utf-8")
    for name, value in {"game": "punish", "games": 3, "rules": {"rounds": 3}, "seats": 3, "players": ["A"]}.items():
        with pytest.raises(ostrom.InputError, match=f"has its own games and players; leave out {name}$"):
            ostrom.bench(file=file, store=store, **{name: value})
    file.write_text(f"seeds = [1, 2]\n{DEFINITIONS}", encoding="utf-8")
    with pytest.raises(ostrom.InputError, match="already sets the seeds; leave out seed"):
        ostrom.bench(file=file, seed=3, store=store)
    assert not store.exists()


def test_resuming_asks_about_a_changed_version_and_about_limits_without_models(tmp_path: Path) -> None:
    store = tmp_path / "lab.db"
    begun = ostrom.bench(game="punish", games=2, rules=SHORT, seed=1, store=store, progress=False)
    with pytest.raises(ostrom.InputError, match="limits are for models, and no model plays"):
        begun.resume(limits={"calls": 3})
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE games SET game_version = '0'")
    connection.close()
    with pytest.raises(ostrom.InputError, match="were begun with version 0 of contribute_punish") as refused:
        begun.resume()
    assert str(refused.value).endswith("the same game; resume(accept_version=True) continues anyway")
    with pytest.raises(ostrom.InputError, match=r"players can be added only to games of the installed version$"):
        begun.add(["RandomGiver"])
    assert begun.resume(accept_version=True, progress=False).state == "finished"


@pytest.mark.slow
def test_payoffs_come_from_an_experiment_of_a_journal_at_a_path(tmp_path: Path) -> None:
    store = tmp_path / "lab.db"
    table = ["TitForTat:2", "AllD:2"]
    ostrom.bench(table, game="repeated", per_pair=12, rules=SHORT, seed=1, name="e", store=store, progress=False)
    named = ostrom.evolve(experiment="e", store=str(store), process="replicator", steps=3, resamples=0)
    assert ostrom.evolve(experiment="e", store=store, process="replicator", steps=3, resamples=0).facts == named.facts
    assert ostrom.solve(experiment="e", store=store, resamples=0).rows == named.payoffs.players


def test_a_design_seats_as_many_as_the_game_has_room_for() -> None:
    how = {"candidates": 2, "rounds": 0, "tables": 2, "games": 1, "maximise": ["welfare"]}
    assert ostrom.design({"noise": "0:0.2"}, game="repeated", rules=SHORT, **how).seats == 2


def test_the_command_writes_csv_too(store: Path, tmp_path: Path, fork_server: ForkServer) -> None:
    words = ["export", "models", "--store", str(store), "--format", "csv", "-o", "tables"]
    status, out, err = fork_server.run(words, tmp_path, os.environ)
    assert (status, out) == (0, "4 games written to tables\n"), err
    found = ostrom.open(store)["models"].tables["seats"]
    assert pl.read_csv(tmp_path / "tables" / "seats.csv")["final"].to_list() == found["final"].to_list()
    status, out, err = fork_server.run(["export", "--store", str(store), "-o", "seats.csv"], tmp_path, os.environ)
    assert (status, err.count("\n")) == (2, 1)
    assert "--format csv" in err
