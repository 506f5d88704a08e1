"""Benchmarks are declared once: the command, the library and the pages run the same verb."""

import json
import re
from contextlib import nullcontext

import pytest
from commandline import ostrom

from ostrom.core.entry_points import COMMANDS_GROUP, PLANS_GROUP, load
from ostrom.core.errors import InputError
from ostrom.core.finding import Finding
from ostrom.core.plugins import GAMES
from ostrom.core.verb import SILENT, Verb
from ostrom.experiment.estimate import CallsWithinBudget, describe_rooms
from ostrom.experiment.limits import Limits
from ostrom.experiment.store import run_experiment
from ostrom.experiment.watch import ModelTally, Tally
from ostrom.findings.bench import bench, plan_benchmark
from ostrom.findings.estimates import forecast_run
from ostrom.players.base import Request
from ostrom.players.roster import seat_players
from ostrom.terminal import progress, render
from ostrom.terminal.sheets import out


class Here:
    """A runner that plays in this process."""

    def prepare(self, planned, cluster=None):
        return nullcontext()

    def play(self, planned, journal, store, experiment=None):
        return run_experiment(planned, journal)


def test_bench_and_the_battery_are_verbs():
    assert isinstance(bench, Verb)
    battery = load(COMMANDS_GROUP, "bench.battery")
    assert isinstance(battery, Verb)
    assert load(PLANS_GROUP, "battery") is battery


def test_the_finding_of_a_benchmark_names_the_next_verbs_and_no_option(tmp_path):
    game = GAMES.of_command("punish")
    players = seat_players(game.name, ["Cooperator", "FreeRider", "Retaliator"])
    settings = bench.settings.of({"games": 2, "seats": 3, "seed": 1})
    supplied = {"game": game, "rules": {"rounds": 1}, "players": players, "store": str(tmp_path / "j.db")}
    finding = bench({**supplied, "settings": settings, "runner": Here(), "limits": None, "reporter": SILENT})
    assert finding.facts["experiment"] == "punish-1"
    assert [step.verb for step in finding.next_steps] == ["ratings", "report"]
    assert "--" not in "".join(finding.sentences)
    with pytest.raises(InputError, match="is for models"):
        bench({**supplied, "settings": settings, "runner": Here(), "limits": Limits(budget=1), "reporter": SILENT})


def test_a_closing_sentence_is_wrapped_at_the_width_of_the_terminal(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "40")  # Without it, a pipe has no width.
    monkeypatch.setattr(out, "width", 40)
    render.show(Finding("audit", "Audit", {}, [], sentences=["How the question is put moves decisions. " * 4]))
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 40


SIX = [word for name in ("exponential", "selfish", "level-k") for word in ("--include", name)]


@pytest.mark.slow
def test_games_are_games_in_all_and_per_pair_those_of_each_ordered_pair(tmp_path):
    store = ("--store", str(tmp_path / "j.db"))
    played = json.loads(ostrom("bench", "trust", *SIX, "--games", 7, "--seed", 1, "--json", *store).stdout)
    assert played["bench"]["games"] == 7
    played = json.loads(ostrom("bench", "trust", *SIX, "--per-pair", 2, "--seed", 1, "--json", *store).stdout)
    assert played["bench"]["games"] == 12
    refused = ostrom("bench", "punish", "--per-pair", 2, *store)
    assert refused.returncode == 2
    assert "--per-pair is for games with two seats; for punish use --games" in refused.stderr


def test_an_experiment_of_a_thousand_million_games_is_printed_and_must_be_confirmed(tmp_path):
    file = tmp_path / "large.toml"
    file.write_text('repetitions = 1_000_000_000\ninclude = ["exponential", "selfish"]\n[[games]]\ngame = "trust"\n')
    refused = ostrom("bench", "--file", file, "--store", str(tmp_path / "j.db"))
    assert refused.returncode == 2
    assert "1,000,000,000 games of trust, about" in refused.stderr
    assert "add --yes" in refused.stderr
    assert not (tmp_path / "j.db").exists()


def test_a_run_with_models_first_prints_what_it_will_do(monkeypatch):
    game = GAMES.of_command("trust")
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    players = seat_players(game.name, ["selfish"], models=["openai:gpt-4o-mini"])
    forecast = forecast_run(plan_benchmark(game, players, game.rules(), bench.settings.of({"games": 10})))
    assert forecast.is_large
    assert re.match(r"10 games of trust, about \d+ calls, [\d,]+ tokens, \$0\.\d{4} \(at most", forecast.sentence)
    without = plan_benchmark(game, players[:1] * 2, game.rules(), bench.settings.of({"games": 10}))
    assert not forecast_run(without).is_large


def test_ties_in_wins_are_ranked_by_the_mean_and_the_ranking_can_be_chosen():
    played = ("tournament", "commons", "--games", 4, "--turns", 5, "--seed", 1, "--json")
    rows = json.loads(ostrom(*played).stdout)["standings"]
    without = [row for row in rows if row["win_rate"] == 0]
    assert len({row["rank"] for row in without}) > len(without) / 2
    assert [row["mean_capital"] for row in without] == sorted((row["mean_capital"] for row in without), reverse=True)
    by_mean = json.loads(ostrom(*played, "--rank-by", "mean").stdout)["standings"]
    assert [row["mean_capital"] for row in by_mean] == sorted((row["mean_capital"] for row in rows), reverse=True)


def test_equal_reservations_of_a_budget_are_one_sentence():
    request = Request((), {}, 100, 50, 0.0054)
    rooms = {"a": CallsWithinBudget(16, request), "b": CallsWithinBudget(16, request)}
    assert describe_rooms(rooms) == ["Each call reserves up to $0.0054 until its answer is in; 16 can run at once."]
    assert len(describe_rooms({**rooms, "c": CallsWithinBudget(2, request)})) == 2


def test_the_time_left_of_a_run_follows_from_decisions():
    tally = Tally(models={"m": ModelTally(decisions=25)})
    assert progress._progress(tally, 4, 100) == (25, 75)
    assert progress._progress(tally, 4, None) == (0, 4)


def test_seats_and_include_mean_the_same_in_every_command():
    game = ("--turns", 2, "--games", 2, "--seed", 1, "--include", "Pavlov", "--include", "Parasite", "--json")
    assert json.loads(ostrom("tournament", *game, "--seats", 2).stdout)["group_size"] == 2
    by_name = ostrom("solve", "commons", *game, "--seats", 2).stdout
    assert "Parasite" in by_name
    assert "TitForTat" not in by_name


@pytest.mark.slow
def test_solve_picks_players_where_the_table_of_all_is_too_large_and_creates_folders(tmp_path):
    solved = ostrom("solve", "punish", "--rounds", 1, "--games", 2, "--seed", 1, "-o", tmp_path / "new" / "picture.svg")
    assert solved.returncode == 0
    assert "solved among the first 4 of its players" in solved.stderr
    assert (tmp_path / "new" / "picture.svg").is_file()


def test_a_broken_bot_is_skipped_by_the_list(tmp_path):
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "good.json").write_text('{"model": "openai:gpt-4o-mini"}')
    listed = ostrom("list", "bots", "--json", OSTROM_BOTS=str(tmp_path))
    names = [bot["name"] for bot in json.loads(listed.stdout)["bots"]]
    assert "good" in names
    assert "bad" not in names
    assert "bad.json" in listed.stderr
