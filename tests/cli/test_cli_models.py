"""The commands as somebody uses them who lets models play: what they say when all is well, and when it is not."""

import json
import re

import pytest
from commandline import answer, document, ostrom, seats
from typer.testing import CliRunner

from ostrom.cli.main import app
from ostrom.core import InputError
from ostrom.terminal.settings import as_option
from ostrom.testing.provider import Provider

SHORT = ("--rule", "rounds=1", "--no-messages", "--seed", 1)
TABLE = seats("ash", "Cooperator:4")


@pytest.fixture(scope="module")
def provider():
    with Provider(models=("ash", "elm")) as served:
        yield served


@pytest.fixture
def folder(tmp_path, provider, monkeypatch):
    """A folder with two bots, of which one has a price."""
    bots = tmp_path / "bots"
    bots.mkdir()
    fields = {"base_url": provider.base_url, "personality": "You are fair. You say little."}
    (bots / "ash.json").write_text(json.dumps({"model": "ash", "price": {"input": 1, "output": 2}, **fields}))
    (bots / "elm.json").write_text(json.dumps({"model": "elm", **fields}))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def said(*arguments):
    """What the command says, from within this process, and its status; models take long to be imported anew."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def refusal(*arguments):
    done = said(*arguments)
    assert isinstance(done.exception, InputError)
    return done.exception.spelled(as_option)


def test_bots_are_listed_in_few_words_and_to_programs_whole(folder):
    listed = answer("list", "bots")
    assert "You are fair." in listed
    assert "You say little" not in listed
    ash = next(bot for bot in document("list", "bots")["bots"] if bot["name"] == "ash")
    assert ash["personality"] == "You are fair. You say little."
    assert ash["settings"]["price"] == {
        **{"input": 1.0, "output": 2.0},
        **dict.fromkeys(("cache_read", "cache_write", "batch")),
    }
    assert ash["settings"]["form"] is None


def test_help_shows_every_default():
    shown = " ".join(answer("bench", "--help").split())
    usual = ("the game's usual number, or all players", "twice the calls", "default", "3")
    for default in (f"(default {value})" for value in usual):
        assert default in shown
    assert "default 5 in the table, all in JSON" in " ".join(answer("quotes", "--help").split())
    assert "(default welfare)" in answer("design", "--help")
    assert "0 picks a free one. (default 8000)" in answer("serve", "--help")


def test_no_name_is_cut_on_a_narrow_terminal(folder, provider):
    shown = ostrom("run", "punish", *TABLE, *SHORT, "--dry-run", folder=folder, COLUMNS="38").stdout
    assert "estimated cost of 1 game" in shown
    assert max(map(len, shown.splitlines())) <= 38
    assert "…" not in shown
    # What does not fit beside the numbers goes on in the next line.
    parts = [line.split()[0] for line in shown.splitlines()[3:5]]
    assert "".join(parts) == f"ash@{provider.base_url.split('/')[2]}"


def test_a_game_tells_how_many_of_its_answers_nobody_gave(folder):
    with Provider(models=("ash",), faults={"refusal": 1.0}) as refuses:
        (folder / "bots" / "ash.json").write_text(json.dumps({"model": "ash", "base_url": refuses.base_url}))
        done = said("run", "punish", *TABLE, *SHORT)
        voided = said("bench", "punish", *TABLE, *SHORT, "--games", 2, "--policy", "void")
    assert done.exit_code == voided.exit_code == 0
    assert "2 of 10 answers are defaulted" in done.stderr
    assert "2 of 2 games are void" in voided.stderr


def test_a_budget_that_holds_no_call_says_which_one_it_is(folder):
    bench = ("bench", "punish", *TABLE, *SHORT, "--games", 2)
    dollars = said(*bench, "--budget", 0.0001)
    assert dollars.exit_code == 1
    assert "the budget is spent: $0.0000 of $0.0001 are used" in dollars.stderr
    assert "ostrom resume punish-1 --budget MORE" in dollars.stderr
    tokens = said(*bench, "--token-budget", 10)
    assert "0 of 10 tokens are used" in tokens.stderr
    assert "ostrom resume punish-2 --token-budget MORE" in tokens.stderr
    more = said("resume", "punish-2", "--token-budget", 1_000_000)
    assert more.exit_code == 0
    assert re.search(r"Each call reserves up to .* until its answer is in; 16 can run at once", more.stderr)


def test_what_a_judge_has_read_is_resumed_by_judging(folder):
    speak = ("--rule", "rounds=1", "--seed", 1)
    assert said("run", "punish", *seats("elm", "Cooperator:4"), *speak).exit_code == 0
    stopped = said("quotes", "--judge", "ash", "--budget", 0)
    assert stopped.exit_code == 1
    assert "with a larger budget to continue" in stopped.stderr
    assert "ostrom quotes --judge JUDGE" in refusal("resume", "quotes-2")
    assert said("quotes", "--judge", "ash").exit_code == 0


FILE = 'include = ["here", "Cooperator:3"]\nrepetitions = 1\n{more}\n[[games]]\ngame = "punish"\n{bots}'
HERE = '[[bots]]\nname = "here"\nmodel = "ash"\nbase_url = "http://127.0.0.1:9/v1"\n'


@pytest.mark.parametrize(
    ("more", "bots", "told"),
    [
        ("", HERE + HERE, "two bots are called 'here'"),
        ("", HERE + HERE.replace("here", "there"), "the bot 'there' is described but not seated"),
        ("", HERE + HERE.replace("here", "a:2"), "without a colon"),
        ("", HERE + "mood = 1\n", "unknown field 'bots.0.mood'; the fields are name, model"),
        ("", HERE + "[limits]\nbudgets = 1\n", "unknown field 'limits.budgets'; the fields are calls"),
        ("seeds = [1, 2, 1]", HERE, "a seed is listed twice"),
        ("seat = 3", HERE, "unknown field 'seat'; the fields are name, repetitions"),
    ],
)
def test_what_an_experiment_file_says_in_vain_is_refused(folder, more, bots, told):
    (folder / "experiment.toml").write_text(FILE.format(more=more, bots=bots))
    line = refusal("bench", "--file", "experiment.toml")
    assert line.startswith("experiment.toml: ")
    assert told in line


def test_a_seed_beside_a_file_that_names_its_own_is_refused(folder):
    (folder / "experiment.toml").write_text('seeds = [1]\n[[games]]\ngame = "punish"\n')
    assert "--seed" in refusal("bench", "--file", "experiment.toml", "--seed", 2)


def test_a_model_that_sends_calls_elsewhere_is_given_up_with_the_reason(folder):
    with Provider(catalogue=True) as moved:
        written = {"model": "redirect_host", "base_url": moved.base_url}
        (folder / "bots" / "ash.json").write_text(json.dumps(written))
        done = said("bench", "punish", *TABLE, *SHORT, "--games", 2)
        assert moved.account()["requests"] <= 2
    assert done.exit_code == 1
    assert "HTTP 302: the server redirects calls to stranger.invalid" in done.stderr
    assert "ostrom resume punish-1" in done.stderr
