"""`ostrom.play`, `ostrom.bench` and `ostrom.open`: strategies, subjects, models and bots alike, over real HTTP, and
inside a loop that is running, as in a notebook."""

import asyncio
import os
import warnings
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

import ostrom
from fork_server import ForkServer
from ostrom.core import UnknownName
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
        (lambda: ostrom.tournament(["Pavlov"], rules={"nothing": 2}), "at least 2 players"),
        (lambda: ostrom.bench(["random"], game="battery", protocl="quick"), "battery takes no 'protocl'"),
        (lambda: ostrom.bench("random", game="battery"), "subjects must be a list"),
        (lambda: ostrom.bench(game="punish", rounds=3), "go into rules"),
        (lambda: ostrom.bench(game="punish", games=0), "at least 1"),
        (lambda: ostrom.bench(game="punish", games="10"), "^games must be a whole number, got '10'"),
        (lambda: ostrom.choose("Pavlov"), r"players must be a list, as in \['Pavlov'\]"),
        (lambda: ostrom.play(game="punish", rules={"round": 3}), "unknown field 'round'; did you mean rounds"),
        (lambda: ostrom.play(game="punish", rules={"zzz": 3}), "unknown field 'zzz'; 'ostrom list rules punish' shows"),
        (lambda: ostrom.play(["gpt-5-mini"]), "provider before its name, as in openai:gpt-5-mini"),
        (lambda: ostrom.play(game="battery"), "not one game but several: 'ostrom bench battery'"),
        (lambda: ostrom.sweep("alpha=0:1:0.5"), r"^vary must be a list, as in \['alpha"),
        (lambda: ostrom.design({"alpha": "0:1"}, maximise="welfare"), r"^maximise must be a list, as in \['welfare'\]"),
        (lambda: ostrom.open("/nowhere/lab.db"), "lab.db"),
        (lambda: ostrom.power(width=1, between=("A", "B")), "^width is of one measure's interval; between and compare"),
        (lambda: ostrom.solve("commons", matrix="m.csv"), "^payoffs come from one source: a game, matrix or from"),
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


def test_power_plans_from_a_pilot(tmp_path: Path) -> None:
    pilot = ostrom.bench(game="punish", games=18, rules=SHORT, seed=1, store=tmp_path / "pilot.db", progress=False)
    how = {"difference": 5, "between": ("FreeRider", "Cooperator"), "repetitions": 100}
    found = ostrom.power(pilot, games=20, **how)
    assert 0 <= float(found.chance) <= 1
    assert found.dollars.reason == "no model was asked in the pilot"
    assert ostrom.power(pilot.name, store=tmp_path / "pilot.db", games=20, **how) == found
    with pytest.raises(ostrom.InputError, match="say what is to be found"):
        ostrom.power(pilot)


def test_the_command_writes_csv_too(store: Path, tmp_path: Path, fork_server: ForkServer) -> None:
    words = ["export", "models", "--store", str(store), "--format", "csv", "-o", "tables"]
    status, out, err = fork_server.run(words, tmp_path, os.environ)
    assert (status, out) == (0, "4 games written to tables\n"), err
    found = ostrom.open(store)["models"].tables["seats"]
    assert pl.read_csv(tmp_path / "tables" / "seats.csv")["final"].to_list() == found["final"].to_list()
    status, out, err = fork_server.run(["export", "--store", str(store), "-o", "seats.csv"], tmp_path, os.environ)
    assert (status, err.count("\n")) == (2, 1)
    assert "--format csv" in err
