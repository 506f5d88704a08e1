"""Games that are pooled on a leaderboard, and the notes on those that are not."""

import json
import re
import shutil
import sqlite3
from contextlib import closing

import pytest

from ostrom.analysis.leaderboard import rate_players
from ostrom.analysis.measures import units_of
from ostrom.analysis.pooling import Pooling, by_rules, pools_of
from ostrom.analysis.seated_results import rated_results
from ostrom.analysis.selection import Selection, result_tables, select_boards, select_tables, study_tables
from ostrom.analysis.study import study_of_game
from ostrom.core import InputError, RecordError
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.experiment.plan import Experiment, Part
from ostrom.experiment.store import run_experiment
from ostrom.games.battery.commands.plan import BatterySettings, plan_battery
from ostrom.journal import read
from ostrom.journal.results import BLOCK
from ostrom.journal.sql import Journal
from ostrom.players.roster import contestant_of, description, seat_players
from ostrom.terminal.settings import as_option

PUNISH = GAMES["contribute_punish"]
NAMES = list(seat_players(PUNISH.name))[:4]


def bench(journal, *, games=6, seed=1, name=None, fixed=False, **rules):
    part = Part(PUNISH, PUNISH.rules(**{"rounds": 2, **rules}), NAMES, 4, games, seed, fixed=fixed)
    return run_experiment(Experiment((part,), name), journal)


def bot(name="ada", **given):
    """Settings of an experiment in which a bot of this description is said to play."""
    described = {"bot": {"name": name, "model": "openai:x", "temperature": 0.3, "personality": "", **given}}
    return {"game": PUNISH.name, "players": [described, "other"]}


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A journal of one game."""
    file = tmp_path_factory.mktemp("sound") / "journal.db"
    with Journal.open(f"sqlite:///{file}", create=True) as journal:
        bench(journal, games=1)
    return file


@pytest.fixture
def store(tmp_path):
    return f"sqlite:///{tmp_path / 'journal.db'}"


@pytest.fixture
def journal(store):
    with Journal.open(store, create=True) as journal:
        yield journal


def pools(journal, settings=None, **wanted):
    results = journal.ended.results([PUNISH.name])
    return pools_of(PUNISH, results, settings or journal.ended.settings(), Pooling(**wanted))


def rated(tables):
    return [one.as_record() for one in rate_players(tables, passes=5, draw_probability=0.1)]


def boards_of_store(store, selection):
    with Journal.open(store) as journal:
        return select_boards(journal, selection, print, as_option)


def tables_of_store(store, selection):
    with Journal.open(store) as journal:
        return select_tables(journal, selection, print, as_option)


def test_the_same_bench_three_times_rates_as_once_and_says_why(journal, store):
    bench(journal)
    once = rated(boards_of_store(store, Selection())[0].tables)
    bench(journal, name="again")
    bench(journal, name="and again")
    (board,) = boards_of_store(store, Selection())
    assert rated(board.tables) == once
    (apart,) = board.tables.left_out.apart
    assert (apart.what, apart.games) == ("copies", 12)
    assert "12 copies of other games (same seed, rules, players and decisions)" in apart.sentence
    assert "--pool copies" in apart.way
    (whole,) = boards_of_store(store, Selection.select(pool=["copies"]))
    assert whole.tables.games.height == 18
    assert not whole.tables.left_out.apart


def test_other_seeds_are_other_games(journal):
    bench(journal)
    bench(journal, seed=2)
    (pool,) = pools(journal)
    assert (len(pool.results), pool.apart) == (12, ())


def test_different_rules_are_two_boards_that_name_each_other(journal, store):
    bench(journal, games=5)
    bench(journal, multiplier=2.0)
    first, second = boards_of_store(store, Selection())
    assert (first.tables.games.height, second.tables.games.height) == (6, 5)
    (apart,) = first.tables.left_out.apart
    assert (apart.what, apart.games) == ("rules", 5)
    assert f"multiplier 1.6 in place of 2.0 (rules {second.rules})" in apart.sentence
    (alone,) = boards_of_store(store, Selection.select(rules=second.rules[:4]))
    assert rated(alone.tables) == rated(second.tables)
    (together,) = boards_of_store(store, Selection.select(pool=["rules"]))
    assert together.tables.games.height == 11
    assert tables_of_store(store, Selection())[0].games.height == 6
    with pytest.raises(InputError, match="does not name one set of rules of these games"):
        boards_of_store(store, Selection.select(rules="nothing"))


@pytest.mark.parametrize(("sets", "units"), [(10, 10), (3, None)])
def test_games_of_one_of_many_pooled_sets_of_rules_are_one_unit(journal, sets, units):
    bench(journal, games=20)
    results = journal.ended.results([PUNISH.name])
    varied = [
        one._replace(rules=json.dumps({"rounds": 2, "multiplier": round(1.1 + place % sets / 10, 1)}))
        for place, one in enumerate(results)
    ]
    (pool,) = pools_of(PUNISH, varied, {}, Pooling(together=frozenset({"rules"})))
    tables = pool.applied(result_tables(study_of_game(PUNISH), varied))
    assert (len(set(units_of(tables))) if units else units_of(tables)) == units
    assert f"{sets} sets of rules, pooled" in pool.design.rules
    clusters = rated_results(tables).clusters
    assert (len(set(clusters)) if units else clusters) == units


def test_rules_that_only_say_more_are_the_same_rules(journal):
    bench(journal)
    results = journal.ended.results([PUNISH.name])
    short = {"rounds": 2}
    older = [one._replace(rules=json.dumps(short), seed="77", version=None) for one in results]
    (pool,) = pools_of(PUNISH, [*results, *older], {}, Pooling())
    assert len(pool.results) == 12


def test_a_single_game_is_no_part_of_a_benchmark(journal, store):
    bench(journal)
    single = bench(journal, games=1, seed=9, name="by hand", fixed=True)
    (board,) = boards_of_store(store, Selection())
    assert board.tables.games.height == 6
    assert board.tables.left_out.apart[0].what == "exercises"
    assert boards_of_store(store, Selection.select(pool=["exercises"]))[0].tables.games.height == 7
    assert boards_of_store(store, Selection.select(single))[0].tables.games.height == 1


def test_games_with_people_stay_out_unless_they_are_asked_for(journal):
    bench(journal)
    with_people = bench(journal, seed=2, name="with people")
    results = [
        one._replace(players=("human:ann", *one.players[1:])) if one.experiment == with_people else one
        for one in journal.ended.results([PUNISH.name])
    ]
    settings = journal.ended.settings()
    (pool,) = pools_of(PUNISH, results, settings, Pooling())
    assert {one.experiment for one in pool.results} == {"punish-1"}
    assert [(one.what, one.games) for one in pool.apart] == [("people", 6)]
    (whole,) = pools_of(PUNISH, results, settings, Pooling(together=frozenset({"people"})))
    assert (len(whole.results), whole.apart) == (12, ())
    (alone,) = pools_of(PUNISH, results[6:], settings, Pooling())
    assert len(alone.results) == 6


def test_a_journal_of_single_games_alone_has_a_board(journal, store):
    bench(journal, games=1, fixed=True)
    bench(journal, games=1, seed=2, name="second", fixed=True)
    assert boards_of_store(store, Selection())[0].tables.games.height == 2


def named(journal, first, second, **wanted):
    """The names on the board where two experiments have these settings, and a player of theirs is called ada."""
    a, b = bench(journal), bench(journal, seed=2, name="second")
    results = [one._replace(players=("ada", *one.players[1:])) for one in journal.ended.results([PUNISH.name])]
    (pool,) = pools_of(PUNISH, results, {a: first, b: second}, Pooling(**wanted))
    tables = pool.applied(result_tables(study_of_game(PUNISH), pool.results))
    return sorted({name for name in tables.seats["player"] if name.startswith("ada")}), pool


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        (bot(), bot(), ["ada"]),
        (bot(price={"input": 1, "output": 2}), bot(key_env="OTHER"), ["ada"]),
        (bot(), bot(temperature=0.9), ["ada (temperature 0.3)", "ada (temperature 0.9)"]),
        (bot(), bot(model="openai:y"), ["ada (openai:x)", "ada (openai:y)"]),
        (bot(), {}, ["ada (not described)", "ada (openai:x)"]),
    ],
)
def test_players_of_one_name_are_told_apart_by_their_descriptions(journal, first, second, names):
    result, pool = named(journal, first, second)
    assert result == names
    assert [one.what for one in pool.apart] == (["players"] if len(names) > 1 else [])


def test_a_long_text_is_named_by_a_digest(journal):
    (plain, greedy), _ = named(journal, bot(), bot(personality="You want as much as you can get. " * 9))
    assert plain == "ada (no personality)"
    assert re.fullmatch(r"ada \(personality [0-9a-f]{6}\)", greedy)


def test_players_of_one_name_can_be_taken_together(journal):
    assert named(journal, bot(), bot(temperature=0.9), together=frozenset({"players"}))[0] == ["ada"]


def test_people_are_persons(journal):
    bench(journal)
    bench(journal, seed=2, name="second")
    results = [
        one._replace(players=("human", "human", *one.players[2:])) for one in journal.ended.results([PUNISH.name])
    ]
    (pool,) = pools_of(PUNISH, results, {}, Pooling())
    tables = pool.applied(result_tables(study_of_game(PUNISH), pool.results))
    people = {name for name in tables.seats["player"] if name.startswith("human")}
    assert people == {f"human ({one} {seat})" for one in ("punish-1", "punish-2") for seat in ("P1", "P2")}


def test_a_host_may_give_people_ids():
    anna, somebody = seat_players(PUNISH.name, ["human=anna", "human"])
    assert [description(one) for one in (anna, somebody)] == [{"person": "anna"}, "human"]
    assert contestant_of(PUNISH.name, {"person": "anna"}) == anna
    assert [one.name for one in (anna, somebody)] == ["human:anna", "human"]
    with pytest.raises(InputError, match="the id of a person is one word"):
        seat_players(PUNISH.name, ["human=two words"])


def test_names_reach_every_table(journal, store):
    bench(journal)
    results = journal.ended.results([PUNISH.name])
    names = {(one.id, 0): "somebody" for one in results}
    (pool,) = pools_of(PUNISH, results, {}, Pooling())
    result = type(pool)(pool.rules, pool.results, names).applied(tables_of_store(store, Selection())[0])
    for name, table in result.parts.items():
        if "player" in table.columns:
            assert set(table.filter(table["seat"] == 0)["player"]) <= {"somebody"}, name
    dealt = result.punishments
    assert set(dealt.filter(dealt["target"] == 0)["target_player"]) <= {"somebody"}


# What is read for it.


@pytest.fixture
def decoded(monkeypatch):
    """Counts the events that are decoded."""
    counted = []
    events_in = read.events_in
    monkeypatch.setattr(read, "events_in", lambda rows, named: counted.extend(rows) or events_in(rows, named))
    return counted


def test_ratings_decode_no_event(journal, store, decoded):
    bench(journal)
    (board,) = boards_of_store(store, Selection())
    rated(board.tables)
    assert decoded == []


def test_ratings_from_columns_are_those_of_the_records(journal, store):
    bench(journal)
    study = study_of_game(PUNISH)
    results = journal.ended.results([PUNISH.name])
    columns, whole = result_tables(study, results), study.tables(journal.records())
    assert rated(columns) == rated(whole)
    for name in ("game", "seat", "player", "final", "rank", "defaulted", "repaired", "answers", "imported"):
        assert columns.seats[name].to_list() == whole.seats[name].to_list(), name
    assert columns.games["rounds"].to_list() == whole.games["rounds"].to_list()


def test_tidy_tables_are_made_once(journal, store, decoded):
    bench(journal, games=BLOCK + 10, rounds=1)
    study, results = study_of_game(PUNISH), journal.ended.results([PUNISH.name])
    revision = journal.revision()
    first = study_tables(journal, study, results)
    once = len(decoded)
    assert once > 0
    again = study_tables(journal, study, results)
    rest = [one for one in results if one.serial > BLOCK]
    assert 0 < len(rest) < BLOCK // 2  # too few to be kept: more may come
    assert len(decoded) - once == once * len(rest) / len(results)
    for name, table in first.parts.items():
        assert table.equals(again.parts[name]), name
    assert first.parts["rounds"].equals(study.tables(journal.records()).parts["rounds"])
    assert journal.revision() == revision


def test_tables_of_another_version_are_made_anew(journal, decoded, monkeypatch):
    bench(journal, games=BLOCK, rounds=1)
    study, results = study_of_game(PUNISH), journal.ended.results([PUNISH.name])
    study_tables(journal, study, results)
    decoded.clear()
    monkeypatch.setattr("ostrom.analysis.selection.VERSION", "another")
    study_tables(journal, study, results)
    assert decoded
    decoded.clear()
    study_tables(journal, study, results)
    assert decoded == []


@pytest.mark.parametrize(
    ("column", "value"),
    [
        *(("rules", value) for value in ("9999-12-31", "[]", '{"rounds": "x"}', "[" * 100_000, '{"rounds": 1e999}')),
        *(("tallies", value) for value in ("[1, 2]", "[[-1, 0, 0, 0]]", "[[1]]", '[["x", 0, 0, 0]]', "{}")),
        *(("finals", value) for value in ("[1]", '["x", 1, 2, 3]', "[1e999, 1, 2, 3]", "[1e308, 1, 2, 3]", "7")),
        *(("seats", value) for value in ("[]", "[{}]", "null", '[{"seat": 0, "label": 1, "player": null}]')),
        *(("seed", value) for value in ("x", "1.5", "9" * 5000)),
    ],
)
def test_a_damaged_column_is_named(column, value, sound, store, tmp_path):
    """Seen as tracebacks of `ostrom ratings` over a journal of somebody else."""
    shutil.copy(sound, tmp_path / "journal.db")
    with closing(sqlite3.connect(tmp_path / "journal.db")) as connection, connection:
        connection.execute(f"UPDATE games SET {column} = ?", (value,))
    with Journal.open(store) as journal, pytest.raises(RecordError, match=f" {column}: | tallies: "):
        by_rules(PUNISH, journal.ended.results([PUNISH.name]))
    if column == "seed" or value in ("[{}]", "null"):
        with Journal.open(store) as journal, pytest.raises(RecordError, match=f" {column}: "):
            journal.pages.game("punish-1.1")


def test_no_family_of_tasks_is_read_to_find_the_game_that_is_meant(journal, store, monkeypatch):
    bench(journal)
    run_experiment(
        plan_battery(BatterySettings(subject=("exponential",), protocol="quick", seed=1, task=("dictator",))), journal
    )
    read_parts = []
    part = Game.part
    monkeypatch.setattr(Game, "part", lambda game, name: read_parts.append((game.name, name)) or part(game, name))
    [board] = boards_of_store(store, Selection())
    assert board.tables.games.height == 6
    assert {game for game, _ in read_parts} <= {PUNISH.name}
