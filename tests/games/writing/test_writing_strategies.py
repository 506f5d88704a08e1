"""`ostrom write`: a model writes strategies, gets their errors and results back, and the best can be seated."""

import json
import sys

import pytest
from typer.testing import CliRunner

from ostrom.cli.main import app
from ostrom.core import InputError, PlayerFault
from ostrom.core.game import make_rules
from ostrom.core.plugins import GAMES
from ostrom.games.writing import StrategyWritten
from ostrom.games.writing.commands import Task, WriteSettings, evaluate, mean_estimate
from ostrom.games.writing.commands.trial import distance, try_strategy
from ostrom.journal.sql import Journal
from ostrom.players.roster import contestants_of
from ostrom.testing import Scripted
from ostrom.testing.provider import Provider

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="written strategies are contained on Linux only"),
    pytest.mark.slow,
]
TIT_FOR_TAT = """
def answer(question, memory, draw):
    history = question["view"]["history"]
    return history[-1]["actions"][1 - question["seat"]] if history else 0
"""
BROKEN = "def answer(question, memory, draw):\n    return 'cooperate'\n"
HOSTILE = "import os\ndef answer(question, memory, draw):\n    os.system('true')\n"


def write(store, *arguments):
    done = CliRunner().invoke(app, ["write", *map(str, arguments), "--store", store, "--json"])
    if isinstance(done.exception, InputError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.fixture
def store(tmp_path):
    return f"sqlite:///{tmp_path}/ostrom.db"


def test_a_model_sees_its_errors_and_what_passes_takes_a_seat(store, tmp_path):
    codes = [HOSTILE, BROKEN, f"```python\n{TIT_FOR_TAT}\n```"]
    asked = []

    def answer(request):
        asked.append("\n".join(str(message["content"]) for message in request["messages"]))
        return {"plan": "Repeat the other's last action.", "like": "TitForTat", "code": codes[len(asked) - 1]}

    file = tmp_path / "best.py"
    with Provider(models=("ash",), answers=answer) as provider:
        bot = tmp_path / "ash.json"
        bot.write_text(json.dumps({"model": "ash", "base_url": provider.base_url, "form": "native"}))
        arguments = ("--llm", bot, "--game", "repeated", "--tries", 3, "--games", 2, "--rule", "rounds=6")
        arguments = (*arguments, "--seed", 1, "-o", file)
        found = write(store, *arguments)
        assert len(asked) == 3
        assert write(store, *arguments)["tries"] == found["tries"]
        assert len(asked) == 3
    assert "import of os is not allowed" in asked[1]
    assert "broke the rules" in asked[2]
    first, second, third = found["tries"]
    assert "import of os is not allowed" in first["problem"]
    assert first["mean"] is second["mean"] is None
    assert (third["problem"], third["nearest"], third["from_stated"], third["from_nearest"]) == ("", "TitForTat", 0, 0)
    assert third["mean"]["low"] <= third["mean"]["value"] <= third["mean"]["high"]
    game = GAMES.of_command("repeated")
    (seated,) = contestants_of(game, [f"written:{file}"])
    assert seated.name.startswith(f"written:{file}@")
    with Journal.open(store) as journal:
        rows = [row for row in journal.games(found["experiment"]) if row.state == "finished"]
        assert [row.key for row in rows] == ["try-1", "try-2", "try-3"]
        events = journal.record(rows[0].id).events
        assert (events[0]["event"], events[0]["code"]) == ("strategy_written", HOSTILE.strip())


def task(games=2):
    game = GAMES.of_command("repeated")
    settings = WriteSettings(llm="x", game="repeated", games=games, seed=3)
    return Task(game, make_rules(game, {"rounds": 5}), Scripted((0.0,)), settings)


def test_a_strategy_that_changes_its_mind_without_a_draw_is_not_deterministic():
    code = "import math\ndef answer(question, memory, draw):\n    return id(memory) // 16 % 2"
    outcome = evaluate(task(), 1, code, "AllC", "")
    assert outcome.trial is None or "deterministic" not in outcome.problem
    drawn = evaluate(task(), 1, "def answer(question, memory, draw):\n    return int(draw() < 0.5)", "AllC", "")
    assert drawn.problem == ""


def test_fingerprints_of_opposites_are_at_the_greatest_distance():
    one = task()
    trials = one.known_trials
    assert distance(trials["AllC"], trials["AllD"]) == pytest.approx(1)
    assert distance(trials["AllC"], trials["AllC"]) == 0
    assert 0 < distance(trials["AllC"], trials["TitForTat"]) < 1


def test_a_failing_strategy_has_no_trial():
    one = task()
    known = one.known
    with pytest.raises(PlayerFault, match="broke the rules"):
        try_strategy(one.game, one.rules, _Wrong(), known, 2, 1)


class _Wrong:
    name = "Wrong"

    def sit(self, seat, chance):
        return self

    def answer(self, question):
        return "cooperate"


def test_the_interval_covers_other_games_of_the_same_strategies():
    one = task(games=200)
    truth = try_strategy(one.game, one.rules, _named(one, "Random"), _named_list(one), 200, 99).mean
    held = 0
    for seed in range(100, 130):
        estimate = mean_estimate(try_strategy(one.game, one.rules, _named(one, "Random"), _named_list(one), 4, seed))
        held += estimate.low <= truth <= estimate.high
    assert held >= 25


def _named(one, name):
    return next(entry for entry in one.known if entry.name == name)


def _named_list(one):
    return [_named(one, name) for name in ("AllC", "AllD", "TitForTat")]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((), "name a model and a game"),
        (("--llm", "openai:x", "--game", "nowhere"), "nowhere"),
        (("--llm", "openai:x", "--game", "repeated", "--rule", "rounds"), "NAME=VALUE"),
        (("--llm", "openai:x", "--game", "repeated", "-o", "x.txt"), "must be a .py file"),
    ],
)
def test_a_wrong_request_is_one_clear_line(store, arguments, reason):
    with pytest.raises(InputError, match=reason):
        write(store, *arguments)


def test_the_event_has_the_words_of_the_model():
    event = StrategyWritten(turn=1, plan="Give.", like="AllC", code="x")
    assert event.plan == "Give."
