"""The battery from the command line: what cannot be asked is told in one line, and nothing is written."""

import json
from pathlib import Path

import pytest
from commandline import document, ostrom
from typer.testing import CliRunner

from ostrom.cli.main import app
from ostrom.core import InputError
from ostrom.games.battery.stated import TASKS
from ostrom.terminal.settings import as_option
from ostrom.testing.provider import Provider

FILES = {
    "unsorted.toml": "[dictator]\npots = [100, 10]\n",
    "nothing.toml": "[dictator]\npots = []\n",
    "negative.toml": "[time]\nlater = [-1, 10]\n",
    "no_lottery.toml": "[risk]\nreferences = [[1, 2, 3]]\n",
    "setting.toml": "[dictator]\npotts = [10]\n",
    "task.toml": "[dictatr]\n",
    "number.toml": "dictator = 3\n",
    "broken.toml": "[dictator\n",
    "empty.toml": "",
    "small.toml": "[dictator]\npots = [10]\nrepetitions = 2\ncontrols = 0\n",
}
ONE = ("--subject", "exponential")
QUICK = ("--protocol", "quick")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "ash.json").write_text(json.dumps({"model": "ash", "base_url": "http://127.0.0.1:9/v1"}))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def store(folder):
    return f"sqlite:///{folder}/journal.db"


def kept(folder):
    """The experiments of the journal, where there is one."""
    return document("status", "--store", store(folder))["status"] if (folder / "journal.db").exists() else []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["battery"], "name at least one subject"),
        (["battery", "--subject", "exponental", *QUICK], "did you mean exponential?"),
        (["battery", "--subject", "", *QUICK], "no subject called ''"),
        (["battery", "--subject", "nobody.json", *QUICK], "no bot file nobody.json"),
        (["battery", "--subject", "opnai:gpt-5-mini", *QUICK], "no provider 'opnai'; did you mean openai"),
        (["battery", "--subject", "exponential:dleta=0.7", *QUICK], "no parameter 'dleta'; did you mean delta?"),
        (["battery", "--subject", "exponential:delta=7", *QUICK], "from 0.01 to 1"),
        (["battery", "--subject", "exponential:2", *QUICK], "name each subject once"),
        (["battery", *ONE, *ONE, *QUICK], "exponential is named twice"),
        (["battery", "--subject", "ash", "--subject", "bots/ash.json", *QUICK], "ash is named twice"),
        (["battery", *ONE, "--task", "dictatr"], "no task called 'dictatr'; did you mean dictator?"),
        (["battery", *ONE, "--task", "time", "--protocol", "small.toml"], "has no task time; it has dictator"),
        (["battery", *ONE, "--protocol", "brief"], "it must be full or quick, or a TOML file"),
        (["battery", *ONE, "--protocol", "unsorted.toml"], "dictator.pots: the numbers must be sorted"),
        (["battery", *ONE, "--protocol", "nothing.toml"], "dictator.pots: it must hold at least one number"),
        (["battery", *ONE, "--protocol", "negative.toml"], "time.later: -1 is not allowed"),
        (["battery", *ONE, "--protocol", "no_lottery.toml"], "do not sum to one"),
        (
            ["battery", *ONE, "--protocol", "setting.toml"],
            "no setting 'potts'; it must be one of controls, control_answers, pots, repetitions",
        ),
        (["battery", *ONE, "--protocol", "task.toml"], "did you mean dictator?"),
        (["battery", *ONE, "--protocol", "number.toml"], "must be a table of settings"),
        (["battery", *ONE, "--protocol", "broken.toml"], "is not valid TOML"),
        (["battery", *ONE, "--protocol", "empty.toml"], "names no task"),
        (["battery", *ONE, *QUICK, "--budget", "1"], "--budget is for models; ask one with --subject"),
        (["punish", *ONE], "punish has no option --subject"),
        (["trust", "--include", "exponential:2", "--task", "trust"], "trust has no option --task"),
        (["trust", "--include", "selfish", "--games", "-1"], "trust needs at least 2 players"),
        (["trust", "--include", "selfish:2", "--games", "-1"], "games must be at least 1, got -1"),
        (["trust", "--include", "selfish"], "trust needs at least 2 players; the table has one player only"),
        (["stated-dictator", "--include", "exponential"], "there is no benchmark of stated-dictator"),
    ],
)
def test_bad_input_is_told_in_one_line_and_nothing_is_written(arguments, told, folder):
    done = CliRunner().invoke(app, ["bench", *arguments, "--seed", "1", "--store", store(folder)])
    assert isinstance(done.exception, InputError), done.output
    assert told in done.exception.spelled(as_option)
    assert "\n" not in str(done.exception)
    assert done.stdout == ""
    assert kept(folder) == []


def test_options_of_games_are_not_the_batterys(complaint):
    assert "No such option: --include" in complaint("bench", "battery", *ONE, *QUICK, "--include", "exponential")


@pytest.mark.slow
def test_the_line_is_all_that_a_user_sees(folder):
    done = ostrom("bench", "battery", *ONE, "--protocol", "setting.toml", "--store", store(folder), folder=folder)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("ostrom: setting.toml: dictator has no setting 'potts'")
    assert not (folder / "journal.db").exists()


def test_a_model_that_is_not_there_is_told_before_anything_is_written(folder):
    done = CliRunner().invoke(app, ["bench", "battery", "--subject", "ash", *QUICK, "--store", store(folder)])
    assert isinstance(done.exception, InputError)
    assert "http://127.0.0.1:9/v1" in str(done.exception)
    assert kept(folder) == []


def test_subjects_are_asked_what_the_file_says(folder):
    with Provider(models=("ash",)) as provider:
        described = {"model": "ash", "base_url": provider.base_url}
        (folder / "bots" / "ash.json").write_text(json.dumps(described))
        arguments = ["bench", "battery", *ONE, "--subject", "ash", "--protocol", "small.toml", "--store", store(folder)]
        done = CliRunner().invoke(app, [*arguments, "--seed", "1"])
        assert done.exit_code == 0, done.exception
        assert provider.account()["requests"] == 2
    (row,) = kept(folder)
    assert (row["state"], row["games"], row["provenance"]["answered"]) == ("finished", 2, 1)


def test_tasks_may_be_written_as_commands_are(folder):
    arguments = ["bench", "battery", *ONE, *QUICK, "--task", "stag-hunt", "--store", store(folder), "--seed", "1"]
    assert CliRunner().invoke(app, arguments).exit_code == 0


@pytest.mark.slow
def test_a_file_brings_a_task(folder):
    plugin = ("--plugin", Path(__file__).parents[2] / "examples" / "lost_wallet.py", "--store", store(folder))
    subjects = ("--subject", "selfish", "--subject", "fehr-schmidt:beta=0.8")
    asked = ostrom("bench", "battery", *plugin, *subjects, *QUICK, "--task", "wallet", "--seed", 1, folder=folder)
    assert (asked.returncode, asked.stderr) == (0, "")
    assert "2 subjects answered 1 task" in asked.stdout
    shown = ostrom("show", "battery-1.2", *plugin, folder=folder).stdout
    assert "finder, wallet=100: 50" in shown
    rows = json.loads(ostrom("scores", "--json", *plugin, folder=folder).stdout)["scores"]
    assert {row["subject"]: row["honesty"]["value"] for row in rows if not row["human"]} == {
        "selfish": 0,
        "fehr-schmidt:beta=0.8": 50,
    }
    tasks = json.loads(ostrom("list", "tasks", "--json", *plugin[:2], folder=folder).stdout)["tasks"]
    assert [task["name"] for task in tasks][-1] == "wallet"
    assert len(tasks) == len(TASKS) + 1


@pytest.mark.slow
def test_files_bring_schedules_of_contributions_and_choices_between_divisions(folder):
    examples = Path(__file__).parents[2] / "examples"
    files = (examples / "conditional_contribution.py", examples / "social_choices.py")
    plugins = (*(word for file in files for word in ("--plugin", file)), "--store", store(folder))
    tasks = ("--task", "conditional-contribution", "--task", "social-choices")
    subjects = ("--subject", "selfish", "--subject", "fehr-schmidt:beta=0.8")
    asked = ostrom("bench", "battery", *plugins, *subjects, *tasks, "--seed", 1, folder=folder)
    assert (asked.returncode, asked.stderr) == (0, "")
    rows = json.loads(ostrom("scores", "--json", *plugins, folder=folder).stdout)["scores"]
    scores = ("schedule_contribution", "conditional_slope", "reciprocity")
    assert {row["subject"]: [row[name]["value"] for name in scores] for row in rows if not row["human"]} == {
        "selfish": pytest.approx([0, 0, 0]),
        "fehr-schmidt:beta=0.8": pytest.approx([50, 55, 0]),
    }
    shares = {row["subject"]: row["money_to_other"]["value"] for row in rows if not row["human"]}
    assert shares["fehr-schmidt:beta=0.8"] > shares["selfish"]


def test_new_links_are_refused_where_nobody_has_one(folder):
    asked = ["bench", "battery", *ONE, *QUICK, "--task", "dictator", "--store", store(folder), "--seed", "1"]
    assert CliRunner().invoke(app, asked).exit_code == 0
    done = CliRunner().invoke(app, ["resume", "battery-1", "--new-links", "--store", store(folder)])
    assert str(done.exception) == "--new-links is for people, but no people play in these games"
